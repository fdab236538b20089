"""`audit run` for logs of other harnesses: each becomes a Run in a temporary folder, and is audited like any other."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from triptych.audit.results.check import audit_run
from triptych.audit.results.systems import unreadable
from triptych.benchmarks.registry import known_benchmarks
from triptych.errors import DataError, TriptychError
from triptych.interchange.exports import import_log
from triptych.interchange.logs import find_logs
from triptych.records import Finding
from triptych.records.checked import Audited
from triptych.store.decoded import keep_files

Report = Callable[[str], None]
_LOOKED_AT = 20  # files of a folder in which results of a benchmark are looked for


@keep_files()
def audit_results(
    paths: Sequence[Path],
    *,
    benchmark: str | None = None,
    data: Path | None = None,
    repeats: Sequence[tuple[str, str]] = (),
    say: Report = lambda line: None,
    rows: Mapping[str, str] | None = None,
    recover: bool = False,
) -> Audited:
    """Return the findings on Run folders, released results and logs of other harnesses. See `triptych.audit_run`.

    Logs that can't be read are left out, with a finding each. Raises DataError if nothing at all can be read, and
    whatever `triptych.audit_run` raises for Runs and results.
    """
    with _as_runs(paths, benchmark, data, say) as (runs, unread):
        findings = audit_run(list(runs), benchmark, data, repeats, say, rows, recover, unread)
        named = {str(run): str(log) for run, log in runs.items() if run != log}
        return Audited([_renamed(one, named) for one in findings], findings.verdict, findings.cells)


@contextmanager
def _as_runs(
    paths: Sequence[Path], benchmark: str | None, data: Path | None, say: Report
) -> Iterator[tuple[dict[Path, Path], list[Finding]]]:
    """Yield {what to audit: where it comes from}: Runs made of logs, and other paths as they are."""
    with tempfile.TemporaryDirectory() as temporary:
        runs, unread, first = dict[Path, Path](), list[Finding](), None
        for path in paths:
            logs = [] if benchmark is not None or not path.exists() or _is_known(path) else find_logs(path)
            if not logs:
                runs[path] = path
            for log in logs:
                out = Path(temporary) / f"{len(runs)}-{log.stem}"
                try:
                    folder = _imported(log, out, data)
                    runs[out] = log
                    held, note = sum(1 for _ in folder.responses()), folder.manifest
                    planned_note = f" of {note.planned:,} questions" if note.planned and note.planned > held else ""
                    say(f"{log.name}: a log of {note.model_settings.get('harness')}, {held:,} samples{planned_note}")
                except DataError as error:
                    first = first or error
                    unread.append(unreadable(log, error, "imported"))
        if first is not None and not runs:
            raise first
        yield runs, unread


def _imported(log: Path, out: Path, data: Path | None) -> Any:
    try:
        return import_log(log, out, data)
    except TriptychError:
        if data is None:
            raise
        return import_log(log, out)  # the data are of other results


def _is_known(path: Path) -> bool:
    """Return whether a path is a Run, holds Runs, or has results of one of our benchmarks."""
    if path.is_dir() and ((path / "manifest.json").is_file() or next(path.rglob("manifest.json"), None)):
        return True
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())[:_LOOKED_AT]
    return any(bench.recognises(file) for bench in known_benchmarks().values() for file in files)


def _renamed(finding: Finding, named: Mapping[str, str]) -> Finding:
    """Return a finding with the log's path instead of the temporary Run's."""
    file = str(finding.file or "")
    log = next((log for run, log in named.items() if file == run or file.startswith(f"{run}/")), None)
    return finding if log is None else msgspec.structs.replace(finding, file=log)
