"""Writes the files of the raw material: recordings, pictures, videos, and tables of rows."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.mini import encode, sounds
from triptych.models.speech import Speaker

if TYPE_CHECKING:
    from PIL.Image import Image

    from tools.mini.sounds import Wave

CONTENT = Path(__file__).with_name("content.toml")
Row = dict[str, Any]


@dataclass
class Material:
    """Writes media below a folder; `name` of a file may not tell what it shows, since the build hashes it anyway."""

    root: Path
    parts: list[Row] = field(default_factory=list)
    speaker: Speaker = field(default_factory=lambda: Speaker("espeak-ng"))

    def __post_init__(self) -> None:
        self.content: dict[str, Any] = tomllib.loads(CONTENT.read_text(encoding="utf-8"))

    def sound(self, name: str, wave: Wave) -> str:
        """Write a recording; its path below the folder."""
        from triptych.media.sound.coding import encode_wav

        path = self.root / f"media/{name}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(encode_wav(wave.reshape(len(wave), -1), sounds.RATE))
        return f"media/{name}.wav"

    def speech(self, name: str, lines: Sequence[str], voice: str) -> str:
        """Write spoken lines, one after another."""
        import numpy as np

        from triptych.media.sound.coding import decode_sound

        spoken = [decode_sound(self.speaker.speak(line, voice)).mono(sounds.RATE) for line in lines]
        pause = sounds.silence(0.4)
        return self.sound(name, np.concatenate([part for wave in spoken for part in (wave, pause)]))

    def picture(self, name: str, image: Image) -> str:
        """Write a picture."""
        encode.write_jpeg(self.root / f"media/{name}.jpg", image, 85)
        return f"media/{name}.jpg"

    def video(self, name: str, frames: list[Image]) -> str:
        """Write a video of 8 pictures a second."""
        encode.write_mp4(self.root / f"media/{name}.mp4", frames)
        return f"media/{name}.mp4"


def moved(wave: Wave, pitch: float) -> Wave:
    """The sound at another pitch and pace."""
    import numpy as np
    import soxr

    return np.asarray(soxr.resample(wave, sounds.RATE * pitch, sounds.RATE), np.float32)


def write_table(path: Path, rows: Sequence[Row]) -> None:
    """Write rows as CSV, with every column that one of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)
