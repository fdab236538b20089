"""From `ADAPTER/NAME` to an adapter object. Built-in adapters are the modules listed by `ADAPTERS` in this package;
others come by the entry point group `triptych.models`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from triptych.errors import SpecError, nearest
from triptych.models.adapter import Adapter
from triptych.secrets import looks_secret, scrub

# adapter: (module, one line for `triptych list models`). Each module has `make(name, settings) -> Adapter`.
ADAPTERS: dict[str, tuple[str, str]] = {
    "openai": ("triptych.models.openai", "any OpenAI-compatible endpoint: openai/NAME, --model-base-url URL"),
    "gemini": ("triptych.models.gemini", "Google's Gemini models: gemini/NAME (text, audio, image, video)"),
    "anthropic": ("triptych.models.anthropic", "Anthropic's Claude models: anthropic/NAME (text, image)"),
    "ocr": ("triptych.models.ocr", "ocr/ENGINE -M llm=ADAPTER/NAME: an OCR engine reads, any model answers"),
    "local": (
        "triptych.models.local",
        "local/cascade: OCR, speech recognition and a small LLM on this computer",
    ),
    "baseline": ("triptych.models.baseline", "baseline/random|constant|first|frequent|longest|reference"),
    "replay": ("triptych.models.replay", "replay/NAME -M path=…: results released by others, as a Run"),
}


def known_adapters() -> dict[str, tuple[str, str, str]]:
    """Every adapter: name -> (module, what it is, where it came from). A plug-in can't take a name of the house, since
    `openai/NAME` and others are sent a key."""
    known = {name: (module, line, "triptych") for name, (module, line) in ADAPTERS.items()}
    for point in entry_points(group="triptych.models"):
        known.setdefault(point.name, (point.value, "", point.dist.name if point.dist else "?"))
    return known


def known_settings(model: str) -> frozenset[str]:
    """The names of the settings that the adapter of `ADAPTER/NAME` tells of; empty where it tells none."""
    known = known_adapters().get(model.partition("/")[0])
    return frozenset(getattr(import_module(known[0]), "SETTINGS", ()) if known else ())


def _meant(model: str, known: Collection[str]) -> str:
    """A misspelt adapter; else a model that is named as its endpoint names it, without saying that it is one's."""
    adapter = model.partition("/")[0]
    if adapter and (near := nearest(adapter, known)).startswith("did you mean"):
        return near
    return f"did you mean openai/{model} (an OpenAI-compatible endpoint)? {nearest('', known)}"


def load_adapter(model: str, settings: Mapping[str, Any] | None = None) -> Adapter:
    """The adapter for `ADAPTER/NAME`. Raises SpecError for an unknown adapter or a wrong setting."""
    adapter, _, name = model.partition("/")
    known = known_adapters()
    if adapter not in known:
        raise SpecError(f"no model adapter {adapter!r}", got=model, expected="ADAPTER/NAME", fix=_meant(model, known))
    if not name:
        raise SpecError(f"which model of {adapter}?", got=model, expected=known[adapter][1])
    if any(mark in name for mark in ("?", "=", "@")) and scrub(f"://{name}") != f"://{name}":
        raise SpecError(
            "the model's name holds what looks like a key or a password; names are written to the manifest",
            expected="ADAPTER/NAME", fix="take it out; keys come from the environment",
        )  # fmt: skip
    _check_no_secrets(settings or {})
    module = import_module(known[adapter][0])
    make: Callable[[str, Mapping[str, Any]], Adapter] = module.make
    return make(name, settings or {})


def _check_no_secrets(settings: Mapping[str, Any]) -> None:
    """Settings stand in the Run's manifest, so a key or password among them is refused. An address may hold one: it is
    written nowhere."""
    for key, value in settings.items():
        if not key.endswith("base_url") and looks_secret(key, value):
            raise SpecError(
                f"the setting {key!r} holds what looks like a key or a password; settings are written to the manifest",
                expected="keys in the environment alone", fix="export it, and name the variable: -M key_env=NAME",
            )  # fmt: skip
