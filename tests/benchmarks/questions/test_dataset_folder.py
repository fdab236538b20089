"""Tests of `benchmarks/questions`: dataset folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items_released_columns import files, opened
from tests.benchmarks.questions.test_xlsx import embedded, folder_items, png, wav
from triptych.benchmarks import own_questions
from triptych.errors import DataError, SpecError


def test_imagefolder_by_labels(tmp_path: Path) -> None:
    for label in ("cat", "dog"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "1.png").write_bytes(png())
    one, two = folder_items(tmp_path, ask="Which animal is this?")
    assert (one.option_texts(), one.target, two.target) == (("cat", "dog"), "A", "B")
    assert files(two) == [("image", "dog/1.png")]
    assert own_questions(str(tmp_path), {"ask": "x"}) is not None


def test_shards_configurations_and_splits(tmp_path: Path) -> None:
    row = {"question": "Who?", "options": ["x", "y"], "answer": "A"}
    for n in range(2):
        embedded(tmp_path / f"en/data/test-0000{n}-of-00002.parquet", [{**row, "id": f"t{n}"}])
    embedded(tmp_path / "en/data/train-00000-of-00001.parquet", [{**row, "id": "r"}])
    assert [item.id.partition("/")[2] for item in folder_items(tmp_path)] == ["t0", "t1"]
    bench = own_questions(str(tmp_path), {})
    assert bench is not None and any("test (also there: train" in line for line in bench.mapping_lines(tmp_path))
    embedded(tmp_path / "de/data/test-00000-of-00001.parquet", [{**row, "id": "d"}])
    with pytest.raises(SpecError, match="--map config=de or --map config=en"):
        folder_items(tmp_path)
    assert [item.id for item in folder_items(tmp_path, config="de")] == [f"{own_name(tmp_path)}/d"]
    (tmp_path / "de/other.jsonl").write_text(json.dumps({**row, "id": "o"}))
    with pytest.raises(SpecError, match="several files"):
        folder_items(tmp_path)
    assert [item.id.partition("/")[2] for item in folder_items(tmp_path, file="other.jsonl")] == ["o"]


def own_name(folder: Path) -> str:
    bench = own_questions(str(folder), {"config": "de"})
    assert bench is not None
    return bench.name


def test_a_folder_without_questions_says_what_is_expected(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(DataError, match=r"benchmark\.toml, a table"):
        folder_items(tmp_path)
    with pytest.raises(SpecError, match="not a data set of the Hub"):
        own_questions("hf/only-one")


def test_a_folder_of_labels_with_one_split(tmp_path: Path) -> None:
    for label in ("dog", "cat"):
        (tmp_path / "sounds" / "train" / label).mkdir(parents=True)
        (tmp_path / "sounds" / "train" / label / "0.wav").write_bytes(wav())
    bench = opened(tmp_path / "sounds", ask="Which?")
    assert sorted(item.target for item in bench.items(tmp_path / "sounds")) == ["A", "B"]  # type: ignore[type-var]
