"""Check, by content alone, whether the six directions of a subtask ask the same questions, row by row; and how the
protocols read the replies of a system."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from triptych.benchmarks.spec import BenchmarkSpec, TaskSpec
from triptych.benchmarks.xmodbench import rows as released
from triptych.benchmarks.xmodbench.files import QuestionFiles
from triptych.benchmarks.xmodbench.lmms_eval import lmms_letter
from triptych.benchmarks.xmodbench.logs import SCORE
from triptych.benchmarks.xmodbench.names import DIRECTIONS, LETTERS, split_task
from triptych.benchmarks.xmodbench.protocols import official_letter, spoken
from triptych.benchmarks.xmodbench.rows import Row, Source
from triptych.benchmarks.xmodbench.unified import UnifiedFiles
from triptych.metrics.choice import read_letter
from triptych.protocols.outcomes import ANY_TEXT
from triptych.records import Finding, Item, Response, finding
from triptych.records.log_figures import STORED

Facts = dict[str, list[object]]  # content -> its value by position
Directions = dict[str, dict[str, list[Row | None]]]  # subtask -> direction -> its rows by position
_EXAMPLES = 5  # of replies that protocols read differently
_FEW = 0.5  # share of rows; if fewer agree at the same position, the files aren't paired by position


def audit_data(spec: BenchmarkSpec, data: Path, tasks: Sequence[TaskSpec]) -> Iterator[Finding]:
    """Yield findings on subtasks whose directions are shifted against each other, or ask different questions."""
    newer = UnifiedFiles.find(data)
    directions = _newer_rows(spec, newer, tasks) if newer else _rows(spec, QuestionFiles(data), tasks)
    for subtask, subtask_rows in directions.items():
        if len(subtask_rows) > 1:
            yield from _shifts(spec.name, subtask, subtask_rows, str(data))
            yield from _disagreement_findings(spec.name, subtask, subtask_rows, str(data))


def _rows(spec: BenchmarkSpec, files: QuestionFiles, tasks: Sequence[TaskSpec]) -> Directions:
    directions: Directions = defaultdict(dict)
    for task in tasks:
        _, subtask, direction = split_task(task.id)
        if direction in DIRECTIONS and files.has_file(task.files[0]):
            source = Source(spec.full_id(task), task.files[0], files.prefix)
            directions[subtask][direction] = released.decode(files.read(source.name), source, lambda problem: None)
    return directions


def _newer_rows(spec: BenchmarkSpec, files: UnifiedFiles, tasks: Sequence[TaskSpec]) -> Directions:
    """Return the rows of the release of 2026-06 at their Instances' positions, None where there is none."""
    wanted, placed = {spec.full_id(task) for task in tasks}, defaultdict[tuple[str, str], dict[int, Row]](dict)
    for name in files.names:
        for row in files.rows(name, lambda problem: None):
            at = row.instance.rpartition("/")[2]
            if row.task in wanted and at.isdecimal():
                placed[row.subtask, row.task.rpartition("/")[2]][int(at)] = row.row
    directions: Directions = defaultdict(dict)
    for (subtask, direction), rows in placed.items():
        directions[subtask][direction] = [rows.get(n) for n in range(max(rows) + 1)]
    return directions


def audit_replies(name: str, system: str, path: str, answered: Sequence[tuple[Item, Response]]) -> Iterator[Finding]:
    """Yield findings on replies that the protocols read differently, and on a log's flags that its replies contradict.

    `official` is compared without a judge. A note has the number of replies by pair of protocols, and examples.
    """
    yield from _readings(name, system, path, answered)
    wrong = [item.id for item, response in answered if _flag(response) not in (None, _is_right(item, response))]
    if wrong:
        yield finding(
            "score",
            "severe" if len(wrong) > len(answered) / 100 else "warning",
            name,
            f"{system}: lmms-eval's rules give another result than the log's `correct` for {len(wrong):,} of "
            f"{len(answered):,} replies, such as {wrong[0]}",
            file=path,
            rows=wrong[:20],
            columns=[SCORE],
            effect="the log's figures don't follow from its replies",
        )


def _flag(response: Response) -> bool | None:
    """Return a log's own `correct`; None without one."""
    flag = next((step.text for step in response.intermediates if step.engine == STORED + SCORE), None)
    return None if flag is None else float(flag) == 1


def _is_right(item: Item, response: Response) -> bool:
    return lmms_letter(response.text) == item.target


def _readings(name: str, system: str, path: str, answered: Sequence[tuple[Item, Response]]) -> Iterator[Finding]:
    pairs: Counter[str] = Counter()
    shown: list[str] = []
    seen: set[str] = set()
    ids: list[str] = []
    for item, response in answered:
        if response.status not in ANY_TEXT:
            continue
        # Without options in the Item, a reply of one letter is read alike by all of them
        if not item.options and response.text in LETTERS:
            continue
        read = {
            "official": official_letter(response, item),
            "standard": read_letter(spoken(response.text), LETTERS, item.option_words()),
            "lmms-eval": lmms_letter(response.text),
        }
        if len(set(read.values())) > 1:
            ids.append(item.id)
            pairs.update(f"{a}/{b}" for a, b in combinations(read, 2) if read[a] != read[b])
            words = " ".join(spoken(response.text).split())[:60]
            if len(shown) < _EXAMPLES and words not in seen:
                seen.add(words)
                text = ", ".join(f"{rule} {letter or 'none'}" for rule, letter in read.items())
                shown.append(f"{item.id}: {words!r} is {text}")
    if ids:
        counts = ", ".join(f"{pair} {n:,}" for pair, n in pairs.most_common())
        yield finding(
            "reading",
            "warning" if len(ids) > len(answered) / 100 else "note",
            name,
            f"{system}: the protocols read {len(ids):,} of {len(answered):,} replies differently ({counts}). "
            f"{'; '.join(shown)}",
            file=path,
            rows=ids[:20],
            columns=["official", "standard", "lmms-eval"],
            effect=f"up to {100 * len(ids) / len(answered):.1f} points between figures of different protocols",
        )


def facts(rows: Sequence[Row | None]) -> Facts:
    """Return the stem and the options of each row, by their modality; options in any order, since a set may draw the
    letters for each direction."""
    facts: Facts = defaultdict(list)
    for row in rows:
        stem = "" if row is None else released.KINDS[row.conditions.modality]
        option = "" if row is None else released.KINDS[row.options["A"].modality]
        facts[f"stem {stem}"].append(row.conditions.input if row else None)
        facts[f"options {option}"].append(tuple(sorted(o.input for o in row.options.values())) if row else None)
    return facts


def shift_of(first: Sequence[object], second: Sequence[object]) -> tuple[int, int] | None:
    """Return (from which position on, by how many) rows of the second list precede their counterparts in the first;
    None if they are at the same positions or don't correspond. Values that occur more than once are ignored."""
    alone = {v for v, n in Counter(first).items() if n == 1} & {v for v, n in Counter(second).items() if n == 1}
    indices = {value: index for index, value in enumerate(first) if value in alone}
    moved = [(index, indices[value] - index) for index, value in enumerate(second) if value in alone]
    shifts = Counter(by for _, by in moved if by)
    if not shifts:
        return None
    by, hits = shifts.most_common(1)[0]
    first_moved = min(index for index, rows in moved if rows == by)
    start = max((index + 1 for index, row in moved if not row and index < first_moved), default=0)
    after = [shift for index, shift in moved if index >= start]
    return (start, by) if hits > 2 and after.count(by) > 0.95 * len(after) else None


def _shifts(name: str, subtask: str, rows_of: dict[str, list[Row | None]], file: str) -> Iterator[Finding]:
    """Yield one finding per direction that is shifted against most others."""
    facts_by_direction = {direction: facts(rows) for direction, rows in rows_of.items()}
    shifts: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    for one, other in combinations(rows_of, 2):
        for what in set(facts_by_direction[one]) & set(facts_by_direction[other]):
            if shift := shift_of(facts_by_direction[one][what], facts_by_direction[other][what]):
                shifts[other][one] = shift
                shifts[one][other] = (shift[0], -shift[1])
    if not shifts:
        return
    odd = max(shifts, key=lambda direction: len(shifts[direction]))
    (start, by) = next(iter(shifts[odd].values()))
    yield finding(
        "pairing",
        "severe",
        name,
        f"{subtask}, {odd}: from row {start} on, the rows are {abs(by)} {'later' if by > 0 else 'earlier'} in "
        f"{', '.join(shifts[odd])}: {abs(by)} {'missing' if by > 0 else 'too many'} here",
        file=file,
        rows=[f"{subtask}/{odd}/{start}"],
        columns=[odd],
        published=f"row {start}",
        recomputed=f"row {start + by}",
        effect=f"{len(rows_of[odd]) - start:,} rows pair with another question when they are joined by position",
    )


def _disagreement_findings(
    name: str, subtask: str, rows_of: dict[str, list[Row | None]], file: str
) -> Iterator[Finding]:
    """Yield directions that share a modality of stem or options, but don't agree in it, shifted or not."""
    facts_by_direction = {direction: facts(rows) for direction, rows in rows_of.items()}
    apart: list[str] = []
    involved: set[str] = set()
    for one, other in combinations(rows_of, 2):
        for what in set(facts_by_direction[one]) & set(facts_by_direction[other]):
            agree, n = agreement(facts_by_direction[one][what], facts_by_direction[other][what])
            if agree < _FEW * n and not shift_of(facts_by_direction[one][what], facts_by_direction[other][what]):
                apart.append(f"{one} and {other} agree in {agree} of {n} ({what})")
                involved |= {one, other}
    if not apart:
        return
    yield finding(
        "pairing",
        "severe",
        name,
        f"{subtask}: directions ask about different sets of questions: {'; '.join(apart)}",
        file=file,
        rows=[subtask],
        columns=sorted(involved, key=DIRECTIONS.index),
        published=f"{len(rows_of)} forms of each question",
        recomputed="two sets of questions",
        effect="differences between these directions are also differences between questions",
    )


def agreement(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """Return (positions with equal values, positions in both)."""
    n = min(len(first), len(second))
    return sum(a == b for a, b in zip(first, second, strict=False)), n
