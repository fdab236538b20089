"""Browsers that lack something: the recording page says so before the first clip. Chromium with features removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.portal.conftest import Visitor
from tests.portal.recording.test_recording_browser import chrome, opened, reader
from tests.portal.serving import served
from triptych.portal.project import Portal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chrome", "reader"]

pytestmark = pytest.mark.slow
GONE = {
    "microphone": "Object.defineProperty(navigator, 'mediaDevices', { value: undefined })",
    "worklet": "delete window.AudioWorkletNode",
    "digest": "Object.defineProperty(crypto, 'subtle', { value: undefined })",
    "store": "IDBFactory.prototype.open = () => { throw new DOMException('private', 'SecurityError') }",
    "space": "StorageManager.prototype.estimate = async () => ({ quota: 60e6, usage: 55e6 })",
}


def prepared(chrome: Browser, address: str, who: Visitor, script: str) -> Page:
    """The recording page in a browser in which a script runs first."""
    page = opened(chrome, address, who, "/your-data")
    page.add_init_script(script)
    page.goto(f"{address}/record/record")
    return page


@pytest.mark.parametrize("missing", sorted(GONE))
def test_what_is_missing_is_said_before_the_first_clip(
    small: Portal, reader: Visitor, chrome: Browser, missing: str
) -> None:
    with served(small) as address:
        page = prepared(chrome, address, reader, GONE[missing])
        page.wait_for_selector("#recorder[data-ready]")
        shown = page.locator("#lacking li:visible")
        assert shown.count() == 1 and shown.get_attribute("data-name") == missing
        assert page.locator("#go").is_disabled()
        page.keyboard.press("r")
        assert page.locator("#recorder").get_attribute("data-mode") in ("lacking", None)
        page.context.close()


def test_nothing_is_said_where_nothing_is_missing(small: Portal, reader: Visitor, chrome: Browser) -> None:
    with served(small) as address:
        page = prepared(chrome, address, reader, "")
        page.wait_for_selector("#recorder[data-mode=ready]")
        assert page.locator("#lacking").is_hidden() and page.locator("#go").is_enabled()
        page.context.close()


def test_a_microphone_of_8_khz_is_refused(small: Portal, reader: Visitor, chrome: Browser) -> None:
    script = "Object.defineProperty(BaseAudioContext.prototype, 'sampleRate', { get: () => 8000 })"
    with served(small) as address:
        page = prepared(chrome, address, reader, script)
        page.wait_for_selector("#recorder[data-mode=ready]")
        page.keyboard.press("r")
        page.wait_for_selector("#warning:has-text('16 kHz')")
        assert page.locator("#recorder").get_attribute("data-mode") == "ready"
        page.context.close()


def test_a_call_ends_the_take_and_the_clip_is_read_again(small: Portal, reader: Visitor, chrome: Browser) -> None:
    script = """const devices = navigator.mediaDevices, get = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => { window.heard = await get(wanted); return window.heard; };"""
    with served(small) as address:
        page = prepared(chrome, address, reader, script)
        page.wait_for_selector("#recorder[data-mode=ready]")
        page.keyboard.press("r")
        page.wait_for_selector("#recorder[data-mode=recording]")
        page.evaluate("window.heard.getAudioTracks()[0].dispatchEvent(new Event('mute'))")
        page.wait_for_selector("#recorder[data-mode=ready]")
        assert "read the clip again" in page.locator("#warning").inner_text()
        page.keyboard.press("r")
        page.wait_for_selector("#recorder[data-mode=recording]")
        page.wait_for_timeout(1500)
        page.keyboard.press("r")
        page.wait_for_selector("#recorder[data-mode=recorded]")
        page.context.close()
