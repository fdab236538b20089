"""LogRow: a sample of another harness's log, as a benchmark needs it to find its own question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from triptych.records.items import Item


@dataclass(frozen=True, slots=True)
class LogRow:
    """`task`, `id`: of the log; `facts`: the values in the row that aren't scores, such as objects with several."""

    task: str
    id: str
    question: str
    target: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LocatedLog:
    """The questions of a log as a benchmark's own Items, in the log's order.

    `scores`: the log's scores of each row, by name; `percent`: names of scores whose figures are percent of their
    mean. `version`, `sample`, `prompt`: for the manifest. `planned`: the number of questions of the tasks; None if
    unknown.
    """

    items: Sequence[Item]
    scores: Sequence[Mapping[str, float]]
    percent: frozenset[str] = frozenset()
    version: str = ""
    sample: str = ""
    prompt: str = ""
    planned: int | None = None
    notes: tuple[str, ...] = ()
