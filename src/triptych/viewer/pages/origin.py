"""The page that shows how a question was made: its provenance and, if the build is on this machine, every step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore, media_values
from triptych.construction.release.provenance import Life, Step, life_of
from triptych.errors import MediaError, TriptychError
from triptych.media.payload import DataFolder
from triptych.records import Item, Kind
from triptych.records.provenance import Maker
from triptych.reports.html.links import item_path, items_path, origin_path, run_path
from triptych.reports.html.origin import origin, readable
from triptych.viewer.pages.item import files
from triptych.web.media import media_type

_KINDS: tuple[Kind, ...] = ("audio", "image", "video")


@dataclass(frozen=True)
class Wrote:
    """A field that a step wrote: its value as text, the media in it (address, kind), and who made it."""

    field: str
    value: str
    media: tuple[tuple[str, Kind], ...]
    maker: Maker


@dataclass(frozen=True)
class Shown:
    """A step of the build, with what it wrote."""

    step: Step
    wrote: tuple[Wrote, ...]


def origin_page(slug: str, item: Item, root: DataFolder | None) -> dict[str, Any]:
    """Return everything that the page shows."""
    problem, steps = "", tuple[Shown, ...]()
    try:
        life = _life(item, root)
        steps = tuple(_shown(slug, item, root, step) for step in life.steps) if life and root else ()
    except TriptychError as error:
        life, problem = None, str(error)
    return {
        "slug": slug,
        "run": run_path(slug),
        "items": items_path(slug),
        "permanent": item_path(slug, item.id),
        "item": item,
        "media": files(slug, item, root),
        "origin": origin(item, root),
        "life": life,
        "steps": steps,
        "problem": problem,
    }


def material(item: Item, root: DataFolder | None, value: str) -> tuple[Path, str]:
    """Return a file that a step of the Item's build wrote, and its MIME type. Raises MediaError for any other file."""
    life = _life(item, root)
    if life is None or root is None or value not in _values(life):
        raise MediaError("the build of this Item has no such file", got=value)
    path = _store(root).path(value)
    with path.open("rb") as file:
        head = file.read(64)
    for kind in _KINDS:
        if mime := media_type(head, path.name, kind):
            return path, mime
    raise MediaError("the file is not of a format that browsers support", got=value)


def _life(item: Item, root: DataFolder | None) -> Life | None:
    """Return the life of the Item's record; None if the data folder is not the output of a build on this machine."""
    if root is None or not readable(item, root) or not (root.path.parent / "build.json").is_file():
        return None
    return life_of(BuildFolder.open(root.path.parent), item.id)


def _store(root: DataFolder) -> MediaStore:
    return MediaStore(root.path.parent)


def _values(life: Life) -> set[str]:
    return {value for step in life.steps for value in media_values(step.values)}


def _shown(slug: str, item: Item, root: DataFolder, step: Step) -> Shown:
    return Shown(step, tuple(_written_field(slug, item, root, step, field) for field in step.wrote))


def _written_field(slug: str, item: Item, root: DataFolder, step: Step, field: str) -> Wrote:
    value = step.values.get(field)
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return Wrote(field, text, tuple(_media(slug, item, root, value)), step.wrote[field])


def _media(slug: str, item: Item, root: DataFolder, value: object) -> Iterator[tuple[str, Kind]]:
    for name in media_values(value):
        try:
            with _store(root).path(name).open("rb") as file:
                head = file.read(64)
        except (TriptychError, OSError):
            continue
        kind = next((kind for kind in _KINDS if media_type(head, name, kind)), None)
        if kind:
            yield f"{origin_path(slug, item.id)}/{name}", kind
