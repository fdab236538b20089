"""Examples in the documentation: commands with what they print, run and compared.

In a fenced block a line that begins with `$ ` is a command, and the lines below it are what it prints; a block whose
commands show no output is not run. Two comments before a fence say more:

- `<!--$ COMMAND -->` is run first, unseen (`$DATA` is the folder of real data, `$REPO` the repository);
- `<!-- figures vary -->`: the figures depend on the machine, so only the words around them are compared. A value may
  have an interval or not, and the rule under a header may be as long as its columns need.

`make demo` is not run here: what it printed is read from the file that `TRIPTYCH_DEMO_PRINTED` names.
A line of output that is `…` stands for any lines, and `…` at a line's end for the rest of it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import sources
from marks import source

WIDTH = 100
_BLOCK = re.compile(r"(?P<before>(?:^<!--[^\n]*-->\n)*)^```\w*\n(?P<body>.*?)^```", re.S | re.M)
_HIDDEN = re.compile(r"^<!--\$ (.+?) -->$", re.M)
_NUMBER = re.compile(r"\d[\d,.]*")
_INTERVAL = re.compile(r"\b0 +0–0\b")
_RULE = re.compile(r"─+")


@dataclass(frozen=True)
class Example:
    """A command as typed, what the page says it prints, and the commands to run before it."""

    page: Path
    line: int
    first: tuple[str, ...]
    command: str
    printed: tuple[str, ...]
    vary: bool


def examples(page: Path) -> Iterator[Example]:
    """The commands of a page whose output is shown, in order."""
    text = source(page)
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start("body")) + 1
        hidden = tuple(_HIDDEN.findall(block["before"]))
        vary = "<!-- figures vary -->" in block["before"]
        steps = _steps(block["body"].splitlines(), line)
        if hidden or any(printed for _, _, printed in steps):
            for number, (place, command, printed) in enumerate(steps):
                yield Example(page, place, () if number else hidden, command, printed, vary)


def problem(example: Example, folder: Path) -> str | None:
    """Run an example in `folder`; what differs from the page, or None. Raises Absent without its data."""
    for command in example.first:
        done = _run(command, folder)
        if done.returncode not in (0, 1):
            return f"{command!r} failed: {done.stderr.strip()[-300:]}"
    if not example.printed:
        return None
    if example.command == "make demo":
        return first_difference(example.printed, _demo_printed(), vary=example.vary)
    done = _run(example.command, folder)
    return first_difference(example.printed, done.stdout.splitlines(), vary=example.vary, errors=done.stderr)


def first_difference(shown: Sequence[str], real: Sequence[str], *, vary: bool = False, errors: str = "") -> str | None:
    """Return the first shown line that the real output doesn't have at this position; None if all are found."""
    place, anywhere = 0, True
    lines = [line.rstrip() for line in real]
    for line in shown:
        if line.strip() == "…":
            anywhere = True
            continue
        options = range(place, len(lines)) if anywhere else range(place, min(place + 1, len(lines)))
        found = next((at for at in options if _fits(line, lines[at], vary=vary)), None)
        if found is None:
            instead = lines[place] if place < len(lines) else f"the end{': ' + errors.strip()[-300:] if errors else ''}"
            return f"shown {line!r}; the command prints {instead!r}"
        place, anywhere = found + 1, False
    return None


def _fits(shown: str, real: str, *, vary: bool) -> bool:
    a, b = shown.rstrip(), real
    if a.endswith("…"):
        a = a[:-1].rstrip()
        b = b[: len(a)]
    if vary:
        a, b = _without_figures(a), _without_figures(b)
    return a == b


def _without_figures(line: str) -> str:
    numbers = _INTERVAL.sub("0", _NUMBER.sub("0", line))
    return " ".join(_RULE.sub("─", numbers).split())


def _demo_printed() -> list[str]:
    path = os.environ.get("TRIPTYCH_DEMO_PRINTED")
    if not path:
        raise sources.Absent("what the demo printed: set TRIPTYCH_DEMO_PRINTED to the file that holds it")
    return Path(path).read_text(encoding="utf-8").splitlines()


def _steps(lines: Sequence[str], start: int) -> list[tuple[int, str, tuple[str, ...]]]:
    """A block's commands with their line numbers and output; remarks behind a command are not part of it."""
    steps: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(lines, start + 1):
        if line.startswith("$ "):
            steps.append((number, re.split(r"\s{2,}#", line[2:])[0].strip(), []))
        elif steps and (line.strip() or steps[-1][2]):
            steps[-1][2].append(line)
    return [(number, command, tuple(_trimmed(printed))) for number, command, printed in steps]


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    data = str(sources.shared("")) if "$DATA" in command else ""
    place = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": str(WIDTH),
        "DATA": data,
        "REPO": str(sources.ROOT),
        "NO_COLOR": "1",
    }
    return subprocess.run(  # noqa: S602  (commands of our own documentation)
        command, shell=True, cwd=folder, env=place, capture_output=True, text=True, timeout=900, check=False
    )
