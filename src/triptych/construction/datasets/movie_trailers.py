"""Films: posters, excerpts of trailers and plots, as the scripts of XModBench collect them from TMDB and YouTube.

    movie_academic_dataset.csv              id, title, original_title, overview, genres, … (a heading names the columns)
    posters/ID.jpg                          the poster
    dialogue_clips/movie_ID_trailer_0.wav   30 s of the trailer with speech; or
    trailer_clips/movie_ID_trailer_0.wav    5 s of it; or
    trailer_videos/movie_ID_trailer_0.mp4   the whole trailer

`text` is the plot (`overview`), `label`
the title and `genre` the first genre. Films without a plot are left out, as their scripts do. Posters, trailers and
plots are protected: `licence` is LicenseRef-TMDB, which nothing here decides.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import SOUNDS, VIDEOS, listing, media_files
from triptych.construction.record import Record
from triptych.construction.tables import read_table
from triptych.errors import DataError

LIST = "movie_academic_dataset.csv"
PICTURES = (".jpg", ".jpeg", ".png", ".bmp")


def records(folder: Path) -> Iterator[Record]:
    """Yield the films of the list that have a plot. Raises DataError for one listed twice or without a title."""
    path = listing(folder, LIST)
    posters = _media(folder, "posters", PICTURES)
    sounds = [_media(folder, name, SOUNDS) for name in ("dialogue_clips", "trailer_clips")]
    trailers = _media(folder, "trailer_videos", VIDEOS)
    seen: set[str] = set()
    for number, row in enumerate(read_table(path, ["id", "title"], ["overview"]), 1):
        id, title, plot = (str(row.get(name) or "").strip() for name in ("id", "title", "overview"))
        where = f"{path}, row {number}"
        if not id or not title or id in seen:
            raise DataError("a film has no id or title, or is listed twice", where=where, got=f"{id}, {title}")
        seen.add(id)
        if not plot:
            continue
        excerpt = f"movie_{id}_trailer_0"
        sound = next((song[excerpt] for song in sounds if excerpt in song), None)
        fields = {
            "dataset": "movie_trailers",
            "label": title,
            "text": plot,
            "genre": next(iter(genres(row.get("genres"))), ""),
            "image_file": posters.get(id),
            "audio_file": sound,
            "video_file": trailers.get(excerpt) if sound is None else None,
            "licence": "LicenseRef-TMDB",
        }
        yield Record(id, fields, (f"tmdb:{id}",))


def genres(cell: object) -> list[str]:
    """Return the genres of a cell: a list as Python or JSON writes it, or names with commas between them.

    Example:
        >>> genres("['Drama', 'War']"), genres("Drama, War"), genres(None)
        (['Drama', 'War'], ['Drama', 'War'], [])
    """
    written = str(cell or "").strip()
    try:
        written_genres = ast.literal_eval(written)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        written_genres = None
    names = written_genres if isinstance(written_genres, list) else written.split(",")
    return [name.strip() for name in map(str, names) if name.strip()]


def _media(folder: Path, name: str, kinds: tuple[str, ...]) -> dict[str, str]:
    return {stem: f"{name}/{path}" for stem, path in media_files(folder / name, kinds).items()}
