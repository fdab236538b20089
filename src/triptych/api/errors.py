"""What kind of errors stored Runs show: nothing is asked again, unless a judge is named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.api.judging import JudgePlan
from triptych.store.folder import RunFolder

if TYPE_CHECKING:
    from triptych.analysis.error_kinds import Diagnosis
    from triptych.analysis.observed import Observed
    from triptych.records import Annotation, Section


def error_kinds(
    runs: Sequence[Path | str],
    *,
    protocol: str | None = None,
    by: str = "",
    corrections: Path | str | None = None,
    judges: JudgePlan | None = None,
) -> Section:
    """The kinds of error of one or several Runs of a benchmark, with counts, intervals and examples.

    `by`: the facet that is the category. `corrections`: people's words, a CSV or JSONL file; without it each Run's own
    `annotations.jsonl`, where there is one. `judges`: asked about wrong answers that rules say nothing of; what
    they said before is in the Run's verdicts and is read either way. Raises SpecError, DataError or RunFolderError.
    """
    from triptych.analysis.error_judging import unknown_kinds
    from triptych.analysis.error_kinds import error_kinds as distribution
    from triptych.analysis.observed import observe

    folders = [RunFolder.open(Path(path)) for path in runs]
    observed = observe(folders, protocol)
    found, notes = {}, []
    for folder, run in zip(folders, observed, strict=True):
        found[run.label], told = _diagnosed(folder, run, by, Path(corrections) if corrections else None, judges)
        notes += told
    section = distribution(found, signatures={run.label: run.signature for run in observed})
    from msgspec import structs

    strange = unknown_kinds(_corrections(folders, corrections))
    if strange:
        notes.append(f"kinds that people named and nothing here knows: {', '.join(strange)}")
    first = observed[0]
    return structs.replace(
        section, notes=(*section.notes, *notes), benchmark=first.benchmark.name, protocol=first.protocol.name
    )


def _diagnosed(
    folder: RunFolder, run: Observed, by: str, corrections: Path | None, judges: JudgePlan | None
) -> tuple[list[Diagnosis], list[str]]:
    """A Run's diagnoses, and what a reader should know of the judging."""
    from triptych.analysis.error_judging import judge_kinds
    from triptych.analysis.error_kinds import diagnose
    from triptych.analysis.observed import observe
    from triptych.scoring.judging import last_bench

    responses = list(folder.responses())
    others = [observe([folder], name)[0] for name in run.benchmark.protocols if name != run.protocol.name]
    plain = diagnose(run, responses, others=others, by=by)
    bench = judges.after(folder).at(folder.verdicts_path) if judges else last_bench(folder.verdicts_path)
    said: dict[tuple[str, int], str] = {}
    notes: list[str] = []
    if bench is not None:
        items = {item.id: item for item in run.item_list}
        said, judging = judge_kinds(plain, items, bench)
        asked = sum(one.kind == "content" for one in plain)
        if said or judges:
            left = (
                f"; {asked - len(said):,} have no verdict that could be read, or no majority"
                if asked > len(said)
                else ""
            )
            notes.append(
                f"{run.label}: of {asked:,} wrong answers without a sign, judges told {len(said):,} apart{left}"
            )
        if judging.stopped or judging.interrupted:
            notes.append(f"{run.label}: judging ended early: {judging.stopped or 'interrupted'}")
    people = _corrections([folder], corrections)
    return diagnose(run, responses, others=others, by=by, judged=said, corrections=people), notes


def _corrections(folders: Sequence[RunFolder], given: Path | str | None) -> list[Annotation]:
    from triptych.analysis.error_judging import read_corrections

    if given:
        return read_corrections(Path(given))
    return [note for folder in folders for note in read_corrections(folder.path)]
