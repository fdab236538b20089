"""Tests of `reports/plots/svg.py`: matplotlib's SVG adapted to a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from triptych.reports.plots.svg import FAMILY, SVG, to_svg
from triptych.reports.plots.text_style import style

pytest.importorskip("matplotlib")


def drawn(name: str = "fig", title: str = "T", description: str = "a: 1.") -> str:
    from matplotlib.figure import Figure

    with style():
        figure = Figure(figsize=(4, 2), layout="constrained")
        ax = figure.add_subplot()
        ax.fill_between([0, 1, 2], [1, 2, 3], [2, 3, 4], hatch="//")
        ax.plot([0, 1, 2], [1, 2, 3], "o-")
        ax.set_title("诗 & <词>", fontweight="bold")
        return to_svg(figure, name, title, description)


def test_nothing_that_a_strict_policy_blocks_is_left() -> None:
    """`style-src` without `unsafe-inline` blocks style elements and style attributes."""
    root = ET.fromstring(drawn())
    assert not [e for e in root.iter() if e.tag in (f"{{{SVG}}}style", f"{{{SVG}}}metadata") or "style" in e.attrib]
    assert {e.get("fill") for e in root.iter()} - {None, "none"}, "colours are attributes"


def test_texts_stay_texts_with_size_and_families() -> None:
    (title,) = [e for e in ET.fromstring(drawn()).iter(f"{{{SVG}}}text") if e.text == "诗 & <词>"]
    assert str(title.get("font-size")).removesuffix("px") == "9" and title.get("font-weight") in ("bold", "700")
    assert "PingFang SC" in str(title.get("font-family")) and "sans-serif" in str(title.get("font-family"))

    assert {e.get("font-family") for e in ET.fromstring(drawn()).iter(f"{{{SVG}}}text")} == {FAMILY}


def test_two_figures_of_a_page_share_no_id_and_references_lead_to_their_own() -> None:
    one, other = drawn("first"), drawn("second")
    ids = [set(re.findall(r'\bid="([^"]+)"', text)) for text in (one, other)]
    assert ids[0] and not ids[0] & ids[1] and all(name.startswith("first-") for name in ids[0])
    for text, own in zip((one, other), ids, strict=True):
        references = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text))
        assert references and {a or b for a, b in references} <= own
    assert "xlink:href" not in one


def test_the_title_and_every_value_are_there_for_screen_readers() -> None:
    root = ET.fromstring(drawn("f", "A <title> & more", "甲: 50.0.\x1b[31m"))
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "f-title f-desc")
    assert (root[0].tag, root[0].get("id"), root[0].text) == (f"{{{SVG}}}title", "f-title", "A <title> & more")
    assert (root[1].tag, root[1].text) == (f"{{{SVG}}}desc", "甲: 50.0.␛[31m"), "a control character is not XML"


def test_the_size_is_in_pixels_and_the_bytes_are_the_same_every_time() -> None:
    root = ET.fromstring(drawn())
    assert (root.get("viewBox"), root.get("width"), root.get("height")) == ("0 0 288 144", "403", "202")
    assert drawn() == drawn()
