"""`--as-in`: ask a model as a paper asked it. Settings of the command have precedence, and those that can't be carried
out are stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from triptych.benchmarks.as_published import Published, as_published
from triptych.models.adapter import Adapter, not_carried
from triptych.models.catalogue import find_model
from triptych.models.registry import known_adapters, known_settings


@dataclass
class AsIn:
    """The settings that a paper states for a model, and sentences about them for the manifest and for people."""

    paper: str = ""
    decoding: dict[str, Any] = field(default_factory=dict)
    packing: str = ""
    system: str | None = None
    filters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)

    @property
    def note(self) -> str:
        """The sentences, for the manifest."""
        return "; ".join(self.told)


def as_in(paper: str, model: str) -> AsIn:
    """Return how a paper asked a model (`ADAPTER/NAME`, or a name of the catalogue). Raises SpecError for a paper whose
    settings aren't known. A model that the paper doesn't have is asked as all of its models were."""
    if not paper:
        return AsIn()
    published = as_published(paper)
    key = catalogue_key(model)
    found = AsIn(paper, told=[f"as in {paper}: {published.all.source}"])
    own = published.of(key)
    for one in filter(None, (published.all, own)):
        _take(found, one)
    if own is None:
        found.told.append(f"the paper states nothing for {key or model} alone")
    else:
        found.told.append(f"{key}: {own.source}")
    return found


def catalogue_key(model: str) -> str:
    """Return the key of the catalogue for `ADAPTER/NAME` or a name; empty if the catalogue hasn't it.

    Example:
        >>> catalogue_key("openai/Qwen/Qwen2.5-Omni-7B"), catalogue_key("qwen2.5-omni-7b"), catalogue_key("hf/me/mine")
        ('qwen2.5-omni-7b', 'qwen2.5-omni-7b', '')
    """
    adapter, _, name = model.partition("/")
    row = find_model(name if adapter in known_adapters() else model)
    return row.key if row is not None else ""


def _take(found: AsIn, one: Published) -> None:
    found.decoding = {key: value for key, value in {**found.decoding, **one.decoding}.items() if value != ""}
    found.packing = one.packing or found.packing
    found.system = found.system if one.system is None else one.system
    found.filters = {**found.filters, **one.filters}
    found.told += one.notes


def with_decoding(found: AsIn, usual: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the decoding settings: the benchmark's, the paper's, and those that the user asked for, in this order."""
    if not found.paper:
        return {**usual, **asked}
    return {**usual, **found.decoding, **asked}


def only_carried(found: AsIn, adapter: Adapter, decoding: Mapping[str, Any], asked: Iterable[str]) -> dict[str, Any]:
    """Return the decoding settings without those of the paper that the adapter would not carry out.

    A sentence names those.
    """
    left = [key for key in not_carried(adapter, decoding) if key not in asked]
    if left:
        told = ", ".join(f"{key}={decoding[key]}" for key in left)
        found.told.append(f"not applied, since {adapter.name} can't carry it out: {told}")
    return {key: value for key, value in decoding.items() if key not in left}


def with_packing(found: AsIn, model: str, own: dict[str, Any]) -> dict[str, Any]:
    """Return the adapter's settings with the paper's packing, unless they have one or the adapter takes none."""
    if not found.packing or "packing" in own:
        return own
    if "packing" not in known_settings(model):
        found.told.append(f"not applied, since {model.partition('/')[0]} has no packing: {found.packing}")
        return own
    return {**own, "packing": found.packing}
