"""Running one stage on hand-made records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stage import Stage


def context(stage: Stage, root: Path | None = None, seed: int = 0) -> Context:
    return Context(stage.parameters, MediaStore(root or Path("/nonexistent")), seed)


def decide(stage: Stage, fields: Mapping[str, Any], root: Path | None = None, **parameters: Any) -> Outcome:
    """What an `each` stage decides about one record."""
    own = stage.with_(**parameters)
    outcome: Outcome = own.run(Values(own, "r", fields), context(own, root))
    return own.checked(outcome, "r")


def decide_all(
    stage: Stage, records: Sequence[Mapping[str, Any]], root: Path | None = None, seed: int = 0, **parameters: Any
) -> list[Outcome]:
    """What a `whole` stage decides; the records' ids are r0, r1 …"""
    own = stage.with_(**parameters)
    values = [Values(own, f"r{n}", fields) for n, fields in enumerate(records)]
    return [own.checked(outcome, "r") for outcome in own.run(values, context(own, root, seed))]
