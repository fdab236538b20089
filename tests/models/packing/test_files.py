"""What endpoints are really sent under each packing: the bytes that arrive at a server, decoded by other libraries."""

from __future__ import annotations

import asyncio
import base64
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("av", reason="av is not installed")

from tests.support.known_films import HERTZ, known_film, number_in
from tests.support.wire import Answer, Wire, fixture
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.anthropic import adapter as anthropic
from triptych.models.gemini import adapter as gemini
from triptych.models.openai import adapter as openai
from triptych.records import Message, Part, Request, Response, Sent, media, text
from triptych.running.loop import RunOptions, execute
from triptych.store.journals.replies import ReplyJournal

OPENAI = b'{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}'
MAKE: dict[str, Any] = {"openai": openai.make, "gemini": gemini.make, "anthropic": anthropic.make}


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "none-needed-here-000000")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A film of 6 s with sound, a silent one, one whose sound begins late, recordings, and a turned picture."""
    from PIL import Image

    (tmp_path / "a.mp4").write_bytes(known_film(60, 10, sound=6.0))
    (tmp_path / "silent.mp4").write_bytes(known_film(60, 10))
    (tmp_path / "late.mp4").write_bytes(known_film(60, 10, sound=4.0, late=2.0))
    (tmp_path / "one.mp4").write_bytes(known_film(1))
    tone = 0.3 * np.sin(2 * np.pi * HERTZ * np.arange(16_000) / 8_000)
    (tmp_path / "b.wav").write_bytes(encode_wav(tone[:, None], 8_000))
    pixels = np.zeros((20, 40, 3), np.uint8)
    pixels[:, :20, 0] = 255  # red on the left
    turned = Image.Exif()
    turned[0x0112] = 6  # to be turned by 90 degrees clockwise
    Image.fromarray(pixels).save(tmp_path / "c.jpg", exif=turned, quality=95)
    return tmp_path


Piece = tuple[str, Any]


def sent(adapter: str, root: Path, *parts: Part, **settings: Any) -> tuple[list[Piece], Response, Any]:
    """Ask once: (what arrived in order, as ("text", words) or (kind, bytes)), the Response, and the whole body."""
    replies = {
        "openai": Answer(body=OPENAI),
        "gemini": fixture("gemini/answer"),
        "anthropic": fixture("anthropic/answer"),
    }
    with Wire(lambda seen: replies[adapter]) as wire:
        asked = MAKE[adapter]("m", {"base_url": wire.url + ("/v1" if adapter == "openai" else ""), **settings})
        journal = ReplyJournal(root, "replies")
        request = Request("i", (Message("user", parts),))
        options = RunOptions(retries=0, progress=False)
        asyncio.run(execute([request], asked, journal, MediaReader(root), options))
        (response,) = journal.latest_replies().values()
        journal.path.unlink()
        bodies = [seen.json for seen in wire.seen if seen.method == "POST"]
    return list(_pieces(adapter, bodies[0])) if bodies else [], response, bodies[0] if bodies else None


def _pieces(adapter: str, body: Any) -> Any:
    if adapter == "gemini":
        for part in body["contents"][0]["parts"]:
            data = part.get("inlineData")
            yield (
                ("text", part["text"])
                if data is None
                else (data["mime_type" if "mime_type" in data else "mimeType"].partition("/")[0], _data(data["data"]))
            )
        return
    content = body["messages"][0]["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        kind = block["type"]
        if kind == "text":
            yield "text", block["text"]
        elif kind == "input_audio":
            yield "audio", _data(block["input_audio"]["data"])
        elif kind == "image":
            yield "image", _data(block["source"]["data"])
        else:
            yield kind.partition("_")[0], _data(block[kind]["url"].partition(",")[2])


def _data(told: str) -> bytes:
    return base64.b64decode(told.replace("-", "+").replace("_", "/"))


def kinds(pieces: list[Piece]) -> str:
    """The kinds of pieces as letters: t, i, a, v."""
    return "".join(kind[0] for kind, _ in pieces)


def numbers(pieces: list[Piece]) -> list[int]:
    """The numbers that the pictures show."""
    from PIL import Image

    return [
        number_in(np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))) for kind, data in pieces if kind == "image"
    ]


def heard(data: bytes) -> tuple[float, int, int]:
    """Seconds, rate and the loudest frequency of a recording."""
    import soundfile

    samples, rate = soundfile.read(io.BytesIO(data), always_2d=True)
    loudest = int(np.abs(np.fft.rfft(samples[:, 0])).argmax()) * rate / len(samples)
    return round(len(samples) / rate, 1), rate, round(loudest)


def streams(data: bytes) -> set[str]:
    """The kinds of streams in a film."""
    import av

    with av.open(io.BytesIO(data)) as box:
        return {stream.type for stream in box.streams}


ASKED = (media("video", "a.mp4", "content"), text("What?", "question"))


@pytest.mark.parametrize("adapter", ["openai", "gemini"])
def test_whole_films_are_sent_as_they_are(adapter: str, root: Path) -> None:
    pieces, response, _ = sent(adapter, root, *ASKED)
    assert kinds(pieces) == "vt" and pieces[0][1] == (root / "a.mp4").read_bytes()
    film, sound = response.sent
    assert (film.form, film.width, film.height, film.frames, film.format) == ("file", 64, 48, 60, "mp4")
    assert film.seconds == pytest.approx(6, abs=0.1) and film.size == len(pieces[0][1])
    assert (sound.kind, sound.form, sound.rate) == ("audio", "in_video", 16_000)


@pytest.mark.parametrize("adapter", ["openai", "gemini"])
def test_whole_films_can_be_silent_or_have_their_sound_beside_them(adapter: str, root: Path) -> None:
    pieces, response, _ = sent(adapter, root, *ASKED, packing="silent")
    assert kinds(pieces) == "vt" and streams(pieces[0][1]) == {"video"}
    assert [(one.kind, one.form) for one in response.sent] == [("video", "converted")]
    pieces, response, _ = sent(adapter, root, *ASKED, packing="whole,sound=apart")
    assert kinds(pieces) == "vat" and streams(pieces[0][1]) == {"video"}
    assert heard(pieces[1][1]) == (6.0, 16_000, HERTZ)
    assert [(one.kind, one.at) for one in response.sent] == [("video", 0), ("audio", 1)]
    pieces, response, _ = sent(adapter, root, *ASKED, packing="whole,sound=apart_first")
    assert kinds(pieces) == "avt" and [(one.kind, one.at) for one in response.sent] == [("audio", 0), ("video", 1)]


@pytest.mark.parametrize("adapter", ["openai", "gemini", "anthropic"])
def test_frames_are_pictures_with_known_times(adapter: str, root: Path) -> None:
    pieces, response, _ = sent(adapter, root, *ASKED, packing="fps=1")
    assert kinds(pieces) == "iiiiiit" and numbers(pieces) == [5, 15, 25, 35, 45, 55]
    (film,) = response.sent
    assert film.times == (0.5, 1.5, 2.5, 3.5, 4.5, 5.5) and film.frames == 60
    assert (film.form, film.format, film.width, film.height) == ("pictures", "jpeg", 64, 48)
    assert film.size == sum(len(data) for kind, data in pieces if kind == "image")


@pytest.mark.parametrize("adapter", ["openai", "gemini", "anthropic"])
def test_number_size_format_and_captions_of_frames_are_settings(adapter: str, root: Path) -> None:
    from PIL import Image

    told = 'frames=3,spread=ends,size=32x24,pictures=png,caption="Frame {number}, {time:.1f} s: "'
    pieces, response, _ = sent(adapter, root, *ASKED, packing=told)
    assert (kinds(pieces) == "titit" + "it" and numbers(pieces) == [0, 30, 59]) or numbers(pieces) == [0, 29, 59]
    assert [words for kind, words in pieces if kind == "text"][:2] == [
        "Frame 1, 0.0 s: ",
        f"Frame 2, {response.sent[0].times[1]:.1f} s: ",
    ]
    shown = Image.open(io.BytesIO(pieces[1][1]))
    assert (shown.format, shown.size) == ("PNG", (32, 24)) and response.sent[0].width == 32


@pytest.mark.parametrize("adapter", ["openai", "gemini"])
def test_sound_is_interleaved_with_its_seconds(adapter: str, root: Path) -> None:
    pieces, response, _ = sent(adapter, root, *ASKED, packing="fps=1,sound=interleaved")
    assert kinds(pieces) == "ia" * 6 + "t"
    sounds = [heard(data) for kind, data in pieces if kind == "audio"]
    assert sounds[:5] == [(1.0, 16_000, HERTZ)] * 5 and sounds[5][0] in (1.0, 1.1)
    assert {one.form for one in response.sent} == {"interleaved"} and len(response.sent) == 2


def test_a_sound_that_begins_late_stays_with_its_pictures(root: Path) -> None:
    pieces, response, _ = sent("openai", root, media("video", "late.mp4"), packing="fps=1,sound=interleaved")
    import soundfile

    loud = [np.abs(soundfile.read(io.BytesIO(data))[0]).max() > 0.1 for kind, data in pieces if kind == "audio"]
    assert loud == [False, False, True, True, True, True]
    assert next(one for one in response.sent if one.kind == "audio").seconds == pytest.approx(6, abs=0.1)


def test_a_silent_film_has_no_sound_to_send(root: Path) -> None:
    for told in ("fps=1,sound=interleaved", "fps=1,sound=apart", "whole,sound=apart", "whole"):
        pieces, response, _ = sent("openai", root, media("video", "silent.mp4"), text("?"), packing=told)
        assert "a" not in kinds(pieces) and {one.kind for one in response.sent} == {"video"}
    assert pieces[0][1] == (root / "silent.mp4").read_bytes()


def test_a_recording_that_is_asked_can_take_the_place_of_the_films_sound(root: Path) -> None:
    both = (media("video", "silent.mp4", "content"), media("audio", "b.wav", "content"), text("?", "question"))
    pieces, _, _ = sent("openai", root, *both, packing="fps=1,sound=apart_first,sound_from=part")
    assert kinds(pieces) == "aiiiiiit" and heard(pieces[0][1])[:2] == (2.0, 8_000)
    pieces, _, _ = sent("openai", root, *ASKED, packing="fps=1,sound=apart,sound_from=part")
    assert kinds(pieces) == "iiiiiit", "a film that is asked alone is silent"
    for adapter in ("openai", "gemini"):
        pieces, response, _ = sent(adapter, root, *both, packing="whole,sound_from=part")
        assert kinds(pieces) == "vat", "a silent film can't stand for the recording"
        assert [(one.form, one.at) for one in response.sent] == [("file", 0), ("file", 1)]
    pieces, _, _ = sent("openai", root, *ASKED, packing="whole,sound_from=part")
    assert streams(pieces[0][1]) == {"video"}


def test_rate_and_channels_of_recordings_are_settings(root: Path) -> None:
    pieces, response, _ = sent("openai", root, media("audio", "b.wav"), text("?"))
    assert pieces[0][1] == (root / "b.wav").read_bytes()
    assert response.sent == (Sent("audio", "b.wav", "file", 0, 2.0, 8_000, 1, size=len(pieces[0][1]), format="wav"),)
    pieces, response, _ = sent("openai", root, media("audio", "b.wav"), text("?"), packing="rate=16000")
    assert heard(pieces[0][1]) == (2.0, 16_000, HERTZ)
    assert (response.sent[0].form, response.sent[0].rate) == ("converted", 16_000)


@pytest.mark.parametrize("adapter", ["openai", "gemini", "anthropic"])
def test_pictures_are_sent_as_people_see_them(adapter: str, root: Path) -> None:
    from PIL import Image

    pieces, response, _ = sent(adapter, root, media("image", "c.jpg"), text("?"))
    shown = np.asarray(Image.open(io.BytesIO(pieces[0][1])))  # without regard to EXIF
    assert shown.shape == (40, 20, 3) and shown[:20, :, 0].mean() > 200 > 50 > shown[20:, :, 0].mean()
    assert (response.sent[0].form, response.sent[0].width, response.sent[0].height) == ("upright", 20, 40)


@pytest.mark.parametrize("adapter", ["openai", "gemini", "anthropic"])
def test_pictures_can_be_limited_to_a_number_of_pixels(adapter: str, root: Path) -> None:
    from PIL import Image

    draw = np.random.default_rng(0).integers(0, 255, (300, 600, 3), dtype=np.uint8)
    Image.fromarray(draw).save(root / "large.png")
    asked = (media("image", "large.png"), media("image", "c.jpg"), text("?"))
    pieces, response, _ = sent(adapter, root, *asked, packing="image_pixels=20000")
    with Image.open(io.BytesIO(pieces[0][1])) as picture:
        assert picture.size == (200, 100), "the shape stays"
    assert [(one.form, one.width, one.height) for one in response.sent] == [("resized", 200, 100), ("upright", 20, 40)]
    pieces, _, _ = sent(adapter, root, *asked)
    assert pieces[0][1] == (root / "large.png").read_bytes()


def test_media_come_before_or_after_the_text(root: Path) -> None:
    given = (text("Look:", "question"), media("image", "c.jpg", "content"), text("A."), media("image", "c.jpg"))
    orders = {"given": "titi", "media_first": "itti", "text_first": "ttii"}
    for order, told in orders.items():
        pieces, _, _ = sent("openai", root, *given, packing=f"order={order}")
        assert kinds(pieces) == told, order
    assert kinds(sent("openai", root, *given, packing="order=text_first")[0][-1:]) == "i"


def test_vllm_is_told_how_to_read_a_whole_film(root: Path) -> None:
    _, _, body = sent("openai", root, *ASKED, server="vllm", packing="video=whole,fps=2,frames=64,sound=in_video")
    assert body["media_io_kwargs"] == {"video": {"fps": 2.0, "num_frames": 64}}
    assert body["mm_processor_kwargs"] == {"use_audio_in_video": True}
    _, _, body = sent("openai", root, *ASKED, server="vllm", packing="fps=2")
    assert "media_io_kwargs" not in body
    _, _, body = sent("openai", root, *ASKED)
    assert set(body) == {"model", "messages"}


FILM, SILENT, RECORDING = media("video", "a.mp4"), media("video", "silent.mp4"), media("audio", "b.wav")


@pytest.mark.parametrize(
    ("asked", "packing", "hears"),
    [
        ((FILM,), "", True),
        ((FILM, FILM), "", True),
        ((SILENT,), "", False),
        ((RECORDING,), "", False),
        ((media("image", "c.jpg"),), "", False),
        ((FILM, RECORDING), "sound=none,video=whole", False),
        ((FILM, RECORDING), "whole,sound_from=part", True),
        ((SILENT, RECORDING), "whole,sound_from=part", False),
        ((SILENT, RECORDING), "", False),
        ((FILM, SILENT), "whole,sound=apart", False),
    ],
)
def test_vllm_reads_the_sound_of_films_only_where_each_has_one(
    asked: tuple[Part, ...], packing: str, hears: bool, root: Path
) -> None:
    """With `use_audio_in_video`, vLLM (chat_utils, `parse_video`) reads a sound from every film of the Request, and
    fails for one without any; its processor of Qwen-Omni asks for as many recordings as films."""
    _, _, body = sent("openai", root, *asked, text("?"), server="vllm", **({"packing": packing} if packing else {}))
    assert body.get("mm_processor_kwargs", {}) == ({"use_audio_in_video": True} if hears else {})


@pytest.mark.parametrize("asked", [(FILM, SILENT), (FILM, RECORDING)])
def test_films_and_recordings_that_vllm_cannot_take_together_are_refused(asked: tuple[Part, ...], root: Path) -> None:
    pieces, response, _ = sent("openai", root, *asked, text("?"), server="vllm")
    assert not pieces and response.error is not None
    assert "vLLM takes films with their sound only if each has one" in response.error.message


def test_gemini_is_told_the_frames_a_second_of_a_whole_film(root: Path) -> None:
    _, _, body = sent("gemini", root, *ASKED, packing="video=whole,fps=5")
    assert body["contents"][0]["parts"][0]["videoMetadata"] == {"fps": 5.0}


def test_a_film_of_one_frame_is_one_picture(root: Path) -> None:
    pieces, response, _ = sent("anthropic", root, media("video", "one.mp4"), text("?"), packing="fps=2,frames=64")
    assert kinds(pieces) == "it" and response.sent[0].times == (0.0,)


def test_packings_that_an_endpoint_cannot_carry_out_are_refused() -> None:
    for adapter, told, why in (
        ("openai", "frames,sound=in_video", "sound=none"),
        ("anthropic", "frames,sound=apart", "sound=none"),
        ("openai", "video=whole,fps=2", "video=frames"),
        ("gemini", "video=whole,frames=2", "video=frames"),
    ):
        with pytest.raises(SpecError) as caught:
            MAKE[adapter]("m", {"base_url": "http://127.0.0.1:9/v1", "packing": told})
        assert why in str(caught.value)


def test_the_packing_is_part_of_the_identity_where_it_changes_what_is_sent() -> None:
    plain = openai.make("m", {"base_url": "http://127.0.0.1:9/v1"})
    same = openai.make("m", {"base_url": "http://127.0.0.1:9/v1", "packing": "whole"})
    other = openai.make("m", {"base_url": "http://127.0.0.1:9/v1", "packing": "fps=2"})
    assert plain.settings == same.settings == {} and plain.packing == "video=whole,sound=in_video,order=given"
    assert other.settings == {"packing": "video=frames,fps=2,sound=none,order=given"}
    assert json.dumps(other.settings)
