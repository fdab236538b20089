"""Detection of systems that wrote or judged the questions that they are evaluated on, by the data's provenance."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from triptych.audit.results.systems import System
from triptych.benchmarks.data_folders import data_folder
from triptych.benchmarks.origins import PROVENANCE, provenances
from triptych.errors import DataError
from triptych.models.families import family_of
from triptych.records import Finding, FindingSeverity, finding

_SHOWN = 6  # fields and stages named


def check_makers(system: System, data: Path | None) -> Iterator[Finding]:
    """Yield a finding for each model that wrote or judged questions of the data, and is the system itself (severe) or
    of its family (a warning); a note if `provenance.jsonl` can't be read.

    `data`: the folder that the user named; otherwise that of the Run.
    """
    folder = _folder(system, data)
    if folder is None:
        return
    try:
        total, counts, parts = _models(folder)
    except DataError as error:
        yield _finding(system, "maker", "note", f"{folder / PROVENANCE}: {error.problem}", PROVENANCE, "")
        return
    names = {system.name, system.manifest.model if system.manifest else system.name}
    family = family_of(system.name) or family_of(system.manifest.model if system.manifest else "")
    for model, n in counts.most_common():
        itself = model in names
        if not itself and (not family or family_of(model) != family):
            continue
        what = ", ".join(list(parts[model])[:_SHOWN])
        who = "itself" if itself else f"is of the {family} family, and {model}"
        yield _finding(
            system,
            "maker",
            "severe" if itself else "warning",
            f"{system.name} {who} wrote or judged {n:,} of {total:,} records of the data ({what})",
            model,
            "a model has an advantage on questions that it, or a relative, wrote or selected",
        )


def _folder(system: System, data: Path | None) -> Path | None:
    if data is not None:
        return data if data.is_dir() else None
    folder = data_folder(system.manifest, system.benchmark.mini, {}) if system.manifest else None
    return folder.path if folder else None


def _models(folder: Path) -> tuple[int, Counter[str], dict[str, dict[str, None]]]:
    """Return the number of records; how many each model wrote or judged; and the fields and stages in question."""
    total, counts, parts = 0, Counter[str](), defaultdict[str, dict[str, None]](dict)
    for record in provenances(folder):
        total += 1
        named: set[str] = set()
        for part, maker in (*record.makers.items(), *record.asked.items()):
            if maker.kind != "model":
                continue
            for model in maker.name.split(" + "):
                named.add(model)
                parts[model][part] = None
        counts.update(named)
    return total, counts, parts


def _finding(system: System, kind: str, severity: FindingSeverity, message: str, who: str, effect: str) -> Finding:
    return finding(
        kind,
        severity,
        system.benchmark.name,
        message,
        file=str(system.path),
        rows=[system.name],
        columns=[who],
        effect=effect,
    )
