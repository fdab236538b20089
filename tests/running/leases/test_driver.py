"""The driver of leases, with workers in this process: lost ones, zombies, Requests that end their worker, stops."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import MANIFEST, Told, requests
from tests.support.teams import LocalTeam
from triptych.errors import ProviderError, SpecError
from triptych.models.adapter import Reply
from triptych.records import Request, Response
from triptych.running.leases import driver
from triptych.running.leases.driver import execute_leased
from triptych.running.leases.files import FOLDER
from triptych.running.loop import RunOptions, RunOutcome
from triptych.running.progress import Lines
from triptych.store.folder import RunFolder


def carry(
    path: Path, team: LocalTeam, plan: Iterable[Request], patience_s: float | None = None, **options: Any
) -> tuple[RunFolder, RunOutcome]:
    folder = RunFolder.create(path, MANIFEST)
    wanted = RunOptions(**{"retries": 0, **options})
    return folder, asyncio.run(execute_leased(plan, Told(), folder, team, wanted, patience_s))


def lines(folder: RunFolder) -> Counter[str]:
    return Counter(response.item for response in folder.history())


def test_every_request_is_answered_once_and_nothing_is_left_on_disk(tmp_path: Path) -> None:
    team = LocalTeam(3, lambda n: Told(latency=0.001))
    folder, outcome = carry(tmp_path, team, requests(200), planned=200)
    assert outcome.counts == {"answered": 200} and not outcome.stopped
    assert set(lines(folder).values()) == {1} and len(list(folder.items())) == 200
    assert not (tmp_path / FOLDER).exists()
    assert sum(len(m.worker._adapter.asked) for m in team.members) == 200  # type: ignore[attr-defined]
    assert all(m.worker._adapter.closed for m in team.members)  # type: ignore[attr-defined]


def test_a_run_without_a_ready_worker_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Slow(Told):
        async def open(self) -> None:
            await asyncio.sleep(0.2)

    monkeypatch.setattr(driver, "ALONE_S", 0.01)
    carry(tmp_path / "a", LocalTeam(1, lambda n: Slow()), requests(2))
    assert "no worker is ready after 0.01 s: they are being started" in capsys.readouterr().err
    monkeypatch.setattr(driver, "ALONE_S", 30.0)
    carry(tmp_path / "b", LocalTeam(1, lambda n: Slow()), requests(2))
    assert "no worker" not in capsys.readouterr().err


def test_a_finished_run_starts_no_worker(tmp_path: Path) -> None:
    carry(tmp_path, LocalTeam(1, lambda n: Told()), requests(5))
    team = LocalTeam(1, lambda n: Told())
    _, outcome = carry(tmp_path, team, requests(5))
    assert team.members == [] and outcome.counts == {} and outcome.already == 5


def test_what_was_answered_before_is_counted_without_refusals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    with folder.writer() as writer:
        writer.add_response(Response("00000", "", 0, "answered", "A"))
        writer.add_response(Response("00001", "", 0, "refused", "No."))
    carry(tmp_path, LocalTeam(1, lambda n: Told()), requests(3), planned=3, progress=Lines())
    assert "answered before 1, refused, truncated or skipped before 1" in capsys.readouterr().err


@pytest.mark.parametrize("zombies", [False, True])
def test_killed_workers_are_replaced_and_zombies_write_nothing(tmp_path: Path, zombies: bool) -> None:
    """Every worker is killed after some replies; a zombie goes on asking until it sees the fence."""
    team: LocalTeam

    def make(number: int) -> Told:
        told = Told(latency=0.002)

        def answer(asked: Request, times: int) -> Reply:
            if len(told.asked) >= 15 and number < 6:
                asyncio.get_running_loop().call_soon(team.members[number].kill)
            return Reply(f"{number}")

        told.answer = answer
        return told

    team = LocalTeam(2, make, zombies=zombies)
    folder, outcome = carry(tmp_path, team, requests(150), planned=150)
    assert outcome.counts == {"answered": 150} and len(team.members) >= 8
    assert lines(folder) == Counter({f"{n:05}": 1 for n in range(150)})
    asked = sum(len(member.worker._adapter.asked) for member in team.members)  # type: ignore[attr-defined]
    assert asked - 150 <= 6 * team.width, "asked again at most what was in flight"


def test_a_request_that_ends_its_worker_is_found_and_the_others_are_answered(tmp_path: Path) -> None:
    team: LocalTeam

    def make(number: int) -> Told:
        def answer(asked: Request, times: int) -> Reply:
            if asked.id == "00007":
                team.members[number].kill()
                raise asyncio.CancelledError
            return Reply("A")

        return Told(answer, latency=0.001)

    team = LocalTeam(2, make, concurrency=8)
    folder, outcome = carry(tmp_path, team, requests(40), planned=40)
    assert outcome.counts == {"answered": 39, "failed": 1} and not outcome.stopped
    (failed,) = [response for response in folder.responses() if response.status == "failed"]
    assert failed.item == "00007" and failed.error and failed.error.kind == "worker"
    again = LocalTeam(1, lambda n: Told())
    assert carry(tmp_path, again, requests(40))[1].counts == {"answered": 1}, "and asked again on resume"


def test_workers_that_never_answer_end_the_run(tmp_path: Path) -> None:
    team: LocalTeam

    class Dying(Told):
        async def open(self) -> None:
            team.members[-1].kill()
            await asyncio.sleep(1)

    team = LocalTeam(1, lambda n: Dying())
    _, outcome = carry(tmp_path, team, requests(40))
    assert outcome.fatal and "11 workers were lost" in (outcome.stopped or "")


def test_a_model_that_cannot_be_opened_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    class Missing(Told):
        async def open(self) -> None:
            raise SpecError("the weights are not there", fix="fetch them")

    _, outcome = carry(tmp_path, LocalTeam(2, lambda n: Missing()), requests(40))
    assert outcome.fatal and "the weights are not there" in (outcome.stopped or "")


def test_a_fatal_error_ends_the_run(tmp_path: Path) -> None:
    def answer(asked: Request, times: int) -> Reply:
        if asked.id == "00003":
            raise ProviderError("the licence has expired", kind="auth", fatal=True)
        return Reply("A")

    _, outcome = carry(tmp_path, LocalTeam(2, lambda n: Told(answer, 0.001)), requests(400))
    assert outcome.fatal and outcome.stopped == "the licence has expired"
    assert not (tmp_path / FOLDER).exists()


def test_a_silent_worker_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "POLL_S", 0.01)

    def make(number: int) -> Told:
        return Told(latency=3600 if number == 0 else 0)

    folder, outcome = carry(tmp_path, LocalTeam(1, make), requests(30), patience_s=0.05)
    assert outcome.counts == {"answered": 30} and set(lines(folder).values()) == {1}
