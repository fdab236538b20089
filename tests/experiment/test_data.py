"""The data folder of a Run and its hash: another version of the questions is another Run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.errors import DataError
from triptych.experiment.data import data_folder, data_hash, hash_lines, released_as

CMDAR = load_benchmark("cmdar")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for path in CMDAR.source_files(CMDAR.mini):
        shutil.copyfile(path, folder / path.name)
    return folder


def test_the_mini_set_is_the_data_if_none_is_given(copy: Path) -> None:
    assert data_folder(CMDAR, None) == data_folder(CMDAR, "mini") == (CMDAR.mini, "mini")
    assert data_folder(CMDAR, str(copy)) == data_folder(CMDAR, copy) == (copy, str(copy))


def test_a_folder_that_is_not_there_says_how_to_get_the_data(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the data folder does not exist") as refused:
        data_folder(CMDAR, tmp_path / "nowhere")
    assert refused.value.where == str(tmp_path / "nowhere") and "`triptych fetch cmdar`" in str(refused.value.fix)
    (tmp_path / "q.json").write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match="this is a file, not a data folder") as refused:
        data_folder(CMDAR, tmp_path / "q.json")
    assert refused.value.fix == "give the folder that contains it"


def test_the_hash_is_of_the_content_wherever_the_folder_is(copy: Path) -> None:
    assert data_hash(CMDAR, copy) == data_hash(CMDAR, CMDAR.mini)
    (copy / "notes.txt").write_text("not a question file", encoding="utf-8")
    assert data_hash(CMDAR, copy) == data_hash(CMDAR, CMDAR.mini)
    moved = shutil.move(copy, copy.with_name("elsewhere"))
    assert data_hash(CMDAR, Path(moved)) == data_hash(CMDAR, CMDAR.mini)


def test_a_changed_or_a_missing_question_file_is_other_data(copy: Path) -> None:
    before = data_hash(CMDAR, copy)
    first, *others = CMDAR.source_files(copy)
    content = first.read_bytes()
    first.write_bytes(content + b"\n")
    changed = data_hash(CMDAR, copy)
    first.unlink()
    assert others and len({before, changed, data_hash(CMDAR, copy)}) == 3
    first.write_bytes(content)
    assert data_hash(CMDAR, copy) == before


def test_a_folder_without_question_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no question files of cmdar found") as refused:
        data_hash(CMDAR, tmp_path)
    assert f"`triptych check cmdar --data {tmp_path}`" in str(refused.value.fix)


def test_data_that_nobody_fetched_is_no_release(copy: Path) -> None:
    assert released_as(CMDAR, copy) == "" and released_as(CMDAR, CMDAR.mini) == ""


def test_lines_have_one_hash_in_any_order() -> None:
    assert hash_lines(["b", "诗"]) == hash_lines(iter(["诗", "b"])) != hash_lines(["b"])
    assert len(hash_lines([])) == 16 and int(hash_lines([]), 16) >= 0
    assert hash_lines(["a", "a"]) != hash_lines(["a"])
