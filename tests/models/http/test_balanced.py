"""Several endpoints of one model share the Requests; one that is down is left out, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import triptych.api
from tests.support.mock_process import MockProcess
from triptych.benchmarks import load_benchmark
from triptych.errors import RunFolderError, SpecError
from triptych.experiment.run_commands import run_command
from triptych.media.payload import MediaReader
from triptych.models.http.balanced import addresses_of
from triptych.models.registry import load_adapter
from triptych.records import Message, Request, text
from triptych.running.loop import RunOptions, RunOutcome, execute, run_sync
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

DOWN = "http://127.0.0.1:9/v1"


@pytest.fixture
def mocks() -> Iterator[list[MockProcess]]:
    with ExitStack() as stack:
        yield [stack.enter_context(MockProcess(latency=0.01)) for _ in range(2)]


def asked(tmp_path: Path, urls: str, number: int, **options: object) -> tuple[RunOutcome, list[str]]:
    adapter = load_adapter("openai/mock", {"base_url": urls})
    requests = [Request(f"q{n}", (Message("user", (text(f"Question {n}?"),)),), {}) for n in range(number)]
    journal = ReplyJournal(tmp_path, "replies")
    told = RunOptions(**{"progress": False, "concurrency": 8, "retries": 2, **options})  # type: ignore[arg-type]
    outcome = run_sync(execute(requests, adapter, journal, MediaReader(tmp_path), told))
    return outcome, [one.status for one in journal.latest_replies().values()]


def test_endpoints_share_the_requests(tmp_path: Path, mocks: list[MockProcess]) -> None:
    _, statuses = asked(tmp_path, " ".join(mock.base_url for mock in mocks), 60)
    assert statuses == ["answered"] * 60
    received = [mock.stats()["received"] for mock in mocks]
    assert sum(received) >= 60 and min(received) >= 4, "half of the eight that are asked at once"


def test_an_endpoint_that_is_down_is_left_out_and_reported(
    tmp_path: Path, mocks: list[MockProcess], capfd: pytest.CaptureFixture[str]
) -> None:
    _, statuses = asked(tmp_path, f"{DOWN} {mocks[0].base_url}", 40, retries=0)
    assert statuses == ["answered"] * 40
    assert capfd.readouterr().err.count(f"{DOWN} is down, and the other endpoints take its Requests") == 1


def test_an_endpoint_that_dies_on_the_way_loses_nothing(tmp_path: Path, mocks: list[MockProcess]) -> None:
    first, second = mocks
    first.configure(latency=0.2)
    adapter_urls = f"{first.base_url} {second.base_url}"
    import threading

    timer = threading.Timer(0.1, first.process.kill)
    timer.start()
    outcome, statuses = asked(tmp_path, adapter_urls, 60)
    timer.join()
    assert statuses == ["answered"] * 60 and not outcome.stopped


def test_if_all_are_down_the_run_ends_as_with_one(tmp_path: Path) -> None:
    outcome, statuses = asked(tmp_path, f"{DOWN} http://127.0.0.1:19/v1", 12, retries=0)
    assert outcome.fatal and "no connection" in outcome.stopped and set(statuses) == {"failed"}


def test_the_manifest_lists_all_endpoints_and_another_one_needs_a_word(
    tmp_path: Path, mocks: list[MockProcess]
) -> None:
    urls = [mock.base_url for mock in mocks]
    told = {"out": tmp_path / "run", "limit": 2}
    run = triptych.run("cmdar/main", "openai/mock", base_url=" ".join(urls), **told)
    assert [one.address for one in run.folder.manifest.endpoints] == urls
    again = triptych.run("cmdar/main", "openai/mock", base_url=" ".join(reversed(urls)), **told)
    assert again.folder.manifest.endpoints == run.folder.manifest.endpoints
    with pytest.raises(SpecError, match="another endpoint"):
        triptych.run("cmdar/main", "openai/mock", base_url=f"{urls[0]} {DOWN}", **told)


def _again(path: Path) -> str:
    folder = RunFolder.open(path)
    return run_command(folder.manifest, load_benchmark("cmdar").spec, folder)


def test_do_it_again_names_the_endpoints_that_shared_the_requests(tmp_path: Path, mocks: list[MockProcess]) -> None:
    urls = [mock.base_url for mock in mocks]
    told = {"out": tmp_path / "run", "limit": 2}
    run = triptych.run("cmdar/main", "openai/mock", base_url=" ".join(urls), **told)
    again = _again(run.folder.path)
    assert f"--model-base-url {urls[0]} --model-base-url {urls[1]} " in f"{again} "
    triptych.run("cmdar/main", "openai/mock", base_url=urls[1], **told)
    again = _again(run.folder.path)
    assert urls[0] not in again and f"--model-base-url {urls[1]}" in again, "the latest session had one"


def test_runs_of_the_same_endpoints_merge_and_those_of_others_need_a_word(
    tmp_path: Path, mocks: list[MockProcess]
) -> None:
    one, two = (mock.base_url for mock in mocks)
    shards = []
    for number, urls in enumerate((f"{one} {two}", f"{two} {one}", two), 1):
        shards.append(tmp_path / f"{number}")
        triptych.run("cmdar/main", "openai/mock", base_url=urls, out=shards[-1], limit=6, shard=f"{number}/3")
    whole = triptych.api.merge(shards, tmp_path / "whole")
    assert {place.address for place in whole.manifest.endpoints} == {one, two}
    manifest = (shards[2] / "manifest.json").read_text()
    (shards[2] / "manifest.json").write_text(manifest.replace(two, "http://elsewhere/v1"))
    with pytest.raises(RunFolderError, match="different endpoints") as error:
        triptych.api.merge(shards, tmp_path / "again")
    assert error.value.got == f"{', '.join(sorted((one, two)))} and http://elsewhere/v1"


def test_addresses_are_separated_by_spaces_and_given_once() -> None:
    assert (
        addresses_of(" http://a/v1  http://b/v1 ")
        == ["http://a/v1", "http://b/v1"]
        == addresses_of(["http://a/v1", "http://b/v1"])
    )
    with pytest.raises(SpecError, match="given twice"):
        load_adapter("openai/x", {"base_url": "http://a/v1 http://a/v1/"})
