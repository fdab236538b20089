"""Rebuild the Request that was sent to a model, and check it against the journal."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from triptych.benchmarks.spec import BenchmarkSpec
from triptych.conditions.applying import prompt_under
from triptych.conditions.condition import Condition, find_condition
from triptych.errors import MediaError, SpecError, TriptychError
from triptych.experiment.prompts import recorded_name, recorded_prompts
from triptych.media.payload import DataFolder, reader_of
from triptych.prompts.build import build_request
from triptych.prompts.template import with_system
from triptych.records import Item, Message, Part, Request, Response, RunManifest
from triptych.records.exchange import full_revision

# exact: its key equals the journal's; unchecked: the journal has no key (nothing was sent, or it is a replay);
# other: the keys differ, so the template, a setting or a file has changed; unknown: there is no template to rebuild it
Certainty = Literal["exact", "unchecked", "other", "unknown"]


@dataclass(frozen=True, slots=True)
class SentMessages:
    """The Messages that were sent to a model, and how certain that is."""

    certainty: Certainty
    messages: tuple[Message, ...] = ()
    problem: str = ""


def sent_messages(
    item: Item,
    response: Response | None,
    manifest: RunManifest,
    spec: BenchmarkSpec | None,
    root: DataFolder | None = None,
) -> SentMessages:
    """Rebuild the Request for an Item as the Run did.

    Journals don't contain Requests, but each Response has its Request's key: a hash of everything that changes an
    answer. The result is therefore either exactly what was sent or marked as different. `root`: the data folder, for
    Conditions that change media.
    """
    try:
        name, prompts = recorded_name(spec, manifest, item.task), recorded_prompts(spec, manifest)
    except SpecError as error:
        return SentMessages("unknown", problem=error.problem)
    if name not in prompts:
        text = "the benchmark isn't installed here" if spec is None else f"prompt {name!r} is not the benchmark's own"
        return SentMessages("unknown", problem=text)
    repeat = response.repeat if response else 0
    prompt = with_system(prompts[name], manifest.system)
    try:
        request = build_request(
            item,
            prompt_under(prompt, _conditions(manifest)),
            settings=manifest.decoding,
            condition=manifest.condition,
            repeat=repeat,
        )
    except TriptychError as error:
        return SentMessages("unknown", problem=error.problem)
    if response is None or not response.key:
        return SentMessages("unchecked", request.messages)
    exact = response.key in _keys(request, manifest, root)
    return SentMessages("exact" if exact else "other", request.messages)


def _conditions(manifest: RunManifest) -> list[Condition]:
    """Return the Run's Conditions, which may change the prompt.

    A Condition that can't be created (it needs a file that is not available here) is left out; the key then differs.
    """
    conditions = []
    for name in manifest.conditions:
        with suppress(TriptychError):
            conditions.append(find_condition(name, seed=manifest.seed, files=False))
    return conditions


def _keys(request: Request, manifest: RunManifest, root: DataFolder | None) -> set[str]:
    """Return the keys that this Request could have: with the media's hashes, or without (a model without media)."""
    revision = full_revision(manifest.revision, manifest.model_settings)
    hashes = {part.content_name: digest for part in request.media_parts if (digest := _digest(part, root))}
    return {request.key(manifest.model, revision, hashes_of) for hashes_of in (hashes, {})}


def _digest(part: Part, root: DataFolder | None) -> str:
    """Return the hash of the content sent for a Part; empty if unknown."""
    if not part.transform:
        return part.sha256
    try:
        return reader_of(root).load(part).sha256
    except MediaError:
        return ""
