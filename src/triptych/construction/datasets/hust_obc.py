"""HUST-OBC: pictures of oracle bone characters whose modern character is known.

    deciphered/ID_to_chinese.json              ID -> modern character: {"0001": "一", …}
    deciphered/0001/X_0001_3803_2.png          pictures in a folder for each ID, named SOURCE_ID_FILENAME
    deciphered/0011_0012_0013/…                IDs that were merged share a folder
    undeciphered/, GuoXueDaShi_1390/           not read: no accepted character, and a second numbering

The folder itself may be called HUST-OBC or HUST-OBS, or contain such a folder. SOURCE is X (New Compilation of Oracle
Bone Scripts), L (Six Digit Numerical Code), G (GuoXueDaShi), Y (YinQiWenYuan) or H (HWOBC, written by hand). The
repository states no licence: `licence` is LicenseRef-HUST-OBC, which nothing here decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import PICTURES, json_of, listing, media_paths
from triptych.construction.record import Record
from triptych.errors import DataError

SOURCES = {
    "X": "新甲骨文编",
    "L": "甲骨文六位数字码检索字库",
    "G": "国学大师",
    "Y": "殷契文渊",
    "H": "HWOBC",
}
_ROOTS = ("deciphered", "HUST-OBC/deciphered", "HUST-OBS/deciphered")


def records(folder: Path) -> Iterator[Record]:
    """Yield a Record for each picture, by ID and name. Raises DataError for an ID without a character, and for a name
    of another form."""
    names = _ROOTS if folder.is_dir() else ()
    root = next((folder / name for name in names if (folder / name).is_dir()), folder / _ROOTS[0])
    characters = json_of(listing(root, "ID_to_chinese.json"), dict[str, str])
    for name in media_paths(root, PICTURES):
        identifier, _, file = name.partition("/")
        source, _, rest = file.partition("_")
        where = root / name
        if source not in SOURCES or not rest.startswith(f"{identifier}_"):
            expected = f"ID/SOURCE_ID_FILENAME with a source of {', '.join(SOURCES)}"
            raise DataError("a picture isn't named as in HUST-OBC", where=where, expected=expected)
        if not characters.get(identifier):
            raise DataError("no character for this ID", where=where, expected=f"{identifier!r} in ID_to_chinese.json")
        yield Record(
            name.rpartition(".")[0],
            {
                "dataset": "hust_obc",
                "label": characters[identifier],
                "text": characters[identifier],
                "script": "OBC",
                "collection": SOURCES[source],
                "licence": "LicenseRef-HUST-OBC",
                "image_file": where.relative_to(folder).as_posix(),
            },
            (f"hust_obc:{identifier}",),
        )
