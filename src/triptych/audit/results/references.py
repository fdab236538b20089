"""Logs of other harnesses of the same questions with different reference answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.audit.results.systems import System
from triptych.records import Finding, finding

_MIN_COMMON = 20  # number of questions that two logs have in common, from which they are compared
_MAX_SHARE = 0.5  # of them differ; if more do, the options were shuffled, or the numbers mean other questions
_SHOWN = 3  # questions that a finding names


def check_references(systems: Sequence[System]) -> Iterator[Finding]:
    """Yield a finding for each log whose reference answers differ from those of an earlier log of the same questions.

    Runs of our own benchmarks aren't compared: they state which version of the data was asked.
    """
    logs = [one for one in systems if one.manifest is not None and one.manifest.model_settings.get("harness")]
    for number, later in enumerate(logs):
        for earlier in logs[:number]:
            common = [unit for unit in later.answers if unit in earlier.answers]
            changed = [unit for unit in common if later.answers[unit][1] != earlier.answers[unit][1]]
            if len(common) >= _MIN_COMMON and 0 < len(changed) <= _MAX_SHARE * len(common):
                yield _changed_references(earlier, later, changed, len(common))
                break


def _changed_references(earlier: System, later: System, changed: Sequence[str], of: int) -> Finding:
    shown = ", ".join(
        f"{unit} ({earlier.answers[unit][1][:40]} and {later.answers[unit][1][:40]})" for unit in changed[:_SHOWN]
    )
    return finding(
        "version",
        "warning",
        later.benchmark.name,
        f"{later.name} and {earlier.name}: {len(changed):,} of {of:,} questions that both logs have differ in the "
        f"reference answer, such as {shown}",
        file=str(later.path),
        rows=[earlier.name, later.name],
        columns=["references"],
        effect="the scores of these questions can't be compared",
    )
