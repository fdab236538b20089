"""Extreme Countix-AV: repeated actions under conditions in which they are hard to see.

    ExtremeLabels.csv           youtube_id, frames of the repetitions (first, last), frames of the crop (first, last),
                                repetitions, action class; rows of six cells (clips of VGG-Sound) have no class
    Videos/CONDITION/ID.mp4
    Audio/CONDITION/ID.wav

A video under several conditions is a Record for each. Frames are turned into seconds by the frame rate of the video,
which is read from it; `begin` and `end` count from the beginning of the file, which is that of the crop.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import SOUNDS, VIDEOS, listing, media_files, number, rows
from triptych.construction.record import Record
from triptych.errors import DataError, MediaError


def records(folder: Path) -> Iterator[Record]:
    """Yield the labelled videos of every condition."""
    labels = _labels(listing(folder, "ExtremeLabels.csv"))
    conditions = sorted(path.name for path in (folder / "Videos").glob("*/") if not path.is_symlink())
    if not conditions:
        raise DataError("no videos of Extreme Countix-AV", where=folder, expected="Videos/CONDITION/ID.mp4")
    for condition in conditions:
        videos = media_files(folder / "Videos" / condition, VIDEOS)
        sounds = media_files(folder / "Audio" / condition, SOUNDS)
        for video in sorted(videos.keys() & labels.keys()):
            name = f"Videos/{condition}/{videos[video]}"
            fields = {
                "dataset": "extreme_countix_av",
                "condition": condition,
                "licence": "LicenseRef-YouTube",
                "video_file": name,
                "audio_file": f"Audio/{condition}/{sounds[video]}" if video in sounds else None,
                **_span(labels[video], folder / name),
            }
            yield Record(f"{condition}/{video}".replace(" ", "_"), fields, (f"youtube:{video}",))


def _labels(path: Path) -> dict[str, dict[str, Any]]:
    labels = {}
    for where, cells in rows(path, (6, 7)):
        if len(cells) == 7 and cells[6]:
            first, last, crop, _ = (number(cell, where, minimum=0) for cell in cells[1:5])
            count = number(cells[5], where, minimum=0)
            if not crop <= first < last:
                raise DataError("the repetitions aren't inside the crop", where=where, got=", ".join(cells))
            labels[cells[0]] = {"first": first - crop, "last": last - crop, "count": round(count), "label": cells[6]}
    return labels


def _span(label: dict[str, Any], path: Path) -> dict[str, Any]:
    """The label with seconds in place of frames; without them if the video can't be read."""
    from triptych.media.lengths import probed

    try:
        rate = probed(path).get("per_second")
    except MediaError:
        rate = None
    span = {"begin": round(label["first"] / rate, 3), "end": round(label["last"] / rate, 3)} if rate else {}
    return {"label": label["label"], "count": label["count"], **span}
