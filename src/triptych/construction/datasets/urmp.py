"""URMP: chamber music of which every part was recorded by itself, with a video of all players.

    NN_PIECE_INST_INST…/                   (or in a folder Dataset) one folder per piece; INST as in INSTRUMENTS
    …/AuMix_NN_PIECE_INST_INST….wav        all parts
    …/AuSep_1_INST_NN_PIECE.wav            each part
    …/Vid_NN_PIECE_INST_INST….mp4          the video

`parts` lists {instrument, audio_file} in the order of the parts, `instruments` their names. The players are expected in
this order from left to right, which the file names don't state: compare it with the videos.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import SOUNDS, VIDEOS, media_files
from triptych.construction.record import Record
from triptych.errors import DataError

INSTRUMENTS = {
    "vn": "violin",
    "va": "viola",
    "vc": "cello",
    "db": "double bass",
    "fl": "flute",
    "ob": "oboe",
    "cl": "clarinet",
    "sax": "saxophone",
    "bn": "bassoon",
    "tpt": "trumpet",
    "hn": "horn",
    "tbn": "trombone",
    "tba": "tuba",
}
_PIECE = re.compile(r"\d{2}_[A-Za-z0-9]+(?:_[a-z]{2,3})+")
_PART = re.compile(r"AuSep_(\d+)_([a-z]{2,3})_\d{2}_.+")


def records(folder: Path) -> Iterator[Record]:
    """Yield the pieces, by number."""
    root = folder / "Dataset" if (folder / "Dataset").is_dir() else folder
    pieces = sorted(path for path in root.glob("*/") if _PIECE.fullmatch(path.name) and not path.is_symlink())
    if not pieces:
        raise DataError("no pieces of URMP", where=root, expected="folders such as 01_Jupiter_vn_vc")
    for piece in pieces:
        yield _record(piece, piece.relative_to(folder).as_posix())


def _record(piece: Path, folder: str) -> Record:
    _, title, *codes = piece.name.split("_")
    if unknown := [code for code in codes if code not in INSTRUMENTS]:
        raise DataError("an unknown instrument", where=piece, got=unknown[0], expected=", ".join(INSTRUMENTS))
    sounds, videos = media_files(piece, SOUNDS), media_files(piece, VIDEOS)
    parts = {int(part[1]): (part[2], sounds[stem]) for stem in sounds if (part := _PART.fullmatch(stem))}
    names = [parts[n][0] if n in parts else None for n in range(1, len(codes) + 1)]
    if parts and names != codes:
        raise DataError("the parts of a piece don't fit its name", where=piece, expected=codes, got=names)
    fields: dict[str, Any] = {
        "dataset": "urmp",
        "licence": "LicenseRef-URMP",
        "title": title,
        "label": combination(codes),
        "instruments": [INSTRUMENTS[code] for code in codes],
        "audio_file": _placed(folder, sounds.get(f"AuMix_{piece.name}")),
        "video_file": _placed(folder, videos.get(f"Vid_{piece.name}")),
        "parts": [
            {"instrument": INSTRUMENTS[code], "audio_file": _placed(folder, name)}
            for _, (code, name) in sorted(parts.items())
        ],
    }
    return Record(piece.name, fields, (f"urmp:{piece.name}",))


def combination(codes: Sequence[str]) -> str:
    """Return the instruments in words, those that several play with their number.

    Example:
        >>> combination(["vn", "vn", "va", "vc"])
        '2 violins, viola and cello'
    """
    counts = Counter(INSTRUMENTS[code] for code in codes)
    words = [name if n == 1 else f"{n} {name}s" for name, n in counts.items()]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _placed(folder: str, name: str | None) -> str | None:
    return f"{folder}/{name}" if name else None
