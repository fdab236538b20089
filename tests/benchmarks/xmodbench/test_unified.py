"""The release of 2026-06: files as lmms-eval's README and build_data.py describe them, and made of real questions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.lite import load_index
from triptych.benchmarks.xmodbench.names import released_subtask
from triptych.errors import DataError
from triptych.records import Item, Problem

ENDING = {"Audio": "wav", "Image": "jpg", "Video": "mp4"}


def said(modality: str, name: str) -> dict[str, str]:
    return {"modality": modality, "input": name if modality == "Text" else f"Data/some/{name}.{ENDING[modality]}"}


def line(combination: str, subtask: str, index: int, key: str = "B", **changes: Any) -> dict[str, Any]:
    """A row with exactly the released columns."""
    stem, option = (word.capitalize() for word in combination.split("_"))
    options = {
        letter: said(option, f"{name}{index}")
        for letter, name in zip("ABCD", ("cat", "dog", "hen", "owl"), strict=True)
    }
    row = {
        "index": index,
        "subtask": subtask,
        "question": f"Which one? ({combination})",
        "conditions": said(stem, f"stem{index}"),
        "options": options,
        "correct_answer": key,
        "category": subtask,
    }
    return {**row, **changes}


def write(data: Path, name: str, rows: Iterable[Any], folder: str = "data") -> Path:
    path = data / folder / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), encoding="utf-8"
    )
    return path


def read(bench: Benchmark, data: Path) -> tuple[dict[str, Item], list[Problem]]:
    found: list[Problem] = []
    return {item.id: item for item in bench.items(data, report=found.append)}, found


def test_rows_have_the_ids_of_the_older_files(bench: Benchmark, tmp_path: Path) -> None:
    write(tmp_path, "audio_image", [line("audio_image", "01_perception/general_activities", 7)])
    write(tmp_path, "audio_video", [line("audio_video", "05_Exteral/emotion_classification", 3)])
    write(
        tmp_path,
        "audio_text",
        [
            line("audio_text", "01_perception/instruments", 307),
            line("audio_text", "01_perception/instruments", 308),
            line("audio_text", "01_perception/instruments", 309),
            line("audio_text", "04_temporal/order", 5),
            {**line("audio_text", "Animal Sounds", 11), "subtask": ""},
        ],
    )
    items, problems = read(bench, tmp_path)
    assert not problems
    assert {i.id: i.instance for i in items.values() if i.facets["direction"] != "audiovision_text"} == {
        "perception/general/audio_vision/7": "perception/general/7",
        "linguistic/emotion_classification/audio_vision/3": "linguistic/emotion_classification/3",
        "perception/instruments/audio_text/307": "perception/instruments/307",
        "perception/instruments/audio_text/308-2026": "perception/instruments/308",
        "perception/instruments/audio_text/308": "perception/instruments/309",
        "temporal/order/text_audio/5": "temporal/order/5",  # as the file of 2025-09 calls it
        "perception/finegrained/audio_text/11": "perception/finegrained/11",
    }
    assert items["temporal/order/text_audio/5"].facets["content_direction"] == "audio_text"
    assert items["perception/general/audio_vision/7"].parts[1].path == "Data/some/stem7.wav"
    assert bench.release(tmp_path) == "2026-06"


BROKEN = {
    "malformed-row": '{"question": "Which?"',
    "subtask": line("audio_text", "01_perception/smells", 1),
    "index": line("audio_text", "04_temporal/count", -4),
    "direction": line("image_text", "04_temporal/count", 1),
    "options": {**line("audio_text", "04_temporal/count", 1), "options": {"A": said("Text", "x")}},
    "target-not-an-option": line("audio_text", "04_temporal/count", 1, key="E"),
    "modality": line("audio_text", "04_temporal/count", 1, conditions={"modality": "Smell", "input": "x"}),
    "empty-input": line("audio_text", "04_temporal/count", 1, conditions={"modality": "Audio", "input": " "}),
    "doubled-row": line("audio_text", "04_temporal/count", 0),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_row_is_left_out_and_named_with_its_line(bench: Benchmark, tmp_path: Path, kind: str) -> None:
    good = line("audio_text", "04_temporal/count", 0)
    path = write(tmp_path, "audio_text", [good, BROKEN[kind]])
    items, problems = read(bench, tmp_path)
    assert [(p.kind, p.severity, p.where) for p in problems] == [(kind, "error", f"{path}:2")]
    assert list(items) == ["temporal/count/audio_text/0"]


@pytest.mark.parametrize(
    ("named", "place", "expected"),
    [
        ("Data/a.wav", "Data", "Data/a.wav"),
        ("./Data/a.wav", "Data", "Data/a.wav"),
        ("./benchmark/Data/a.wav", "Data", "Data/a.wav"),
        ("benchmark/Data/a.wav", "benchmark/Data", "benchmark/Data/a.wav"),
        ("./benchmark/Data/a.wav", "", "Data/a.wav"),
        ("/x/AudioBench/benchmark/Data/a.wav", "Data", "Data/a.wav"),
        ("/x/AudioBench/benchmark/Data/a.wav", "benchmark/Data", "benchmark/Data/a.wav"),
    ],
)
def test_media_are_found_in_the_folder_of_the_release_or_of_the_repository(
    bench: Benchmark, tmp_path: Path, named: str, place: str, expected: str
) -> None:
    stem = {"modality": "Audio", "input": named}
    write(tmp_path, "audio_text", [line("audio_text", "01_perception/instruments", 0, conditions=stem)])
    if place:
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "a.wav").write_bytes(b"RIFF")
    items, _ = read(bench, tmp_path)
    (found,) = [part.path for part in items["perception/instruments/audio_text/0"].parts if part.is_media]
    assert found == expected
    if place:
        assert (tmp_path / found).is_file()


def test_rows_of_an_older_generation_without_index_are_one_problem(bench: Benchmark, tmp_path: Path) -> None:
    older = [
        {k: v for k, v in line("audio_text", "01_perception/instruments", n).items() if k != "index"} for n in range(9)
    ]
    write(tmp_path, "audio_text", [*older, line("audio_text", "01_perception/instruments", 3)])
    items, problems = read(bench, tmp_path)
    assert [p.kind for p in problems] == ["index"] and "older than the release of 2026-06" in problems[0].message
    assert problems[0].rows == 9
    assert "perception/instruments/audio_text/3" in items


def test_options_of_two_modalities_are_refused(bench: Benchmark, tmp_path: Path) -> None:
    row = line("audio_text", "04_temporal/count", 1)
    write(
        tmp_path,
        "audio_text",
        [{**row, "options": {**row["options"], "C": said("Image", "x")}}, line("audio_text", "04_temporal/count", 2)],
    )
    items, problems = read(bench, tmp_path)
    assert (list(items), [p.kind for p in problems]) == (["temporal/count/audio_text/2"], ["modality"])


def test_the_newer_release_is_read_where_both_are(bench: Benchmark, tmp_path: Path) -> None:
    (tmp_path / "tasks/01_perception/natures").mkdir(parents=True)
    write(tmp_path, "text_video", [line("text_video", "04_temporal/count", 4)])
    assert (bench.release(tmp_path), list(read(bench, tmp_path)[0])) == ("2026-06", ["temporal/count/text_vision/4"])


def test_tasks_without_rows_say_which_files_were_read(bench: Benchmark, tmp_path: Path) -> None:
    write(tmp_path, "text_video", [line("text_video", "04_temporal/count", 4)])
    with pytest.raises(DataError, match=r"audio_text[\s\S]*text_video\.jsonl"):
        list(bench.items(tmp_path, bench.spec.select(["perception/general/audio_text"])))


def lite_lines(config: str, combination_of: dict[str, str], n: int = 12) -> list[dict[str, Any]]:
    return [
        line(combination_of.get(subtask, "audio_text"), released_subtask(subtask), place)
        for place, (subtask, _) in enumerate(load_index()[config][:n])
    ]


def test_lite_files_of_another_list_have_ids_of_their_own(bench: Benchmark, tmp_path: Path) -> None:
    rows = lite_lines("a2t", {})
    rows[3]["subtask"] = (
        "05_Exteral/singer_identification" if "singer" not in rows[3]["subtask"] else "04_temporal/count"
    )
    write(tmp_path, "a2t", rows, "data_lite")
    items, problems = read(bench, tmp_path)
    assert [p.kind for p in problems] == ["lite-list"]
    assert all(id_.rpartition("/")[2].startswith("lite-") for id_ in items)


def as_unified(item: Item, index: int) -> dict[str, Any]:
    """An Item of 2025-09 as build_data.py writes its row: its texts and paths, its position in the complete file."""

    def content(part: Any) -> dict[str, str]:
        return {"modality": part.kind.capitalize(), "input": part.text or f"/home/x/AudioBench/benchmark/{part.path}"}

    subtask = released_subtask(item.facets["subtask"])
    options = {label: content(option[0]) for label, option in zip(item.labels, item.options, strict=True)}
    return {
        "index": index,
        "subtask": subtask,
        "question": item.parts[0].text,
        "conditions": content(item.parts[1]),
        "options": options,
        "correct_answer": item.target,
        "category": item.facets.get("category", subtask),
    }


def test_real_questions_have_the_same_ids_and_content_in_both_releases(
    bench: Benchmark, released_items: dict[str, Item], tmp_path: Path
) -> None:
    chosen = [
        item
        for item in released_items.values()
        if item.facets["subtask"] in ("instruments", "order", "panaroma", "natures")
        and item.facets["direction"] != "audiovision_text"
    ]
    files: dict[str, list[dict[str, Any]]] = {}
    for item in chosen:
        kinds = f"{next(p.kind for p in item.parts if p.role == 'content')}_{item.options[0][0].kind}"
        files.setdefault(kinds, []).append(as_unified(item, int((item.instance or "").rpartition("/")[2])))
    for name, rows in files.items():
        write(tmp_path, name, rows)
    items, problems = read(bench, tmp_path)
    assert not problems
    for item in chosen:
        new = items[item.id]
        assert (new.parts, new.options, new.target, new.instance, new.task) == (
            item.parts,
            item.options,
            item.target,
            item.instance,
            item.task,
        )
    assert len([i for i in items.values() if i.facets["direction"] != "audiovision_text"]) == len(chosen)


def test_the_other_generation_of_natures_has_numbers_of_its_own(bench: Benchmark, tmp_path: Path) -> None:
    write(tmp_path, "audio_text", [line("audio_text", "01_perception/natures", 0)])
    assert list(read(bench, tmp_path)[0]) == ["perception/natures/audio_text/0-other"]


def test_six_directions_are_asked_and_the_seventh_by_name(bench: Benchmark) -> None:
    """102 Tasks as in the paper; a name that ends in the seventh form gets it."""
    asked = {task.id.rpartition("/")[2] for task in bench.spec.chosen_tasks([])}
    assert (len(bench.spec.chosen_tasks([])), len(asked)) == (102, 6)
    assert [task.id for task in bench.spec.chosen_tasks(["perception/general/audiovision_text"])] == [
        "perception/general/audiovision_text"
    ]
    assert len(bench.spec.chosen_tasks(["*/*/audiovision_text"])) == 16
    assert len(bench.spec.select([])) == 118
