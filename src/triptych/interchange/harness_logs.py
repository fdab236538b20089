"""Read sample logs of lm-eval (lm-evaluation-harness) and lmms-eval, with the results file next to them.

lm-eval writes `samples_TASK_TIME.jsonl` and `results_TIME.json`, lmms-eval `TIME_samples_TASK.jsonl` and
`TIME_results.json`. Source of the formats: the evaluation trackers of lm-eval 0.4.13 and lmms-eval 0.7.3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from triptych.errors import DataError
from triptych.interchange.foreign import ForeignLog, ForeignSample
from triptych.interchange.harness_results import figures_of, filters_of, settings_of, tasks_of
from triptych.interchange.harness_rows import of_lm_eval, read_row
from triptych.interchange.inspect_write import KEY
from triptych.store.files.limits import MAX_DOCUMENT, read_json

_LM_EVAL = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl")
_LMMS_EVAL = re.compile(r"(?:(?P<time>.*?)_)?samples_(?P<task>.+)\.jsonl")


@dataclass(frozen=True)
class SamplesFile:
    """A file of samples, by its name: task, and the time that is also in the name of its results file."""

    path: Path

    @cached_property
    def _match(self) -> re.Match[str] | None:
        return _LM_EVAL.fullmatch(self.path.name) or _LMMS_EVAL.fullmatch(self.path.name)

    @property
    def is_named(self) -> bool:
        """Whether it has the name of a samples file."""
        return self._match is not None

    @property
    def task(self) -> str:
        """The task; for another name the file's stem."""
        return self._match["task"] if self._match else self.path.stem

    @property
    def time(self) -> str:
        """The time in the name; empty if there is none."""
        return (self._match["time"] or "") if self._match else ""

    def rows(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (where, row) for every line. Raises DataError if a line is not a sample or is too long."""
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(iter(lambda: file.readline(MAX_DOCUMENT + 1), b""), 1):
                    if line.strip():
                        yield f"{self.path}:{number}", _row(line, f"{self.path}:{number}")
        except OSError as error:
            raise DataError("the log can't be read", where=self.path, got=error.strerror) from None

    def results(self) -> dict[str, Any]:
        """Return the results file next to it; empty if there is none. Raises DataError if it can't be read."""
        return self._results

    @cached_property
    def _results(self) -> dict[str, Any]:
        names = (f"{self.time}_results.json", f"results_{self.time}.json") if self.time else ("results.json",)
        matching_names = [path for name in names if (path := self.path.with_name(name)).is_file()]
        if self.time and not matching_names:  # lm-eval with `--output_path NAME.json`
            matching_names = sorted(
                path for path in self.path.parent.glob("*.json") if path.stem.endswith(f"_{self.time}")
            )
        if not matching_names:
            return {}
        try:
            data = matching_names[0].read_bytes()
        except OSError as error:
            raise DataError("the results file can't be read", where=matching_names[0], got=error.strerror) from None
        results = read_json(data, matching_names[0], "the results file")
        return results if isinstance(results, dict) else {}


def read_harness(path: Path) -> ForeignLog:
    """Read one samples file; the model's name is from the results file next to it, otherwise from the folder.

    Raises DataError for any other file.
    """
    return _log([SamplesFile(path)], path)


def read_harness_folder(folder: Path) -> ForeignLog:
    """Read all samples files of one evaluation, one Task each, as one log; also of several evaluations of one model
    that have no Task in common, in the folder or in folders inside it (each Task was asked by a job of its own).

    Raises DataError if the folder has none, or other evaluations.
    """
    files = [file for path in sorted(folder.iterdir()) if (file := SamplesFile(path)).is_named]
    inside = files or [file for path in sorted(folder.rglob("*.jsonl")) if (file := SamplesFile(path)).is_named]
    times = sorted({file.time for file in files})
    if len(times) != 1 and _of_one_model(inside):
        return _log(inside, folder)
    if len(times) != 1:
        got, fix = ", ".join(times) or "none", "name one samples file, or a folder with those of one evaluation"
        if not times and (logs := [str(path) for path in sorted(folder.rglob("*")) if _is_log(path)]):
            fix = f"name {'one of ' * (len(logs) > 1)}{', '.join(logs[:5])}"
        raise DataError("not the samples files of one evaluation", where=folder, got=got, fix=fix)
    return _log(files, folder)


def _of_one_model(files: Sequence[SamplesFile]) -> bool:
    """Return whether files of several evaluations are of one model, which their results name, and a Task each."""
    models = {str(file.results().get("model_name") or "") for file in files}
    tasks = {file.task for file in files}
    return len(tasks) == len(files) > 1 and len(models) == 1 and "" not in models


def _is_log(path: Path) -> bool:
    """Return whether the path is a log of Inspect, or a folder with samples files."""
    return path.suffix == ".eval" or (path.is_dir() and any(SamplesFile(inside).is_named for inside in path.iterdir()))


def _log(files: Sequence[SamplesFile], path: Path) -> ForeignLog:
    results = files[0].results()
    tasks = [file.task for file in files]
    figures = [figure for file in files for figure in figures_of(file.results(), [file.task])]
    if path.is_dir():  # otherwise one task was chosen
        for stated in {file.time: file.results() for file in files}.values():
            figures += figures_of(stated, [task for task in tasks_of(stated) if task not in tasks])
    stored_log = results.get(KEY)
    manifest = stored_log.get("manifest") if isinstance(stored_log, dict) else None
    manifest = manifest if isinstance(manifest, dict) else None
    return ForeignLog(
        harness="lm-eval" if _is_lm_eval(files[0]) else "lmms-eval",
        task=f"triptych/{manifest.get('benchmark')}" if manifest else files[0].task,
        model=str(results.get("model_name") or files[0].path.resolve().parent.name),
        path=path,
        samples=(sample for file in files for sample in _samples(file, file.results())),
        created=_evaluation_time(results.get("date")),
        settings=settings_of(results),
        figures=tuple(figures),
        manifest=manifest,
    )


def _is_lm_eval(file: SamplesFile) -> bool:
    """Return whether lm-eval wrote the file, by its name, otherwise by its first row."""
    if _LM_EVAL.fullmatch(file.path.name):
        return True
    return any(of_lm_eval(row) for _, row in [next(file.rows(), ("", {}))])


def _samples(file: SamplesFile, results: Mapping[str, Any]) -> Iterator[ForeignSample]:
    """Yield the samples of a file. lmms-eval writes the rows of several filters one after the other without their
    names; the results have the names, in the same order."""
    filters = filters_of(results, file.task)
    seen: Counter[str] = Counter()
    for where, row in file.rows():
        id_ = str(row["doc_id"])
        filter_name = row.get("filter")
        if filter_name is None and len(filters) > 1 and KEY not in row:
            filter_name = filters[min(seen[id_], len(filters) - 1)]
        seen[id_] += 1
        yield read_row(row, where, file.task, filter_name if len(filters) > 1 or filter_name != "none" else "")


def _row(line: bytes, where: str) -> dict[str, Any]:
    row = read_json(line, where, "a line")
    if not isinstance(row, dict) or "doc_id" not in row:
        expected = "an object with doc_id and resps"
        raise DataError("the line is not a sample of lm-eval or lmms-eval", where=where, expected=expected)
    return row


def _evaluation_time(date: Any) -> str:
    """Return the time of the evaluation in ISO format: lm-eval writes seconds, lmms-eval `20261121_202302`."""
    try:
        if isinstance(date, int | float):
            return datetime.fromtimestamp(date, UTC).isoformat(timespec="seconds")
        return datetime.strptime(str(date), "%Y%m%d_%H%M%S").isoformat()  # noqa: DTZ007 (the log doesn't tell the zone)
    except (ValueError, OverflowError, OSError):
        return str(date or "")
