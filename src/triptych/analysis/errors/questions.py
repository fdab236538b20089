"""Which answers and which questions models get wrong, as means over Runs: what nobody knows.

MCS-Bench's appendix E names them: the seals, characters and authors with the highest error rates, and the 111 of 147
oracle-bone characters that no model reads. One row is a reference answer of a Task, or one question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import structs

from triptych.analysis.errors.kinds import RIGHT_OR_WRONG
from triptych.analysis.observed import Observed, better_of, is_answered, unit_of
from triptych.metrics.metric import metric_name
from triptych.records import Estimate, Item, Listing, Section

BY = {"answer": "reference answer", "item": "question"}
MAX_LETTERS = 60  # letters of an answer in a listing
_EXPLANATION = (
    "Error rates are means over Runs: of each Run, the share of its answers to these questions that are wrong. If a "
    "metric has more values than right and wrong (an error rate of characters, a similarity), the mean of its values "
    "is given instead. `nobody` means that no Run has a right answer, or a value better than the worst."
)

Key = tuple[str, str]  # Task and answer, or Task and Item


class AnsweredQuestion(NamedTuple):
    """One question as one Run answered it: Task, Item, reference answer, and value (0 to 1; None: not counted)."""

    task: str
    item: str
    answer: str
    value: float | None


def errors_by(runs: Sequence[Observed], by: str) -> Section:
    """Return the error rates of Runs of a benchmark by `answer` or `item`, the highest first.

    Unanswered questions count as wrong if the protocol's headline figure covers all Units; otherwise they are left out.
    """
    metrics = {score.task: score.metric for run in runs for score in run.main_scores}
    graded = {task for task, metric in metrics.items() if metric_name(metric) not in RIGHT_OR_WRONG}
    grouped = _grouped({run.label: list(_asked_questions(run)) for run in runs}, by)
    estimates = [_estimate(key, group, by, metrics[key[0]], key[0] in graded, runs) for key, group in grouped.items()]
    estimates.sort(key=_worst_first)
    first = runs[0]
    return Section(
        id=f"error_kinds.{by}",
        title=f"Errors by {BY[by]}",
        explanation=_EXPLANATION,
        sentences=tuple(_sentences(estimates, by, len(runs))),
        estimates=tuple(estimates),
        listings=tuple(_listings(estimates, by, {item.id: item for run in runs for item in run.item_list})),
        benchmark=first.benchmark.name,
        protocol=first.protocol.name,
    )


def first_rows(section: Section, max_length: int) -> Section:
    """Return a Section with its first rows only; `total` says how many there are."""
    listings = (structs.replace(one, rows=one.rows[:max_length], total=len(one.rows)) for one in section.listings)
    return structs.replace(section, estimates=section.estimates[:max_length], listings=tuple(listings))


def answer_of(item: Item) -> str:
    """Return the reference answer in words: the text of a lettered option, otherwise the target."""
    named = dict(zip(item.labels, item.option_texts(), strict=False))
    return "；".join(named.get(target, target) for target in item.targets)


def _asked_questions(run: Observed) -> Iterable[AnsweredQuestion]:
    every = run.protocol.headline == "all"
    for score in run.main_scores:
        item = run.items.get(score.unit)
        if item is None or not item.targets:
            continue
        status = _worst_score(score.metric) if every and not _is_unmeasured(score.status) else None
        value = score.value if is_answered(score) else status
        yield AnsweredQuestion(score.task, item.unit_id, answer_of(item), value)


def _is_unmeasured(status: str) -> bool:
    """Return whether a status says nothing about the model: a judge or an encoder is missing."""
    return status in ("unavailable", "judge_failed")


def _worst_score(metric: str) -> float:
    return 1.0 if better_of(metric) == "lower" else 0.0


def _grouped(questions_by_run: Mapping[str, Sequence[AnsweredQuestion]], by: str) -> dict[Key, dict[str, list[float]]]:
    """Return key -> Run -> its values; questions without a value are left out."""
    key: Callable[[AnsweredQuestion], Key] = (lambda one: (one.task, one.answer)) if by == "answer" else _by_item
    values_by_key: dict[Key, dict[str, list[float]]] = {}
    for label, question_group in questions_by_run.items():
        for one in question_group:
            if one.value is not None:
                values_by_key.setdefault(key(one), {}).setdefault(label, []).append(one.value)
    return values_by_key


def _by_item(one: AnsweredQuestion) -> Key:
    return one.task, one.item


def _estimate(
    key: Key, values: Mapping[str, Sequence[float]], by: str, metric: str, graded: bool, runs: Sequence[Observed]
) -> Estimate:
    means = [sum(unit_values) / len(unit_values) for unit_values in values.values()]
    mean = sum(means) / len(means)
    knowing = sum(any(value != _worst_score(metric) for value in content) for content in values.values())
    scale = 100.0 if not graded or unit_of(metric) == "%" else 1.0
    return Estimate(
        "mean_score" if graded else "error_rate",
        scale * (mean if graded else 1 - mean),
        "%" if scale == 100.0 else "",
        n=max(len(field_values) for field_values in values.values()),
        counted="questions",
        task=key[0],
        slice={by: key[1]},
        metric=metric,
        runs=tuple(run.label for run in runs if run.label in values),
        signatures=tuple(run.signature for run in runs if run.label in values and run.signature),
        counts={"runs": len(values), "runs_right": knowing},
        better=("lower" if better_of(metric) == "lower" else "higher") if graded else "lower",
    )


def _worst_first(one: Estimate) -> tuple[bool, float, int, str, str]:
    value = one.value or 0.0
    return bool(one.counts["runs_right"]), value if one.better == "higher" else -value, -one.n, one.task, str(one.slice)


def _sentences(estimates: Sequence[Estimate], by: str, runs: int) -> Iterable[str]:
    nobody = [one for one in estimates if not one.counts["runs_right"]]
    who = "the Run has" if runs == 1 else f"none of {runs} Runs has"
    right = "no right answer" if runs == 1 else "a right answer"
    yield f"{len(nobody):,} of {len(estimates):,} {BY[by]}s: {who} {right}."


def _listings(estimates: Sequence[Estimate], by: str, items: Mapping[str, Item]) -> Iterable[Listing]:
    """Yield one listing per kind of figure: error rates, then mean values of graded metrics."""
    extra = ("answer",) if by == "item" else ("questions",)
    for measure, heading in (("error_rate", "wrong, %"), ("mean_score", "mean value")):
        matching_estimates = [one for one in estimates if one.measure == measure]
        rows = tuple((one.task, *_named(one, by, items), _value(one), _right(one)) for one in matching_estimates)
        if rows:
            title = f"By {BY[by]}: {'error rates' if measure == 'error_rate' else 'mean values'}, the worst first"
            yield Listing(
                f"error_kinds.{by}.{measure}", title, ("Task", by, *extra, heading, "Runs that get it right"), rows
            )


def _named(one: Estimate, by: str, items: Mapping[str, Item]) -> tuple[str, str]:
    name = one.slice[by]
    if by == "answer":
        return _shorten(name), f"{one.n:,}"
    return name, _shorten(answer_of(items[name]) if name in items else "")


def _value(one: Estimate) -> str:
    return f"{one.value:.1f}" if one.unit else f"{one.value:.3f}"


def _right(one: Estimate) -> str:
    right = one.counts["runs_right"]
    return f"{right} of {one.counts['runs']}" if right else "nobody"


def _shorten(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= MAX_LETTERS else f"{plain[: MAX_LETTERS - 1]}…"
