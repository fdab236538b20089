"""Tests of `running/progress.py`: progress display on standard error."""

from __future__ import annotations

import io

import pytest

from tests.running.test_prices import response, tally
from triptych.records import Response
from triptych.running.progress import Bar, Lines, Silence, choose_progress, clock, describe, thousands
from triptych.running.tally import Tally


def test_a_line_says_all_of_it() -> None:
    line = describe(tally())
    for words in ("14/100", "3 answered", "1 failed", "to go", "12.0k+31 tokens", "> $0.5000, price of 1 unknown"):
        assert words in line
    assert "price unknown" in describe(_only(response())) and "$0" in describe(_only(response(cost_usd=0.0)))


def _only(one: Response) -> Tally:
    told = Tally(planned=1)
    told.add(one)
    return told


def test_units_of_time_and_number() -> None:
    assert [clock(s) for s in (0, 59.4, 60, 185, 7200)] == ["0 s", "59 s", "1:00", "3:05", "2:00:00"]
    assert [thousands(n) for n in (0, 9999, 12_345, 4_500_000)] == ["0", "9999", "12.3k", "4.5M"]


def test_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    lines, told = Lines(), Tally(planned=2, already=1)
    lines.start("m/x", told)
    lines.refresh()
    lines.refresh()
    told.add(response())
    lines.finish()
    lines.finish()
    out, err = capsys.readouterr()
    assert (
        out == ""
        and err.count("\n") == 3
        and "asked 2, answered before 1" in err
        and "2/2, 1 answered, 1 before" in err
    )


def test_lines_that_nobody_reads_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, words: str) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", Gone())
    lines = Lines()
    lines.start("test/m", Tally(2))
    lines.refresh()
    lines.finish()


def test_the_bar_draws_on_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    chosen = choose_progress(True)
    assert isinstance(chosen, Bar)
    chosen.start("m/[x]", tally())
    chosen.refresh()
    chosen.finish()
    out, err = capsys.readouterr()
    assert out == "" and "14/100" in err and "3 answered" in err


def test_the_choice_of_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert isinstance(choose_progress(True), Lines) and isinstance(choose_progress(False), Silence)
    own = Silence()
    assert choose_progress(own) is own
