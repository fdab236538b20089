"""Scores that are computed while the journals grow give the files of a scoring afterwards, to the byte, or none."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import triptych
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.cmdar import protocols
from triptych.errors import DataError
from triptych.protocols.protocol import Unit
from triptych.records import ErrorInfo, Item, Response
from triptych.scoring import early
from triptych.scoring.runs import is_outdated, score_run
from triptych.scoring.stored import growing
from triptych.scoring.stored.growing import GrowingScores, NotGrowingError
from triptych.store.folder import RunFolder

Record = tuple[Item, Response]
ALL = ("cmdar/main", "mcga", "xmodbench", "mcs_bench")


def run_of(task: str, out: Path) -> RunFolder:
    return triptych.run(task, "baseline/random", conditions=["blind"], out=out, scored=False).folder


def records(folder: RunFolder, *, repeats: int = 1) -> list[Record]:
    """Items and their Responses in an order of arrival; more than the mini set has, with some failures."""
    replies = {reply.item: reply for reply in folder.responses()}
    pairs: list[Record] = []
    for copy in range(repeats):
        for item in folder.items():
            name = f"{item.id}/{copy}" if copy else item.id
            named = msgspec.structs.replace(
                item, id=name, instance=f"{item.instance_id}/{copy}" if copy else item.instance
            )
            pairs.append((named, msgspec.structs.replace(replies[item.id], item=name)))
    chance = random.Random(7)
    chance.shuffle(pairs)
    for index in range(0, len(pairs), 9):
        item, reply = pairs[index]
        error = ErrorInfo("timeout", "no answer")
        pairs[index] = item, msgspec.structs.replace(reply, status="failed", text="", error=error)
    return pairs


def new_folder(like: RunFolder, path: Path, planned: int) -> RunFolder:
    return RunFolder.create(path, msgspec.structs.replace(like.manifest, planned=planned))


def grown(folder: RunFolder, pairs: Sequence[Record], between: Callable[[int], None] = lambda _: None) -> GrowingScores:
    """Write the records, and score what can be scored after each."""
    benchmark = load_benchmark(folder.manifest.benchmark)
    scores: GrowingScores | None = None
    with folder.writer() as writer:
        for number, (item, reply) in enumerate(pairs):
            writer.add_item(item)
            writer.add_response(reply)
            scores = scores or GrowingScores(folder, benchmark.protocols, benchmark)
            while scores.step():
                pass
            between(number)
    assert scores is not None
    return scores


def files(folder: RunFolder) -> dict[str, bytes]:
    paths = [*folder.path.glob("scores/*.jsonl"), folder.summary_path]
    return {path.name: path.read_bytes() for path in paths}


@pytest.mark.parametrize("task", ALL)
def test_the_files_are_those_of_a_scoring_afterwards(
    tmp_path: Path, task: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing, "TOO_LONG_S", 60.0)  # a busy machine
    source = run_of(task, tmp_path / "source")
    pairs = [(item, reply) for item, reply in records(source, repeats=3) if item.unit_size == 1 and not item.unit]
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs)
    lacking = any(one.lacking for one in scores.sums.collected.values())
    assert scores.items >= len(pairs) - growing.GROUP or lacking
    scores.finish()
    first = score_run(folder, growing=scores)
    ahead = files(folder)
    scores.close()
    for path in [*folder.path.glob("scores/*.jsonl"), folder.summary_path]:
        path.unlink()
    assert score_run(folder) == first
    assert files(folder) == ahead and len(ahead) > 1


def test_scores_are_those_of_the_growing_ones_and_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs)
    scores.finish()
    monkeypatch.setattr("triptych.scoring.apply.scores_of", None)
    assert score_run(folder, growing=scores).counts["failed"] > 0
    assert not is_outdated(folder)


def test_a_withdrawn_answer_makes_the_run_be_scored_from_its_folder(tmp_path: Path) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs)
    scores.finish()
    item, reply = next(pair for pair in pairs if pair[1].status != "failed")
    with folder.writer() as writer:
        writer.add_response(
            msgspec.structs.replace(reply, status="failed", text="", error=ErrorInfo("connection", "x"))
        )
    before = sum(reply.status == "failed" for _, reply in pairs)
    assert score_run(folder, growing=scores).counts["failed"] == before + 1
    assert item.id in {reply.item for reply in folder.responses() if reply.status == "failed"}


@pytest.mark.parametrize("what", ["second Response", "second Item", "no Item", "repeat"])
def test_journals_that_are_not_one_response_for_each_item_are_left_to_the_end(tmp_path: Path, what: str) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    folder = new_folder(source, tmp_path / "run", len(pairs))

    def again(number: int) -> None:
        item, reply = pairs[number]
        if number != 70:
            return
        with (folder.path / "responses.jsonl").open("ab") as journal:
            if what == "second Response":
                journal.write(msgspec.json.encode(reply) + b"\n")
            if what == "no Item":
                journal.write(msgspec.json.encode(msgspec.structs.replace(reply, item="unknown")) + b"\n")
            if what == "repeat":
                journal.write(msgspec.json.encode(msgspec.structs.replace(reply, repeat=1)) + b"\n")
        if what == "second Item":
            with (folder.path / "items.jsonl").open("ab") as journal:
                journal.write(msgspec.json.encode(item) + b"\n")

    with pytest.raises(NotGrowingError):
        grown(folder, pairs, again).finish()


def test_an_item_without_a_response_or_an_incomplete_line_is_left_to_the_end(tmp_path: Path) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs[:-1])
    with folder.writer() as writer:
        writer.add_item(pairs[-1][0])
    with pytest.raises(NotGrowingError):
        scores.finish()
    other = new_folder(source, tmp_path / "other", len(pairs))
    scores = grown(other, pairs)
    with (other.path / "responses.jsonl").open("ab") as journal:
        journal.write(b'{"item":')
    with pytest.raises(NotGrowingError):
        scores.finish()


def test_a_long_reply_waits_until_the_end(tmp_path: Path) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    item, reply = pairs[growing.GROUP]
    pairs[growing.GROUP] = item, msgspec.structs.replace(reply, status="answered", text="so " * growing.MAX_TEXT)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs)
    assert scores.items == growing.GROUP
    scores.finish()
    assert scores.items == len(pairs)
    assert score_run(folder, growing=scores) == score_run(folder)


def test_slow_steps_are_left_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "TOO_LONG_S", -1.0)
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    scores = grown(folder, pairs)
    assert scores.items < len(pairs) - growing.GROUP and not scores.step()
    scores.finish()
    assert score_run(folder, growing=scores) == score_run(folder)


def test_a_protocol_that_fails_gives_the_error_of_a_scoring_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    pairs = records(source, repeats=3)
    folder = new_folder(source, tmp_path / "run", len(pairs))
    benchmark = load_benchmark("cmdar")

    def broken(unit: Unit) -> Any:
        raise ValueError("broken")

    failing = replace(benchmark.protocols["official"], score=broken)
    monkeypatch.setitem(protocols.PROTOCOLS, "official", failing)
    ahead = early.EarlyScores(folder, None)
    assert ahead.can_grow(benchmark, len(pairs))
    with folder.writer() as writer:
        for item, reply in pairs:
            writer.add_item(item)
            writer.add_response(reply)
            ahead.step()
    assert not ahead.step()
    ahead.score()
    assert ahead.valid_scores() is None
    with pytest.raises(DataError, match="can't score a Unit"):
        score_run(folder)


@pytest.mark.parametrize("change", ["answered before", "repeats", "large"])
def test_only_a_new_run_of_single_items_is_scored_while_it_goes_on(tmp_path: Path, change: str) -> None:
    source = run_of("cmdar/main", tmp_path / "source")
    manifest = msgspec.structs.replace(source.manifest, repeats=2 if change == "repeats" else 1)
    folder = source if change == "answered before" else RunFolder.create(tmp_path / "run", manifest)
    planned = early.MAX_GROWING_UNITS + (change == "large")
    assert not early.EarlyScores(folder, None).can_grow(load_benchmark("cmdar"), planned)
