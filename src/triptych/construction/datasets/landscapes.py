"""Landscapes: natural scenes with their sound (Lee et al., 2022), one class each.

    CLASS/NAME.mp4                 a folder for each class, such as fire_crackling; also below train and test
    train/CLASS_NUMBERS.mp4        or files that begin with their class, such as fire_crackling_141_2_1.mp4

Underscores of the class become spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from triptych.construction.datasets._files import SOUNDS, VIDEOS, media_paths
from triptych.construction.record import Record
from triptych.errors import DataError

SPLITS = ("train", "val", "test")
_BY_NAME = re.compile(r"([A-Za-z]+(?:_[A-Za-z]+)*)_\d[\d_]*")


def records(folder: Path) -> Iterator[Record]:
    """Yield the clips, by split, class and name."""
    videos = media_paths(folder, VIDEOS)
    if not videos:
        raise DataError("no videos of Landscapes", where=folder, expected="CLASS/NAME.mp4, or train/CLASS_NUMBERS.mp4")
    sounds = {name.rpartition(".")[0]: name for name in media_paths(folder, SOUNDS)}
    for name in videos:
        path = name.rpartition(".")[0]
        *folders, stem = path.split("/")
        split = folders.pop(0) if folders and folders[0] in SPLITS else ""
        fields = {
            "dataset": "landscapes",
            "label": _label(folders, stem, folder / name),
            "split": split,
            "licence": "LicenseRef-Landscapes",
            "video_file": name,
            "audio_file": sounds.get(path),
        }
        yield Record(path.replace(" ", "_"), fields, (f"landscapes:{stem}",))


def _label(folders: list[str], stem: str, where: Path) -> str:
    if folders:
        return folders[0].replace("_", " ")
    if name_match := _BY_NAME.fullmatch(stem):
        return name_match[1].replace("_", " ")
    raise DataError("a video has no class", where=where, expected="a folder CLASS, or the name CLASS_NUMBERS")
