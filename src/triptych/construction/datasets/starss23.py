"""STARSS23: rooms recorded as panoramas and by a microphone array, with the direction and distance of every event.

    metadata_dev/dev-SPLIT-SITE/NAME.csv    frame (100 ms), class, source, azimuth, elevation, distance (cm); no heading
    foa_dev/dev-SPLIT-SITE/NAME.wav         first-order ambisonics (ACN, SN3D: W, Y, Z, X), 24 kHz
    mic_dev/dev-SPLIT-SITE/NAME.wav         four microphones of a tetrahedron (media/spatial/microphones.py)
    video_dev/dev-SPLIT-SITE/NAME.mp4       equirectangular panorama; azimuth 0 in the middle, 90 to its left

The directions are Triptych's: azimuth positive to the left, elevation positive upwards. `events` lists {label, source,
begin, end, azimuth, elevation, distance}: seconds, and one direction for each frame, with the distance in metres (None
in files without distances).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import SOUNDS, VIDEOS, media_files, number, rows
from triptych.construction.record import Record
from triptych.errors import DataError

CLASSES = (
    "female speech, woman speaking",
    "male speech, man speaking",
    "clapping",
    "telephone",
    "laughter",
    "domestic sounds",
    "walk, footsteps",
    "door, open or close",
    "music",
    "musical instrument",
    "water tap, faucet",
    "bell",
    "knock",
)
FRAME_S = 0.1
_FOLDERS = {"foa_file": ("foa_dev", SOUNDS), "mic_file": ("mic_dev", SOUNDS), "video_file": ("video_dev", VIDEOS)}


def records(folder: Path) -> Iterator[Record]:
    """Yield the recordings that have metadata."""
    lists = sorted((folder / "metadata_dev").glob("*/*.csv"))
    if not lists:
        raise DataError("no metadata of STARSS23", where=folder, expected="metadata_dev/dev-SPLIT-SITE/NAME.csv")
    media = {field: _by_place(folder, part_folder, kinds) for field, (part_folder, kinds) in _FOLDERS.items()}
    for path in lists:
        recording = f"{path.parent.name}/{path.stem}"
        fields: dict[str, Any] = {field: media_path.get(recording) for field, media_path in media.items()}
        fields |= {"dataset": "starss23", "split": path.parent.name, "licence": "MIT", "events": events(path)}
        yield Record(recording, fields, (f"starss23:{path.stem}",))


def events(path: Path) -> list[dict[str, Any]]:
    """Return the events of a metadata file, by their beginning: one for each run of frames of a class and source.

    Raises DataError for a malformed row, an unknown class, and directions out of range.
    """
    running: dict[tuple[int, int], dict[str, Any]] = {}
    events_: list[dict[str, Any]] = []
    for where, cells in rows(path, (5, 6), heading=False):
        frame, kind, source = (int(number(cell, where, minimum=0)) for cell in cells[:3])
        azimuth, elevation = (number(cell, where, minimum=-180) for cell in cells[3:5])
        if kind >= len(CLASSES) or azimuth > 180 or not -90 <= elevation <= 90:
            raise DataError(
                "an event has an unknown class or direction",
                where=where,
                got=", ".join(cells),
                expected=f"a class below {len(CLASSES)}, -180 to 180 and -90 to 90 degrees",
            )
        distance = number(cells[5], where, minimum=0) / 100 if len(cells) == 6 else None
        event = running.get((kind, source))
        if event is None or frame != event["end"]:
            event = {"label": CLASSES[kind], "source": source, "begin": frame, "end": frame}
            event |= {name: [] for name in ("azimuth", "elevation", "distance")}
            running[kind, source] = event
            events_.append(event)
        event["end"] = frame + 1
        for name, value in (("azimuth", azimuth), ("elevation", elevation), ("distance", distance)):
            event[name].append(value)
    for event in events_:
        event["begin"], event["end"] = round(event["begin"] * FRAME_S, 1), round(event["end"] * FRAME_S, 1)
    return sorted(events_, key=lambda event: (event["begin"], event["label"], event["source"]))


def _by_place(folder: Path, entry: str, kinds: tuple[str, ...]) -> dict[str, str]:
    """Media by `dev-SPLIT-SITE/NAME`."""
    entries_by_place = {}
    for part in sorted((folder / entry).glob("*/")):
        for stem, name in media_files(part, kinds).items():
            entries_by_place[f"{part.name}/{stem}"] = f"{entry}/{part.name}/{name}"
    return entries_by_place
