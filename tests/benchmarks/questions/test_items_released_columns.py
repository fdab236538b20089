"""Question files with exactly the columns that released sets have, as their descriptions and loaders state them."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import Benchmark, addressed, own_questions
from triptych.errors import DataError, SpecError
from triptych.records import Item

Rows = Sequence[Mapping[str, Any]]


def head(name: str) -> bytes:
    """The first bytes of a file by its ending; the rest is not decoded here."""
    heads = {
        ".wav": b"RIFF\x24\0\0\0WAVEfmt ",
        ".flac": b"fLaC",
        ".mp3": b"ID3",
        ".ogg": b"OggS",
        ".jpg": b"\xff\xd8\xff\xe0",
        ".jpeg": b"\xff\xd8\xff\xe0",
        ".png": b"\x89PNG\r\n\x1a\n",
        ".mp4": b"\0\0\0\x18ftypisom",
        ".m4a": b"\0\0\0\x18ftypM4A ",
        ".webm": b"\x1aE\xdf\xa3",
        ".mkv": b"\x1aE\xdf\xa3",
    }
    return heads.get(Path(name).suffix.lower(), b"") + b" not decoded here"


def written(folder: Path, name: str, rows: Rows, media: Sequence[str] = ()) -> Path:
    """A file of questions, and the media beside it."""
    for path in media:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(head(path))
    file = folder / name
    if name.endswith("jsonl"):
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif name.endswith("json"):
        file.write_text(json.dumps(rows))
    elif name.endswith("parquet"):
        import polars as pl

        pl.DataFrame(rows).write_parquet(file)
    else:
        with file.open("w", newline="") as out:
            table = csv.DictWriter(out, list(rows[0]), delimiter="\t" if name.endswith("tsv") else ",")
            table.writeheader()
            table.writerows(rows)
    return file


def opened(file: Path, **stated: str) -> Benchmark:
    bench = own_questions(str(file), stated)
    assert bench is not None
    return bench


def items(file: Path, **stated: str) -> list[Item]:
    return list(opened(file, **stated).items(file.parent))


def files(item: Item) -> list[tuple[str, str]]:
    return [(part.kind, part.path) for part in item.parts if part.is_media]


def test_omnibench(tmp_path: Path) -> None:
    row = {
        "index": 0,
        "task type": "Action and Activity",
        "audio type": "speech",
        "question": "What is he doing?",
        "options": ["Cooking a meal", "Reading aloud", "Fixing a car", "Painting"],
        "answer": "Reading aloud",
        "audio_path": "mm_data/audio/a.mp3",
        "image_path": "mm_data/image/a.jpg",
        "audio content": "he reads.",
        "image content": "a man with a book",
    }
    rows = [row, {**row, "index": 1, "answer": "Painting"}]
    one, two = items(written(tmp_path, "q.jsonl", rows, ["mm_data/audio/a.mp3", "mm_data/image/a.jpg"]))
    assert (one.target, two.target, one.answer) == ("B", "D", "letter")
    assert files(one) == [("audio", "mm_data/audio/a.mp3"), ("image", "mm_data/image/a.jpg")]
    assert one.facets["category"] == "Action and Activity" and one.id == "own-q/0"
    assert not any("book" in part.text or "he reads" in part.text for part in one.all_parts)


def test_worldsense(tmp_path: Path) -> None:
    rows = [
        {
            "index": n,
            "video_path": f"./videos/{n}.mp4",
            "question": "Why?",
            "task_type": "Causal",
            "answer": answer,
            "candidates": "['A. It rains.', 'B. \"It\\'s\" late.', 'C. No one knows.', 'D. He fell.']",
            "audio_class": "Speech",
            "subtitle_path": f"./subtitles/{n}.srt",
            "duration": "94.3",
        }
        for n, answer in enumerate("CBA")
    ]
    found = items(written(tmp_path, "q.csv", rows, [f"videos/{n}.mp4" for n in range(3)]))
    assert [item.target for item in found] == ["C", "B", "A"]
    assert found[0].option_texts() == ("It rains.", '"It\'s" late.', "No one knows.", "He fell.")
    assert files(found[2]) == [("video", "videos/2.mp4")]


def test_daily_omni_bare_ids(tmp_path: Path) -> None:
    rows = [
        {
            "Question": "Which sound comes first?",
            "Choice": ["A. rain", "B. wind", "C. bells", "D. steps"],
            "Answer": answer,
            "video_id": name,
            "Type": "Event Sequence",
            "video_duration": "30s",
        }
        for answer, name in (("D", "xK_3a"), ("A", "-b7"))
    ]
    found = items(written(tmp_path, "qa.json", rows, ["Videos/xK_3a/xK_3a.mp4", "Videos/-b7/-b7.mp4"]))
    assert [files(item) for item in found] == [[("video", "Videos/xK_3a/xK_3a.mp4")], [("video", "Videos/-b7/-b7.mp4")]]
    assert [item.target for item in found] == ["D", "A"]
    assert found[0].option_texts()[3] == "steps"


def test_omnivideobench_nested_rows(tmp_path: Path) -> None:
    question = {
        "question": "Who speaks?",
        "options": ["A.Ann", "B.Bob", "C.Cid", "D.Dan"],
        "correct_option": "B",
        "answer": "Bob",
        "audio_type": "Speech",
        "question_type": "identity",
    }
    rows = [
        {
            "video": "video_1.mp4",
            "duration": "03:28",
            "questions": [question, {**question, "correct_option": "D", "answer": "Dan"}],
        }
    ]
    found = items(written(tmp_path, "q.json", rows, ["video_1.mp4"]))
    assert [item.target for item in found] == ["B", "D"]
    assert found[1].option_texts() == ("Ann", "Bob", "Cid", "Dan") and files(found[1]) == [("video", "video_1.mp4")]
    question["answer"] = "Cid"  # the two columns contradict each other
    with pytest.raises(SpecError, match="could be the answer"):
        items(written(tmp_path, "q.json", rows))


def test_mmau_and_mmsu(tmp_path: Path) -> None:
    rows = [
        {
            "audio": "./test/a.wav",
            "question": "Which emotion?",
            "choices": "(A) Joy\n(B) Fear (mild)\n(C) Anger",
            "answer": "(B) Fear (mild)",
            "task": "speech",
            "difficulty": "hard",
        }
    ]
    (one,) = items(written(tmp_path, "mmau.tsv", rows, ["test/a.wav"]))
    assert one.option_texts() == ("Joy", "Fear (mild)", "Anger") and one.target == "B"
    rows = [
        {
            "id": "x_1",
            "task_name": "accent",
            "audio_path": "a.wav",
            "question": "Which accent?",
            "choice_a": "US",
            "choice_b": "UK",
            "choice_c": "India",
            "choice_d": "",
            "answer_gt": answer,
        }
        for answer in ("India",)
    ]
    (two,) = items(written(tmp_path, "mmsu.parquet", rows, ["a.wav"]))
    assert two.option_texts() == ("US", "UK", "India") and two.target == "C"


def test_video_holmes(tmp_path: Path) -> None:
    rows = [
        {
            "video ID": "v9",
            "Question ID": 4,
            "Question Type": "SR",
            "Question": "Who is lying?",
            "Options": {"B": "the nurse", "A": "the doctor", "C": "the boy"},
            "Answer": "B",
        }
    ]
    (one,) = items(written(tmp_path, "q.json", rows, ["videos/v9.mp4"]))
    assert one.option_texts() == ("the doctor", "the nurse", "the boy")
    assert (one.target, one.id, files(one)) == ("B", "own-q/4", [("video", "videos/v9.mp4")])


def test_av_odyssey_media_in_options(tmp_path: Path) -> None:
    rows = [
        {
            "question_id": "1_2",
            "question": "Which sound fits the picture?",
            "data_type": "image",
            "image_path": ["image/1.png"],
            "audio_path": ["audio/1.wav", "audio/2.wav"],
            "video_path": [],
            "options": ["<audio 1>", "<audio 2>"],
            "answer": "B",
        }
    ]
    (one,) = items(written(tmp_path, "q.jsonl", rows, ["image/1.png", "audio/1.wav", "audio/2.wav"]))
    assert files(one) == [("image", "image/1.png")]
    assert [option[0].path for option in one.options] == ["audio/1.wav", "audio/2.wav"]


def test_xmodbench_2026(tmp_path: Path) -> None:
    rows = [
        {
            "question": "Which picture fits?",
            "conditions": {"modality": "Audio", "input": "d/1.wav"},
            "options": {"A": {"modality": "Image", "input": "d/1.jpg"}, "B": {"modality": "Image", "input": "d/2.jpg"}},
            "correct_answer": "A",
        }
    ]
    (one,) = items(written(tmp_path, "q.json", rows, ["d/1.wav", "d/1.jpg", "d/2.jpg"]))
    assert files(one) == [("audio", "d/1.wav")] and one.target == "A"
    assert [(option[0].kind, option[0].path) for option in one.options] == [("image", "d/1.jpg"), ("image", "d/2.jpg")]


def test_omnigaia_list_of_inputs_and_cg_counting(tmp_path: Path) -> None:
    rows = [
        {
            "id": 1,
            "question": "Who?",
            "answer": "Ada Lovelace",
            "Level": "Easy",
            "omni_modal_input": [
                {"type": "image", "id": "i", "path": "i/1.png"},
                {"type": "audio", "id": "a", "path": "a/1.wav"},
            ],
        }
    ]
    (one,) = items(written(tmp_path, "q.json", rows, ["i/1.png", "a/1.wav"]))
    assert files(one) == [("image", "i/1.png"), ("audio", "a/1.wav")] and one.task == "own-q/text"
    rows = [{"video": "1.mp4", "question": "How many claps?", "answer": 7, "category": "event"}]
    (two,) = items(written(tmp_path, "n.jsonl", rows, ["1.mp4"]))
    assert (two.task, two.target) == ("own-n/number", "7")


def test_messages_and_placeholders(tmp_path: Path) -> None:
    content = [{"type": "text", "text": "What is said?"}, {"type": "input_audio", "input_audio": {"data": "a.wav"}}]
    rows: Rows = [{"messages": [{"role": "user", "content": content}, {"role": "assistant", "content": "hello"}]}]
    (one,) = items(written(tmp_path, "m.jsonl", rows, ["a.wav"]))
    assert files(one) == [("audio", "a.wav")] and one.target == "hello"
    rows = [
        {
            "question": "Is <audio 1> louder than <audio 2>?",
            "audio_1": "a.wav",
            "audio_2": "b.wav",
            "A": "yes",
            "B": "no",
            "answer": "A",
        }
    ]
    (two,) = items(written(tmp_path, "e.csv", rows, ["a.wav", "b.wav"]))
    assert [part.text or part.path for part in two.parts] == [
        "<audio 1>",
        "a.wav",
        "<audio 2>",
        "b.wav",
        "Is <audio 1> louder than <audio 2>?",
    ]


def test_several_answers(tmp_path: Path) -> None:
    rows = [{"question": "Which?", "options": ["x", "y", "z"], "answer": answer} for answer in ("A,C", "B", "AB")]
    found = items(written(tmp_path, "q.jsonl", rows))
    assert [item.target for item in found] == [("x", "z"), ("y",), ("x", "y")]
    assert {item.answer for item in found} == {"options"}


def test_indices_from_0_and_1(tmp_path: Path) -> None:
    def targets(*answers: int, **stated: str) -> list[Any]:
        rows = [{"question": "Which?", "options": ["x", "y", "z"], "answer": answer} for answer in answers]
        return [item.target for item in items(written(tmp_path, "q.jsonl", rows), **stated)]

    assert targets(0, 1, 2) == ["A", "B", "C"]
    assert targets(1, 2, 3) == ["A", "B", "C"]
    with pytest.raises(SpecError, match="answer_is=index0 or --map answer_is=index1"):
        targets(1, 2)
    assert targets(1, 2, answer_is="index1") == ["A", "B"]


def test_an_option_that_is_a_lone_letter_is_refused(tmp_path: Path) -> None:
    rows = [{"question": "Which blood group?", "options": ["O", "A", "B", "AB"], "answer": a} for a in ("O", "A")]
    with pytest.raises(SpecError, match="two ways") as error:
        items(written(tmp_path, "q.jsonl", rows))
    assert "A ('O')" in str(error.value) and "B ('A')" in str(error.value)
    assert [i.target for i in items(tmp_path / "q.jsonl", answer_is="text")] == ["A", "B"]


def test_two_questions_two_answers_two_media(tmp_path: Path) -> None:
    row = {"question": "Who?", "prompt": "Say who.", "options": ["x", "y"], "answer": "A", "gold": "B"}
    with pytest.raises(SpecError, match="2 columns could be the question"):
        items(written(tmp_path, "q.jsonl", [row]))
    with pytest.raises(SpecError, match="--map answer=answer or --map answer=gold"):
        items(tmp_path / "q.jsonl", question="prompt")
    (one,) = items(tmp_path / "q.jsonl", question="prompt", answer="gold")
    assert one.target == "B" and one.parts[-1].text == "Say who."
    row = {
        "question": "Who?",
        "choices": ["x", "y"],
        "answer": "A",
        "audio_path": "a.wav",
        "visual_path": "v.mp4",
        "audio_visual_path": "av.mp4",
    }
    with pytest.raises(SpecError, match="could be the media"):
        items(written(tmp_path, "s.jsonl", [row], ["a.wav", "v.mp4", "av.mp4"]))
    (two,) = items(tmp_path / "s.jsonl", media="audio_visual_path")
    assert files(two) == [("video", "av.mp4")]


def test_all_faults_at_once(tmp_path: Path) -> None:
    good = {"id": 1, "question": "Who?", "options": ["x", "y"], "answer": "A", "audio_path": "a.wav"}
    rows = [
        good,
        good,
        {**good, "id": 3, "answer": "E"},
        {**good, "id": 4, "audio_path": "gone.wav"},
        {**good, "id": 5, "question": " "},
        {**good, "id": 6, "options": ["x"]},
        {**good, "id": 7, "audio_path": "../a.wav"},
        {**good, "id": 8, "audio_path": "/etc/a.wav"},
        {**good, "id": 9, "audio_path": "link.wav"},
    ]
    data = tmp_path / "data"
    data.mkdir()
    file = written(data, "q.jsonl", rows, ["a.wav", "../a.wav", "../b.wav"])
    (data / "link.wav").symlink_to(tmp_path / "b.wav")
    file.write_text(file.read_text() + "{broken\n[1]\n")
    with pytest.raises(DataError, match="10 faults; nothing is asked") as error:
        items(file)
    told = str(error.value)
    for line, words in (
        (2, "also the id of line 1"),
        (3, "column answer: 'E' can't be read as the letter"),
        (4, "no file 'gone.wav'"),
        (5, "there is no question"),
        (6, "a single option"),
        (7, "leads out"),
        (8, "leads out"),
        (9, "leads out"),
        (10, "not valid JSON"),
        (11, "not an object"),
    ):
        assert any(f"line {line}" in one and words in one for one in told.splitlines()), (line, words, told)
    assert {p.kind for p in opened(file).check(data)} >= {"duplicate-id", "target-not-an-option", "missing-media"}


def test_addresses_and_embedded_files_are_refused(tmp_path: Path) -> None:
    row = {"question": "Who?", "options": ["x", "y"], "answer": "A"}
    with pytest.raises(SpecError, match="at an address"):
        items(written(tmp_path, "q.jsonl", [{**row, "video_url": "https://example.org/v.mp4"}]))
    with pytest.raises(
        DataError, match=r"column audio: the embedded file \(4 bytes\)"
    ):  # nothing says of which format the file is
        items(written(tmp_path, "q.parquet", [{**row, "audio": {"bytes": b"RIFF", "path": None}}]))
    with pytest.raises(DataError, match="CSV or JSONL"):
        items(written(tmp_path, "q.xls", [row]))


def test_letters_without_options_are_refused(tmp_path: Path) -> None:
    rows = [{"question": "A. x B. y", "answer": answer} for answer in "AB"]
    with pytest.raises(SpecError, match="no column has the options"):
        items(written(tmp_path, "q.jsonl", rows))


def test_the_hash_is_of_content_and_mapping(tmp_path: Path) -> None:
    rows = [{"question": "Who?", "options": ["x", "y", "z"], "answer": 1}]
    file = written(tmp_path, "q.jsonl", rows)
    one, two = (opened(file, answer_is=way).content_hash(tmp_path) for way in ("index0", "index1"))
    other = written(tmp_path, "renamed.jsonl", rows)
    assert one != two and opened(other, answer_is="index0").content_hash(tmp_path) == one
    changed = written(tmp_path, "q.jsonl", [{**rows[0], "question": "Which?"}])
    assert opened(changed, answer_is="index0").content_hash(tmp_path) != one


def test_a_names_of_a_run_never_opens_a_file(tmp_path: Path) -> None:
    from triptych.benchmarks import load_benchmark

    file = written(tmp_path, "q.jsonl", [{"question": "Who?", "answer": "x"}])
    with pytest.raises(SpecError):
        load_benchmark(str(file))
    assert addressed(str(file))[0].name == "own-q"
    with pytest.raises(DataError, match="not known"):
        list(load_benchmark("own-q").items(tmp_path))
