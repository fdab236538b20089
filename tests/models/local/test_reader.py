"""Tests of `models/local/reader.py`: one engine as a model, which answers with what it reads."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.models.local.test_ocr_engines import picture, play
from triptych.errors import MediaError, SpecError, WeightsError
from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply
from triptych.models.local import make
from triptych.models.local.reader import Reader
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, media, text


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TRIPTYCH_WEIGHTS_DIR", raising=False)


def test_ocr_alone_is_a_model_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("rapidocr", reason="the extra `local` is not installed")
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path))
    pictures = Path(__file__).with_name("pictures")

    async def both() -> tuple[Reply, Reply]:
        model = make("ocr", {})
        await model.open()
        replies = []
        for parts in ((text("Read:"), media("image", "chinese_rows.png")), (text("nothing to read"),)):
            request = Request("q", (Message("user", parts),))
            replies.append(await model.respond(request, await model.prepare(request, MediaReader(pictures))))
        await model.close()
        return replies[0], replies[1]

    found, nothing = asyncio.run(both())
    assert found.text == "今天下午我要去医院\n请问火车站在哪里？" and found.intermediates[0].kind == "image"
    assert nothing.status == "skipped"


def test_names_tell_engines_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, "easyocr")
    assert load_adapter("local/ocr").name == "local/ocr" and load_adapter("local/rapidocr").name == "local/rapidocr"
    assert (
        load_adapter("local/easyocr").name == load_adapter("local/ocr", {"engine": "easyocr"}).name == "local/easyocr"
    )


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What an engine is given that says how many bytes it got."""
    given: list[bytes] = []

    class Engine:
        def read(self, data: bytes) -> str:
            given.append(data)
            return f"{len(given)}. 學而時習之"

    monkeypatch.setattr("triptych.models.local.reader.make_reader", lambda *settings: Engine())
    return given


def read(folder: Path, *parts: Part) -> Reply:
    async def one() -> Reply:
        model = Reader("ocr", {})
        await model.open()
        try:
            request = Request("q", (Message("user", parts),))
            return await model.respond(request, await model.prepare(request, MediaReader(folder)))
        finally:
            await model.close()

    return asyncio.run(one())


def test_each_picture_is_a_line_and_the_same_one_is_read_once(tmp_path: Path, seen: list[bytes]) -> None:
    (tmp_path / "a.png").write_bytes(picture())
    (tmp_path / "b.png").write_bytes(picture() + b"other bytes")
    (tmp_path / "copy.png").write_bytes(picture())
    reply = read(tmp_path, text("Read:"), *(media("image", f"{name}.png") for name in ("a", "b", "copy")))
    assert reply.text == "1. 學而時習之\n2. 學而時習之\n1. 學而時習之" and len(seen) == 2
    assert [one.path for one in reply.intermediates] == ["a.png", "b.png", "copy.png"]
    assert {one.engine.split()[0] for one in reply.intermediates} == {"local/ocr"}
    again = read(tmp_path, media("image", "a.png"))
    assert again.text == "1. 學而時習之" and len(seen) == 2, "from the cache, in another session"


def test_without_media_it_is_skipped_and_says_why(tmp_path: Path, seen: list[bytes]) -> None:
    reply = read(tmp_path, text("What is written?"))
    assert (reply.status, reply.text) == ("skipped", "") and "there is none" in reply.note and not seen


def test_a_missing_picture_is_named(tmp_path: Path, seen: list[bytes]) -> None:
    with pytest.raises(MediaError, match=r"none\.png"):
        read(tmp_path, media("image", "none.png"))


def test_what_changes_a_text_is_in_the_identity_and_what_does_not_is_not() -> None:
    hears, reads = Reader("asr", {"threads": "4", "fetch": "true"}), Reader("ocr", {"threads": "2"})
    assert hears.settings == Reader("asr", {}).settings and "threads" not in hears.settings
    assert reads.settings == {"engine": "rapidocr", "languages": ""}
    assert hears.accepts == {"text", "audio"} and reads.accepts == {"text", "image"}
    assert Reader("asr", {"language": "zh"}).settings["language"] == "zh"
    assert "whisper-base@" in hears.revision and "faster-whisper" in hears.revision


@pytest.mark.parametrize(
    ("name", "settings", "words"),
    [
        ("asr", {"engine": "rapidocr"}, "no setting 'engine'"),
        ("asr", {"asr": "whisper-bass"}, "did you mean 'whisper-base'"),
        ("ocr", {"engine": "rapidocrr"}, "did you mean"),
        ("ocr", {"threads": "many"}, "threads"),
    ],
)
def test_wrong_settings_are_refused(name: str, settings: dict[str, str], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        Reader(name, settings)


def test_weights_that_are_not_here_are_named_and_closing_does_no_harm() -> None:
    async def open_and_close() -> None:
        model = Reader("asr", {})
        await model.close()
        try:
            await model.open()
        finally:
            await model.close()

    with pytest.raises(WeightsError, match="not on this computer"):
        asyncio.run(open_and_close())
