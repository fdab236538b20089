"""The settings in which Runs differ, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from triptych.records import RunManifest
from triptych.scoring.signature import other_settings

NOT_STATED = "not given"
# Settings of adapters that no answer depends on: where and how a model is reached or loaded. What they load is in the
# Run's revision. Each adapter leaves its own out of a Run's identity; manifests of other tools and of older versions
# may hold them.
NO_DIFFERENCE = frozenset(
    {
        *("base_url", "key_env", "api_version", "stream", "inline_mb", "keep_files", "thoughts", "revision"),
        *("fetch", "batch", "device", "device_map", "threads", "instances", "light", "large", "adapter", "template"),
        *("python", "runner", "code", "source", "install", "start_s", "answer_s", "silence_s", "restarts"),
    }
)
_LONG = 40  # characters of a value that are shown
_NOT_ASKED = ("baseline/", "replay/")  # their settings are not about how a model is asked


def settings_apart(manifests: Sequence[RunManifest | None]) -> dict[str, tuple[str, ...]]:
    """Return the settings that are not the same in all Runs: name -> the value of each, as text.

    A Run without a manifest (results made elsewhere) has no settings that are known: its values are empty.
    """
    flat_settings = [None if manifest is None else _flat(manifest) for manifest in manifests]
    settings_known = [settings for settings in flat_settings if settings is not None]
    names = dict.fromkeys(name for model_settings in settings_known for name in model_settings)
    apart = [
        name for name in names if any(settings.get(name) != settings_known[0].get(name) for settings in settings_known)
    ]
    return {
        name: tuple(
            "" if settings is None else _shown(settings[name]) if name in settings else NOT_STATED
            for settings in flat_settings
        )
        for name in apart
    }


def _flat(manifest: RunManifest) -> dict[str, Any]:
    """Return all settings by their own names: those of decoding and of the model are on one level with the others."""
    settings: dict[str, Any] = {}
    for name, value in other_settings(manifest).items():
        if name == "model_settings" and manifest.model.startswith(_NOT_ASKED):
            continue
        settings |= dict(_named(name, value))
    return settings


def _named(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if name == "model_settings" and isinstance(value, Mapping):
        yield from ((key_name, entry) for key_name, entry in value.items() if key_name not in NO_DIFFERENCE)
    elif name == "decoding" and isinstance(value, Mapping):
        yield from value.items()
    else:
        yield name, value


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    words = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return words if len(words) <= _LONG else f"{words[: _LONG - 1]}…"
