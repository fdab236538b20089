"""`benchmark.toml` of a folder of questions: written, read back, refused if it is damaged or names a file elsewhere."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from triptych.benchmarks._questions.folder_file import FILE, FolderFile, benchmark_toml, read_folder
from triptych.benchmarks._questions.mapping import Columns
from triptych.errors import SpecError


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    about = FolderFile(
        name="klang",
        questions="fragen.csv",
        title='Was "klingt" \\ hier?\n第二行',
        version="1",
        licence="CC BY 4.0",
        authors="Ä. Öß",
        year=2026,
        url="https://example.org/?a=1#b",
    )
    columns = Columns(id="nr", question="Frage", options=("A", "B, oder C"), answer="Lösung", answer_is="letter")
    (tmp_path / FILE).write_text(benchmark_toml(about, columns), encoding="utf-8")
    found = read_folder(tmp_path / FILE)
    assert found == FolderFile(
        **{name: getattr(about, name) for name in FolderFile.__struct_fields__ if name != "map"}, map=found.map
    )
    assert found.map == {
        "id": "nr",
        "question": "Frage",
        "options": ["A", "B, oder C"],
        "answer": "Lösung",
        "answer_is": "letter",
    }


def test_empty_slots_are_written_for_what_only_a_person_knows(tmp_path: Path) -> None:
    text = benchmark_toml(FolderFile(name="x", questions="q.csv"), Columns())
    assert [line for line in text.partition("[map]")[0].splitlines() if line.endswith('= ""')] == [
        f'{key} = ""' for key in ("title", "version", "licence", "citation", "authors", "url")
    ]
    assert tomllib.loads(text)["year"] == 0 and tomllib.loads(text)["map"] == {"id": ""}


def test_the_mapping_is_as_on_the_command_line() -> None:
    about = FolderFile(map={"options": ["A", "B"], "answer": "key", "ask": 3})
    stated = about.stated_mapping()
    assert stated["answer"] == "key" and stated["ask"] == "3"
    assert stated["options"].startswith("A") and stated["options"].endswith("B") and len(stated["options"]) > 2
    assert FolderFile().stated_mapping() == {}


def test_a_folder_without_the_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="the folder contains no benchmark") as refused:
        read_folder(tmp_path / FILE)
    error = refused.value
    assert (error.where, error.expected) == (str(tmp_path), FILE) and "triptych new NAME --from" in str(error.fix)


@pytest.mark.parametrize(
    ("content", "got"),
    [
        (b"name = ", "value"),
        (b'nmae = "x"', "nmae"),
        (b"name = 3", "name"),
        (b'year = "2026"', "year"),
        (b"map = []", "map"),
        (b'name = "\xff\xfe"', "utf-8"),
        (b"a = " + b"[" * 100_000, ""),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(tmp_path: Path, content: bytes, got: str) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(SpecError, match=r"benchmark\.toml can't be read") as refused:
        read_folder(tmp_path / FILE)
    assert refused.value.where == str(tmp_path / FILE) and got in str(refused.value.got).lower()


@pytest.mark.parametrize("name", ["", "../q.csv", "/etc/passwd", "a/../../q.csv", "benchmark.toml", "link.csv"])
def test_questions_outside_the_folder_are_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    (tmp_path / "q.csv").write_text("question,answer\n", encoding="utf-8")
    (folder / "link.csv").symlink_to(tmp_path / "q.csv")
    (folder / FILE).write_text(f'questions = "{name}"\n', encoding="utf-8")
    with pytest.raises(SpecError, match="`questions` does not name a file inside the folder") as refused:
        read_folder(folder / FILE)
    assert refused.value.got == (name or "nothing")


def test_questions_in_a_subfolder_are_inside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('questions = "data/./q.jsonl"\n', encoding="utf-8")
    assert read_folder(tmp_path / FILE).questions == "data/./q.jsonl"
