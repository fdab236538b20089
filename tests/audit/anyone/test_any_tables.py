"""`audit tables FILE…`: each kind of fault in a table that is correct otherwise, and correct tables that look odd."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.audit.sheets.test_table_files import workbook
from triptych import audit_tables
from triptych.audit.anyone.check import audit_files
from triptych.audit.anyone.derived import shifted
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.records import Finding
from triptych.reports.findings.tables_page import tables_html

# Shares of 200, 150 and 120 questions, and their means, worked out by hand.
HEAD = ["Model", "Speech", "Music", "Sound", "Avg"]
ROWS = [
    ["Alpha", "60.50", "70.67", "50.83", "60.67"],
    ["Beta", "61.00", "72.00", "55.00", "62.67"],
    ["Gamma", "44.50", "51.33", "35.00", "43.61"],
    ["Delta", "70.50", "66.67", "61.67", "66.28"],
    ["Epsilon", "81.00", "77.33", "72.50", "76.94"],
    ["Zeta", "33.50", "41.33", "38.33", "37.72"],
]


def markdown(rows: list[list[str]], head: list[str] = HEAD) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n"


def found(folder: Path, text: str, name: str = "t.md", **options: object) -> list[Finding]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return audit_tables(path, **options)  # type: ignore[arg-type]


def exit_code(*arguments: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["audit", "tables", *arguments])
    return ended.value.code


def changed(row: int, column: int, text: str) -> list[list[str]]:
    return [[text if (r, c) == (row, column) else own for c, own in enumerate(line)] for r, line in enumerate(ROWS)]


def test_a_correct_table_has_no_finding(tmp_path: Path) -> None:
    assert found(tmp_path, markdown(ROWS)) == []


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


def test_an_impossible_share_of_a_stated_number(tmp_path: Path) -> None:
    rows = [row[:4] for row in changed(0, 1, "60.37")]
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200})
    assert (one.kind, one.severity, one.rows, one.columns) == ("impossible", "severe", ("Alpha",), ("Speech",))
    assert "120 of 200 is 60.000 and 121 of 200 is 60.500" in one.message


def test_an_impossible_share_of_an_inferred_number(tmp_path: Path) -> None:
    hits = [12, 17, 29, 33, 41, 47, 52, 8, 19, 26]
    rows = [[f"Model {k}", f"{100 * k / 61:.2f}", "x"] for k in hits]
    rows[4][1] = "66.66"
    (one,) = found(tmp_path, markdown(rows, ["Model", "Acc", "Note"]))
    assert one.kind == "impossible" and "n = 61: 9 of 10 figures of the column are its shares" in one.message


def test_the_row_of_chance_is_not_a_share(tmp_path: Path) -> None:
    rows = [[*row[:4]] for row in ROWS] + [["Random guess", "25.13", "25.13", "25.13"]]
    assert found(tmp_path, markdown(rows, HEAD[:4]), questions={"Speech": 200, "Music": 150, "Sound": 120}) == []


def test_a_count_next_to_its_share(tmp_path: Path) -> None:
    rows = [["a", "60.5 (121/200)"], ["b", "61.0 (122/200)"], ["c", "62.0 (134/200)"]]
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.kind == "mismatch" and "134 of 200 is 67.00" in one.message


def test_a_difference_and_a_relative_gain(tmp_path: Path) -> None:
    pairs = [(60.5, 64.0), (61.0, 66.5), (44.5, 52.0), (70.5, 71.0), (81.0, 83.5), (33.5, 41.0)]
    for head, gain in (("Δ", lambda a, b: b - a), ("Rel. gain (%)", lambda a, b: 100 * (b - a) / a)):
        rows = [[f"m{n}", str(a), str(b), f"{gain(a, b):.1f}"] for n, (a, b) in enumerate(pairs)]
        assert found(tmp_path, markdown(rows, ["Model", "Base", "Ours", head])) == []
        rows[2][3] = "9.9"
        (one,) = found(tmp_path, markdown(rows, ["Model", "Base", "Ours", head]))
        assert one.kind in {"average", "misprint"} and one.rows == ("m2",)


def test_differences_next_to_figures(tmp_path: Path) -> None:
    base = [60.5, 71.0, 50.0]
    rows = [["Base", *map(str, base)]]
    rows += [[f"+ {k}", *(f"{b + k:.1f} (+{k:.1f})" for b in base)] for k in (1.5, 2.5, 4.0)]
    assert found(tmp_path, markdown(rows, HEAD[:4])) == []
    rows[2][2] = "73.5 (+5.2)"
    (one,) = found(tmp_path, markdown(rows, HEAD[:4]))
    assert one.kind == "average" and "73.5 - 71 is +2.5" in one.message


def test_a_copied_row(tmp_path: Path) -> None:
    head = ["Model", *(f"T{k}" for k in range(8))]
    rows = [
        [f"m{n}", *(f"{40 + (37 * n + 11 * k * k + 5 * n * k) % 50}.{(7 * n + 3 * k) % 10}" for k in range(8))]
        for n in range(8)
    ]
    assert not [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "copy"]
    rows[6][1:7] = rows[1][1:7]
    (one,) = [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "copy"]
    assert one.rows == ("m1", "m6") and one.severity in {"severe", "warning"} and "6 of 8 cells" in one.message


def test_one_cell_with_two_values(tmp_path: Path) -> None:
    other = changed(3, 2, "61.33")
    text = markdown(ROWS) + "\n## Again\n\n" + markdown([row[:4] for row in other], HEAD[:4])
    (one,) = found(tmp_path, text)
    assert (one.kind, one.severity, one.rows, one.columns) == ("mismatch", "severe", ("Delta",), ("Music",))
    assert "66.67 here and 61.33 in t.md#2" in one.message


@pytest.mark.parametrize(
    ("head", "row", "said"),
    [
        (["M", "Acc (%)", "x"], ["bad", "104.2", "1"], "at most 100"),
        (["M", "WER", "x"], ["bad", "-1.2", "1"], "error rate is 0 or more"),
        (["M", "R@1", "R@5"], ["bad", "60.5", "55.0"], "R@k can't fall"),
        (["M", "Top-1", "Top-5"], ["bad", "60.5", "55.0"], "top-k can't fall"),
        (["M", "IoU=0.3", "IoU=0.5"], ["bad", "30.5", "55.0"], "can't rise"),
    ],
)
def test_what_can_not_be(tmp_path: Path, head: list[str], row: list[str], said: str) -> None:
    good = [["a", "50.1", "71.2"], ["b", "51.2", "72.3"], ["c", "48.5", "70.6"], ["d", "49.9", "71.7"]]
    if "IoU=0.3" in head:
        good = [[n, b, a] for n, a, b in good]
    if head[2] == "x":
        good, row = [[n, a, "text"] for n, a, _ in good], [*row[:2], "text"]
    assert found(tmp_path, markdown(good, head)) == []
    (one,) = found(tmp_path, markdown([*good, row], head))
    assert one.severity == "severe" and said in one.message


def test_f1_is_at_most_the_mean_of_precision_and_recall(tmp_path: Path) -> None:
    rows = [
        ["a", "50.0", "70.0", "58.3"],
        ["b", "60.0", "60.0", "60.0"],
        ["c", "80.0", "40.0", "53.3"],
        ["d", "40.0", "50.0", "48.1"],
    ]
    (one,) = found(tmp_path, markdown(rows, ["M", "Precision", "Recall", "F1"]))
    assert one.rows == ("d",) and "above the mean of precision 40.0 and recall 50.0 (45)" in one.message


def test_bold_that_is_not_the_best(tmp_path: Path) -> None:
    head = ["Model", *(f"T{k}" for k in range(6))]
    rows = [[f"m{n}", *(f"{40 + (13 * n + 7 * k) % 41}.{(3 * n + k) % 10}" for k in range(6))] for n in range(5)]
    for c in range(1, 7):
        best = max(rows, key=lambda row: float(row[c].strip("*")))
        best[c] = f"**{best[c]}**"
    assert not [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    for row in rows:
        row[3] = row[3].strip("*")
    worst = min(rows, key=lambda row: float(row[3]))
    worst[3] = f"**{worst[3]}**"
    (one,) = [f for f in found(tmp_path, markdown(rows, head)) if f.kind == "mark"]
    assert one.severity == "warning" and "is bold, but" in one.message


def test_a_rank_that_does_not_follow(tmp_path: Path) -> None:
    values = [81.2, 77.5, 70.1, 66.0, 61.3, 55.5]
    rows = [[str(n + 1), f"m{n}", str(v)] for n, v in enumerate(values)]
    assert found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"])) == []
    rows[2][2], rows[3][2] = rows[3][2], rows[2][2]
    (one,) = found(tmp_path, markdown(rows, ["Rank", "Model", "Acc"]))
    assert one.kind == "mark" and one.rows == ("m2", "m3")


def test_a_standard_error_that_its_number_of_questions_can_not_give(tmp_path: Path) -> None:
    shares = [0.61, 0.72, 0.55, 0.43, 0.81, 0.35]
    rows = [[f"m{n}", f"{p:.4f} ± {(p * (1 - p) / 500) ** 0.5:.4f}"] for n, p in enumerate(shares)]
    assert found(tmp_path, markdown(rows, ["M", "Acc"])) == []
    rows[1][1] = "0.7200 ± 0.0097"
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.rows == ("m1",) and "would have to rest on about 2,14" in one.message


def test_an_interval_without_its_figure(tmp_path: Path) -> None:
    rows = [["a", "61.5 [58.1, 64.9]"], ["b", "70.2 [61.0, 65.0]"], ["c", "50.0 (46.9, 53.1)"]]
    (one,) = found(tmp_path, markdown(rows, ["M", "Acc"]))
    assert one.rows == ("b",) and "its interval is 61.0 to 65.0" in one.message


def test_truncated_averages_are_no_finding(tmp_path: Path) -> None:
    rows = [[*row[:4], f"{int(100 * sum(map(float, row[1:4])) / 3) / 100:.2f}"] for row in ROWS]
    assert found(tmp_path, markdown(rows)) == []


RULES = """
[[derived]]
table = "t.md#1"
target = "Avg"
formula = "mean('Speech', 'Music', 'Sound')"
why = "the README says so"

[shares]
"""


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


@pytest.mark.parametrize(
    ("rules", "said"), [(RULES, "can't be read"), (RULES[:-10].replace("#1", "#7"), "does not exist")]
)
def test_rules_that_are_wrong(tmp_path: Path, rules: str, said: str) -> None:
    (tmp_path / "rules.toml").write_text(rules)
    with pytest.raises(SpecError, match=said):
        found(tmp_path, markdown(ROWS), rules=tmp_path / "rules.toml")


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


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.md"],
        ["t.md", "--n", "Nothing=5"],
        ["t.md", "--n", "Avg=0"],
        ["cmdar", "t.md"],
        ["t.md", "--to", "x.pdf"],
    ],
)
def test_wrong_use_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.md").write_text(markdown(ROWS))
    assert exit_code(*arguments) == 2


ONE_FIGURE = {
    "t.csv": "model,accuracy\nAlpha,71.5\n",
    "t.md": "| model | accuracy |\n|---|---|\n| Alpha | 71.5 |\n",
    "t.html": "<table><tr><th>model</th><th>accuracy</th></tr><tr><td>Alpha</td><td>71.5</td></tr></table>",
    "t.tex": "\\begin{tabular}{lr} model & accuracy \\\\ \\hline Alpha & 71.5 \\\\ \\end{tabular}",
    "empty.md": "",
}


@pytest.mark.parametrize("name", [*ONE_FIGURE, "t.xlsx"])
def test_a_file_without_a_table_is_an_error_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / name
    if name == "t.xlsx":
        workbook(path, '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>71.5</v></c></row>')
    else:
        path.write_text(ONE_FIGURE[name], encoding="utf-8")
    for more in ((), ("--json",)):
        assert exit_code(str(path), *more) == 2
        said = capsys.readouterr()
        assert not said.out and "no table was found" in said.err and name in said.err and "--no-tables-ok" in said.err
    assert exit_code(str(path), "--no-tables-ok") == 0
    assert "no table was found" in capsys.readouterr().out
    (tmp_path / "good.md").write_text(markdown(ROWS))
    assert exit_code(str(path), str(tmp_path / "good.md")) == 0
    said = capsys.readouterr()
    assert f"no table in {path}" in said.err and "1 table with 24 figures" in said.out


def test_a_page_escapes_what_tables_say(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,<script>alert(1)</script>,B\na<b>,1.5,2\nc,2.5,3\n")
    page = tables_html(*audit_files([path]))
    assert "<script>" not in page and "&lt;script&gt;" in page and "a&lt;b&gt;" in page


def test_a_column_whose_name_only_begins_like_a_standard_error_is_none(tmp_path: Path) -> None:
    """StackExchange P2P next to Reddit: a real table of embedding models."""
    rows = [["a", "93.9", "42.9"], ["b", "90.5", "49.0"], ["c", "78.7", "59.7"], ["d", "79.8", "59.5"]]
    assert found(tmp_path, markdown(rows, ["M", "Reddit", "SE-P2P"])) == []
    assert found(tmp_path, markdown(rows, ["M", "Reddit", "SE"])) == []


def test_negative_figures_of_differences_are_no_finding(tmp_path: Path) -> None:
    rows = [["Base", "80.1", "70.2"], ["Ours", "79.9", "71.3"], ["Other", "77.7", "70.1"], ["Decrease", "-0.2", "1.1"]]
    assert found(tmp_path, markdown(rows, ["Method", "Accuracy", "Acc"])) == []
    gains = [[f"m{n}", f"{n - 2}.25", f"{3 - n}.5", f"{n}.75", "0.5"] for n in range(6)]
    assert found(tmp_path, markdown(gains, ["Method", "A acc", "B acc", "C acc", "D acc"])) == []


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
