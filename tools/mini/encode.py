"""Writes the media of the mini sets: Opus in Ogg, JPEG, H.264 in MP4. The same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tools.mini.sounds import RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

    from tools.mini.sounds import Wave

VIDEO_FPS = 8


def write_opus(path: Path, wave: Wave, bits: int = 16_000) -> None:
    """Mono (samples,) or stereo (samples, 2) at 24 kHz to Opus at about `bits` a second and channel."""
    from triptych.media.sound.coding import encode_opus

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_opus(wave.reshape(len(wave), -1), RATE, bits))


def write_jpeg(path: Path, image: Image, quality: int = 60) -> None:
    """A picture as JPEG without metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image.convert("RGB").save(path, "JPEG", quality=quality, optimize=True)


def write_mp4(path: Path, frames: Sequence[Image], fps: int = VIDEO_FPS) -> None:
    """Pictures of one size (even width and height), `fps` a second, as H.264 without sound."""
    import av

    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format="mp4", options={"fflags": "+bitexact", "movflags": "+faststart"}) as box:
        options = {"crf": "26", "preset": "slow", "threads": "1", "flags": "+bitexact"}
        stream = box.add_stream("libx264", rate=fps, options=options)
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuv420p"
        for picture in frames:
            for packet in stream.encode(av.VideoFrame.from_ndarray(_yuv(picture), format="yuv420p")):
                box.mux(packet)
        for packet in stream.encode(None):
            box.mux(packet)


def _yuv(picture: Image) -> NDArray[np.uint8]:
    """The planes of 4:2:0 video one below the other, in video range.

    Worked out here because FFmpeg's conversion rounds by how memory happens to lie: not the same bytes each time.
    """
    import numpy as np

    planes = np.asarray(picture.convert("YCbCr"), np.float64)
    height, width, _ = planes.shape
    luma = 16 + planes[..., 0] * 219 / 255
    chroma = 128 + (planes[..., 1:] - 128) * 224 / 255
    small = chroma.reshape(height // 2, 2, width // 2, 2, 2).mean(axis=(1, 3))
    below = np.concatenate([small[..., 0].ravel(), small[..., 1].ravel()]).reshape(height // 2, width)
    return np.asarray(np.rint(np.concatenate([luma, below])), np.uint8)
