"""Sums of parts of a Run give the figures and intervals of the whole, to the last digit."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from msgspec import structs

from tests.scoring.toy import make_spec, protocol, score
from triptych.errors import DataError
from triptych.records import SCORE_STATUSES, Score
from triptych.scoring.figures import cells
from triptych.scoring.figures.aggregate import aggregate_scores, aggregate_summed
from triptych.scoring.figures.cells import tabulate
from triptych.scoring.figures.summed import Summed, join_sums, sum_table

SPEC = make_spec(("kind",))


def scores_of(seed: int, instances: int = 40) -> list[Score]:
    """Scores of several Tasks and slices with fractions, repeats and every status; Instances lack some Tasks."""
    rng, found = random.Random(seed), []
    for number in range(instances):
        for task in rng.sample(["a", "b"], rng.randint(1, 2)):
            unit = f"{task}{number}"
            for repeat in range(rng.choice([1, 1, 3])):
                one = score(unit, True, instance=f"i{number}", repeat=repeat)
                worth = rng.choice([0.0, 1.0, rng.random(), rng.random() * 1e9])
                found.append(
                    structs.replace(
                        one,
                        task=f"toy/{task}",
                        status=rng.choice(SCORE_STATUSES),
                        numerator=worth,
                        denominator=rng.choice([1.0, 3.0]),
                        facets={"kind": rng.choice("xyz")},
                    )
                )
    return found


def parts_of(scores: Sequence[Score], number: int) -> list[list[Score]]:
    """Scores by Instance, as shards have them."""
    names = sorted({one.instance for one in scores})
    owner = {name: random.Random(name).randrange(number) for name in names}
    return [[one for one in scores if owner[one.instance] == part] for part in range(number)]


def sums(scores: Sequence[Score]) -> Summed:
    return sum_table(tabulate(scores, SPEC), protocol().headline)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [2, 5])
def test_parts_give_the_whole_to_the_last_digit(seed: int, number: int) -> None:
    scores = scores_of(seed)
    parts = [sums(part) for part in parts_of(scores, number) if part]
    whole, both = sums(scores), join_sums(parts, SPEC)
    for kind in ("all", "answered"):
        assert whole.sums(kind).tobytes() == both.sums(kind).tobytes()
    for name in ("counts", "contributing", "instances", "share"):
        assert np.array_equal(getattr(whole, name), getattr(both, name), equal_nan=name == "share"), name
    assert list(whole.strata) == list(both.strata)
    found = aggregate_summed(both, protocol())
    assert found == aggregate_scores(scores, protocol(), SPEC)
    assert any(one.interval for one in found)
    assert (
        join_sums([join_sums(parts[:1], SPEC), join_sums(parts[1:], SPEC)], SPEC).sums("all").tobytes()
        == both.sums("all").tobytes()
    )


def test_all_right_in_every_part_has_wilsons_interval() -> None:
    scores = [score(f"u{n}", True, instance=f"i{n}") for n in range(12)]
    parts = [sums(scores[:5]), sums(scores[5:])]
    (found,) = [one for one in aggregate_summed(join_sums(parts, SPEC), protocol()) if one.task == "toy/a"][:1]
    assert found == next(one for one in aggregate_scores(scores, protocol(), SPEC) if one.task == "toy/a")
    assert found.interval is not None and found.interval[1] == 100.0


def test_sums_too_large_for_a_float_are_infinite() -> None:
    scores = [structs.replace(score(f"u{n}", True, instance=f"i{n}"), numerator=1.5e308) for n in range(3)]
    both = join_sums([sums(scores), sums(scores[:1])], SPEC)
    assert np.isinf(sums(scores).sums("all")[0, 0]) and np.isinf(both.sums("all")[0, 0])


def test_too_many_cells_of_all_parts_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [sums([structs.replace(score("u", True), task=f"toy/{name}")]) for name in "abc"]
    monkeypatch.setattr(cells, "MAX_GROUPS", 2)
    with pytest.raises(DataError, match="at most 2 cells"):
        join_sums(parts, SPEC)
