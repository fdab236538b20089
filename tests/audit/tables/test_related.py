"""Copies against related models: a fine-tune is not a copy, and the odds say so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.audit.paper import audited
from triptych.audit.tables.related import related_rate, usual_distance

RULES = '[[shares]]\ntable = "T"\nn = 500\nwhy = "questions"\n[[distinct]]\ntable = "T"\n'


def table(rng: random.Random, rows: int = 12, columns: int = 10) -> dict[str, dict[str, int]]:
    return {f"m{r}": {f"c{c}": rng.randint(100, 400) for c in range(columns)} for r in range(rows)}


def printed(counts: dict[str, dict[str, int]]) -> dict[str, dict[str, str]]:
    return {row: {c: f"{100 * k / 500:.1f}" for c, k in own.items()} for row, own in counts.items()}


def test_the_usual_distance_is_that_of_two_poisson_counts() -> None:
    rng = random.Random(0)
    apart = []
    for _ in range(20000):
        differ = [rng.random() for _ in range(500)]
        d = sum(u < 0.025 for u in differ) - sum(u > 0.975 for u in differ)
        if d:
            apart.append(abs(d))
    assert usual_distance(500) == pytest.approx(sum(apart) / len(apart), rel=0.02)


@pytest.mark.parametrize("n", [20, 100, 500, 2000])
def test_the_rate_is_no_lower_than_that_of_the_null_model(n: int) -> None:
    """Two models that answer one question in twenty differently: the share of equal counts, by simulation."""
    rng = random.Random(n)
    equal = sum(
        sum((u < 0.025) - (u > 0.975) for u in (rng.random() for _ in range(n))) == 0 for _ in range(400000 // n)
    )
    assert related_rate([], [n]) >= equal / (400000 // n)


def test_fine_tunes_two_counts_apart_are_no_severe_copy(tmp_path: Path) -> None:
    rng = random.Random(4)
    for number in range(30):
        counts = table(rng)
        counts["m1"] = {c: k + rng.randint(-2, 2) for c, k in counts["m0"].items()}
        found = audited(tmp_path / str(number), {"T": printed(counts)}, RULES)
        assert not [f for f in found if f.severity == "severe"], [f.message for f in found]


def test_a_copied_row_is_a_severe_copy(tmp_path: Path) -> None:
    counts = table(random.Random(5))
    counts["m1"] = dict(counts["m0"])
    (found,) = audited(tmp_path, {"T": printed(counts)}, RULES)
    assert (found.kind, found.severity, found.rows) == ("copy", "severe", ("m0", "m1"))
    assert "10 of 10" in found.message and "related" in found.message


def test_few_cells_of_few_questions_can_be_equal_in_related_models(tmp_path: Path) -> None:
    """Six cells of 20 questions each, equal in two rows: unlikely for unrelated models, not for a fine-tune."""
    rng = random.Random(6)
    counts = {f"m{r}": {f"c{c}": rng.randint(2, 18) for c in range(6)} for r in range(12)}
    counts["m1"] = dict(counts["m0"])
    cells = {row: {c: f"{5 * k:.1f}" for c, k in own.items()} for row, own in counts.items()}
    (found,) = audited(tmp_path, {"T": cells}, '[[distinct]]\ntable = "T"\n')
    assert (found.kind, found.severity) == ("copy", "note") and "closely related" in found.effect


def test_a_value_that_related_rows_share_counts_once_between_columns(tmp_path: Path) -> None:
    rng = random.Random(7)
    counts = table(rng, rows=6)
    counts["m0"]["c3"] = counts["m0"]["c2"]
    for name in ("m6", "m7", "m8"):
        counts[name] = {c: k + rng.choice((-1, 1)) for c, k in counts["m0"].items()}
        counts[name]["c3"] = counts[name]["c2"]
    found = audited(tmp_path, {"T": printed(counts)}, RULES)
    assert [f.severity for f in found if f.columns == ("c2", "c3")] in ([], ["note"])
