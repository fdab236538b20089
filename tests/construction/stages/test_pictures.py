"""Tests of `construction/stages/pictures.py`: pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageOps

from tests.construction.recipes.test_mcs_bench import _encoded, drawn
from tests.construction.single_stage import context, decide_all
from triptych.construction.engine.context import Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.pictures import duplicate_pictures, perceptual_hash


def test_the_print_is_that_of_imagehash() -> None:
    """Both take the median of the lowest frequencies; imagehash scales with another filter."""
    imagehash = pytest.importorskip("imagehash", reason="imagehash isn't installed (an oracle)")
    for seed in range(6):
        theirs = int(str(imagehash.phash(drawn(seed), hash_size=8, highfreq_factor=4)), 16)
        assert (perceptual_hash(drawn(seed)) ^ theirs).bit_count() <= 6


def test_pictures_that_are_nearly_the_same_are_found_and_others_are_not(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    pictures = [drawn(1), drawn(2), drawn(1).resize((300, 225)), drawn(3), drawn(1).point(lambda v: min(255, v + 6))]
    rows = [{"image": store.put(_encoded(p, format="JPEG", quality=80), "jpg"), "task": "T1"} for p in pictures]
    values = [Values(duplicate_pictures, f"r{n}", row) for n, row in enumerate(rows)]
    found = duplicate_pictures.run(values, context(duplicate_pictures, tmp_path))
    assert [o.fields["picture_cluster"] for o in found] == ["T1:r0", "T1:r1", "T1:r0", "T1:r3", "T1:r0"]
    rows[2]["task"] = "T2"  # the same picture may serve another task
    values = [Values(duplicate_pictures, f"r{n}", row) for n, row in enumerate(rows)]
    found = duplicate_pictures.run(values, context(duplicate_pictures, tmp_path))
    assert found[2].fields["picture_cluster"] == "T2:r2"


def _picture(seed: int) -> Image.Image:
    draw = np.random.default_rng(seed)
    image = Image.new("RGB", (320, 240), (206, 200, 190))
    pen = ImageDraw.Draw(image)
    for _ in range(14):
        x, y, size = draw.integers(0, 280), draw.integers(0, 200), draw.integers(15, 70)
        pen.ellipse((x, y, x + size, y + size // 2), fill=tuple(int(v) for v in draw.integers(30, 250, 3)))
    return image


@pytest.mark.parametrize("change", ["turned", "upside down", "bordered", "brighter", "darker", "mirrored"])
def test_copies_of_a_picture(change: str, tmp_path: Path) -> None:
    store, image = MediaStore(tmp_path), _picture(1)
    changed = {
        "turned": lambda: image.rotate(90, expand=True),
        "upside down": lambda: image.rotate(180),
        "bordered": lambda: ImageOps.expand(image, 24, "white").resize((258, 202)),
        "brighter": lambda: Image.eval(image, lambda value: min(255, int(value * 1.12))),
        "darker": lambda: Image.eval(image, lambda value: int(value * 0.8)),
        "mirrored": lambda: ImageOps.mirror(image),
    }[change]()
    rows = []
    for number, each in enumerate((image, changed, _picture(2))):
        path = tmp_path / f"{number}.jpg"
        each.save(path, quality=80)
        rows.append({"image": store.put(path.read_bytes(), "jpg"), "task": "T36"})
    clusters = [each.fields["picture_cluster"] for each in decide_all(duplicate_pictures, rows, tmp_path)]
    assert clusters == ["T36:r0", "T36:r0", "T36:r2"]
