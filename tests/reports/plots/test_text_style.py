"""Tests of `reports/plots/text_style.py`: the look of figures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.reports.plots.figures import RUNS, SVG, drawn, words
from tests.reports.samples import OVERALL, column, run
from tests.support.fonts import make_font
from triptych.errors import SpecError
from triptych.records import Layout, Table, TableCell, TableRow
from triptych.reports.plots import text_style as look
from triptych.reports.plots.draw import draw
from triptych.reports.plots.spec import FigureSpec
from triptych.reports.tables.fill import fill

pytest.importorskip("matplotlib")


def test_a_highlighted_run_is_found_also_if_its_name_says_what_it_was_asked() -> None:
    names = [f"r{n}" for n in range(9)] + ["r9 (mini set, unfinished)", "r9 (blind)"]
    with look.highlighting(["r9", "r3"]):
        assert look.run_colour("r9 (mini set, unfinished)", names) == look.series_colour(0)
        assert look.run_colour("r3", names) == look.series_colour(1)
        assert look.run_colour("r9 (blind)", names) == look.run_colour("r1", names) == look.colour("strong-line")


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


def test_numbers_stand_in_a_column_whatever_their_bars_do() -> None:
    table = Table("t", "T", ("a", "b"), (TableRow("m", (TableCell(-40.0, interval=(-80, 0)), TableCell(7.0))),))
    svg = drawn("bars", table).svg()
    values = [e for e in ET.fromstring(svg).iter(f"{SVG}text") if (e.text or "") in ("−40.0", "7.0")]
    ends = {
        (e.get("text-anchor"), round(float((e.get("transform") or "").split("(")[1].split()[0]), 1)) for e in values
    }
    assert len(values) == 2 and len({anchor for anchor, _ in ends}) == 1
    assert look.DPI == 300


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


def test_texts_of_figures_can_be_hidden() -> None:
    from triptych.reports.plots.text_style import DrawableText, hiding

    with hiding(lambda text: text.replace("http://10.1.2.3:8000/v1", "ENDPOINT")):
        assert DrawableText()("m (http://10.1.2.3:8000/v1)") == "m (ENDPOINT)"
    assert DrawableText()("m") == "m"
