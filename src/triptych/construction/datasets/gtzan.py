"""GTZAN: 30 seconds of music in ten genres.

    genres_original/blues/blues.00000.wav      (or genres/blues/blues.00000.au) sounds, in a folder for each genre
    …                                          the folder genres_original may also be below Data/

Some files of the released set are damaged (jazz.00054); they are dropped when they are decoded. Nothing states who owns
the recordings: `licence` is LicenseRef-GTZAN, which nothing here decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import SOUNDS, media_paths
from triptych.construction.record import Record
from triptych.errors import DataError

GENRES = ("blues", "classical", "country", "disco", "hiphop", "jazz", "metal", "pop", "reggae", "rock")
_ROOTS = ("genres_original", "Data/genres_original", "genres")
_NAME = re.compile(r"([a-z]+)/\1\.(\d{5})\.(?:wav|au)")


def records(folder: Path) -> Iterator[Record]:
    """Yield the recordings, by genre and number. Raises DataError for a file that isn't called `GENRE.NUMBER.wav`."""
    root = next((name for name in _ROOTS if (folder / name).is_dir()), None)
    if root is None:
        raise DataError("no recordings of GTZAN", where=folder, expected=" or ".join(_ROOTS))
    for name in media_paths(folder / root, (*SOUNDS, ".au")):
        name_match = _NAME.fullmatch(name)
        if name_match is None or name_match[1] not in GENRES:
            raise DataError(
                "a recording is not in a genre's folder",
                where=folder / root / name,
                expected="GENRE/GENRE.00000.wav with one of " + ", ".join(GENRES),
            )
        fields = {
            "dataset": "gtzan",
            "label": name_match[1],
            "licence": "LicenseRef-GTZAN",
            "audio_file": f"{root}/{name}",
        }
        yield Record(f"{name_match[1]}.{name_match[2]}", fields, (f"gtzan:{name_match[1]}.{name_match[2]}",))
