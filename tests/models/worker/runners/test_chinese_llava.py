"""Tests of `models/worker/runners/chinese_llava.py`."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, SAMPLED, Clone, asked, text


def test_chinese_llava(clone: Clone, picture: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    library = MagicMock()
    monkeypatch.setitem(sys.modules, "transformers", library)
    library.CLIPImageProcessor.from_pretrained.return_value.preprocess.return_value = {
        "pixel_values": torch.zeros(1, 3, 4, 4)
    }
    own, loaded, calls = clone("chinese_llava")
    library.AutoTokenizer.from_pretrained.return_value.batch_decode.return_value = [" A</s>"]
    calls["whole"] = True
    reply = own.answer(loaded, asked(picture, text("Is <im_patch> red?"), system="Be brief."), GREEDY)
    item, kind = calls["item"]
    value = "Is < im_patch> red?\n" + "<im_patch>" * 4
    assert item["conversations"] == [{"from": "human", "value": value}, {"from": "gpt", "value": ""}]
    assert item["instruction"] == "Be brief." and kind == "Chinese_llama2"
    assert calls["generate"]["images"].dtype == torch.float16 and calls["generate"]["images"].shape == (1, 3, 4, 4)
    assert reply == {"text": "A", "finish": "stop", "output_tokens": 2}
    own.answer(loaded, asked(text()), SAMPLED)
    assert calls["generate"]["images"] is None and calls["generate"]["temperature"] == 0.5
