"""An Item's provenance as a page shows it: its sources, who made each field, and who judged it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from triptych.benchmarks.origins import origin_of
from triptych.errors import DataError, MediaError
from triptych.media.payload import DataFolder
from triptych.records import Item
from triptych.records.provenance import Maker
from triptych.reports.html.units import cut

MAX_ROWS, TEXT = 100, 300  # rows of a table; characters of a cell
_ORDER = ("source", "model", "person", "code")


@dataclass(frozen=True)
class FieldOrigin:
    """Fields (or stages), and who made them (or was asked in them); `at`: the source's span, or the journal's entry."""

    what: str
    kind: str
    who: str
    at: str
    prompt: str


@dataclass(frozen=True)
class Origin:
    """The provenance of an Item. `problem`: why it can't be read; `more`: rows that are left out."""

    record: str = ""
    sources: tuple[str, ...] = ()
    fields: tuple[FieldOrigin, ...] = ()
    stages: tuple[FieldOrigin, ...] = ()
    more: int = 0
    problem: str = ""


def origin(item: Item, root: DataFolder | None) -> Origin | None:
    """Return the provenance that the data folder states for an Item; None if it states none, or may not be read."""
    if root is None or not readable(item, root):
        return None
    try:
        origin = origin_of(root.path, item.id)
    except DataError as error:
        return Origin(problem=str(error))
    if origin is None:
        return None
    fields, asked_models = _grouped(origin.makers), _grouped(origin.asked)
    return Origin(
        cut(origin.id, TEXT),
        tuple(cut(source, TEXT) for source in origin.sources[:MAX_ROWS]),
        tuple(fields[:MAX_ROWS]),
        tuple(asked_models[:MAX_ROWS]),
        max(0, len(fields) - MAX_ROWS) + max(0, len(asked_models) - MAX_ROWS),
    )


def readable(item: Item, root: DataFolder) -> bool:
    """Return True if the user named the folder, or a media file of the Item is in it with the SHA-256 that the Run
    states: a manifest from elsewhere may name any folder of this machine."""
    if root.named:
        return True
    part = next((part for part in item.all_parts if part.is_media and part.sha256 and not part.transform), None)
    try:
        return part is not None and bool(root.reader().load(part))
    except (MediaError, OSError):
        return False


def _grouped(makers: Mapping[str, Maker]) -> list[FieldOrigin]:
    """One row per maker with all that it made: sources first, then models, people and code."""
    fields_by_maker: dict[Maker, list[str]] = {}
    for what, maker in makers.items():
        fields_by_maker.setdefault(maker, []).append(what)
    return [
        FieldOrigin(
            *(
                cut(text, TEXT)
                for text in (", ".join(fields_by_maker[maker]), maker.kind, maker.name, maker.at, maker.prompt)
            )
        )
        for maker in sorted(fields_by_maker, key=lambda maker: _ORDER.index(maker.kind))
    ]
