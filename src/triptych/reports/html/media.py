"""Media of the examples, reduced and embedded in the page; files over the budget are left to the viewer."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass, field

from triptych.errors import MediaError
from triptych.media.opening import opened_picture, opened_sound, read_samples
from triptych.media.payload import DataFolder, Payload
from triptych.media.pictures.upright import upright
from triptych.records import Part

SECONDS, RATE = 12, 16_000  # of sound that is put in, mono
PIXELS, QUALITY = 320, 72
BUDGET = 700_000  # bytes of media in a report, all chapters together
MAX_FILE_BYTES = 64 * 1024 * 1024  # a file over this size isn't even opened


@dataclass(frozen=True)
class Embedded:
    """A Part as the page shows it: text, or media with a data address; `note` says what is missing and why."""

    kind: str
    text: str = ""
    address: str = ""
    note: str = ""
    name: str = ""


@dataclass
class Embedder:
    """Embed media until the budget is used up; each file is embedded once."""

    left: int = BUDGET
    addresses: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def embed(self, part: Part, root: DataFolder | None) -> Embedded:
        """Return the Part, reduced. It has no address if the file is missing, unreadable, too large or not verified to
        be the Run's (see DataFolder), or if the budget is used up."""
        if not part.is_media:
            return Embedded("text", part.text)
        # A Condition makes another picture of the same file; `content_name` distinguishes them.
        key = (f"{root} {part.sha256}", part.kind, part.content_name)
        if key not in self.addresses:
            self.addresses[key] = self._address(part, root)
        address, note = self.addresses[key]
        return Embedded(part.kind, address=address, note=note, name=part.path)

    def _address(self, part: Part, root: DataFolder | None) -> tuple[str, str]:
        if root is None or not root.path.is_dir():
            return "", "the data folder was not found"
        if part.kind == "video":
            return "", "videos are shown only in the viewer"
        try:
            reader = root.reader()
            if reader.resolve(part).stat().st_size > MAX_FILE_BYTES:
                return "", "too large for this file; see the viewer"
            data, mime, note = (_sound if part.kind == "audio" else _picture)(reader.load(part))
        except (MediaError, OSError) as error:
            return "", getattr(error, "problem", "can't be read")
        if len(data) * 4 / 3 > self.left:
            return "", "left out to limit the size of this file; see the viewer"
        self.left -= len(data) * 4 // 3
        return f"data:{mime};base64,{base64.b64encode(data).decode()}", note


def _sound(payload: Payload) -> tuple[bytes, str, str]:
    """Return MP3, mono, at most SECONDS long. Raises MediaError if the file can't be decoded."""
    import numpy as np
    import soundfile
    import soxr

    with opened_sound(payload.data, payload.path) as file:
        rate, frames = file.samplerate, file.frames
        samples = read_samples(file, payload.path, first=SECONDS * rate).mean(axis=1)
        if not len(samples):
            raise MediaError("the recording contains no audio", where=payload.path)
        out = io.BytesIO()
        small = np.clip(soxr.resample(samples, rate, RATE), -1, 1)
        soundfile.write(out, small, RATE, format="MP3", subtype="MPEG_LAYER_III", compression_level=0.7)
    note = f"first {SECONDS} of {frames / rate:.0f} seconds" if frames > SECONDS * rate else ""
    return out.getvalue(), "audio/mpeg", note


def _picture(payload: Payload) -> tuple[bytes, str, str]:
    """Return JPEG, at most PIXELS wide and high. Raises MediaError if the file can't be decoded."""
    with opened_picture(payload.data, payload.path) as image:
        size = image.size
        small = upright(image).convert("RGB")
        small.thumbnail((PIXELS, PIXELS))
        out = io.BytesIO()
        small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue(), "image/jpeg", "reduced" if max(size) > PIXELS else ""
