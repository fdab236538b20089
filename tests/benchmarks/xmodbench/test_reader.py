"""Question files to Items: small hand-made files, then the real ones."""

from __future__ import annotations

import resource
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.conftest import row, write_rows
from triptych.benchmarks import Benchmark
from triptych.errors import DataError, SpecError
from triptych.prompts.build import build_request
from triptych.records import Item, Problem, media, text

AT, VT = "perception/general/audio_text", "perception/general/vision_text"


def test_a_row_becomes_an_item(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path, AT, [row("audio_text", category="Animal Sounds")])
    assert list(bench.items(tmp_path)) == [
        Item(
            id="perception/general/audio_text/0",
            task="xmodbench/perception/general/audio_text",
            parts=(text("Which? (audio_text)", "question"), media("audio", "Data/dog.wav", "content")),
            options=((text("cat"),), (text("dog"),), (text("hen"),), (text("owl"),)),
            labels=("A", "B", "C", "D"),
            answer="letter",
            target="B",
            instance="perception/general/0",
            facets={
                "family": "perception",
                "subtask": "general",
                "direction": "audio_text",
                "content_direction": "audio_text",
                "category": "Animal Sounds",
            },
        )
    ]


def test_options_can_be_media_and_are_asked_in_the_released_order(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path, "perception/general/text_vision", [row("text_vision")])
    (item,) = bench.items(tmp_path)
    sent = [
        p.text or p.path for p in build_request(item, bench.spec.prompts["released"], settings={}).messages[0].parts
    ]
    assert sent == [
        "Which? (text_vision)",
        "Text:",
        "dog",
        "A:",
        "Data/cat.jpg",
        "B:",
        "Data/dog.jpg",
        "C:",
        "Data/hen.jpg",
        "D:",
        "Data/owl.jpg",
        "Give the letter of the correct answer (A, B, C, or D).",
    ]


def test_an_old_question_is_a_list(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path, AT, [row("audio_text", question=["How many? ", "Choose A, B, C, or D."])])
    assert next(iter(bench.items(tmp_path))).parts[0].text == "How many? Choose A, B, C, or D."


@pytest.mark.parametrize("data", ["{}", "[", '"x"', "\x00", "[1,"])
def test_a_malformed_file_is_reported(bench: Benchmark, tmp_path: Path, data: str) -> None:
    write_rows(tmp_path, AT, []).write_text(data, encoding="utf-8")
    problems: list[Problem] = []
    assert list(bench.items(tmp_path, report=problems.append)) == []
    assert [p.kind for p in problems] == ["malformed-file"]


def test_the_authors_repository_can_be_the_data_folder(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path / "benchmark", AT, [row("audio_text")])
    (item,) = bench.items(tmp_path)
    assert item.parts[1].path == "benchmark/Data/dog.wav"
    assert [p.is_file() for p in bench.source_files(tmp_path)] == [True]


def test_a_folder_of_question_files_alone_will_do(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path, AT, [row("audio_text")])
    assert len(list(bench.items(tmp_path / "tasks"))) == 1
    assert bench.source_files(tmp_path / "tasks") == bench.source_files(tmp_path)


def test_generation_statistics_are_no_questions(bench: Benchmark, tmp_path: Path) -> None:
    path = write_rows(tmp_path, AT, [row("audio_text")])
    path.with_name("general_activities_generation_stats.json").write_text("{}")
    assert bench.source_files(tmp_path) == [path]


def test_no_files_are_refused_with_what_was_expected(bench: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tasks/01_perception"):
        list(bench.items(tmp_path))
    write_rows(tmp_path, AT, [row("audio_text")])
    with pytest.raises(DataError, match="no question file of these tasks"):
        list(bench.items(tmp_path, bench.spec.select(["spatial"])))


def test_a_dual_item_joins_both_forms(bench: Benchmark, tmp_path: Path) -> None:
    write_rows(tmp_path, AT, [row("audio_text"), row("audio_text", stem="cow")])
    write_rows(tmp_path, VT, [row("vision_text"), row("vision_text", stem="pig")])
    problems: list[Problem] = []
    items = [i for i in bench.items(tmp_path, report=problems.append) if i.facets["direction"] == "audiovision_text"]
    assert [i.id for i in items] == ["perception/general/audiovision_text/0"]
    assert items[0].parts == (
        text("Which? (audio_text)\nWhich? (vision_text)", "question"),
        media("audio", "Data/dog.wav", "content"),
        media("image", "Data/dog.jpg", "content"),
    )
    assert items[0].instance == "perception/general/0"
    assert [(p.kind, p.where[-2:]) for p in problems] == [("dual-mismatch", "/1")]  # cow and pig are two questions


def test_dual_items_find_audio_to_text_where_names_are_swapped(bench: Benchmark, tmp_path: Path) -> None:
    """As in `order`: the file called text_audio holds the audio stems."""
    write_rows(tmp_path, "temporal/order/audio_text", [row("text_audio")])
    write_rows(tmp_path, "temporal/order/text_audio", [row("audio_text")])
    write_rows(tmp_path, "temporal/order/vision_text", [row("vision_text")])
    items = {i.facets["direction"]: i for i in bench.items(tmp_path)}
    assert [p.kind for p in items["audiovision_text"].parts] == ["text", "audio", "image"]
    assert items["audio_text"].facets["content_direction"] == "text_audio"
    assert items["audio_text"].task == "xmodbench/temporal/order/audio_text"


def test_an_unknown_sample_is_refused(bench: Benchmark) -> None:
    with pytest.raises(SpecError, match="lite"):
        list(bench.sample("light", []))


def test_the_released_questions_load_whole(bench: Benchmark, released: Path) -> None:
    """72,334 rows in 104 files: 69,334 in use, and 3,000 of an older `natures`; and what can be joined of them."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    directions = Counter(i.facets["direction"] for i in bench.items(released))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 800_000  # KB
    both = directions.pop("audiovision_text")
    assert directions.total() == 69_334
    # all Instances of 16 subtasks; `instruments` lacks one in audio_text
    assert both == sum(t.count or 0 for t in bench.spec.tasks if t.id.endswith("audiovision_text")) == 13_829
