"""What `check` finds: made faults one by one, then the facts of the real release."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.conftest import content, row, write_rows
from tests.benchmarks.xmodbench.test_unified import line, write
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.names import DIRECTIONS
from triptych.records import Problem

GENERAL = {d: f"perception/general/{d}" for d in DIRECTIONS}
MEDIA = [f"Data/{n}.{e}" for n in ("dog", "cat", "cow", "hen", "owl") for e in ("wav", "jpg")]


def findings(bench: Benchmark, data: Path, task: str = "perception/general") -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for problem in bench.check(data, bench.spec.select([task])):
        found.setdefault(problem.kind, []).append(problem)
    return found


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two rows in each direction, with media."""
    for direction, task in GENERAL.items():
        write_rows(tmp_path, task, [row(direction), row(direction, key="D")])
    (tmp_path / "Data").mkdir()
    for name in MEDIA:
        (tmp_path / name).write_bytes(b"x")
    return tmp_path


def test_sound_data_gives_counts_and_notes_alone(bench: Benchmark, data: Path) -> None:
    found = findings(bench, data)
    assert set(found) == {"count", "rows", "shared-letters"}
    assert found["rows"][0].message == "12 valid rows in 6 question files"
    assert found["shared-letters"][0].message.endswith("and B is correct in 50.0%")
    assert found["count"][0].message == "2 rows, but 2000 were released"


@pytest.mark.parametrize("change", [{"correct_answer": "A"}, {"conditions": content("Audio", "owl")}])
def test_broken_pairing_is_an_error(bench: Benchmark, data: Path, change: dict[str, object]) -> None:
    write_rows(data, GENERAL["audio_vision"], [row("audio_vision"), row("audio_vision", key="D", **change)])
    (problem,) = findings(bench, data)["pairing"]
    assert (problem.severity, problem.rows) == ("error", 1)
    assert problem.where.endswith("_audio_vision.json[1]")
    assert "shared-letters" not in findings(bench, data)


def test_the_file_that_differs_from_the_others_is_blamed(bench: Benchmark, data: Path) -> None:
    write_rows(data, GENERAL["audio_text"], [row("audio_text"), row("audio_text", key="D", correct_answer="A")])
    (problem,) = findings(bench, data)["pairing"]  # audio_text is read first, five others agree
    assert problem.where.endswith("_audio_text.json[1]")
    assert problem.message.startswith("key:")


def test_a_path_that_climbs_out_is_unsafe_even_where_nothing_is(bench: Benchmark, data: Path) -> None:
    away = content("Audio", "dog") | {"input": "/x/benchmark/../../nowhere/dog.wav"}
    write_rows(data, GENERAL["audio_text"], [row("audio_text", conditions=away), row("audio_text", key="D")])
    found = findings(bench, data)
    assert "missing-media" not in found
    assert found["unsafe-path"][0].where.endswith("../../nowhere/dog.wav")


def test_a_path_longer_than_any_file_has_is_missing(bench: Benchmark, data: Path) -> None:
    away = content("Audio", "dog") | {"input": "A" * 5_000}
    write_rows(data, GENERAL["audio_text"], [row("audio_text", conditions=away), row("audio_text", key="D")])
    assert any(problem.where.endswith("AAAA") for problem in findings(bench, data)["missing-media"])


@pytest.mark.parametrize("end", ["", "/", "/."])
def test_a_path_is_missing_only_where_a_run_can_not_read_it(bench: Benchmark, data: Path, end: str) -> None:
    path = content("Audio", "dog")["input"]
    odd = content("Audio", "dog") | {"input": f"{path}{end}"}
    write_rows(data, GENERAL["audio_text"], [row("audio_text", conditions=odd), row("audio_text", key="D")])
    assert "missing-media" not in findings(bench, data)


def test_an_empty_question_is_told(bench: Benchmark, data: Path) -> None:
    write_rows(data, GENERAL["text_audio"], [row("text_audio", question=" "), row("text_audio", key="D")])
    assert findings(bench, data)["question-empty"][0].where.endswith("_text_audio.json[0]")


def test_a_missing_file_and_an_incomplete_instance(bench: Benchmark, data: Path) -> None:
    write_rows(data, GENERAL["vision_text"], [row("vision_text")]).rename(data / "elsewhere.json")
    write_rows(data, GENERAL["vision_audio"], [row("vision_audio")])
    found = findings(bench, data)
    assert [p.message for p in found["file-missing"]] == [
        "perception/general: no question file for vision_text; these tasks have no Items"
    ]
    assert found["instance-incomplete"][0].message.startswith("1 of 2 Instances")


def test_doubled_options(bench: Benchmark, data: Path) -> None:
    texts = [["dog", "dog", "hen", "owl"], ["cat", "dog", "hen", "hen"]]
    options = [{k: content("Text", w) for k, w in zip("ABCD", words, strict=True)} for words in texts]
    write_rows(data, GENERAL["audio_text"], [row("audio_text", options=o) for o in options])
    found = findings(bench, data)
    assert [(p.severity, p.where[-3:]) for p in found["key-doubled"]] == [("warning", "[0]")]
    assert [(p.severity, p.where[-3:]) for p in found["option-doubled"]] == [("note", "[1]")]


def test_two_clips_of_the_keys_emotion(bench: Benchmark, data: Path) -> None:
    options = {
        k: {**content("Audio", n), "emotion": e}
        for k, n, e in (("A", "cat", "joy"), ("B", "dog", "joy"), ("C", "hen", "fear"), ("D", "owl", "anger"))
    }
    write_rows(data, GENERAL["text_audio"], [row("text_audio", options=options)])
    assert [p.rows for p in findings(bench, data)["key-ambiguous"]] == [1]


def test_repeated_stems_and_swapped_directions(bench: Benchmark, data: Path) -> None:
    write_rows(
        data, GENERAL["text_audio"], [row("text_audio", question="Which clip is of a 'Dog'?"), row("audio_text")]
    )
    found = findings(bench, data)
    assert [p.where[-3:] for p in found["question-repeats-stem"]] == ["[0]"]
    assert [p.where[-3:] for p in found["direction-swapped"]] == ["[1]"]


def test_malformed_rows_are_errors(bench: Benchmark, data: Path) -> None:
    write_rows(data, GENERAL["text_audio"], [row("text_audio", correct_answer="E"), row("text_audio", key="D")])
    (problem,) = findings(bench, data)["target-not-an-option"]
    assert problem.severity == "error"


def test_media_missing_empty_or_outside(bench: Benchmark, data: Path) -> None:
    (data / "Data/dog.wav").unlink()
    (data / "Data/cat.wav").write_bytes(b"")
    (data / "Data/owl.wav").unlink()
    (data / "Data/owl.wav").symlink_to("/etc/hostname")
    rows = [row("audio_text"), row("audio_text", key="D", conditions={"modality": "Audio", "input": "/etc/passwd"})]
    write_rows(data, GENERAL["audio_text"], rows)
    found = findings(bench, data)
    hit = {kind: {p.task.rpartition("/")[2] for p in found[kind]} for kind in found if kind.endswith(("media", "path"))}
    assert hit["missing-media"] == {"audio_text", "audio_vision", "text_audio", "vision_audio"}
    assert hit["empty-media"] == {"text_audio", "vision_audio"}
    assert hit["unsafe-path"] == {"audio_text", "text_audio", "vision_audio"}
    assert all(p.severity == "error" for kind in hit for p in found[kind])


def test_no_media_at_all_is_one_finding(bench: Benchmark, data: Path) -> None:
    for name in MEDIA:
        (data / name).unlink()
    (problem,) = findings(bench, data)["missing-media"]
    assert problem.rows == 10


def test_the_mini_set_is_not_held_to_the_released_counts(bench: Benchmark) -> None:
    problems = list(bench.check(bench.mini))
    assert {p.severity for p in problems} <= {"note"}


def test_the_released_files(bench: Benchmark, released: Path) -> None:
    """The facts of the release, as found by hand: 104 files, 72,334 rows, none malformed, six directions paired."""
    found = list(bench.check(released))
    kinds: Counter[tuple[str, str]] = Counter()
    for problem in found:
        kinds[problem.severity, problem.kind] += problem.rows
    assert {kind for severity, kind in kinds if severity == "error"} == {"missing-media"}
    assert kinds["warning", "file-missing"] == 4 * 4000
    assert kinds["note", "unused-file"] == 3000
    assert kinds["note", "direction-swapped"] == 1000
    assert kinds["warning", "key-ambiguous"] == 4 * 134 + 4 * 2 + 4 * 3  # emotion, arrangements, order
    assert kinds["note", "instance-incomplete"] == 1 + 785  # instruments 308; both sets of panaroma
    assert kinds["warning", "key-doubled"] == 42  # arrangements 4, order 6, count 22, recognition 10
    assert kinds["note", "rows"] == 69_334
    (letters,) = [p for p in found if p.kind == "shared-letters"]
    assert "verified in 17 subtasks" in letters.message
    assert not [p for p in found if p.kind == "count"]


def _shuffled(whole: dict[str, object], key: str) -> dict[str, object]:
    """The same question with the target's option at another letter."""
    options = dict(whole["options"])  # type: ignore[call-overload]
    old = whole["correct_answer"]
    options[key], options[old] = options[old], options[key]
    return {**whole, "options": options, "correct_answer": key}


def _independent(data: Path, stem: str = "dog") -> None:
    for number, (direction, task) in enumerate(GENERAL.items()):
        rows = [_shuffled(row(direction, stem), "ABCD"[(number + turn) % 4]) for turn in range(3)]
        write_rows(data, task, rows)


def test_letters_drawn_for_each_direction_are_no_fault_and_contents_are_compared(bench: Benchmark, data: Path) -> None:
    _independent(data)
    found = findings(bench, data)
    assert not {"pairing", "dual-mismatch", "shared-letters"} & found.keys()
    assert sum(1 for item in bench.items(data) if item.id.startswith("perception/general/audiovision_text/")) == 3

    wrong = [_shuffled(row("audio_text"), letter) for letter in "ABC"]
    wrong[1] = {**wrong[1], "correct_answer": "D"}
    write_rows(data, GENERAL["audio_text"], wrong)
    found = findings(bench, data)
    assert [p.message.partition(":")[0] for p in found["pairing"]] == ["key"]
    assert len(found["dual-mismatch"]) == 1


COMBINATIONS = (
    "audio_image",
    "audio_text",
    "audio_video",
    "image_audio",
    "image_text",
    "text_audio",
    "text_image",
    "text_video",
    "video_audio",
    "video_text",
)


def test_check_names_the_release_what_is_missing_and_uneven_counts(bench: Benchmark, tmp_path: Path) -> None:
    write(tmp_path, "audio_text", [line("audio_text", "04_temporal/count", n) for n in range(3)])
    write(tmp_path, "text_audio", [line("text_audio", "04_temporal/count", n) for n in range(2)])
    found = {(p.kind, p.severity): p for p in bench.check(tmp_path)}
    assert "2026-06" in found["release", "note"].message
    assert "audio_text 3" in found["count", "warning"].message
    assert "text_audio 2" in found["count", "warning"].message
    missing = [p for p in bench.check(tmp_path) if p.kind == "file-missing"]
    assert [Path(p.where).stem for p in missing] == [c for c in COMBINATIONS if c not in ("audio_text", "text_audio")]
    assert found["missing-media", "error"].rows


# Lite


def test_directions_whose_file_is_missing_are_not_called_uneven(bench: Benchmark, tmp_path: Path) -> None:
    write(
        tmp_path,
        "audio_text",
        [line("audio_text", "04_temporal/order", 0), line("audio_text", "03_speech/recognition", 0)],
    )
    write(tmp_path, "text_audio", [line("text_audio", "04_temporal/order", 0)])
    found = {(p.kind, p.where): p.message for p in bench.check(tmp_path) if p.kind in ("count", "file-missing")}
    assert sum(kind == "file-missing" for kind, _ in found) == 8
    counts = {where: message for (kind, where), message in found.items() if kind == "count"}
    assert list(counts) == ["recognition"], "order has a row in each direction whose file is here"
    assert counts["recognition"].endswith("audio_text 1, text_audio 0")
