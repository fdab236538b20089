"""How often the authors' rule counts a reply as correct that chooses another option than the correct one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from triptych.audit.results.systems import System
from triptych.records import Finding, finding
from triptych.scoring.apply import scores_of
from triptych.scoring.notes.credited import READER, choice, is_credited, reads_choice

_SHOWN = 3  # Units named in a message


def check_credited(system: System) -> Iterator[Finding]:
    """Yield a finding per Task in which a protocol counts replies as correct that choose another option.

    Which option a reply chooses is what `standard` reads; replies that it can't read are not counted. A protocol that
    credits the same replies as an earlier one is named with it.
    """
    names = [name for name in system.benchmark.protocols if name != READER]
    if READER not in system.benchmark.protocols or not names or not any(map(reads_choice, system.units)):
        return
    read: dict[str, int] = defaultdict(int)
    wrong: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in names}
    rules = {name: system.benchmark.protocol(name) for name in names}
    for unit, reading in zip(system.units, system.scores(READER), strict=True):
        if not reads_choice(unit) or not reading or not choice(reading[0]):
            continue
        read[unit.item.task] += 1
        if reading[0].numerator > 0:  # the reply chooses the correct option
            continue
        for name in names:
            scores = scores_of(unit, rules[name])
            if scores and is_credited(scores[0], reading[0]):
                wrong[name][unit.item.task].append(f"{unit.unit_id} ({reading[0].extraction})")
    for task, count in read.items():
        by_units: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for name in names:
            by_units[tuple(wrong[name][task])].append(name)
        yield from (_credit_finding(system, task, who, units, count) for units, who in by_units.items() if units)


def _credit_finding(system: System, task: str, protocols: list[str], units: tuple[str, ...], read: int) -> Finding:
    credits_ = "credit" if len(protocols) > 1 else "credits"
    return finding(
        "reading",
        "warning",
        system.benchmark.name,
        f"{system.name}, {task}: {' and '.join(protocols)} {credits_} another option than the reply's "
        f"in {len(units):,} of {read:,} replies that choose one, such as {', '.join(units[:_SHOWN])}",
        file=str(system.path),
        rows=[task],
        columns=protocols,
        effect=f"{100 * len(units) / read:.1f} points of {read:,} replies",
        about=task,
    )
