"""Tests of `reports/html/media.py`: media of the examples, reduced and embedded in the page."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from pathlib import Path

import pytest

from tests.reports.conftest import Reported
from triptych.media.payload import DataFolder
from triptych.records import Part
from triptych.reports.html.chapter import chapter
from triptych.reports.html.media import Embedded, Embedder
from triptych.reports.report import collect


def test_media_are_embedded_small_and_within_a_budget(reported: Reported) -> None:
    sizes = [len(data) for data in re.findall(r'src="(data:[^"]+)"', reported.text)]
    assert sizes and max(sizes) < 120_000
    report = collect(reported.folders[:1])[0]
    made = chapter(report, ["official"], reported.path.parent, Embedder(0))
    notes = {part.note for example in made.examples for part in example.parts if part.kind != "text"}
    assert notes == {"left out to limit the size of this file; see the viewer"}


def pixels(embedded: Embedded) -> set[tuple[int, ...]]:
    """Some colours of an embedded picture."""
    from PIL import Image

    data = base64.b64decode(embedded.address.partition(",")[2])
    image = Image.open(io.BytesIO(data)).convert("RGB")
    return {image.getpixel((x, x)) for x in range(0, min(image.size), 8)}  # type: ignore[misc]


def picture(path: Path, colour: tuple[int, int, int] = (220, 40, 40), kind: str = "PNG") -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.effect_noise((64, 64), 60).convert("RGB").save(out, kind)
    if kind == "PNG":
        Image.new("RGB", (64, 64), colour).save(out := io.BytesIO(), kind)
    path.write_bytes(out.getvalue())
    return out.getvalue()


def test_a_plain_run_shows_its_own_pictures_beside_one_in_grey(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    embedder = Embedder()
    grey, plain = (
        embedder.embed(Part("image", path="a.png", transform=how), DataFolder(tmp_path)) for how in ("grey", "")
    )
    assert all(max(colour) - min(colour) < 8 for colour in pixels(grey))
    assert all(max(colour) - min(colour) > 100 for colour in pixels(plain))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "TIFF", "DDS", "ICNS", "BMP", "ICO"])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9])
def test_a_cut_picture_is_a_placeholder_that_says_what_is_wrong(kind: str, share: float, tmp_path: Path) -> None:
    from PIL import Image

    Image.init()
    if kind not in Image.SAVE:
        pytest.skip(f"this Pillow writes no {kind}")
    data = picture(tmp_path / "a.png", kind=kind)
    (tmp_path / "a.png").write_bytes(data[: int(len(data) * share)])
    shown = Embedder().embed(Part("image", path="a.png"), DataFolder(tmp_path))
    if not shown.address:  # some formats show what is there
        assert "image" in shown.note and shown.name == "a.png"


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg", "mp3"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9])
def test_a_cut_recording_is_played_as_far_as_it_goes_or_a_placeholder(kind: str, share: float, tmp_path: Path) -> None:
    import numpy as np
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, np.sin(np.arange(16_000) / 9.0), 16_000, format=kind.upper())
    data = out.getvalue()
    (tmp_path / f"a.{kind}").write_bytes(data[: int(len(data) * share)] or b"")
    shown = Embedder().embed(Part("audio", path=f"a.{kind}"), DataFolder(tmp_path))
    assert shown.address.startswith("data:audio/mpeg;base64,") or "audio" in shown.note or "sound" in shown.note


PAGE = b"<script>alert(1)</script>"


@pytest.mark.parametrize("kind", ["image", "audio"])
@pytest.mark.parametrize(
    "pretence",
    [
        b"<html>" + PAGE + b"</html>",
        b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">' + PAGE + b"</svg>",
        b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
        b"\x89PNG\r\n\x1a\n" + PAGE,
        b"GIF89a" + PAGE,
    ],
)
def test_pages_that_pretend_to_be_media_are_placeholders(pretence: bytes, kind: str, tmp_path: Path) -> None:
    name = {"image": "a.png", "audio": "a.wav"}[kind]
    (tmp_path / name).write_bytes(pretence)
    shown = Embedder().embed(Part(kind, path=name), DataFolder(tmp_path))  # type: ignore[arg-type]
    assert not shown.address and kind in shown.note and "<script" not in shown.note


def test_a_page_behind_a_picture_does_not_get_into_the_report(tmp_path: Path) -> None:
    """Pictures are decoded and coded anew, so nothing else of their files is left."""
    (tmp_path / "a.png").write_bytes(picture(tmp_path / "a.png") + PAGE)
    shown = Embedder().embed(Part("image", path="a.png"), DataFolder(tmp_path))
    assert shown.address.startswith("data:image/jpeg;base64,")
    assert PAGE not in base64.b64decode(shown.address.partition(",")[2])


def test_a_folder_that_the_run_alone_names_gives_only_what_it_tells_the_hash_of(tmp_path: Path) -> None:
    """A stranger's manifest can name any folder: its pictures don't get into one's own report."""
    digest = hashlib.sha256(picture(tmp_path / "a.png")).hexdigest()
    theirs = DataFolder(tmp_path, named=False)
    assert "no hash" in Embedder().embed(Part("image", path="a.png"), theirs).note
    assert "doesn't have the hash" in Embedder().embed(Part("image", path="a.png", sha256="0" * 64), theirs).note
    for how in ("", "grey"):
        assert Embedder().embed(Part("image", path="a.png", sha256=digest, transform=how), theirs).address
    both = Embedder()
    told = [both.embed(Part("image", path="a.png", sha256=one), theirs) for one in (digest, "", "0" * 64)]
    assert [bool(one.address) for one in told] == [True, False, False]
