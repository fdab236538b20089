"""Figures about XModBench's released results: from a table of counts, and from the list of recomputed cells."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import fmean

import sources
from registry import figure

COUNTS = Path(__file__).with_name("xmodbench_released.csv")
REPRODUCED = sources.ROOT / "tests/benchmarks/xmodbench/golden/reproduced.csv"
SYSTEMS = {
    "gemini-2.5-pro": "Gemini 2.5 Pro",
    "gemini-2.5-flash": "Gemini 2.5 Flash",
    "gemini-2.0-flash": "Gemini 2.0 Flash",
    "gemini-2.0-pro": "Gemini 1.5 Pro",
    "qwen2.5_omni": "Qwen2.5-Omni",
    "vita": "VITA",
    "echoink": "EchoInk-R1",
    "panda": "PandaGPT",
}
# subtask -> (table, heading of its columns)
HEADINGS = {
    "general": ("T6", "General"),
    "finegrained": ("T6", "GeneralHard"),
    "natures": ("T6", "Scene"),
    "instruments": ("T6", "Instruments"),
    "instruments_comp": ("T6", "InstrMulti"),
    "arrangements": ("T7", "Arrangement"),
    "3D_movements": ("T7", "MovingDirection"),
    "panaroma": ("T7", "Indoor"),
    "order": ("T8", "Order"),
    "count": ("T8", "Counting"),
    "calculation": ("T8", "Calculation"),
    "recognition": ("T9", "Recognition"),
    "translation": ("T9", "Translation"),
    "emotion_classification": ("T9", "Emotion"),
    "music_genre_classification": ("T10", "Genre"),
    "movie_matching": ("T10", "Movie"),
    "singer_identification": ("T10", "Singer"),
}
_LETTER = {"audio": "A", "vision": "V", "text": "T"}


@figure
def released(folder: str, system: str, what: str, task: str = "") -> str:
    """Of released files: `tasks`, `rows`, `answered`, `lost`, `correct`, `times`, `score` (%); several with `+`."""
    if "+" in what:
        return " ".join(released(folder, system, one, task) for one in what.split("+"))
    rows = [r for r in _counts() if (r["folder"], r["system"]) == (folder, system) and (not task or r["task"] == task)]
    if not rows:
        raise LookupError(f"nothing of {system} in {folder}{f', {task}' if task else ''}")
    if what == "tasks":
        return f"{len(rows):,}"
    total = {name: sum(int(r[name]) for r in rows) for name in ("rows", "answered", "correct", "times")}
    if what == "lost":
        return f"{total['rows'] - total['answered']:,}"
    if what == "share-lost":
        return f"{100 * (1 - total['answered'] / total['rows']):.1f}"
    return f"{100 * total['correct'] / total['answered']:.2f}" if what == "score" else f"{total[what]:,}"


@figure
def unlike_files(system: str) -> str:
    """How many result files of a system lack the field `original_response`."""
    return str(sources.xmodbench_found()["unlike"][system][0])


@figure
def people(*what: str) -> str:
    """Of the people's sessions: `sessions`, `right`, `answers`."""
    return " ".join(str(sources.xmodbench_found()["people"][name]) for name in what)


@figure
def dual_context(system: str, *what: str) -> str:
    """The mean over subtasks of audio with vision to text: by the `items`, by the authors' `script`; their number."""
    rows = [
        r
        for r in _counts()
        if (r["folder"], r["system"]) == ("results_mini_benchmark", system) and r["task"].endswith("/audiovision_text")
    ]
    script = [
        v["audio_vision_text"]
        for family in sources.xmodbench_found()["avt"][system].values()
        for v in family.values()
        if "audio_vision_text" in v
    ]
    shares = [100 * int(r["correct"]) / int(r["answered"]) for r in rows]
    found = {"items": f"{fmean(shares):.2f}", "script": f"{fmean(script):.2f}", "subtasks": str(len(rows))}
    return " ".join(found[name] for name in what)


@figure
def most_rows(folder: str, system: str, *kinds: str) -> str:
    """The number of questions that most Tasks of a system have, and in how many; `least`, `greatest`."""
    sizes = Counter(int(r["rows"]) for r in _counts() if (r["folder"], r["system"]) == (folder, system))
    (size, tasks), *_ = sizes.most_common(1)
    found = {"size": size, "tasks": tasks, "least": min(sizes), "greatest": max(sizes)}
    return " ".join(f"{found[kind]:,}" for kind in kinds)


@figure
def follow(folder: str, *systems: str) -> str:
    """How many published subtask cells of Tables 6 to 10 the items give, to the printed digits."""
    return f"{sum(follows for s in systems for _, follows in _cells(folder, s)):,}"


@figure
def compared(folder: str, *systems: str) -> str:
    """How many published subtask cells of Tables 6 to 10 have released results."""
    return f"{sum(1 for s in systems for _ in _cells(folder, s)):,}"


@figure
def differ(folder: str, system: str, least: str = "0", most: str = "100") -> str:
    """Count the cells that don't follow, and are `least` to `most` points away from the value by the items."""
    gaps = [abs(gap) for gap, follows in _cells(folder, system) if not follows]
    return str(sum(float(least) <= gap < float(most) for gap in gaps))


@figure
def gaps(folder: str, system: str, most: str) -> str:
    """Return how far cells that don't follow are below and above the value by the items, if under `most` points."""
    found = [gap for gap, follows in _cells(folder, system) if not follows and abs(gap) < float(most)]
    return f"{-min(found):.2f} {max(found):.2f}"


@figure
def scores(folder: str, system: str, *tasks: str) -> str:
    """The accuracies of some Tasks."""
    return " ".join(released(folder, system, "score", task) for task in tasks)


@figure
def reproduced(system: str, what: str, *tables: str) -> str:
    """Published cells of the two systems in our tests: `follow`, `differ` or `all`; `both` for both systems."""
    with REPRODUCED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if system in ("both", row["system"])]
    rows = [row for row in rows if not tables or row["table"] in tables]
    kept = {"all": rows, "follow": [r for r in rows if not r["reason"]], "differ": [r for r in rows if r["reason"]]}
    return f"{len(kept[what]):,}"


def _cells(folder: str, system: str) -> Iterator[tuple[float, bool]]:
    """For each published cell with results: how far it is above what the items give, and whether it follows."""
    printed = {
        (r["table"], r["column"].replace(" ", "")): r["value"]
        for r in sources.published("xmodbench")
        if r["model"] == SYSTEMS[system]
    }
    for row in _counts():
        if (row["folder"], row["system"]) != (folder, system):
            continue
        _, subtask, direction = row["task"].split("/")
        if subtask not in HEADINGS or "audiovision" in direction:
            continue
        table, heading = HEADINGS[subtask]
        a, b = direction.split("_")
        value = printed.get((table, f"{_LETTER[a]}>{_LETTER[b]}|{heading}"))
        if value is not None:
            digits = len(value.partition(".")[2])
            n = int(row["counted"])
            gap = float(value) - (100 * int(row["correct"]) / n if n else 0.0)
            yield gap, bool(n) and abs(gap) <= 0.5 * 10**-digits + 1e-9


@cache
def _counts() -> list[dict[str, str]]:
    with COUNTS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
