"""XModBench-Lite as released in 2026-06: 5 families x 6 directions x 200 rows, as ids in `lite_2026.txt`.

The authors' generator (make_lite.py of lmms-eval's task xmod_bench, seed 42) takes even shares of a family's subtasks.
It reads their files of 61,320 rows. In those, `emotion_classification` belongs to knowledge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from triptych.benchmarks.xmodbench.names import CONFIGS, FAMILY_OF, INSTRUMENTS_GAP, direction_label
from triptych.records import Problem

LIST = Path(__file__).with_name("lite_2026.txt")
EACH = 200


@cache
def load_index() -> dict[str, tuple[tuple[str, int], ...]]:
    """Return direction (`a2t`) -> (subtask, original index) of its rows, in order."""
    lines = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = dict(code.split("=") for code in lines[0][1:])
    return {line[0]: tuple((names[word[0]], int(word[1:])) for word in line[1:]) for line in lines[1:]}


@cache
def ids() -> frozenset[str]:
    """Return the ids of the Items."""
    return frozenset(item_id(config, *row) for config, rows in load_index().items() for row in rows)


def item_id(config: str, subtask: str, index: int) -> str:
    """Return the id of a row of the list."""
    direction = CONFIGS[config]
    shifted = subtask == "instruments" and config == "a2t" and index > INSTRUMENTS_GAP
    return f"{FAMILY_OF[subtask]}/{subtask}/{direction_label(subtask, direction)}/{index - shifted}"


def lite_family(subtask: str) -> str:
    """Return the family of which a subtask's rows are a share: emotion is knowledge here."""
    return "knowledge" if subtask == "emotion_classification" else FAMILY_OF[subtask]


def short_tasks(families: Iterable[str], tasks: frozenset[str]) -> Iterator[Problem]:
    """Yield a note on each family and direction that has fewer than 200 of the list's Items. `tasks`: those asked."""
    there = frozenset(families)
    shortages: Counter[tuple[str, str, str]] = Counter()
    for item in ids() - there:
        _, subtask, direction, _ = item.split("/")
        if item.rpartition("/")[0] in tasks:
            shortages[lite_family(subtask), direction, subtask] += 1
    yield from lacking_notes(shortages)


def lacking_notes(
    shortages: Mapping[tuple[str, str, str], int], rows: Mapping[tuple[str, str], int] | None = None
) -> Iterator[Problem]:
    """Yield a note on each family and direction of `shortages`: (family, direction, subtask) -> questions that the data
    lacks. `rows`: the questions of the list, if not 200 each.
    """
    cells: dict[tuple[str, str], list[str]] = {}
    for (family, direction, subtask), n in sorted(shortages.items()):
        cells.setdefault((family, direction), []).append(f"{n} of {subtask}")
    for (family, direction), cell in cells.items():
        missing = sum(n for (source, to, _), n in shortages.items() if (source, to) == (family, direction))
        each = rows[family, direction] if rows else EACH
        message = f"XModBench-Lite: {family}, {direction} has {each - missing} of {each} questions: "
        yield Problem("note", "lite-short", "", f"{message}the data lacks {', '.join(cell)}", rows=missing)
