"""What `check-plugin` tries of a stage: its function is called with a short text in each field that it reads."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from triptych.api.contracts.signatures import message_of
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stage import Stage
from triptych.errors import SpecError
from triptych.records.plug_ins import shown

TEXT = "The river Rhône flows through Lyon, 里昂 🙂."  # the value of each field
ASCII = "The river flows through Lyon."
ID = "check/1"


def stage_trial(stage: Stage) -> Iterator[str]:
    """Yield the faults of a stage: another signature, fields that it reads or writes and doesn't declare, a result of
    another type than Outcome, another number of Outcomes than records, and another decision the second time.

    Stages that are costly, or that ask models or people, are not called. Errors about the values are ignored: they
    aren't those that the stage expects.
    """
    if stage.kind not in ("each", "whole") or not callable(stage.run):
        return
    try:
        inspect.signature(stage.run).bind("values", "context")
    except ValueError:  # a function without a signature
        return
    except TypeError:
        yield f"{stage.name}: the function can't be called with 2 arguments, (values, context)"
        return
    if stage.kind == "whole" and _of_one_record(stage.run):
        yield f"{stage.name}: kind is 'whole', but its function is one of a record (Values, or Outcome)"
        return
    if not _can_be_called(stage):
        return
    if stage.kind == "whole":
        yield from _together_faults(stage)
        return
    values = _Watched(stage, ID, dict.fromkeys(stage.required, TEXT))
    outcome, error = _run_stage(stage, values)
    if isinstance(error, UnicodeError) and isinstance(_run_stage(stage, _values(stage, ID, ASCII))[0], Outcome):
        yield f"{stage.name}: it fails for text that is not ASCII: {message_of(error)}"
    if values.undeclared:
        declared = ", ".join(stage.reads) or "nothing"
        yield f"{stage.name}: it reads {values.undeclared!r}, which it doesn't declare; reads: {declared}"
    elif error is not None:
        return
    elif not isinstance(outcome, Outcome):
        yield f"{stage.name}: the function returns {shown(outcome)}; expected an Outcome: kept(…), dropped(…)"
    elif faults := list(_outcome_faults(stage, outcome)):
        yield from faults
    elif _run_stage(stage, _values(stage, ID, TEXT))[0] != outcome:
        yield f"{stage.name}: it decides otherwise about the same values the second time; use context.random(…)"


def stage_outcomes(stage: Stage) -> list[Outcome]:
    """Return what a stage decides about a short text, or about two; nothing if it can't be tried, or fails."""
    if not callable(stage.run) or not _can_be_called(stage):
        return []
    made, _ = _run_stage(stage, _values(stage, ID, TEXT) if stage.kind == "each" else _two_records(stage))
    return [one for one in (made if isinstance(made, list) else [made]) if isinstance(one, Outcome)]


def _can_be_called(stage: Stage) -> bool:
    return stage.kind in ("each", "whole") and not stage.costly and stage.asks is None and stage.tasks is None


def _together_faults(stage: Stage) -> Iterator[str]:
    """Yield what is wrong with the Outcomes of a stage that sees all records at once: how many, and of which type."""
    records = _two_records(stage)
    outcomes, error = _run_stage(stage, records)
    if error is not None:
        return
    if not isinstance(outcomes, list):
        yield f"{stage.name}: the function returns {shown(outcomes)}; expected an Outcome for each record, in order"
    elif len(outcomes) != len(records):
        yield f"{stage.name}: it decides about {len(records)} records, and gives {len(outcomes)} Outcomes; one for each"
    else:
        yield from dict.fromkeys(fault for outcome in outcomes for fault in _outcome_faults(stage, outcome))


def _outcome_faults(stage: Stage, outcome: Any) -> Iterator[str]:
    try:
        stage.checked(outcome, ID)
    except SpecError as error:
        yield f"{error.problem}" + (f"; expected: {error.expected}" if error.expected else "")


def _values(stage: Stage, id: str, words: str) -> Values:
    return Values(stage, id, dict.fromkeys(stage.required, words))


def _two_records(stage: Stage) -> list[Values]:
    return [_values(stage, f"{ID}/{number}", words) for number, words in enumerate((TEXT, ASCII))]


def _run_stage(stage: Stage, values: Values | list[Values]) -> tuple[object, BaseException | None]:
    """Return what a stage returns (Outcomes as a list), or its error: the values aren't those that it expects."""
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        context = Context(stage.parameters, MediaStore(Path(folder) / "media"), 0, Path(folder))
        try:
            made = stage.run(values, context)
            listed = isinstance(values, list) and isinstance(made, Iterable)
            return (list(made) if listed else made), None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another package's code can raise anything
            return None, error


def _of_one_record(function: Callable[..., object]) -> bool:
    """Return whether the annotations of a function say that it decides about one record."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # a function without a signature
        return False
    first = next(iter(signature.parameters.values())).annotation
    return first in (Values, "Values") or signature.return_annotation in (Outcome, "Outcome")


class _Watched(Values):
    """Values that remember the first field that was read and isn't declared."""

    undeclared = ""

    def __getitem__(self, name: str) -> object:
        if name not in self._values:
            self.undeclared = self.undeclared or str(name)
        return super().__getitem__(name)
