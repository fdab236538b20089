"""`--as-in`: ask a model as a paper asked it. Settings of the command have precedence, and those that can't be carried
out are stated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triptych.benchmarks.as_published import Published, as_published, papers
from triptych.errors import SpecError
from triptych.models.adapter import Adapter, not_carried
from triptych.models.catalogue import CatalogueModel, find_model
from triptych.models.registry import known_adapters, known_settings, load_adapter


@dataclass
class AsIn:
    """The settings that a paper states for a model, and sentences about them for the manifest and for people."""

    paper: str = ""
    decoding: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    packing: str = ""
    served: str = ""
    system: str | None = None
    filters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def note(self) -> str:
        """The sentences, for the manifest."""
        return "; ".join(self.notes)


def as_in(paper: str, model: str, filters: Mapping[str, Iterable[str]] | None = None) -> AsIn:
    """Return how a paper asked a model (`ADAPTER/NAME`, or a name of the catalogue). Raises SpecError for a paper whose
    settings aren't known. A model that the paper doesn't have is asked as all of its models were.

    `filters`: facet -> the values that the Run asks: a paper can have asked films in another way than recordings.
    """
    if not paper:
        return AsIn()
    published = as_published(paper)
    key = catalogue_key(model)
    settings = AsIn(paper, notes=[f"as in {paper}: {published.all.source}"])
    _take(settings, published.all)
    paper_settings = published.entries_of(key)
    for one in paper_settings:
        if one.applies({**settings.filters, **(filters or {})}):
            _take(settings, one)
    if paper_settings:
        settings.notes += dict.fromkeys(f"{key}: {one.source}" for one in paper_settings)
    else:
        settings.notes.append(
            f"{key or model} is asked as all models of the paper, which states no other settings for it"
        )
    return settings


def modality_in(paper: str, model: str, facet: str) -> tuple[str, ...]:
    """Return the values of a facet in which a paper asked a model of the catalogue; empty if it isn't stated.

    Example:
        >>> modality_in("mcif", "ola-7b", "modality"), modality_in("mcif", "openai/mine", "modality")
        (('audio_video',), ())
    """
    if paper not in papers():
        return ()
    return next(
        (one.filters[facet] for one in as_published(paper).entries_of(catalogue_key(model)) if facet in one.filters), ()
    )


def catalogue_key(model: str) -> str:
    """Return the key of the catalogue for `ADAPTER/NAME` or a name; empty if the catalogue hasn't it.

    Example:
        >>> catalogue_key("openai/Qwen/Qwen2.5-Omni-7B"), catalogue_key("qwen2.5-omni-7b"), catalogue_key("hf/me/mine")
        ('qwen2.5-omni-7b', 'qwen2.5-omni-7b', '')
    """
    row = catalogue_row(model)
    return row.key if row is not None else ""


def catalogue_row(model: str) -> CatalogueModel | None:
    """Return the catalogue's row for `ADAPTER/NAME` or a name; None if the catalogue hasn't it.

    A folder of weights, here or on a server, is the model that its last part names.

    Example:
        >>> catalogue_row("openai//models/Qwen2.5-Omni-7B").key
        'qwen2.5-omni-7b'
    """
    adapter, _, rest = model.partition("/")
    name = rest if adapter in known_adapters() else model
    row = find_model(name)
    if row is None and (name.startswith(("/", "./", "../", "~")) or Path(name).is_dir()):
        row = find_model(Path(name).name)
    return row


def _take(settings: AsIn, one: Published) -> None:
    settings.decoding = {key: value for key, value in {**settings.decoding, **one.decoding}.items() if value != ""}
    settings.settings = {key: value for key, value in {**settings.settings, **one.settings}.items() if value != ""}
    settings.packing, settings.served = (
        (one.packing, one.served) if one.packing else (settings.packing, settings.served)
    )
    settings.system = settings.system if one.system is None else one.system
    settings.filters = {**settings.filters, **one.filters}
    settings.notes += [f"run by {one.software}"] if one.software else []
    settings.notes += one.notes


def with_decoding(settings: AsIn, usual: Mapping[str, Any], model_settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the decoding settings: the benchmark's, the paper's, and those that the user asked for, in this order."""
    if not settings.paper:
        return {**usual, **model_settings}
    return {**usual, **settings.decoding, **model_settings}


def only_carried(
    settings: AsIn, adapter: Adapter, decoding: Mapping[str, Any], model_settings: Iterable[str]
) -> dict[str, Any]:
    """Return the decoding settings without those of the paper that the adapter would not carry out.

    A sentence names those.
    """
    left = [key for key in not_carried(adapter, decoding) if key not in model_settings]
    if left:
        text = ", ".join(f"{key}={decoding[key]}" for key in left)
        settings.notes.append(f"not applied, since {adapter.name} can't carry it out: {text}")
    return {key: value for key, value in decoding.items() if key not in left}


def with_settings(settings: AsIn, model: str, model_settings: dict[str, Any]) -> dict[str, Any]:
    """Return the adapter's settings with the paper's packing and settings, except those that they have, and that the
    adapter doesn't."""
    settings_of_model = known_settings(model)
    adapter = model.partition("/")[0]
    if settings.packing and "packing" not in settings_of_model:
        settings.notes.append(f"not applied, since {adapter} has no packing: {settings.packing}")
    left = [f"{key}={value}" for key, value in settings.settings.items() if key not in settings_of_model]
    if left and adapter not in ("baseline", "replay"):
        settings.notes.append(f"not applied, since {adapter} has no such setting: {', '.join(left)}")
    fields = {**({"packing": settings.packing} if settings.packing else {}), **settings.settings}
    return {**{key: value for key, value in fields.items() if key in settings_of_model}, **model_settings}


def with_possible_packing(settings: AsIn, model: str, model_settings: dict[str, Any]) -> dict[str, Any]:
    """Return the adapter's settings, with another packing if it can't carry out the paper's; a sentence says so.

    Raises SpecError for settings with which the adapter can't be made, whatever the packing.
    """
    if not settings.packing or model_settings.get("packing") != settings.packing:
        return model_settings
    try:
        load_adapter(model, model_settings)
    except SpecError:
        other = {key: value for key, value in model_settings.items() if key != "packing"}
        other |= {"packing": settings.served} if settings.served else {}
        load_adapter(model, other)
        text = f"--packing {settings.served}" if settings.served else "the adapter's own packing"
        settings.notes.append(
            f"not applied, since {model} can't carry it out: --packing {settings.packing}, but {text}"
        )
        return other
    return model_settings
