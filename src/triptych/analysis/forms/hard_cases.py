"""Questions that a model answers correctly in one form and wrongly in another: the hard cases behind a disparity.

XModBench's section 4.5 looks at them (`find_hard_case.py` of its authors lists those that are right from audio to text
and wrong from text to audio).
"""

from __future__ import annotations

from collections.abc import Sequence

from triptych.analysis.forms.instances import Forms, Group, forms_of, variations
from triptych.analysis.observed import Observed, is_answered
from triptych.errors import SpecError, nearest
from triptych.records import Estimate, Listing, Score, Section

_EXPLANATION = (
    "Instances that a Run answered correctly in the first form and wrongly in the second, of those answered in both. "
    "Instances whose forms can't be verified to ask the same question are left out, and so are unanswered ones."
)


def hard_cases(runs: Sequence[Observed], right: str, wrong: str) -> Section:
    """Return the Instances that each Run has right in the form `right` and wrong in the form `wrong`.

    A form is a value of a facet that varies inside Instances (`audio_text`). Raises SpecError if no Run was asked in
    both forms.
    """
    cases_by_run = {run.label: _cases(run, right, wrong) for run in runs}
    estimates = tuple(_estimate(run, *cases_by_run[run.label], right, wrong) for run in runs)
    rows = tuple(
        (
            run.label,
            group.instance,
            group.scores[right].unit,
            group.scores[wrong].unit,
            _extraction(run, group.scores[wrong]),
        )
        for run in runs
        for group in cases_by_run[run.label][0]
    )
    headings = ("Run", "Instance", right, wrong, f"answer in {wrong}")
    title = f"Right in {right}, wrong in {wrong}"
    first = runs[0]
    return Section(
        "hard_cases",
        title,
        _EXPLANATION,
        tuple(_sentence(one, right, wrong) for one in estimates),
        estimates,
        listings=(Listing("hard_cases", title, headings, rows),) if rows else (),
        benchmark=first.benchmark.name,
        protocol=first.protocol.name,
    )


def _cases(run: Observed, right: str, wrong: str) -> tuple[list[Group], int]:
    """Return the hard cases, and the number of Instances with an answer in both forms."""
    forms = _forms(run, right, wrong)
    both = [group for group in forms.groups if {right, wrong} <= group.scores.keys()]
    answered = [group for group in both if is_answered(group.scores[right]) and is_answered(group.scores[wrong])]
    hard = [g for g in answered if _is_right(g.scores[right]) and not _is_right(g.scores[wrong])]
    return sorted(hard, key=lambda group: group.instance), len(answered)


def _forms(run: Observed, right: str, wrong: str) -> Forms:
    """Return the Instances by the facet that has both forms."""
    names: list[str] = []
    for variation in variations(run):
        forms = forms_of(run, variation)
        if {right, wrong} <= set(forms.values):
            return forms
        names += forms.values
    lacking = right if right not in names else wrong
    raise SpecError(
        f"{run.label} was not asked in the form {lacking!r}",
        expected=", ".join(names) or "several forms",
        fix=nearest(lacking, names) if names else "ask the same questions in two forms",
    )


def _is_right(score: Score) -> bool:
    return score.value is not None and score.value >= 1


def _extraction(run: Observed, score: Score) -> str:
    return run.answer_texts.get((score.unit, score.repeat), "")


def _estimate(run: Observed, hard: Sequence[Group], answered: int, right: str, wrong: str) -> Estimate:
    return Estimate(
        "hard_cases",
        100 * len(hard) / answered if answered else None,
        "%",
        n=answered,
        counted="Instances",
        slice={"right": right, "wrong": wrong},
        runs=(run.label,),
        better="lower",
        signatures=(run.signature,) if run.signature else (),
        counts={"count": len(hard)},
        reason="" if answered else "no Instance was answered in both forms",
    )


def _sentence(one: Estimate, right: str, wrong: str) -> str:
    share = "" if one.value is None else f" ({one.value:.1f}%)"
    cases = f"{one.counts['count']:,} of {one.n:,} Instances{share}"
    return f"{one.runs[0]}: {cases} are right in {right} and wrong in {wrong}."
