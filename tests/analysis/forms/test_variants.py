"""Robustness, position bias, ablation and agreement, and what is chosen for which Runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.analysis.comparing.test_comparing import column
from tests.analysis.seen import seen
from tests.scoring.toy import item, score
from tests.support.runs import MANIFEST
from triptych.analysis.analyse import analyse_observed
from triptych.analysis.forms.ablation import ablation, chance, is_ablation
from triptych.analysis.forms.positions import position_bias
from triptych.analysis.forms.robustness import robustness, variant_names
from triptych.analysis.observed import Observed
from triptych.analysis.raters.agreement import agreement
from triptych.metrics.agreement import pearson
from triptych.metrics.choice import LETTERS
from triptych.records import Estimate, Item, RunManifest, Score, Section, text


def manifest(**more: Any) -> RunManifest:
    from msgspec import structs

    return structs.replace(MANIFEST, **more)


def variant(rights: str, *conditions: str, prompt: str = "p", **more: Any) -> Observed:
    sign = f"bench:toy@1|data:d|protocol:standard@1|model:m|cond:{'+'.join(conditions) or 'none'}|prompt:{prompt}"
    told = manifest(model="m", conditions=conditions, prompt=prompt)
    label = f"m {'+'.join(conditions)} {prompt}"
    return seen(label, column(rights), signature=sign, manifest=told, **more)


def all_of(section: Section | None, measure: str) -> list[Estimate]:
    assert section is not None
    return [e for e in section.estimates if e.measure == measure]


def test_spread_and_worst_case_by_hand() -> None:
    runs = [variant("1111100000"), variant("1111110000", "shuffle"), variant("1100000000", "snr:db=0")]
    section = robustness(runs, replicates=300)
    assert [e.value for e in all_of(section, "variant")] == [50.0, 60.0, 20.0]
    assert all_of(section, "worst")[0].value == 20.0 and all_of(section, "worst")[0].note == "snr:db=0"
    assert all_of(section, "spread")[0].value == 40.0
    assert all_of(section, "deviation")[0].value == pytest.approx(np.std([50, 60, 20], ddof=1))
    differences = all_of(section, "variant.difference")
    assert [e.value for e in differences] == [10.0, -30.0]
    assert all((e.p_adjusted or 0) >= (e.p_value or 1) for e in differences)
    whole = next(e for e in all_of(section, "all_right") if e.task == "toy")
    assert whole.value == pytest.approx(20.0) and whole.n == 10


def test_equal_variants_spread_as_luck_does() -> None:
    rng = np.random.default_rng(4)
    runs = [variant("".join(rng.choice(list("01"), 400)), prompt=f"p{n}") for n in range(4)]
    section = robustness(runs, replicates=400)
    spread, luck = all_of(section, "spread")[0].value or 0, all_of(section, "spread.by_luck")[0].value or 0
    # the expected range of four equal scores is 2.06 standard errors (Tippett 1925)
    assert luck == pytest.approx(2.06 * 2.5, rel=0.25)
    assert spread < 2.5 * luck
    assert section and "not more than chance" in section.sentences[0]


def test_equal_variants_are_seldom_told_to_spread_by_more_than_luck() -> None:
    """Pairs that differ by their luck alone: at the level of 0.05, 3 of 60 are told; and a real spread is."""
    rng = np.random.default_rng(0)

    def told(rights: Sequence[float]) -> bool:
        runs = [
            variant("".join("1" if x < p else "0" for x in rng.random(100)), prompt=f"{p}{n}")
            for n, p in enumerate(rights)
        ]
        section = robustness(runs, replicates=200)
        return section is not None and "worst of 2 variants, more than chance" in section.sentences[0]

    assert sum(told([0.5, 0.5]) for _ in range(60)) <= 7
    assert told([0.3, 0.8])
    single = [
        seen(f"m {p}", [score("u", p, instance="one")], manifest=manifest(model="m", prompt=str(p))) for p in (0, 1)
    ]
    one = robustness(single)
    assert one and "not more than chance" in one.sentences[0] and all_of(one, "spread")[0].p_value is None


def test_variants_that_share_nothing_say_so() -> None:
    other = seen("m b", column("11", start=50), manifest=manifest(model="m", prompt="b"))
    section = robustness([variant("11"), other])
    assert section and section.estimates[0].value is None and "share no question" in section.estimates[0].reason
    assert robustness([variant("11")]) is None


def test_variants_are_called_by_what_differs() -> None:
    assert variant_names([variant("1"), variant("1", "shuffle")]) == ["as it is", "shuffle"]
    assert variant_names([variant("1"), variant("1", prompt="v1")]) == ["prompt p", "prompt v1"]


def test_what_an_input_is_worth_is_the_paired_difference() -> None:
    base, blind = variant("1111111000"), variant("1110000000", "blind")
    assert is_ablation(blind) and not is_ablation(base)
    section = ablation(base, [blind])
    contribution = next(e for e in all_of(section, "contribution") if e.task == "toy")
    assert contribution.value == pytest.approx(40.0) and contribution.n == 10
    assert contribution.interval and contribution.interval[0] > 0
    assert [e.value for e in all_of(section, "score") if e.task == "toy"] == pytest.approx([70.0, 30.0])
    assert section and "m scores 70.0, and 30.0 under blind" in section.sentences[0]
    assert ablation(base, []) is None


def test_blind_over_other_questions_has_no_difference() -> None:
    other = seen("x", column("11", start=50), manifest=manifest(model="m", conditions=("blind",)))
    section = ablation(variant("11"), [other])
    assert section and section.estimates[0].value is None


def test_guessing_is_one_in_the_number_of_options() -> None:
    two = Item("toy/a/0", "toy/a", (), ((text("x"),), (text("y"),)), answer="option", target="x")
    four = item("toy/a/1", labels=LETTERS)
    found = chance(seen("m", column("10"), items=[two, four]))
    assert found and found.value == pytest.approx(100 * (1 / 2 + 1 / 4) / 2)
    assert chance(seen("m", column("1"), items=[Item("toy/a/0", "toy/a", ())])) is None


def answered(picks: str, keys: str) -> Observed:
    scores = [
        Score(f"toy/a/{n}", "toy/a", "acc", "scored", float(p == k), 1.0, p, f"i{n}")
        for n, (p, k) in enumerate(zip(picks, keys, strict=True))
    ]
    items = [Item(f"toy/a/{n}", "toy/a", (), labels=LETTERS, answer="letter", target=k) for n, k in enumerate(keys)]
    return seen("m", scores, items=items)


def test_position_bias_by_hand_and_by_statsmodels() -> None:
    picks, keys = "AAAABBBCCD", "ABCDABCDAB"
    section = position_bias(answered(picks, keys), replicates=200)
    picked = {e.slice["place"]: e.value for e in all_of(section, "position.picked")}
    assert picked == pytest.approx({"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    right = {e.slice["place"]: (e.value, e.n) for e in all_of(section, "position.right")}
    assert right["A"] == (pytest.approx(100 / 3), 3) and right["D"] == (0.0, 2)  # type: ignore[comparison-overlap]
    (test,) = all_of(section, "position.chi_square")
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = np.zeros((4, 4))
    np.add.at(table, (["ABCD".index(p) for p in picks], ["ABCD".index(k) for k in keys]), 1)
    expected = contingency.SquareTable(table, shift_zeros=False).homogeneity(method="stuart_maxwell")
    assert (test.value or 0, test.p_value or 0) == pytest.approx((expected.statistic, expected.pvalue))


def test_a_guesser_without_bias_is_seldom_told_to_have_one() -> None:
    """Whoever picks by lot differs from the keys by its luck and by theirs: at the level of 0.05, 5 of 100 are told."""
    rng = np.random.default_rng(0)

    def p_value(weights: Sequence[float] | None = None) -> float:
        picks, keys = rng.choice(list("ABCD"), 100, p=weights), rng.choice(list("ABCD"), 100)
        (test,) = all_of(position_bias(answered("".join(picks), "".join(keys)), replicates=2), "position.chi_square")
        return test.p_value or 1.0

    assert sum(p_value() < 0.05 for _ in range(100)) <= 11
    assert p_value([0.7, 0.1, 0.1, 0.1]) < 0.001


def test_unread_answers_are_counted_and_picks_without_keys_have_no_test() -> None:
    section = position_bias(answered("A?B", "AAA"), replicates=50)
    (test,) = all_of(section, "position.chi_square")
    assert test.value is None and test.counts == {"readable": 2, "none read": 1}
    assert all_of(section, "position.spread")[0].reason == "a position never contains the correct option"
    assert position_bias(seen("m", column("10"))) is None, "no options, no places"


def test_raters_are_compared_over_what_both_rated() -> None:
    ratings: Mapping[str, Mapping[str, float]] = {
        "judge a": {f"u{n}": float(n % 5) for n in range(40)},
        "person b": {f"u{n}": float(n % 5) + (n % 3) / 2 for n in range(10, 50)},
        "person c": {"u1": 1.0},
    }
    section = agreement(ratings, replicates=300)
    first = {e.measure: e for e in (section.estimates if section else ()) if e.slice["raters"] == "judge a · person b"}
    both = [f"u{n}" for n in range(10, 40)]
    x, y = ([ratings[name][unit] for unit in both] for name in ("judge a", "person b"))
    assert first["pearson"].value == pytest.approx(pearson(x, y))
    assert first["pearson"].n == 30 and first["pearson"].coverage == pytest.approx(30 / 50)
    assert first["pearson"].interval and first["pearson"].interval[0] < (first["pearson"].value or 0)
    assert first["bias"].value == pytest.approx(np.mean(np.subtract(x, y)))
    single = next(e for e in (section.estimates if section else ()) if e.slice["raters"] == "judge a · person c")
    assert single.value is None and single.reason == "only one reply was rated by both"
    assert agreement({"judge a": {"u": 1.0}}) is None


def test_the_interval_of_a_correlation_is_about_fishers() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=300)
    y = 0.6 * x + 0.8 * rng.normal(size=300)
    units = [f"u{n}" for n in range(300)]
    ratings = {"a": dict(zip(units, map(float, x), strict=True)), "b": dict(zip(units, map(float, y), strict=True))}
    section = agreement(ratings)
    found = all_of(section, "pearson")[0]
    expected = stats.pearsonr(x, y).confidence_interval(0.95)
    assert found.interval == pytest.approx(tuple(expected), abs=0.04)


def test_what_applies_is_chosen_and_ids_are_told_apart() -> None:
    plain, shuffled, blind = variant("1100"), variant("1110", "shuffle"), variant("1000", "blind")
    rival = seen("n", column("0000"), manifest=manifest(model="n"))
    sections = analyse_observed([plain, shuffled, blind, rival])
    kinds = [section.id for section in sections]
    assert kinds == ["significance", "robustness", "ablation"]
    assert len(kinds) == len(set(kinds))
    only = analyse_observed([plain, shuffled], ("robustness",))
    assert [section.id for section in only] == ["robustness"]
    assert analyse_observed([plain]) == []
