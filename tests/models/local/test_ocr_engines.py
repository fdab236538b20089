"""OCR engines by name, and an engine before a language model. Engines that aren't here are played."""

from __future__ import annotations

import io
import os
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.models.local.test_tesseract import HEAD, PICTURES
from triptych.errors import MediaError, ProviderError, SpecError
from triptych.models.local import ocr_engines, tesseract
from triptych.models.local.ocr_engines import ENGINES, make_reader
from triptych.models.registry import load_adapter

COLUMNS = [("學而時習之", 80, 10, 100, 110), ("不亦說乎", 20, 10, 40, 90)]  # written from right to left


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))


def picture() -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (120, 120), (200, 10, 30)).save(buffer, "PNG")
    return buffer.getvalue()


def corners(left: int, top: int, right: int, bottom: int) -> list[list[int]]:
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def play(monkeypatch: pytest.MonkeyPatch, name: str, **what: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(what)
    module.__spec__ = types.SimpleNamespace(name=name)  # type: ignore[assignment]
    monkeypatch.setitem(sys.modules, name, module)


def test_easyocr_gives_lines_that_are_put_in_reading_order(monkeypatch: pytest.MonkeyPatch) -> None:
    made: dict[str, Any] = {}

    class Reader:
        def __init__(self, languages: list[str], **settings: Any) -> None:
            made.update(settings, languages=languages)

        def readtext(self, pixels: Any) -> list[Any]:
            assert tuple(pixels[0, 0]) == (200, 10, 30)  # red first
            return [(corners(*box), words, 0.9) for words, *box in reversed(COLUMNS)]

    play(monkeypatch, "easyocr", Reader=Reader)
    assert make_reader("easyocr", "", 1).read(picture()) == "學而時習之\n不亦說乎"
    assert made["download_enabled"] is False and made["languages"] == ["ch_tra", "en"]


def test_paddleocr_is_given_blue_first(monkeypatch: pytest.MonkeyPatch) -> None:
    class PaddleOCR:
        def __init__(self, **settings: Any) -> None:
            assert settings["lang"] == "ch"

        def predict(self, pixels: Any) -> list[dict[str, Any]]:
            assert tuple(pixels[0, 0]) == (30, 10, 200)
            boxes = [np.array(corners(*box)) for _, *box in COLUMNS]
            return [{"rec_texts": [words for words, *_ in COLUMNS], "rec_polys": boxes}]

    play(monkeypatch, "paddleocr", PaddleOCR=PaddleOCR)
    assert make_reader("paddleocr", "", 1).read(picture()) == "學而時習之\n不亦說乎"


def test_an_engine_that_is_not_here_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SpecError, match="did you mean 'rapidocr'"):
        load_adapter("local/ocr", {"engine": "rapidoc"})
    monkeypatch.setattr(ocr_engines, "find_spec", lambda module: None)
    monkeypatch.setattr("triptych.models.local.tesseract.installed", lambda: False)
    for name, engine in ENGINES.items():
        with pytest.raises(SpecError) as caught:
            load_adapter(f"local/{name}")
        assert engine.fix in str(caught.value)


FALSE = """#!{python}
import os, sys
what = sys.argv
if "--version" not in what:
    print({head!r})
if "--list-langs" in what:
    print("\\n".join(["eng", "chi_tra"]))
elif "--version" in what:
    print("tesseract 9.9")
elif "eng" in what:
    sys.exit("read_params_file: broken")
else:
    data = sys.stdin.buffer.read()
    assert data[:4] == b"\\x89PNG" and os.environ["OMP_THREAD_LIMIT"] == "2"
    print("5\\t1\\t1\\t1\\t1\\t1\\t0\\t0\\t9\\t9\\t" + ("30" if "chi_tra+eng" in what else "70") + "\\t" + what[4])
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.name == "nt":
        pytest.skip("the stand-in is a script")
    (tmp_path / "tesseract").write_text(FALSE.format(python=sys.executable, head=HEAD), encoding="utf-8")
    (tmp_path / "tesseract").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    tesseract.version.cache_clear()


def test_the_surest_alternative_is_taken(program: None) -> None:
    picture = (PICTURES / "english_rows.png").read_bytes()
    assert make_reader("tesseract", "chi_tra,eng|chi_tra", 2).read(picture) == "chi_tra"
    assert make_reader("tesseract", "chi_tra,eng", 2).read(picture) == "chi_tra+eng"
    assert make_reader("tesseract", "", 2).read(picture) == "chi_tra+eng", "what isn't installed is left out"
    assert load_adapter("local/tesseract").revision == "tesseract 9.9"


def test_missing_data_broken_files_and_failures_are_reported(program: None) -> None:
    picture = (PICTURES / "english_rows.png").read_bytes()
    with pytest.raises(SpecError, match="no data for chi_tra_vert"):
        make_reader("tesseract", "chi_tra_vert,eng", 2).read(picture)
    with pytest.raises(ProviderError, match="read_params_file"):
        make_reader("tesseract", "eng", 2).read(picture)
    with pytest.raises(MediaError):
        make_reader("tesseract", "eng", 2).read(b"no picture")
