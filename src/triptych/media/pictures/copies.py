"""Copies of pictures that are cut: one picture is a part of another, at any size and quality."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

SIDE = 128  # pixels of the grey picture that is compared
_CELLS = 12  # cells of a window by which pairs are proposed
_PARTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # of the width and of the height that a part has
_GRID = 0.1  # of the width, between the windows that are tried
_PROPOSED = 0.65  # correlation of the detail of cells from which a window is looked at
_SAME = 0.97  # correlation of the brightness of a copy
_SAME_DETAIL = 0.8  # correlation of what is finer than an eighth of the picture: smooth pictures resemble one another
_BLUR = 8  # cells across a picture that are too coarse to be detail
_BLOCK = 8  # pictures whose windows are compared at once: with 4,000 others in 60 MB
_STEPS = (0.05, 0.025, 0.012, 0.006)  # of the width, by which the edges of a window are moved
_ROUNDS = 6
_PER_BLOCK = 4
_FINE = 32  # cells by which a copy is decided


def grey(image: Any) -> Any:
    """Return the brightness of a picture (of PIL) in `SIDE` x `SIDE` pixels, 0 to 255."""
    import numpy as np

    return np.asarray(image.convert("L").resize((SIDE, SIDE)))


def parts_of_others(pictures: Sequence[Any]) -> list[tuple[int, int]]:
    """Return the pairs of pictures (`grey`; None: not compared) of which one is a part of the other, mirrored or not.

    A part has half of the width and height at least. Pictures that are the same as a whole are not among them.
    """
    import numpy as np

    present = [number for number, picture in enumerate(pictures) if picture is not None]
    if len(present) < 2:
        return []
    wholes = _fine(np.stack([_shrunk(pictures[number], _CELLS) for number in present]))
    mirrored = _fine(np.stack([_shrunk(pictures[number][:, ::-1], _CELLS) for number in present]))
    copies = set[tuple[int, int]]()
    for begin in range(0, len(present), _BLOCK):
        block = present[begin : begin + _BLOCK]
        windows = np.stack([_windows(pictures[number]) for number in block])  # (pictures, windows, cells)
        for columns, flip in ((wholes, False), (mirrored, True)):
            near = windows @ columns.T
            best = near.max(axis=1)
            for a, b in np.argwhere(best >= _PROPOSED):
                one, other = block[int(a)], present[int(b)]
                pair = (min(one, other), max(one, other))
                if one == other or pair in copies:
                    continue
                complete = pictures[other][:, ::-1] if flip else pictures[other]
                window = _boxes()[int(near[a, :, b].argmax())]
                if _is_part(pictures[one], complete, window):
                    copies.add(pair)
    return sorted(copies)


@cache
def _boxes() -> list[tuple[float, float, float, float]]:
    """The windows that are tried, as fractions: left, top, right, bottom."""

    def spans(part: float) -> Iterator[tuple[float, float]]:
        for step in range(round((1 - part) / _GRID) + 1):
            yield step * _GRID, step * _GRID + part

    return [
        (left, top, right, bottom)
        for wide, high in product(_PARTS, _PARTS)
        for (left, right), (top, bottom) in product(spans(wide), spans(high))
    ]


def _windows(picture: Any) -> Any:
    """The cells of all windows of a picture, each with mean 0 and length 1: by sums over all pixels above and left."""
    import numpy as np

    sums = np.zeros((SIDE + 1, SIDE + 1))
    sums[1:, 1:] = np.cumsum(np.cumsum(picture, axis=0, dtype=np.float64), axis=1)
    boxes = np.array(_boxes()) * SIDE
    steps = np.linspace(0, 1, _CELLS + 1)
    across = boxes[:, :1] + (boxes[:, 2:3] - boxes[:, :1]) * steps  # (windows, edges of cells)
    down = boxes[:, 1:2] + (boxes[:, 3:] - boxes[:, 1:2]) * steps
    x, y = (np.minimum(each.astype(int), SIDE - 1) for each in (across, down))
    u, v = (across - x)[:, None, :], (down - y)[:, :, None]
    x, y = x[:, None, :], y[:, :, None]
    at = (1 - v) * ((1 - u) * sums[y, x] + u * sums[y, x + 1])
    at += v * ((1 - u) * sums[y + 1, x] + u * sums[y + 1, x + 1])
    cells = np.diff(np.diff(at, axis=1), axis=2).reshape(len(boxes), -1)
    cells = cells / ((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))[:, None]
    return _fine(cells)


def _fine(cells: Any) -> Any:
    """Return rows of cells without the means of blocks of them, which many pictures share, in length 1."""
    import numpy as np

    blocks = cells.reshape(-1, _CELLS // _PER_BLOCK, _PER_BLOCK, _CELLS // _PER_BLOCK, _PER_BLOCK)
    rest = (blocks - blocks.mean(axis=(2, 4), keepdims=True)).reshape(len(blocks), -1)
    return (rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-3)).astype(np.float32)


def _shrunk(picture: Any, side: int, box: Sequence[float] = (0, 0, 1, 1)) -> Any:
    """Return a part of a picture in `side` x `side` pixels, each the mean of its surface. box: left, top, right, bottom
    as fractions."""
    import numpy as np
    from PIL import Image

    height, width = picture.shape
    pixels = (box[0] * width, box[1] * height, min(box[2], 1) * width, min(box[3], 1) * height)
    image = Image.fromarray(np.ascontiguousarray(picture, np.float32))
    return np.asarray(image.resize((side, side), Image.Resampling.BOX, pixels), np.float32)


def _unit(values: Any) -> Any:
    """The values with mean 0 and length 1; zeros if they don't differ."""
    import numpy as np

    centred = values.reshape(-1) - values.mean()
    length = float(np.linalg.norm(centred))
    return centred / length if length > 1e-3 else np.zeros_like(centred)


def _is_part(picture: Any, complete: Any, window: tuple[float, ...]) -> bool:
    """Return whether a part of a picture near a window is another picture, in its brightness and in its detail."""
    target = _unit(_shrunk(complete, _FINE))
    box, best = window, float(_unit(_shrunk(picture, _FINE, window)) @ target)
    for step in _STEPS:
        for _ in range(_ROUNDS):
            before = best
            for edge, sign in product(range(4), (-step, step)):
                tried = tuple(each + (sign if n == edge else 0) for n, each in enumerate(box))
                if min(tried) < 0 or max(tried) > 1.0001 or min(tried[2] - tried[0], tried[3] - tried[1]) < 0.4:
                    continue
                value = float(_unit(_shrunk(picture, _FINE, tried)) @ target)
                if value > best:
                    best, box = value, tried
            if best < before + 1e-3:
                break
        if best < _SAME - 2 * step:
            return False
    if best < _SAME:
        return False
    return (
        float(_unit(_detail(_shrunk(picture, _FINE, box))) @ _unit(_detail(_shrunk(complete, _FINE)))) >= _SAME_DETAIL
    )


def _detail(small: Any) -> Any:
    """Return a picture without its coarse brightness."""
    import numpy as np
    from PIL import Image

    coarse = Image.fromarray(_shrunk(small, _BLUR)).resize(small.shape, Image.Resampling.BICUBIC)
    return small - np.asarray(coarse, np.float32)
