"""Runs while they go on: progress of each, failures first, and replies as they come, read from the journals' ends."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from triptych.records import ErrorInfo
from triptych.records.unreadable import UNREADABLE
from triptych.reports.html.links import item_path, run_path
from triptych.running.progress import clock
from triptych.scoring.notes.labels import label_of
from triptych.store.folder import Entry, RunFolder
from triptych.viewer.catalogue import Listed

REFRESH_S = 3  # seconds between two readings of the page
ACTIVE_S = 120.0  # a journal that changed within these seconds belongs to a Run that goes on
LATEST_REPLIES = 8  # latest replies, and latest failures, of each Run
MAX_RUNS = 6  # Runs side by side
SPAN = 50  # latest replies from which the rate is estimated


class Line(msgspec.Struct, omit_defaults=True, gc=False):
    """The fields of a Response that the page shows."""

    item: str
    condition: str
    repeat: int
    status: str
    text: str = ""
    cost_usd: float | None = None
    error: ErrorInfo | None = None
    time: str = ""


_LINE = msgspec.json.Decoder(Line)


@dataclass
class Followed:
    """A journal up to `offset`. `latest`: each entry's status; `failures`: of entries that are failed now."""

    offset: int = 0
    latest: dict[Entry, str] = field(default_factory=dict)
    failures: dict[Entry, Line] = field(default_factory=dict)
    replies: deque[Line] = field(default_factory=lambda: deque(maxlen=SPAN))
    usd: float = 0.0
    damaged: int = 0

    @property
    def counts(self) -> Counter[str]:
        """Number of entries by status."""
        return Counter(self.latest.values())

    @property
    def per_second(self) -> float | None:
        """Replies per second among the latest; None without a basis."""
        times = [moment for line in self.replies if (moment := _moment(line.time)) is not None]
        span = times[-1] - times[0] if len(times) > 1 else 0.0
        return (len(times) - 1) / span if span > 0 else None


class Follower:
    """Follows the journals of many Runs; only what was appended since the last look is read."""

    def __init__(self) -> None:
        self._followed: dict[Path, Followed] = {}
        self._lock = threading.Lock()

    def read_progress(self, folder: RunFolder) -> Followed:
        """Return a Run's journal as it is now. A last line that is still being written is left for the next look."""
        path = folder.path / "responses.jsonl"
        with self._lock:
            followed = self._followed.setdefault(path, Followed())
            try:
                size = path.stat().st_size
            except OSError:
                return followed
            if size < followed.offset:  # another journal has taken its place
                followed = self._followed[path] = Followed()
            with path.open("rb") as file:
                file.seek(followed.offset)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    followed.offset += len(line)
                    _take(followed, line)
            return followed


def _take(followed: Followed, raw: bytes) -> None:
    try:
        line = _LINE.decode(raw)
    except UNREADABLE:
        followed.damaged += 1
        return
    entry = (line.item, line.condition, line.repeat)
    followed.latest[entry] = line.status
    followed.failures.pop(entry, None)
    if line.status == "failed":
        followed.failures[entry] = line
    followed.replies.append(line)
    followed.usd += max(0.0, line.cost_usd or 0.0)


def live(listed: Listed, chosen: list[str], follower: Follower, now: float | None = None) -> dict[str, Any]:
    """Return the progress of all Runs, those that go on first, and the replies of the chosen ones side by side.

    Without a choice, the Runs that go on are shown, otherwise the one that changed last.
    """
    now = time.time() if now is None else now
    rows = []
    for slug, folder in listed.runs.items():
        try:
            changed = (folder.path / "responses.jsonl").stat().st_mtime
        except OSError:  # packed, or not begun
            continue
        rows.append((now - changed, slug, folder))
    rows.sort(key=lambda row: row[0])
    folders = {slug: folder for _, slug, folder in rows}
    going = [slug for age, slug, _ in rows if age < ACTIVE_S]
    shown = [slug for slug in chosen if slug in folders] or going or [slug for _, slug, _ in rows[:1]]
    table = [_row(slug, folder, follower.read_progress(folder), age) for age, slug, folder in rows if age < ACTIVE_S]
    table += [
        _row(slug, folder, follower.read_progress(folder), age)
        for age, slug, folder in rows
        if age >= ACTIVE_S and slug in shown
    ]
    rest = [
        {"slug": slug, "label": label_of(folders[slug])}
        for _, slug, _ in rows
        if slug not in {r["slug"] for r in table}
    ]
    return {
        "rows": table,
        "rest": rest[:200],
        "shown": shown[:MAX_RUNS],
        "refresh": REFRESH_S,
        "going": len(going),
        "columns": [_column(slug, folders[slug], follower.read_progress(folders[slug])) for slug in shown[:MAX_RUNS]],
    }


def _row(slug: str, folder: RunFolder, value: Followed, age: float) -> dict[str, Any]:
    counts, planned = value.counts, folder.manifest.planned
    done = sum(counts.values()) - counts["failed"]
    rate = value.per_second if age < ACTIVE_S else None
    left = None if planned is None else max(0, planned - sum(counts.values()))
    return {
        "slug": slug,
        "href": run_path(slug),
        "label": label_of(folder),
        "benchmark": folder.manifest.benchmark,
        "done": done,
        "planned": planned,
        "failed": counts["failed"],
        "refused": counts["refused"],
        "truncated": counts["truncated"],
        "usd": f"${value.usd:.4f}" if value.usd else "",
        "to_go": clock(left / rate) if rate and left else "",
        "going": age < ACTIVE_S and left != 0,
        "ago": clock(max(0.0, age)),
        "damaged": value.damaged,
    }


def _column(slug: str, folder: RunFolder, value: Followed) -> dict[str, Any]:
    failures = list(value.failures.values())[-LATEST_REPLIES:][::-1]
    replies = [line for line in list(value.replies)[::-1] if line.status != "failed"][:LATEST_REPLIES]
    return {
        "slug": slug,
        "label": label_of(folder),
        "failed": len(value.failures),
        "failures": [_shown(slug, line) for line in failures],
        "replies": [_shown(slug, line) for line in replies],
    }


def _shown(slug: str, line: Line) -> dict[str, str]:
    text = line.error.message if line.error and line.status == "failed" else line.text
    kind = line.error.kind if line.error and line.status == "failed" else ""
    return {
        "item": line.item,
        "href": item_path(slug, line.item, line.repeat),
        "status": line.status,
        "kind": kind,
        "text": text if len(text) <= 300 else f"{text[:300]}…",
        "time": line.time[11:19],
    }


def _moment(timestamp: str) -> float | None:
    try:
        return datetime.fromisoformat(timestamp).timestamp()
    except ValueError:
        return None


def chosen_runs(parameters: Mapping[str, str]) -> list[str]:
    """Return the Runs that an address names: `run=A&run=B`."""
    many = getattr(parameters, "getlist", None)
    return list(dict.fromkeys(many("run") if many else filter(None, [parameters.get("run", "")])))
