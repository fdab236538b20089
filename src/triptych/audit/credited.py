"""How often the authors' rule counts a reply as correct that chooses another letter than the correct one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from triptych.audit.systems import System
from triptych.records import Finding, Score, finding

_SHOWN = 3  # Units named in a message


def check_credited(system: System) -> Iterator[Finding]:
    """Yield a finding per Task in which `official` counts replies as correct that choose another letter.

    Which letter a reply chooses is what `standard` reads; replies that it can't read are not counted.
    """
    if not {"official", "standard"} <= system.benchmark.protocols.keys():
        return
    read: dict[str, int] = defaultdict(int)
    wrong: dict[str, list[str]] = defaultdict(list)
    pairs = zip(system.units, system.scores("official"), system.scores("standard"), strict=True)
    for unit, official, standard in pairs:
        if unit.item.answer == "letter" and standard and standard[0].status == "scored" and standard[0].extraction:
            task = unit.item.task
            read[task] += 1
            if _is_right(official) and not _is_right(standard):
                wrong[task].append(f"{unit.unit_id} ({standard[0].extraction})")
    for task, units in wrong.items():
        yield finding(
            "reading",
            "warning",
            system.benchmark.name,
            f"{system.name}, {task}: official credits another letter than the reply's in {len(units):,} of "
            f"{read[task]:,} replies that choose one, such as {', '.join(units[:_SHOWN])}",
            file=str(system.path),
            rows=[task],
            columns=["official"],
            effect=f"{100 * len(units) / read[task]:.1f} points of {read[task]:,} replies",
            about=task,
        )


def _is_right(scores: Sequence[Score]) -> bool:
    return bool(scores) and scores[0].status == "scored" and scores[0].numerator > 0
