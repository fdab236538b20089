"""Question files to Items: small hand-made files, then the real ones."""

from __future__ import annotations

import resource
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.conftest import HOME, content, row, write_rows
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.names import DIRECTIONS, FAMILIES, SUBTASKS, instance_of
from triptych.benchmarks.xmodbench.paper_lite import paper_lite, shares
from triptych.benchmarks.xmodbench.rows import media_path
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


BROKEN = {
    "malformed-row": [{"question": "Which?"}, [], "text", 3, None, row("audio_text", conditions=None)],
    "options": [row("audio_text", options={"A": content("Text", "x")}), row("audio_text", options={})],
    "target-not-an-option": [row("audio_text", correct_answer="E"), row("audio_text", correct_answer="b")],
    "modality": [row("audio_text", conditions={"modality": "Smell", "input": "dog"})],
    "empty-input": [row("audio_text", conditions={"modality": "Audio", "input": " "})],
}


@pytest.mark.parametrize(("kind", "bad"), [(k, r) for k, rows in BROKEN.items() for r in rows])
def test_a_malformed_row_is_reported_and_the_others_stay(
    bench: Benchmark, tmp_path: Path, kind: str, bad: object
) -> None:
    write_rows(tmp_path, AT, [row("audio_text"), bad, row("audio_text", key="C")])
    problems: list[Problem] = []
    items = list(bench.items(tmp_path, report=problems.append))
    assert [i.id.rpartition("/")[2] for i in items] == ["0", "2"]  # positions, and so Instances, don't shift
    assert [(p.severity, p.kind) for p in problems] == [("error", kind)]
    assert problems[0].where.endswith("_audio_text.json[1]")
    with pytest.raises(DataError):
        list(bench.items(tmp_path))


@pytest.mark.parametrize("data", ["{}", "[", '"x"', "\x00", "[1,"])
def test_a_malformed_file_is_reported(bench: Benchmark, tmp_path: Path, data: str) -> None:
    write_rows(tmp_path, AT, []).write_text(data, encoding="utf-8")
    problems: list[Problem] = []
    assert list(bench.items(tmp_path, report=problems.append)) == []
    assert [p.kind for p in problems] == ["malformed-file"]


def test_media_paths_are_mapped_below_the_data_folder() -> None:
    assert media_path(f"{HOME}Data/a b/ü#1.jpg") == "Data/a b/ü#1.jpg"
    assert media_path("/x/AudioBench//benchmark//scripts/p.jpg") == "scripts/p.jpg"
    assert media_path(f"{HOME}Data/benchmark/x.wav") == "Data/benchmark/x.wav"
    assert media_path("media/x.ogg") == "media/x.ogg"
    assert media_path("/etc/passwd") == "/etc/passwd"  # unmapped: the media reader refuses it
    assert media_path(f"{HOME}Data/x.wav", "benchmark/") == "benchmark/Data/x.wav"


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


def test_instances_pair_positions_with_the_known_exceptions() -> None:
    assert instance_of("general", "audio_text", 5, 2000) == instance_of("general", "vision_audio", 5, 2000)
    at = [instance_of("instruments", "audio_text", i, 999) for i in (0, 307, 308, 998)]
    assert at == [f"perception/instruments/{i}" for i in (0, 307, 309, 999)]
    assert instance_of("instruments", "audio_text", 400, 500) == "perception/instruments/401"  # results of a part
    assert instance_of("instruments", "audio_text", 308, 1000) == "perception/instruments/308"  # a repaired file
    sets = {d: instance_of("panaroma", d, 0, 390) for d in DIRECTIONS}
    assert len({sets[d] for d in ("audio_text", "audio_vision", "text_vision")}) == 1
    assert len(set(sets.values())) == 2


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


def test_shares_are_even_and_small_subtasks_give_what_they_have() -> None:
    assert shares({"a": 500, "b": 500, "c": 500}, 200) == {"a": 66, "b": 67, "c": 67}
    assert shares({"a": 500, "b": 10, "c": 500}, 200) == {"b": 10, "a": 95, "c": 95}
    assert shares({"a": 3}, 200) == {"a": 3}
    assert shares({}, 200) == {}


def fake_item(subtask: str, direction: str, index: int) -> Item:
    task = f"xmodbench/{next(f for f, s in SUBTASKS if s == subtask)}/{subtask}/{direction}"
    return Item(id=f"{task}/{index}", task=task, parts=(), instance=f"{subtask}/{index}")


def test_lite_takes_the_same_instances_in_every_direction_whatever_the_order() -> None:
    subtasks = FAMILIES["spatial"]
    items = [fake_item(s, d, i) for s in subtasks for d in DIRECTIONS for i in range(50)]
    sample = list(paper_lite(items, 30))
    assert Counter(i.task.rpartition("/")[2] for i in sample) == dict.fromkeys(DIRECTIONS, 30)
    instances = {d: {i.instance for i in sample if i.task.endswith(d)} for d in DIRECTIONS}
    assert len({frozenset(v) for v in instances.values()}) == 1
    assert {i.id for i in paper_lite(reversed(items), 30)} == {i.id for i in sample}
    assert [i.id for i in sample] == [i.id for i in items if i.id in {s.id for s in sample}]


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


def test_the_released_questions_are_what_the_specification_says(
    bench: Benchmark, released_items: dict[str, Item]
) -> None:
    counts: Counter[str] = Counter()
    kinds: dict[str, set[tuple[str, ...]]] = {}
    swapped = Counter[str]()
    for item in released_items.values():
        counts[item.task] += 1
        contents = [p.kind for p in item.parts if p.role == "content"]
        kinds.setdefault(item.task, set()).add((*contents, item.options[0][0].kind))
        swapped[item.task] += item.facets["direction"] != item.facets["content_direction"]
    specified = {bench.spec.full_id(t): t for t in bench.spec.tasks}
    for task, count in counts.items():
        assert count == specified[task].count, task
        if swapped[task]:
            assert (task.split("/")[2], swapped[task]) == ("order", 500)
        else:
            assert kinds[task] == {specified[task].modalities}, task
    missing = {t for t in specified if t not in counts}
    assert missing == {f"xmodbench/perception/finegrained/{d}" for d in DIRECTIONS} - set(counts)
    assert len(missing) == 4


def test_paper_lite_of_the_released_questions(bench: Benchmark, released_items: dict[str, Item]) -> None:
    sample = list(bench.sample("paper-lite", released_items.values()))
    assert Counter((i.facets["family"], i.facets["direction"]) for i in sample) == {
        (family, direction): 200 for family in FAMILIES for direction in DIRECTIONS
    }
