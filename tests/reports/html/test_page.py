"""Tests of `reports/html/page.py`: the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reports.conftest import Reported
from tests.reports.html.test_html import Seen, _holds_to_its_policy
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych.records.estimates import Estimate, Listing, Section, table_of
from triptych.records.findings import finding
from triptych.reports.html import page as page_module
from triptych.reports.html.chapter import chapter
from triptych.reports.html.media import Embedder
from triptych.reports.html.page import page
from triptych.reports.report import collect, write_report

FONT = '@font-face{font-family:"Triptych CJK";src:url(data:font/woff;base64,AAAA)}'


@pytest.mark.parametrize("face", ["", FONT], ids=["no font", "a font"])
def test_the_policy_names_every_style_element_with_a_chinese_font_and_without(
    face: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fonts this machine has: the page has a second style element, and its digest, only for a font."""
    monkeypatch.setattr(page_module, "font_face", lambda text: face)
    made = Seen(page([], title="Odes"))
    assert [tag for tag, _ in made.elements].count("style") == (2 if face else 1)
    _holds_to_its_policy(made)


def test_chinese_is_marked_as_chinese() -> None:
    assert page_module.chinese("杜甫 <b> 1") == '<span lang="zh">杜甫</span> &lt;b&gt; 1'
    assert page_module.break_after_slashes("a/b<") == "a/<wbr>b&lt;"


def test_sections_findings_and_listings_are_rendered_whatever_they_are(reported: Reported) -> None:
    estimates = [
        Estimate(
            "agreement", 71.3, "%", n=412, interval=(68.2, 74.4), runs=("baseline/random",), label="Same <answer>"
        ),
        Estimate("disparity", None, "points", runs=("baseline/reference",), label="Same <answer>", reason="asked once"),
    ]
    table = table_of("agree", "Agreement <b>", estimates, row=lambda e: e.runs[0], column=lambda e: e.label)
    listing = Listing("lost", "Left out", ("Item", "why"), (("a<1>", "no pair"),), total=9)
    section = Section(
        "consistency.forms",
        "Consistency",
        "What it is.",
        ("It is 71.3%.",),
        tuple(estimates),
        (table,),
        (listing,),
        ("A note.",),
    )
    found = [
        finding("average", "severe", "cmdar", "the mean of <these> is another", table="T1", published=3, recomputed=4)
    ]
    report = collect(reported.folders[2:])[0]
    made = page([chapter(report, report.protocols()[:1], reported.path.parent, Embedder(0), [section], found)], "T")
    for words in (
        "It is 71.3%.",
        "68.2–74.4",
        "Agreement &lt;b&gt;",
        "a&lt;1&gt;",
        "the first 1 of 9",
        "A note.",
        "the mean of &lt;these&gt; is another",
        "stated: 3; recomputed: 4",
        'id="cmdar-consistency"',
    ):
        assert words in made, words


def test_a_run_without_a_unit_is_reported_as_such(make_run: MakeRun, tmp_path: Path) -> None:
    (path,) = write_report([make_run([], [])], to=tmp_path / "out", formats=["html"])
    shown = path.read_text(encoding="utf-8")
    assert "No Unit has been scored yet." in shown and "Breakdowns" not in shown


def test_a_command_cannot_be_turned_round(make_run: MakeRun, tmp_path: Path) -> None:
    (path,) = write_report(
        [make_run([item("1")], [response("1")], model="a/\u202eb\x1b")], to=tmp_path / "o", formats=["html"]
    )
    shown = path.read_text(encoding="utf-8")
    assert "⟨U+202E⟩b␛" in shown and not re.search("[\x00-\x08\x0e-\x1f\u202a-\u202e]", shown)
