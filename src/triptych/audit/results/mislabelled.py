"""Detection of results that are another system's under a wrong name, as a whole or in some Tasks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from triptych.audit.results.agreement import Agreement, agreement
from triptych.audit.results.systems import System
from triptych.errors import SpecError, nearest
from triptych.records import Finding, FindingSeverity, finding

if TYPE_CHECKING:
    from triptych.scoring.figures.cells import Index

MIN_WRONG_QUESTIONS = 30  # questions that both got wrong, under which agreement there says nothing
MIN_STANDARD_ERRORS = 6.0  # standard errors above chance
_SEVERE, _SUSPECT = 0.9, 0.75  # agreement beyond chance where both are wrong, as repeats have it
_ALPHA = 0.01  # the probability of any false alarm over all Tasks of all pairs
_SHOWN = 6  # Tasks named


@dataclass
class Pair:
    """Two systems, and the agreement of their wrong answers: over all Tasks, and by Task."""

    first: System
    second: System
    overall: Agreement
    tasks: dict[str, Agreement] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The names of the two."""
        return frozenset((self.first.name, self.second.name))

    @property
    def have_same_name(self) -> bool:
        """Return whether both have one name: results of one system in two folders (a sample and the whole)."""
        return len(self.names) == 1 and self.first.manifest is None and self.second.manifest is None

    @property
    def labels(self) -> tuple[str, str]:
        """Return the labels of the two; with their folders if their names are equal."""
        if len(self.names) == 2:
            return self.first.name, self.second.name
        first, second = (f"{system.path.parent.name}/{system.name}" for system in (self.first, self.second))
        return first, second

    @property
    def is_one_model(self) -> bool:
        """Return whether these are Runs of one model, such as under two Conditions."""
        identities = [(m.name, m.model) for system in (self.first, self.second) if (m := system.manifest) is not None]
        return len(identities) == 2 and identities[0] == identities[1]


def check_mislabelled(systems: Sequence[System], repeats: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """Pairs of systems that agree where both are wrong as repeats of one model do.

    Over all Tasks, with known repeats: as much as these do, minus three standard errors. Without: 0.75 of the possible
    agreement beyond chance (warning), 0.9 (severe). Never below six standard errors above chance, or on fewer than 30
    questions that both got wrong. Pairs without such a finding are compared Task by Task: see `copied_tasks`.
    """
    repeated = {frozenset(pair) for pair in repeats}
    names = {system.name for system in systems}
    for name in {name for pair in repeated for name in pair} - names:
        raise SpecError(f"no results of {name!r} among those given", fix=nearest(name, names))
    pairs = _pairs(systems)
    usual = [pair.overall for pair in pairs if pair.names in repeated]
    unrelated = [pair for pair in pairs if pair.names not in repeated and not pair.is_one_model]
    group_findings = {id(pair): group_finding for pair in unrelated for group_finding in _overall_findings(pair, usual)}
    yield from group_findings.values()
    rest = [pair for pair in unrelated if id(pair) not in group_findings]
    for pair, tasks in zip(rest, copied_tasks([pair.tasks for pair in rest]), strict=True):
        if tasks:
            yield _in_tasks(pair, tasks)


@dataclass(frozen=True)
class _SystemAnswers:
    """A system's answers in the order of its Units, as numbers: Units, Tasks, reference answers, what was answered."""

    unit: Index
    task: Index
    key: Index
    answer: Index


def _pairs(systems: Sequence[System]) -> list[Pair]:
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__  # text -> its number
    numbered_answers = {id(system): _numbered_answers(system, numbers) for system in systems}
    names = list(numbers)
    return [
        _pair(a, b, numbered_answers[id(a)], numbered_answers[id(b)], names)
        for a, b in combinations(systems, 2)
        if a.benchmark.name == b.benchmark.name
    ]


def _numbered_answers(system: System, numbers: Mapping[str, int]) -> _SystemAnswers:
    rows = [
        (numbers[unit], numbers[task], numbers[key], numbers[text])
        for unit, (task, key, text) in system.answers.items()
    ]
    return _SystemAnswers(*np.array(rows, dtype=np.intp).reshape(-1, 4).T)


def _pair(first: System, second: System, mine: _SystemAnswers, yours: _SystemAnswers, names: Sequence[str]) -> Pair:
    key, texts = np.full(len(names), -1), np.full(len(names), -1)
    key[yours.unit], texts[yours.unit] = yours.key, yours.answer
    shared = key[mine.unit] == mine.key
    task, keys, a, b = mine.task[shared], mine.key[shared], mine.answer[shared], texts[mine.unit[shared]]
    n, same = np.bincount(task, minlength=len(names)), np.bincount(task, a == b, minlength=len(names))
    strata: dict[int, dict[int, list[tuple[int, int]]]] = {number: {} for number in dict.fromkeys(task.tolist())}
    wrong = (a != keys) & (b != keys)
    for number, right, *cell in np.stack((task, keys, a, b), axis=-1)[wrong].tolist():
        strata[number].setdefault(right, []).append((cell[0], cell[1]))
    tasks = {
        names[number]: agreement(int(n[number]), int(same[number]), members.values())
        for number, members in strata.items()
    }
    return Pair(first, second, Agreement.total(list(tasks.values())), tasks)


def copied_tasks(pairs: Sequence[Mapping[str, Agreement]]) -> list[list[str]]:
    """For each pair of systems, the Tasks in which the second's answers are the first's.

    The null model: in each Task, answers to the questions that both got wrong agree with at most the probability that
    is at 0.75 between chance (both systems' answers shuffled within Task and reference answer) and certainty, each
    question by itself. Different systems were found up to there, since some wrong options tempt all of them, and since
    a wrong reference answer makes all of them wrong alike; no further. The binomial tail of each Task with 30 or more
    such questions is held, by Holm's procedure over all Tasks of all pairs together, to a probability of 0.01 that any
    Task is reported wrongly.
    """
    tests = [
        (alike.tail_beyond(_SUSPECT) if alike.beyond_chance > _SUSPECT else 1.0, index, task)
        for index, tasks in enumerate(pairs)
        for task, alike in tasks.items()
        if alike.wrong >= MIN_WRONG_QUESTIONS
    ]
    tasks_by_pair: list[list[str]] = [[] for _ in pairs]
    for rank, (chance, number, task) in enumerate(sorted(tests)):
        if chance * (len(tests) - rank) >= _ALPHA:
            break
        tasks_by_pair[number].append(task)
    return tasks_by_pair


def _overall_findings(pair: Pair, usual: Sequence[Agreement]) -> Iterator[Finding]:
    alike, (first, second) = pair.overall, pair.labels
    if alike.wrong < MIN_WRONG_QUESTIONS or alike.z < MIN_STANDARD_ERRORS:
        return
    floor = min((repeated_pair.share - 3 * repeated_pair.error for repeated_pair in usual), default=None)
    as_repeats = floor is not None and alike.share >= floor
    if not as_repeats and (floor is not None or alike.beyond_chance < _SUSPECT):
        return
    beside = f"; known repeats agree there in {100 * min(k.share for k in usual):.1f}%" if usual else ""
    yield _copy_finding(
        pair,
        "severe" if as_repeats or alike.beyond_chance >= _SEVERE else "warning",
        alike,
        f"{first} and {second} give the same wrong answer to {_agreement(alike)}{beside}",
        "one of the two is probably the other, asked again",
        ["replies"],
    )


def _in_tasks(pair: Pair, tasks: Sequence[str]) -> Finding:
    """Return one finding per pair: the Tasks, and the agreement over all of them."""
    alike = Agreement.total([pair.tasks[task] for task in tasks])
    looked_at = sum(task_rows.wrong >= MIN_WRONG_QUESTIONS for task_rows in pair.tasks.values())
    more = f" and {len(tasks) - _SHOWN} more" if len(tasks) > _SHOWN else ""
    counts = {task: f"{pair.tasks[task].same_wrong} of {pair.tasks[task].wrong}" for task in tasks}
    named = ", ".join(f"{task.partition('/')[2]} {counts[task]}" for task in tasks[:_SHOWN])
    return _copy_finding(
        pair,
        "severe" if alike.beyond_chance >= _SEVERE else "warning",
        alike,
        f"{' and '.join(pair.labels)} give the same wrong answers in {len(tasks)} of {looked_at} Tasks, "
        f"to {_agreement(alike)}: {named}{more}",
        "in these Tasks the results of one are probably the other's",
        tasks,
    )


def _agreement(alike: Agreement) -> str:
    return (
        f"{alike.same_wrong:,} of {alike.wrong:,} questions that both get wrong ({100 * alike.share:.1f}%); by chance "
        f"{alike.expected:,.0f}"
    )


def _copy_finding(
    pair: Pair, severity: FindingSeverity, alike: Agreement, message: str, effect: str, columns: Sequence[str]
) -> Finding:
    if pair.have_same_name:
        severity, effect = "note", f"both are called {pair.first.name}: probably one system's results, twice"
    return finding(
        "mislabelled",
        severity,
        pair.first.benchmark.name,
        message,
        file=str(pair.second.path),
        rows=list(pair.labels),
        columns=columns,
        published=f"{100 * alike.share:.1f}%",
        recomputed=f"{100 * alike.expected / alike.wrong:.1f}%",
        effect=effect,
    )
