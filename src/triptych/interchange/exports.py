"""The formats for export and import."""

from __future__ import annotations

from pathlib import Path

from triptych.errors import SpecError, nearest
from triptych.interchange.foreign import write_run
from triptych.interchange.logs import read_log
from triptych.interchange.samples import ScoredRun
from triptych.store.folder import RunFolder

FORMATS = ("inspect", "lmms", "dataset")


def export_run(folder: RunFolder, format_: str, to: Path, protocol: str | None = None) -> list[Path]:
    """Write a Run in another harness's format under `to`; return the files. Raises SpecError for an unknown format."""
    if format_ not in FORMATS:
        raise SpecError(f"no format {format_!r}", expected=", ".join(FORMATS), fix=nearest(format_, FORMATS))
    run = ScoredRun.from_folder(folder, protocol)
    if format_ == "inspect":
        from triptych.interchange.inspect_write import write_inspect

        return [write_inspect(run, to)]
    if format_ == "lmms":
        from triptych.interchange.lmms import write_lmms

        return write_lmms(run, to)
    from triptych.interchange.dataset import write_dataset

    return write_dataset(run, to)


def import_log(path: Path, out: Path, data: Path | None = None) -> RunFolder:
    """Convert a log to a Run at `out`: a log of Inspect, lmms-eval, lm-evaluation-harness, EvalScope, VLMEvalKit, HELM
    or OpenCompass, as a file or the folder of one evaluation. `data`: the data that was asked, for tasks that are one
    of our benchmarks in another harness.

    Raises DataError for anything else.
    """
    return write_run(read_log(path), out, data)
