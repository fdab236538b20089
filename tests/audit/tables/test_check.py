"""Tables with one planted error of each kind; and that rounding alone is never an error."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.paper import audited, derived
from triptych import audit_tables
from triptych.audit.tables.interval import Interval
from triptych.audit.tables.misprints import edits
from triptych.audit.tables.repeats import tail
from triptych.audit.tables.shares import chance, likely_n, possible
from triptych.errors import DataError, SpecError
from triptych.records import Finding

MEAN = derived("avg", "mean('a', 'b', 'c')")


def row(*values: float, places: int = 2) -> dict[str, str]:
    told = dict(zip("abc", values, strict=True)) | {"avg": sum(values) / len(values)}
    return {name: f"{value:.{places}f}" for name, value in told.items()}


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, [f.message for f in found]
    return found[0]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.floats(0, 100), min_size=3, max_size=3), min_size=1, max_size=8),
    st.integers(0, 3),
)
def test_rounding_alone_is_never_flagged(table: list[list[float]], places: int) -> None:
    rules = MEAN + derived("sd", "std('a', 'b', 'c')") + derived("d", "'a' - 'b'") + derived("r", "rank('avg')")
    averages = [sum(v) / 3 for v in table]
    rows = {}
    for number, values in enumerate(table):
        cells = row(*values, places=places)
        sd = (sum((v - averages[number]) ** 2 for v in values) / 2) ** 0.5
        rank = 1 + sum(a > averages[number] for a in averages)
        more = {"sd": f"{sd:.{places}f}", "d": f"{values[0] - values[1]:.{places}f}", "r": str(rank)}
        rows[f"m{number}"] = cells | more
    with tempfile.TemporaryDirectory() as folder:
        assert audited(Path(folder), {"T": rows}, rules) == []


@given(st.integers(1, 2000), st.data(), st.integers(1, 2))
def test_every_true_share_is_possible(n: int, data: st.DataObject, places: int) -> None:
    k = data.draw(st.integers(0, n))
    assert possible(Interval.printed(f"{100 * k / n:.{places}f}"), n)


def test_a_wrong_average(tmp_path: Path) -> None:
    found = only(audited(tmp_path, {"T": {"m": row(10, 20, 40) | {"avg": "28.61"}, "k": row(1, 2, 3)}}, MEAN))
    assert (found.kind, found.severity, found.table) == ("average", "severe", "T")
    assert (found.rows, found.columns, found.published) == (("m",), ("avg",), 28.61)
    assert found.recomputed == pytest.approx(23.333)


@pytest.mark.parametrize(("avg", "severity"), [("23.34", "note"), ("23.50", "warning"), ("24.61", "severe")])
def test_severity_is_the_distance_beyond_rounding(tmp_path: Path, avg: str, severity: str) -> None:
    found = audited(tmp_path, {"T": {"m": row(10, 20, 40) | {"avg": avg}}}, MEAN)
    # 10.00, 20.00 and 40.00 may be off by 0.005 each: 23.34 is within a unit of the last digit
    assert [f.severity for f in found] in ([severity], [] if avg == "23.34" else [severity])


def test_a_column_that_repeats_another_instead_of_following(tmp_path: Path) -> None:
    rows = {f"m{n}": row(10.11 + n, 37.37 - n, 90.02 + n / 7) for n in range(8)}
    rows = {name: cells | {"avg": cells["b"]} for name, cells in rows.items()}
    found = only(audited(tmp_path, {"T": rows}, MEAN))
    assert found.kind == "copy" and len(found.rows) == 8 and "8 repeat T b" in found.message


def test_a_misprint_that_breaks_two_figures(tmp_path: Path) -> None:
    rules = MEAN + derived("gap", "'a' - 'b'")
    cells = row(31.42, 27.18, 57.72) | {"gap": "4.24"}
    found = only(audited(tmp_path, {"T": {"m": cells | {"a": "37.42"}, "k": row(1, 2, 3)}}, rules))
    assert (found.kind, found.columns, found.published, found.recomputed) == ("misprint", ("a",), 37.42, 31.42)


def test_where_two_cells_could_be_the_misprint_neither_is_told(tmp_path: Path) -> None:
    rules = MEAN + derived("sum", "'a' + 'b'")
    cells = row(31.42, 27.18, 57.72) | {"sum": "58.60"}
    found = audited(tmp_path, {"T": {"m": cells | {"a": "37.42"}, "k": row(1, 2, 3)}}, rules)
    assert [(f.kind, f.columns) for f in found] == [("average", ("avg",)), ("average", ("sum",))]


def test_a_lone_misprint_in_a_high_digit_that_is_an_impossible_share(tmp_path: Path) -> None:
    shares = '[[shares]]\ntable = "T"\ncolumns = ["a", "b", "c"]\nn = 509\nwhy = "509 questions"\n'
    cells = row(100 * 344 / 509, 100 * 200 / 509, 100 * 100 / 509)
    found = audited(tmp_path, {"T": {"m": cells | {"a": "37.58"}, "k": row(0, 0, 0)}}, MEAN + shares)
    assert {f.kind for f in found} == {"misprint", "impossible"}
    assert next(f for f in found if f.kind == "misprint").recomputed == 67.58


def test_what_one_slip_makes_of_a_number() -> None:
    told = set(edits("12.3"))
    assert {"-12.3", "21.3", "12.4", "92.3"} <= told and "12.3" not in told and len(told) == 1 + 27 + 1


def test_a_share_of_no_whole_number(tmp_path: Path) -> None:
    rules = '[[shares]]\ntable = "T"\ncolumns = ["a"]\nn = 70\nwhy = "70 questions"\n'
    found = only(audited(tmp_path, {"T": {"m": {"a": "67.63"}, "k": {"a": "67.14"}}}, rules))
    assert (found.kind, found.rows, found.recomputed) == ("impossible", ("m",), "67.14 or 68.57")


def test_a_row_measured_on_other_questions(tmp_path: Path) -> None:
    rng = random.Random(5)
    cells = {f"c{n}": f"{100 * rng.randint(5, 90) / 97:.2f}" for n in range(12)}
    rules = '[[shares]]\ntable = "T"\nn = 500\nwhy = "500 questions"\n'
    found = only(audited(tmp_path, {"T": {"m": cells}}, rules))
    assert found.kind == "impossible" and "fit n = 97" in found.message and len(found.columns) >= 10


def test_a_row_in_another_order_than_its_columns(tmp_path: Path) -> None:
    sizes = {"SR": 675, "ER": 408, "SU": 173, "AD": 174, "TR": 70}
    right = {"SR": 400, "ER": 120, "SU": 91, "AD": 101, "TR": 22}
    true = {c: f"{100 * right[c] / n:.2f}" for c, n in sizes.items()} | {"Avg": f"{100 * 734 / 1500:.2f}"}
    rules = '[[shares]]\ntable = "T"\npooled = "Avg"\nwhy = "sizes"\n[shares.n]\nAvg = 1500\n' + "".join(
        f"{c} = {n}\n" for c, n in sizes.items()
    )
    assert audited(tmp_path / "a", {"T": {"m": true}}, rules) == []
    mixed = true | {"ER": true["SU"], "SU": true["TR"], "TR": true["AD"], "AD": true["ER"]}
    found = only(audited(tmp_path / "b", {"T": {"m": mixed}}, rules))
    assert found.kind == "permutation" and found.rows == ("m",)
    assert found.recomputed == ", ".join(f"{c} {true[c]}" for c in ("ER", "SU", "AD", "TR"))


def test_columns_under_each_others_labels(tmp_path: Path) -> None:
    rng = random.Random(1)
    sizes = {"P": 96, "C": 701, "M": 29}
    rows = {f"m{k}": {c: f"{100 * rng.randint(1, n - 1) / n:.2f}" for c, n in sizes.items()} for k in range(9)}
    rules = '[[shares]]\ntable = "T"\nwhy = "the released file"\n[shares.n]\nP = 701\nC = 29\nM = 96\n'
    found = only(audited(tmp_path, {"T": rows}, rules))
    assert (found.kind, found.columns) == ("permutation", ("P", "C", "M"))
    assert found.recomputed == "P: n = 96, C: n = 701, M: n = 29"


def test_two_tables_that_print_one_quantity_differently(tmp_path: Path) -> None:
    rules = derived("a", "cell('U', 'z')", kind='"mismatch"')
    found = only(
        audited(
            tmp_path,
            {"T": {"m": {"a": "48.7"}, "k": {"a": "2.0"}}, "U": {"m": {"z": "46.04"}, "k": {"z": "2.04"}}},
            rules,
        )
    )
    assert (found.kind, found.published, found.recomputed) == ("mismatch", 48.7, 46.04)


def test_orders_that_must_hold(tmp_path: Path) -> None:
    rules = '[[ordered]]\ntable = "T"\ncolumns = ["EM", "JI", "P"]\nwhy = "sets"\n'
    rows = {"good": {"EM": "1.0", "JI": "2.0", "P": "2.0"}, "bad": {"EM": "1.0", "JI": "3.0", "P": "2.0"}}
    found = only(audited(tmp_path, {"T": rows}, rules))
    assert (found.kind, found.rows, found.columns) == ("ordering", ("bad",), ("JI", "P"))


def test_comparisons_that_must_hold_in_every_row(tmp_path: Path) -> None:
    rules = "[[holds]]\ntable = \"T\"\nformula = \"'F' <= ('P' + 'R') / 2\"\nwhy = \"means\"\n"
    rows = {"good": {"F": "2.0", "P": "1.0", "R": "3.0"}, "bad": {"F": "2.2", "P": "1.0", "R": "3.0"}}
    assert only(audited(tmp_path, {"T": rows}, rules)).rows == ("bad",)


def test_values_outside_their_range(tmp_path: Path) -> None:
    rules = '[[bounded]]\ntable = "T"\nlow = 0.0\nhigh = 20.0\nwhy = "points"\n'
    assert only(audited(tmp_path, {"T": {"m": {"a": "20.1", "b": "20.0"}}}, rules)).columns == ("a",)


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


def test_claims_of_the_text(tmp_path: Path) -> None:
    tables = {"T": {"m": {"a": "10.0"}, "k": {"a": "12.5"}}}
    claims = """
[[claim]]
where = "1"
says = "m has 10.0"
printed = "10.0"
formula = "cell('T', 'm', 'a')"
[[claim]]
where = "2"
says = "m is the best"
holds = "top(column('T', 'a')) == 'm'"
[[claim]]
where = "3"
says = "about 3 apart"
printed = "3"
formula = "cell('T', 'k', 'a') - cell('T', 'm', 'a')"
[[claim]]
where = "4"
says = "3.1 apart"
printed = "3.1"
formula = "cell('T', 'k', 'a') - cell('T', 'm', 'a')"
"""
    found = audited(tmp_path, tables, claims=claims)
    assert [f.message[0] for f in found] == ["2", "4"]
    assert {f.kind for f in found} == {"claim"} and found[1].recomputed == 2.5


@pytest.mark.parametrize(
    ("rules", "claims"),
    [
        ('[[derived]]\ntable = "T"\ntraget = "a"\n', ""),
        ("[[derived]\n", ""),
        (derived("nothing", "'a'"), ""),
        (derived("a", "cell('V', 'z')"), ""),
        ('[[bounded]]\ntable = "V"\nlow = 0.0\nhigh = 1.0\nwhy = "x"\n', ""),
        ('[[bounded]]\ntable = "T"\nrows = ["nobody"]\nlow = 0.0\nhigh = 1.0\nwhy = "x"\n', ""),
        (derived("a", "top(column('T', 'a'))"), ""),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nholds = "\'a\'"\n'),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nformula = "cell(\'T\', \'z\', \'a\')"\nprinted = "1"\n'),
        ("", '[[claim]]\nwhere = "1"\nsays = "x"\nformula = "1 + 1"\n'),
    ],
)
def test_rules_that_cannot_be_meant_are_refused(tmp_path: Path, rules: str, claims: str) -> None:
    with pytest.raises(SpecError):
        audited(tmp_path, {"T": {"m": {"a": "1.0"}}}, rules, claims)


@pytest.mark.parametrize("value", ["many", "1e5", "nan", "inf", "1_0", "0x1"])
def test_tables_with_what_is_no_number_are_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(DataError, match="not a number"):
        audited(tmp_path, {"T": {"m": {"a": value}}})


def test_dashes_are_no_cells_and_a_paper_without_tables_has_no_findings(tmp_path: Path) -> None:
    assert audited(tmp_path / "a", {"T": {"m": row(1, 2, 3) | {"b": "-"}, "k": row(1, 2, 3)}}, MEAN) == []
    assert audited(tmp_path / "b", {}) == []


def test_chance_statistics_against_hand_computed_cases() -> None:
    assert tail(2, 2, 0.5) == pytest.approx(0.25)
    assert tail(1, 3, 0.1) == pytest.approx(1 - 0.9**3)
    # two values of width 0.01 and n = 100: each fits with 1%
    assert chance(100, [Interval.printed("33.00"), Interval.printed("12.00")]) == pytest.approx(1e-4)
    assert chance(100, [Interval.printed("0.00"), Interval.printed("100.00")]) == 1.0
    rng = random.Random(0)
    assert likely_n([Interval.printed(f"{rng.uniform(5, 95):.2f}") for _ in range(20)]) is None


def test_one_quantity_printed_twice_does_not_say_which_figure_is_right() -> None:
    """Ola's error rate is 6.6 in one table and 36.8 in another: its outputs give 6.57, so 36.8 does not "follow"."""
    (found,) = [f for f in audit_tables("mcif") if f.rows == ("Ola",) and f.columns == ("mix|long|REC",)]
    assert found.message.startswith("printed 6.6 here and 36.8 elsewhere") and "follows" not in found.message
    assert "don't show which is correct" in found.message
