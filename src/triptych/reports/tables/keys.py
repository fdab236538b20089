"""Error rates by correct option: which scripts, materials or categories a model confuses."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.metrics.statistics.intervals import wilson
from triptych.records import ANSWERED, Item, Table, TableCell, TableRow
from triptych.reports.tables.book import Report
from triptych.scoring.runs import load_scores

MAX_OPTIONS = 12  # options: a Task with more has others in each question


def key_errors(report: Report, protocol: str, tasks: Sequence[str]) -> Table:
    """Return the percentage of Units answered incorrectly, by correct option, with one slice per Task.

    Rows are Runs, headings the options' texts, intervals Wilson's 95% intervals over questions (repeats of one question
    add no weight). Unanswered Units count as wrong if the protocol's headline figure covers all Units; otherwise they
    are left out.
    """
    spec = report.benchmark.spec
    shown = {spec.full_id(task): f"{task.id} {task.title}".strip() for task in spec.tasks if task.id in tasks}
    every = report.benchmark.protocol(protocol).headline == "all"
    counted = {label: _counted(report, label, protocol, set(shown), every) for label in report.folders}
    there: dict[str, set[str]] = {}
    for errors_of_run in counted.values():
        for task, key in errors_of_run:
            there.setdefault(task, set()).add(key)
    keys = {
        task: sorted(headings_of_table)
        for task, headings_of_table in there.items()
        if 1 < len(headings_of_table) <= MAX_OPTIONS
    }
    headings = tuple(dict.fromkeys(key for keys_of_table in keys.values() for key in keys_of_table))
    rows = [
        TableRow(label, tuple(_cell(counts.get((task, key))) for key in headings), sub=shown[task])
        for task in keys
        for label, counts in counted.items()
    ]
    return Table("keys", "", headings, tuple(rows), protocol, report.benchmark.protocol(protocol).headline)


def _counted(
    report: Report, label: str, protocol: str, tasks: set[str], every: bool
) -> dict[tuple[str, str], tuple[float, int]]:
    """Return (Task, correct option) -> (wrong, questions); a question asked several times counts as the share of wrong
    answers."""
    folder = report.folders[label]
    if not folder.scores_path(protocol).exists():
        return {}
    items = {item.unit_id: item for item in folder.items() if item.task in tasks}
    wrong: dict[str, list[bool]] = {}
    for score in load_scores(folder, protocol):
        if score.unit in items and (every or score.status in ANSWERED):
            wrong.setdefault(score.unit, []).append(not score.value)
    counts: dict[tuple[str, str], tuple[float, int]] = {}
    for unit, repeats in wrong.items():
        item = items[unit]
        if (key := _key(item)) is not None:
            sums, questions = counts.get((item.task, key), (0.0, 0))
            counts[item.task, key] = (sums + sum(repeats) / len(repeats), questions + 1)
    return counts


def _key(item: Item) -> str | None:
    """Return the text of the only correct option; None unless there is exactly one."""
    texts = item.option_texts()
    named = dict(zip(item.labels, texts, strict=False))
    target = item.target if isinstance(item.target, str) else None
    return named.get(target) or (target if target in texts else None) if target else None


def _cell(count: tuple[float, int] | None) -> TableCell:
    if count is None:
        return TableCell(None)
    wrong, questions = count
    low, high = wilson(wrong, questions)
    return TableCell(100 * wrong / questions, 1, n=questions, units=questions, interval=(100 * low, 100 * high))
