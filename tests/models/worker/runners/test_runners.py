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

SOUND: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "audio", "path": "a.wav"}, {"type": "text", "text": "Who? <|AUDIO|>"}]}
]
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
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of a clone, which is put on the path of modules."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    return str(tmp_path)


@pytest.fixture
def film(tmp_path: Path) -> list[dict[str, Any]]:
    """A question about a video of three frames, two seconds apart."""
    for place in range(3):
        Image.new("RGB", (17, 16), (80 * place, 0, 0)).save(tmp_path / f"{place}.png")
    paths = [str(tmp_path / f"{place}.png") for place in range(3)]
    block = {"type": "video", "paths": paths, "times": [1.0, 3.0, 5.0], "fps": 1.0}
    return [{"role": "user", "content": [block, {"type": "text", "text": "What happens?"}]}]


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
    assert "not 0" in own.answer(loaded, [picture[0]], GREEDY)["skipped"]


def test_desta2(libraries: dict[str, Any]) -> None:
    own = runner("desta2")
    model = own.load("weights", {"trust_remote_code": True})
    model.tokenizer.batch_decode.return_value = ["A"]
    assert own.answer(model, SOUND, SAMPLED) == "A"
    turns, told = model.chat.call_args.args[0], model.chat.call_args.kwargs
    assert [turn["role"] for turn in turns] == ["audio", "user"] and turns[0]["content"] == "a.wav"
    assert told == {"max_new_tokens": 7, "do_sample": True, "temperature": 0.5, "top_p": 0.9}


def test_desta25(libraries: dict[str, Any], code: str) -> None:
    own = runner("desta25")
    model = own.load("weights", {"code": code})
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


def test_videollama3(libraries: dict[str, Any], film: list[dict[str, Any]]) -> None:
    own = runner("videollama3")
    libraries["torch"].is_tensor.return_value = False
    model, processor = own.load("weights", {"trust_remote_code": True})
    processor.return_value = {"input_ids": [[1, 2]]}
    model.generate.return_value = [[5, 6, 7]]
    processor.batch_decode.return_value = ["A"]
    assert own.answer((model, processor), film, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    told = processor.call_args.kwargs
    video, words = told["conversation"][0]["content"]
    assert len(video["video"]) == video["num_frames"] == 3 and video["timestamps"] == [1.0, 3.0, 5.0]
    assert words == {"type": "text", "text": "What happens?"} and told["add_generation_prompt"]
    assert model.generate.call_args.kwargs == {"input_ids": [[1, 2]], "do_sample": False, "max_new_tokens": 7}


def test_video_xl_2_gets_a_file_of_exactly_the_chosen_frames(
    libraries: dict[str, Any], film: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    av = pytest.importorskip("av")
    own = runner("video_xl_2")
    model, words = own.load("weights", {"trust_remote_code": True})
    seen: list[Any] = []

    def chat(path: str, tokenizer: Any, question: str, **told: Any) -> str:
        with av.open(path) as container:
            frames = [(frame.time, frame.to_ndarray(format="rgb24")[0, 0, 0]) for frame in container.decode(video=0)]
        seen.extend((Path(path), frames, question, told))
        return "A"

    model.chat = chat
    assert own.answer((model, words), film, SAMPLED) == "A"
    path, frames, question, told = seen
    assert [round(time, 2) for time, _ in frames] == [0.0, 2.0, 4.0] and question == "What happens?"
    assert all(abs(int(red) - 80 * place) <= 3 for place, (_, red) in enumerate(frames))
    assert told["max_num_frames"] == 3 and told["generation_config"]["max_new_tokens"] == 7
    assert told["generation_config"]["do_sample"] and told["generation_config"]["temperature"] == 0.5
    assert not path.exists()
    assert "not 0" in own.answer((model, words), SOUND, GREEDY)["skipped"]


def test_step_audio_2(libraries: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own, package = runner("step_audio_2"), MagicMock()
    monkeypatch.setitem(sys.modules, "stepaudio2", package)
    model = own.load("weights", {"code": code})
    package.StepAudio2.assert_called_once_with("weights")
    model.return_value = ([1, 2], "A", [])
    asked = [{"role": "system", "content": [{"type": "text", "text": "Be brief."}]}, *SOUND]
    asked[1] = {"role": "user", "content": [*SOUND[0]["content"], {"type": "text", "text": "<|EOT|>"}]}
    assert own.answer(model, asked, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 3}
    system, human, reply = model.call_args.args[0]
    assert system == {"role": "system", "content": "Be brief."} and human["role"] == "human"
    assert human["content"][0] == {"type": "audio", "audio": "a.wav"}
    assert human["content"][-1]["text"] == "< |EOT|>", "a mark in the question is plain text"
    assert reply == {"role": "assistant", "content": None}
    model.return_value = ([1] * 6, "A", [])
    assert own.answer(model, SOUND, GREEDY)["finish"] == "length"


def test_ming_lite_omni(
    libraries: dict[str, Any], code: str, film: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, package = runner("ming_lite_omni"), MagicMock()
    monkeypatch.setitem(sys.modules, "modeling_bailingmm", package)
    model, processor = own.load("weights", {"code": code, "trust_remote_code": True, "device": "cpu"})
    processor.process_vision_info.return_value = (None, ["frames"], ["sound"])

    class Inputs(dict[str, Any]):
        def to(self, device: Any) -> Inputs:
            return self

    processor.return_value = Inputs(input_ids=[[1, 2]], pixel_values_videos=MagicMock())
    model.generate.return_value = [[1, 2, 5, 6]]
    processor.batch_decode.return_value = ["A"]
    film[0]["content"].append({"type": "audio", "path": "a.wav"})
    assert own.answer((model, processor), film, GREEDY) == {"text": "A", "finish": "stop", "output_tokens": 2}
    (turn,) = processor.process_vision_info.call_args.args[0]
    assert turn["role"] == "HUMAN" and len(turn["content"][0]["video"]) == 3
    assert turn["content"][2] == {"type": "audio", "audio": "a.wav"}
    assert model.generate.call_args.kwargs["use_whisper_encoder"]
    assert processor.batch_decode.call_args.args[0] == [[5, 6]]
