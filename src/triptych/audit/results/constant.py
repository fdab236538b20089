"""Does a system give one reply to most questions?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from triptych.audit.results.systems import System
from triptych.records import ANSWERED, Finding, finding

_CONSTANT = 0.8  # share of the most frequent reply from which a system is said to answer always the same
_BARELY = 5.0  # points above a constant answer's score, from which on the other replies tell something
_ENOUGH = 30  # replies


def check_constant(system: System, by_task: Mapping[str, Sequence[int]]) -> Iterator[Finding]:
    """Yield a finding per Task with one reply to most questions; Tasks with too few replies are taken together, by the
    form of their answer. `by_task`: Task -> positions of its Units. Baselines, which answer so by rule, are left out.
    """
    if system.manifest is not None and system.manifest.model.startswith("baseline/"):
        return
    small: dict[str, list[int]] = {}
    for task, indices in by_task.items():
        if sum(_replied(system, index) for index in indices) < _ENOUGH:
            small.setdefault(system.units[indices[0]].item.answer, []).extend(indices)
        else:
            yield from _constant(system, task, indices)
    for form, indices in small.items():
        if form in ("letter", "option"):
            yield from _constant(system, f"{system.benchmark.name}: all Tasks of fewer than {_ENOUGH} replies", indices)


def _replied(system: System, index: int) -> bool:
    return system.headline_scores[index].status in ANSWERED and system.units[index].responses[0] is not None


def _constant(system: System, task: str, indices: Sequence[int]) -> Iterator[Finding]:
    scores, units = system.headline_scores, system.units
    choices = Counter(
        [
            _choice(score.extraction) or response.text.strip()
            for index in indices
            if (score := scores[index]).status in ANSWERED and (response := units[index].responses[0])
        ]
    )
    if choices.total() < _ENOUGH or len({units[index].item.target for index in indices}) < 2:
        return
    reply, hits = choices.most_common(1)[0]
    if hits >= _CONSTANT * choices.total():
        keys = Counter(_choice(units[index].item.target) for index in indices)
        always = 100 * keys[reply] / keys.total()
        answered = [scores[index] for index in indices if scores[index].status in ANSWERED]
        value = 100 * sum(one.numerator for one in answered) / max(sum(one.denominator for one in answered), 1)
        yield finding(
            "constant",
            "severe" if value <= always + _BARELY else "warning",
            system.benchmark.name,
            f"{system.name}: {hits:,} of {choices.total():,} replies are {reply[:60]!r}",
            file=str(system.path),
            rows=[task],
            columns=["reply"],
            published=round(value, 2),
            recomputed=round(always, 2),
            effect=f"{value:.2f}, where always answering so gives {always:.2f}",
        )


def _choice(chosen: object) -> str:
    """Return the chosen or correct options as one text; empty if there are none."""
    if type(chosen) is str:
        return chosen
    return " | ".join(sorted(map(str, chosen))) if isinstance(chosen, list | tuple) else str(chosen or "")
