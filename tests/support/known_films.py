"""Films of known frames: each frame shows its own number, as black and white blocks, above a red corner.

The blocks survive every codec and moderate changes of size. The corner at the bottom left shows how a film is turned.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

WIDTH, HEIGHT = 64, 48
HERTZ = 440.0


def frame(number: int) -> Any:
    """The picture of a frame: RGB, shape (48, 64, 3)."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for bit in range(16):
        x, y = bit % 8 * 8, bit // 8 * 16
        pixels[y : y + 16, x : x + 8] = 255 if number >> bit & 1 else 0
    pixels[32:, :32] = (200, 30, 30)
    return pixels


def number_in(pixels: Any) -> int:
    """The number that a frame shows, at any size."""
    height, width = pixels.shape[:2]

    def white(bit: int) -> bool:
        x, y = bit % 8 * 8 + 4, bit // 8 * 16 + 8
        return bool(pixels[y * height // HEIGHT, x * width // WIDTH].mean() > 128)

    return sum(1 << bit for bit in range(16) if white(bit))


def known_film(
    frames: int = 60,
    rate: int = 10,
    *,
    times: Sequence[float] | None = None,
    sound: float = 0.0,
    late: float = 0.0,
    hertz: int = 16_000,
    turned: int = 0,
    container: str = "mp4",
    codec: str = "libx264",
) -> bytes:
    """A film of `frames` frames at `rate` a second, or at `times`; with `sound` seconds of a tone from `late` on.

    `turned`: degrees by which players turn it, anticlockwise.
    """
    import av

    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as box:
        pictures = box.add_stream(codec, rate=rate)
        pictures.width, pictures.height, pictures.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        pictures.codec_context.time_base = Fraction(1, 1000)
        if turned:
            pictures.set_display_rotation(turned)
        heard = box.add_stream("aac", rate=hertz, layout="mono") if sound else None
        for number in range(frames):
            shown = av.VideoFrame.from_ndarray(frame(number), format="rgb24")
            shown.pts = round(1000 * (times[number] if times else number / rate))
            shown.time_base = Fraction(1, 1000)
            box.mux(pictures.encode(shown))
        box.mux(pictures.encode(None))
        if heard is not None:
            _write_tone(box, heard, sound, late, hertz)
    return buffer.getvalue()


def _write_tone(box: Any, stream: Any, seconds: float, late: float, hertz: int) -> None:
    import av

    tone = (0.3 * np.sin(2 * np.pi * HERTZ * np.arange(int(seconds * hertz)) / hertz)).astype(np.float32)
    samples = av.AudioFrame.from_ndarray(tone[None], format="fltp", layout="mono")
    samples.sample_rate, samples.pts, samples.time_base = hertz, round(late * hertz), Fraction(1, hertz)
    box.mux(stream.encode(samples))
    box.mux(stream.encode(None))
