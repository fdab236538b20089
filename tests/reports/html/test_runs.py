"""Tests of `reports/html/runs.py`: the Runs of a report, with outcomes, cost and the command that repeats them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, make_spec, response
from triptych.records import Response
from triptych.reports.html.runs import RunDescription, runs_with_folder
from triptych.reports.report import collect


def described(make_run: MakeRun, replies: list[Response], name: str = "run", **more: Any) -> RunDescription:
    """A Run of a question for each reply, and one question without a reply if `asked` says so."""
    asked = more.pop("asked", len(replies))
    (report,) = collect([make_run([item(str(n)) for n in range(asked)], replies, name, **more)])
    (one,) = runs_with_folder(report)
    return one


def test_units_are_counted_by_their_outcome(make_run: MakeRun) -> None:
    statuses = ("answered", "answered", "answered", "refused", "failed", "truncated")
    one = described(make_run, [response(str(n), "A", status) for n, status in enumerate(statuses)], asked=8)  # type: ignore[arg-type]
    assert one.counts == {"answered": 3, "refused": 1, "failed": 1, "truncated": 1, "missing": 2}
    assert one.units == one.requests == 8
    assert one.manifest.model == "replay/x" and one.signatures["standard"].startswith("bench:toy@1|")


def test_the_bars_lie_next_to_each_other_and_fill_the_width(make_run: MakeRun) -> None:
    one = described(make_run, [response("0"), response("1"), response("2", "", "failed")], asked=8)
    assert [(status, n, length) for status, n, _, length in one.bars] == [
        ("answered", 2, 25.0),
        ("failed", 1, 12.5),
        ("missing", 5, 62.5),
    ]
    end = 0.0
    for _, _, start, length in one.bars:
        assert start == pytest.approx(end)
        end = start + length
    assert end == pytest.approx(100)


def test_a_run_without_a_unit_has_no_bars(make_run: MakeRun) -> None:
    one = described(make_run, [])
    assert (one.bars, one.units, one.requests) == ([], 0, 0)


def test_each_repeat_is_a_request(make_run: MakeRun) -> None:
    replies = [response(str(n), repeat=repeat) for n in range(3) for repeat in range(4)]
    one = described(make_run, replies, asked=3, repeats=4)
    assert one.requests == 12 and one.cost.responses == 12


def test_the_units_in_the_data_are_those_of_the_tasks_unless_a_part_was_chosen(make_run: MakeRun) -> None:
    tasks = tuple(structs.replace(task, count=500) for task in make_spec().tasks)
    spec = structs.replace(make_spec(), tasks=tasks)

    def in_data(**more: Any) -> int:
        one = described(make_run, [response("0")], name=repr(more), **more)
        return RunDescription(one.label, one.folder, spec, one.counts, (), {}).in_data

    assert in_data(data="mini") == 1, "the whole mini set"
    assert in_data(data="mini", limit=1) == 0, "a part of a mini set, whose size the manifest doesn't state"
    assert in_data(data="/data/toy") == in_data(data="/data/toy", limit=1) == 1000
    assert in_data(data="/data/toy", tasks=("a",)) == 500
    assert in_data(data="/data/toy", planned=70) == 70, "a Run that was interrupted knows what it was to ask"


def test_the_command_asks_the_same_again(make_run: MakeRun) -> None:
    one = described(make_run, [response("0")], name="mein Lauf", limit=3, data="/d/诗 经", repeats=2, tasks=("a",))
    words = one.command
    for part in ("triptych run toy a --model replay/x", "--data '/d/诗 经'", "--limit 3", "--repeats 2", "mein Lauf'"):
        assert part in words, part


def test_runs_stay_in_the_reports_order(make_run: MakeRun) -> None:
    folders = [make_run([item("0")], [response("0")], name, model=f"replay/{name}") for name in ("z", "甲", "a")]
    (report,) = collect(folders)
    assert [one.folder.path.name for one in runs_with_folder(report)] == ["z", "甲", "a"]
