"""EVOBC: pictures of characters from six periods, from oracle bones to clerical script.

    Key&Value.json                             ID -> modern character: {"00001": "㐁", …}
    Data/EVOBC/00001/00001_SOURCE_ERA_ANOTHER_NUMBERS.jpg     pictures, in a folder for each ID
    Data/OBC/…                                 the oracle bone characters alone; read if Data/EVOBC is missing

The folder may also begin at EVOBC/. ERA is OBC (oracle bones), BI (bronze inscriptions), SS (seal script), SAC (Spring
and Autumn), WSC (Warring States) or CS (clerical script), or a number, of which 0 means OBC and 1 BI; other numbers
stay as they are. The repository states no licence: `licence` is LicenseRef-EVOBC, which nothing here decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import PICTURES, json_of, listing, media_paths
from triptych.construction.record import Record
from triptych.errors import DataError

_NUMBERS = {"0": "OBC", "1": "BI"}
_ROOTS = ("Data/EVOBC", "EVOBC", "Data/OBC", "OBC")
_NAME = re.compile(r"(?P<id>[^/_]+)/(?P=id)_(?P<source>[^_/]+)_(?P<era>[^_/]+)_[^/]+")


def records(folder: Path) -> Iterator[Record]:
    """Yield a Record for each picture, by ID and name. Raises DataError for an ID without a character, and for a name
    of another form."""
    characters = json_of(listing(folder, "Key&Value.json", "Data/Key&Value.json"), dict[str, str])
    root = next((name for name in _ROOTS if (folder / name).is_dir()), None)
    if root is None:
        raise DataError("no pictures of EVOBC", where=folder, expected=" or ".join(_ROOTS))
    for name in media_paths(folder / root, PICTURES):
        where = folder / root / name
        match = _NAME.fullmatch(name)
        if match is None:
            raise DataError(
                "a picture isn't named as in EVOBC", where=where, expected="ID/ID_SOURCE_ERA_ANOTHER_NUMBERS.jpg"
            )
        if not characters.get(match["id"]):
            raise DataError("no character for this ID", where=where, expected=f"{match['id']!r} in Key&Value.json")
        yield Record(
            name.rpartition(".")[0],
            {
                "dataset": "evobc",
                "label": characters[match["id"]],
                "text": characters[match["id"]],
                "script": _NUMBERS.get(match["era"], match["era"]),
                "collection": match["source"],
                "licence": "LicenseRef-EVOBC",
                "image_file": f"{root}/{name}",
            },
            (f"evobc:{match['id']}",),
        )
