"""Describing an image without understanding it, by its main colours."""

from __future__ import annotations

from collections import Counter
from typing import Any

# Hue in degrees up to which a saturated colour has this name.
HUES = (
    (15, "red"),
    (45, "orange"),
    (70, "yellow"),
    (165, "green"),
    (200, "cyan"),
    (260, "blue"),
    (290, "purple"),
    (335, "pink"),
    (360, "red"),
)
MIN_COLOUR_SHARE = 0.03  # a colour that covers less of the image is not reported


def colours(pixels: Any) -> list[tuple[str, float]]:
    """Names and shares (0 to 1) of the colours that cover at least 3% of the picture, the largest first."""
    import numpy as np
    from PIL import Image

    small = np.asarray(Image.fromarray(pixels).resize((48, 48)).convert("HSV")).reshape(-1, 3).tolist()
    counts = Counter(_name(h * 360 / 255, s / 255, v / 255) for h, s, v in small)
    return [(name, n / (48 * 48)) for name, n in counts.most_common() if n >= MIN_COLOUR_SHARE * 48 * 48]


def _name(hue: float, saturation: float, value: float) -> str:
    if value < 0.2:
        return "black"
    if saturation < 0.18:
        return "white" if value > 0.85 else "grey"
    name = next(name for max_hue, name in HUES if hue <= max_hue)
    return "brown" if name == "orange" and value < 0.65 else name
