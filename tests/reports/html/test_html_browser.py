"""The report in a real browser: nothing breaks, everything can be reached, and it can be read by anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.reports.conftest import Reported
from tests.reports.html.test_examples import HOSTILE
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from tests.support.browser import axe_violations, overflow, too_wide
from triptych.audit.anyone.check import audit_files
from triptych.records import finding, text
from triptych.records.checked import Audited
from triptych.reports.findings.tables_page import write_tables_page
from triptych.reports.html.audit_page import write_audit_page
from triptych.reports.report import write_report
from triptych.store.folder import RunFolder

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def opened(browser_page: Any, reported: Reported) -> Any:
    browser_page.goto(reported.path.as_uri())
    return browser_page


def unfold(page: Any) -> None:
    """Open everything that is folded, so that all of it can be looked at."""
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((d) => { d.removeAttribute('name'); d.open = true; })"
    )


@pytest.fixture(scope="module")
def small(cmdar_folders: list[RunFolder], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report over one benchmark and protocol: axe takes long over a large one."""
    (path,) = write_report(cmdar_folders, to=tmp_path_factory.mktemp("small"), formats=["html"], protocol="standard")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_in_both_themes(shared_page: Any, small: Path, scheme: str) -> None:
    shared_page.emulate_media(color_scheme=scheme)
    shared_page.goto(small.as_uri())
    unfold(shared_page)
    assert axe_violations(shared_page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_audits_are_accessible_and_fit_a_phone(shared_page: Any, scheme: str, tmp_path: Path) -> None:
    path, name = tmp_path / "t.md", "a model with a name of many words " * 3
    path.write_text(
        f"| | {'score' * 12} | B | Avg |\n|---|---|---|---|\n| {name} | 50.0 | 60.0 | 81.0 |\n| b | 5 | 7 | 6 |\n"
    )
    sheets, found = audit_files([path])
    write_tables_page(tmp_path / "tables.html", sheets, found)
    one = finding(
        "average", "severe", str(path), "printed 64.2" * 9, rows=[name], columns=["score" * 12], effect="x" * 60
    )
    write_audit_page(Audited((one,), "1 table: something."), "Audit", tmp_path / "audit.html")
    shared_page.emulate_media(color_scheme=scheme)
    for page in ("audit.html", "tables.html"):
        shared_page.goto((tmp_path / page).as_uri())
        unfold(shared_page)
        assert axe_violations(shared_page) == [] and too_wide(shared_page) == []


def test_the_theme_is_what_the_system_prefers_until_it_is_pressed(opened: Any) -> None:
    ground = "() => getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(ground)
    opened.emulate_media(color_scheme="dark")
    dark = opened.evaluate(ground)
    assert light != dark
    opened.get_by_role("button", name="Dark colours").click()
    assert opened.evaluate(ground) == light
    shade = "() => getComputedStyle(document.querySelector('.figure svg text')).fill"
    inked = opened.evaluate(shade)
    opened.get_by_role("button", name="Dark colours").click()
    assert opened.evaluate(shade) != inked


def column(page: Any, table: str, index: int) -> list[str]:
    return page.evaluate(  # type: ignore[no-any-return]
        "([t, n]) => [...document.querySelectorAll(`${t} tbody tr`)].map((r) => r.cells[n].dataset.sort)",
        [table, index],
    )


def test_tables_sort_by_keyboard_and_go_back(opened: Any) -> None:
    unfold(opened)
    table = "#xmodbench-official-main-published table"
    before = column(opened, table, 13)
    head = opened.locator(f"{table} thead th").nth(13)
    head.get_by_role("button").focus()
    opened.keyboard.press("Enter")
    values = [float(v) for v in column(opened, table, 13) if v]
    assert values == sorted(values, reverse=True) and len(values) > 2
    assert head.get_attribute("aria-sort") == "descending"
    assert column(opened, table, 13)[-1] == ""  # what has no value stays last
    opened.keyboard.press("Enter")
    assert [float(v) for v in column(opened, table, 13) if v] == sorted(values)
    opened.keyboard.press("Enter")
    assert column(opened, table, 13) == before and head.get_attribute("aria-sort") is None


def test_from_a_number_to_the_questions_behind_it(opened: Any) -> None:
    unfold(opened)
    row = opened.locator("#xmodbench-official-overview tr[data-run='baseline/random']")
    row.locator("td button").nth(2).click()  # after the two families that were asked
    dialog = opened.get_by_role("dialog")
    assert "baseline/random, A to T" in dialog.locator("h2").inner_text()
    lines = dialog.locator("tbody tr")
    assert lines.count() == 2  # one Instance of two subtasks in this direction
    first = lines.first.locator("a")
    assert "audio_text" in first.inner_text()
    assert first.get_attribute("href").startswith("http://127.0.0.1:8765/runs/xmodbench~baseline-random/items/")
    assert "f.direction=audio_text" in dialog.locator("#behind-more a").get_attribute("href")
    opened.keyboard.press("Escape")
    assert dialog.count() == 0


def test_protocols_are_chosen_without_script(browser: Any, reported: Reported) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(reported.path.as_uri())
    page.locator("#xmodbench > summary").click()
    page.locator("#xmodbench-figures > summary").click()
    shown = page.locator("#xmodbench-scores .for-protocol:visible")
    assert shown.count() == 1 and "official" in shown.inner_text()
    page.get_by_label("standard").first.check()
    assert shown.count() == 1 and "standard" in shown.inner_text()
    assert page.locator(".theme").is_hidden() and page.locator("#xmodbench-figures svg").first.is_visible()
    context.close()


def test_readable_on_a_phone(opened: Any) -> None:
    opened.set_viewport_size(PHONE)
    unfold(opened)
    assert overflow(opened) == 0
    narrow = ".figure:not(.wide) .scroll"
    cut = f"() => [...document.querySelectorAll('{narrow}')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert opened.locator(narrow).count() and opened.evaluate(cut) == 0, "figures are shown to their last digit"
    sizes = opened.evaluate(
        "() => [...document.querySelectorAll('main p, main td, main th')].filter((e) => e.checkVisibility())"
        ".map((e) => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 11


def test_a_long_filter_does_not_make_the_page_wider(browser_page: Any, make_run: MakeRun, tmp_path: Path) -> None:
    named = "a_value_of_a_facet," * 12
    folder = make_run([item("1"), item("2")], [response("1"), response("2", "B")], filters={"kind": (named,)})
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    browser_page.set_viewport_size(PHONE)
    browser_page.goto(path.as_uri())
    unfold(browser_page)
    assert named[:30] in browser_page.inner_text("main") and overflow(browser_page) == 0


def test_arabic_and_hebrew_questions_run_from_right_to_left(
    browser_page: Any, make_run: MakeRun, tmp_path: Path
) -> None:
    asked = "ما هي عاصمة مصر؟ اختر إجابة واحدة (1)."
    folder = make_run(
        [structs.replace(item("1"), parts=(text(asked),)), item("2")], [response("1", "B"), response("2", "B")]
    )
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    browser_page.goto(path.as_uri())
    unfold(browser_page)
    places = browser_page.locator(".asked .text", has_text="عاصمة").evaluate(
        "(e) => [0, e.textContent.length - 1].map((n) => { const r = document.createRange();"
        " r.setStart(e.firstChild, n); r.setEnd(e.firstChild, n + 1); return r.getBoundingClientRect().x; })"
    )
    assert places[0] > places[1], "the sentence ends at the left"


def test_on_paper_the_scores_are_there_and_what_is_folded_stays_folded(opened: Any) -> None:
    opened.emulate_media(media="print")
    assert opened.locator(".top").is_hidden() and opened.locator(".contents").is_hidden()
    assert opened.evaluate("() => getComputedStyle(document.querySelector('.scroll')).overflowX") == "visible"
    assert opened.locator("#cmdar-figures").get_attribute("open") is None
    assert len(opened.pdf(format="A4")) > 20_000


def test_one_button_opens_everything_and_a_link_what_it_leads_to(opened: Any) -> None:
    assert opened.locator("main details:not([open])").count() > 10
    opened.locator(".contents a[href='#xmodbench-figures']").evaluate("a => a.click()")
    opened.wait_for_function("() => document.querySelector('#xmodbench').open")
    assert opened.locator("#xmodbench-figures svg").first.is_visible()
    opened.get_by_role("button", name="Open all").click()
    assert opened.locator("main details:not([open])").count() == 0
    opened.get_by_role("button", name="Open all").click()
    assert opened.locator("main details[open]").count() == 0


def test_sound_in_an_example_can_be_played(opened: Any) -> None:
    unfold(opened)
    audio = opened.locator("#cmdar-examples audio").first
    audio.evaluate("a => { a.preload = 'auto'; a.load(); }")
    opened.wait_for_function("() => document.querySelector('#cmdar-examples audio').duration > 0.5")


def test_a_script_in_a_reply_does_nothing(browser_page: Any, make_run: MakeRun, tmp_path: Path) -> None:
    asked = structs.replace(item(HOSTILE, facets={"genre": HOSTILE}), parts=(text(HOSTILE),))
    folder = make_run([asked], [response(HOSTILE, HOSTILE)], model=f"openai/{HOSTILE}")
    (path,) = write_report([folder], to=tmp_path / "out", formats=["html"])
    dialogs: list[str] = []
    browser_page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    browser_page.goto(path.as_uri())
    browser_page.locator("table.figures tr[data-run] td button").first.click()
    assert HOSTILE[:30] in browser_page.get_by_role("dialog").inner_text()
    assert browser_page.evaluate("() => document.querySelectorAll('img, dialog script').length") == 0
    assert dialogs == []
