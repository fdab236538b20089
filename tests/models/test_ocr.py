"""Tests of `models/ocr.py`: an OCR engine reads, and any model answers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.models.local.test_ocr_engines import picture
from tests.support.mock_process import MockProcess
from triptych import api
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.registry import load_adapter
from triptych.records import Message, Request, media, text
from triptych.running.loop import RunOptions


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))


def test_an_engine_reads_and_any_model_answers(tmp_path: Path) -> None:
    """Section 4.4's OCR+LLM as a model: what goes out holds words in the pictures' places, and no picture."""
    with MockProcess(answer="echo") as mock:
        ready = api.plan(
            "mcs_bench/T2",
            "ocr/rapidocr",
            base_url=mock.base_url,
            settings={"llm": "openai/mock", "llm.audio": "none", "temperature": 0},
        )
        result = api.run_plan(ready, out=tmp_path / "run", options=RunOptions(), scored=False)
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
        result = api.run_plan(ready, out=tmp_path / "run", options=options, scored=False)
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


def test_it_is_named_and_identified_by_both() -> None:
    settings = {"llm": "openai/m", "llm.revision": "r1", "llm.audio": "none", "base_url": "http://127.0.0.1:9/v1"}
    asked = load_adapter("ocr/rapidocr", {**settings, "threads": "2", "languages": "ch"})
    assert asked.name == "ocr/rapidocr+openai/m" and asked.endpoint == "http://127.0.0.1:9/v1"
    assert asked.revision.startswith("rapidocr ") and asked.revision.endswith(", r1")
    assert "threads" not in asked.settings and "base_url" not in asked.settings
    assert (asked.settings["llm"], asked.settings["languages"]) == ("openai/m", "ch")


def test_texts_are_kept_with_the_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Engine:
        def read(self, data: bytes) -> str:
            return "白日依山盡\n黃河入海流"

    monkeypatch.setattr("triptych.models.ocr.make_reader", lambda *settings: Engine())
    (tmp_path / "a.png").write_bytes(picture())
    request = Request("1", (Message("user", (text("谁写的？"), media("image", "a.png", "content"))),))

    async def asked() -> Any:
        model = load_adapter("ocr/rapidocr", {"llm": "baseline/constant"})
        await model.open()
        prepared = await model.prepare(request, MediaReader(tmp_path))
        await model.close()
        return prepared

    prepared = asyncio.run(asked())
    question, read = prepared.request.messages[0].parts
    assert question.text == "谁写的？" and read.role == "content" and not read.is_media
    assert read.text == "图中的文字如下：\n白日依山盡\n黃河入海流", "in the language of the question"
    assert [(one.path, one.text) for one in prepared.intermediates] == [("a.png", "白日依山盡\n黃河入海流")]


def test_an_engine_that_there_is_not_is_refused_with_the_nearest() -> None:
    with pytest.raises(SpecError, match="did you mean"):
        load_adapter("ocr/rapidocrr", {"llm": "baseline/constant"})
