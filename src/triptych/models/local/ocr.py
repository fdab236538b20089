"""Text in a picture: rapidocr (PP-OCR, Chinese and English, bundled models), in reading order."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triptych.media.pictures.changes import decode_picture
from triptych.records.packages import need

# The detector enlarges small pictures to 736 pixels by default, which costs ten times as much here and reads the
# same; here it shrinks large ones instead.
SIDE = 960


@dataclass(frozen=True, slots=True)
class TextLine:
    """A run of text and the upright box around it, in pixels."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def is_column(self) -> bool:
        """Written from top to bottom: taller than wide, although it holds several characters."""
        return len(self.text) > 1 and self.bottom - self.top > 1.5 * (self.right - self.left)


class Ocr:
    """One recogniser, loaded at first use; safe to call from several threads (one reads at a time)."""

    def __init__(self, threads: int = 1) -> None:
        self._threads = threads
        self._engine: Any = None
        self._lock = threading.Lock()

    def read(self, data: bytes) -> str:
        """Return the text in an encoded image, one line per row (or column); empty if there is none. Raises
        MediaError.
        """
        return self.read_pixels(decode(data))

    def read_pixels(self, pixels: Any) -> str:
        """The text in an array of RGB pixels (height, width, 3)."""
        with self._lock:
            detections = self._load()(pixels[:, :, ::-1].copy())  # it expects blue first
        if detections.boxes is None or detections.txts is None:
            return ""
        return "\n".join(
            in_reading_order([upright(t, box) for t, box in zip(detections.txts, detections.boxes, strict=True)])
        )

    def _load(self) -> Any:
        if self._engine is None:
            self._engine = need("rapidocr", "reading pictures").RapidOCR(
                params={
                    "Global.log_level": "critical",
                    "Det.limit_type": "max",
                    "Det.limit_side_len": SIDE,
                    "EngineConfig.onnxruntime.intra_op_num_threads": self._threads,
                    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                }
            )
        return self._engine


def decode(data: bytes) -> Any:
    """An encoded picture as RGB pixels (height, width, 3), upright, transparent parts on white. Raises MediaError."""
    import numpy as np

    return np.asarray(decode_picture(data)[0])


def in_reading_order(lines: Sequence[TextLine]) -> list[str]:
    """Return rows from top to bottom; or columns from right to left, if most characters are in columns."""
    in_columns = sum(len(line.text) for line in lines if line.is_column)
    if 2 * in_columns > sum(len(line.text) for line in lines):
        return [" ".join(words) for words in _bands([(-line.right, -line.left, line.top, line.text) for line in lines])]
    return [" ".join(words) for words in _bands([(line.top, line.bottom, line.left, line.text) for line in lines])]


def _bands(marks: list[tuple[float, float, float, str]]) -> list[list[str]]:
    """Group (start, end, position, text) by overlapping centres; bands and their texts are in order."""
    bands: list[tuple[float, float, list[tuple[float, str]]]] = []
    for start, end, position, text in sorted(marks):
        middle = (start + end) / 2
        if bands and bands[-1][0] <= middle <= bands[-1][1]:
            bands[-1][2].append((position, text))
        else:
            bands.append((start, end, [(position, text)]))
    return [[text for _, text in sorted(members)] for _, _, members in bands]


def upright(text: str, corners: Any) -> TextLine:
    """A run of text in the upright box around its corners, points (x, y)."""
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    return TextLine(str(text), min(xs), min(ys), max(xs), max(ys))
