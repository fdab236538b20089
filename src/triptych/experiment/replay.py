"""Replay results: the plan contains the questions that the results are about."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from triptych.errors import DataError, SpecError
from triptych.experiment.plan import Plan
from triptych.records import AS_IN_RESULTS, Item, RunManifest

if TYPE_CHECKING:
    from triptych.protocols.protocol import Outputs


def replay(ready: Plan, *, data_named: bool) -> Plan:
    """Load an adapter that replays results, and plan the questions that the results are about.

    If the results contain questions and targets of another version than the data, those of the results are used.

    If no data was given and the results contain other questions than the mini set, only these are planned: nothing of
    the mini set counts as missing, and the manifest says so. Results without questions whose ids are not those of the
    mini set are refused, since they may be about other questions even where the ids agree.
    """
    from triptych.scoring.predictions import merge_items, unmatched

    load: Callable[[Mapping[str, Any]], None] | None = getattr(ready.adapter, "load", None)
    if load is None:
        return ready
    path = ready.adapter.settings.get("path")
    if not path:
        raise SpecError("replay requires the results to replay", fix="-M path=FILE_OR_FOLDER")
    if not Path(str(path)).exists():
        raise DataError("the results to replay do not exist", where=path)
    questions = {item.id: item for item in ready.data_items()}

    def read(task_ids: Mapping[str, Item] | None) -> Outputs:
        recover = bool(ready.adapter.settings.get("recover"))
        try:
            return ready.benchmark.outputs([Path(str(path))], task_ids, recover=recover)
        except DataError as error:  # a Run has the option of other commands as a setting of its model
            fix = error.fix and error.fix.replace("--recover", "-M recover=true")
            raise type(error)(
                error.problem, expected=error.expected, got=error.got, where=error.where, fix=fix
            ) from None

    outputs = read(questions)
    if not data_named and any(_asks_otherwise(item, questions.get(id_)) for id_, item in outputs.items.items()):
        outputs, questions = read(None), {}
    load(outputs.responses)
    ready = replace(ready, manifest=structs.replace(ready.manifest, revision=ready.adapter.revision))
    ready.problems.update(dict.fromkeys(outputs.notes))
    merged = merge_items(outputs, questions)
    if unknown := list(unmatched(outputs, merged)):
        if not data_named:
            raise DataError(
                "these results do not belong to the built-in mini set",
                got=unknown[0],
                where=path,
                fix="--data DIR with the questions that they answer",
            )
        ready.problems.update(dict.fromkeys(unknown))
    full_ids = {ready.benchmark.spec.full_id(task) for task in ready.tasks}
    items = tuple(item for item in merged if item.task in full_ids)
    if not questions:
        return replace(ready, replayed=items, manifest=_of_results(ready.manifest, items), data=Path(AS_IN_RESULTS))
    return replace(ready, replayed=items)


def _asks_otherwise(item: Item, other: Item | None) -> bool:
    """Return whether the question or the target differs from that of the same id."""
    return other is None or (item.target, _texts_of(item)) != (other.target, _texts_of(other))


def _texts_of(item: Item) -> list[str]:
    return [part.text for part in (*item.parts, *(p for option in item.options for p in option)) if part.text]


def _of_results(manifest: RunManifest, items: Iterable[Item]) -> RunManifest:
    """Return the manifest of a Run over the results' own questions, whose hash replaces that of a folder's files."""
    lines = sorted(f"{item.id} {item.target} {_texts_of(item)}" for item in items)
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return structs.replace(manifest, data=AS_IN_RESULTS, data_sha256=digest)
