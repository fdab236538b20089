"""Examples for trainers: media and tags agree, nothing of the test data is among them, folders are whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.training.conftest import Written
from triptych.errors import SpecError
from triptych.training.examples import choose_examples
from triptych.training.export import FORMATS, TAGS, export, harmless

ADDED = ("audios", "images", "videos")


@pytest.mark.parametrize("format_", FORMATS)
def test_every_tag_has_its_file_and_every_file_its_tag(format_: str, written: Written, tmp_path: Path) -> None:
    chosen = choose_examples("mcga/sqa", data=written())
    files = export(chosen, format_, tmp_path / "out", "mcga_train")
    lines = [json.loads(line) for line in files[0].read_text("utf-8").splitlines()]
    assert len(lines) == len(chosen.examples) == 24
    for line, example in zip(lines, chosen.examples, strict=True):
        *turns, answer = line["messages"]
        assert answer["role"] == "assistant"
        if format_ == "messages":
            assert answer["content"][0]["text"] == example.answer
            media = [block["path"] for turn in turns for block in turn["content"] if block["type"] == "audio"]
        else:
            assert answer["content"] == example.answer
            media = [path for kind in ADDED for path in line.get(kind, [])]
            assert sum(turn["content"].count(tag) for turn in turns for tag in TAGS.values()) == len(media) == 1
            assert "只写答案" in turns[-1]["content"], "the Task's instructions are asked as in a Run"
        assert all((tmp_path / "out" / path).is_file() and not path.startswith("/") for path in media)
    readme = (tmp_path / "out" / "README.md").read_text("utf-8")
    assert "Licence" in readme and "8 questions of the test data" in readme


def test_llama_factory_finds_the_columns_by_their_names(written: Written, tmp_path: Path) -> None:
    export(choose_examples("mcga/sqa", data=written()), "llama-factory", tmp_path / "out", "mcga_train")
    info = json.loads((tmp_path / "out" / "dataset_info.json").read_text("utf-8"))["mcga_train"]
    lines = [json.loads(line) for line in (tmp_path / "out" / info["file_name"]).read_text("utf-8").splitlines()]
    line = lines[0]
    assert set(info["columns"].values()) == {name for one in lines for name in one} == {"messages", "audios"}, (
        "LLaMA-Factory looks up every column that it is given in every line"
    )
    assert set(line["messages"][0]) == {info["tags"]["role_tag"], info["tags"]["content_tag"]}


def test_rows_that_cannot_be_compared_are_counted(written: Written, tmp_path: Path) -> None:
    data = written()
    file = data / "MCGA_sqa_test.jsonl"
    broken = json.loads(file.read_text("utf-8").splitlines()[0]) | {"sqa_a": "", "id": "x", "audio": "audio/x.wav"}
    with file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(broken) + "\n{\n")
    chosen = choose_examples("mcga/sqa", data=data)
    assert (chosen.tested, chosen.unread) == (8, 2)
    export(chosen, "messages", tmp_path / "out", "x")
    assert "2 rows of the data can't be read and were not compared" in (tmp_path / "out/README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("format_", "says"),
    [
        ("ms-swift", "swift sft --model MODEL"),
        ("llama-factory", "llamafactory-cli train train.yaml"),
        ("messages", "apply_chat_template"),
    ],
)
def test_the_readme_says_how_to_train(format_: str, says: str, written: Written, tmp_path: Path) -> None:
    export(choose_examples("mcga/sqa", data=written()), format_, tmp_path / "out", "x")
    assert says in (tmp_path / "out" / "README.md").read_text("utf-8")


def test_a_tag_in_a_question_does_not_stand_for_a_file() -> None:
    assert not any(tag in harmless("<audio> <image><video>") for tag in TAGS.values())


def test_a_folder_with_files_is_not_written_to(written: Written, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("", encoding="utf-8")
    with pytest.raises(SpecError, match="is not empty"):
        export(choose_examples("mcga/sqa", data=written()), "ms-swift", tmp_path / "out", "x")
