"""Keys: a hash of everything that a stage's outcome about a record can depend on.

Equal key, equal outcome: the line that an earlier build wrote is kept. A key holds the stage's name, version and
parameters, the number of the shared checks of texts if it uses one, the seed, what makes the reply (models and prompts,
results of people), the record's id, and the values of the declared fields. Media are named by their SHA-256, so their
content is part of the key too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from triptych.construction.engine.context import Context, Values
from triptych.construction.stage import Stage
from triptych.construction.text_checks.number import number_for

_ENCODER = msgspec.json.Encoder(order="deterministic")


def digest(*parts: Any) -> str:
    """Return 32 hex digits of the SHA-256 of the parts as JSON, independent of the order of dictionary keys."""
    return hashlib.sha256(_ENCODER.encode(parts)).hexdigest()[:32]


def stage_identity(stage: Stage, context: Context, makers: Any = None) -> str:
    """Return what all records of a stage share: code version, parameters, seed, models and prompts.

    The version of a stage that checks texts is followed by the number of these checks.
    """
    checks = number_for(stage)
    version = [stage.version, checks] if checks else stage.version
    return digest(stage.name, version, stage.reads, dict(stage.parameters), context.seed, makers)


def record_key(identity: str, values: Values, more: Any = None) -> str:
    """Return the key of one record in a stage; `more`: people's results about it."""
    return digest(identity, values.id, dict(values), more)


def whole_key(identity: str, records: Iterable[Values]) -> str:
    """Return the key of a `whole` stage; it changes if any record changes, is added or is removed."""
    return digest(identity, [digest(values.id, dict(values)) for values in records])


def as_json(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as they are read from disk (tuples as lists). Raises TypeError for values that JSON lacks."""
    return msgspec.json.decode(_ENCODER.encode(fields))  # type: ignore[no-any-return]
