"""The built-in runners send what the model cards ask for; the models themselves are replaced."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest
from PIL import Image

from triptych.models.worker.environments import RUNNERS

SOUND = [{"role": "user", "content": [{"type": "audio", "path": "a.wav"}, {"type": "text", "text": "Who? <|AUDIO|>"}]}]
GREEDY = {"max_tokens": 7, "temperature": 0}
SAMPLED = {"max_tokens": 7, "temperature": 0.5, "top_p": 0.9}


def runner(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"runner_{name}", RUNNERS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """transformers, torch and desta, which record how they are called."""
    found: dict[str, Any] = {name: MagicMock(name=name) for name in ("transformers", "torch", "desta")}
    for name, module in found.items():
        monkeypatch.setitem(sys.modules, name, module)
    return found


@pytest.fixture
def picture(tmp_path: Path) -> list[dict[str, Any]]:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    parts = [{"type": "image", "path": str(tmp_path / "a.png")}, {"type": "text", "text": "What is <image>?"}]
    return [{"role": "system", "content": [{"type": "text", "text": "Be brief."}]}, {"role": "user", "content": parts}]


def test_qwen_chat(libraries: dict[str, Any]) -> None:
    own = runner("qwen_chat")
    model, words = own.load("weights", {"trust_remote_code": True})
    model.chat.return_value = ("A", None)
    words.from_list_format.side_effect = list
    turns = [*SOUND, {"role": "assistant", "content": [{"type": "text", "text": "Bai"}]}, *SOUND]
    assert own.answer((model, words), turns, SAMPLED) == "A"
    told = model.chat.call_args.kwargs
    query = [{"audio": "a.wav"}, {"text": "Who? <|AUDIO|>"}]
    assert told["query"] == query and told["history"] == [(query, "Bai")]
    assert told["max_new_tokens"] == 7 and told["top_p"] == 0.9
    own.answer((model, words), SOUND, GREEDY)
    assert model.chat.call_args.kwargs["do_sample"] is False


def test_minicpm_v(libraries: dict[str, Any], picture: list[dict[str, Any]]) -> None:
    own = runner("minicpm_v")
    loaded = own.load("weights", {"trust_remote_code": True, "device": "cpu"})
    loaded[0].chat.return_value = ("A", None, None)
    assert own.answer(loaded, picture, GREEDY) == "A"
    told = loaded[0].chat.call_args.kwargs
    assert (
        told["sampling"] is False and told["image"].size == (4, 4) and [m["role"] for m in told["msgs"]] == ["user"] * 2
    )
    with pytest.raises(ValueError, match="not 0"):
        own.answer(loaded, [picture[0]], GREEDY)


def test_desta2(libraries: dict[str, Any]) -> None:
    own = runner("desta2")
    model = own.load("weights", {"trust_remote_code": True})
    model.tokenizer.batch_decode.return_value = ["A"]
    assert own.answer(model, SOUND, SAMPLED) == "A"
    turns, told = model.chat.call_args.args[0], model.chat.call_args.kwargs
    assert [turn["role"] for turn in turns] == ["audio", "user"] and turns[0]["content"] == "a.wav"
    assert told == {"max_new_tokens": 7, "do_sample": True, "temperature": 0.5, "top_p": 0.9}


def test_desta25(libraries: dict[str, Any]) -> None:
    own = runner("desta25")
    model = own.load("weights", {})
    model.generate.return_value.text = "A"
    assert own.answer(model, SOUND, GREEDY) == "A"
    (turn,) = model.generate.call_args.kwargs["messages"]
    assert turn["content"].count("<|AUDIO|>") == 1 == len(turn["audios"]), "a mark in the question is plain text"


def test_ovis(libraries: dict[str, Any], picture: list[dict[str, Any]]) -> None:
    own = runner("ovis")
    model = own.load("weights", {"trust_remote_code": True})
    model.get_conversation_formatter().format_query.return_value = ("", [1])
    model.generate.return_value = [[1, 2, 3]]
    model.get_text_tokenizer().decode.return_value = "A"
    assert own.answer(model, picture, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    (query,) = model.get_conversation_formatter().format_query.call_args.args
    assert query.startswith("<image>\n") and query.count("<image>") == 1
