"""The site as it is read from a folder, without a server and without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import axe_violations, overflow

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.parametrize(("name", "scheme"), [("reports.html", "light"), ("adding/metric.html", "dark")])
def test_pages_can_be_read_by_everybody(served: str, shared_page: Page, name: str, scheme: str) -> None:
    shared_page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    shared_page.goto(f"{served}/{name}")  # from a folder axe may not read style sheets
    assert not axe_violations(shared_page)


def test_no_page_is_wider_than_a_phone(site: Path, browser_page: Page) -> None:
    browser_page.set_viewport_size({"width": 390, "height": 844})
    for name in ["index.html", "cli.html", "adding/benchmark.html", "conditions.html"]:
        browser_page.goto((site / name).as_uri())
        assert overflow(browser_page) <= 0, name


def test_search_finds_without_a_server(site: Path, browser_page: Page) -> None:
    browser_page.goto((site / "index.html").as_uri())
    browser_page.locator(".md-search__input").click()
    browser_page.keyboard.type("Krippendorff")
    browser_page.locator('.md-search-result__link[href*="judges.html"]').first.wait_for()
