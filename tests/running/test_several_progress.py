"""Tests of `running/several_progress.py`: a line for each Run, one for all, and the time that is left."""

from __future__ import annotations

import pytest

from triptych.running.several_progress import Board
from triptych.running.tally import Tally


def test_the_board_counts_all_runs() -> None:
    board = Board(["a", "b", "c"], [10, 20, 5], [0, 0, 5], live=False)
    assert board.seconds_left is None
    row = board.run_progress(0)
    tally = Tally(planned=10)
    row.start("m", tally)
    tally.counts["answered"], tally.counts["failed"], tally.usd = 3, 1, 0.5
    tally.began -= 8.0  # four Requests in 8 seconds
    assert board.seconds_left == pytest.approx(6 * 2 + 20 * 2, abs=0.5), "the third Run was finished before"
    assert board.line(0).startswith("[1/3] a: 4/10, 1 failed, $0.5000, 12 s to go")
    assert board.sum_line().startswith("all: 9/35, 1 failed, $0.5000, 52 s to go")
    row.finish()
    board.note_end(0, "stopped")
    assert board.rows[0].remaining == 0 and board.seconds_left == pytest.approx(20 * 2, abs=0.5)


def test_a_live_board_shows_the_run_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    board = Board([f"run {n}" for n in range(30)], [7] * 30, [0] * 30, live=True)
    board.rows[20].state, board.rows[20].tally = "asking", Tally(planned=7)
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(board.grid(12))
    shown = console.export_text()
    assert "run 20" in shown and "run 1 " not in shown and "23 more Runs" in shown
