"""The colours of the report and the viewer: each of them can be read on every ground that it is put on."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import triptych

TOKENS = (Path(triptych.__file__).parent / "reports" / "style" / "tokens.css").read_text(encoding="utf-8")
COLOURS = {m[1]: (m[2], m[3]) for m in re.finditer(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", TOKENS)}
GROUNDS = ("paper", "card", "tint")
WORDS = ("ink", "muted", "seal", "link", "right", "wrong", "unsure", "lost")


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_can_be_read_on_every_ground(theme: int) -> None:
    pairs = [*product(WORDS, GROUNDS), *((w, f"{w}-ground") for w in WORDS if f"{w}-ground" in COLOURS)]
    pairs += [("ink", name) for name in COLOURS if name.endswith("-ground")]
    pairs += [("ink", "mark"), ("on-accent", "link"), ("on-accent", "seal")]
    poor = [pair for pair in pairs if contrast(COLOURS[pair[0]][theme], COLOURS[pair[1]][theme]) < 4.5]
    assert not poor


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_lines_and_series_can_be_seen(theme: int) -> None:
    series = [name for name in COLOURS if name.startswith("series-")]
    assert len(series) == 8
    pairs = product([*series, "strong-line", "focus"], ("paper", "card"))
    assert not [pair for pair in pairs if contrast(COLOURS[pair[0]][theme], COLOURS[pair[1]][theme]) < 3]


def test_tokens_hold_values_and_nothing_else() -> None:
    without = re.sub(r"/\*.*?\*/", "", TOKENS, flags=re.DOTALL)
    selectors = {part.strip() for head in re.findall(r"([^{}]+)\{", without) for part in head.split(",")}
    assert selectors <= {
        ":root",
        ':root[data-theme="light"]',
        ':root[data-theme="dark"]',
        "@media print",
        ":root[data-theme]",
    }
    assert "url(" not in without
    assert "@import" not in without
