"""Question files as spreadsheets, other programs and other sets write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_files import png, sheet, wav, workbook
from tests.benchmarks.questions.test_released_columns import files, head, items, opened, written
from triptych.api import new_benchmark
from triptych.benchmarks import own_questions
from triptych.errors import DataError, SpecError


def refused(file: Path, **stated: str) -> str:
    with pytest.raises((DataError, SpecError)) as error:
        items(file, **stated)
    return str(error.value)


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


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("id;question;A;B;answer\n1;Wie viel?;1,50;2,50;B\n", "utf-8-sig"),
        ("id\tquestion\tA\tB\tanswer\n1\tq\tx\ty\tB\n", "utf-8"),
        ("id,question,A,B,answer\n1,これは;何ですか,犬,猫,B\n", "utf-16"),
        ('"id";"question";"A";"B";"answer"\n1;"a, b";x;y;B\n', "utf-8"),
    ],
)
def test_csv_as_spreadsheets_save_it(tmp_path: Path, text: str, encoding: str) -> None:
    file = tmp_path / "q.csv"
    file.write_text(text, encoding=encoding)
    (item,) = items(file)
    assert item.target == "B" and len(item.options) == 2


@pytest.mark.parametrize(("encoding", "line"), [("gbk", 2), ("shift-jis", 2), ("latin-1", 3)])
def test_other_encodings_name_the_line_and_the_way_out(tmp_path: Path, encoding: str, line: int) -> None:
    said = "é" if encoding == "latin-1" else "中"
    file = tmp_path / "q.csv"
    file.write_bytes(f"id,question,answer\n1,{'a' if line == 3 else said},x\n2,{said},y\n".encode(encoding))
    told = refused(file)
    assert f"line {line}" in told and "CSV UTF-8" in told


def test_long_cells_are_read_and_open_quotation_marks_named(tmp_path: Path) -> None:
    file = tmp_path / "q.csv"
    file.write_text(f"id,question,context,answer\n1,why,{'long ' * 60_000},because\n")
    (item,) = items(file)
    assert max(len(part.text) for part in item.parts) > 250_000
    file.write_text('id,question,answer\n1,why,"because\n' + "2,a,b\n" * 10)
    assert "line" in refused(file)


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


def test_questions_under_names_of_their_own(tmp_path: Path) -> None:
    ask: dict[str, Any] = {"question": "Why?", "candidates": ["A. rain", "B. late"], "answer": "B"}
    content = {
        "v1": {"video_id": "v1", "task0": ask, "task1": {**ask, "answer": "A"}},
        "v2": {"video_id": "v2", "task0": ask},
    }
    (tmp_path / "v1.mp4").write_bytes(head("v1.mp4"))
    (tmp_path / "v2.mp4").write_bytes(head("v2.mp4"))
    file = tmp_path / "q.json"
    file.write_text(json.dumps(content))
    found = items(file)
    assert [(item.id, item.target) for item in found] == [
        ("own-q/v1/task0", "B"),
        ("own-q/v1/task1", "A"),
        ("own-q/v2/task0", "B"),
    ]
    assert files(found[1]) == [("video", "v1.mp4")]


def test_a_column_of_replies_is_not_taken_for_the_answer_but_named(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"query": "Why?", "response": "because"}])
    assert "--map answer=response" in refused(file)
    (item,) = items(file, answer="response")
    assert item.target == "because"


def test_missing_values_and_control_characters(tmp_path: Path) -> None:
    rows = [{"question": q, "answer": a} for q, a in (("n?", "3"), ("n?", "NaN"), ("n\x00?", "4"), ("a\tb\nc", "5"))]
    told = refused(written(tmp_path, "q.jsonl", rows))
    assert "2 faults" in told and "line 2, column answer: NaN is how tables write" in told
    assert "line 3, column question: the text contains the control character U+0000, at its character 2" in told


def test_numbers_and_a_few_words_are_text_with_a_warning(tmp_path: Path) -> None:
    rows = [{"question": "n?", "answer": a} for a in ("3", "4", "5", "12%")]
    file = written(tmp_path, "q.jsonl", rows)
    lines = "\n".join(opened(file).mapping_lines(tmp_path))  # type: ignore[attr-defined]
    assert "open_is     text" in lines and "3 of 4 answers are numbers; '12%' is not" in lines


def test_one_message_for_one_fault_of_messages(tmp_path: Path) -> None:
    row = {"messages": [{"role": r, "content": "x"} for r in ("system", "user", "assistant")]}
    told = refused(written(tmp_path, "q.jsonl", [row]))
    assert "1 fault;" in told and "there is no answer" not in told


def test_another_column_names_the_films(tmp_path: Path) -> None:
    rows = [{"question": "q", "answer": "x", "video_id": "001", "videoID": "v1"}]
    (item,) = items(written(tmp_path, "q.jsonl", rows, ["v1.mp4"]))
    assert files(item) == [("video", "v1.mp4")]


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["Ａ．狗", "Ｂ．猫"], "Ｂ"),
        (["①犬", "②猫"], "②"),
        (["ア. 犬", "イ. 猫"], "イ"),
        (["甲、犬", "乙、猫"], "乙"),
        (["A. 犬", "B. 猫"], "B. 猫"),
        ("Ａ．犬　Ｂ．猫", "（Ｂ）"),
    ],
)
def test_labels_of_other_scripts(tmp_path: Path, options: object, answer: str) -> None:
    rows = [{"question": "q", "options": options, "answer": answer}]
    (item,) = items(written(tmp_path, "q.jsonl", rows))
    assert item.target == "B" and item.option_texts()[1] == "猫"


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


def test_a_folder_of_labels_with_one_split(tmp_path: Path) -> None:
    for label in ("dog", "cat"):
        (tmp_path / "sounds" / "train" / label).mkdir(parents=True)
        (tmp_path / "sounds" / "train" / label / "0.wav").write_bytes(wav())
    bench = opened(tmp_path / "sounds", ask="Which?")
    assert sorted(item.target for item in bench.items(tmp_path / "sounds")) == ["A", "B"]  # type: ignore[type-var]


def test_released_layouts_of_known_sets(tmp_path: Path) -> None:
    ask = {"question": "Why?", "candidates": ["A. x", "B. y"], "answer": "B", "task_type": "t"}
    world = tmp_path / "world"
    (world / "videos").mkdir(parents=True)
    (world / "videos" / "v1.mp4").write_bytes(head("v1.mp4"))
    (world / "worldsense_qa.json").write_text(json.dumps({"v1": {"video_id": "v1", "task0": ask}}))
    bench = own_questions("worldsense", {})
    assert bench is not None
    (item,) = bench.items(world)
    assert item.id == "worldsense/v1/task0" and item.target == "B" and files(item) == [("video", "videos/v1.mp4")]
    daily = tmp_path / "daily"
    (daily / "Videos" / "v1").mkdir(parents=True)
    for name in ("v1_video.mp4", "v1_audio.wav"):
        (daily / "Videos" / "v1" / name).write_bytes(head(name))
    row = {"Question": "q", "Choice": ["A. x", "B. y"], "Answer": "B", "video_id": "v1", "Type": "t"}
    (daily / "qa.json").write_text(json.dumps([row]))
    bench = own_questions("daily_omni", {})
    assert bench is not None
    (item,) = bench.items(daily)
    assert files(item) == [("video", "Videos/v1/v1_video.mp4"), ("audio", "Videos/v1/v1_audio.wav")]
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "mine.csv").write_text("a\n1\n")
    bench = own_questions("omnibench", {})
    assert bench is not None
    with pytest.raises(DataError, match="no question file of omnibench") as error:
        bench.mapping_lines(tmp_path / "empty")  # type: ignore[attr-defined]
    assert "mine.csv" in str(error.value)


def test_no_new_benchmark_has_the_name_of_a_known_one(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x"}])
    for name in ("xmodbench", "omnibench"):
        with pytest.raises(SpecError, match="has this name already"):
            new_benchmark(name, opened(file), to=tmp_path)


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


def merged(folder: Path, rows: list[list[str | float | None]], *ranges: str) -> Path:
    cells = "".join(f'<mergeCell ref="{one}"/>' for one in ranges)
    return workbook(
        folder / "q.xlsx", {"Q": sheet(rows).replace("</worksheet>", f"<mergeCells>{cells}</mergeCells></worksheet>")}
    )


NAMES: list[str | float | None] = ["id", "question", "A", "B", "answer"]
QUESTION: list[str | float | None] = [1.0, "Which?", "dog", "cat", "B"]


def test_a_merged_title_above_the_names_of_the_columns(tmp_path: Path) -> None:
    (item,) = items(merged(tmp_path, [["Quiz 2026"], NAMES, QUESTION], "A1:E1"))
    assert item.target == "B" and item.option_texts() == ("dog", "cat") and item.id == "own-q/1"
    told = refused(merged(tmp_path, [["Quiz 2026"], ["part one"], NAMES, QUESTION], "A1:E1", "A2:E2"))
    assert "row 1" in told and "if the names are in row 3, remove the rows above it" in told
    told = refused(merged(tmp_path, [["Quiz 2026"], NAMES, QUESTION]))
    assert "row 1" in told and "'Quiz 2026'; row 2 has 5 cells" in told


def test_merged_names_of_columns_are_named_by_their_cells(tmp_path: Path) -> None:
    rows = [["id", "question", "options", None, "answer"], QUESTION]
    told = refused(merged(tmp_path, rows, "C1:D1"))
    assert "row 1" in told and "D1 is merged with C1" in told
    told = refused(merged(tmp_path, [["id", "question", "answer"], QUESTION], "C1:E1"))
    assert "D1 is merged with C1; E1 is merged with C1" in told
    (item,) = items(merged(tmp_path, [["id", "question", "answer"], [1.0, "Why?", "x"]], "C1:E1"))
    assert item.target == "x"


def test_merged_cells_below_the_names_are_listed(tmp_path: Path) -> None:
    rows = [NAMES, QUESTION, [None, *QUESTION[1:]], [2.0, "Who?", "x", None, "A"], [3.0, *QUESTION[1:]]]
    told = refused(merged(tmp_path, rows, "A2:A3", "C4:D4"))
    assert "row 3: A3 is merged with A2" in told and "row 4: D4 is merged with C4" in told and "2 faults" in told


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


def test_doubtful_answers_and_options_are_warned_of(tmp_path: Path) -> None:
    rows = [
        {"question": "q", "options": [], "answer": "N/A"},
        {"question": "q", "options": [], "answer": "the dog"},
        {"question": "q", "options": ["A. red", "B. blue", "C. C", "D. B"], "answer": "A"},
    ]
    bench = opened(written(tmp_path, "q.jsonl", rows))
    lines = [line for line in bench.mapping_lines(tmp_path) if line.startswith("warning")]
    assert any("'N/A' of own-q/1" in line for line in lines) and any("own-q/3" in line for line in lines)
    warned = [problem for problem in bench.check(tmp_path) if problem.kind == "doubtful-answer"]
    assert len(warned) == 2 and {problem.severity for problem in warned} == {"warning"}


@pytest.mark.parametrize("columns", [("video", "audio"), ("audio", "video")])
def test_a_sound_that_a_row_names_is_sent_once(tmp_path: Path, columns: tuple[str, str]) -> None:
    named = {"video": "v1_video.mp4", "audio": "v1_audio.wav"}
    row = {"question": "q", "answer": "x"} | {column: named[column] for column in columns}
    (item,) = items(written(tmp_path, "q.jsonl", [row], list(named.values())))
    assert files(item) == [(column, named[column]) for column in columns]


@pytest.mark.parametrize("own", ["query", "Prompt", "messages"])
def test_a_dictionary_with_a_question_does_not_replace_the_rows_own(tmp_path: Path, own: str) -> None:
    said: Any = "Who?" if own != "messages" else [{"role": "user", "content": "Who?"}]
    row = {own: said, "answer": "Ann", "source": {"question": "Which set?", "answer": "mine"}}
    (item,) = items(written(tmp_path, "q.jsonl", [row]))
    assert [part.text for part in item.parts] == ["Who?"] and item.target == "Ann"


def test_a_file_that_ends_inside_a_character_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_bytes("question,answer\nWho?,x\nWhy?,Zoë".encode()[:-1])
    told = refused(tmp_path / "q.csv")
    assert "the file is not in UTF-8" in told and "q.csv, line 3" in told and "byte 0xc3" in told


def test_merged_ranges_that_are_far_too_many_or_too_wide(tmp_path: Path) -> None:
    rows: list[list[str | float | None]] = [["id", "question", "answer"], [1.0, "Why?", "x"]]
    assert "16,384" in refused(merged(tmp_path, rows, "D1:WWWW1"))
    (item,) = items(merged(tmp_path, rows, *["D1:XFD1"] * 10_000))
    assert item.target == "x"
    assert "merged ranges" in refused(merged(tmp_path, rows, *["D1:E1"] * 10_001))
    (tmp_path / "q.xlsx").unlink()
    many = [rows[0], *([float(n), "Why?", "x"] for n in range(300))]
    assert "rows in merged ranges" in refused(merged(tmp_path, many, *["D2:E301"] * 10_000))
