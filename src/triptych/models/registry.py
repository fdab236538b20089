"""From `ADAPTER/NAME` to an adapter object. Built-in adapters are the modules of this package, and the modules
`adapter` of its sub-packages, with a line `ADAPTER = "…"`, which `triptych list models` shows, and `make(name,
settings) -> Adapter`; others come by the entry point group `triptych.models`."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Set
from importlib import import_module
from pathlib import Path
from typing import Any

from triptych.errors import SpecError, TriptychError, nearest
from triptych.importing import importing
from triptych.models.adapter import Adapter
from triptych.models.catalogue import catalogue_keys_like
from triptych.models.named import resolve_name
from triptych.records.plug_ins import origin_of, points, why_not
from triptych.secrets import looks_secret, scrub

_LINE = re.compile(r'^ADAPTER = "(.+)"$', re.MULTILINE)


def _built_in() -> dict[str, tuple[str, str]]:
    """Adapter -> (module, what it is) of every module here with a line `ADAPTER = "…"`. They are read as text, since a
    list of adapters needs none of their code."""
    here = Path(__file__).parent
    candidates = [
        *((path.stem, path.stem, path) for path in here.glob("*.py")),
        *((path.parent.name, path.parent.name, path) for path in here.glob("*/__init__.py")),
        *((path.parent.name, f"{path.parent.name}.adapter", path) for path in here.glob("*/adapter.py")),
    ]
    built_in = {}
    for name, module, path in sorted(candidates):
        if line := _LINE.search(path.read_text(encoding="utf-8")):
            built_in[name] = (f"{__package__}.{module}", line[1])
    return built_in


ADAPTERS = _built_in()


def known_adapters() -> dict[str, tuple[str, str, str]]:
    """Every adapter: name -> (module, what it is, where it came from). A plug-in can't take a name of the house, since
    `openai/NAME` and others are sent a key."""
    adapters = {name: (module, line, "triptych") for name, (module, line) in ADAPTERS.items()}
    for point in points("triptych.models"):
        adapters.setdefault(point.name, (point.value, "", origin_of(point)))
    return adapters


def known_settings(model: str) -> frozenset[str]:
    """Return the names of the settings that the adapter of `ADAPTER/NAME` lists; empty if it lists none."""
    adapter_row = known_adapters().get(model.partition("/")[0])
    if adapter_row is None:
        return frozenset()
    try:
        with importing(adapter_row[0], adapter_row[2]):
            return frozenset(getattr(import_module(adapter_row[0]), "SETTINGS", ()))
    except (Exception, SystemExit):  # noqa: BLE001 - `load_adapter` says what is wrong
        return frozenset()


# Names by which the makers' services know their models -> the adapter that asks there
_SERVICES = {"gemini": r"gemini-", "anthropic": r"claude-", "openai": r"(?:chat)?gpt-[3-9a]|o[1-9](?:-|$)"}


# Programs and gateways with OpenAI's interface that people name in place of the adapter
_SERVERS = (
    "vllm",
    "hosted_vllm",
    "sglang",
    "ollama",
    "llama.cpp",
    "llamacpp",
    "lmstudio",
    "lmdeploy",
    "tgi",
    "openrouter",
    "together",
    "groq",
    "fireworks",
    "litellm",
    "azure",
)


def _service_of(name: str) -> str:
    """Return the adapter of the service that has a model of this name; empty if the service is not known."""
    return next((adapter for adapter, rule in _SERVICES.items() if re.match(rule, name.lower())), "")


def _adapter_suggestion(model: str, names: Collection[str]) -> str:
    """Return a suggestion for an unknown adapter: the service's, a similar name, or how an id of the Hub is asked."""
    adapter = model.partition("/")[0]
    if service := _service_of(model.rpartition("/")[2]):
        return f"did you mean {service}/{model.rpartition('/')[2]}?"
    if adapter and (near := nearest(adapter, names)).startswith("did you mean"):
        return near
    if adapter.lower() in _SERVERS and "/" in model.strip("/"):
        name = model.partition("/")[2]
        return f"servers with OpenAI's interface: openai/{name} with --model-base-url http://HOST:PORT/v1"
    if "/" in model.strip("/"):
        return (
            f"if it is an id of the Hub: hf/{model} (in this process), or `triptych serve {model}` and then "
            f"openai/{model} with --model-base-url http://HOST:PORT/v1"
        )
    if keys := catalogue_keys_like(model):
        return f"the catalogue has {', '.join(keys)}; any other model at an OpenAI-compatible endpoint: openai/{model}"
    return f"did you mean openai/{model} (an OpenAI-compatible endpoint)? {nearest('', names)}"


def _check_service(adapter: str, name: str, settings: Mapping[str, Any]) -> None:
    """Refuse a name that the adapter's service can't have, such as `openai/gemini-2.5-pro`. Another endpoint may have
    any name."""
    base_url = settings.get("base_url") or (adapter == "openai" and os.environ.get("OPENAI_BASE_URL"))
    if adapter not in (*_SERVICES, "hf") or base_url:
        return
    service = _service_of(name)
    if service and service != adapter:
        raise SpecError(
            f"{adapter}/ doesn't ask the service that has this model",
            got=f"{adapter}/{name}",
            fix=f"--model {service}/{name}; a gateway that has it: --model-base-url URL",
        )


def load_adapter(model: str, settings: Mapping[str, Any] | None = None) -> Adapter:
    """Return the adapter for `ADAPTER/NAME`, or for a name of the catalogue. Raises SpecError for an unknown adapter or
    a wrong setting.
    """
    adapters = known_adapters()
    if model.partition("/")[0] not in adapters:
        model, settings = resolve_name(model, settings or {})
    adapter, _, name = model.partition("/")
    if adapter not in adapters:
        raise SpecError(
            f"unknown model adapter {adapter!r}",
            got=model,
            expected="ADAPTER/NAME",
            fix=_adapter_suggestion(model, adapters),
        )
    if not name:
        raise SpecError(f"{adapter}/ needs the name of a model", got=model, expected=adapters[adapter][1])
    if any(mark in name for mark in ("?", "=", "@")) and scrub(f"://{name}") != f"://{name}":
        raise SpecError(
            "the model's name seems to contain a key or password; names are written to the manifest",
            expected="ADAPTER/NAME",
            fix="remove it; API keys are read from the environment",
        )
    _check_no_secrets(settings or {})
    _check_service(adapter, name, settings or {})
    where, _, origin = adapters[adapter]
    if origin == "triptych":
        return import_module(where).make(name, settings or {})  # type: ignore[no-any-return]
    return _plugin_adapter(model, where, origin, settings or {})


def _plugin_adapter(model: str, where: str, origin: str, settings: Mapping[str, Any]) -> Adapter:
    """An adapter of another package. Raises SpecError, which names the package, for whatever goes wrong there."""
    try:
        with importing(where, origin):
            made = import_module(where).make(model.partition("/")[2], settings)
        lacking = [name for name in _PARTS if not hasattr(made, name)]
    except TriptychError:
        raise
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"the model {model!r} could not be created",
            where=f"{where} of the package {origin}",
            got=why_not(error),
            fix=f"report it to the authors of {origin}",
        ) from error
    if lacking:
        raise SpecError(
            f"the model {model!r} is not an adapter",
            where=f"{where} of the package {origin}",
            got=f"{type(made).__name__} without {', '.join(lacking)}",
            fix="docs/adding/model.md has a whole one",
        )
    for part, type_ in _TYPES.items():
        if not isinstance(value := getattr(made, part), type_):
            raise SpecError(
                f"{part} of the model {model!r} is {value!r}",
                where=f"{where} of the package {origin}",
                expected="a set of kinds: frozenset({'text', …})" if part == "accepts" else type_.__name__,
                fix=f"report it to the authors of {origin}; they can use `triptych check-plugin`",
            )
    return made  # type: ignore[no-any-return]


_TYPES = {"name": str, "revision": str, "settings": Mapping, "accepts": Set, "endpoint": str}
_PARTS = ("name", "revision", "settings", "accepts", "endpoint", "deterministic", "open", "close", "prepare", "respond")


def _check_no_secrets(settings: Mapping[str, Any]) -> None:
    """Refuse settings that contain a key or password, since they are written to the manifest. The base URL may contain
    one, since it is not written.
    """
    for key, value in settings.items():
        if not key.endswith("base_url") and looks_secret(key, value):
            raise SpecError(
                f"the setting {key!r} holds what looks like a key or a password; settings are written to the manifest",
                expected="API keys in the environment only",
                fix="export it as a variable, and use -M key_env=NAME",
            )
