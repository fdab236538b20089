"""Tests of `models/serving/sglang.py`: the arguments of vLLM in SGLang's words."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.models.serving.test_command import PHI, ROWS, items, limits_of
from triptych.errors import SpecError
from triptych.models.catalogue import CatalogueModel, find_model
from triptych.models.loras import pairs_of
from triptych.models.serving.command import Serving, arguments, asking, context_of
from triptych.models.serving.needs import Needs
from triptych.models.serving.sglang import lora_setting, sglang_arguments, translated


@pytest.fixture(autouse=True)
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The Hub's cache, with the one model whose adapters are served from its folder."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    folder = tmp_path / "hub" / "models--microsoft--Phi-4-multimodal-instruct" / "snapshots" / "abc"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")


def test_sglang_is_given_the_same_in_its_words(tmp_path: Path) -> None:
    told = Serving(server="sglang", needs=Needs("b").add(items(("video", 4))), more=("--mem-fraction-static", "0.8"))
    words = arguments("qwen3-omni-30b-a3b", told)
    assert words[:5] == ["python", "-m", "sglang.launch_server", "--model-path", "Qwen/Qwen3-Omni-30B-A3B-Instruct"]
    assert words[words.index("--tp") + 1] == "2" and context_of(words) == 65_536
    assert limits_of(words, "--limit-mm-data-per-request") == {"audio": 0, "image": 1, "video": 4}
    assert words[-2:] == ["--mem-fraction-static", "0.8"]
    phi = arguments("phi-4-multimodal", Serving(server="sglang"))
    assert [word.partition("=")[0] for word in phi[phi.index("--lora-paths") + 1 :][:2]] == ["vision", "speech"]
    setting = shlex.split(asking("phi-4-multimodal", Serving(server="sglang")))[-1].removeprefix("loras=")
    assert pairs_of(setting) == (("image", f"{PHI}:vision"), ("audio", f"{PHI}:speech"))
    for model, wrong in (
        ("granite-speech-3.3-8b", Serving(server="sglang")),
        ("qwen3-14b", Serving(server="sglang", media=tmp_path)),
    ):
        with pytest.raises(SpecError, match="SGLang"):
            arguments(model, wrong)
    with pytest.raises(SpecError, match="unknown server"):
        Serving(server="tgi")


@pytest.mark.parametrize("row", [row for row in ROWS if row.sglang], ids=lambda row: row.key)
def test_every_row_that_sglang_serves_has_a_command(row: CatalogueModel) -> None:
    words = arguments(row.key, Serving(server="sglang", trust_remote_code=True))
    assert row.id in words and not [word for word in words if word.startswith("--limit-mm-per")]


@pytest.mark.parametrize(
    ("vllm", "sglang"),
    [
        ("", ""),
        ("--tensor-parallel-size 2 --max-model-len 16384", "--tp 2 --context-length 16384"),
        ("--max-num-seqs 8 --trust-remote-code", "--max-running-requests 8 --trust-remote-code"),
        ("--reasoning-parser deepseek_r1", "--reasoning-parser deepseek-r1"),
        ("--hf-overrides {} --enable-lora --max-lora-rank 320", "--enable-lora --max-lora-rank 320"),
    ],
)
def test_arguments_in_other_words(vllm: str, sglang: str) -> None:
    assert translated(vllm.split()) == sglang.split()


def test_a_processors_arguments_are_by_kind() -> None:
    """SGLang takes them as {"image": …, "video": …}; a rate of frames is of videos alone."""
    words = translated(["--mm-processor-kwargs", '{"max_pixels": 1003520, "fps": 2}'])
    assert words[0] == "--mm-process-config"
    assert json.loads(words[1]) == {"image": {"max_pixels": 1003520}, "video": {"max_pixels": 1003520, "fps": 2}}


@pytest.mark.parametrize("word", ["--allowed-local-media-path", "--gpu-memory-utilization", "-tp"])
def test_an_argument_without_counterpart_is_named(word: str) -> None:
    with pytest.raises(SpecError, match="no counterpart in SGLang") as error:
        translated(["--max-model-len", "16384", word, "1"])
    assert word in str(error.value) and "after --" in str(error.value)


def test_adapters_revision_and_trust() -> None:
    words = sglang_arguments("org/m", None, [], {"speech": Path("/lora/speech")}, trusted=True)
    assert words[3:] == [
        *("--model-path", "org/m", "--trust-remote-code"),
        *("--enable-lora", "--lora-paths", "speech=/lora/speech"),
    ]
    twice = sglang_arguments("org/m", None, ["--trust-remote-code", "--enable-lora"], {"a": "b"}, trusted=True)
    assert twice.count("--trust-remote-code") == twice.count("--enable-lora") == 1


def test_a_model_that_is_not_documented_is_refused_with_another_server() -> None:
    row = next(row for row in ROWS if not row.sglang)
    with pytest.raises(SpecError, match=f"triptych serve {row.key}"):
        sglang_arguments(row.id, row, [], {})


def test_adapters_are_asked_by_the_models_name() -> None:
    row = find_model("phi-4-multimodal")
    assert row is not None and lora_setting(row) == f"image:{PHI}:vision,audio:{PHI}:speech"
