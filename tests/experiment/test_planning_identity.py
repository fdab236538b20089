"""Two different things never carry one signature: every setting of every adapter, every argument of `plan`, every
argument of every Condition and every field of a Run's identity is walked. What is new fails here until it is named."""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.conditions.condition import Argument, find_condition, known_conditions
from triptych.errors import SpecError
from triptych.experiment.planning import plan
from triptych.media.payload import MediaReader
from triptych.models.adapter import ABOUT, DECODING, MORE_DECODING, Adapter
from triptych.models.anthropic.adapter import SETTINGS as ANTHROPIC
from triptych.models.asr import SETTINGS as ASR
from triptych.models.baseline import BASELINES
from triptych.models.gemini.adapter import SETTINGS as GEMINI
from triptych.models.hf.settings import SETTINGS as HF
from triptych.models.local.cascade import DEFAULT_SETTINGS as CASCADE
from triptych.models.local.reader import READER_SETTINGS as READERS
from triptych.models.ocr import SETTINGS as OCR
from triptych.models.openai.adapter import SETTINGS as OPENAI
from triptych.models.registry import ADAPTERS, load_adapter
from triptych.models.worker.settings import SETTINGS as WORKER
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import Message, Request, media, text
from triptych.scoring.signature import run_signature

URL = "http://127.0.0.1:9/v1"
RUNNER = Path(__file__).parent.parent / "models" / "worker" / "runner.py"
WHERE = "where the model is asked, not what"
KEY = "a credential"
SPEED = "how fast, and with how much memory"

# Adapter -> its settings that are not part of a Run's identity, and why they change nothing that a model is sent
NO_DIFFERENCE: dict[str, dict[str, str]] = {
    "openai/m": {"base_url": WHERE, "key_env": KEY, "stream": "how the reply is transmitted"},
    "asr/m": {"base_url": WHERE, "key_env": KEY},
    "anthropic/m": {"base_url": WHERE, "key_env": KEY},
    "gemini/m": {
        "base_url": WHERE,
        "key_env": KEY,
        "api_version": WHERE,
        "inline_mb": "how the same bytes are transmitted",
        "keep_files": "what happens afterwards",
        "thoughts": "whether a summary of the thinking comes with the reply",
    },
    "hf/m": {"batch": SPEED, "device": SPEED, "device_map": SPEED, "fetch": "whether weights are downloaded"},
    "worker/mine": {
        "python": "the same runner and weights",
        "device": SPEED,
        "batch": SPEED,
        "install": "makes an environment",
        "fetch": "whether weights are downloaded",
        "start_s": SPEED,
        "answer_s": SPEED,
        "silence_s": SPEED,
        "restarts": SPEED,
    },
    "ocr/rapidocr": {"base_url": WHERE, "threads": SPEED},
    "local/cascade": {"fetch": "whether weights are downloaded", "threads": SPEED, "instances": SPEED},
    "local/asr": {"fetch": "whether weights are downloaded", "threads": SPEED},
    "local/ocr": {"threads": SPEED},
    "replay/x": {},
    **{f"baseline/{name}": {} for name in BASELINES},
}
SETTINGS: dict[str, Mapping[str, Any]] = {
    "openai/m": OPENAI,
    "asr/m": ASR,
    "anthropic/m": ANTHROPIC,
    "gemini/m": GEMINI,
    "hf/m": HF,
    "worker/mine": WORKER,
    "ocr/rapidocr": OCR,
    "local/cascade": CASCADE,
    "local/asr": READERS["asr"],
    "local/ocr": READERS["ocr"],
    "replay/x": {"path": "", "recover": False},
    **{f"baseline/{name}": made.defaults for name, made in BASELINES.items()},  # type: ignore[attr-defined]
}
# Without these, an adapter can't be made
NEEDED: dict[str, dict[str, Any]] = {
    "openai/m": {"base_url": URL},
    "asr/m": {"base_url": URL},
    "anthropic/m": {"base_url": URL},
    "gemini/m": {"base_url": URL},
    "ocr/rapidocr": {"llm": "openai/m", "base_url": URL},
    "worker/mine": {"python": sys.executable, "runner": str(RUNNER), "source": "WEIGHTS"},
}
# Values that a setting takes, if not any will do
VALUES: dict[tuple[str, str], Any] = {
    ("openai/m", "max_tokens_name"): "max_completion_tokens",
    ("openai/m", "system_role"): "developer",
    ("openai/m", "audio"): "audio_url",
    ("openai/m", "image"): "none",
    ("openai/m", "video"): "none",
    ("openai/m", "media_urls"): "file",
    ("openai/m", "extra"): '{"x": 1}',
    ("anthropic/m", "thinking"): "adaptive",
    ("anthropic/m", "thinking_budget"): 2048,
    ("anthropic/m", "effort"): "low",
    ("gemini/m", "thinking_budget"): 512,
    ("gemini/m", "thinking_level"): "low",
    ("gemini/m", "media_resolution"): "low",
    ("gemini/m", "safety"): "off",
    ("hf/m", "fps"): 3.0,
    ("worker/mine", "fps"): 3.0,
    ("hf/m", "adapter"): "FOLDER",
    ("hf/m", "template"): "FILE",
    ("worker/mine", "runner"): "RUNNER",
    ("worker/mine", "code"): "FOLDER",
    ("worker/mine", "source"): "FOLDER",
    ("worker/mine", "options"): '{"x": 1}',
    ("worker/mine", "python"): "PYTHON",
    ("ocr/rapidocr", "llm"): "openai/other",
    ("local/cascade", "llm"): "smollm2-135m",
    ("local/cascade", "choice"): "letter",
    ("local/cascade", "asr"): "smollm2-135m",
    ("local/asr", "asr"): "smollm2-135m",
    ("local/ocr", "engine"): "tesseract",
    ("hf/m", "loras"): "none",
    ("replay/x", "path"): "other",
}
WALKED = [(model, key) for model, known in SETTINGS.items() for key in known]


@pytest.fixture(autouse=True)
def keys_and_trust(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "TRIPTYCH_OTHER_API_KEY"):
        monkeypatch.setenv(name, "sk-none")
    allow_foreign_code()
    yield
    allow_foreign_code(allowed=False)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files and folders that settings name."""
    for name in ("WEIGHTS", "FOLDER"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(f'{{"name": "{name}"}}')
    (tmp_path / "FILE").write_text("{{ messages }}")
    (tmp_path / "RUNNER").write_text(RUNNER.read_text() + "\n# another\n")
    (tmp_path / "PYTHON").symlink_to(sys.executable)
    return {name: str(tmp_path / name) for name in os.listdir(tmp_path)}


def made(model: str, files: Mapping[str, str], **more: Any) -> Adapter:
    told = {**NEEDED.get(model, {}), **more}
    try:
        return load_adapter(model, {key: files.get(str(value), value) for key, value in told.items()})
    except SpecError as error:
        if "pip install" in str(error) or "isn't installed" in str(error):
            pytest.skip(str(error))
        raise


def identity(adapter: Adapter) -> tuple[object, ...]:
    return adapter.name, adapter.revision, dict(adapter.settings)


def other(model: str, key: str, default: Any) -> Any:
    """Return a value that is not the default."""
    if (model, key) in VALUES:
        return VALUES[model, key]
    if isinstance(default, bool):
        return not default
    if isinstance(default, int | float):
        return default + 1
    return {
        "base_url": "http://127.0.0.1:10/v1",
        "chat_template_kwargs": {"enable_thinking": False},
        "key_env": "TRIPTYCH_OTHER_API_KEY",
        "letter": "C",
        "loras": "audio:speech",
        "packing": "llava-next-video",
        "server": "vllm",
    }.get(key, "seed")


def test_every_adapter_is_walked() -> None:
    assert {model.partition("/")[0] for model in SETTINGS} == set(ADAPTERS)
    assert SETTINGS.keys() == NO_DIFFERENCE.keys()


@pytest.mark.parametrize(("model", "key"), WALKED, ids=[f"{model}-{key}" for model, key in WALKED])
def test_a_setting_of_an_adapter_is_in_its_identity(model: str, key: str, files: dict[str, str]) -> None:
    if (model, key) == ("ocr/rapidocr", "base_url"):
        return  # an endpoint without one needs a key and asks OpenAI
    default = SETTINGS[model][key]
    changed = identity(made(model, files, **{key: other(model, key, default)}))
    usual = identity(made(model, files))
    if key in NO_DIFFERENCE[model]:
        assert changed == usual
    else:
        assert changed != usual


@pytest.mark.parametrize("key", sorted(NO_DIFFERENCE["openai/m"]))
def test_what_is_not_in_the_identity_changes_nothing_that_is_sent(key: str, tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"RIFF....WAVE")
    asked = Request("i", (Message("user", (text("What?"), media("audio", "a.wav"))),), {"temperature": 0})

    def body(**more: Any) -> dict[str, Any]:
        adapter = made("openai/m", {}, **more)
        return msgspec.json.decode(asyncio.run(adapter.prepare(asked, MediaReader(tmp_path))))

    changed = body(**{key: other("openai/m", key, OPENAI[key])})
    for transmitted in ("stream", "stream_options"):
        changed.pop(transmitted, None)
    assert changed == body()


# Argument of `plan` -> a value other than its default. None: it changes nothing that is asked, and the reason.
ARGUMENTS: dict[str, Any] = {
    "benchmark": "mcga",
    "model": "openai/other",
    "tasks": ("main",),
    "data": "OTHER",
    "conditions": ("blind",),
    "settings": {"temperature": "0.7"},
    "prompt": "v1",
    "limit": 1,
    "filters": {"task": ("cmdar/main",)},
    "items_file": "IDS",
    "item_ids": ("a",),
    "repeats": 2,
    "seed": 5,
    "name": "mine",
    "shard": "1/2",
    "sample": "lite",
    "as_in": "mcs_bench",
    "base_url": None,  # where the model is asked
    "reader_base_url": None,  # the same for the model that a Condition names
    "reader_settings": {"temperature": 1.0},
}


def signature(*given: str, **more: Any) -> str:
    ready = api.plan(*(given or ("cmdar", "openai/m")), **{"settings": {}, "base_url": URL, **more})
    protocol = next(iter(ready.benchmark.protocols.values()))
    return run_signature(ready.manifest, protocol, ["acc"])


def test_every_argument_of_a_plan_is_walked() -> None:
    assert set(ARGUMENTS) == set(inspect.signature(plan).parameters)


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_an_argument_of_a_plan_is_in_the_signature(name: str, tmp_path: Path) -> None:
    value, usual = ARGUMENTS[name], signature()
    if name in ("benchmark", "model"):
        assert signature(*(value if name == which else own for which, own in _USUAL.items())) != usual
    elif name == "data":
        changed = _copied(load_benchmark("cmdar").mini, tmp_path)
        assert signature(data=changed) != usual
    elif name == "items_file":
        (tmp_path / "ids.txt").write_text("a\n")
        assert signature(items_file=tmp_path / "ids.txt") != usual
    elif name == "sample":
        bench = ("xmodbench", "openai/m")
        assert signature(*bench, sample=value) != signature(*bench)
    elif name == "reader_settings":
        read = {"conditions": ("description:from=openai/r",), "reader_base_url": URL}
        assert signature(reader_settings={"system_role": "user"}, **read) != signature(**read)
    elif value is None:
        assert signature(base_url="http://127.0.0.1:10/v1") == usual
    else:
        assert signature(**{name: value}) != usual


_USUAL = {"benchmark": "cmdar", "model": "openai/m"}


def _copied(folder: Path, to: Path) -> Path:
    """Copy a data folder, with one more line break in its first question file."""
    import shutil

    shutil.copytree(folder, to / "data")
    first = load_benchmark("cmdar").source_files(to / "data")[0]
    first.write_bytes(first.read_bytes() + b"\n")
    return to / "data"


@pytest.mark.parametrize("key", [*(key for key in DECODING if key not in MORE_DECODING), "audio_seconds"])
def test_a_decoding_setting_is_in_the_signature(key: str) -> None:
    assert signature(settings={key: "3"}) != signature(settings={key: "4"}) != signature()


@pytest.mark.parametrize("key", ABOUT)
def test_a_fact_of_the_model_for_tables_is_not(key: str) -> None:
    assert signature(settings={key: "3"}) == signature()


def _values(argument: Argument) -> tuple[str, str] | None:
    """Return two values of an argument that are not alike; None for files."""
    if argument.opens or argument.name in ("from", "run", "table", "name", "noise"):
        return None
    if argument.choices:
        return argument.choices[0], argument.choices[1]
    if argument.kind is str:
        return "8", "12"
    least, most = max(argument.least, 0.5), min(argument.most, 16_000)
    return f"{argument.kind(least + (most - least) / 2)}", f"{argument.kind(most)}"


@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, argument) for name, known in known_conditions().items() for argument in known.arguments or ()],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_an_argument_of_a_condition_is_in_its_name(name: str, argument: Argument) -> None:
    if (values := _values(argument)) is None:
        return
    offered = known_conditions()[name].arguments or ()
    needed = {a.name: (_values(a) or ("", ""))[0] for a in offered if a.default is None}
    if "from" in {a.name for a in offered}:
        needed["from"] = "openai/m"
    spelled = [
        name + ":" + ",".join(f"{key}={value}" for key, value in {**needed, argument.name: own}.items())
        for own in values
    ]
    assert find_condition(spelled[0]).name != find_condition(spelled[1]).name
