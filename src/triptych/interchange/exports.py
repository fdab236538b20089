"""The formats for export and import."""

from __future__ import annotations

import zipfile
from pathlib import Path

from triptych.errors import DataError, SpecError, nearest
from triptych.interchange.foreign import ForeignLog, write_run
from triptych.interchange.samples import ScoredRun
from triptych.store.folder import RunFolder

FORMATS = ("inspect", "lmms", "dataset")


def export_run(folder: RunFolder, format_: str, to: Path, protocol: str | None = None) -> list[Path]:
    """Write a Run in another harness's format under `to`; return the files. Raises SpecError for an unknown format."""
    if format_ not in FORMATS:
        raise SpecError(f"no format {format_!r}", expected=", ".join(FORMATS), fix=nearest(format_, FORMATS))
    run = ScoredRun.of(folder, protocol)
    if format_ == "inspect":
        from triptych.interchange.inspect_write import write_inspect

        return [write_inspect(run, to)]
    if format_ == "lmms":
        from triptych.interchange.lmms import write_lmms

        return write_lmms(run, to)
    from triptych.interchange.dataset import write_dataset

    return write_dataset(run, to)


def import_log(path: Path, out: Path, data: Path | None = None) -> RunFolder:
    """Convert a log to a Run at `out`: a log of Inspect (`.eval`, `.json`), a samples file of lmms-eval or
    lm-evaluation-harness, or a folder with all samples files of one evaluation. `data`: the data that was asked, for
    tasks that are one of our benchmarks in another harness.

    Raises DataError for anything else.
    """
    return write_run(_read(path), out, data)


def _read(path: Path) -> ForeignLog:
    from triptych.interchange.harness_logs import read_harness, read_harness_folder
    from triptych.interchange.inspect_read import read_inspect

    if path.is_dir():
        return read_harness_folder(path)
    if not path.is_file():
        raise DataError(
            "the log doesn't exist", where=path, expected=".eval, .json, …samples_TASK.jsonl, or a folder of these"
        )
    if path.suffix == ".eval" or path.suffix == ".json" or zipfile.is_zipfile(path):
        return read_inspect(path)
    if path.suffix == ".jsonl":
        return read_harness(path)
    raise DataError("not a known kind of log", where=path, expected=".eval, .json, or …samples_TASK.jsonl")
