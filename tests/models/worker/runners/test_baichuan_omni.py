"""Tests of `models/worker/runners/baichuan_omni.py`: baichuan-Omni-1.5, as its demo asks it, for answers in text."""

from __future__ import annotations

import sys
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.models.worker.clones import GREEDY, Clone, asked, sound, text


def test_baichuan_omni(clone: Clone, film: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    library = MagicMock()
    monkeypatch.setitem(sys.modules, "transformers", library)

    def model(name: str, **kwargs: Any) -> Any:
        import model  # type: ignore[import-not-found]

        library.AutoTokenizer.from_pretrained.return_value = model.Tokenizer()
        return model.Omni()

    library.AutoModelForCausalLM.from_pretrained.side_effect = model
    own, loaded, calls = clone("baichuan_omni", trust_remote_code=True)
    assert calls["bound"] == {"training": False, "relative_path": "/"}
    reply = own.answer(loaded, asked(film, sound(), text("What <C_A> is <11>?"), system="Be brief."), GREEDY)
    frames = "".join(f'<videoframe_start_omni>{{"local": "{path}"}}<videoframe_end_omni>' for path in film["paths"])
    assert calls["text"] == (
        f'<B_SYS>Be brief.<C_Q><13>{frames}<14><15>{{"path": "a.wav"}}<16>What < C_A> is < 11>?<C_A>'
    )
    given = calls["generate"]
    assert given["images"][0].dtype == torch.float32 and given["stop_strings"] == ["<|endoftext|>"]
    assert given["max_new_tokens"] == 7 and given["attention_mask"] is None
    assert calls["decoded"] == [8, 9] and reply["output_tokens"] == 2 and reply["finish"] == "stop"
    assert reply["encoded"] == {film["paths"][0]: 2} and reply["text"].endswith("A<|endofchunk|>")
