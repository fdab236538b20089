"""Tests of `benchmarks/questions`: items."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import files, items, written
from tests.benchmarks.questions.test_xlsx import png, wav
from triptych.errors import DataError

ROW: dict[str, Any] = {"id": 1, "question": "Who speaks?", "choices": ["a", "b"], "answer": "A", "video": "v.mp4"}


def steps(tmp_path: Path, *rows: dict[str, Any], **stated: str) -> list[list[str]]:
    file = written(tmp_path, "q.jsonl", [{**ROW, "id": n, **row} for n, row in enumerate(rows)], ["v.mp4", "a.wav"])
    return [[part.transform for part in item.parts if part.is_media] for item in items(file, **stated)]


@pytest.mark.parametrize(
    ("begin", "end", "step"),
    [
        (3, 5, "part:from=3,to=5"),
        ("00:03", "01:02:03.5", "part:from=3,to=3723.5"),
        ("30s", None, "part:from=30"),
        (None, 12.25, "part:from=0,to=12.25"),
        (0, None, ""),
        (None, "", ""),
        (3600.125, 3601, "part:from=3600.125,to=3601"),
        (1e-05, 2, "part:from=0,to=2"),
    ],
)
def test_columns_of_times(tmp_path: Path, begin: object, end: object, step: str) -> None:
    row = {"start_time": begin, "end_time": end}
    assert steps(tmp_path, row, {"start_time": 1, "end_time": 2}, start="start_time", end="end_time")[0] == [step]


@pytest.mark.parametrize(
    "span",
    [
        [3, 5],
        "[3, 5]",
        "3-5",
        "3.0 - 5.0",
        "3s - 5s",
        "3 – 5",
        "00:03-00:05",
        {"start": 3, "end": 5},
        [[3, 5]],
        "{'start': 3, 'end': '5s'}",
    ],
)
def test_one_column_with_both_times(tmp_path: Path, span: object) -> None:
    assert steps(tmp_path, {"segment_timestamp": span}, span="segment_timestamp") == [["part:from=3,to=5"]]


def test_times_next_to_a_path_and_beside_each_other(tmp_path: Path) -> None:
    clip = {"type": "video", "path": "v.mp4", "start": 1, "end": "00:02"}
    assert steps(tmp_path, {"video": clip}) == [["part:from=1,to=2"]]
    both = {"video": "v.mp4", "audio": "a.wav", "split_point": 7}
    assert steps(tmp_path, both, end="split_point") == [["part:from=0,to=7"] * 2], "sound beside a silent film"


def test_options_can_be_parts_of_one_file(tmp_path: Path) -> None:
    options = [{"modality": "audio", "path": "a.wav", "start": n, "end": n + 1} for n in range(3)]
    file = written(tmp_path, "q.jsonl", [{**ROW, "choices": options, "video": None, "audio": "a.wav"}], ["a.wav"])
    (item,) = items(file)
    assert [option[0].transform for option in item.options] == [f"part:from={n},to={n + 1}" for n in range(3)]
    assert [part.transform for part in item.parts if part.is_media] == [""], "the whole file is still in the stem"


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"start_time": 5, "end_time": 3}, "ends before it begins"),
        ({"start_time": "soon", "end_time": 3}, "not a time"),
        ({"start_time": -1, "end_time": 3}, "not a time"),
        ({"start_time": 5, "end_time": 9, "video": None}, "no recording"),
        ({"start_time": float("1e300"), "end_time": 3}, "not a time"),
    ],
)
def test_faults_name_the_row_and_the_columns(tmp_path: Path, row: dict[str, Any], fault: str) -> None:
    good = {"start_time": 1, "end_time": 2}
    with pytest.raises(DataError, match=fault) as refused:
        steps(tmp_path, good, row, start="start_time", end="end_time")
    assert "line 2, column start_time, end_time" in str(refused.value)


@pytest.mark.parametrize("span", ["-5", "2024-01-02", "3--5", "three-five"])
def test_what_is_no_span(tmp_path: Path, span: str) -> None:
    with pytest.raises(DataError, match=r"not a span|not a time"):
        steps(tmp_path, {"query_interval": span}, span="query_interval")


def test_columns_of_words_about_media_are_not_media(tmp_path: Path) -> None:
    row = {
        "id": "validation_1",
        "question": "<image 1> Which?",
        "options": "['$6', '$7']",
        "image_1": "a.png",
        "image_2": None,
        "img_type": "['Tables']",
        "answer": "B",
        "audio_type": ["speech", "music"],
    }
    (item,) = items(written(tmp_path, "q.jsonl", [row], ["a.png"]))
    assert files(item) == [("image", "a.png")]


def test_every_repeated_id_is_listed_whatever_else_is_wrong(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "question": "", "answer": "x"},
        {"id": "a", "question": "q", "answer": "x"},
        {"id": "a", "question": "q", "answer": ""},
    ]
    told = refused(written(tmp_path, "q.jsonl", rows))
    assert told.count("'a' is also the id of line 1") == 2 and "4 faults" in told


def test_a_sound_in_a_column_of_images(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    (tmp_path / "a.wav").write_bytes(wav())
    rows = [{"question": "q", "answer": "x", "image_path": name} for name in ("a.png", "a.wav")]
    told = refused(written(tmp_path, "q.jsonl", rows))
    assert "line 2, column image_path: the column is about image, but 'a.wav' is audio" in told


def test_missing_values_and_control_characters(tmp_path: Path) -> None:
    rows = [{"question": q, "answer": a} for q, a in (("n?", "3"), ("n?", "NaN"), ("n\x00?", "4"), ("a\tb\nc", "5"))]
    told = refused(written(tmp_path, "q.jsonl", rows))
    assert "2 faults" in told and "line 2, column answer: NaN is how tables write" in told
    assert "line 3, column question: the text contains the control character U+0000, at its character 2" in told


def test_a_letter_and_its_text_among_letters(tmp_path: Path) -> None:
    rows = [{"question": "q", "options": ["alpha", "beta", "gamma"], "answer": a} for a in ("a", "(B)", "C. gamma")]
    assert [item.target for item in items(written(tmp_path, "q.jsonl", rows))] == ["A", "B", "C"]
    rows.append({"question": "q", "options": ["alpha", "beta"], "answer": "A. beta"})
    assert "can't be read as the letter" in refused(written(tmp_path, "q.jsonl", rows))


def test_a_letter_without_options_among_rows_with_options(tmp_path: Path) -> None:
    rows = [{"question": "q", "options": o, "answer": "A"} for o in (["x", "y"], [])]
    assert "line 2, column options: the answer is the letter A" in refused(written(tmp_path, "q.jsonl", rows))


def test_a_placeholder_without_its_file(tmp_path: Path) -> None:
    rows = [{"question": q, "answer": "x", "audio": "a.wav"} for q in ("<audio 1>?", "<audio 2>?")]
    told = refused(written(tmp_path, "q.jsonl", rows, ["a.wav"]))
    assert "line 2" in told and "the question names <audio 2>, but the row has 1 of this kind" in told


def test_json_truth_values(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": a} for a in (True, False)]
    assert [item.target for item in items(written(tmp_path, "q.jsonl", rows))] == ["true", "false"]


def test_identical_options_are_a_fault_with_the_others(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "question": "q", "options": ["a", "b", " a", "d"], "answer": "B"},
        {"id": 2, "question": "", "options": ["a", "b"], "answer": "B"},
        {"id": 3, "question": "q", "options": ["a.png", "b.png", "a.png"], "answer": "B"},
        {"id": 4, "question": "q", "options": ["Yes", "yes"], "answer": "B"},
    ]
    told = refused(written(tmp_path, "q.jsonl", rows, ["a.png", "b.png"]))
    assert "line 1, column options: options A and C are the same: 'a'" in told
    assert "line 3, column options: options A and C are the same: 'a.png'" in told
    assert told.count("are the same") == 2 and "3 faults" in told and "line 2" in told and "line 4" not in told, told


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.wav", b"\x89PNG\r\n\x1a\n", "is not audio; by its first bytes it is image/png"),
        ("a.png", b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a pointer of Git LFS"),
        ("a.mp3", b"\n<!DOCTYPE html><html>", "a web page"),
        ("a.mp4", b"RIFF\x24\0\0\0WAVEfmt ", "is not a video; by its first bytes it is audio/wav"),
        ("a.jpg", b"\0\0\0\x18ftypisom", "a film or a recording"),
        ("a.jpg", b"\0\0\0\x18ftypavif", "AVIF"),
        ("a.flac", b"garbage", "of no known type"),
        ("a.mp4", b"x", "of no known type"),
    ],
)
def test_media_that_are_not_what_their_name_says(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    rows = [{"question": "q", "answer": "x", "file": name}, {"question": "q", "answer": "", "file": None}]
    told = refused(written(tmp_path, "q.jsonl", rows))
    assert "line 1, column file: " in told and said in told and "2 faults" in told


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.png", b"\xff\xd8\xff\xe0"),
        ("a.wav", b"ID3"),
        ("a.mp3", b"\0\0\0padding"),
        ("a.mov", b"\0\0\0\x08wide"),
        ("a.m4a", b"\0\0\0\x18ftypisom"),
        ("a.wav", b"\0\0\0\x18ftypM4A "),
        ("a.mp4", b"G\x40\0\x10"),
        ("a.webm", b"\x1aE\xdf\xa3"),
        ("a.opus", b"OggS"),
        ("a.aac", b"\xff\xf1\x50"),
    ],
)
def test_another_format_of_the_same_kind_is_sent(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (item,) = items(written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x", "file": name}]))
    assert [path for _, path in files(item)] == [name]


@pytest.mark.parametrize("name", [None, "a.png", "a.bin"])
def test_embedded_bytes_that_are_no_medium(tmp_path: Path, name: str | None) -> None:
    image = {"bytes": png(), "path": "b.png"}
    rows = [{"question": "q", "answer": "x", "image": one} for one in (image, {"bytes": b"garbage", "path": name})]
    told = refused(written(tmp_path, "q.parquet", rows))
    assert "row 2, column image: " in told and "1 fault;" in told and "first bytes" in told
    (tmp_path / "all").mkdir()
    assert "row 1, column image: " in refused(written(tmp_path / "all", "q.parquet", rows[1:]))


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["A. fall", "C. rise", "B. stop", "D. go"], "C"),
        (["a) fall", "c) rise", "b) go"], "b"),
        (["A. fall", "B. rise", "D. go", "E. no"], "D"),
        (["A. fall", "B. rise", "B. go"], "B"),
        (["①犬", "③猫", "②鳥"], "②"),
        ("A. fall\nC. rise\nB. stop", "C"),
        (["A. fall", "C. rise", "B. stop"], "rise"),
        (["1. fall", "3. rise", "2. stop"], 2),
    ],
)
def test_labels_of_options_that_are_out_of_order(tmp_path: Path, options: Any, answer: Any) -> None:
    rows = [
        {"question": "q", "options": ["x", "y", "z"], "answer": "C" if isinstance(answer, str) else 2},
        {"question": "q", "options": options, "answer": answer},
    ]
    stated = {} if isinstance(answer, str) else {"answer_is": "index1"}
    told = refused(written(tmp_path, "q.jsonl", rows), **stated)
    assert "line 2, column" in told and ("not in order" in told or answer == "rise") and "1 fault" in told


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["E. coli", "C. elegans", "D. melanogaster"], "B"),
        (["J. Smith", "A. Jones", "K. Brown"], "A. Jones"),
        (["A. fall", "B. rise"], "B"),
        (["3. Mai", "1. Mai", "2. Mai"], "B"),
        (["1.5", "3.5", "2.5"], "B"),
    ],
)
def test_initials_dates_and_labels_in_order_are_no_disorder(tmp_path: Path, options: list[str], answer: str) -> None:
    (item,) = items(written(tmp_path, "q.jsonl", [{"question": "q", "options": options, "answer": answer}]))
    assert item.target == "B"


def test_names_of_files_are_not_labels(tmp_path: Path) -> None:
    row = {"question": "q", "options": ["B.png", "A.png"], "answer": "B"}
    (item,) = items(written(tmp_path, "q.jsonl", [row], ["A.png", "B.png"]))
    assert [option[0].path for option in item.options] == ["B.png", "A.png"] and item.target == "B"
    (item,) = items(written(tmp_path, "q.jsonl", [{**row, "options": ["A.png", "B.png"]}]))
    assert [option[0].path for option in item.options] == ["A.png", "B.png"]


@pytest.mark.parametrize(("size", "streamed", "sound"), [(100, False, False), (360, False, True), (100, True, True)])
def test_a_wav_that_is_shorter_than_its_header_says(tmp_path: Path, size: int, streamed: bool, sound: bool) -> None:
    content = wav()
    (tmp_path / "a.wav").write_bytes((content[:4] + b"\xff" * 4 + content[8:] if streamed else content)[:size])
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x", "audio": "a.wav"}])
    if sound:
        assert len(items(file)) == 1
    else:
        assert "line 1, column audio: 'a.wav' is cut off: its header says 364 bytes, but it has 100" in refused(file)


@pytest.mark.parametrize("columns", [("video", "audio"), ("audio", "video")])
def test_a_sound_that_a_row_names_is_sent_once(tmp_path: Path, columns: tuple[str, str]) -> None:
    named = {"video": "v1_video.mp4", "audio": "v1_audio.wav"}
    row = {"question": "q", "answer": "x"} | {column: named[column] for column in columns}
    (item,) = items(written(tmp_path, "q.jsonl", [row], list(named.values())))
    assert files(item) == [(column, named[column]) for column in columns]


def test_answers_in_the_form_of_squad_are_references(tmp_path: Path) -> None:
    squad = [
        {"question": "q", "answers": {"text": ["the cello", "cello"], "answer_start": [0, 4]}},
        {"question": "q", "answers": {"text": ["the flute"], "answer_start": [0]}},
    ]
    one, two = items(written(tmp_path, "q.jsonl", squad))
    assert (one.target, one.hidden) == ("the cello", {"references": '["the cello","cello"]'})
    assert (two.target, two.hidden) == ("the flute", {})
    file = written(tmp_path, "none.jsonl", [*squad, {"question": "q", "answers": {"text": [], "answer_start": []}}])
    assert "line 3, column answers: there is no answer" in refused(file)


def test_the_place_of_a_fault_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("question,answer\na,1\nb\nc,2,3\n")
    said = refused(tmp_path / "q.csv")
    assert "row 2: it has 1 cell, the header 2 cells" in said and "row 3: it has 3 cells" in said
    assert "got:\n" in said and str(tmp_path) not in said.partition("where:")[0]
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x"}])
    file.write_text(file.read_text() + "{broken\n[1]\n")
    said = refused(file)
    assert "    line 2: it is not valid JSON" in said and "    line 3: it is not an object" in said
