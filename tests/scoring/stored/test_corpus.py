"""A Run read a part at a time gives the Units, Scores and figures of the Run read at once."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from msgspec import structs

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, make_spec, protocol, response, score
from triptych.errors import DataError
from triptych.records import Item, Response
from triptych.scoring.figures.aggregate import aggregate_columns, aggregate_scores
from triptych.scoring.figures.cells import Columns
from triptych.scoring.runs import score_run
from triptych.scoring.stored import corpus as corpora
from triptych.scoring.stored.corpus import Corpus
from triptych.scoring.stored.units import group_units
from triptych.store import decoded as kept
from triptych.store.decoded import keep_files
from triptych.store.folder import RunFolder
from triptych.store.parquet.pack import pack


def talk(name: str, size: int, there: int) -> list[Item]:
    """A Unit of several Items, whose ids are spread over the Run; some may be missing."""
    items = [item(f"{n}{name}", unit=name, instance=name) for n in range(size)]
    return [structs.replace(one, place=size - n, unit_size=size) for n, one in enumerate(items)][:there]


def questions(seed: int) -> tuple[list[Item], list[Response]]:
    """Items and Responses in any order: repeats, Responses that were replaced, lost and unknown ones."""
    rng = random.Random(seed)
    items = [item(f"q{n}", instance=f"i{n % 7}") for n in range(40)]
    items += [*talk("long", 5, 5), *talk("torn", 4, 3), *talk("q3x", 2, 2)]
    asked = [(one, repeat) for one in items for repeat in range(2) if rng.random() < 0.9]
    replies = [structs.replace(response(one.id, rng.choice("AB")), repeat=repeat) for one, repeat in asked * 2]
    replies += [response("unknown"), structs.replace(response("q1", "B"), repeat=9)]
    rng.shuffle(items)
    rng.shuffle(replies)
    return items, replies


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("uneven", [False, True])
def test_the_units_are_those_of_the_run_read_at_once(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, size: int, uneven: bool
) -> None:
    monkeypatch.setattr(corpora, "CHUNK", size)
    folder = make_run(*questions(size), repeats=2, uneven=uneven)
    whole = list(group_units(folder.items(), folder.responses(), 2, uneven=uneven))
    with Corpus(folder) as corpus:
        chunks = list(corpus)
        assert [unit for chunk in chunks for unit in chunk] == whole
        assert list(corpus) == chunks, "and again"
        sizes = Counter((one.unit_id, one.unit_size) for one in folder.items())
        partial = sum(count < size for (_, size), count in sizes.items())
        assert (corpus.items, corpus.partial) == (len(list(folder.items())), partial)
    assert len(chunks) > 1 or size == 1000
    names = [{unit.unit_id for unit in chunk} for chunk in chunks]
    assert sum(map(len, names)) == len({unit.unit_id for unit in whole}), "no Unit is in two parts"


def test_a_packed_run_gives_the_same_units(make_run: MakeRun) -> None:
    folder = make_run(*questions(5), repeats=2)
    with Corpus(folder) as corpus:
        before = list(corpus)
    pack(folder)
    with Corpus(RunFolder.open(folder.path)) as corpus:
        assert list(corpus) == before


def test_of_two_conditions_the_later_by_name_counts(make_run: MakeRun) -> None:
    replies = [structs.replace(response("1", text), condition=text.lower()) for text in ("B", "A")]
    folder = make_run([item("1")], replies)
    with Corpus(folder) as corpus:
        assert list(corpus) == [list(group_units(folder.items(), folder.responses()))]


def test_figures_do_not_depend_on_the_size_of_the_parts(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    items, replies = questions(3)
    whole = score_run(make_run(items, replies, "whole", repeats=2))
    monkeypatch.setattr(corpora, "CHUNK", 2)
    parts = make_run(items, replies, "parts", repeats=2)
    assert dict(score_run(parts)) == dict(whole)
    assert (parts.path / "scores/standard.jsonl").read_bytes() == (
        parts.path.with_name("whole") / "scores/standard.jsonl"
    ).read_bytes()


def test_scores_collected_in_parts_are_aggregated_as_at_once() -> None:
    scores = [score(f"u{n}", n % 3 == 0, instance=f"i{n % 5}", repeat=r) for n in range(20) for r in range(1 + n // 10)]
    columns, spec = Columns(make_spec()), make_spec()
    for part in (scores[:4], scores[4:12], [], scores[12:]):
        columns.add(part)
    assert aggregate_columns(columns, protocol()) == aggregate_scores(scores, protocol(), spec)


def test_too_many_units_are_refused_before_they_are_read(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "MAX_UNITS", 5)
    with pytest.raises(DataError, match="at most 5 Units") as caught:
        Corpus(make_run([item("1"), item("2")], [], repeats=3))
    assert "shards" in str(caught.value)


def test_scoring_keeps_nothing_of_a_run_in_memory_where_files_are_kept(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that finds a large Run's Scores out of date scores it within `keep_files()`."""
    monkeypatch.setattr(corpora, "CHUNK", 3)
    folder = make_run(*questions(1), repeats=2)
    with keep_files():
        score_run(folder)
        shelf = kept._SHELF.get()
        assert shelf is not None and not shelf.files and not shelf.facts and not shelf.lines


def test_nothing_is_written_if_a_unit_cannot_be_scored(make_run: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "CHUNK", 1)
    folder = make_run([item("1"), item("2")], [response("1"), response("2")])
    score_run(folder)
    before = {path.name: path.read_bytes() for path in folder.path.rglob("*.json*")}
    with (folder.path / "responses.jsonl").open("ab") as file:
        file.write(b'{"item":"2","condition":"","repeat":0,"status":"answered","text":7}\n')
    with pytest.raises(DataError, match=r"responses\.jsonl:3"):
        score_run(folder)
    del before["responses.jsonl"]
    after = {path.name: path.read_bytes() for path in folder.path.rglob("*.json*")}
    assert before.items() <= after.items() and not list(folder.path.rglob("*.tmp"))


@pytest.mark.parametrize("repeat", [-1, 2**64 - 1])
def test_a_repeat_out_of_range_is_a_corrupt_line(make_run: MakeRun, repeat: int) -> None:
    folder = make_run([item("1")], [structs.replace(response("1"), repeat=repeat)])
    with pytest.raises(DataError, match=r"responses\.jsonl:1"):
        Corpus(folder)
