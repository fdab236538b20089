"""Long files of questions: rows and Items on disk between the passes, with the same results as in memory."""

from __future__ import annotations

import json
import tracemalloc
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pytest

from triptych.benchmarks import own_questions
from triptych.benchmarks._questions.benchmark import Loaded, QuestionFileBenchmark
from triptych.benchmarks._questions.rows import read_rows
from triptych.errors import DataError
from triptych.records import Item, text
from triptych.store import spooled
from triptych.store.spooled import Spooled


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of three records, of which two bytes stay in memory."""
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)


def loaded(path: Path) -> Loaded:
    bench = own_questions(str(path))
    assert isinstance(bench, QuestionFileBenchmark)
    return bench.loaded(path.parent)


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
def test_cells_of_a_table_keep_their_types(tmp_path: Path) -> None:
    day = [date(2026, 1, n % 28 + 1) for n in range(10)]
    prices = [Decimal(n) / 4 for n in range(10)]
    polars.DataFrame({"day": day, "price": prices, "large": [2**63 - 1] * 10}).write_parquet(tmp_path / "t.parquet")
    rows, _ = read_rows(tmp_path / "t.parquet")
    assert [(row.cells["day"], row.cells["price"]) for row in rows] == list(zip(day, prices, strict=True))
    assert {type(row.cells["large"]) for row in rows} == {int}


def test_a_long_file_gives_what_a_short_one_would(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [a_row(n, category=f"c{n % 3}") for n in range(30)]
    rows[7]["id"] = rows[22]["id"] = rows[2]["id"]  # the same id in several blocks
    rows[11]["answer"], rows[14]["C"], rows[19]["question"] = "Z", rows[14]["A"], ""
    path = written(tmp_path / "q.jsonl", rows)
    in_memory = loaded(path)
    monkeypatch.setattr(spooled, "BLOCK", 3)
    monkeypatch.setattr(spooled, "IN_MEMORY", 2)
    on_disk = loaded(path)
    assert list(on_disk.items) == list(in_memory.items) and len(on_disk.items) == 25
    assert on_disk.problems == in_memory.problems and on_disk.columns == in_memory.columns
    doubled = [problem for problem in on_disk.problems if problem.kind == "duplicate-id"]
    assert [problem.message for problem in doubled] == ["'q2' is also the id of line 3"] * 2
    with pytest.raises(DataError, match="5 faults"):
        QuestionFileBenchmark.require_sound(own_questions(str(path)), tmp_path)  # type: ignore[arg-type]


def test_memory_does_not_grow_with_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spooled, "BLOCK", 20)
    monkeypatch.setattr(spooled, "IN_MEMORY", 1000)
    path = written(tmp_path / "q.jsonl", [a_row(n, context="x" * 3000) for n in range(1000)])
    loaded(written(tmp_path / "first.jsonl", [a_row(0)]))  # what is imported and compiled once
    tracemalloc.start()
    kept = loaded(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(kept.items) == 1000
    assert peak < path.stat().st_size / 2, "the rows alone are as large as the file"


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


def test_a_line_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.benchmarks._questions.rows.MAX_DOCUMENT", 200)
    path = written(tmp_path / "q.jsonl", [a_row(0), a_row(1, context="x" * 300)])
    with pytest.raises(DataError, match="a line is too large") as error:
        loaded(path)
    assert "q.jsonl, line 2" in str(error.value)
