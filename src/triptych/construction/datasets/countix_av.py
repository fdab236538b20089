"""Countix-AV: repeated actions of Kinetics with the number of repetitions, seen and heard.

    CountixAV_train.csv, CountixAV_val.csv, CountixAV_test.csv    video_id, kinetics_start, kinetics_end,
                                                                  repetition_start, repetition_end, count
    ID.mp4 or ID_SSSSSS_EEEEEE.mp4                                the whole video, or the clip of Kinetics, anywhere

`begin` and `end` are the span of the repetitions in the file. In a clip of Kinetics, they count from its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import SOUNDS, VIDEOS, media_files, number, rows
from triptych.construction.record import Record
from triptych.errors import DataError

SPLITS = ("train", "val", "test")


def records(folder: Path) -> Iterator[Record]:
    """Yield the annotated spans of the splits whose lists are there."""
    lists = [(split, folder / f"CountixAV_{split}.csv") for split in SPLITS]
    if not any(path.is_file() for _, path in lists):
        raise DataError("no list of Countix-AV", where=folder, expected="CountixAV_train.csv, …_val.csv, …_test.csv")
    videos, sounds = media_files(folder, VIDEOS), media_files(folder, SOUNDS)
    for split, path in lists:
        for index, (where, cells) in enumerate(rows(path, 6) if path.is_file() else ()):
            video, times = cells[0], [number(cell, where, minimum=0) for cell in cells[1:5]]
            count = number(cells[5], where, minimum=0)
            if not video or count != int(count) or not times[2] < times[3]:
                raise DataError(
                    "a row has no id, no whole count, or no span",
                    where=where,
                    got=", ".join(cells),
                    expected="repetition_start < repetition_end",
                )
            clip = f"{video}_{int(times[0]):06}_{int(times[1]):06}"
            from_clip = clip in videos or clip in sounds
            offset, name = (times[0], clip) if from_clip else (0.0, video)
            fields = {
                "dataset": "countix_av",
                "split": split,
                "licence": "LicenseRef-YouTube",
                "count": int(count),
                "video_file": videos.get(name),
                "audio_file": sounds.get(name),
                "begin": round(max(0.0, times[2] - offset), 3),
                "end": round(times[3] - offset, 3),
                "url": f"https://www.youtube.com/watch?v={video}",
            }
            yield Record(f"{split}-{index:05}-{video}", fields, (f"youtube:{video}",))
