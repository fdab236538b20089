"""XModBench's released format: a JSON list for each subtask and direction, with media below the same folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.xmodbench.names import DUAL, LETTERS
from triptych.benchmarks.xmodbench.paper_lite import paper_lite
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes._xmodbench_items import item_of
from triptych.construction.record import Record
from triptych.construction.release.media import ReleasedMedia
from triptych.construction.release.samples import Sample, write_samples
from triptych.construction.stages._figures import surface_cues_of
from triptych.construction.stages.guessing import Guess, guesses, unguessable
from triptych.metrics.surface_cues import classified
from triptych.records import Item, Part

MODALITIES = {"audio": "Audio", "image": "Image", "video": "Video", "text": "Text"}


def question_file(subtask: Mapping[str, Any], direction: str) -> str:
    """The released name of a question file; those of `panaroma` say `video` for vision."""
    if subtask["stem"].startswith("starss23"):
        direction = direction.replace("vision", "video")
    return f"tasks/{subtask['folder']}/{subtask['stem']}_questions_{direction}.json"


def content(part: Part, description: str = "") -> dict[str, str]:
    """A stem or an option as released."""
    made = {"modality": MODALITIES[part.kind], "input": part.text if part.kind == "text" else str(part.path)}
    return made | ({"description": description} if description and part.kind != "text" else {})


def row_of(item: Item, descriptions: Sequence[str] = (), extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A row as released, of an Item in one of the six directions.

    descriptions: what the stem and the options show, in this order; only `check` looks at it. extra: `extra_info`.
    """
    parts = [*descriptions, *([""] * (1 + len(LETTERS) - len(descriptions)))]
    row: dict[str, Any] = {
        "question": item.parts[0].text,
        "conditions": content(item.parts[1], parts[0]),
        "options": {
            letter: content(option[0], text)
            for letter, option, text in zip(LETTERS, item.options, parts[1:], strict=True)
        },
        "correct_answer": item.target,
    }
    row |= {"category": item.facets["category"]} if item.facets.get("category") else {}
    return row | ({"extra_info": dict(extra)} if extra else {})


def rows_json(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """A question file's bytes."""
    return msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n"


def write_release(
    records: Sequence[Record], subtasks: Mapping[str, Mapping[str, Any]], out: Path, context: Context, size: int
) -> None:
    """Write question files, `media/` with `media.jsonl`, `samples.jsonl`, `guessing.json` and, of `size` Items for each
    family and direction, `lite.txt`.

    Rows are ordered by Instance, so that a row's number pairs the six directions.
    """
    store = ReleasedMedia(out, context, "media")
    for record in records:  # first what each record is about: a distractor is some other record's own
        for value in (record.fields["context"], record.fields["answer"]):
            _output_value(value, record, store)
    tasks = {task.id for task in load_benchmark("xmodbench").spec.tasks}
    items: list[Item] = []
    samples: list[Sample] = []
    for task, records_of_task in sorted(_by_task(records).items()):
        subtask, rows = subtasks[task.split("/")[1]], []
        for index, record in enumerate(sorted(records_of_task, key=lambda r: str(r.fields["instance"]))):
            named = partial(_output_value, record=record, store=store)
            item = item_of(f"{task}/{index}", record.fields, subtask["vision"], named)
            items.append(item)
            rows.append(row_of(item, _described(record)))
            samples.append(Sample(item.id, record.id))
            dual = f"{task.removesuffix('audio_text')}{DUAL}"
            if task.endswith("/audio_text") and dual in tasks:
                samples.append(Sample(f"{dual}/{index}", record.id))  # what the reader makes of this and vision_text
        path = out / question_file(subtask, task.rpartition("/")[2])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(rows_json(rows))
    store.save()
    write_samples(out, samples)
    (out / "guessing.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(list(guessing(records, context.media))), indent=1)
    )
    if size:
        ids = [item.id for item in paper_lite(items, size)]
        (out / "lite.txt").write_text("\n".join(ids) + "\n", encoding="utf-8")


def guessing(records: Iterable[Record], media: MediaStore) -> Iterator[dict[str, Any]]:
    """Yield the questions that each way of guessing gets right, and the most that chance gives.

    For each direction over all subtasks; for each task also a classifier over what isn't content.
    """
    by_direction: dict[str, list[Values]] = defaultdict(list)
    tasks: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        tasks[record.fields["task"]].append(record)
        by_direction[record.fields["direction"]].append(Values(unguessable, record.id, record.fields))
    for direction, records_of_direction in sorted(by_direction.items()):
        results: list[Guess] = guesses(records_of_direction)
        yield from (
            {"direction": direction, "guess": g.name, "right": g.right, "of": g.n, "most_by_chance": g.chance_limit}
            for g in results
        )
    for task, questions in sorted(tasks.items()):
        if (classifier := classified(surface_cues_of(questions, media))) is not None:
            yield {
                "direction": task.rpartition("/")[2],
                "task": task,
                "guess": "what isn't content",
                "strongest": classifier.strongest,
                "right": len(classifier.right),
                "of": classifier.n,
                "most_by_chance": classifier.chance_limit,
            }


def _by_task(records: Sequence[Record]) -> dict[str, list[Record]]:
    records_by_task: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        records_by_task[record.fields["task"]].append(record)
    return records_by_task


def _output_value(value: str, record: Record, store: ReleasedMedia) -> str:
    """A medium's name in the output; a text as it is."""
    if not value.startswith("media/"):
        return value
    source = ", ".join(record.sources)
    return store.put(value, source, None, None, pass_on=record.fields.get("pass_on", True))


def _described(record: Record) -> list[str]:
    """The texts of the stem and of the options, in the options' order."""
    values = record.fields
    to = values["direction"].split("_")[1]
    texts = {form[to]: form["text"] for form in values["candidates"]}
    return [values["text"], *(texts[value] for value in values["options"])]
