"""Runners of models whose code is a repository, against small repositories with the same entry points."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest
from PIL import Image

from tests.models.worker.clones import REPOSITORIES, write_clone
from tests.models.worker.runners.test_runners import runner
from triptych.media.payload import MediaReader
from triptych.media.sound import encode_wav
from triptych.models.adapter import Reply
from triptych.models.registry import load_adapter
from triptych.models.worker.environments import RUNNERS, environments
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Request, media
from triptych.records import text as words

GREEDY = {"max_tokens": 7, "temperature": 0}
SAMPLED = {"max_tokens": 7, "temperature": 0.5, "top_p": 0.9}
CLONED = [one for one in environments().values() if one.clone and one.runner in REPOSITORIES]
Clone = Callable[..., tuple[ModuleType, Any, dict[str, Any]]]


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clone]:
    """Return a function that loads a runner with its small repository: (runner, what it loaded, recorded calls)."""
    before, folder = set(sys.modules), tmp_path / "clone"
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    monkeypatch.chdir(tmp_path)

    def load(name: str, source: str = "weights", **options: Any) -> tuple[ModuleType, Any, dict[str, Any]]:
        write_clone(name, folder)
        importlib.invalidate_caches()
        import calls  # type: ignore[import-not-found]

        own = runner(name)
        loaded = own.load(source, {"code": str(folder), "device": "cpu", **options})
        return own, loaded, calls.CALLS

    yield load
    for module in set(sys.modules) - before:
        told = vars(sys.modules[module])
        if str(folder) in f"{told.get('__file__')} {told.get('__path__')}":
            del sys.modules[module]


def _skips(reply: dict[str, Any], why: str) -> bool:
    return list(reply) == ["skipped"] and why in reply["skipped"]


def asked(*blocks: dict[str, Any], system: str = "") -> list[dict[str, Any]]:
    first = [{"role": "system", "content": [{"type": "text", "text": system}]}] if system else []
    return [*first, {"role": "user", "content": list(blocks)}]


def text(words: str = "What is it?") -> dict[str, Any]:
    return {"type": "text", "text": words}


def sound(seconds: float = 40.0) -> dict[str, Any]:
    return {"type": "audio", "path": "a.wav", "seconds": seconds}


@pytest.fixture
def picture(tmp_path: Path) -> dict[str, Any]:
    Image.new("RGB", (4, 4)).save(tmp_path / "a.png")
    return {"type": "image", "path": str(tmp_path / "a.png")}


@pytest.fixture
def film(tmp_path: Path) -> dict[str, Any]:
    """A video of seven frames, one per second."""
    for place in range(7):
        Image.new("RGB", (16, 16), (30 * place, 0, 0)).save(tmp_path / f"{place}.png")
    paths = [str(tmp_path / f"{place}.png") for place in range(7)]
    return {"type": "video", "paths": paths, "times": [float(place) for place in range(7)], "fps": 1.0}


@pytest.mark.parametrize("one", CLONED, ids=lambda one: one.key)
def test_the_small_repository_has_the_files_by_which_the_real_one_is_recognised(one: Any) -> None:
    assert {one.entry, *one.files} <= set(REPOSITORIES[one.runner])
    assert (RUNNERS / f"{one.runner}.py").is_file()


def test_videollama2_takes_a_video_with_its_recording(clone: Clone, film: dict[str, Any]) -> None:
    own, loaded, calls = clone("videollama2_av")
    reply = own.answer(loaded, asked(film, sound(), text("What is <video>?"), system="Be brief."), SAMPLED)
    given, turns, modal, told, tower = calls["infer"]
    frames = [film["paths"][1], film["paths"][5]]
    assert given == {"video": ["film", frames], "audio": ["sound", "a.wav"]} and modal == "video" and tower == "tower"
    assert turns == [{"role": "user", "content": "Be brief.\nWhat is < video>?"}]
    assert told == {"do_sample": True, "temperature": 0.5, "top_p": 0.9, "max_new_tokens": 7}
    assert reply == {"text": "A of video", "encoded": {"a.wav": 30, film["paths"][0]: 2}}


def test_videollama2_is_asked_about_a_picture_without_its_audio_tower(clone: Clone, picture: dict[str, Any]) -> None:
    own, loaded, calls = clone("videollama2_av")
    own.answer(loaded, asked(picture, text()), GREEDY)
    assert calls["infer"][2] == "image" and calls["infer"][4] is None
    own.answer(loaded, asked(text()), GREEDY)
    assert calls["infer"][0] is None and calls["infer"][2] == "text" and calls["infer"][4] == "tower"
    assert _skips(
        own.answer(loaded, asked(sound(), sound(), text()), GREEDY),
        "takes one medium, or a video with a recording, not audio, audio",
    )


def test_vita_has_all_media_at_their_places(clone: Clone, picture: dict[str, Any], film: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("vita", vision="intern", audio="whale")
    assert calls["load"] == ["weights", {"mm_vision_tower": "intern", "mm_audio_encoder": "whale"}]
    assert calls["kind"] == ["VITA-1.5", "qwen2p5_instruct"] and calls["loaded"]
    other = {**sound(), "path": "b.wav"}
    told = asked(picture, text("A <image>:"), sound(), film, other, text("Which?"), system="Be brief.")
    reply = own.answer(loaded, told, GREEDY)
    assert reply == {"text": "A", "finish": "stop", "output_tokens": 2}
    words = "Be brief.\n<image><image>\nA < image>:\n<audio>\n" + "<image>" * 7 + "\n<audio>\nWhich?"
    assert calls["turns"] == [("user", words), ("bot", None)] and calls["modality"] == "video"
    given = calls["generate"]
    assert given["images"].shape == (9, 3, 4, 4) and given["do_sample"] is False
    assert given["audios"]["audios"].shape == (2, 20, 80) and given["audios"]["lengths"].tolist() == [10, 20]
    assert given["audios"]["lengths_for_llm"].tolist() == [3, 3] and calls["heard"] == ["a.wav", "b.wav"]
    assert calls["tokenized"] == "tokenizer_image_audio_token"
    own.answer(loaded, asked(text()), {**SAMPLED, "max_tokens": 2})
    assert calls["tokenized"] == "tokenizer_image_token" and calls["modality"] == "lang"
    assert calls["generate"]["audios"]["audios"].shape == (1, 400, 80) and calls["generate"]["top_p"] == 0.9
    assert calls["generate"]["images"].shape == (1, 3, 448, 448)


def test_maya(clone: Clone, picture: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("maya")
    assert calls["load"] == ["CohereForAI/aya-23-8B", "weights", "finetuned"]
    reply = own.answer(loaded, asked(picture, text("Is <image> red?"), system="Be brief."), SAMPLED)
    assert calls["turns"] == [("user", "<image>\nBe brief.\nIs < image> red?"), ("bot", None)]
    assert calls["generate"]["images"].shape == (1, 3, 4, 4) and calls["generate"]["image_sizes"] == [(4, 4)]
    assert reply["output_tokens"] == 2 and calls["generate"]["temperature"] == 0.5
    own.answer(loaded, asked(text()), GREEDY)
    assert "images" not in calls["generate"] and calls["generate"]["do_sample"] is False
    assert _skips(own.answer(loaded, asked(picture, picture), GREEDY), "one picture, not 2")


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


def test_salmonn(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("yaml")
    for name in ("transformers", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    parts = {"vicuna": "v", "whisper": "w", "beats": "b.pt"}
    with pytest.raises(FileNotFoundError, match=r"one file \*.pth"):
        clone("salmonn", str(tmp_path), **parts)
    (tmp_path / "salmonn_7b_v0.pth").touch()
    own, loaded, calls = clone("salmonn", str(tmp_path), **parts)
    told = calls["config"]
    assert (told["llama_path"], told["whisper_path"], told["beats_path"], told["prompt_path"]) == ("v", "w", "b.pt", "")
    assert told["ckpt"] == str(tmp_path / "salmonn_7b_v0.pth") and told["lora"] is True
    assert own.answer(loaded, asked(sound(), text("Who {is} <SpeechHere>?")), GREEDY) == "A"
    samples, config, prompts = calls["generate"]
    assert prompts == ["USER: <Speech><SpeechHere></Speech> Who {is} < SpeechHere>?\nASSISTANT:"]
    assert samples == {"raw_wav": "a.wav"}
    assert config == {"num_beams": 4, "do_sample": False, "max_new_tokens": 7}
    own.answer(loaded, asked(sound(), text()), SAMPLED)
    assert calls["generate"][1] == {
        "num_beams": 1,
        "do_sample": True,
        "max_new_tokens": 7,
        "temperature": 0.5,
        "top_p": 0.9,
    }
    assert _skips(own.answer(loaded, asked(sound(), sound(), text()), GREEDY), "not 2 recordings")


def test_audio_flamingo_3_chat(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setitem(sys.modules, "huggingface_hub", MagicMock())
    own, loaded, calls = clone("audio_flamingo_3", str(tmp_path))
    assert calls["load"] == [str(tmp_path), {"device_map": None}]
    assert own.answer(loaded, asked(sound(), text("<Sound-2> or"), sound(), text("this?")), SAMPLED) == "A"
    prompt, config = calls["content"]
    assert [one if isinstance(one, str) else one.path for one in prompt] == [
        "a.wav",
        "< Sound-2> or\n",
        "a.wav",
        "this?\n",
    ]
    assert (config.max_new_tokens, config.do_sample, config.temperature, config.top_p) == (7, True, 0.5, 0.9)
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "one or more recordings")


def test_audio_flamingo_2(clone: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("yaml")
    weights = MagicMock()
    weights.load_file.side_effect = lambda path: {Path(path).name: 1}
    for name in ("huggingface_hub", "safetensors"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    monkeypatch.setitem(sys.modules, "safetensors.torch", weights)
    (tmp_path / "safe_ckpt").mkdir()
    (tmp_path / "safe_ckpt" / "metadata.json").write_text('{"chunk_0": [], "chunk_1": []}', encoding="utf-8")
    own, loaded, calls = clone("audio_flamingo_2", str(tmp_path))
    assert calls["load"] == [str(tmp_path / "clap_ckpt" / "epoch_16.pt"), "Qwen", None]
    assert calls["weights"] == ["chunk_0.safetensors", "chunk_1.safetensors"]
    reply = own.answer(loaded, asked(sound(130.0), text("Who is <AUDIO> and <audio>?")), GREEDY)
    assert calls["text"] == "<audio>who is < audio> and < audio>?<sep>"
    assert reply == {"text": "A", "encoded": {"a.wav": 120.0}}
    assert calls["generate"]["audio_x"].shape == (1, 12, 16) and calls["generate"]["max_new_tokens"] == 7
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "not 0 recordings")


def test_pandagpt(clone: Clone, film: dict[str, Any], picture: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("av")
    for name in ("torch", "huggingface_hub"):
        monkeypatch.setitem(sys.modules, name, MagicMock())
    own, loaded, calls = clone("pandagpt", ".", vicuna="v", imagebind="i")
    assert calls["args"]["vicuna_ckpt_path"] == "v" and calls["args"]["imagebind_ckpt_path"] == "i"
    turns = asked(film, picture, sound(), text("A ### or B?"), system="Be brief.")
    turns += [{"role": "assistant", "content": [text("B")]}, *asked(text("Sure?"))]
    assert own.answer(loaded, turns, GREEDY) == {"text": "A", "encoded": {"a.wav": 6, film["paths"][0]: 7}}
    given = calls["inputs"]
    assert given["prompt"] == "Be brief.\nA # # # or B?\n### Assistant: B\n### Human: Sure?"
    assert given["image_paths"] == [picture["path"]] and given["audio_paths"] == ["a.wav"]
    assert (given["top_p"], given["temperature"], given["max_tgt_len"]) == (0.01, 1.0, 7)
    assert calls["sizes"][0] > 100 and not Path(given["video_paths"][0]).exists(), "the video is removed afterwards"
    own.answer(loaded, asked(sound(), text()), SAMPLED)
    assert (calls["inputs"]["top_p"], calls["inputs"]["temperature"]) == (0.9, 0.5)
    assert _skips(own.answer(loaded, asked(text()), GREEDY), "no question without")


def test_unified_io_2(clone: Clone, film: dict[str, Any], picture: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    own, loaded, calls = clone("unified_io_2", tokenizer="tokenizer.model")
    assert calls["preprocessor"] == ["allenai/uio2-preprocessor", "tokenizer.model"] and calls["model"] == "weights"
    reply = own.answer(loaded, asked(film, sound(30.0), text("What is it?")), {**GREEDY, "max_tokens": 1024})
    words, modality, image, audio, video, own_sound = calls["example"]
    assert (words, modality, image, own_sound) == ("What is it?", "text", None, False)
    assert video.shape == (5, 16, 16, 3) and [one[0, 0, 0] for one in video] == [0, 30, 90, 120, 180]
    assert audio == ["segment"] * 5 and calls["length"] == 30
    assert reply == {"text": "A", "encoded": {film["paths"][0]: 5, "a.wav": pytest.approx(5 * 4.08)}}
    assert calls["predict"] == ["example", 512, {"do_sample": False}]
    own.answer(loaded, asked(picture, text()), SAMPLED)
    assert calls["example"][2] == picture["path"] and calls["predict"][2]["top_p"] == 0.9
    assert _skips(own.answer(loaded, asked(picture, film, text()), GREEDY), "not 2 media")
    assert _skips(own.answer(loaded, asked(text("a " * 600)), GREEDY), "at most 500 tokens, not 600")


def test_ola(clone: Clone, film: dict[str, Any], picture: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    heard, files = MagicMock(), MagicMock()
    heard.pad_or_trim.side_effect = lambda part: part
    heard.log_mel_spectrogram.side_effect = lambda part, n_mels: torch.zeros(n_mels, 3000)
    files.read.side_effect = lambda path, dtype: (torch.zeros(2 * 480000).numpy(), 16000)
    monkeypatch.setitem(sys.modules, "whisper", heard)
    monkeypatch.setitem(sys.modules, "soundfile", files)
    monkeypatch.setattr("os.environ", {})
    own, loaded, calls = clone("ola")
    assert calls["size"] == "480" and calls["at"].endswith("clone"), "it reads its weights from the clone"
    reply = own.answer(loaded, asked(film, sound(60.0), text("What is <image>?"), system="Be brief."), SAMPLED)
    assert calls["turns"] == [("user", "<speech><image>\nBe brief.\nWhat is < image>?"), ("bot", None)]
    given = calls["generate"]
    assert calls["tokenized"] == "tokenizer_speech_image_token" and given["modalities"] == "video"
    assert given["images"].shape == (7, 3, 4, 4) and given["images"].dtype == torch.bfloat16
    assert given["speech"][0].shape == (2, 3000, 128) and given["speech_wav"][0].shape == (2, 480000)
    assert given["speech_lengths"][0].tolist() == [3000, 3000] and given["speech_chunks"][0].tolist() == [2]
    assert given["top_p"] == 0.9 and reply["encoded"] == {"a.wav": 60.0} and reply["text"] == "A"
    own.answer(loaded, asked(sound(800.0), text()), GREEDY)
    assert calls["tokenized"] == "tokenizer_speech_token" and calls["generate"]["modalities"] == ["text"]
    own.answer(loaded, asked(picture, text()), GREEDY)
    assert calls["generate"]["images_highres"].shape == (1, 3, 8, 8) and calls["generate"]["image_sizes"] == [(4, 4)]
    assert calls["generate"]["speech"][0].shape == (1, 3000, 128)
    assert _skips(own.answer(loaded, asked(picture, sound(), text()), GREEDY), "not audio, image")


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


def test_a_clone_is_asked_through_a_worker_process(tmp_path: Path) -> None:
    """VideoLLaMA2.1-AV: the adapter finds the clone, starts the process, and says how much was encoded."""
    folder = write_clone("videollama2_av", tmp_path / "clone")
    (tmp_path / "a.wav").write_bytes(encode_wav(np.zeros((31 * 16000, 1), np.float32), 16000))
    allow_foreign_code()
    try:
        given = {"source": str(tmp_path), "python": sys.executable, "code": str(folder)}
        model = load_adapter("videollama2.1-7b-av", given)
        request = Request("a", (Message("user", (media("audio", "a.wav"), words("What is heard?"))),), {})

        two = Request("b", (Message("user", 2 * (media("audio", "a.wav"),)),), {})

        async def ask() -> list[Reply]:
            await model.open()
            reader = MediaReader(tmp_path)
            try:
                return [await model.respond(one, await model.prepare(one, reader)) for one in (request, two)]
            finally:
                await model.close()

        reply, other = asyncio.run(ask())
    finally:
        allow_foreign_code(allowed=False)
    assert reply.text == "A of audio"
    assert [(one.given, one.encoded) for one in reply.encoded] == [(31.0, 30.0)]
    assert other.status == "skipped" and other.note.endswith("not audio, audio")
