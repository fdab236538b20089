"""The command that serves a model: a golden one for every row that vLLM serves, and what users add to it."""

from __future__ import annotations

import json
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.models.catalogue import CatalogueModel, catalogue, find_model
from triptych.models.named import resolve_name
from triptych.models.registry import load_adapter
from triptych.models.serving.command import (
    Serving,
    arguments,
    asking,
    context_of,
    first_steps,
    served_name,
    shell_command,
)
from triptych.models.serving.needs import Needs
from triptych.records import Item, media, text

GOLDEN = Path(__file__).with_name("commands.txt")
ROWS = list(catalogue().values())
SERVED = [row for row in ROWS if "vllm" in row.way]
SNAPSHOT = "WEIGHTS"
PHI = "microsoft/Phi-4-multimodal-instruct"


@pytest.fixture(autouse=True)
def weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The Hub's cache, with the one model whose adapters are served from its folder."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    folder = tmp_path / "hub" / "models--microsoft--Phi-4-multimodal-instruct" / "snapshots" / "abc"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder


def command_of(row: CatalogueModel, weights: Path) -> str:
    return shell_command(arguments(row.key, Serving(trust_remote_code="--trust-remote-code" in row.serve))).replace(
        str(weights), SNAPSHOT
    )


def test_the_command_of_every_served_model_is_the_golden_one(weights: Path) -> None:
    """A new row: `python -m tests.models.serving.test_command` prints all of them."""
    assert [command_of(row, weights) for row in SERVED] == GOLDEN.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("row", SERVED, ids=lambda row: row.key)
def test_the_command_can_be_typed(row: CatalogueModel, weights: Path) -> None:
    words = shlex.split(command_of(row, weights))
    assert words[:3] == ["vllm", "serve", row.id] and words[-2:] == ["--port", "8000"]
    for name, value in pairwise(words):
        if name in ("--limit-mm-per-prompt", "--mm-processor-kwargs", "--hf-overrides", "--default-mm-loras"):
            assert isinstance(json.loads(value), dict)


@pytest.mark.parametrize("row", [row for row in ROWS if row not in SERVED], ids=lambda row: row.key)
def test_a_model_that_vllm_does_not_serve_is_refused_with_another_way(row: CatalogueModel) -> None:
    with pytest.raises(SpecError, match="doesn't serve") as told:
        served_name(row.key)
    assert told.value.fix and row.serve == ""


def test_code_from_the_hub_is_run_only_if_the_user_says_so() -> None:
    for row in SERVED:
        if "--trust-remote-code" in row.serve:
            with pytest.raises(SpecError, match="code from the Hub"):
                arguments(row.key, Serving())
    assert "--trust-remote-code" not in arguments("qwen2-audio-7b", Serving())
    assert arguments("qwen2-audio-7b", Serving(trust_remote_code=True)).count("--trust-remote-code") == 1


def test_users_set_gpus_media_and_further_arguments(tmp_path: Path) -> None:
    told = Serving(port=9, tensor_parallel=4, media=tmp_path, more=("--seed", "1"))
    words = arguments("qwen3-omni-30b-a3b", told)
    assert words.count("--tensor-parallel-size") == 1 and words[words.index("--tensor-parallel-size") + 1] == "4"
    assert words[-4:] == ["--port", "9", "--seed", "1"]
    assert words[words.index("--allowed-local-media-path") + 1] == str(tmp_path)
    assert arguments("someone/model", Serving(tensor_parallel=2))[3:5] == ["--tensor-parallel-size", "2"]
    with pytest.raises(SpecError, match="at least 1"):
        arguments("qwen3-14b", Serving(tensor_parallel=0))


def test_lora_adapters_are_served_with_enough_rank(tmp_path: Path) -> None:
    for name, rank in (("small", 8), ("large", 40)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "adapter_config.json").write_text(json.dumps({"r": rank}), encoding="utf-8")
    one = arguments("qwen2.5-omni-7b", Serving(loras={"mine": tmp_path / "small"}))
    assert one[one.index("--lora-modules") + 1] == f"mine={tmp_path / 'small'}" and "--max-lora-rank" not in one
    both = arguments("qwen2.5-omni-7b", Serving(loras={"a": tmp_path / "small", "b": tmp_path / "large"}))
    assert both[both.index("--max-lora-rank") + 1] == "64"
    (tmp_path / "large" / "adapter_config.json").write_text(json.dumps({"r": 1000}), encoding="utf-8")
    for folder, match in ((tmp_path / "large", "rank"), (tmp_path, "no LoRA adapter"), (tmp_path / "x", "not there")):
        with pytest.raises(SpecError, match=match):
            arguments("qwen2.5-omni-7b", Serving(loras={"mine": folder}))
    with pytest.raises(SpecError, match="of its own"):
        arguments("phi-4-multimodal", Serving(loras={"mine": tmp_path / "small"}))


def test_adapters_next_to_the_weights_need_the_weights(weights: Path) -> None:
    (weights / "config.json").unlink()
    with pytest.raises(SpecError, match="hf download microsoft/Phi-4-multimodal-instruct"):
        arguments("phi-4-multimodal", Serving())


def test_a_command_that_is_only_shown_names_the_weights_that_must_be_fetched(weights: Path) -> None:
    there = arguments("phi-4-multimodal", Serving(shown=True))
    assert there == arguments("phi-4-multimodal", Serving()) and first_steps("phi-4-multimodal") == []
    (weights / "config.json").unlink()
    for server in ("vllm", "sglang"):
        words = arguments("phi-4-multimodal", Serving(shown=True, server=server))
        assert any(word.endswith("=WEIGHTS/speech-lora") for word in words)
    (step,) = first_steps("phi-4-multimodal")
    assert "hf download microsoft/Phi-4-multimodal-instruct" in step and "WEIGHTS" in step
    assert first_steps("qwen2.5-omni-7b") == first_steps("someone/model") == []


@pytest.mark.parametrize(
    ("typed", "meant"), [("videollama2", "videollama2.1-7b-av"), ("qwn2.5-omni", "qwen2.5-omni-7b")]
)
def test_a_wrong_name_suggests_names_of_the_catalogue(typed: str, meant: str) -> None:
    with pytest.raises(SpecError) as error:
        served_name(typed)
    assert meant in str(error.value.fix).removeprefix("the catalogue has ").split(", ")


def test_an_unknown_name_is_refused_and_an_unknown_id_is_served() -> None:
    assert served_name("someone/their-model") == "someone/their-model"
    with pytest.raises(SpecError, match=r"qwen2\.5-omni-7b"):
        served_name("qwen2.5-omni-7bb")
    with pytest.raises(SpecError, match="the folder is not there"):
        served_name("./checkpoints/7")


def test_a_port_out_of_range_is_refused() -> None:
    with pytest.raises(SpecError, match="from 1 to 65535"):
        Serving(port=80000)


def test_the_command_that_asks_the_server_is_one_that_run_accepts(tmp_path: Path) -> None:
    """An id that the catalogue doesn't have is asked as an OpenAI-compatible endpoint."""
    names = {"qwen2.5-omni-7b": "qwen2.5-omni-7b", "a/b": "openai/a/b", str(tmp_path): f"openai/{tmp_path}"}
    for model, name in names.items():
        words = shlex.split(asking(model, Serving()))
        assert words[:5] == ["triptych", "run", "BENCH", "--model", name]
        assert load_adapter(*resolve_name(name, {"base_url": words[6]})).endpoint == "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/v1"),
        ("0.0.0.0", "http://127.0.0.1:8000/v1"),
        ("::", "http://[::1]:8000/v1"),
        ("fe80::1", "http://[fe80::1]:8000/v1"),
        ("node7", "http://node7:8000/v1"),
    ],
)
def test_the_address_reaches_the_server_from_this_computer(host: str, address: str) -> None:
    assert Serving(host=host).address == address


def items(*counts: tuple[str, int], letters: int = 0) -> list[Item]:
    """An Item for each (kind, number): a stem with the text and one picture, and so many options of the kind."""
    found = []
    for kind, number in counts:
        options = tuple((media(kind, f"{kind}{place}"),) for place in range(number))  # type: ignore[arg-type]
        found.append(Item(f"{kind}{number}", "b/t", (text("a" * letters), media("image", "p.png")), options))
    return found


def limits_of(words: list[str], option: str = "--limit-mm-per-prompt") -> dict[str, int]:
    assert words.count(option) == 1
    found: dict[str, int] = json.loads(words[words.index(option) + 1])
    return found


def test_limits_per_prompt_are_those_that_the_questions_need() -> None:
    """Six options of sound are more than the catalogue's five; a card that takes one recording keeps its one."""
    needs = Needs("b").add(items(("audio", 6), ("video", 4), ("audio", 2)))
    assert limits_of(arguments("qwen2.5-omni-7b", Serving(needs=needs))) == {"audio": 6, "image": 1, "video": 4}
    assert limits_of(arguments("qwen2.5-vl-7b", Serving(needs=needs))) == {"image": 1, "video": 4}
    assert limits_of(arguments("audio-flamingo-3", Serving(needs=needs))) == {"audio": 1}
    assert limits_of(arguments("some/model", Serving(needs=needs))) == {"audio": 6, "image": 1, "video": 4}
    assert "--limit-mm-per-prompt" not in arguments("phi-4", Serving(needs=needs))
    told = needs.notes(find_model("audio-flamingo-3"))
    assert told == [
        "audio-flamingo-3 takes at most 1 audio in a prompt: 2 of 3 questions have more",
        "audio-flamingo-3 takes no image: 3 of 3 questions have more",
        "audio-flamingo-3 takes no video: 1 of 3 questions have more",
    ]
    assert not needs.notes(find_model("qwen2.5-omni-7b"))


def test_a_text_that_does_not_fit_is_announced() -> None:
    """phi-4 has 16,384 tokens for prompt and answer."""
    assert context_of(arguments("phi-4", Serving())) == 16_384
    assert context_of(["vllm", "serve", "x", "--max-model-len", "16k"]) is None
    assert context_of(["vllm", "serve", "x", "--max-model-len", "2²"]) is None
    short = Needs("b", lambda words: len(words) // 4, answer=4096).add(items(("text", 0), letters=40_000))
    assert short.tokens == 10_000 and not [one for one in short.notes(find_model("phi-4"), 16_384) if "longest" in one]
    long = Needs("b", lambda words: len(words) // 4, answer=4096).add(items(("text", 0), letters=60_000))
    assert "15,000 tokens" in long.notes(find_model("phi-4"), 16_384)[-1]


if __name__ == "__main__":
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as hub:
        os.environ["HF_HUB_CACHE"] = hub
        place = Path(hub, "models--microsoft--Phi-4-multimodal-instruct", "snapshots", "abc")
        place.mkdir(parents=True)
        (place / "config.json").write_text("{}", encoding="utf-8")
        print(*(command_of(one, place) for one in SERVED), sep="\n")
