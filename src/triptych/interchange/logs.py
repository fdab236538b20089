"""Logs of other harnesses, recognised by their names and content."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from triptych.errors import DataError, TriptychError
from triptych.interchange import evalscope, helm, opencompass, vlmevalkit
from triptych.interchange.foreign import ODD, ForeignLog
from triptych.interchange.harness_logs import SamplesFile, read_harness, read_harness_folder
from triptych.interchange.inspect_read import read_inspect
from triptych.interchange.table_rows import TABLES

EXPECTED = (
    "a log of Inspect (.eval, .json), lmms-eval or lm-eval (…samples_TASK….jsonl), EvalScope (reviews/MODEL), "
    "VLMEvalKit (MODEL_DATASET.xlsx), HELM (scenario_state.json) or OpenCompass (predictions/MODEL)"
)


def read_log(path: Path) -> ForeignLog:
    """Read a log, from a file or the folder of one evaluation of one model. Raises DataError for anything else."""
    if not path.exists():
        raise DataError("the log doesn't exist", where=path, expected=EXPECTED)
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except TriptychError:
        raise
    except (*ODD, zipfile.BadZipFile, zlib.error) as error:
        problem = f"{type(error).__name__}: {error}"[:300]
        raise DataError("the log can't be read", where=path, got=problem, expected=EXPECTED) from None


def _folder(path: Path) -> ForeignLog:
    if helm.is_helm(path):
        return helm.read_helm(path)
    if evalscope.is_reviews(path):
        return evalscope.read_evalscope(path)
    if opencompass.is_predictions(path):
        return opencompass.read_opencompass(path)
    several = [*evalscope.models_in(path), *opencompass.models_in(path)]
    if len(several) == 1:
        return read_log(several[0])
    if several:
        raise DataError(
            "the log contains several models",
            where=path,
            got=", ".join(folder.name for folder in several),
            fix=f"name one of them: {several[0]}",
        )
    tables = [file for file in sorted(path.iterdir()) if vlmevalkit.is_results(file)]
    if len(tables) == 1:
        return vlmevalkit.read_vlmevalkit(tables[0])
    if tables:
        raise DataError(
            "the folder contains results of several data sets", where=path, fix=f"name one of them: {tables[0]}"
        )
    deeper = [folder for folder in sorted(path.iterdir()) if folder.is_dir() and find_logs(folder)]
    if deeper and any(SamplesFile(file).is_named for file in path.iterdir() if file.is_file()):
        raise DataError(
            "the folder holds a log, and so do folders inside it",
            where=path,
            got=", ".join(folder.name for folder in deeper[:5]),
            fix=f"name one samples file, or one of these folders: {deeper[0]}",
        )
    return read_harness_folder(path)


def _file(path: Path) -> ForeignLog:
    if path.name == helm.STATE:
        return helm.read_helm(path.parent)
    if path.suffix in TABLES:
        return vlmevalkit.read_vlmevalkit(path)
    if path.suffix == ".eval" or zipfile.is_zipfile(path):
        return read_inspect(path)
    if path.suffix == ".json":
        if opencompass.is_predictions(path):
            return opencompass.read_opencompass(path)
        return vlmevalkit.read_vlmevalkit(path) if vlmevalkit.is_results(path) else read_inspect(path)
    if path.suffix == ".jsonl":
        named = SamplesFile(path).is_named
        return read_harness(path) if named or not evalscope.is_reviews(path) else evalscope.read_evalscope(path)
    raise DataError("not a known kind of log", where=path, expected=EXPECTED)


def find_logs(path: Path) -> list[Path]:
    """Return the logs at a path, or anywhere below it, each of which `read_log` reads; empty if there are none.

    Files whose form only their content shows (`.json`, tables) are logs if they have that content; a file with the name
    of a log is one even if it can't be read.
    """
    if path.is_file():
        return [path] if _is_log(path) else []
    if helm.is_helm(path) or evalscope.is_reviews(path) or opencompass.is_predictions(path):
        return [path]
    if _is_output(path) and (several := evalscope.models_in(path) or opencompass.models_in(path)):
        return several
    files = [file for file in sorted(path.iterdir()) if file.is_file()]
    named = [file for file in files if SamplesFile(file).is_named]
    below = [log for folder in sorted(path.iterdir()) if folder.is_dir() for log in find_logs(folder)]
    try:
        if named and not below:
            read_harness_folder(path)
            return [path]
    except DataError:
        return named
    if named:
        return [*named, *below]
    tables = {what: file for file in files if (what := _table(file))}
    return [*(file for file in files if file.suffix not in TABLES and _is_log(file)), *tables.values(), *below]


def _is_output(path: Path) -> bool:
    """Return whether a folder may be one evaluation of EvalScope or OpenCompass, with a folder for each model."""
    return path.name in ("reviews", "predictions") or any((path / name).is_dir() for name in ("reviews", "predictions"))


def _table(file: Path) -> str:
    """Return what a table of VLMEvalKit is of; empty for other files. Scored rows and plain ones are one log."""
    return vlmevalkit.model_and_data(file) if file.suffix in TABLES and vlmevalkit.is_results(file) else ""


def _is_log(path: Path) -> bool:
    if path.suffix == ".eval" or SamplesFile(path).is_named:
        return True
    if path.suffix == ".jsonl":
        try:
            return evalscope.is_reviews(path)
        except DataError:
            return False
    if path.suffix == ".json":
        ours = opencompass.is_predictions(path) or _is_inspect(path) or vlmevalkit.is_results(path)
        return path.name != helm.STATE and ours
    return vlmevalkit.is_results(path)


def _is_inspect(path: Path) -> bool:
    """Return whether a JSON file begins like a log of Inspect."""
    with path.open("rb") as file:
        begin = file.read(4000)
    return b'"eval"' in begin and (b'"status"' in begin or b'"version"' in begin)
