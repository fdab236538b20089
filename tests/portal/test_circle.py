"""The whole circle of MCGA by its commands: works in, people in browsers record, a clip is recorded again, a reviewer
approves, the recipe writes the benchmark, and a Run evaluates it. `docs/portal-walk.md` shows the same steps."""

from __future__ import annotations

import base64
import itertools
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.portal.serving import ready
from tests.support.browser import FLAGS, chromium, paced
from tests.support.waiting import PAGE_S, until
from tests.voices import syllables
from triptych.cli.main import main
from triptych.media.sound.coding import encode_wav

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.flaky(reruns=1)]  # as other tests in a browser
pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

WORKS = """id,title,author,author_died,genre,dynasty,text
chunxiao,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。
denggao,登鹳雀楼,王之涣,742,诗,唐,白日依山尽，黄河入海流。欲穷千里目，更上一层楼。
"""
RECIPE = """works = "works.csv"
year = 2026
tasks = ["asr"]
[models.asr_a]
model = "replay/one"
settings = { path = "heard.jsonl" }
[models.asr_b]
model = "replay/two"
settings = { path = "heard.jsonl" }
[stages.split]
shares = { test = 1.0 }
"""
MISREAD = {"黄河入海流": "欢何人孩刘"}  # five of twenty characters: above 0.15, and not hopeless
# A microphone in a quiet room. `speak` resolves at the end of a sound, which goes straight into the graph that records:
# no device has a clock of its own here, so that a busy machine delays a take, and never puts gaps into it.
MICROPHONE = """
navigator.mediaDevices.getUserMedia = async () => new AudioContext().createMediaStreamDestination().stream;
AudioContext.prototype.createMediaStreamSource = function () {
  const [room, microphone] = [this.createBufferSource(), this.createGain()];
  room.buffer = new AudioBuffer({ length: this.sampleRate, sampleRate: this.sampleRate });
  room.buffer.getChannelData(0).forEach((_, i, samples) => { samples[i] = 2e-4 * Math.sin(i * i); });
  room.loop = true;
  room.connect(microphone);
  room.start();
  window.speak = async (wav) => {
    const voice = this.createBufferSource();
    voice.buffer = await this.decodeAudioData(Uint8Array.from(atob(wav), (each) => each.charCodeAt(0)).buffer);
    voice.connect(microphone);
    const ended = new Promise((resolve) => { voice.onended = resolve; });
    voice.start(this.currentTime + 0.25);
    await ended;
  };
  return microphone;
};
"""
VOICE_S, VOICE_HZ = 3.0, 16_000
CONSENT = {"en": "Your voice is recorded and published.", "zh": "我们将录制并发布您的声音。"}


def command(*arguments: object, code: int = 0) -> None:
    """Run a command of Triptych in this process."""
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    assert stop.value.code == code, arguments


@contextmanager
def serving(project: Path) -> Iterator[tuple[str, str]]:
    """The portal in a process of its own, with its process of checks: its address, and the first link."""
    line = [sys.executable, "-m", "triptych", "portal", "serve", "--project", str(project), "--port", "0"]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\n", said)
        assert found, said
        yield found[1], re.findall(r"http\S+/enter/\S+", said)[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=600)


def entered(browser: Browser, link: str) -> Page:
    """The page of a person who used their link."""
    page = browser.new_context(locale="en-GB").new_page()
    page.add_init_script(MICROPHONE)
    page.goto(link)
    page.click("main button")
    page.wait_for_url("**/")
    return page


def invited(admin: Page, address: str, role: str, label: str) -> str:
    admin.goto(f"{address}/people")
    admin.fill("#label", label)
    admin.select_option("#role", role)
    admin.click("form[action='/people/invite'] button >> nth=0")
    return admin.locator("code.link").inner_text()


def agree(page: Page, gender: str) -> None:
    """Consent and the description, which are asked for before any work."""
    page.check("input[name=agree]")
    page.click("main form button")
    page.check(f"input[name=gender][value={gender}]")
    page.select_option("select[name=age_band]", "18-25")
    page.click("main form button")


def read_all(page: Page, address: str, seeds: Iterator[int]) -> int:
    """Read every clip that the page offers, by keyboard, each with a sound of its own; returns their number."""
    number = 0
    page.goto(f"{address}/record/record")
    while page.locator("#clip[data-task]").count():
        task = page.locator("#clip").get_attribute("data-task")
        while not read(page, next(seeds)):
            pass
        page.keyboard.press("k")
        page.wait_for_selector(f'#clip:not([data-task="{task}"])', state="attached")
        number += 1
    return number


def read(page: Page, seed: int) -> bool:
    """Read a clip aloud; False if the page asks for another take, as it does where the machine was too slow for it."""
    made = encode_wav(syllables(VOICE_S, seed, VOICE_HZ).reshape(-1, 1), VOICE_HZ)
    page.wait_for_selector('#recorder[data-mode="ready"]')
    page.keyboard.press("r")
    page.wait_for_selector('#recorder[data-mode="recording"]')
    page.evaluate("wav => speak(wav)", base64.b64encode(made).decode())
    page.keyboard.press("r")
    page.wait_for_selector('#recorder:is([data-mode="ready"], [data-mode="recorded"])')
    return page.locator("#recorder").get_attribute("data-mode") == "recorded"


def approve_all(page: Page, address: str) -> int:
    """Approve every question that the page offers, by keyboard; returns their number."""
    number = 0
    page.goto(f"{address}/review/inspect")
    while page.locator("#desk[data-task]").count():
        task = page.locator("#desk").get_attribute("data-task")
        ready(page, f'[data-task="{task}"]')
        page.keyboard.press("5")
        page.keyboard.press("Control+Enter")
        page.wait_for_selector(f'#desk:not([data-task="{task}"])', state="attached")
        number += 1
    return number


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def checked(admin: Page, address: str, number: int) -> None:
    """Wait until the process of checks has accepted so many recordings."""

    def done() -> bool:
        admin.goto(f"{address}/recordings/record?state=accepted")
        return admin.locator("article.record").count() == number

    until(done, f"{number} accepted recordings", PAGE_S)


def hear(to: Path, texts: dict[str, str], misread: str = "") -> None:
    """What the recognisers heard in each recording, made elsewhere: WORK/CLIP/GENDER -> text."""
    with (to.parent / "heard.jsonl").open("w", encoding="utf-8") as file:
        for clip, text in texts.items():
            for gender in ("man", "woman"):
                heard = text
                for right, wrong in MISREAD.items() if f"{clip}/{gender}" == misread else ():
                    heard = heard.replace(right, wrong)
                file.write(json.dumps({"id": f"{clip}/{gender}", "text": heard}) + "\n")


def test_works_become_a_benchmark_that_is_evaluated(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (pip install playwright)")
    if chromium() is None:
        pytest.skip("Chromium is not installed (apt-get install chromium), so no page is opened")
    config, to, project = tmp_path / "poems.toml", tmp_path / "build", tmp_path / "portal"
    (tmp_path / "works.csv").write_text(WORKS, encoding="utf-8")
    config.write_text(RECIPE, encoding="utf-8")
    (tmp_path / "heard.jsonl").write_text("", encoding="utf-8")
    build = ("build", "mcga", "--config", config, "--to", to)
    here = ("--project", project)

    command(*build, code=1)  # stops at the stage that needs people
    texts = {task["id"]: task["shows"]["text"] for task in lines(to / "tasks/record.jsonl")}
    assert len(texts) == 2
    command("portal", "push", to, "record", *here)

    with serving(project) as (address, first), sync_api.sync_playwright() as playwright:
        browser = paced(playwright.chromium.launch(executable_path=chromium(), args=FLAGS))
        seeds = itertools.count()
        admin = entered(browser, first)
        admin.goto(f"{address}/consent-form")
        for language, text in CONSENT.items():
            admin.fill(f"[name=text-{language}]", text)
        admin.click("main form button")
        readers = {}
        for gender in ("man", "woman"):
            readers[gender] = entered(browser, invited(admin, address, "recorder", f"a {gender}"))
            readers[gender].goto(f"{address}/consent")
            agree(readers[gender], gender)
            assert read_all(readers[gender], address, seeds) == 2
        checked(admin, address, 4)
        command("portal", "pull", to, "record", *here)
        taken = {(r["id"], r["values"]["gender"]): r["values"]["audio"] for r in lines(to / "results/record.jsonl")}
        assert len(taken) == len(set(taken.values())) == 4

        hear(to, texts, misread="denggao/000/woman")
        command(*build, code=1)  # double-asr sends one recording back
        command("portal", "push", to, "record", *here)
        command("portal", "push", to, "record", *here)  # again: nothing changes
        assert read_all(readers["man"], address, seeds) == 0
        readers["woman"].goto(f"{address}/record/record")
        assert "found too many differences" in readers["woman"].locator("#clip").inner_text()
        assert read_all(readers["woman"], address, seeds) == 1
        checked(admin, address, 4)
        command("portal", "push", to, "record", *here)  # what was recorded since is not sent back
        assert read_all(readers["woman"], address, seeds) == 0
        command("portal", "pull", to, "record", *here)
        now = {(r["id"], r["values"]["gender"]): r["values"]["audio"] for r in lines(to / "results/record.jsonl")}
        assert {key for key in now if now[key] != taken[key]} == {("denggao/000", "woman")}
        hear(to, texts)
        command(*build, code=1)  # waits for reviewers

        command("portal", "push", to, "inspect", *here)
        reviewer = entered(browser, invited(admin, address, "reviewer", "a reviewer"))
        reviewer.goto(f"{address}/consent")
        agree(reviewer, "woman")
        assert approve_all(reviewer, address) == 4
        command("portal", "pull", to, "inspect", *here)
        browser.close()
    command(*build)
    rows = lines(to / "out/MCGA_asr_test.jsonl")
    assert len(rows) == 4 and all((to / "out" / row["audio"]).is_file() for row in rows)
    run = tmp_path / "run"
    command("run", "mcga/asr", "--data", to / "out", "--model", "baseline/reference", "--out", run)
    summary = (run / "scores").glob("*.jsonl")
    assert all(len(lines(path)) >= 4 for path in summary)
