"""The viewer in a real browser: from a table's number down to the reply; hostile words do nothing; keys, sound, axe."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")

from playwright.sync_api import expect

from tests.support.browser import Watch, axe_violations, overflow
from tests.support.waiting import PAGE_S, until
from tests.viewer.runs import EVIL, HOSTILE_ID, KNOWING, RANDOM
from triptych.reports.html.links import VIEWER, item_path, items_path, run_path
from triptych.reports.report import write_report
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = {
    "runs": lambda root: "/",
    "run": lambda root: run_path(RANDOM),
    "items": lambda root: items_path(RANDOM, slice_={"direction": "audio_text"}),
    "item": lambda root: item_path(RANDOM, heard(root)),
    "pair": lambda root: f"{item_path(RANDOM, heard(root))}?vs={KNOWING}",
    "compare": lambda root: f"/compare?a={RANDOM}&b={KNOWING}",
    "hostile": lambda root: item_path("hostile", HOSTILE_ID),
    "hostile run": lambda root: run_path("hostile"),
    "nothing": lambda root: "/nothing",
}


INJECTION = """() => {
    document.body.insertAdjacentHTML("beforeend", '<img src="" onerror="window.owned=1">');
    const script = document.createElement("script");
    script.textContent = "window.owned=2";
    document.body.append(script);
}"""


def heard(root: Path) -> str:
    """The id of an Item with a recording in its stem."""
    items = RunFolder.open(root / "xmodbench" / "random").items()
    return next(item.id for item in items if any(part.kind == "audio" for part in item.parts))


def test_from_a_number_down_to_the_reply(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(address)
    page.get_by_role("link", name="baseline/random").nth(1).click()
    expect(page).to_have_url(f"{address}{run_path(RANDOM)}")
    cell = page.locator("#table-1 tbody td a").nth(2)  # a direction, after the two families
    n = int(re.findall(r"n (\d+)", cell.locator("xpath=..").inner_text())[0])
    cell.click()
    expect(page.get_by_role("status")).to_contain_text(re.compile(f"^{n} of "))
    expect(page.locator("a.row-link")).to_have_count(n)
    reply = page.locator("td[data-label=Reply]").first.inner_text()
    page.locator("a.row-link").first.click()
    expect(page.locator(".reply").first).to_have_text(reply)
    expect(page.get_by_text("its hash matches the journal")).to_be_visible()


def test_from_a_reports_number_down_to_the_reply(browser_page: Page, address: str, root: Path, tmp_path: Path) -> None:
    """The report lies in a folder of its own and knows the viewer's usual port alone: only that is changed here."""
    folders = [RunFolder.open(root / "xmodbench" / name) for name in ("random", "knowing")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triptych.reports.html.write.viewer_runs", lambda: True)
        (report,) = write_report(folders, to=tmp_path, formats=["html"], protocol="standard")
    report.write_text(report.read_text(encoding="utf-8").replace(VIEWER, address), encoding="utf-8")
    page = browser_page
    page.goto(report.as_uri())
    number = page.locator("table.figures tr[data-run='baseline/random'] td[data-sort] button").first
    value = number.inner_text()
    number.click()
    dialog = page.locator("#behind")
    expect(dialog).to_contain_text(value)
    expect(dialog).to_contain_text("protocol standard")
    link = dialog.locator("tbody a").first
    name = link.inner_text()
    with page.context.expect_page() as opened:
        link.click()
    viewer = opened.value
    expect(viewer.locator("h1")).to_have_text(name)
    expect(viewer.locator(".reply").first).to_be_visible()
    with page.context.expect_page() as opened:
        dialog.get_by_role("link", name="Show all in the viewer").click()
    expect(opened.value.locator("a.row-link").first).to_be_visible()
    assert "protocol=standard" in opened.value.url


def test_filters_narrow_the_list(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(address + items_path(RANDOM))
    page.get_by_label("direction", exact=True).select_option("text_vision")
    page.get_by_label("Search").fill("translation")
    page.get_by_role("button", name="Filter").click()
    expect(page.locator("a.row-link")).to_have_count(4)
    assert "f.direction=text_vision" in page.url
    page.get_by_role("link", name="Clear all").click()
    expect(page.locator("a.row-link")).to_have_count(50)
    page.get_by_role("link", name="Next page").click()
    expect(page.locator("a.row-link")).to_have_count(6)


def test_a_script_in_a_reply_does_nothing(browser_page: Page, address: str, watch: Watch) -> None:
    page = browser_page
    for path in (
        item_path("hostile", HOSTILE_ID),
        items_path("hostile"),
        run_path("hostile"),
        "/",
        f"{items_path('hostile')}?q={EVIL}",
        f"/compare?a=hostile&b={RANDOM}",
    ):
        page.goto(address + path)
        watch.settle(page)
        assert page.title().endswith("Triptych")
        assert page.evaluate("document.title") != "owned"
        assert page.locator("img[src=x]").count() == 0
        assert page.locator("main script").count() == 0
    page.goto(address + item_path("hostile", HOSTILE_ID))
    assert page.locator(".reply").inner_text() == EVIL
    picture = page.locator(".turn img").first  # a page does not wait for it
    until(lambda: picture.evaluate("image => image.complete && image.naturalWidth > 0"), "the picture", PAGE_S)


def test_an_injected_script_is_forbidden(browser_page: Page, address: str, watch: Watch) -> None:
    """Were a value ever not escaped, the policy would still stop it."""
    page = browser_page
    page.goto(address)
    # One message for the handler and one for the script. A test that ended before both had come would fail at the end.
    with page.expect_event("console", lambda _: watch.refused() == 2):
        page.evaluate(INJECTION)
    assert page.evaluate("window.owned") is None
    watch.problems.clear()


def test_a_recording_has_a_duration_and_an_outline(browser_page: Page, address: str, root: Path) -> None:
    page = browser_page
    page.goto(address + item_path(RANDOM, heard(root)))
    audio = page.locator("audio").first
    audio.evaluate("a => a.readyState >= 1 || new Promise(done => a.addEventListener('loadedmetadata', done))")
    seconds = audio.evaluate("a => a.duration")
    told = page.locator(".wave-note").first
    told.wait_for()
    assert 0.2 < seconds < 60
    assert float(told.inner_text().split()[0]) == pytest.approx(seconds, abs=0.06)
    assert page.locator(".wave path").first.get_attribute("d").count("L") > 100  # type: ignore[union-attr]
    page.locator(".wave svg").first.click()
    until(lambda: page.evaluate("document.querySelector('audio').currentTime > 0"), "the sound", PAGE_S)
    position = audio.evaluate("a => a.currentTime / a.duration")
    assert 0.35 < position <= 1  # pressed in the middle, and played on


def test_keys_walk_through_items(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(address + items_path(RANDOM))
    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.href")
    page.keyboard.press("Enter")
    page.wait_for_url(second)
    page.keyboard.press("j")
    page.wait_for_url(lambda url: url != second)
    expect(page.locator(".walk")).to_contain_text("3 of 56")
    page.keyboard.press("k")
    page.wait_for_url(second)
    page.locator("#note").press("j")  # typing is typing
    assert page.url == second
    page.locator("h1").click()
    page.keyboard.press("u")
    page.wait_for_url(lambda url: "/items?" in url)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"


def test_keys_can_be_switched_off(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(address + items_path(RANDOM))
    page.keyboard.press("?")
    page.get_by_label("Enable single-key shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_hidden()
    page.reload()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_hidden()


def test_a_table_sorts(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(f"{address}/?benchmark=xmodbench")
    column = page.get_by_role("columnheader", name="Avg.")
    column.get_by_role("button").press("Enter")
    assert column.get_attribute("aria-sort") == "descending"
    assert page.locator("a.row-link").all_inner_texts() == ["baseline/reference", "baseline/random"]
    column.get_by_role("button").press("Enter")
    assert page.locator("a.row-link").all_inner_texts() == ["baseline/random", "baseline/reference"]


def test_pairs(browser_page: Page, address: str) -> None:
    page = browser_page
    page.goto(f"{address}/?benchmark=xmodbench")
    page.get_by_role("button", name="Compare A and B").click()
    link = page.get_by_role("link", name=re.compile("only A right"))
    n = int(link.locator("strong").inner_text())
    assert n > 0
    link.click()
    expect(page.locator("a.row-link")).to_have_count(min(n, 50))
    page.wait_for_url(re.compile("kind=a"))
    assert set(page.locator("td[data-label=A] .badge").all_inner_texts()) == {"right"}
    assert set(page.locator("td[data-label=B] .badge").all_inner_texts()) == {"wrong"}
    page.locator("a.row-link").first.click()
    expect(page.get_by_role("heading", name="A: baseline/reference")).to_be_visible()
    expect(page.get_by_role("heading", name="B: baseline/random")).to_be_visible()
    expect(page.locator(".walk")).to_contain_text(f"1 of {n}")


def test_the_theme_is_chosen_and_remembered(browser_page: Page, address: str) -> None:
    page = browser_page
    ground: Callable[[], str] = lambda: page.evaluate("getComputedStyle(document.documentElement).backgroundColor")  # noqa: E731
    page.emulate_media(color_scheme="light")
    page.goto(address)
    light = ground()
    page.get_by_role("button", name="Theme").click()
    dark = ground()
    assert dark != light
    page.goto(address + run_path(RANDOM))
    assert ground() == dark
    page.get_by_role("button", name="Theme").click()
    page.emulate_media(color_scheme="dark")
    assert ground() == light


def test_pages_work_without_scripts(browser_page: Page, address: str, root: Path) -> None:
    context = browser_page.context.browser.new_context(java_script_enabled=False)  # type: ignore[union-attr]
    page = context.new_page()
    page.goto(address + items_path(RANDOM))
    page.locator("a.row-link").first.click()
    expect(page.locator(".reply")).to_be_visible()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(shared_page: Page, address: str, root: Path, name: str, watch: Watch) -> None:
    page = shared_page
    page.emulate_media(color_scheme="light")
    page.goto(address + PAGES[name](root))
    page.locator(".wave-note").first.wait_for() if page.locator(".wave").count() else None
    assert axe_violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert axe_violations(page, rules=("color-contrast",)) == []
    page.set_viewport_size({"width": 360, "height": 780})  # and nobody scrolls sideways on a phone
    assert overflow(page) == 0
    if name == "nothing":
        watch.problems.clear()  # the browser reports the 404 itself
