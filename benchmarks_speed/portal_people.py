"""People of the portal's load test: each opens the page, reads aloud for a while, and sends the recording until its
receipt comes, as a browser does."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
import struct
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec

RATE = 48_000
SECONDS = 6  # of one recording
THINK_S = 20.0  # mean time between the page and the recording, drawn from an exponential distribution
_TASK = re.compile(r'id="clip" data-task="(\d+)"')
_TOKEN = re.compile(r'data-token="([0-9a-f]+)"')


@dataclass
class Seen:
    """What the people of a load test saw. Times are seconds of requests that were answered as they should be."""

    pages: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    receipts: dict[str, str] = field(default_factory=dict)  # id of the submission -> SHA-256
    problems: dict[str, int] = field(default_factory=dict)

    def problem(self, what: str) -> None:
        """Count something that had to be tried again."""
        self.problems[what] = self.problems.get(what, 0) + 1


def take(base: bytes, seed: int) -> bytes:
    """A recording that nobody else sends: some samples are the number of the take."""
    return base[:44] + struct.pack("<q", seed) + base[52:]


def base_sound(seconds: int = SECONDS) -> bytes:
    """Noise that passes the checks, as 16-bit mono WAV."""
    import numpy as np

    from triptych.media.sound.coding import encode_wav

    noise = np.random.default_rng(3).normal(size=(RATE * seconds, 1)) * 0.1
    return encode_wav(noise.clip(-0.9, 0.9), RATE)


async def crowd(
    address: str, cookies: list[str], seconds: float, think: float = THINK_S, sound_s: int = SECONDS
) -> Seen:
    """Let all people work at once for some seconds; each ends with the receipt of the last recording."""
    seen, sound = Seen(), base_sound(sound_s)
    until = time.monotonic() + seconds
    timeout = aiohttp.ClientTimeout(total=30)
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=4)
    async with aiohttp.ClientSession(address, connector=connector, timeout=timeout) as client:
        people = (_person(client, cookie, n, until, think, seen, sound) for n, cookie in enumerate(cookies))
        await asyncio.gather(*people)
    return seen


async def _person(client: Any, cookie: str, number: int, until: float, think: float, seen: Seen, sound: bytes) -> None:
    draw, made = random.Random(number), 0
    own = {"cookie": f"triptych_portal={cookie}", "accept": "text/html"}
    await asyncio.sleep(draw.random() * think)
    while time.monotonic() < until:
        page = await _page(client, own, seen)
        found, token = _TASK.search(page), _TOKEN.search(page)
        if not found or not token:
            return
        await asyncio.sleep(draw.expovariate(1 / think))
        made += 1
        data = take(sound, number * 1_000_000 + made)
        await _send(client, own, int(found[1]), token[1], f"person-{number:06}-{made:06}", data, seen)


async def _page(client: Any, own: dict[str, str], seen: Seen) -> str:
    while True:
        began = time.perf_counter()
        try:
            async with client.get("/record/record", headers=own) as answer:
                text: str = await answer.text()
                if answer.status == 200:
                    seen.pages.append(time.perf_counter() - began)
                    return text
                seen.problem(f"page: {answer.status}")
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            seen.problem(f"page: {type(error).__name__}")
        await asyncio.sleep(1)


async def _send(client: Any, own: dict[str, str], task: int, token: str, id: str, data: bytes, seen: Seen) -> None:
    sha = hashlib.sha256(data).hexdigest()
    heard = (len(data) - 44) // (2 * RATE)
    facts = {
        "frames": RATE * heard,
        "rate": RATE,
        "blocks": 100,
        "lost": 0,
        "milliseconds": 1000 * heard,
        "worked": 9,
    }
    headers = {**own, "x-form-token": token, "x-content-sha256": sha, "x-facts": msgspec.json.encode(facts).decode()}
    headers["accept"] = "application/json"
    while True:
        began = time.perf_counter()
        try:
            async with client.put(f"/record/record/{task}/{id}", data=data, headers=headers) as answer:
                body = await answer.read()
                if answer.status == 201:
                    assert msgspec.json.decode(body)["sha256"] == sha
                    seen.submits.append(time.perf_counter() - began)
                    seen.receipts[id] = sha
                    return
                seen.problem(f"submit: {answer.status}")
                if answer.status in (400, 404, 409, 413, 415):
                    return
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            seen.problem(f"submit: {type(error).__name__}")
        await asyncio.sleep(1)
