"""Tests of `models/encoders/cls.py`: the cosine of the [CLS] vectors of two texts."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.support.encoders import small_model
from triptych.models.encoders.cls import cls_cosine
from triptych.models.encoders.encoder import TextEncoder

pytestmark = pytest.mark.weights


def test_the_cosine_is_that_of_whole_texts_by_hand() -> None:
    """By transformers alone: each text on its own, in blocks of 512 tokens, means of first vectors."""
    torch = pytest.importorskip("torch")
    from transformers import AutoModel, AutoTokenizer

    folder = small_model("m3e-small")
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()

    @cache
    def vector(text: str) -> Any:
        ids = tokenizer.encode(text)
        with torch.no_grad():
            firsts = [model(torch.tensor([ids[i : i + 512]]))[0][0, 0] for i in range(0, len(ids), 512)]
        return torch.stack(firsts).mean(dim=0)

    texts = ["", "月", "明月幾時有", "明月" * 255, "明月" * 255 + "月", "ＡＢＣ tang 12"]
    pairs = [(a, b) for a in texts for b in texts[::2]]
    found = cls_cosine(TextEncoder(folder, device="cpu"), *map(list, zip(*pairs, strict=True)))
    expected = [torch.cosine_similarity(vector(a), vector(b), dim=0).item() for a, b in pairs]
    assert found == pytest.approx(expected, abs=1e-5)
