"""VGG-Sound and VGG-Sound Source: clips of 10 s with one class each, some with boxes around the source of the sound.

    vggsound.csv     YouTube id, second at which the clip begins, class, split; no heading
    vggss.json       optional (VGG-SS): [{"file": "ID_SSSSSS", "class": …, "bbox": [[x0, y0, x1, y1], …]}], in 0 to 1
    ID_SSSSSS.mp4    clips, in any folder, with the second in six digits; sound also as .wav

With vggss.json, only its clips are read, and `boxes` has their boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.datasets._files import SOUNDS, VIDEOS, json_of, listing, media_files, number, rows
from triptych.construction.record import Record
from triptych.errors import DataError

CLIP_S = 10.0


class _Boxes(msgspec.Struct):
    file: str
    bbox: list[tuple[float, float, float, float]]
    class_: str = msgspec.field(name="class", default="")


def records(folder: Path) -> Iterator[Record]:
    """Yield the clips of the list, or those of vggss.json."""
    videos, sounds = media_files(folder, VIDEOS), media_files(folder, SOUNDS)
    boxes = _boxes(folder)
    seen = set()
    for where, (video, start, label, split) in rows(listing(folder, "vggsound.csv"), 4, heading=False):
        begin = number(start, where, minimum=0)
        clip = f"{video}_{int(begin):06}"
        if boxes is not None and clip not in boxes:
            continue
        if not video or not label or clip in seen:
            raise DataError("a clip has no id or class, or is listed twice", where=where, got=clip)
        seen.add(clip)
        fields: dict[str, Any] = {
            "dataset": "vggsound",
            "label": label,
            "split": split,
            "licence": "LicenseRef-YouTube",
            "video_file": videos.get(clip),
            "audio_file": sounds.get(clip),
            "begin": 0.0,
            "end": CLIP_S,
            "source_begin": begin,
            "url": f"https://www.youtube.com/watch?v={video}",
        }
        if boxes is not None:
            fields["boxes"] = boxes[clip]
        yield Record(clip, fields, (f"youtube:{video}",))


def _boxes(folder: Path) -> dict[str, list[list[float]]] | None:
    path = folder / "vggss.json"
    if not path.is_file():
        return None
    return {each.file: [list(box) for box in each.bbox] for each in json_of(path, list[_Boxes])}
