"""Tests of `api/questions.py`: a folder of a benchmark from a file of questions, whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import api
from triptych.benchmarks import known_sets, own_questions
from triptych.errors import DataError, SpecError, TriptychError

ROWS = """id,question,audio,A,B,answer
a,"听到了什么？",声音/一.wav,鸟,雨,A
b,"¿Qué se oye, «esto»?",声音/二.wav,tren,mar,B
"""


def sound(name: str) -> bytes:
    """The head of a WAV file, and something by which it is known."""
    return b"RIFF\0\0\0\0WAVE" + name.encode()


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    (tmp_path / "from" / "声音").mkdir(parents=True)
    for name in ("一", "二"):
        (tmp_path / "from" / "声音" / f"{name}.wav").write_bytes(sound(name))
    (tmp_path / "from" / "q.csv").write_text(ROWS, encoding="utf-8")
    return tmp_path / "from" / "q.csv"


def test_the_folder_has_questions_and_media_and_stands_alone(questions: Path, tmp_path: Path) -> None:
    folder = api.new_benchmark("mine", questions, to=tmp_path / "to")
    assert folder == tmp_path / "to" / "mine" and (folder / "README.md").is_file()
    for path in sorted(questions.parent.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    bench = own_questions(str(folder))
    assert bench is not None
    items = list(bench.items(folder, bench.spec.select([""])))
    assert [(item.id.rpartition("/")[2], item.target, item.option_texts()) for item in items] == [
        ("a", "A", ("鸟", "雨")),
        ("b", "B", ("tren", "mar")),
    ]
    media = [part.path for item in items for part in item.parts if part.is_media]
    assert [(folder / path).read_bytes() for path in media] == [sound(name) for name in ("一", "二")]


@pytest.mark.parametrize("name", ["cmdar", known_sets()[0]["name"]])
def test_a_name_that_a_benchmark_or_a_known_set_has_is_refused(name: str, questions: Path, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="a benchmark has this name already") as error:
        api.new_benchmark(name, questions, to=tmp_path / "to")
    assert name in str(error.value) and not (tmp_path / "to").exists()


def test_what_is_no_file_of_questions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    for source in (tmp_path / "notes.txt", "cmdar", api.load_benchmark("cmdar"), tmp_path / "none.csv"):
        with pytest.raises(TriptychError) as error:
            api.new_benchmark("mine", source, to=tmp_path / "to")
        assert isinstance(error.value, SpecError | DataError) and not (tmp_path / "to").exists()


def test_a_folder_that_exists_is_left_as_it_is(questions: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("of a person", encoding="utf-8")
    with pytest.raises(TriptychError, match="mine"):
        api.new_benchmark("mine", questions, to=tmp_path)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_nothing_is_left_half_written_where_a_medium_is_missing(questions: Path, tmp_path: Path) -> None:
    (questions.parent / "声音" / "二.wav").unlink()
    with pytest.raises(TriptychError) as error:
        api.new_benchmark("mine", questions, to=tmp_path / "to")
    assert "二.wav" in str(error.value)
    assert not (tmp_path / "to").exists() or not list((tmp_path / "to").iterdir())


def test_media_may_be_in_another_folder(questions: Path, tmp_path: Path) -> None:
    (questions.parent / "声音").rename(tmp_path / "声音")
    folder = api.new_benchmark("mine", questions, data=str(tmp_path), to=tmp_path / "to")
    assert len(list(folder.rglob("*.wav"))) == 2


def test_the_folder_is_named_by_a_text_and_a_file_in_its_place_is_refused(questions: Path, tmp_path: Path) -> None:
    assert api.new_benchmark("one", questions, to=str(tmp_path / "to")) == tmp_path / "to" / "one"
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SpecError, match="can't be made"):
            api.new_benchmark("two", questions, to=place)
