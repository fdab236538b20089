"""Converters: data sets in the folder layout in which they are released, as Records; one module per data set.

Each module has a function `records(folder)` that yields a Record for each entry of the data set's own lists, in their
order. The fields that several data sets share:

    dataset       the name of the module
    label         the class, as the data set writes it
    text          the accurate words of a page or a sentence
    split         the data set's own split, if it has any
    video_file, audio_file, foa_file, mic_file, image_file    media, relative to the folder; None if the file is missing
    begin, end    the span in these files, in seconds
    licence       an SPDX identifier; `LicenseRef-…` for terms of the data set's own, which nothing here decides

Raises DataError for lists that are missing or malformed, and for a folder that has another layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from triptych.construction.engine.context import Context
from triptych.construction.recipe import Start
from triptych.construction.record import Maker, Record
from triptych.errors import SpecError, nearest

MEDIA = ("video_file", "audio_file", "foa_file", "mic_file", "image_file")


@dataclass(frozen=True)
class Dataset:
    """A data set that can be read: its name, what it is, and the layout that is expected."""

    name: str
    about: str
    layout: str


def known_datasets() -> dict[str, Dataset]:
    """Return every data set that has a converter, by name."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return {name: _described(name, _module(name)) for name in names}


def records(name: str, folder: Path, **options: Any) -> Iterator[Record]:
    """Yield the Records of a data set. `options`: those that the module's own `records` has.

    Raises SpecError for an unknown name or option, and DataError as the module does.
    """
    if name not in (datasets := known_datasets()):
        raise SpecError(f"no converter for the data set {name!r}", fix=nearest(name, datasets))
    function = _module(name).records
    try:
        signature(function).bind(folder, **options)
    except TypeError as error:
        raise SpecError(f"the data set {name!r} has no such option", got=str(error)) from None
    yield from function(folder, **options)


def starts(name: str, folder: Path, context: Context) -> Iterator[Start]:
    """Yield the same for the beginning of a recipe, with media relative to the configuration, and their hashes.

    `folder` is relative to `context.base`. For each media field `X`, `X_sha256` is the hash of the file, so that stages
    that read both have it in their keys; `parts_sha256` lists those of `parts`.
    """
    for record in records(name, context.base / folder):
        fields = dict(record.fields)
        for field in MEDIA:
            if fields.get(field):
                fields[field] = (folder / fields[field]).as_posix()
                fields[f"{field}_sha256"] = context.sha256(fields[field])
        if fields.get("parts"):
            fields["parts"] = [part | _placed(part, folder) for part in fields["parts"]]
            named = [part["audio_file"] for part in fields["parts"] if part["audio_file"]]
            fields["parts_sha256"] = [context.sha256(name) for name in named]
        makers = {key: Maker("source", name, record.id) for key in fields}
        yield Start(msgspec.structs.replace(record, fields=fields), makers)


def _placed(part: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The path of a part's sound, relative to the configuration."""
    name = part.get("audio_file")
    return {"audio_file": (folder / name).as_posix() if name else None}


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")


def _described(name: str, module: ModuleType) -> Dataset:
    first, _, rest = (module.__doc__ or "").strip().partition("\n")
    return Dataset(name, first, rest.strip("\n"))
