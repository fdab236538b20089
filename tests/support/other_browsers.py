"""Firefox and WebKit for tests of pages, as Debian installs them, each with a microphone that plays a made-up sound.

    apt-get install firefox-esr pulseaudio              # pulseaudio: Firefox starts no sound without loudspeakers
    apt-get install webkit2gtk-driver xvfb              # WebKitGTK: the engine of Safari, without Apple's parts

Firefox is driven by WebDriver BiDi, which is built into it; WebKitGTK by its WebDriver. `running` skips, saying why,
where a program is absent. Nothing but this computer is asked for anything.
"""

from __future__ import annotations

import itertools
import json
import math
import os
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.support.ports import free_port
from tests.support.waiting import PAGE_S, until

NAMES = ("firefox", "webkit")
ANSWERS_S = 120  # a command that takes longer hangs, however busy the machine
WARNED_S = 10  # a page that goes on by itself shows no warning for so long
WARNING = "document.querySelector('#warning:not([hidden])')?.innerText ?? ''"
PREFERENCES = {
    "media.navigator.streams.fake": True,
    "media.navigator.permission.disabled": True,
    "media.autoplay.default": 0,
    "media.autoplay.blocking_policy": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "app.update.enabled": False,
}


class OtherBrowser(Protocol):
    """What the tests do with either browser."""

    def open(self, address: str) -> None: ...

    def run(self, script: str) -> Any:
        """What the body of an asynchronous function returns, run in the page."""

    def press(self, key: str) -> None: ...


def see(page: OtherBrowser, condition: str) -> None:
    """Wait until an expression is true in the page, however often it is loaded again.

    Fails soon if the page says meanwhile, for some seconds, what is wrong.
    """
    warned: dict[str, float] = {}

    def seen() -> bool:
        try:
            met, warning = page.run(f"return [!!({condition}), {WARNING}];")
        except PageChangedError:
            return False
        since = warned.setdefault(warning, time.monotonic()) if warning else math.inf
        assert met or time.monotonic() - since < WARNED_S, f"waited for {condition}, but the page says: {warning}"
        return bool(met)

    until(seen, condition, PAGE_S)


class PageChangedError(Exception):
    """The page was left while a script ran in it."""


@contextmanager
def running(name: str, *, private: bool = False) -> Iterator[OtherBrowser]:
    """A browser of its own, with an empty profile, until the block ends."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tb", ignore_cleanup_errors=True)))
        yield stack.enter_context(_firefox(home, private) if name == "firefox" else _webkit(home, private))


def _needed(program: str, package: str) -> str:
    if path := shutil.which(program):
        return path
    pytest.skip(f"{program} is not installed (apt-get install {package})")


@contextmanager
def _process(command: list[str], **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A program that ends with the block."""
    process = subprocess.Popen(command, **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **more})
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)


class _Firefox:
    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.ids = itertools.count(1)
        self.ask("session.new", {"capabilities": {}})
        self.page = self.ask("browsingContext.getTree", {})["contexts"][0]["context"]

    def ask(self, method: str, parameters: dict[str, Any]) -> Any:
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=ANSWERS_S))
            if answer.get("id") == number:
                break
        if answer["type"] == "error":
            raise PageChangedError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", {"context": self.page, "url": address, "wait": "complete"})

    def run(self, script: str) -> Any:
        wanted = {
            "expression": f"(async () => {{ {script} }})().then((value) => JSON.stringify([value ?? null]))",
            "target": {"context": self.page},
            "awaitPromise": True,
            "userActivation": True,
        }
        answer = self.ask("script.evaluate", wanted)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])[0]

    def press(self, key: str) -> None:
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keys = {"type": "key", "id": "keys", "actions": actions}
        self.ask("input.performActions", {"context": self.page, "actions": [keys]})


@contextmanager
def _firefox(home: Path, private: bool) -> Iterator[OtherBrowser]:
    program = shutil.which("firefox-esr") or _needed("firefox", "firefox-esr")
    sound = _needed("pulseaudio", "pulseaudio")
    client = pytest.importorskip("websockets.sync.client", reason="the package websockets is not installed")
    preferences = {**PREFERENCES, "browser.privatebrowsing.autostart": private}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
    (home / "user.js").write_text("".join(lines), encoding="utf-8")
    port = free_port()
    own = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PULSE_SERVER": f"unix:{home}/sound"}
    loudspeakers = ["module-null-sink", f"module-native-protocol-unix auth-anonymous=1 socket={home}/sound"]
    modules = [part for module in loudspeakers for part in ("-L", module)]
    quiet = ["-n", "--exit-idle-time=-1", "--daemonize=no", "--use-pid-file=no"]
    page = ["--headless", "--no-remote", "--profile", str(home), f"--remote-debugging-port={port}", "about:blank"]
    with _process([sound, *quiet, *modules], env=own) as speakers:
        until(lambda: (home / "sound").exists() or speakers.poll() is not None, "the loudspeakers")
        with _process([program, *page], env=own) as process:
            sockets: list[Any] = []

            def connected() -> bool:
                assert process.poll() is None, "Firefox ended"
                try:
                    sockets.append(client.connect(f"ws://127.0.0.1:{port}/session", max_size=None))
                except OSError:
                    return False
                return True

            until(connected, "Firefox")
            with sockets[0]:
                yield _Firefox(sockets[0])


class _WebKit:
    def __init__(self, address: str, browser: Path, private: bool) -> None:
        self.address = address
        arguments = ["--automation", "--enable-media-stream=true", "--enable-mock-capture-devices=true"]
        arguments += ["--autoplay-policy=allow", *(["--private"] if private else [])]
        wanted = {"webkitgtk:browserOptions": {"binary": str(browser), "args": arguments}}
        session = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.address += f"/session/{session['sessionId']}"
        self.ask("POST", "/timeouts", {"script": 1000 * ANSWERS_S})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * ANSWERS_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise PageChangedError(error.read().decode()) from error

    def open(self, address: str) -> None:
        self.ask("POST", "/url", {"url": address})

    def run(self, script: str) -> Any:
        whole = f"""const done = arguments[0]; (async () => {{ {script} }})().then(
            (value) => done({{ value: value ?? null }}), (error) => done({{ error: String(error) }}));"""
        answer = self.ask("POST", "/execute/async", {"script": whole, "args": []})
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def press(self, key: str) -> None:
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})


@contextmanager
def _webkit(home: Path, private: bool) -> Iterator[OtherBrowser]:
    driver, screen = _needed("WebKitWebDriver", "webkit2gtk-driver"), _needed("Xvfb", "xvfb")
    browsers = sorted(Path("/usr").glob("lib*/*/webkit2gtk-4*/MiniBrowser"))
    if not browsers:
        pytest.skip("WebKitGTK's MiniBrowser is not installed (apt-get install webkit2gtk-driver)")
    command = [screen, "-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"]
    with _process(command, stdout=subprocess.PIPE) as display:
        assert display.stdout
        number = display.stdout.readline().decode().strip()
        own = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "DISPLAY": f":{number}"}
        own |= {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        port = free_port()
        with _process([driver, f"--port={port}"], env=own) as process:
            address = f"http://127.0.0.1:{port}"

            def answers() -> bool:
                assert process.poll() is None, "WebKitWebDriver ended"
                try:
                    urllib.request.urlopen(f"{address}/status", timeout=ANSWERS_S).close()
                except OSError:
                    return False
                return True

            until(answers, "WebKitWebDriver")
            page = _WebKit(address, browsers[-1], private)
            try:
                yield page
            finally:
                page.ask("DELETE", "")
