"""Figures: every kind draws what its table holds, the same every time, and never a row of boxes."""

from __future__ import annotations

import dataclasses
import re
import zlib
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import triptych
from tests.reports.samples import FAMILIES, OVERALL, SLICED, column, figure, run
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from tests.support.fonts import make_font
from triptych.analysis.raters.calibrated import calibration_table
from triptych.analysis.response_cost import Cost
from triptych.benchmarks.registry import known_benchmarks
from triptych.errors import SpecError
from triptych.judges.calibration import Agreement, Calibration
from triptych.metrics.intervals import wilson
from triptych.records import Column, Layout, RowSlice, Section, Table, TableCell, TableRow, text
from triptych.reports.calibrated import write_calibration
from triptych.reports.plots import text_style as look
from triptych.reports.plots.complement import complemented
from triptych.reports.plots.data import panels, regrouped, turned
from triptych.reports.plots.draw import Drawing, _apart, draw
from triptych.reports.plots.gallery import gallery
from triptych.reports.plots.heat import best_published
from triptych.reports.plots.run_figures import run_figures
from triptych.reports.plots.scatter import pareto
from triptych.reports.plots.section_figures import raters, section_figures
from triptych.reports.plots.spec import KINDS, FigureSpec, Kind, layout_of, load_figures
from triptych.reports.report import collect, write_report
from triptych.reports.tables.fill import RunRemarks, fill
from triptych.reports.tables.keys import key_errors

pytest.importorskip("matplotlib")
RUNS = {"local/cascade": run(50), "baseline/random": run(20)}
PUBLISHED = {
    "T1": {f"Model {n}": {"Speech": 40.0 + n, "Music": 30.0 + n, "Sound": 20.0, "Last": 61.5} for n in range(5)}
}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(kind: Kind, table: Table, **more: object) -> Drawing:
    drawing = draw(FigureSpec("fig", kind, "A title <b>", **more), table)  # type: ignore[arg-type]
    assert drawing is not None
    return drawing


def table_of(kind: str) -> Table:
    if kind == "scatter":
        cells = [(1.0, 40.0), (2.0, 30.0), (3.0, 60.0)]
        rows = tuple(TableRow(f"r{n}", (TableCell(x), TableCell(y))) for n, (x, y) in enumerate(cells))
        return Table("t", "T", ("cost", "score"), rows)
    return fill(SLICED if kind == "matrix" else OVERALL, RUNS, PUBLISHED, headline="answered")


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_fit_for_a_strict_page(kind: Kind) -> None:
    drawing = drawn(kind, table_of(kind))
    svg = drawing.svg("here")
    root = ET.fromstring(svg)
    assert not re.search(r"\sstyle=|<style|<script|<metadata|http://(?!www\.w3\.org)", svg)
    assert all(name.startswith("here-") for name in re.findall(r'\bid="([^"]+)"', svg))
    assert set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", svg)) <= {
        (name, "") for name in re.findall(r'\bid="([^"]+)"', svg)
    } | {("", name) for name in re.findall(r'\bid="([^"]+)"', svg)}
    assert root.get("role") == "img" and root.get("aria-labelledby") == "here-title here-desc"
    assert root.find(f"{SVG}title").text == "A title <b>"  # type: ignore[union-attr]
    assert words(svg) and drawing.description
    assert svg == drawn(kind, table_of(kind)).svg("here")


def test_images_are_the_same_bytes_every_time() -> None:
    first, second = (drawn("bars", table_of("bars")) for _ in range(2))
    assert first.save("png") == second.save("png") and first.save("png").startswith(b"\x89PNG")
    assert first.save("pdf") == second.save("pdf") and first.save("pdf").startswith(b"%PDF")
    assert first.save("svg").startswith(b"<?xml")


def test_bars_carry_names_values_n_and_protocol() -> None:
    drawing = drawn("bars", table_of("bars"), axis="accuracy, %")
    shown = words(drawing.svg())
    for word in ("Speech", "local/cascade", "the paper's models", "accuracy, %", "50.0", "20.0"):
        assert word in shown, word
    for word in (
        "rotocol official",
        "n 20–60",
        "5 published rows",
        "answered Units only",
        "too few Instances for intervals",
    ):
        assert word in drawing.caption, word
    assert "local/cascade: Speech 50.0" in drawing.description


def test_intervals_are_told_where_they_are_drawn() -> None:
    layout = Layout("x", "X", tuple(column(n, {"family": n, "direction": "audio_text"}) for n in FAMILIES))
    assert "thin lines show 95% intervals" in drawn("bars", fill(layout, RUNS)).caption


def test_slices_are_panels_and_single_columns_are_turned() -> None:
    found = panels(fill(SLICED, RUNS))
    assert [panel.title for panel in found] == ["Speech", "Music", "Sound"]
    (panel,) = turned(panels(fill(Layout("s", "S", SLICED.columns[:1], SLICED.rows), RUNS)))
    assert panel.headings == ("Speech", "Music", "Sound")
    assert [cell.value for cell in panel.runs[0].cells] == [50, 57, 64]


def test_a_matrix_puts_each_heading_in_its_place() -> None:
    table = fill(Layout("m", "M", SLICED.columns), {"m": run(50)})
    grid = {"audio text": ("audio", "text"), "text audio": ("text", "audio")}
    shown = words(drawn("matrix", table, grid=grid).svg())
    assert shown.count("–") == 2 and {"50.0", "49.0", "audio", "text"} <= set(shown)


def test_error_rates_are_drawn_as_what_they_leave_where_a_figure_says_so() -> None:
    column_ = structs.replace(column("CER"), better="lower")
    cells = {"m": [structs.replace(figure(30.0), interval=(20.0, 45.0), value_all=40.0, value_answered=30.0)]}
    table = complemented(fill(Layout("c", "C", (column_,)), cells), {"CER": "100 - CER"})
    (cell,) = table.rows[0].cells
    assert (table.headings, table.columns[0].better) == (("100 - CER",), "higher")
    assert (cell.value, cell.value_all, cell.value_answered, cell.interval) == (70.0, 60.0, 70.0, (55.0, 80.0))
    assert complemented(table, {}) is table


def test_mcga_draws_figure_6_with_recognition_beside_the_other_tasks() -> None:
    benchmark = known_benchmarks()["mcga"]
    spec = next(spec for spec in load_figures(benchmark).figures if spec.paper == "Figure 6")
    layout = layout_of(spec, benchmark)
    assert [column.task.rpartition("/")[2] for column in layout.columns] == ["asr", "s2tt", "sec", "sqa", "su", "sr"]
    assert {c.heading for c in layout.columns if c.better == "lower"} == set(spec.complement)


def test_what_cannot_be_compared_is_not_drawn() -> None:
    nothing = fill(OVERALL, {"m": [figure(None)]})
    assert draw(FigureSpec("f", "bars", "T"), nothing) is None
    one = fill(Layout("x", "X", (column("Yes"), column("No", {"k": "none"}))), {"m": [figure(3)]})
    assert draw(FigureSpec("f", "bars", "T"), one) is None
    assert draw(FigureSpec("f", "bars", "T", needs=("Last",)), table_of("bars")) is None
    assert draw(FigureSpec("f", "radar", "T"), fill(Layout("x", "X", OVERALL.columns[:3]), RUNS)) is None


def test_many_runs_become_a_heat_map_with_the_papers_best() -> None:
    many = {f"run {n}": run(20 + n) for n in range(7)}
    published = {"T1": {f"M{n}": {"Speech": float(n), "Music": 1.0} for n in range(30)}}
    drawing = drawn("bars", fill(OVERALL, many, published))
    shown = words(drawing.svg())
    assert "M29" in shown and "M14" in shown and "M13" not in shown
    assert "the 16 best of the paper's 30 models" in drawing.caption


def test_long_names_of_many_runs_leave_room_for_the_values() -> None:
    long = [f"openai/our-omni-7b-sft-2026-11-20-checkpoint-00{n}000" for n in range(12)]
    table = fill(Layout("x", "X", OVERALL.columns[:2]), {name: run(20 + n) for n, name in enumerate(long)})
    figure = drawn("heat", table).figure
    (ax,) = figure.axes
    figure.canvas.draw()
    assert ax.get_window_extent().width / figure.dpi > 2 * 0.45, "two columns of numbers fit"
    assert ax.get_window_extent().height / figure.dpi > 12 * 0.2
    tops = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(one.y0 >= other.y1 - 1 for one, other in pairwise(tops)), "no name covers another"


def test_names_say_what_the_values_are_over_and_nothing_of_settings() -> None:
    table = table_of("bars")
    marks = {
        "a": ("settings differ between the Runs: temperature 0",),
        "b": ("unfinished: 568 of 624 Requests were not asked",),
    }
    rows = [structs.replace(table.rows[0], label=label, marks=own, origin="run") for label, own in marks.items()]
    (found, _) = _apart(structs.replace(table, rows=tuple(rows)), {})
    assert [row.label for row in found.rows] == ["a", "b (unfinished)"]


def test_a_highlighted_run_is_found_also_if_its_name_says_what_it_was_asked() -> None:
    names = [f"r{n}" for n in range(9)] + ["r9 (mini set, unfinished)", "r9 (blind)"]
    with look.highlighting(["r9", "r3"]):
        assert look.run_colour("r9 (mini set, unfinished)", names) == look.series_colour(0)
        assert look.run_colour("r3", names) == look.series_colour(1)
        assert look.run_colour("r9 (blind)", names) == look.run_colour("r1", names) == look.colour("strong-line")


def test_many_runs_are_no_dots_of_one_colour() -> None:
    table = fill(OVERALL, {f"run {n}": run(20 + n) for n in range(12)})
    assert "darker is better" in drawn("box", table).caption
    assert "darker is better" not in drawn("box", fill(OVERALL, RUNS)).caption


def test_many_runs_have_numbers_in_the_plot_of_score_against_cost() -> None:
    rows = tuple(
        TableRow(f"openai/a-rather-long-name-{n}", (TableCell(1.0 + n), TableCell(50.0 + n))) for n in range(12)
    )
    shown = words(drawn("scatter", Table("t", "T", ("cost", "score"), rows)).svg())
    assert "1  openai/a-rather-long-name-11" in shown and "12  openai/a-rather-long-name-0" in shown
    few = words(drawn("scatter", Table("t", "T", ("cost", "score"), rows[:3])).svg())
    assert "1  openai" not in few


def test_a_run_whose_values_are_all_zero_is_drawn_too() -> None:
    zero = [figure(0.0, {"family": name}) for name in FAMILIES]
    drawing = drawn("bars", fill(OVERALL, {"m": run(50), "even": zero}))
    assert "even" in words(drawing.svg()) and "even: Speech 0.0" in drawing.description


def test_what_should_be_near_zero_is_ranked_by_its_distance() -> None:
    layout = Layout(
        "z", "Z", (column("gap", better="zero"), column("more", {"family": "speech"}, better="zero")), paper="T1"
    )
    published = {
        "T1": {
            "far": {"gap": -60.0, "more": 1.0},
            "near": {"gap": 2.0, "more": 1.0},
            "some": {"gap": -9.0, "more": 1.0},
        }
    }
    own = [figure(1.0), figure(2.0, {"family": "speech"})]
    (panel,) = panels(fill(layout, {"m": own}, published))
    assert [row.label for row in best_published(panel, {"gap": "zero", "more": "zero"})] == ["near", "some", "far"]


def test_a_caption_says_that_a_run_is_of_the_mini_set() -> None:
    told = {"m": RunRemarks(("on the built-in mini set",)), "k": RunRemarks()}
    one = drawn("bars", fill(OVERALL, {"m": run(50), "k": run(20)}, told=told))
    assert "m: on the built-in mini set" in one.caption
    both = drawn("bars", fill(OVERALL, {"m": run(50)}, told=told))
    assert "on the built-in mini set" in both.caption and "m: on" not in both.caption


@given(st.lists(st.tuples(st.floats(0.1, 100), st.floats(0, 100)), min_size=1, max_size=12))
def test_the_pareto_line_holds_those_that_no_other_beats(spots: list[tuple[float, float]]) -> None:
    line = set(pareto(spots))
    for cost, score in spots:
        beaten = any(c <= cost and s >= score and (c, s) != (cost, score) for c, s in spots)
        assert ((cost, score) in line) != beaten


def test_hostile_names_are_text() -> None:
    label = "<script>alert(1)</script> $x_1$ &"
    svg = drawn("bars", fill(OVERALL, {label: run(50), "k": run(20)})).svg()
    assert label in words(svg) and "<script>alert" not in svg


def test_the_font_that_the_user_names_is_the_one_that_draws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIPTYCH_FONT", str(make_font(tmp_path / "han.ttf", "Han of a figure", "的诗词")))
    assert look.cjk_family() == "Han of a figure"
    drawing = drawn("bars", fill(OVERALL, {"诗": run(50), "词": run(20)}))
    assert {"诗", "词"} <= set(words(drawing.svg())) and "romanised" not in drawing.caption
    monkeypatch.delenv("TRIPTYCH_FONT")
    assert look.cjk_family() == "Triptych CJK"
    latin, text = make_font(tmp_path / "latin.ttf", "Latin", "abc"), tmp_path / "words.ttf"
    text.write_text("no font")
    for wrong, said in (
        (latin, "no Chinese"),
        (text, "not a readable font file"),
        (tmp_path / "absent.ttf", "not a readable font file"),
    ):
        monkeypatch.setenv("TRIPTYCH_FONT", str(wrong))
        with pytest.raises(SpecError, match=said):
            look.cjk_family()


def test_chinese_is_drawn_with_the_font_that_ships(recwarn: pytest.WarningsRecorder) -> None:
    """matplotlib warns of every character that no font has."""
    layout = Layout("x", "X", (column("诗 Shi", {"family": "speech"}), column("詞赋", {"family": "music"})))
    drawing = drawn("bars", fill(layout, RUNS))
    assert {"诗 Shi", "詞赋"} <= set(words(drawing.svg())) and "replaced" not in drawing.caption
    assert any(b"TriptychCJK" in part for part in (drawing.save("pdf"), *_streams(drawing.save("pdf"))))
    drawn("heat", fill(OVERALL, {"杜甫 蜀相": run(50), "k": run(3)})).save("png")
    assert not [w for w in recwarn if "missing from" in str(w.message)]


def _streams(pdf: bytes) -> list[bytes]:
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(stream) for stream in found if stream[:1] == b"x"]


def test_a_character_that_no_font_has_is_named_and_never_a_box(
    recwarn: pytest.WarningsRecorder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    layout = Layout("x", "X", (column("靐 Bing", {"family": "speech"}), column("k 龘龘", {"family": "music"})))
    drawing = draw(FigureSpec("f", "bars", "T"), fill(layout, RUNS), {"靐": ""})
    assert drawing is not None and {"Bing", "k U+9F98 U+9F98"} <= set(words(drawing.svg()))
    assert "no font has are replaced" in drawing.caption
    drawing.save("png")
    assert not [w for w in recwarn if "missing from" in str(w.message)]
    assert look.DrawableText()("한 a\u00ad") == "U+D55C a\u00ad" and look.DrawableText({"龘": "Da"})("龘") == "Da"
    monkeypatch.setenv("TRIPTYCH_FONT", str(make_font(tmp_path / "more.ttf", "Two more", "的龘")))
    assert look.DrawableText()("龘诗") == "龘诗"


def test_the_pages_themes_reach_every_series() -> None:
    rules = look.theme_rules()
    for number in range(look.SERIES):
        assert f'[fill="{look.series_colour(number)}"]{{fill:var(--series-{number + 1})}}' in rules
    assert look.series_colour(8) == look.series_colour(0)


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_every_benchmarks_figures_can_be_drawn(name: str) -> None:
    benchmark = known_benchmarks()[name]
    file = load_figures(benchmark)
    assert file.figures
    assert len({spec.id for spec in file.figures}) == len(file.figures)
    for spec in file.figures:
        layout = layout_of(spec, benchmark)
        if spec.keys:
            assert set(spec.keys) <= {task.id for task in benchmark.spec.tasks}
            continue
        assert layout.columns, spec.id
        assert set(spec.grid) <= {c.heading for c in layout.columns}
        rows = [
            TableRow("m", tuple(TableCell(1.0) for _ in layout.columns), sub=row.heading)
            for row in layout.rows or (RowSlice(""),)
        ]
        table = Table("t", "", tuple(c.heading for c in layout.columns), tuple(rows), columns=layout.columns)
        assert panels(table), spec.id


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ('id="x"\nkind="bars"\ntitle="T"\nlayout="nain"', "did you mean 'main'"),
        ('id="x"\nkind="pie"\ntitle="T"\nlayout="main"', "can't be read"),
        ('id="x"\nkind="bars"\ntitle="T"\nlayout="main"\npick=["Avg"]', "picks a heading that its layout doesn't have"),
        ('id="x"\nkind="bars"\ntitle="T"', "needs exactly one of: layout, columns"),
        ('id="x"\nkind="bars"\ntitle="T"\nkeys=["T99"]', "names an unknown Task"),
    ],
)
def test_a_wrong_figure_is_refused_with_what_is_right(tmp_path: Path, figures: str, message: str) -> None:
    benchmark = known_benchmarks()["cmdar"]
    (tmp_path / "figures.toml").write_text(f"[[figures]]\n{figures}\n", encoding="utf-8")
    (tmp_path / "spec.toml").write_bytes((benchmark.folder / "spec.toml").read_bytes())
    with pytest.raises(SpecError, match=message):
        load_figures(dataclasses.replace(benchmark, folder=tmp_path))


def test_a_benchmark_without_figures_gets_its_overview(make_run: MakeRun, tmp_path: Path) -> None:
    folder = make_run(
        [item("1"), item("2"), item("3")], [response("1"), response("2", "B"), response("3", "", "failed")]
    )
    (report,) = collect([folder])
    assert [drawing.id for drawing in gallery(report, "official")] == ["overview", "outcomes"]
    written = write_report([folder], to=tmp_path / "out", formats=["pdf", "png"])
    assert {path.suffix for path in written} == {".pdf", ".png", ".csv", ".tex"} and len(written) == 12
    for path in (path for path in written if path.suffix == ".tex"):
        line = path.read_text(encoding="utf-8")
        assert line.count("\n") == 1 and rf"\includegraphics[width=\linewidth]{{{path.stem}.pdf}}" in line
        assert path.with_suffix(".pdf") in written and path.with_suffix(".csv").read_text("utf-8").startswith(
            "protocol,"
        )
    assert all(path.parent == tmp_path / "out" / "figures" for path in written)


def test_a_condition_with_a_number_is_a_line(make_run: MakeRun) -> None:
    items = [item("1"), item("2")]
    folders = [
        make_run(
            items,
            [structs.replace(response("1", a), condition=c), structs.replace(response("2"), condition=c)],
            f"r{n}",
            conditions=(c,) if c else (),
        )
        for n, (c, a) in enumerate((("snr:db=5,seed=1", "B"), ("snr:db=-5,seed=1", "B"), ("", "A")))
    ]
    (report,) = collect(folders)
    (dose,) = [drawing for drawing in gallery(report, "official") if drawing.id == "dose-snr-db-seed-1"]
    shown = words(dose.svg())
    assert shown.index("-5") < shown.index("5") < shown.index("as it is")


def test_sections_are_drawn_by_kind() -> None:
    def cell(value: float) -> TableCell:
        return TableCell(value, n=9, interval=(value - 5, value + 5))

    rows = tuple(TableRow(f"row_{n}", (cell(50), cell(40), cell(10.0 + n))) for n in range(3))
    tables = (Table("ablation", "With and without", ("as it is", "blind", "minus blind"), rows, "official"),)
    ((kind, drawing),) = section_figures([Section("ablation", "What it is worth: m", "…", tables=tables)])
    assert kind == "ablation" and "row 1" in words(drawing.svg()) and "40.0" not in words(drawing.svg())
    places = [
        Section(
            "robustness.position",
            f"Position bias: {who}",
            "…",
            tables=(
                Table(
                    "p",
                    "P",
                    ("key", "picked"),
                    tuple(TableRow(f"{place} of 2", (cell(50), cell(30))) for place in "AB"),
                ),
            ),
        )
        for who in ("m", "k")
    ]
    ((kind, drawing),) = section_figures(places)
    assert kind == "robustness" and {"m", "k", "A of 2"} <= set(words(drawing.svg()))
    assert list(section_figures([Section("other", "O", "…", tables=tables)])) == []


def test_costs_are_told_only_as_far_as_they_are_known() -> None:
    told = response("1")
    told = structs.replace(told, seconds=90.0, cost_usd=0.5, usage=None)
    cost = Cost.of([told, structs.replace(told, item="2", cached=True)])
    assert (cost.tokens, cost.time, cost.money, cost.cached) == ("not reported", "1.5 min", "$0.5", 1)
    assert Cost.of([structs.replace(told, cost_usd=None), told]).money == "unknown"
    assert Cost.of([]).money == "unknown"


def test_numbers_stand_in_a_column_whatever_their_bars_do() -> None:
    table = Table("t", "T", ("a", "b"), (TableRow("m", (TableCell(-40.0, interval=(-80, 0)), TableCell(7.0))),))
    svg = drawn("bars", table).svg()
    values = [e for e in ET.fromstring(svg).iter(f"{SVG}text") if (e.text or "") in ("−40.0", "7.0")]
    ends = {
        (e.get("text-anchor"), round(float((e.get("transform") or "").split("(")[1].split()[0]), 1)) for e in values
    }
    assert len(values) == 2 and len({anchor for anchor, _ in ends}) == 1
    assert look.DPI == 300


def test_pairs_of_headings_are_groups_and_series_of_each_run() -> None:
    table = Table(
        "t",
        "T",
        ("T2 image", "T2 text", "T3 image", "T3 text"),
        tuple(
            TableRow(name, tuple(TableCell(value) for value in values))
            for name, values in (("m", (1.0, 2.0, 3.0, 4.0)), ("k", (5.0, None, 7.0, None)))
        ),
    )
    grid = {h: (h[:2], h[3:]) for h in table.headings}
    first, second = regrouped(panels(table), grid)
    assert (first.title, first.headings) == ("m", ("T2", "T3"))
    assert [(r.label, [c.value for c in r.cells]) for r in first.runs] == [("image", [1, 3]), ("text", [2, 4])]
    assert [(r.label, [c.value for c in r.cells]) for r in second.runs] == [("image", [5, 7])]
    assert {"T2", "T3", "image", "text", "m", "k"} <= set(words(drawn("bars", table, grid=grid).svg()))


def test_names_of_dots_keep_clear_of_each_other() -> None:
    rows = tuple(TableRow(f"a model of some length {n}", (TableCell(1.0 + n / 50), TableCell(30.0))) for n in range(5))
    figure_ = drawn("scatter", Table("t", "T", ("cost", "score"), rows)).figure
    from matplotlib.text import Text

    boxes = [Text.get_window_extent(name) for name in figure_.axes[0].texts]  # without the lines to the dots
    assert len(boxes) == 5
    assert not [1 for n, one in enumerate(boxes) for other in boxes[n + 1 :] if one.overlaps(other)]


def test_error_rates_by_the_right_option(make_run: MakeRun) -> None:
    """Of two answered Units whose key is `seal` one is wrong, of one `regular` none; the failed one is left out."""
    options = ((text("seal"),), (text("regular"),))
    asked = [
        structs.replace(item(str(n)), options=options, labels=("A", "B"), target="A" if n < 3 else "B")
        for n in range(4)
    ]
    folder = make_run(asked, [response("0"), response("1", "B"), response("2", "", "failed"), response("3", "B")])
    (report,) = collect([folder])
    table = key_errors(report, "official", ["a"])
    assert table.headings == ("regular", "seal")
    (row,) = table.rows
    assert [(c.value, c.n) for c in row.cells] == [(0.0, 1), (50.0, 2)]
    assert row.cells[1].interval == pytest.approx((9.45, 90.55), abs=0.01)  # Wilson, of 1 of 2


def test_repeats_of_a_question_narrow_no_error_rate(make_run: MakeRun) -> None:
    """Two questions, one wrong in one of two repeats: 25% of two questions, not one of four."""
    options = ((text("seal"),), (text("regular"),))
    asked = [
        structs.replace(item(n), options=options, labels=("A", "B"), target=t)
        for n, t in zip("012", "AAB", strict=True)
    ]
    replies = [response(n, t, repeat=r) for r in (0, 1) for n, t in zip("012", "AAB", strict=True)]
    replies[0] = response("0", "B")
    (report,) = collect([make_run(asked, replies, repeats=2)])
    cell = key_errors(report, "official", ["a"]).rows[0].cells[1]
    assert (cell.value, cell.n) == (25.0, 2)
    assert cell.interval == pytest.approx([100 * bound for bound in wilson(0.5, 2)])


def test_a_model_under_a_condition_stands_beside_itself(make_run: MakeRun) -> None:
    items = [item("1"), item("2")]
    folders = [
        make_run(
            items,
            [structs.replace(response(i, a), condition=c) for i, a in (("1", answer), ("2", "A"))],
            f"r{n}",
            conditions=(c,) if c else (),
        )
        for n, (c, answer) in enumerate((("", "A"), ("noise:seed=1", "B")))
    ]
    (report,) = collect(folders)
    (table,) = [t for spec, t in run_figures(report, report.overview("official")) if spec.id == "conditions"]
    assert (table.headings, [r.label for r in table.rows]) == (("replay/x",), ["as it is", "noise:seed=1"])
    assert [r.cells[0].value for r in table.rows] == [100, 50]


def rated(*rows: tuple[str, float | None]) -> Section:
    cells = [TableRow(name, (TableCell(v, n=9), TableCell(v), TableCell(v), TableCell(99.0))) for name, v in rows]
    table = Table("agreement", "", ("Pearson", "Spearman", "alpha (interval)", "bias"), tuple(cells), "official")
    return Section("agreement", "Agreement: m", "…", tables=(table,))


def test_judges_are_drawn_beside_people_first_and_without_the_bias() -> None:
    judge = "judge g-pair-0123abcd on score"
    section = rated(
        (f"metric f1 · {judge}", 0.2),
        (f"{judge} · itself, asked again", 0.9),
        (f"{judge} · person P", 0.7),
        ("metric f1 · metric em", None),
    )
    table = raters([section])
    assert table is not None and table.headings == ("Pearson", "Spearman", "alpha (interval)")
    assert [row.label for row in table.rows] == [
        "judge g-pair · person P",
        "judge g-pair · itself, asked again",
        "metric f1 · judge g-pair",
    ]
    ((kind, drawing),) = section_figures([section])
    assert (kind, drawing.id) == ("agreement", "judges") and "99.0" not in drawing.description
    assert raters([]) is None


def test_two_judges_that_differ_by_their_hash_alone_keep_it() -> None:
    section = rated(("judge g-0123abcd on s · person P", 0.1), ("judge g-fedc4321 on s · person P", 0.2))
    table = raters([section])
    assert table is not None and len({row.label for row in table.rows}) == 2


def test_a_calibration_is_drawn_by_system(tmp_path: Path) -> None:
    def own(r: float | None) -> Agreement:
        return Agreement(20, {"scored": 20}, r, r, r, r, 0.1)

    found = Calibration(own(0.8), {"A": own(0.9), "B": own(None)}, {})
    table = calibration_table(found)
    assert [(row.label, row.cells[0].value) for row in table.rows] == [("all systems", 0.8), ("A", 0.9)]
    written = write_calibration(calibration_table(found), tmp_path, ["svg"])
    assert [path.name for path in written] == ["judge-reliability.svg"] and "n 20" in written[0].read_text()
    assert write_calibration(calibration_table(Calibration(own(None), {}, {})), tmp_path / "none") == []


def test_of_error_rates_the_line_goes_down() -> None:
    """Cheap and bad, dear and good: both stand on the line where less is better; where more is, the cheap one alone."""
    rows = (TableRow("a", (TableCell(1.0), TableCell(99.0))), TableRow("b", (TableCell(2.0), TableCell(6.0))))
    cost = Column("cost", "", "", better="lower")
    for better, on_line in (("lower", True), ("higher", False)):
        columns = (cost, Column("WER", "", "", better=better))  # type: ignore[arg-type]
        table = Table("t", "T", ("cost", "WER"), rows, columns=columns)
        assert ("ashed line" in drawn("scatter", table).caption) is on_line
        assert "intervals" not in drawn("scatter", table).caption  # none is drawn


def test_every_caption_in_a_report_of_mini_sets_says_so(tmp_path: Path) -> None:
    """Also those of figures whose rows aren't Runs: Conditions, places, costs, what became of the questions."""
    folders = [
        triptych.run("xmodbench/perception/general", model, conditions=conditions, limit=2, out=tmp_path / name).folder
        for name, model, conditions in (
            ("random", "baseline/random", []),
            ("blind", "baseline/random", ["blind"]),
            ("first", "baseline/first", []),
            ("20", "baseline/first", ["snr:20"]),
            ("10", "baseline/first", ["snr:10"]),
        )
    ]
    (path,) = write_report(folders, to=tmp_path / "report", formats=["html"])
    captions = re.findall(r"<figcaption><b>(.*?)</b>(.*?)</figcaption>", path.read_text("utf-8"), re.S)
    assert len(captions) > 4 and {"Effect of each Condition" in title for title, _ in captions} == {True, False}
    page = path.read_text("utf-8")
    sections = re.findall(r'<p class="caption">([^<]*)</p>\s*<div class="gallery', page)  # said once for its figures
    assert sections and all("on the built-in mini set" in told for told in sections)
    alone = [told for _, told in captions if "rotocol" in told]
    assert all("on the built-in mini set" in told for told in alone) and len(alone) < len(captions)


def test_no_two_of_many_runs_have_the_same_colour() -> None:
    few, many = [f"r{n}" for n in range(8)], [f"r{n}" for n in range(12)]
    assert len({look.run_colour(name, few) for name in few}) == 8
    assert {look.run_colour(name, many) for name in many} == {look.colour("strong-line")}
    with look.highlighting(["r3", "r7"]):
        shades = {name: look.run_colour(name, many) for name in many}
    assert shades["r3"] != shades["r7"] and {shades[n] for n in many if n not in ("r3", "r7")} == {
        look.colour("strong-line")
    }
    assert look.run_colour("r3", many) == look.colour("strong-line")


def test_the_colours_of_runs_and_of_parts_do_not_meet() -> None:
    for side in (0, 1):
        runs = {look.tokens()[f"series-{n + 1}"][side] for n in range(look.SERIES)}
        parts = {look.tokens()[f"part-{n + 1}"][side] for n in range(look.PARTS)}
        assert len(runs) == look.SERIES and len(parts) == look.PARTS and not runs & parts


def test_error_rates_are_dots_and_scores_bars() -> None:
    from matplotlib.patches import Rectangle

    rows = tuple(
        TableRow(name, (TableCell(value, 1, n=50, interval=(value - 2, value + 2)),) * 2)
        for name, value in (("a", 20.0), ("b", 60.0))
    )
    for better, bars_drawn in (("lower", 0), ("higher", 4)):
        columns = tuple(Column(name, "t", "wer", better=better) for name in ("x", "y"))  # type: ignore[arg-type]
        (ax,) = drawn("bars", Table("t", "T", ("x", "y"), rows, columns=columns)).figure.axes
        wide = [one for one in ax.patches if isinstance(one, Rectangle) and one.get_width() > 5]
        dots = [one for one in ax.lines if one.get_marker() == "o"]
        assert (len(wide), len(dots)) == (bars_drawn, 4 - bars_drawn)


def test_runs_of_the_mini_set_are_never_drawn_with_published_rows() -> None:
    paper = TableRow("gpt", (TableCell(90.0), TableCell(91.0)), origin="published")
    mini = TableRow("a", (TableCell(20.0, n=9), TableCell(30.0, n=9)), marks=("on the built-in mini set, not on …",))
    whole = TableRow("b", (TableCell(50.0, n=900), TableCell(40.0, n=900)))
    columns = tuple(Column(name, "t", "acc") for name in ("x", "y"))
    for kind in ("heat", "bars"):
        alone = drawn(kind, Table("t", "T", ("x", "y"), (paper, mini), columns=columns))
        assert "are not drawn" in alone.caption and "gpt" not in alone.svg()
        assert "gpt" in drawn("heat", Table("t", "T", ("x", "y"), (paper, whole), columns=columns)).svg()
        both = drawn(kind, Table("t", "T", ("x", "y"), (mini, whole), columns=columns))
        assert "a (mini set)" in both.svg() and "b (" not in both.svg()


def test_the_axis_of_costs_begins_at_0() -> None:
    rows = tuple(
        TableRow(name, (TableCell(usd), TableCell(value, n=90)))
        for name, usd, value in (("a", 10.0, 20.0), ("b", 900.0, 60.0), ("guess", 0.0, 25.0))
    )
    (ax,) = drawn("scatter", Table("t", "T", ("US$", "score"), rows)).figure.axes
    assert ax.get_xscale() == "linear" and ax.get_xlim()[0] == 0


def test_an_interrupted_run_is_not_cheap(make_run: MakeRun) -> None:
    """It has a tenth of the replies, at twice the price of each."""
    questions = [item(f"a{n}") for n in range(20)]
    runs = []
    for name, number, usd in (("whole", 20, 0.001), ("part", 2, 0.002)):
        replies = [structs.replace(response(one.id, "A"), cost_usd=usd) for one in questions[:number]]
        runs.append(make_run(questions, replies, name, model=f"openai/{name}"))
    (report,) = collect(runs)
    (table,) = [table for spec, table in run_figures(report, report.overview("official")) if spec.id == "cost"]
    assert table.headings[0] == "US$ for 1,000 replies"
    assert {row.label: row.cells[0].value for row in table.rows} == {
        "openai/whole": pytest.approx(1.0),
        "openai/part": pytest.approx(2.0),
    }


def test_texts_of_figures_can_be_hidden() -> None:
    from triptych.reports.plots.text_style import DrawableText, hiding

    with hiding(lambda text: text.replace("http://10.1.2.3:8000/v1", "ENDPOINT")):
        assert DrawableText()("m (http://10.1.2.3:8000/v1)") == "m (ENDPOINT)"
    assert DrawableText()("m") == "m"
