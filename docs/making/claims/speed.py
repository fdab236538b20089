"""Figures of `benchmarks_speed/measured.json`, which `python -m benchmarks_speed.run --json` writes.

Pages say what the file says. What is measured again may differ; then the file and the pages change together
(`make claims ARGS=--write`).
"""

from __future__ import annotations

import re
import sys
from functools import cache
from importlib import import_module
from typing import Any

import sources
from registry import figure

CLIENTS = {
    "triptych": "Triptych",
    "bare aiohttp": "bare aiohttp client",
    "inspect": "Inspect",
    "evalscope": "EvalScope",
    "lm-eval": "lm-evaluation-harness",
    "lmms-eval": "lmms-eval",
}


@figure
def measured(section: str, field: str, digits: str = "0", scale: str = "1", *row: str) -> str:
    """A field of a section's row, the first or the one that has `row` (`name value`) in it."""
    value = _row(section, *row)[field]
    return str(value) if isinstance(value, str) else f"{value * float(scale):,.{digits}f}"


@figure
def total(section: str, field: str) -> str:
    """The sum of a list of equal things: of a table whose last row sums up, that row's."""
    return str(_rows(section)[-1][field])


@figure
def lines(section: str) -> str:
    """How many rows a section has, without the one that sums up."""
    return f"{len(_rows(section)) - 1:,}"


@figure
def faster(what: str, digits: str = "0") -> str:
    """How many times as fast as the plain way a metric is."""
    row = next(r for r in _rows("metrics") if what in r["what"])
    value = row["plain"] / row["ours"]
    return f"{float(f'{value:.2g}'):,.{digits}f}"


@figure
def work(kind: str, *what: str) -> str:
    """Of the work that every client does: `items`, `concurrency`, `kilobytes` of a recording."""
    made = _module("work")
    own = {"text": made.TEXT, "audio": made.AUDIO}[kind]
    found = {"items": own.items, "concurrency": own.concurrency, "kilobytes": 2 * made.SECONDS * made.RATE // 1000}
    return " ".join(f"{found[name]:,}" for name in what)


@figure
def size(name: str) -> str:
    """A size that a section is measured on: `viewer.ITEMS`, `comparing.INSTANCES`."""
    file, _, constant = name.partition(".")
    return f"{getattr(_module(file), constant):,}"


@figure
def loaded() -> str:
    """How many questions and result rows were loaded."""
    return " ".join(f"{int(n):,}" for n in re.findall(r"(\d+) (?:questions|result rows)", _row("loading")["what"]))


@figure
def held(section: str, field: str) -> str:
    """How many things a list holds: files that differ, Items lost, Responses mislabelled."""
    found = _row(section)[field]
    return str(found if isinstance(found, int) else len(found))


@figure
def slowest_page() -> str:
    """The CPU time of the viewer's slowest page, in ms."""
    return f"{max(row['cpu_ms'] for row in _rows('viewer') if 'cpu_ms' in row):.0f}"


@figure
def circumstances(section: str) -> str:
    """The load of the machine while a section was measured."""
    return str(_file()[section]["load"])


@figure
def table(name: str) -> str:
    """A table of the page: `clients`, `strange`, `goals` of many Units and Runs, `growth`."""
    return {"clients": _clients, "strange": _strange, "goals": _goals, "growth": _growth}[name]()


def _clients() -> str:
    head = [
        "client",
        "text: CPU ms an Item",
        "times ours",
        "peak MB",
        "log MB",
        "audio: CPU ms an Item",
        "times ours",
        "peak MB",
        "log MB",
        "`--help`: CPU s",
        "`list`: CPU s",
    ]
    rows = [
        [
            f"{CLIENTS[own['client']]} {_version(own['client'])}".strip(),
            *_asked("text", own["client"]),
            *_asked("audio", own["client"]),
            *_start(own["client"]),
        ]
        for own in _rows("text")
    ]
    return _markdown(head, rows)


def _asked(section: str, client: str) -> list[str]:
    row, ours = _row(section, "client", client), _row(section, "client", "triptych")
    if row["problem"]:
        return [row["problem"], "", "", ""]
    return [f"{row['cpu_ms']:.2f}", f"{row['cpu_ms'] / ours['cpu_ms']:.1f}", f"{row['rss']:.0f}", f"{row['log']:.1f}"]


def _start(client: str) -> list[str]:
    row = next((r for r in _rows("start") if r["client"] == client), None)
    return [f"{row['help_cpu']:.2f}", f"{row['list_cpu']:.2f}"] if row else ["", ""]


def _version(client: str) -> str:
    return str(next((r["version"] for r in _rows("versions") if r["client"] == client), ""))


def _strange() -> str:
    rows = _rows("strange")
    return _markdown(list(rows[0]), [list(row.values()) for row in rows], right=2)


def _goals() -> str:
    """What jobs over many Units and Runs cost, and what they should."""
    head = ["job", "CPU s", "wanted", "wall s", "peak MB", "wanted"]
    return _markdown(head, [_cost(row) for row in _rows("scale") if row["wanted_s"]])


def _growth() -> str:
    """How the cost of a report grows with Runs and Units."""
    head = ["report on", "CPU s", "wall s", "peak MB"]
    rows = [[row["job"], f"{row['cpu']:.1f}", f"{row['wall']:.1f}", f"{row['rss']:,.0f}"] for row in _rows("growth")]
    return _markdown(head, rows)


def _cost(row: dict[str, Any]) -> list[str]:
    wanted = f"{row['wanted_s']:g}" if row["wanted_s"] else ""
    memory = [f"{row[name]:,.0f}" if row[name] else "" for name in ("rss", "wanted_mb")]
    return [row["job"], f"{row['cpu']:.1f}", wanted, f"{row['wall']:.1f}", *memory]


def _markdown(head: list[str], rows: list[list[str]], right: int = 1) -> str:
    rule = ["---"] * right + ["---:"] * (len(head) - right)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def _row(section: str, *row: str) -> dict[str, Any]:
    if not row:
        return _rows(section)[0]
    name, value = row
    return next(r for r in _rows(section) if str(r[name]) == value)


def _rows(section: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = _file()[section]["rows"]
    return rows


def _module(name: str) -> Any:
    sys.path.insert(0, str(sources.ROOT))
    return import_module(f"benchmarks_speed.{name}")


@cache
def _file() -> dict[str, Any]:
    found: dict[str, Any] = sources.as_json(sources.ROOT / "benchmarks_speed/measured.json")
    return found
