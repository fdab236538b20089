"""Cascades of the catalogue: the first model describes the recordings, the second answers from the descriptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triptych.errors import SpecError
from triptych.models.catalogue import catalogue, find_model
from triptych.models.named import resolve_name


@dataclass(frozen=True)
class Cascade:
    """A cascade as a model and a Condition.

    model       the model that answers, as `--model` takes it
    conditions  the Conditions of the Run, the description by the first model last
    name        the Run's name in tables
    """

    model: str
    conditions: tuple[str, ...]
    name: str


def as_cascade(model: str, conditions: Sequence[str], reading: Mapping[str, Any], name: str) -> Cascade | None:
    """Return the cascade that a name of the catalogue means; None for any other model.

    `reading`: settings of the first model, with its endpoint (`base_url`). Raises SpecError if it can't be asked.

    Example:
        >>> as_cascade("qwen2-audio-7b+llama-3-8b", [], {"base_url": "http://localhost:8000/v1"}, "").conditions
        ('description:from=openai/Qwen/Qwen2-Audio-7B-Instruct',)
    """
    row = find_model(model)
    if row is None or row.way[0] != "cascade":
        return None
    first, second = (catalogue()[key] for key in row.steps)
    try:
        describing, _ = resolve_name(first.key, reading)
    except SpecError as error:
        raise SpecError(
            f"{row.names[0]} is a cascade, and its first model can't be asked: {error.problem}",
            got=error.got,
            fix=f"{error.fix}; for the first model of a cascade use --reader-base-url and -R",
        ) from None
    return Cascade(second.key, (*conditions, f"description:from={describing}"), name or row.key)
