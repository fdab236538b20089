"""LoRA adapters that a card needs: which one is asked for, read off a server that answers as vLLM does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.wire import Answer, Seen, Wire
from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.media.sound import encode_wav
from triptych.models.catalogue import catalogue
from triptych.models.http.faults import fault
from triptych.models.loras import active, pairs_of, setting_of
from triptych.models.named import resolved
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, Response, media, text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.scoring.notes.served_models import not_asked, served
from triptych.store.journals.replies import ReplyJournal

PHI = "microsoft/Phi-4-multimodal-instruct"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros(1600, np.float32), 16_000))
    (tmp_path / "b.png").write_bytes(
        bytes.fromhex(
            "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
            "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
        )
    )
    return tmp_path


class LikeVllm:
    """Answers as `vllm serve PHI --lora-modules vision=… speech=…`: an adapter's name is a model, and the reply names
    what answered. `registered`: the adapters that it was started with."""

    def __init__(self, *registered: str) -> None:
        self.known, self.bodies = (PHI, *registered), list[dict[str, Any]]()

    def __call__(self, seen: Seen) -> Answer:
        if seen.path.endswith("/models"):
            return Answer(200, json.dumps({"data": [{"id": name} for name in self.known]}).encode())
        body = seen.json
        self.bodies.append(body)
        if body["model"] not in self.known:
            error = {"error": {"message": f"The model `{body['model']}` does not exist.", "type": "NotFoundError"}}
            return Answer(404, json.dumps(error).encode())
        choice = {"message": {"content": "A"}, "finish_reason": "stop"}
        return Answer(200, json.dumps({"model": body["model"], "choices": [choice]}).encode())


def asked(server: LikeVllm, folder: Path, model: str, **settings: Any) -> list[Response]:
    """The Responses to a recording, a picture, both, and a text."""
    turns: dict[str, tuple[Part, ...]] = {
        "audio": (media("audio", "a.wav"), text("?")),
        "image": (media("image", "b.png"), text("?")),
        "both": (media("image", "b.png"), media("audio", "a.wav"), text("?")),
        "text": (text("?"),),
    }
    requests = [Request(name, (Message("user", parts),), {"temperature": 0}) for name, parts in turns.items()]
    with Wire(server) as wire:
        adapter = load_adapter(model, {"base_url": f"{wire.url}/v1", **settings})
        journal = ReplyJournal(folder, "j")
        told = RunOptions(progress=False, retries=0, concurrency=1)
        run_sync(execute(requests, adapter, journal, MediaReader(folder), told))
    answers = {one.item: one for one in journal.latest().values()}
    return [answers[name] for name in turns if name in answers]


def test_phi_4_is_asked_by_the_adapter_of_the_media(folder: Path) -> None:
    """Pictures with speech are the vision adapter's, as in the authors' code; a text alone is the base's."""
    server = LikeVllm("vision", "speech")
    responses = asked(server, folder, "phi-4-multimodal")
    assert [body["model"] for body in server.bodies] == ["speech", "vision", "vision", PHI]
    assert [one.adapter for one in responses] == ["speech", "vision", "vision", ""]
    assert [one.served_model for one in responses] == ["speech", "vision", "vision", PHI]
    assert served(responses) == {PHI: 1} and not not_asked(f"openai/{PHI}", responses)
    line = json.loads(next(folder.glob("j*.jsonl")).read_text(encoding="utf-8").splitlines()[0])
    assert line["adapter"] == "speech" and [one["kind"] for one in line["sent"]] == ["audio"]


def test_without_its_adapters_phi_4_is_the_base_only_by_name(folder: Path) -> None:
    server = LikeVllm()
    responses = asked(server, folder, "phi-4-multimodal", loras="none")
    assert {body["model"] for body in server.bodies} == {PHI} and not any(one.adapter for one in responses)


def test_a_server_without_the_adapter_is_no_answer_and_the_fix_is_stated(folder: Path) -> None:
    assert asked(LikeVllm(), folder, "phi-4-multimodal") == []
    adapter = load_adapter("phi-4-multimodal", {"base_url": "http://127.0.0.1:9/v1"})
    told = adapter._explained(fault(404, "The model `speech` does not exist."))  # type: ignore[attr-defined]
    assert "triptych serve" in str(told) and "-M loras=none" in str(told)


def test_a_reply_that_names_the_base_was_given_without_the_adapter() -> None:
    """A gateway that knows no adapters and answers for any name."""
    wrong = Response("1", "", 0, "answered", "A", served_model=PHI, adapter="speech")
    assert not_asked(f"openai/{PHI}", [wrong]) == {f"{PHI} without the adapter speech": 1}


def test_granite_is_asked_by_its_speech_adapter_and_the_setting_is_part_of_the_run() -> None:
    name, settings = resolved("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1"})
    assert settings["loras"] == "audio:speech" and name == "openai/ibm-granite/granite-speech-3.3-8b"
    one = load_adapter("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1"})
    other = load_adapter("granite-speech-3.3-8b", {"base_url": "http://127.0.0.1:9/v1", "loras": "none"})
    assert dict(one.settings) == {"loras": "audio:speech"} and dict(other.settings) == {"loras": "none"}


@pytest.mark.parametrize("setting", ["speech", "audio:", "sound:speech", "audio:a,audio:b", "text:a"])
def test_a_wrong_setting_is_refused(setting: str) -> None:
    with pytest.raises(SpecError, match="loras"):
        load_adapter("openai/a", {"base_url": "http://127.0.0.1:9/v1", "loras": setting})


def test_rows_of_the_catalogue_state_their_adapters() -> None:
    told = {row.key: setting_of(row.loras) for row in catalogue().values() if row.loras}
    assert told == {"phi-4-multimodal": "image:vision,audio:speech", "granite-speech-3.3-8b": "audio:speech"}
    assert active(pairs_of(told["phi-4-multimodal"]), {"audio", "video"}) == "speech"
