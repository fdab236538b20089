"""LoRA adapters that a card needs: which one is asked for, read off a server that answers as vLLM does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.wire import Answer, Seen, Wire
from triptych.media.payload import MediaReader
from triptych.models.catalogue import catalogue
from triptych.models.loras import active, pairs_of, setting_of
from triptych.models.registry import load_adapter
from triptych.records import Message, Part, Request, Response, media, text
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.scoring.notes.served_models import count_served_models, other_model_counts
from triptych.store.journals.replies import ReplyJournal

PHI = "microsoft/Phi-4-multimodal-instruct"


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


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
    answers = {one.item: one for one in journal.latest_replies().values()}
    return [answers[name] for name in turns if name in answers]


def test_phi_4_is_asked_by_the_adapter_of_the_media(folder: Path) -> None:
    """Pictures with speech are the vision adapter's, as in the authors' code; a text alone is the base's."""
    server = LikeVllm("vision", "speech")
    responses = asked(server, folder, "phi-4-multimodal")
    assert [body["model"] for body in server.bodies] == ["speech", "vision", "vision", PHI]
    assert [one.adapter for one in responses] == ["speech", "vision", "vision", ""]
    assert [one.served_model for one in responses] == ["speech", "vision", "vision", PHI]
    assert count_served_models(responses) == {PHI: 1} and not other_model_counts(f"openai/{PHI}", responses)
    line = json.loads(next(folder.glob("j*.jsonl")).read_text(encoding="utf-8").splitlines()[0])
    assert line["adapter"] == "speech" and [one["kind"] for one in line["sent"]] == ["audio"]


def test_without_its_adapters_phi_4_is_the_base_only_by_name(folder: Path) -> None:
    server = LikeVllm()
    responses = asked(server, folder, "phi-4-multimodal", loras="none")
    assert {body["model"] for body in server.bodies} == {PHI} and not any(one.adapter for one in responses)


def test_a_reply_that_names_the_base_was_given_without_the_adapter() -> None:
    """A gateway that knows no adapters and answers for any name."""
    wrong = Response("1", "", 0, "answered", "A", served_model=PHI, adapter="speech")
    assert other_model_counts(f"openai/{PHI}", [wrong]) == {f"{PHI} without the adapter speech": 1}


def test_rows_of_the_catalogue_state_their_adapters() -> None:
    told = {row.key: setting_of(row.loras) for row in catalogue().values() if row.loras}
    assert told == {"phi-4-multimodal": "image:vision,audio:speech", "granite-speech-3.3-8b": "audio:speech"}
    assert active(pairs_of(told["phi-4-multimodal"]), {"audio", "video"}) == "speech"
