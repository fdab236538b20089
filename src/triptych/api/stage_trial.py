"""What `check-plugin` tries of a stage: its function is called with a short text in each field that it reads."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stage import Stage
from triptych.errors import SpecError

TEXT = "The river Rhône flows through Lyon."  # the value of each field
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
    if stage.kind != "each" or stage.costly or stage.asks is not None or stage.tasks is not None:
        return
    values = _Watched(stage, ID, dict.fromkeys(stage.required, TEXT))
    with tempfile.TemporaryDirectory(prefix="triptych-check-") as folder:
        context = Context(stage.parameters, MediaStore(Path(folder) / "media"), 0, Path(folder))
        try:
            outcome = stage.run(values, context)
        except (Exception, SystemExit):  # noqa: BLE001 - the values aren't those that the stage expects
            outcome = None if values.undeclared else Outcome()
    if values.undeclared:
        declared = ", ".join(stage.reads) or "nothing"
        yield f"{stage.name}: it reads {values.undeclared!r}, which it doesn't declare; reads: {declared}"
    elif not isinstance(outcome, Outcome):
        yield f"{stage.name}: the function returns {_value_text(outcome)}; expected an Outcome: kept(…), dropped(…)"
    else:
        try:
            stage.checked(outcome, ID)
        except SpecError as error:
            yield f"{error.problem}" + (f"; expected: {error.expected}" if error.expected else "")


class _Watched(Values):
    """Values that remember the first field that was read and isn't declared."""

    undeclared = ""

    def __getitem__(self, name: str) -> object:
        if name not in self._values:
            self.undeclared = self.undeclared or str(name)
        return super().__getitem__(name)


def _value_text(value: object) -> str:
    return "None" if value is None else type(value).__name__
