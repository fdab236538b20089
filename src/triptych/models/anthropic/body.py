"""Building the body of Anthropic's Messages API from a Request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triptych.media.convert import image_to_png
from triptych.media.payload import MediaReader
from triptych.models.packing.files import USUAL, FilePacker
from triptych.models.packing.packer import Piece
from triptych.models.packing.packing import Packing
from triptych.records import Request, Sent

THINKING = ("adaptive", "off")
EFFORTS = ("low", "medium", "high", "xhigh", "max")
# Newer models don't support these, and the SDK has no argument for them; older models do. The service has no
# seed
_SAMPLING = ("temperature", "top_p", "top_k")


class AnthropicBody(dict[str, Any]):
    """The arguments of `messages.create`, and what was sent in them for each media Part."""

    sent: tuple[Sent, ...] = ()


def body(
    request: Request, media: MediaReader, model: str, taken: Mapping[str, Any], packing: Packing = USUAL
) -> AnthropicBody:
    """Return the arguments of `messages.create`, with images as base64. Raises MediaError."""
    formats = frozenset(name.strip() for name in taken["image_formats"].split(","))
    packed = FilePacker(media, packing, fit=lambda one: one if one.format in formats else image_to_png(one)).pack(
        request
    )
    dropped = {name.strip() for name in str(taken["drop"]).split(",")}
    settings = {k: v for k, v in request.settings.items() if v is not None and k not in dropped}
    fields: dict[str, Any] = {}
    if sampling := {k: v for k, v in settings.items() if k in _SAMPLING}:
        fields["extra_body"] = sampling
    room = taken["thinking_budget"] or taken["thinking_room"]
    fields |= {"model": model, "max_tokens": int(settings.get("max_tokens") or taken["max_tokens"]) + room}
    if stop := settings.get("stop"):
        fields["stop_sequences"] = [stop] if isinstance(stop, str) else list(stop)
    if system := "\n\n".join(p.text for m in request.messages if m.role == "system" for p in m.parts):
        fields["system"] = system
    if thinking := _thinking(taken):
        fields["thinking"] = thinking
    config: dict[str, Any] = {"effort": taken["effort"]} if taken["effort"] else {}
    if schema := settings.get("json_schema"):
        config["format"] = {"type": "json_schema", "schema": schema}
    if config:
        fields["output_config"] = config
    fields["messages"] = [
        {"role": role, "content": [_block(piece) for piece in turn]} for role, turn in packed.turns if role != "system"
    ]
    made = AnthropicBody(fields)
    made.sent = packed.sent
    return made


def _thinking(taken: Mapping[str, Any]) -> dict[str, Any] | None:
    if taken["thinking_budget"]:
        return {"type": "enabled", "budget_tokens": taken["thinking_budget"]}
    return {"adaptive": {"type": "adaptive"}, "off": {"type": "disabled"}}.get(taken["thinking"])


def _block(piece: Piece) -> dict[str, Any]:
    """Return one content block."""
    payload = piece.payload
    if payload is None:
        return {"type": "text", "text": piece.text}
    source = {"type": "base64", "media_type": payload.mime, "data": payload.base64.decode("ascii")}
    return {"type": "image", "source": source}
