"""Fixtures that several files of tests of `media` share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "data"
    (root / "deep").mkdir(parents=True)
    (root / "deep" / "a.wav").write_bytes(b"RIFF....WAVEfmt ")
    (tmp_path / "secret.wav").write_bytes(b"secret")
    (root / "out.wav").symlink_to(tmp_path / "secret.wav")
    (root / "outdir").symlink_to(tmp_path)
    (root / "in.wav").symlink_to(root / "deep" / "a.wav")
    return root


@pytest.fixture
def working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder that holds files worth having."""
    from PIL import Image

    from tests.media.test_opening import SECRET
    from tests.media.test_transform import film, tone, wav

    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.wav").write_bytes(wav(tone(SECRET)))
    (tmp_path / "secret.mp4").write_bytes(film())
    for number in range(3):
        Image.new("RGB", (16, 16), "red").save(tmp_path / f"secret{number}.png")
    return tmp_path


@pytest.fixture
def font(tmp_path: Path):
    """Writes a font in which each of the letters is a full square, and which maps `boxed` to the missing glyph."""

    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    from tests.media.pictures.test_text import _square
    from triptych.media.pictures.fonts import Face, read_faces

    def make(name: str, letters: str, boxed: str = "") -> Face:
        glyphs = [".notdef", "space", *(f"g{ord(c)}" for c in letters)]
        builder = FontBuilder(1000, isTTF=True)
        builder.setupGlyphOrder(glyphs)
        cmap = {ord(c): f"g{ord(c)}" for c in letters} | {ord(c): ".notdef" for c in boxed} | {32: "space"}
        builder.setupCharacterMap(cmap)
        builder.setupGlyf({g: TTGlyphPen(None).glyph() if g == "space" else _square(100, 900) for g in glyphs})
        builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"fullName": name, "familyName": name, "styleName": "Regular"})
        builder.setupOS2()
        builder.setupPost()
        path = tmp_path / f"{name}.ttf"
        builder.save(path)
        return read_faces(path)[0]

    return make
