"""GOT-OCR: a model that only transcribes. Its processor has no chat template and takes pictures without a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triptych.models.hf.content import Conversation


def is_scanner(processor: Any) -> bool:
    """Return whether the processor takes only pictures, no question."""
    return type(processor).__name__ == "GotOcr2Processor"


def encode_scans(processor: Any, conversations: Sequence[Conversation]) -> Any:
    """Return the model's inputs: the only picture of each conversation, with the processor's own prompt (`OCR:`).

    Raises ValueError unless each conversation has one picture.
    """
    pictures = []
    for conversation in conversations:
        blocks = [one for turn in conversation.messages for one in turn["content"] if one["type"] == "image"]
        if len(blocks) != 1:
            raise ValueError(f"GOT-OCR transcribes exactly one picture, not {len(blocks)}")
        pictures.append(blocks[0]["image"])
    return processor(images=pictures, return_tensors="pt", text_kwargs={"padding": True})
