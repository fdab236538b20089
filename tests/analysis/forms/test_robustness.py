"""Tests of `analysis/forms/robustness.py`: robustness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.analysis.comparing.test_comparison import column
from tests.analysis.seen import seen
from tests.scoring.toy import score
from tests.support.runs import MANIFEST
from triptych.analysis.forms.robustness import robustness, variant_names
from triptych.analysis.observed import Observed
from triptych.records import Estimate, RunManifest, Section


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
