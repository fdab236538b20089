"""What Runs are called in tables and sentences."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.store.folder import RunFolder


def label_of(folder: RunFolder) -> str:
    """How a Run is called in tables: model, and Condition where there is one."""
    manifest = folder.manifest
    return f"{manifest.model} ({manifest.condition})" if manifest.condition else manifest.model


def labels_of(folders: Sequence[RunFolder]) -> list[str]:
    """A label for each Run; those that share one are told apart by prompt, else by folder, else by number."""
    labels = [label_of(folder) for folder in folders]
    for names in (
        [folder.manifest.prompt for folder in folders],
        [folder.path.resolve().name for folder in folders],
        [str(number + 1) for number in range(len(folders))],
    ):
        labels = _told_apart(labels, names)
    return labels


def _told_apart(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """The labels that are there more than once, with their names added where these differ."""
    pairs = list(zip(labels, names, strict=True))
    known = {label: {name for own, name in pairs if own == label} for label in labels}
    return [f"{label} [{name}]" if len(known[label]) > 1 else label for label, name in pairs]
