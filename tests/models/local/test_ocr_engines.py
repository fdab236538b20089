"""OCR engines by name, and an engine before a language model. Engines that aren't here are played."""

from __future__ import annotations

import asyncio
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
from tests.support.mock_process import MockProcess
from triptych import api
from triptych.errors import MediaError, ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.models.local import ocr_engines, tesseract
from triptych.models.local.ocr_engines import ENGINES, make_reader
from triptych.models.registry import load_adapter
from triptych.records import Message, Request, media, text
from triptych.running.loop import RunOptions

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


def test_names_tell_engines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, "easyocr")
    assert load_adapter("local/ocr").name == "local/ocr" and load_adapter("local/rapidocr").name == "local/rapidocr"
    assert (
        load_adapter("local/easyocr").name == load_adapter("local/ocr", {"engine": "easyocr"}).name == "local/easyocr"
    )


def test_an_engine_reads_and_any_model_answers(tmp_path: Path) -> None:
    """Section 4.4's OCR+LLM as a model: what goes out holds words in the pictures' places, and no picture."""
    with MockProcess(answer="echo") as mock:
        ready = api.plan(
            "mcs_bench/T2",
            "ocr/rapidocr",
            base_url=mock.base_url,
            settings={"llm": "openai/mock", "llm.audio": "none", "temperature": 0},
        )
        result = api.carry_out(ready, out=tmp_path / "run", options=RunOptions(), scored=False)
        asked = [entry["text"] for entry in mock.stats()["requests"].values()]
    assert result.outcome.counts == {"answered": 2}
    manifest = result.folder.manifest
    assert manifest.model == "ocr/rapidocr+openai/mock" and "rapidocr 3" in manifest.revision
    assert manifest.model_settings == {"llm": "openai/mock", "llm.audio": "none"}
    for response in result.folder.responses():
        (read,) = response.intermediates
        assert read.text and any(f"图中的文字如下：\n{read.text}" in words for words in asked)
    assert not any("base64" in words for words in asked)


def test_its_price_is_the_models(tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(
        'as_of = "2026-01-01"\nsource = "x"\n[[price]]\nmodel = "openai/mock"\ninput = 1.0\noutput = 1.0\n'
    )
    with MockProcess() as mock:
        ready = api.plan(
            "mcs_bench/T2", "ocr/rapidocr", base_url=mock.base_url, settings={"llm": "openai/mock"}, limit=1
        )
        options = RunOptions(prices=tmp_path / "p.toml", budget_usd=1.0)
        result = api.carry_out(ready, out=tmp_path / "run", options=options, scored=False)
    assert result.outcome.cost_usd and result.outcome.counts == {"answered": 1}


def test_other_media_are_the_models_to_take(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture())
    asked = load_adapter("ocr/rapidocr", {"llm": "baseline/constant"})
    assert asked.accepts >= {"image", "audio", "text"}
    only_text = {"llm": "openai/m", "llm.base_url": "http://127.0.0.1:9/v1"} | {
        f"llm.{kind}": "none" for kind in ("audio", "image", "video")
    }
    assert load_adapter("ocr/rapidocr", only_text).accepts == {"text", "image"}
    for wrong in ({}, {"llm": "nobody/x"}, {"llm": "openai/m", "llm.base_url": "here"}, {"lm": "openai/m"}):
        with pytest.raises(SpecError):
            load_adapter("ocr/rapidocr", wrong)

    async def prepared() -> Any:
        reader = load_adapter("ocr/rapidocr", {"llm": "baseline/constant"})
        await reader.open()
        request = Request("1", (Message("user", (media("image", "a.png"), text("What is it?"))),))
        read = await reader.prepare(request, MediaReader(tmp_path))
        await reader.close()
        return read.request

    assert asyncio.run(prepared()).messages[0].parts[0].text.startswith("The text in the picture:")


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
