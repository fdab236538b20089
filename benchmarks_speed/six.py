"""A benchmark in six directions: 2,000 Instances of pictures of text and speech, peak memory and time of the build."""

from __future__ import annotations

import csv
import itertools
import random
import shutil
import sys
from pathlib import Path
from typing import Any

INSTANCES = 2_000
LIMIT_S, LIMIT_MB = 600, 1_000
WHO = ("The teacher", "My sister", "An old man", "The pilot", "A child", "Our neighbour", "The doctor", "His uncle")
DID = ("bought", "found", "lost", "sold", "painted", "hid", "repaired", "carried")
WHAT = (
    "a red bicycle",
    "two green lamps",
    "seven old books",
    "the small piano",
    "a warm coat",
    "nine yellow boats",
    "the broken clock",
    "a heavy box",
    "three blue cups",
    "an empty bag",
    "five long ropes",
)
WHEN = ("on Monday", "in the garden", "before lunch", "near the river", "last winter", "at the station")


def measure(folder: Path) -> list[dict[str, Any]]:
    """Build from nothing, and once more with nothing left to do; needs the program espeak-ng."""
    from benchmarks_speed import measure as cost
    from benchmarks_speed import table

    if shutil.which("espeak-ng") is None:
        print("six: not measured, the program espeak-ng is not installed", file=sys.stderr)
        return []
    config = material(folder)
    command = [
        sys.executable,
        "-m",
        "triptych",
        "build",
        "xmodbench",
        "--config",
        str(config),
        "--to",
        str(folder / "b"),
    ]
    found = []
    for what in ("from nothing", "once more"):
        done = cost.run(command, folder, limit=4 * LIMIT_S)
        if done.code:
            print(done.output[-500:], file=sys.stderr)
        found.append({"what": what, "code": done.code, "wall": done.wall, "rss": done.rss})
    rows = [[one["what"], f"{one['wall']:.0f}", f"{one['rss']:.0f}"] for one in found]
    goal = f"goal: {LIMIT_S} s and {LIMIT_MB:,} MB"
    table.show(
        f"{INSTANCES:,} Instances of text, speech and pictures of text in six directions ({goal})",
        ["build", "wall s", "peak MB"],
        rows,
    )
    return found


def material(folder: Path) -> Path:
    """Write a table of sentences in groups of four that differ in the verb, and the configuration."""
    draw = random.Random(1)
    frames = list(itertools.product(WHO, WHAT, WHEN))
    draw.shuffle(frames)
    with (folder / "sentences.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "subtask", "text", "group"])
        for number, (who, what, when) in enumerate(frames[: INSTANCES // 4]):
            for n, did in enumerate(draw.sample(DID, 4)):
                writer.writerow([f"{number:04}-{n}", "recognition", f"{who} {did} {what} {when}.", f"g{number}"])
    config = folder / "six.toml"
    config.write_text(
        'triplets = ["sentences.csv"]\ncommon = { licence = "cc0-1.0", language = "en" }\n', encoding="utf-8"
    )
    return config
