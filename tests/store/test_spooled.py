"""Groups of records on disk, of which one is in memory at a time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import own_questions
from triptych.benchmarks._questions.benchmark import Loaded, QuestionFileBenchmark
from triptych.errors import DataError
from triptych.records import Item, text
from triptych.store import spooled
from triptych.store.spooled import Spooled, SpooledGroups


def test_each_group_has_its_records_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)
    words = ["fig", "apple", "banana", "avocado", "blueberry", "cherry", "apricot", "acorn", "beet", "almond"]
    groups = SpooledGroups(iter(words), lambda word: word[0])
    assert list(groups) == ["f", "a", "b", "c"]
    assert groups.sizes == {"f": 1, "a": 5, "b": 3, "c": 1}
    assert groups["a"] == ["apple", "avocado", "apricot", "acorn", "almond"]
    assert groups["b"] == groups["b"] == ["banana", "blueberry", "beet"]
    assert sum(map(len, groups.values())) == len(words)


def test_a_group_that_does_not_exist_is_a_key_error() -> None:
    groups = SpooledGroups(iter(["fig"]), lambda word: word[0])
    assert "z" not in groups
    with pytest.raises(KeyError):
        groups["z"]


def loaded(path: Path) -> Loaded:
    bench = own_questions(str(path))
    assert isinstance(bench, QuestionFileBenchmark)
    return bench.load_questions(path.parent)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def a_row(number: int, **more: Any) -> dict[str, Any]:
    options = {"A": f"a dog {number}", "B": f"a cat {number}", "C": "a bird"}
    return {"id": f"q{number}", "question": f"What is heard in part {number}?", **options, "answer": "B", **more}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 6, 7, 100])
def test_a_sequence_is_read_again_and_by_index(count: int) -> None:
    records = [Item(f"i{n}", "t", (text(f"面 {n}"),), target=("a", "b"), facets={"n": str(n)}) for n in range(count)]
    kept = Spooled(iter(records))
    assert len(kept) == count and bool(kept) == bool(count)
    assert list(kept) == records == list(kept)
    assert [kept[n] for n in reversed(range(count))] == records[::-1]
    assert kept[2:5] == records[2:5] and kept[-1:] == records[-1:]
    for outside in (count, -count - 1):
        with pytest.raises(IndexError):
            kept[outside]


@pytest.mark.usefixtures("small_blocks")
def test_two_passes_at_the_same_time_do_not_disturb_each_other() -> None:
    kept = Spooled(range(20))
    assert [(one, other) for one in kept for other in kept] == [(n, m) for n in range(20) for m in range(20)]


@pytest.mark.usefixtures("small_blocks")
def test_another_thread_that_reads_meanwhile_changes_nothing() -> None:
    class Disturbed(Spooled[int]):
        """Whatever block was read last, another thread has read the first one since."""

        @property
        def _latest(self) -> tuple[int, list[int]]:
            return 0, self._first

        @_latest.setter
        def _latest(self, value: tuple[int, list[int]]) -> None:
            pass

    kept = Disturbed(range(20))
    assert [kept[n] for n in range(20)] == list(range(20))


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("buffered", [False, True])
def test_a_full_disk_is_named(buffered: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, data: bytes) -> None:
            if not buffered:
                raise OSError(28, "No space left on device")

        def flush(self) -> None:
            raise OSError(28, "No space left on device")

        def tell(self) -> int:
            return 1

        def close(self) -> None:
            pass

    monkeypatch.setattr(spooled.tempfile, "SpooledTemporaryFile", lambda **_: Full())
    with pytest.raises(DataError, match="No space left on device") as error:
        Spooled(range(10))
    assert "TMPDIR" in str(error.value.fix)
