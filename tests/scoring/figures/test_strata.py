"""Instances with the same Tasks are a stratum: grouped, summed by cell, and counted by their sums."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from tests.scoring.toy import make_spec, random_scores, score
from triptych.protocols.protocol import Cell
from triptych.records import Score
from triptych.scoring.figures.cells import tabulate
from triptych.scoring.figures.strata import Block, blocks, strata, task_names


def blocks_of(scores: list[Score]) -> dict[str, Block]:
    return {block.name: block for block in blocks(tabulate(scores, make_spec()), "all")}


def test_instances_are_grouped_by_the_set_of_their_tasks() -> None:
    scores = [
        *[score(f"a{n}", n, instance=f"i{n}") for n in range(2)],
        *[score(f"b{n}", 1, task="toy/b", instance=f"i{n}") for n in range(1, 4)],
        score("c", 0, task="toy/b", instance="i9"),
    ]
    found = blocks_of(scores)
    assert {name: len(block.sums) for name, block in found.items()} == {"toy/a": 1, "toy/a|toy/b": 1, "toy/b": 3}
    assert found["toy/a|toy/b"].sums.tolist() == [[[1, 1], [1, 1]]]
    assert found["toy/b"].sums.tolist() == [[[1, 1]], [[1, 1]], [[0, 1]]]


def test_the_order_of_units_and_the_names_of_instances_make_no_other_strata() -> None:
    scores = [*random_scores(5, instances=30), score("only", 1, instance="只有一个")]
    renamed = [score(s.unit, s.numerator, task=s.task, status=s.status, instance=f"诗{s.instance}") for s in scores]
    there, other = strata(blocks_of(scores).values()), strata(blocks_of(renamed[::-1]).values())
    assert there.keys() == other.keys() == {"toy/a|toy/b", "toy/a"}
    for name in there:
        assert there[name].patterns.tolist() == other[name].patterns.tolist()
        assert there[name].sizes.tolist() == other[name].sizes.tolist()


def test_patterns_are_the_different_sums_and_sizes_how_many_instances_have_them() -> None:
    """Against a dictionary: for each Instance the sums of its Scores in both Tasks."""
    scores = [
        score(f"{n}-{task}-{k}", float(n % 3 > k), task=f"toy/{task}", instance=f"i{n}")
        for n in range(30)
        for task, units in (("a", 2), ("b", 1))
        for k in range(units)
    ]
    sums: defaultdict[str, dict[str, float]] = defaultdict(lambda: {"toy/a": 0, "toy/b": 0})
    for one in scores:
        sums[one.instance][one.task] += one.numerator
    expected: defaultdict[tuple[float, float], int] = defaultdict(int)
    for one_instance in sums.values():
        expected[one_instance["toy/a"], one_instance["toy/b"]] += 1
    (stratum,) = strata(blocks_of(scores).values()).values()
    assert stratum.patterns[..., 1].tolist() == [[2, 1]] * len(stratum.sizes)
    assert {(p[0][0], p[1][0]): s for p, s in zip(stratum.patterns, stratum.sizes, strict=True)} == dict(expected)


def test_more_tasks_than_a_byte_has_bits_are_distinguished() -> None:
    scores = [score(f"u{n}", 1, task=f"toy/{n:02}", instance=f"i{n // 2}") for n in range(40)]
    assert list(blocks_of(scores)) != [] and set(blocks_of(scores)) == {
        f"toy/{n:02}|toy/{n + 1:02}" for n in range(0, 40, 2)
    }


@pytest.mark.parametrize(("kind", "sums"), [("all", [[0.5, 1.0]]), ("answered", [[1.0, 1.0]])])
def test_repeats_of_a_unit_weigh_as_one(kind: str, sums: list[list[float]]) -> None:
    scores = [score("u", 1, repeat=0), score("u", 0, status="failed", repeat=1)]
    (block,) = blocks(tabulate(scores, make_spec()), kind)  # type: ignore[arg-type]
    assert np.asarray(block.sums).tolist() == [sums]


def test_tasks_are_named_once_in_order() -> None:
    cells = [Cell("toy/b", "acc"), Cell("toy/a", "f1"), Cell("toy/b", "f1", (("genre", "诗"),))]
    assert task_names(cells) == ["toy/a", "toy/b"]
    assert task_names([]) == [] and strata([]) == {}
