"""Tests of `training/examples.py`: training examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from tests.benchmarks.questions.test_xlsx import wav
from tests.training.conftest import Written
from triptych.errors import DataError, SpecError
from triptych.training.examples import choose_examples


def test_an_example_that_is_in_the_test_data_is_refused_or_left_out(written: Written) -> None:
    data = written(leak=3)
    with pytest.raises(DataError, match=r"3 of 24 examples are in the test data"):
        choose_examples("mcga/sqa", data=data)
    chosen = choose_examples("mcga/sqa", data=data, drop_leaks=True)
    assert len(chosen.examples) == 21 and chosen.leaking == 3 and chosen.tested == 8
    assert {one.item.parts[0].path for one in chosen.examples}.isdisjoint(f"audio/train-{n}.wav" for n in range(3))


def doubled(data: Path, *, ids: int) -> Path:
    """The same data in folders of which training comes first; some test questions have ids of training questions."""
    for split, folder in (("train", "a"), ("test", "b")):
        (data / folder / "audio").mkdir(parents=True)
        file = data / f"MCGA_sqa_{split}.jsonl"
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for row in rows:
            (data / row["audio"]).rename(data / folder / row["audio"])
        for row in rows[:ids] if split == "test" else ():
            taken = row["audio"].replace("test", "train")
            (data / folder / row["audio"]).unlink()
            (data / folder / taken).write_bytes((data / "a" / taken).read_bytes())
            row |= {"audio": taken, "id": row["id"].replace("test", "train")}
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        (data / folder / file.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        file.unlink()
    return data


def test_test_questions_whose_ids_training_questions_have_are_compared(written: Written) -> None:
    """Each id is asked once, so the reader drops them; they are test questions all the same."""
    data = doubled(written(), ids=8)
    with pytest.raises(DataError, match=r"8 of 24 examples are in the test data"):
        choose_examples("mcga/sqa", data=data)
    chosen = choose_examples("mcga/sqa", data=data, drop_leaks=True)
    assert (len(chosen.examples), chosen.leaking, chosen.tested, chosen.unread) == (16, 8, 8, 0)


def test_a_folder_of_test_data_is_compared_too(written: Written) -> None:
    train, test = written(test=1), written(train=0, name="other")
    assert choose_examples("mcga/sqa", data=train, test=test).tested == 1 + 8


def test_without_test_data_nothing_is_trained_on(written: Written) -> None:
    with pytest.raises(SpecError, match="leaks can't be excluded"):
        choose_examples("mcga/sqa", data=written(), split="")


def test_a_split_that_is_not_there_is_named_with_those_that_are(written: Written) -> None:
    with pytest.raises(SpecError, match="no example to train on") as error:
        choose_examples("mcga/sqa", data=written(), split="training")
    assert "other splits of the data: test, train" in str(error.value)


def test_the_mark_of_a_file_is_no_leak(tmp_path: Path) -> None:
    rows = [
        {
            "id": n,
            "split": "train" if n < 2 else "test",
            "audio": f"{n}.wav",
            "question": f"What is <audio> {n}?",
            "answer": "x",
        }
        for n in range(4)
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for n in range(4):
        (tmp_path / f"{n}.wav").write_bytes(wav(400 + 50 * n))
    chosen = choose_examples(str(tmp_path / "q.jsonl"), data=tmp_path)
    assert (len(chosen.examples), chosen.leaking) == (2, 0)
    assert not [one for one in triptych.audit_data(str(tmp_path / "q.jsonl")) if one.kind == "leak"]
