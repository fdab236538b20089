"""The LoRA adapters of a card in this process, compared with peft's own way of putting one on the weights."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: make models")
pytest.importorskip("transformers", minversion="5.0", reason="transformers 5 is not installed: make models")
pytest.importorskip("peft", reason="peft is not installed: make models")

import peft
import torch

from tests.support import tiny_models
from triptych.errors import SpecError
from triptych.models.hf import make
from triptych.models.hf.content import Conversation
from triptych.models.hf.engine import Engine, Job
from triptych.models.hf.loading import load
from triptych.models.hf.loras import Loras, card_loras
from triptych.models.hf.settings import SETTINGS
from triptych.models.loras import CardLora

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def phi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny text model of which a test says that it is Phi-4: an adapter for vision and one for speech."""
    folder = tmp_path_factory.mktemp("phi") / "model"
    tiny_models.save("text", folder)
    for number, name in enumerate(("vision", "speech")):
        torch.manual_seed(number)
        model, _ = load(str(folder), {**SETTINGS, "loras": "none"})
        told = peft.LoraConfig(r=4, lora_alpha=64, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
        peft.get_peft_model(model, told).save_pretrained(str(folder / f"{name}-lora"))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["architectures"] = ["Phi4MultimodalForCausalLM"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def tiny(phi: Path) -> tuple[Any, Any]:
    return load(str(phi), {**SETTINGS, "class": "Qwen2ForCausalLM"})


def logits(model: Any, ids: Any) -> Any:
    with torch.inference_mode():
        return model(input_ids=ids).logits


def test_each_kind_of_media_activates_its_adapter_as_peft_does(phi: Path) -> None:
    model, words = tiny(phi)
    ids = words("the river at dusk", return_tensors="pt")["input_ids"]
    expected = {"": logits(model, ids)}
    for name in ("vision", "speech"):
        expected[name] = logits(peft.PeftModel.from_pretrained(tiny(phi)[0], str(phi / f"{name}-lora")).eval(), ids)
    loras = Loras(model, phi, card_loras(str(phi), phi), "hf/phi")
    cases = [
        ({"text", "audio"}, "speech"),
        ({"text", "image"}, "vision"),
        ({"text"}, ""),
        ({"text", "audio", "image"}, "vision"),
        ({"text", "audio"}, "speech"),
    ]
    for kinds, name in cases:
        assert loras.activate(kinds) == name
        assert torch.allclose(logits(model, ids), expected[name], atol=1e-5)
    assert not torch.allclose(expected["vision"], expected["speech"], atol=1e-2)
    assert not torch.allclose(expected[""], expected["speech"], atol=1e-2)


def test_an_answer_states_the_adapter_that_was_active(phi: Path) -> None:
    """The text model is asked as if its conversation had a recording; what it says differs with the adapter."""
    model, words = tiny(phi)
    engine = Engine(model, words, None, Loras(model, phi, card_loras(str(phi), phi), "hf/phi"))
    told = [{"role": "user", "content": [{"type": "text", "text": "what is said"}]}]
    plain = Conversation(told, 1, (), ())
    answers = {}
    for kind in ("text", "audio", "image"):

        class Kinds(Conversation):
            kinds = frozenset({"text", kind})

        answers[kind] = engine.answers([Job(Kinds(told, 1, (), ()), 8, (("temperature", 0),))])[0]
    assert {kind: one.adapter for kind, one in answers.items()} == {"text": "", "audio": "speech", "image": "vision"}
    assert engine.answers([Job(plain, 8, (("temperature", 0),))])[0].text == answers["text"].text
    assert len({one.text for one in answers.values()}) == 3


def test_a_folder_declares_its_adapters_and_another_adapter_replaces_them(phi: Path) -> None:
    """Settings and revision differ, so Runs with, without and with other adapters are three Runs."""
    card, none, own = (
        make(str(phi), {}),
        make(str(phi), {"loras": "none"}),
        make(str(phi), {"adapter": str(phi / "speech-lora")}),
    )
    assert card.settings["loras"] == "image:vision,audio:speech" and none.settings["loras"] == "none"
    assert "loras" not in own.settings and "vision" in card.revision and "vision" not in own.revision
    assert len({one.revision for one in (card, none, own)}) == 3
    with pytest.raises(SpecError, match="none"):
        make(str(phi), {"loras": "audio:speech"})


def test_an_adapter_that_is_missing_or_does_not_fit_is_refused(phi: Path, tmp_path: Path) -> None:
    """Otherwise the base would answer in its place, and nothing would say so."""
    with pytest.raises(SpecError, match="not with its weights"):
        Loras(tiny(phi)[0], phi, [CardLora("audio", "speech", "speech-l0ra")], "hf/phi")
    from safetensors.torch import load_file, save_file

    wrong = tmp_path / "speech-lora"
    wrong.mkdir()
    (wrong / "adapter_config.json").write_bytes((phi / "speech-lora" / "adapter_config.json").read_bytes())
    weights = load_file(phi / "speech-lora" / "adapter_model.safetensors")
    save_file(
        {name.replace("q_proj", "qq_proj"): value for name, value in weights.items()},
        wrong / "adapter_model.safetensors",
    )
    with pytest.raises(SpecError, match="doesn't fit"):
        Loras(tiny(phi)[0], tmp_path, [CardLora("audio", "speech", "speech-lora")], "hf/phi")


def test_an_adapter_next_to_the_weights_is_loaded_with_them(tmp_path: Path) -> None:
    """Granite Speech: transformers loads the adapter of the folder by itself; it is active with a recording alone."""
    folder = tmp_path / "granite"
    tiny_models.save("text", folder)
    base, words = load(str(folder), SETTINGS)
    told = peft.LoraConfig(r=4, lora_alpha=64, target_modules=["q_proj"], init_lora_weights=False)
    torch.manual_seed(1)
    peft.get_peft_model(load(str(folder), SETTINGS)[0], told).save_pretrained(str(folder))
    ids = words("np" + str(np.arange(3)), return_tensors="pt")["input_ids"]
    model, _ = load(str(folder), SETTINGS)
    loras = Loras(model, folder, [CardLora("audio", "speech")], "hf/granite")
    assert loras.activate({"text"}) == "" and torch.allclose(logits(model, ids), logits(base, ids), atol=1e-5)
    assert loras.activate({"audio"}) == "speech"
    assert not torch.allclose(logits(model, ids), logits(base, ids), atol=1e-2)
