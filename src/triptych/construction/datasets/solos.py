"""Solos: auditions of 13 instruments from YouTube, one player each.

    solos_timestamps.json          {"Violin": {"YouTube id": [[first frame, last frame], …], …}, …}, 25 frames a second
    solos_ids.json                 {"Violin": ["YouTube id", …], …}; used if there are no timestamps
    Violin/ID.mp4                  videos (or sound files), in a folder for each instrument

There is a Record for each span in which the player is visible and plays; without timestamps, for each video.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import SOUNDS, VIDEOS, json_of, listing, media_files
from triptych.construction.record import Record
from triptych.errors import DataError

PER_SECOND = 25.0
Spans = dict[str, dict[str, list[tuple[int, int]]]]


def records(folder: Path) -> Iterator[Record]:
    """Yield the spans of all instruments."""
    path = listing(folder, "solos_timestamps.json", "solos_ids.json")
    if path.name == "solos_timestamps.json":
        spans: dict[str, dict[str, Any]] = json_of(path, Spans)
    else:
        ids = json_of(path, dict[str, list[str]])
        spans = {instrument: {video: [None] for video in names} for instrument, names in ids.items()}
    for instrument, videos in sorted(spans.items()):
        files = media_files(folder / instrument, VIDEOS) if (folder / instrument).is_dir() else {}
        sounds = media_files(folder / instrument, SOUNDS) if (folder / instrument).is_dir() else {}
        label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", instrument).lower()
        for video, stretches in sorted(videos.items()):
            for index, span in enumerate(stretches):
                fields = {
                    "dataset": "solos",
                    "label": label,
                    "licence": "LicenseRef-YouTube",
                    "video_file": f"{instrument}/{files[video]}" if video in files else None,
                    "audio_file": f"{instrument}/{sounds[video]}" if video in sounds else None,
                    "url": f"https://www.youtube.com/watch?v={video}",
                    **_seconds(span, path, video),
                }
                yield Record(f"{instrument}/{video}/{index:02}", fields, (f"youtube:{video}",))


def _seconds(span: tuple[int, int] | None, path: Path, video: str) -> dict[str, float]:
    if span is None:
        return {}
    if not 0 <= span[0] < span[1]:
        raise DataError("a span ends before it begins", where=f"{path}, {video}", got=span)
    return {"begin": span[0] / PER_SECOND, "end": span[1] / PER_SECOND}
