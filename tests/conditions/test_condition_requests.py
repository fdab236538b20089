"""What a model is really sent under every Condition of every benchmark: the adapter's own bytes, not `items.jsonl`.

Nothing here names a benchmark or a Condition: those that are added are covered without another line.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import Benchmark, known_benchmarks
from triptych.conditions.condition import Argument, known_conditions
from triptych.errors import SpecError
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.media.payload import MediaReader
from triptych.records import MEDIA_KINDS, Item, Part, Request

BENCHMARKS = known_benchmarks()
SOURCES = ("table", "run", "from")  # of words about media: the test gives a table
MODEL = "openai/loopback"
URL = "http://127.0.0.1:9/v1"


@dataclass(frozen=True)
class Sent:
    """A Request as the bytes that leave: all its words, and a hash of each medium by kind, in order."""

    request: Request
    words: str
    media: tuple[tuple[str, str], ...]


def forms_of(name: str) -> list[str]:
    """The Condition with arguments: every choice of each, and a strong change where a number is wanted."""
    arguments = known_conditions()[name].arguments or ()
    if {argument.name for argument in arguments} >= set(SOURCES):
        places = next((a.choices for a in arguments if a.name == "place"), ("",))
        return [f"{name}:table={{table}}" + (f",place={place}" if place else "") for place in places]
    must = [argument for argument in arguments if argument.default is None]
    forms = [""]
    for argument in must:
        forms = [f"{form},{argument.name}={value}" for form in forms for value in values_of(argument)]
    return [f"{name}:{form[1:]}" if form else name for form in forms]


def values_of(argument: Argument) -> Sequence[object]:
    if argument.choices:
        return argument.choices
    return [int(argument.least)] if argument.kind is int else [max(argument.least, 0.1)]


CONDITIONS = [form for name in sorted(known_conditions()) for form in forms_of(name)]


@cache
def chosen(bench: str) -> tuple[Item, ...]:
    """The first Item of each shape: Task's prompt, form of answer, kinds of Parts and options."""
    found: dict[object, Item] = {}
    spec = BENCHMARKS[bench].spec
    prompts = {spec.full_id(task): task.prompts for task in spec.tasks}
    for item in BENCHMARKS[bench].items(BENCHMARKS[bench].mini):
        kinds = tuple((p.kind, p.role) for p in item.parts)
        options = tuple(sorted({p.kind for option in item.options for p in option}))
        found.setdefault((item.answer, kinds, options, prompts.get(item.task)), item)
    return tuple(found.values())


def planned(bench: str, conditions: Sequence[str], folder: Path, prompt: str | None = None) -> Plan:
    """A Run over the chosen Items, planned as on the command line."""
    ids = folder / "items.txt"
    ids.write_text("\n".join(item.id for item in chosen(bench)), encoding="utf-8")
    settings = {"audio_formats": "wav,mp3,flac,ogg,opus", "image_formats": "png,jpeg,webp,gif,bmp"}
    usual = BENCHMARKS[bench].spec.default_filters
    every = {facet: {item.facets[facet] for item in chosen(bench)} for facet in usual}
    return plan(
        bench,
        MODEL,
        base_url=URL,
        conditions=conditions,
        items_file=ids,
        settings=settings,
        filters=every,
        prompt=prompt,
    )


def sent(ready: Plan) -> Iterator[Sent]:
    """The bodies that the adapter makes."""
    media = MediaReader(ready.data, extra=ready.extra_files)
    for request in ready.requests():
        if request.unaskable is None:
            yield read(request, json.loads(asyncio.run(ready.adapter.prepare(request, media))))


def read(request: Request, body: dict[str, Any]) -> Sent:
    words, media = [], []
    for message in body["messages"]:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part["type"] == "text":
                words.append(part["text"])
            else:
                said = json.dumps(part[part["type"]]).encode()
                kind = part["type"].removeprefix("input_").removesuffix("_url")
                media.append((kind, hashlib.sha256(said).hexdigest()))
    return Sent(request, "\n".join(words), tuple(media))


def asked(request: Request) -> Item:
    assert request.item is not None
    return request.item


@cache
def unchanged(bench: str, folder: Path) -> dict[str, Sent]:
    return {one.request.id: one for one in sent(planned(bench, (), folder))}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plain")


def table_of(bench: Benchmark, folder: Path) -> tuple[Path, dict[str, str]]:
    """A text for every medium, each with words that stand nowhere else."""
    paths = sorted({p.path for item in chosen(bench.name) for p in item.parts if p.is_media})
    marks = {path: f"mark-{number:03d}-words" for number, path in enumerate(paths)}
    (folder / "table.json").write_text(json.dumps(marks), encoding="utf-8")
    return folder / "table.json", marks


def of_role(item: Item, role: str) -> list[Part]:
    return [part for part in item.parts if part.role == role and not part.is_media]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("bench", sorted(BENCHMARKS))
def test_what_an_item_holds_under_a_condition_is_what_leaves(
    bench: str, condition: str, tmp_path: Path, plain: Path
) -> None:
    table, marks = table_of(BENCHMARKS[bench], tmp_path)
    before = unchanged(bench, plain)
    for one in sent(planned(bench, [condition.replace("{table}", str(table))], tmp_path)):
        item, other = asked(one.request), before.get(one.request.id)
        assert all(part.text.strip() in one.words for part in of_role(item, "content"))
        assert Counter(kind for kind, _ in one.media) == Counter(p.kind for p in item.all_parts if p.is_media)
        if other is None:  # one of several Items that the Condition made of one
            continue
        was = asked(other.request)
        if (item.parts, item.options) != (was.parts, was.options):
            assert (one.words, one.media) != (other.words, other.media), "the Item changed, the Request didn't"
        for part in of_role(was, "content"):
            assert part in item.parts or len(part.text) < 2 or part.text.strip() not in one.words, "taken out, but sent"
        assert_changed_media_differ(one, other)
        if "{table}" in condition:
            assert_words_take_their_place(condition, one, was, marks)


def assert_changed_media_differ(one: Sent, other: Sent) -> None:
    """A medium that is to be changed leaves as other bytes; one that isn't leaves as it was."""
    before = dict(zip(media_of(other), other.media, strict=True))
    for part, leaves in zip(media_of(one), one.media, strict=True):
        same = [old for old in before if old.path == part.path]
        if same and part.transform != same[0].transform and part.transform.rpartition("|")[2] != "mute":
            assert leaves != before[same[0]], part
        elif same and part.transform == same[0].transform:
            assert leaves == before[same[0]], part


def media_of(one: Sent) -> list[Part]:
    return [part for message in one.request.messages for part in message.parts if part.is_media]


def assert_words_take_their_place(condition: str, one: Sent, was: Item, marks: dict[str, str]) -> None:
    """Every medium that the words are about has its own in the Request; `place=instead`: and is not there itself."""
    item = asked(one.request)
    added = [part for part in of_role(item, "content") if part not in was.parts]
    told = [part for part in was.parts if any(marks.get(part.path, "\0") in new.text for new in added)]
    about = {part.kind for part in told}
    for part in was.parts:
        assert part.kind not in about or marks[part.path] in one.words
        assert "place=instead" not in condition or part.kind not in about or part not in item.parts


def test_every_condition_changes_what_some_benchmark_sends(tmp_path: Path, plain: Path) -> None:
    idle = [n for n in known_conditions() if not any(changes(n, bench, tmp_path, plain) for bench in BENCHMARKS)]
    assert not idle, "no benchmark in the box shows that these are sent: give one of them a case"


def changes(name: str, bench: str, folder: Path, plain: Path) -> bool:
    table, _ = table_of(BENCHMARKS[bench], folder)
    before = unchanged(bench, plain)
    ready = planned(bench, [form.replace("{table}", str(table)) for form in forms_of(name)[:1]], folder)
    requests = [r for r in ready.requests() if not r.unaskable]
    return any(r.id not in before or r.messages != before[r.id].request.messages for r in requests)


@pytest.mark.parametrize("bench", sorted(BENCHMARKS))
def test_without_a_kind_none_of_it_leaves_and_blind_leaves_words_alone(bench: str, tmp_path: Path) -> None:
    for one in sent(planned(bench, ["blind"], tmp_path)):
        assert not one.media
    for kind in MEDIA_KINDS:
        assert not any(kind == k for one in sent(planned(bench, [f"without:{kind}"], tmp_path)) for k, _ in one.media)
    for one in sent(planned(bench, ["no_context"], tmp_path)):
        assert not [part for part in asked(one.request).parts if part.role == "content"]


@pytest.mark.parametrize(("bench", "prompt"), [(b, p) for b in sorted(BENCHMARKS) for p in BENCHMARKS[b].spec.prompts])
def test_every_prompt_sends_an_items_content_and_its_own_system(bench: str, prompt: str, tmp_path: Path) -> None:
    """Also words that stand in a recording's place: templates name them `{content}` or `{media}`."""
    table, _ = table_of(BENCHMARKS[bench], tmp_path)
    spec = BENCHMARKS[bench].spec.prompts[prompt]
    for conditions in ([], [f"description:table={table}"], [f"description:table={table},place=beside"]):
        ready = planned(bench, conditions, tmp_path, prompt)
        try:
            found = list(ready.requests())
        except SpecError as error:
            assert "inside a sentence" in str(error), "a template for text refuses media, in words"
            continue
        for request in found:
            words = "\n".join(p.text for m in request.messages for p in m.parts)
            assert all(part.text in words for part in of_role(asked(request), "content"))
            assert spec.system in words or ready.prompt_of[asked(request).task] != prompt


@pytest.mark.parametrize("bench", sorted(BENCHMARKS))
def test_a_prompt_without_a_place_for_the_content_is_refused(bench: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[mine]\ncontent = ["{question}", "Answer."]\n')
    with pytest.raises(SpecError, match="leaves out the content of the question"):
        list(planned(bench, [], tmp_path, str(tmp_path / "mine.toml")).requests())
    assert list(planned(bench, ["blind", "no_context"], tmp_path, str(tmp_path / "mine.toml")).requests())
