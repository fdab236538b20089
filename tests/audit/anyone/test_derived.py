"""Tests of `audit/anyone/derived.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.audit.anyone.tables import HEAD, ROWS, RULES, changed, exit_code, found, markdown
from triptych.audit.anyone.derived import shifted


def test_a_wrong_average_says_the_arithmetic_and_what_would_have_to_be_true(tmp_path: Path) -> None:
    (one,) = found(tmp_path, markdown(changed(1, 4, "64.18")))
    assert (one.kind, one.severity, one.rows, one.columns) == ("average", "severe", ("Beta",), ("Avg",))
    assert "(61.00 + 72.00 + 55.00) / 3 = 62.667" in one.message and "5 of 6 rows follow" in one.message
    assert "To be correct, the figures that it is computed from would have to be 4.539 higher in sum" in one.message
    assert (one.published, one.recomputed) == (64.18, 62.667)


def test_exchanged_digits_are_named(tmp_path: Path) -> None:
    (one,) = found(tmp_path, markdown(changed(1, 4, "26.67")))
    assert one.kind == "misprint" and "Avg 26.67 read as 62.67" in one.message


def test_a_shifted_decimal_point_is_named(tmp_path: Path) -> None:
    assert list(shifted("67.2")) == ["6.72", "672"] and list(shifted("6.72")) == ["0.672", "67.2"]
    own = found(tmp_path, markdown(changed(1, 4, "6.267")))
    assert [f.kind for f in own] == ["misprint"] and "read as 62.67" in own[0].message


def test_an_average_row_is_found_as_well(tmp_path: Path) -> None:
    rows = [["Model", *(row[0] for row in ROWS)], *([HEAD[c], *(row[c] for row in ROWS)] for c in range(1, 5))]
    assert found(tmp_path, markdown(rows[1:], rows[0])) == []
    rows[4][2] = "64.18"
    (one,) = found(tmp_path, markdown(rows[1:], rows[0]))
    assert (one.kind, one.rows, one.columns) == ("average", ("Avg",), ("Beta",))


def test_a_weighted_average_follows_from_the_numbers_of_questions(tmp_path: Path) -> None:
    head = ["Model", "Speech (n=200)", "Music (n=150)", "Sound (n=120)", "Overall"]
    overall = ["61.28", "62.98", "43.94", "66.81", "77.45", "37.45"]
    hits = [(121, 106, 61), (122, 108, 66), (89, 77, 42), (141, 100, 74), (162, 116, 87), (67, 62, 46)]
    assert [f"{100 * sum(h) / 470:.2f}" for h in hits] == [*overall[:2], "44.26", "67.02", "77.66", "37.23"]
    overall = [f"{100 * sum(h) / 470:.2f}" for h in hits]
    rows = [[*row[:4], value] for row, value in zip(ROWS, overall, strict=True)]
    assert found(tmp_path, markdown(rows, head)) == []
    rows[3][4] = "66.28"
    (one,) = found(tmp_path, markdown(rows, head))
    assert "weighted by their numbers of questions" in one.message and one.rows == ("Delta",)


def test_a_difference_and_a_relative_gain(tmp_path: Path) -> None:
    pairs = [(60.5, 64.0), (61.0, 66.5), (44.5, 52.0), (70.5, 71.0), (81.0, 83.5), (33.5, 41.0)]
    for head, gain in (("Δ", lambda a, b: b - a), ("Rel. gain (%)", lambda a, b: 100 * (b - a) / a)):
        rows = [[f"m{n}", str(a), str(b), f"{gain(a, b):.1f}"] for n, (a, b) in enumerate(pairs)]
        assert found(tmp_path, markdown(rows, ["Model", "Base", "Ours", head])) == []
        rows[2][3] = "9.9"
        (one,) = found(tmp_path, markdown(rows, ["Model", "Base", "Ours", head]))
        assert one.kind in {"average", "misprint"} and one.rows == ("m2",)


def test_rules_of_the_papers_form(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(
        RULES.replace(
            "[shares]\n",
            '[[claim]]\nwhere = "text"\nsays = "the best is 80%"\nprinted = "80"\n'
            "formula = \"high(column('t.md#1', 'Avg'))\"\n",
        )
    )
    kinds = [f.kind for f in found(tmp_path, markdown(changed(1, 4, "64.18")), rules=rules)]
    assert kinds == ["average", "claim"]


def test_the_command_prints_one_document_and_exits_with_1_if_something_is_severe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, page = tmp_path / "good.md", tmp_path / "bad.csv", tmp_path / "page.html"
    good.write_text(markdown(ROWS))
    bad.write_text("\n".join(",".join(row) for row in [HEAD, *changed(1, 4, "64.18")]))
    assert exit_code(str(good), "--json") == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
    assert exit_code(str(good), str(bad), "--json", "--to", str(page)) == 1
    told = json.loads(capsys.readouterr().out)
    assert [(f["kind"], f["table"]) for f in told["findings"]] == [("average", "bad.csv#1"), ("mismatch", "good.md#1")]
    assert [t["name"] for t in told["tables"]] == ["good.md#1", "bad.csv#1"] and "64.18" in page.read_text()


def test_a_rate_in_a_table_of_sums_is_no_finding(tmp_path: Path) -> None:
    """Keyword spotting: counts are summed over the keywords, recall is not."""
    rows = [[f"word {n}", str(20 + n), str(n % 7), str(3 * n + 1), f"{80 + n}.5", str(n + 2)] for n in range(8)]
    sums = [str(sum(int(row[c]) for row in rows)) for c in (1, 2, 3)]
    head = ["Word", "Hits", "Misses", "False alarms", "Recall", "Clips"]
    last = ["Total", *sums, "84.1", str(sum(int(row[5]) for row in rows))]
    assert [f for f in found(tmp_path, markdown([*rows, last], head)) if f.severity != "note"] == []
    wrong = [*last[:3], str(int(last[3]) + 1000), *last[4:]]
    assert [f.columns for f in found(tmp_path, markdown([*rows, wrong], head)) if f.severity != "note"] == [
        ("False alarms",)
    ]


@pytest.mark.parametrize("name", ["Music", "Music acc"])
def test_a_figure_above_100_is_blamed_for_the_mean_of_its_row(tmp_path: Path, name: str) -> None:
    """The names of categories don't say that their figures are shares, but the other figures do."""
    head = ["Model", "Speech", name, "Sound", "Avg"]
    (one,) = found(tmp_path, markdown(changed(2, 2, "104.2"), head))
    assert (one.kind, one.severity, one.rows, one.columns) == ("impossible", "severe", ("Gamma",), (name,))
    assert "printed 104.2" in one.message and (name != "Music" or "about 51.3 would give it" in one.message)


def test_a_figure_above_100_that_its_mean_contains_is_another_metric(tmp_path: Path) -> None:
    rows = changed(2, 2, "104.20")
    rows[2][4] = f"{(44.50 + 104.20 + 35.00) / 3:.2f}"
    assert found(tmp_path, markdown(rows)) == []


def test_three_of_four_rows_are_enough_for_a_severe_finding(tmp_path: Path) -> None:
    """The odds, which count the rows and the digits, decide; the page says so (docs/audit-tables.md)."""
    rows = [list(row) for row in ROWS[:4]]
    rows[3][4] = "84.18"
    (one,) = found(tmp_path, markdown(rows))
    assert one.severity == "severe" and "3 of 4 rows follow" in one.message
