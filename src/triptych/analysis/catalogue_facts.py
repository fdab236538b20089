"""Facts of the catalogue of models about the model of a Run."""

from __future__ import annotations

from triptych.models.catalogue import find_model
from triptych.records import RunManifest


def catalogue_facts(manifest: RunManifest) -> dict[str, str]:
    """Return what the catalogue knows about the Run's model: size, and its training in the words of `systems.csv`."""
    names = (manifest.called, manifest.model, manifest.model.partition("/")[2])
    row = next((cells for name in names if name and (cells := find_model(name))), None)
    if row is None:
        return {}
    trained = [words for tag, words in (("chinese", "Chinese"), ("rl", "RL")) if tag in row.tags]
    facts = {"size": row.size.partition(" ")[0], "trained": ", ".join(trained)}
    return {name: value for name, value in facts.items() if value}
