"""What `check-plugin` tries of a stage: its function is called with a short text in each field that it reads."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

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
    """Yield the faults of a stage that decides record by record: another signature, fields that it reads or writes and
    doesn't declare, and a result of another type than Outcome.

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
    if stage.kind != "each" or stage.costly or stage.asks is not None or stage.tasks is not None:
        return
    values = _Watched(stage, ID, dict.fromkeys(stage.required, TEXT))
    try:
        outcome = _run_stage(stage, values)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the values aren't those that the stage expects
        outcome = None if values.undeclared else Outcome()
        if isinstance(error, UnicodeError) and _accepts_ascii(stage):
            yield f"{stage.name}: it fails for text that is not ASCII: {message_of(error)}"
    if values.undeclared:
        declared = ", ".join(stage.reads) or "nothing"
        yield f"{stage.name}: it reads {values.undeclared!r}, which it doesn't declare; reads: {declared}"
    elif not isinstance(outcome, Outcome):
        yield f"{stage.name}: the function returns {shown(outcome)}; expected an Outcome: kept(…), dropped(…)"
    else:
        try:
            stage.checked(outcome, ID)
        except SpecError as error:
            yield f"{error.problem}" + (f"; expected: {error.expected}" if error.expected else "")


def _run_stage(stage: Stage, values: Values) -> object:
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        context = Context(stage.parameters, MediaStore(Path(folder) / "media"), 0, Path(folder))
        return stage.run(values, context)


def _accepts_ascii(stage: Stage) -> bool:
    try:
        return isinstance(_run_stage(stage, Values(stage, ID, dict.fromkeys(stage.required, ASCII))), Outcome)
    except (Exception, SystemExit):  # noqa: BLE001 - it doesn't expect a text
        return False


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
