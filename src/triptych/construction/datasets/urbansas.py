"""Urbansas: street views in stereo, with the spans of vehicle sounds and boxes around vehicles.

    annotations/audio_annotations.csv    (number), filename, class_id, label, non_identifiable_vehicle_sound, start, end
    annotations/video_annotations.csv    (number), frame_id, track_id, x, y, w, h, class_id, visibility, label,
                                         filename, city, location_id, time, night
    audio/NAME.wav                       10 s in stereo
    video_2fps/NAME.mp4                  (or video/video_2fps, video_24fps)

Both lists may also be in the folder itself. `events` lists {label, begin, end}; `offscreen` says whether an event comes
from outside the picture. `tracks` lists {track, label, boxes}, each box [seconds, x, y, width, height, visibility] in
pixels, where visibility 1 is a vehicle in full view. A row without a span or track describes the clip as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import SOUNDS, VIDEOS, listing, media_files, number, rows
from triptych.construction.record import Record


def records(folder: Path) -> Iterator[Record]:
    """Yield the clips of both lists, by name."""
    clips = _sounds(listing(folder, "annotations/audio_annotations.csv", "audio_annotations.csv"))
    _vehicles(listing(folder, "annotations/video_annotations.csv", "video_annotations.csv"), clips)
    audio, video = media_files(folder, SOUNDS), media_files(folder, VIDEOS)
    for name, clip in sorted(clips.items()):
        tracks = [track for _, track in sorted(clip.pop("tracks").items())]
        for track in tracks:
            track["boxes"].sort()
        fields = {
            "dataset": "urbansas",
            "licence": "LicenseRef-Urbansas",
            "audio_file": audio.get(name),
            "video_file": video.get(name),
            "begin": 0.0,
            "end": 10.0,
            "tracks": tracks,
            **clip,
        }
        fields["events"].sort(key=lambda event: (event["begin"], event["label"]))
        fields["offscreen"] = any(event["label"] == "offscreen" for event in fields["events"])
        yield Record(name, fields, (f"urbansas:{clip.get('location') or name}",))


def _clip(clips: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    return clips.setdefault(name, {"events": [], "tracks": {}, "unidentified_vehicle": False})


def _sounds(path: Path) -> dict[str, dict[str, Any]]:
    clips: dict[str, dict[str, Any]] = {}
    for where, (_, name, _, label, unidentified, start, end) in rows(path, 7):
        clip = _clip(clips, name)
        clip["unidentified_vehicle"] |= number(unidentified, where) == 1
        begin, last = number(start, where, minimum=-1), number(end, where, minimum=-1)
        if label != "-1" and 0 <= begin < last:
            clip["events"].append({"label": label, "begin": begin, "end": last})
    return clips


def _vehicles(path: Path, clips: dict[str, dict[str, Any]]) -> None:
    for where, cells in rows(path, 15):
        _, _, track, x, y, w, h, _, visibility, label, name, city, location, time, night = cells
        clip = _clip(clips, name)
        clip |= {"city": city, "location": location, "night": number(night, where) == 1}
        seconds = number(time, where, minimum=-1)
        if seconds < 0 or label == "-1":
            continue
        box = [seconds, *(number(cell, where) for cell in (x, y, w, h)), number(visibility, where)]
        vehicle = int(number(track, where))
        clip["tracks"].setdefault(vehicle, {"track": vehicle, "label": label, "boxes": []})["boxes"].append(box)
