"""OCR engines by name: rapidocr comes with the extra `local`; the others are used where one has installed them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

from triptych.errors import SpecError, nearest
from triptych.models.local import tesseract
from triptych.models.local.ocr import Ocr, decode, in_reading_order, upright
from triptych.models.local.packages import release
from triptych.records.packages import need

ReadPixels = Callable[[Any], str]


class PictureReader(Protocol):
    """Reads the text in an image."""

    def read(self, data: bytes) -> str:
        """Return the text in an encoded image, one line per row (or column); empty if there is none. Raises
        MediaError.
        """


@dataclass(frozen=True, slots=True)
class Engine:
    """An OCR engine as data: its module (empty for a program) and packages, default languages, and how to install it.

    `load` (languages, threads) returns a reader of RGB pixels; languages are the engine's own codes, separated by
    commas.
    """

    module: str
    packages: tuple[str, ...]
    languages: str
    fix: str
    load: Callable[[str, int], ReadPixels] | None = None

    @property
    def revision(self) -> str:
        """The releases of its packages: another may read otherwise."""
        if not self.module:
            return tesseract.version()
        return ", ".join(release(package) for package in self.packages)

    @property
    def is_installed(self) -> bool:
        """Whether its module or program is there."""
        return find_spec(self.module) is not None if self.module else tesseract.installed()


class Loaded:
    """An engine that loads at first use and reads one picture at a time."""

    def __init__(self, load: Callable[[], ReadPixels]) -> None:
        self._load, self._lock = load, threading.Lock()
        self._read: ReadPixels | None = None

    def read(self, data: bytes) -> str:
        """See `PictureReader`."""
        pixels = decode(data)
        with self._lock:
            if self._read is None:
                self._read = self._load()
            return self._read(pixels)


def find_engine(name: str) -> Engine:
    """The engine. Raises SpecError for an unknown name (with the nearest right one), or one that isn't installed."""
    if name not in ENGINES:
        raise SpecError(f"no OCR engine {name!r}", fix=nearest(name, ENGINES))
    engine = ENGINES[name]
    if not engine.is_installed:
        raise SpecError(f"the OCR engine {name} isn't installed", fix=engine.fix)
    return engine


def make_reader(name: str, languages: str, threads: int) -> PictureReader:
    """What reads pictures by this engine, in these languages (empty: the engine's usual ones)."""
    engine = find_engine(name)
    if engine.load is None:
        return Ocr(threads)
    load = engine.load
    return Loaded(lambda: load(languages or engine.languages, threads))


def _easyocr(languages: str, threads: int) -> ReadPixels:
    easyocr = need("easyocr", "easyocr")
    try:  # its weights are fetched by hand (easyocr.Reader([…]) does it once): nothing is downloaded by surprise
        engine = easyocr.Reader(languages.split(","), gpu=False, download_enabled=False, verbose=False)
    except (FileNotFoundError, ValueError) as error:
        fix = f"let it fetch its weights once: python -c 'import easyocr; easyocr.Reader({languages.split(',')!r})'"
        raise SpecError("easyocr can't be loaded", got=str(error), fix=fix) from None
    return lambda pixels: "\n".join(in_reading_order([upright(text, box) for box, text, _ in engine.readtext(pixels)]))


def _paddleocr(languages: str, threads: int) -> ReadPixels:
    paddleocr = need("paddleocr", "paddleocr")
    plain = {f"use_{step}": False for step in ("doc_orientation_classify", "doc_unwarping", "textline_orientation")}
    engine = paddleocr.PaddleOCR(lang=languages, cpu_threads=threads, **plain)

    def read(pixels: Any) -> str:
        lines = []
        for page in engine.predict(pixels[:, :, ::-1].copy()):  # it expects blue first
            lines += [upright(text, box) for text, box in zip(page["rec_texts"], page["rec_polys"], strict=True)]
        return "\n".join(in_reading_order(lines))

    return read


ENGINES: dict[str, Engine] = {
    "rapidocr": Engine("rapidocr", ("rapidocr", "onnxruntime"), "", "pip install 'triptych[local]'"),
    "tesseract": Engine("", (), tesseract.USUAL, tesseract.FIX, tesseract.load),
    "easyocr": Engine("easyocr", ("easyocr", "torch"), "ch_tra,en", "pip install easyocr", _easyocr),
    "paddleocr": Engine(
        "paddleocr", ("paddleocr", "paddlepaddle"), "ch", "pip install 'paddleocr>=3' paddlepaddle", _paddleocr
    ),
}
