"""Tests of `models/anthropic/body.py`: what is sent to the Messages API."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.models.anthropic.test_adapter import KEY, adapter, ask, request
from tests.support.wire import Wire, fixture
from triptych.errors import MediaError
from triptych.media.payload import MediaReader
from triptych.models.anthropic.adapter import SETTINGS
from triptych.models.anthropic.body import AnthropicBody, body
from triptych.records import Message, Request, media, text

# --- through the adapter


def test_text_images_and_system_go_as_the_service_documents_them(tmp_path: Path) -> None:
    from PIL import Image

    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    Image.new("RGB", (3, 2), (255, 0, 0)).save(tmp_path / "b.bmp")
    asked = request(
        text("one"),
        media("image", "a.jpg"),
        media("image", "b.bmp"),
        text("two"),
        system="Be brief.",
        temperature=1,
        max_tokens=64,
        stop="\n",
        seed=3,
    )
    with Wire(lambda seen: fixture("anthropic/answer")) as wire:
        ask(adapter(wire, thinking_budget="1024", effort="low"), asked, tmp_path)
    (seen,) = wire.seen
    assert seen.path == "/v1/messages" and KEY not in seen.path
    assert KEY in seen.headers.get("x-api-key", "") + seen.headers.get("authorization", "")  # releases differ
    sent = seen.json
    assert sent["system"] == "Be brief." and sent["model"] == "claude-opus-5"
    assert sent["max_tokens"] == 64 + 1024 and sent["temperature"] == 1 and "seed" not in sent
    assert sent["thinking"] == {"type": "enabled", "budget_tokens": 1024}
    assert sent["output_config"] == {"effort": "low"} and sent["stop_sequences"] == ["\n"]
    ((turn),) = sent["messages"]
    assert turn["role"] == "user" and [block["type"] for block in turn["content"]] == ["text", "image", "image", "text"]
    jpeg, png = (block["source"] for block in turn["content"][1:3])
    assert jpeg["media_type"] == "image/jpeg" and base64.b64decode(jpeg["data"]) == b"\xff\xd8\xff\xe0 a picture"
    assert png["media_type"] == "image/png"


def test_nothing_is_said_that_was_not_asked_for() -> None:
    with Wire(lambda seen: fixture("anthropic/answer")) as wire:
        ask(adapter(wire, drop="top_k,temperature", thinking="off"), request(top_k=50, top_p=0.9, temperature=0.8))
    assert set(wire.seen[0].json) == {"model", "max_tokens", "messages", "top_p", "thinking"}
    assert wire.seen[0].json["max_tokens"] == 4096 and wire.seen[0].json["thinking"] == {"type": "disabled"}


def test_a_schema_of_the_reply_is_sent_as_the_service_takes_it() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    with Wire(lambda seen: fixture("anthropic/answer")) as wire:
        ask(adapter(wire, effort="low"), request(json_schema=schema))
    assert wire.seen[0].json["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": schema}}
    assert "json_schema" not in wire.seen[0].json


# --- by itself


def built(asked: Request, root: Path | None = None, **settings: Any) -> AnthropicBody:
    return body(asked, MediaReader(root), "claude-x", {**SETTINGS, **settings})


def test_several_turns_keep_their_roles_and_several_systems_are_joined() -> None:
    turns = (
        Message("system", (text("Be brief."),)),
        Message("user", (text("春眠不觉晓"),)),
        Message("assistant", (text("孟浩然"),)),
        Message("system", (text("Answer in Chinese."),)),
        Message("user", (text("朝代？"),)),
    )
    made = built(Request("1", turns))
    assert made["system"] == "Be brief.\n\nAnswer in Chinese."
    assert [(turn["role"], turn["content"]) for turn in made["messages"]] == [
        ("user", [{"type": "text", "text": "春眠不觉晓"}]),
        ("assistant", [{"type": "text", "text": "孟浩然"}]),
        ("user", [{"type": "text", "text": "朝代？"}]),
    ]


@pytest.mark.parametrize(
    ("settings", "asked", "tokens"),
    [
        ({}, {}, 4096),
        ({"max_tokens": 100}, {}, 100),
        ({"max_tokens": 100}, {"max_tokens": 7}, 7),
        ({"thinking_budget": 1024, "thinking_room": 9}, {"max_tokens": 7}, 1031),
        ({"thinking_room": 9}, {"max_tokens": 7}, 16),
    ],
)
def test_tokens_for_thinking_come_on_top(settings: dict[str, int], asked: dict[str, int], tokens: int) -> None:
    assert built(request(**asked), **settings)["max_tokens"] == tokens


@pytest.mark.parametrize(
    ("settings", "thinking"),
    [
        ({}, None),
        ({"thinking": "adaptive"}, {"type": "adaptive"}),
        ({"thinking": "off"}, {"type": "disabled"}),
        ({"thinking": "adaptive", "thinking_budget": 2048}, {"type": "enabled", "budget_tokens": 2048}),
    ],
)
def test_thinking_as_the_service_names_it(settings: dict[str, Any], thinking: dict[str, Any] | None) -> None:
    assert built(request(), **settings).get("thinking") == thinking


def test_sampling_is_beside_the_arguments_and_what_is_unset_is_left_out() -> None:
    made = built(request(temperature=0, top_k=None, top_p=0.9, stop=["\n", "。"], seed=3))
    assert made["extra_body"] == {"temperature": 0, "top_p": 0.9} and made["stop_sequences"] == ["\n", "。"]
    assert "extra_body" not in built(request(temperature=0.5), drop="top_p, temperature")


def test_what_was_sent_is_stated_with_the_hash_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "图.png").write_bytes(b"\x89PNG\r\n\x1a\n a picture")
    made = built(request(text("?"), media("image", "图.png")), tmp_path)
    (sent,) = made.sent
    assert sent.path == "图.png" and "sent" not in made
    with pytest.raises(MediaError, match="missing"):
        built(request(media("image", "missing.png")), tmp_path)
