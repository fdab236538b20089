"""Singers: songs and photographs, as the scripts of XModBench collect them from YouTube and Wikimedia Commons.

    NAME/audio/SONG.wav         songs; files whose name contains `_seg` are parts of these, and are left alone
    NAME/images/0001.jpg        photographs
    NAME/meta.json              optional: {"name": …, "region": …, "genre": …}
    NAME/images.csv             optional: file, license, …: the licence of each photograph
    NAME/audio.csv              optional: file, license, …: that of each song

There is a Record for each song, by name, with the next photograph of its singer (from the first again after the last).
`label` is the name of the singer (underscores of the folder are spaces), `text` the name, with region and genre if
meta.json has them. `licence` is that of the song if audio.csv has one and the photograph's is stated too, otherwise
LicenseRef-YouTube; `licences` lists both as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from triptych.construction.datasets._files import SOUNDS, json_of, media_paths
from triptych.construction.record import Record
from triptych.construction.tables import read_table
from triptych.errors import DataError

PICTURES = (".jpg", ".jpeg", ".png", ".bmp")
_OPEN = re.compile(r"(?i)^(?:cc[ -]?(?:zero|0)|cc[ -](by(?:-sa)?)[ -]([1-4]\.0)|public domain|pd)")


class Meta(msgspec.Struct):
    """What meta.json says of a singer."""

    name: str = ""
    region: str = ""
    genre: str = ""


def records(folder: Path) -> Iterator[Record]:
    """Yield the songs of all singers who have a photograph. Raises DataError if there are none, or meta.json is odd."""
    singers = sorted(path for path in folder.glob("*/") if (path / "audio").is_dir() and not path.is_symlink())
    if not singers:
        raise DataError("no singers", where=folder, expected="folders such as NAME/audio and NAME/images")
    for singer in singers:
        images = media_paths(singer / "images", PICTURES) if (singer / "images").is_dir() else []
        songs = [name for name in media_paths(singer / "audio", SOUNDS) if "_seg" not in name.lower()]
        meta = json_of(singer / "meta.json", Meta) if (singer / "meta.json").is_file() else Meta()
        name = meta.name.strip() or singer.name.replace("_", " ")
        stated = {kind: _stated(singer, kind) for kind in ("images", "audio")}
        for number, song in enumerate(songs if images else []):
            photograph = images[number % len(images)]
            files = (stated["audio"].get(Path(song).name, ""), stated["images"].get(Path(photograph).name, ""))
            fields = {
                "dataset": "pop_singers",
                "label": name,
                "text": ", ".join(filter(None, (name, meta.region.strip(), meta.genre.strip()))),
                "genre": meta.genre.strip(),
                "audio_file": f"{singer.name}/audio/{song}",
                "image_file": f"{singer.name}/images/{photograph}",
                "licence": _combined_licence(*files),
                "licences": list(files),
            }
            yield Record(f"{singer.name}/{number:02}", fields, (f"pop_singers:{singer.name}/{Path(song).name}",))


def _stated(singer: Path, kind: str) -> dict[str, str]:
    """The licence of each file, by its name."""
    path = singer / f"{kind}.csv"
    rows = read_table(path, ["file"]) if path.is_file() else ()
    return {Path(str(row["file"]).replace("\\", "/")).name: str(row.get("license") or "").strip() for row in rows}


def _combined_licence(song: str, photograph: str) -> str:
    """The identifier that holds for both; that of the terms which nothing here decides if either isn't open."""
    identifiers = [_identifier(song), _identifier(photograph)]
    if all(identifiers):
        return max(identifiers, key=lambda name: ("sa" in name.lower(), "by" in name.lower(), name))
    return "LicenseRef-YouTube"


def _identifier(written: str) -> str:
    """The SPDX identifier of an open licence as Wikimedia Commons writes it; empty for others.

    Example:
        >>> _identifier("CC BY-SA 4.0"), _identifier("cc-by-nc-4.0"), _identifier("Public domain")
        ('CC-BY-SA-4.0', '', 'CC0-1.0')
    """
    match = _OPEN.match(written.strip())
    if match is None:
        return ""
    return f"CC-{match[1].upper()}-{match[2]}" if match[1] else "CC0-1.0"
