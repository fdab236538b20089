"""The labels of Runs in tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triptych.records import RunManifest
from triptych.store.folder import RunFolder

_LONG = 60  # characters; a setting whose value is this long or longer isn't shown
_MAX_SETTINGS = 4  # settings in a label


def label_of(folder: RunFolder) -> str:
    """Return a Run's label: its name, or its model if it has none, followed by its Condition if it has one."""
    manifest = folder.manifest
    return f"{manifest.called} ({manifest.condition})" if manifest.condition else manifest.called


def labels_of(folders: Sequence[RunFolder]) -> list[str]:
    """Return a label for each Run. Equal labels are distinguished by the settings that differ, such as
    `openai/m [temperature=0.7]`; otherwise by folder or by number."""
    labels = [label_of(folder) for folder in folders]
    for names in (
        _what_differs(labels, [folder.manifest for folder in folders]),
        [folder.path.resolve().name for folder in folders],
        [str(number + 1) for number in range(len(folders))],
    ):
        labels = _with_names(labels, names)
    return labels


def _with_names(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the labels, with the names added to those that occur more than once, if the names differ."""
    pairs = list(zip(labels, names, strict=True))
    names_by_label = {label: {name for differing, name in pairs if differing == label} for label in labels}
    return [f"{label} [{name}]" if len(names_by_label[label]) > 1 else label for label, name in pairs]


def _what_differs(labels: Sequence[str], manifests: Sequence[RunManifest]) -> list[str]:
    """Return for each Run the settings that differ among Runs with the same label, with this Run's values."""
    settings = [_settings(manifest) for manifest in manifests]
    differences = []
    for label, setting in zip(labels, settings, strict=True):
        alike = [other for name, other in zip(labels, settings, strict=True) if name == label]
        keys = dict.fromkeys(key for other in alike for key in other)
        differing = [key for key in keys if len({other.get(key) for other in alike}) > 1]
        differences.append(", ".join(_setting_text(key, setting) for key in differing[:_MAX_SETTINGS]))
    return differences


def _setting_text(key: str, settings: Mapping[str, str]) -> str:
    value = settings.get(key, "")
    if key == "prompt":
        return value
    return f"{key}={value}" if value else f"no {key}"


def _settings(manifest: RunManifest) -> dict[str, str]:
    """Return the settings that can differ between Runs of one model and Condition, named as on the command line."""
    endpoint = manifest.endpoints[-1].address.partition("://")[2] if manifest.endpoints else ""
    settings: dict[str, Any] = {
        "prompt": manifest.prompt,
        **manifest.decoding,
        **manifest.model_settings,
        "revision": manifest.revision,
        "seed": manifest.decoding.get("seed", manifest.seed),
        "audio_seconds": f"{manifest.audio_seconds:g}" if manifest.audio_seconds else "",
        "repeats": manifest.repeats if manifest.repeats > 1 else "",
        "sample": manifest.sample,
        "limit": manifest.limit or "",
        **{name: ",".join(values) for name, values in manifest.filters.items()},
        "tasks": " ".join(manifest.tasks),
        "data": Path(manifest.data).name,
        "endpoint": endpoint,
    }
    return {key: str(value) for key, value in settings.items() if value is not None and 0 < len(str(value)) <= _LONG}
