"""Tests of `audit/tables/repeats.py`: rows, columns and groups of cells that repeat others."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from tests.audit.paper import audited
from tests.audit.tables.test_check import only
from triptych.audit.tables.repeats import repeats, same_groups, severity_of, tail, transposed


def unlike(rows: int, columns: int, seed: int = 3) -> dict[str, dict[str, str]]:
    rng = random.Random(seed)
    return {f"m{r}": {f"c{c}": f"{rng.uniform(5, 95):.2f}" for c in range(columns)} for r in range(rows)}


def test_columns_of_few_questions_meet_by_chance(tmp_path: Path) -> None:
    """Of 20 questions each, two columns print the same figure in every sixth row; beside columns of 700 that is no
    sign of a copy. A whole column that repeats one is."""
    rng, rules = random.Random(0), '[[distinct]]\ntable = "T"\n'

    def rows() -> dict[str, dict[str, str]]:
        sizes = {"a": 20, "b": 20, "c": 700, "d": 700, "e": 700, "f": 700}
        return {
            f"m{m}": {c: f"{100 * sum(rng.random() < 0.3 for _ in range(n)) / n:.2f}" for c, n in sizes.items()}
            for m in range(25)
        }

    assert [found for _ in range(20) for found in audited(tmp_path, {"T": rows()}, rules)] == []
    copied = {name: cells | {"b": cells["a"]} for name, cells in rows().items()}
    assert only(audited(tmp_path, {"T": copied}, rules)).columns == ("a", "b")


def test_rows_and_columns_that_repeat_others(tmp_path: Path) -> None:
    rules = '[[distinct]]\ntable = "T"\n'
    assert audited(tmp_path / "clean", {"T": unlike(12, 8)}, rules) == []
    rows = unlike(12, 8)
    rows["m3"] |= {c: rows["m7"][c] for c in ("c0", "c1", "c2", "c3", "c4")}
    found = only(audited(tmp_path / "rows", {"T": rows}, rules))
    assert (found.kind, found.rows, found.columns) == ("copy", ("m3", "m7"), ("c0", "c1", "c2", "c3", "c4"))
    columns = unlike(12, 8)
    columns = {name: cells | {"c1": cells["c0"]} for name, cells in columns.items()}
    assert only(audited(tmp_path / "columns", {"T": columns}, rules)).columns == ("c0", "c1")


def named(table: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    return {r: {("x|" if c < "c4" else "y|") + c: v for c, v in cells.items()} for r, cells in table.items()}


def test_a_group_of_cells_that_two_tables_share(tmp_path: Path) -> None:
    rules = '[[distinct]]\ntable = "T"\nother = "U"\ngroups = ["x|*", "y|*"]\n'
    first, second = unlike(9, 8, 1), unlike(9, 8, 2)
    one, two = named(first), named(second)
    assert audited(tmp_path / "clean", {"T": one, "U": two}, rules) == []
    two["m4"] |= {c: v for c, v in one["m4"].items() if c.startswith("y|")}
    found = only(audited(tmp_path / "copied", {"T": one, "U": two}, rules))
    assert (found.rows, found.columns) == (("m4",), ("y|c4", "y|c5", "y|c6", "y|c7"))


@pytest.mark.parametrize("rate", [0.0, 0.01, 0.3, 0.5, 0.99, 1.0])
def test_the_tail_is_that_of_the_binomial_distribution(rate: float) -> None:
    for n in (1, 7, 40):
        for hits in range(n + 1):
            exact = sum(math.comb(n, k) * rate**k * (1 - rate) ** (n - k) for k in range(hits, n + 1))
            assert tail(hits, n, rate) == pytest.approx(exact, rel=1e-9, abs=1e-300)
    assert tail(0, 5, 0.1) == 1.0 and tail(-1, 5, 0.1) == 1.0 and tail(6, 5, 0.1) == 0.0


def test_the_tail_of_many_cells_does_not_overflow() -> None:
    assert tail(3000, 5000, 0.5) == pytest.approx(0.0, abs=1e-40) and tail(2500, 5000, 0.5) > 0.5


@pytest.mark.parametrize(
    ("related", "severity"), [(0.0009, "severe"), (0.001, "warning"), (0.049, "warning"), (0.05, "note"), (1, "note")]
)
def test_severity_is_by_the_odds_of_related_models(related: float, severity: str) -> None:
    assert severity_of(related) == severity


def shares(rows: int, columns: int, seed: int = 5) -> dict[str, dict[str, str]]:
    """Shares of 500 questions of unrelated systems."""
    rng = random.Random(seed)
    return {f"m{r}": {f"c{c}": f"{rng.randrange(100, 450) / 5:.1f}" for c in range(columns)} for r in range(rows)}


def test_a_copied_row_is_the_only_pair_with_its_cells_and_odds() -> None:
    grid = shares(10, 8)
    assert list(repeats(grid, lambda line, place: (500, 100.0))) == []
    grid["m9"] |= {c: grid["m2"][c] for c in ("c1", "c2", "c3", "c5", "c6", "c7")}
    (one,) = repeats(grid, lambda line, place: (500, 100.0))
    assert (one.first, one.second, one.shared) == ("m2", "m9", 8)
    assert one.places == ("c1", "c2", "c3", "c5", "c6", "c7") and one.chance < 1e-3 <= 1.0
    assert one.related >= one.chance, "related models repeat more than chance does"


def test_cells_that_print_one_number_differently_are_equal() -> None:
    grid = shares(10, 6)
    grid["m1"] = {place: f"{float(text):.2f}" for place, text in grid["m0"].items()}
    assert [one.places for one in repeats(grid, lambda line, place: (500, 100.0))] == [tuple(grid["m0"])]


def test_zeros_and_hundreds_of_failing_and_perfect_systems_are_no_repeats() -> None:
    grid = shares(10, 20)
    for line in ("m0", "m1"):
        grid[line] = {place: ("0.0", "100.0")[n % 2] for n, place in enumerate(grid[line])}
    assert list(repeats(grid, lambda line, place: (500, 100.0))) == []


def test_a_group_shared_by_two_tables_is_the_whole_group_or_none() -> None:
    first, second = shares(9, 8, 1), shares(9, 8, 2)
    group = ["c[0-3]", "c[4-7]"]
    second["m4"] |= {c: first["m4"][c] for c in ("c4", "c5", "c6")}
    assert list(same_groups(first, second, group)) == []
    second["m4"]["c7"] = first["m4"]["c7"]
    ((line, places, odds),) = same_groups(first, second, group)
    assert (line, places) == ("m4", ["c4", "c5", "c6", "c7"]) and 0 <= odds <= 1
    assert list(same_groups(first, {}, group)) == [] == list(same_groups({}, second, group))


def test_rows_become_columns() -> None:
    grid = {"a": {"x": "1", "y": "2"}, "b": {"y": "3"}, "c": {"x": "9"}}
    assert transposed(grid, ["a", "b"]) == {"x": {"a": "1"}, "y": {"a": "2", "b": "3"}}
    assert transposed(grid, []) == {}
