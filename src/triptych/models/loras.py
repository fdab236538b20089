"""LoRA adapters that belong to a model's weights: which of them answers a Request, by the kinds of media in it.

Some cards have adapters next to the base weights, and the base alone answers badly: Phi-4-multimodal has one for vision
and one for speech, Granite Speech has one for speech. A Request activates at most one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import get_args

import msgspec

from triptych.errors import SpecError
from triptych.records import Kind

NONE = "none"  # the setting by which none is activated
_KINDS = tuple(kind for kind in get_args(Kind) if kind != "text")


class CardLora(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One adapter of a card.

    kind    kind of media that needs it
    name    the name under which it is served and activated
    folder  its folder in the repository of the weights; `.`: next to the weights
    """

    kind: Kind
    name: str
    folder: str = "."


def setting_of(loras: Sequence[CardLora]) -> str:
    """Return the adapters as the setting `loras`.

    Example:
        >>> setting_of([CardLora("image", "vision", "vision-lora"), CardLora("audio", "speech", "speech-lora")])
        'image:vision,audio:speech'
    """
    return ",".join(f"{one.kind}:{one.name}" for one in loras)


def pairs_of(setting: str, where: str = "-M loras") -> tuple[tuple[Kind, str], ...]:
    """Return (kind, name of the adapter) of the setting `loras`; empty for `none` and for no setting.

    Raises SpecError if it is not `KIND:NAME,…`.

    Example:
        >>> pairs_of("image:vision,audio:speech")
        (('image', 'vision'), ('audio', 'speech'))
    """
    texts = [piece.strip().partition(":") for piece in setting.split(",") if piece.strip() not in ("", NONE)]
    for kind, _, name in texts:
        if kind not in _KINDS or not name:
            raise SpecError(
                "the setting loras is not KIND:NAME,…",
                got=setting,
                where=where,
                expected=f"none, or for example audio:speech; kinds: {', '.join(_KINDS)}",
            )
    kinds = [kind for kind, _, _ in texts]
    if doubled := next((kind for kind in kinds if kinds.count(kind) > 1), ""):
        raise SpecError("the setting loras has two adapters for one kind", got=doubled, where=where)
    return tuple((kind, name) for kind, _, name in texts)  # type: ignore[misc]


def active(pairs: Sequence[tuple[Kind, str]], kinds: Collection[str]) -> str:
    """Return the adapter that answers a Request with these kinds of media; empty: the weights without one.

    The first pair whose kind occurs decides. So Phi-4's vision adapter answers pictures with speech, as in its authors'
    code (`modeling_phi4mm.py`: the modes VISION and VISION_SPEECH set `vision`, SPEECH sets `speech`).

    Example:
        >>> both = pairs_of("image:vision,audio:speech")
        >>> active(both, {"text", "audio"}), active(both, {"text", "audio", "image"}), active(both, {"text"})
        ('speech', 'vision', '')
    """
    return next((name for kind, name in pairs if kind in kinds), "")
