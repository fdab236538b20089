"""Pairs of replies against the same pairs written out by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import triptych
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder
from triptych.viewer.index.files import open_index
from triptych.viewer.index.query import read_filter
from triptych.viewer.pages.comparison import KINDS, Pair
from triptych.viewer.pages.lists import compare


@pytest.fixture(scope="module")
def pair(root: Path) -> Pair:
    a, b = (open_index(RunFolder.open(root / "xmodbench" / name)) for name in ("random", "knowing"))
    return Pair(a, b)


def kinds_by_hand(root: Path) -> dict[str, str]:
    values = [
        {score.unit: score.numerator for score in load_scores(RunFolder.open(root / "xmodbench" / name), "official")}
        for name in ("random", "knowing")
    ]
    names = {(1.0, 1.0): "both", (1.0, 0.0): "a", (0.0, 1.0): "b", (0.0, 0.0): "neither"}
    return {unit: names[values[0][unit], values[1][unit]] for unit in values[0]}


def test_every_pair_is_of_one_kind(root: Path, pair: Pair) -> None:
    by_hand, wanted = kinds_by_hand(root), read_filter({}, pair.a)
    counted = Counter(by_hand.values())
    counts = pair.counts(wanted)
    assert {kind: counts[kind] for kind in KINDS} == {kind: counted[kind] for kind in KINDS}
    assert counts["b"] > 0
    assert counts["differ"] == counted["a"] + counted["b"]
    assert counts["partly"] == 0
    for kind in KINDS:
        rows = [*pair.page(wanted, kind, 1), *pair.page(wanted, kind, 2)]
        assert {row["item"] for row in rows} == {unit for unit, k in by_hand.items() if k == kind}


def test_replies_that_differ(root: Path, pair: Pair) -> None:
    texts = [
        {r.item: r.text for r in RunFolder.open(root / "xmodbench" / name).responses()}
        for name in ("random", "knowing")
    ]
    differ = {item for item, words in texts[0].items() if words != texts[1][item]}
    wanted = read_filter({}, pair.a)
    assert pair.counts(wanted)["replies"] == len(differ)
    assert {row["item"] for row in pair.page(wanted, "replies", 1)} <= differ


def test_turned_round(pair: Pair) -> None:
    wanted = read_filter({}, pair.a)
    there, back = pair.counts(wanted), Pair(pair.b, pair.a).counts(wanted)
    assert (there["a"], there["b"], there["both"]) == (back["b"], back["a"], back["both"])


def test_filters_hold_for_pairs(pair: Pair) -> None:
    wanted = read_filter({"f.direction": "audio_text", "metric": "acc"}, pair.a)
    rows = pair.page(wanted, "", 1)
    assert rows
    assert all(row["task"].endswith("audio_text") for row in rows)


def test_neighbours_among_pairs(pair: Pair) -> None:
    wanted = read_filter({}, pair.a)
    rows = pair.page(wanted, "b", 1)
    before, place, after = pair.neighbours(wanted, "b", rows[1]["key"], 0)
    assert ((before or {})["key"], place, (after or {})["key"]) == (rows[0]["key"], 2, rows[2]["key"])


def test_items_that_one_run_alone_was_asked(root: Path, pair: Pair) -> None:
    assert pair.unpaired_counts() == (0, 0)
    other = open_index(RunFolder.open(root / "mcif"))
    assert Pair(pair.a, other).unpaired_counts() == (pair.a.contents.rows, other.contents.rows)


def test_what_has_no_score_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    """CMDAR's open questions need a judge: without one, nobody knows who is right."""
    for name, model in (("a", "baseline/random"), ("b", "baseline/longest")):
        triptych.run("cmdar", model, limit=2, seed=1, out=tmp_path / name)
    pair = Pair(*(open_index(RunFolder.open(tmp_path / name)) for name in "ab"))
    wanted = read_filter({}, pair.a)
    open_ = [row["item"] for row in pair.page(wanted, "unscored", 1)]
    assert open_ and all(item.startswith("cmdar/open/") for item in open_)
    elsewhere = {row["item"] for kind in ("both", "a", "b", "neither") for row in pair.page(wanted, kind, 1)}
    assert not elsewhere & set(open_)
    counts = pair.counts(wanted)
    assert counts["unscored"] == len(open_) and sum(counts[kind] for kind in KINDS) == len(open_) + len(elsewhere)
    shown = compare("a", "b", {name: RunFolder.open(tmp_path / name) for name in "ab"}, {})
    assert ("unscored", "no score", len(open_)) in shown["kinds"]
