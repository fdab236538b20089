"""Tests of `models/hf/scans.py`: a model that transcribes one picture, without a question."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from triptych.models.hf.content import Conversation
from triptych.models.hf.scans import encode_scans, is_scanner


class GotOcr2Processor:
    """Takes pictures and options as the one of transformers."""

    def __call__(self, images: list[Any], return_tensors: str, text_kwargs: dict[str, Any]) -> dict[str, Any]:
        return {"pixel_values": images, "tensors": return_tensors, **text_kwargs}


def conversation(*pictures: str) -> Conversation:
    blocks = [{"type": "image", "image": picture} for picture in pictures]
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "Read."}]},
        {"role": "user", "content": [*blocks, {"type": "text", "text": "图中写了什么？"}]},
    ]
    return Conversation(messages, 1.0, (), ())


def test_the_picture_of_each_conversation_goes_without_its_question() -> None:
    encoded = encode_scans(GotOcr2Processor(), [conversation("first"), conversation("second")])
    assert encoded == {"pixel_values": ["first", "second"], "tensors": "pt", "padding": True}


@pytest.mark.parametrize(("pictures", "number"), [((), 0), (("a", "b"), 2)])
def test_another_number_of_pictures_is_refused(pictures: tuple[str, ...], number: int) -> None:
    with pytest.raises(ValueError, match=f"exactly one picture, not {number}"):
        encode_scans(GotOcr2Processor(), [conversation("good"), conversation(*pictures)])


def test_only_this_processor_is_a_scanner() -> None:
    assert is_scanner(GotOcr2Processor()) and not is_scanner(object())


def test_transformers_names_it_so() -> None:
    found = find_spec("transformers")
    if found is None or found.origin is None:
        pytest.skip("transformers is not installed: make models")
    module = Path(found.origin).parent / "models" / "got_ocr2" / "processing_got_ocr2.py"
    assert f"class {GotOcr2Processor.__name__}(" in module.read_text(encoding="utf-8")
