"""One class per service. Each is opened for one Run, and gets numbers only: no question, reply or file is sent."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from triptych.errors import SpecError, nearest
from triptych.records import Aggregate

PROJECT = "triptych"  # project or experiment, unless another is named
MAX_BATCH_METRICS = 500  # metrics of one call to MLflow, which refuses more than 1,000


@dataclass(frozen=True, slots=True)
class Tracked:
    """The Run that is tracked. `key` identifies it over sessions; `step`: its checkpoint's training step."""

    key: str
    label: str
    folder: Path
    config: Mapping[str, Any]
    step: float | None = None


class Tracker(Protocol):
    """Receives what is known of one Run, in this order: progress any number of times, figures, end."""

    def progress(self, values: Mapping[str, float]) -> None:
        """Counts, price and rate of the session so far."""

    def figures(self, aggregates: Mapping[str, Aggregate]) -> None:
        """The figures of the Run by name."""

    def end(self, state: str) -> None:
        """The session has ended: `done`, `stopped: …`, `interrupted` or `error: …`."""


class JsonLines:
    """Appends events to a file: `begin`, `progress`, `figure`, `end`, each a line with the Run's folder."""

    def __init__(self, run: Tracked, where: str) -> None:
        self.run = run
        self.path: Path = Path(where) if where else run.folder / "track.jsonl"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._write("begin", label=run.label, step=run.step, config=dict(run.config))

    def progress(self, values: Mapping[str, float]) -> None:
        """Append a line `progress`."""
        self._write("progress", **values)

    def figures(self, aggregates: Mapping[str, Aggregate]) -> None:
        """Append a line `figure` for each."""
        for name, one in aggregates.items():
            self._write(
                "figure",
                name=name,
                protocol=one.protocol,
                task=one.task,
                metric=one.metric,
                slice=one.slice,
                value=one.value,
                interval=one.interval,
                n=one.n,
                coverage=round(one.coverage, 6),
            )

    def end(self, state: str) -> None:
        """Append a line `end`."""
        self._write("end", state=state)

    def _write(self, event: str, **values: Any) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"event": event, "time": at, "run": str(self.run.folder), **values}, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")


class WandB:
    """A run of Weights & Biases with the Run's own id, so that a resumed Run continues it."""

    def __init__(self, run: Tracked, where: str) -> None:
        import wandb

        self._run = wandb.init(
            project=where or PROJECT,
            id=run.key,
            name=run.label,
            config=dict(run.config),
            resume="allow",
            job_type="evaluation",
            reinit="create_new",
            settings=wandb.Settings(silent=True),
        )
        self.step: float | None = run.step

    def progress(self, values: Mapping[str, float]) -> None:
        """Log the values below `progress/`."""
        self._run.log({f"progress/{name}": value for name, value in values.items()})

    def figures(self, aggregates: Mapping[str, Aggregate]) -> None:
        """Set the figures, with their intervals, in the run's summary; of a checkpoint, its step too."""
        values: dict[str, float | int] = {}
        for name, one in aggregates.items():
            if one.value is not None:
                values[name] = one.value
                values |= {f"{name}/n": one.n}
                if one.interval:
                    values |= {f"{name}/low": one.interval[0], f"{name}/high": one.interval[1]}
        if self.step is not None:
            values["checkpoint_step"] = self.step
        self._run.summary.update(values)

    def end(self, state: str) -> None:
        """Finish the run, as failed if it ended with an error."""
        self._run.summary.update({"state": state})
        self._run.finish(exit_code=int(state.startswith("error")))


class MLflow:
    """A run of MLflow, found again by its tag `triptych.run` if the Run is resumed."""

    def __init__(self, run: Tracked, where: str) -> None:
        from mlflow.tracking import MlflowClient

        self._client = client = MlflowClient()
        name = where or PROJECT
        experiment = client.get_experiment_by_name(name)
        where_id = experiment.experiment_id if experiment else client.create_experiment(name)
        earlier = client.search_runs([where_id], f"tags.`triptych.run` = '{run.key}'", max_results=1)
        if earlier:
            self._id = earlier[0].info.run_id
            client.update_run(self._id, status="RUNNING")
        else:
            tags = {"triptych.run": run.key, "mlflow.runName": run.label}
            self._id = client.create_run(where_id, tags=tags).info.run_id
            for key, value in run.config.items():
                client.log_param(self._id, mlflow_name(key), str(value)[:500])
        self.step: float | None = run.step

    def progress(self, values: Mapping[str, float]) -> None:
        """Log the values below `progress/`."""
        self._log({f"progress/{name}": value for name, value in values.items()}, 0)

    def figures(self, aggregates: Mapping[str, Aggregate]) -> None:
        """Log the figures, those of a checkpoint at its step."""
        self._log({name: one.value for name, one in aggregates.items() if one.value is not None}, int(self.step or 0))

    def end(self, state: str) -> None:
        """Terminate the run with a status that MLflow has."""
        status = {"done": "FINISHED", "interrupted": "KILLED"}.get(state, "FAILED")
        self._client.set_tag(self._id, "triptych.state", state[:500])
        self._client.set_terminated(self._id, status)

    def _log(self, values: Mapping[str, float], step: int) -> None:
        from time import time

        from mlflow.entities import Metric

        now, named = int(time() * 1000), distinct(values)
        metrics = [Metric(name, float(value), now, step) for name, value in named.items()]
        for begin in range(0, len(metrics), MAX_BATCH_METRICS):
            self._client.log_batch(self._id, metrics=metrics[begin : begin + MAX_BATCH_METRICS])


class TensorBoard:
    """Scalars in a folder for each Run, below `runs/tensorboard` or the folder that is named."""

    def __init__(self, run: Tracked, where: str) -> None:
        writer = _summary_writer()
        name = re.sub(r"[^\w.\- ]", "_", f"{run.label} {run.key}")  # Runs can have the same label
        self._writer = writer(str(Path(where or "runs/tensorboard") / name))
        self._writer.add_text("config", json.dumps(dict(run.config), ensure_ascii=False, default=str))
        self.step: float | None = run.step

    def progress(self, values: Mapping[str, float]) -> None:
        """Add the values below `progress/`, by the number of replies."""
        for name, value in values.items():
            self._writer.add_scalar(f"progress/{name}", value, int(values.get("done", 0)))

    def figures(self, aggregates: Mapping[str, Aggregate]) -> None:
        """Add the figures, those of a checkpoint at its step."""
        for name, one in aggregates.items():
            if one.value is not None:
                self._writer.add_scalar(name, one.value, int(self.step or 0))

    def end(self, state: str) -> None:
        """Close the file."""
        self._writer.close()


def _summary_writer() -> Any:
    if importlib.util.find_spec("tensorboardX"):
        from tensorboardX import SummaryWriter

        return SummaryWriter
    from torch.utils.tensorboard import SummaryWriter as FromTorch

    return FromTorch


# name -> class, modules any of which (all of a tuple) must be installed, what to install
TRACKERS: dict[str, tuple[Any, tuple[tuple[str, ...], ...], str]] = {
    "jsonl": (JsonLines, ((),), ""),
    "wandb": (WandB, (("wandb",),), "wandb"),
    "mlflow": (MLflow, (("mlflow",),), "mlflow"),
    "tensorboard": (TensorBoard, (("tensorboardX",), ("torch", "tensorboard")), "tensorboardX"),
}


def check_tracker(word: str) -> tuple[str, str]:
    """Return the name of a tracker and what follows its colon. Raises SpecError if it is unknown or not installed."""
    name, _, where = word.partition(":")
    if name not in TRACKERS:
        expected = "jsonl[:FILE], wandb[:PROJECT], mlflow[:EXPERIMENT] or tensorboard[:DIR]"
        raise SpecError(f"unknown tracker {name!r}", expected=expected, fix=nearest(name, list(TRACKERS)))
    _, modules, package = TRACKERS[name]
    if not any(all(_installed(module) for module in one) for one in modules):
        raise SpecError(f"--track {name} needs the package {package}", fix=f"pip install {package}")
    return name, where


def _installed(module: str) -> bool:
    return module in sys.modules or importlib.util.find_spec(module) is not None


def mlflow_name(name: str) -> str:
    """Return a name with the characters that MLflow allows."""
    return re.sub(r"[^/\w.\- :]", "_", name).strip("/") or "_"


def distinct(values: Mapping[str, float]) -> dict[str, float]:
    """Return values under plain names; names that would be the same get a number.

    Example:
        >>> distinct({"a=b": 1.0, "a+b": 2.0})
        {'a_b': 1.0, 'a_b 2': 2.0}
    """
    named: dict[str, float] = {}
    for name, value in values.items():
        candidate, number = mlflow_name(name), 2
        while candidate in named:
            candidate, number = f"{mlflow_name(name)} {number}", number + 1
        named[candidate] = value
    return named
