"""Tests of `running/leases/team.py`: what a driver may wait for, and what it says."""

from __future__ import annotations

import asyncio

import pytest

from triptych.running.leases.team import WorkerLost, say, wait_briefly


def test_a_worker_that_is_gone_does_not_disturb_the_driver() -> None:
    async def lost() -> None:
        raise WorkerLost("killed")

    asyncio.run(wait_briefly(lost(), 5.0))
    with pytest.raises(WorkerLost, match="killed"):
        asyncio.run(lost())


def test_a_worker_that_does_not_answer_is_waited_for_until_the_limit() -> None:
    ended: list[str] = []

    async def hangs() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    asyncio.run(wait_briefly(hangs(), 0.01))
    assert ended == ["cancelled"], "nothing goes on in the background"


def test_what_a_worker_does_in_time_is_done() -> None:
    done: list[int] = []

    async def works() -> None:
        await asyncio.sleep(0)
        done.append(1)

    asyncio.run(wait_briefly(works(), 60.0))
    assert done == [1]


def test_another_error_is_not_hidden() -> None:
    async def breaks() -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        asyncio.run(wait_briefly(breaks(), 60.0))


def test_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("等待 2 个 worker")
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "等待 2 个 worker\n")
