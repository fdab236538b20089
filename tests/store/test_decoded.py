"""Files of Runs are decoded once, however many analyses look at them."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import MANIFEST, item
from triptych import api
from triptych.records import Item, Response
from triptych.scoring import runs as scored_runs
from triptych.store import decoded as kept
from triptych.store.decoded import fact_table, keep_files, keep_little, read_once
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import Journal


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file is decoded, by its last steps."""
    counts: Counter[str] = Counter()
    read, alike, read_own = Journal.read, Journal.shared_records, scored_runs.read_own

    def counting(journal: Journal[Any]) -> list[Any]:
        counts["/".join(journal.path.parts[-2:])] += 1
        return read(journal)

    def counting_alike(journal: Journal[Any], *how: Callable[..., Any]) -> list[Any]:
        counts["/".join(journal.path.parts[-2:])] += 1
        return alike(journal, *how)

    def scores(path: Path) -> bytes:
        counts["/".join(path.parts[-3:])] += path.suffix == ".jsonl"
        return read_own(path)

    monkeypatch.setattr(Journal, "read", counting)
    monkeypatch.setattr(Journal, "shared_records", counting_alike)
    monkeypatch.setattr(scored_runs, "read_own", scores)
    return counts


def test_a_report_decodes_each_file_once(tmp_path: Path, decoded: Counter[str]) -> None:
    runs = [tmp_path / name for name in ("first", "random")]
    for run in runs:
        api.run("cmdar/main", f"baseline/{run.name}", out=run)
    decoded.clear()
    api.report(runs, to=tmp_path / "report", formats=["html", "csv", "md"])
    files = ("items", "responses", "scores/official", "scores/paper", "scores/standard")
    assert +decoded == {f"{run.name}/{name}.jsonl": 1 for run in runs for name in files}


def made(path: Path, items: Sequence[Item]) -> RunFolder:
    folder = RunFolder.create(path, MANIFEST)
    with folder.writer() as writer:
        for one in items:
            writer.add_item(one)
    return folder


def test_runs_share_the_items_that_are_the_same(tmp_path: Path) -> None:
    first, second = made(tmp_path / "a", [item(1), item(2)]), made(tmp_path / "b", [item(2), item(3)])
    with keep_files():
        mine, yours = list(first.items()), list(second.items())
    assert [i.id for i in mine] == [item(1).id, item(2).id] and [i.id for i in yours] == [item(2).id, item(3).id]
    assert mine[1] is yours[0]
    assert list(first.items()) == mine and next(first.items()) is not mine[0], "nothing is kept afterwards"


def test_runs_whose_items_are_the_same_bytes_share_one_list(tmp_path: Path) -> None:
    first, second = (made(tmp_path / name, [item(2), item(1)]) for name in "ab")
    with keep_files():
        assert first.all_items() is second.all_items()
        assert [i.id for i in first.all_items()] == [item(1).id, item(2).id]
    assert first.all_items() is not second.all_items() and first.all_items() == second.all_items()


def test_a_file_that_grew_is_read_again(tmp_path: Path) -> None:
    folder = made(tmp_path / "run", [item(1)])
    with keep_files():
        assert [*folder.items()] == [item(1)] and not [*folder.responses()]
        with folder.writer() as writer:
            writer.add_item(item(2))
            writer.add_response(Response(item(1).id, "", 0, "answered", "A"))
        assert len([*folder.items()]) == 2 and len([*folder.responses()]) == 1


def test_what_was_used_longest_ago_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MAX_CACHED_BYTES", 20)
    counts: Counter[str] = Counter()

    def read(name: str) -> Sequence[str]:
        def decode() -> list[str]:
            counts[name] += 1
            return [name]

        return read_once(tmp_path / name, decode)

    for name in "abc":
        (tmp_path / name).write_text(name * 8)
    with keep_files():
        for name in "abacab":
            assert read(name) == [name]
    assert counts == {"a": 1, "b": 2, "c": 1}


def test_facts_are_kept_as_long_as_the_files() -> None:
    fact_table("places")["a"] = 1
    with keep_files():
        assert fact_table("places") == {}, "nothing is kept outside"
        fact_table("places")["a"] = 1
        assert fact_table("places") == {"a": 1} and fact_table("others") == {}
    with keep_files():
        assert fact_table("places") == {}


def test_no_cycles_are_collected_while_files_are_kept() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="wrong"), keep_files():
        assert not gc.isenabled()
        raise ValueError("wrong")
    assert gc.isenabled()


def test_one_of_several_processes_keeps_little_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: Counter[str] = Counter()

    def read(name: str) -> Sequence[str]:
        def decode() -> list[str]:
            counts[name] += 1
            return [name]

        found = read_once(tmp_path / name, decode)
        fact_table("lengths").setdefault(name, (1, found))
        return found

    monkeypatch.setattr(kept, "LITTLE", 20)
    for name in "abcdef":
        (tmp_path / name).write_text(name * 8)
    with keep_files():
        for name in "abc":
            read(name)
        keep_little()
        for name in "defabc":
            read(name)
        assert [*fact_table("lengths")] == ["a", "b", "c", "e", "f"], "what is known of a dropped file goes with it"
        read("d")
    assert counts == {"a": 1, "b": 1, "c": 1, "d": 2, "e": 1, "f": 1}
    keep_little()  # outside, nothing is kept
