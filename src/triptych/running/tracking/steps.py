"""The training step of a checkpoint, read from names: `mine-step500`, `out/checkpoint-1500`, `step143000`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from triptych.records import RunManifest

_STEP = re.compile(
    r"(?<![a-z])(?P<unit>(?:global[-_])?steps?|checkpoint|ckpt|iter(?:ation)?|epoch)[-_= ]?"
    r"(?P<number>\d+(?:\.\d+)?)(?P<kilo>[km](?![a-z]))?",
    re.IGNORECASE,
)
# Models whose name has "step" in it: step3, step-1o-audio, stepfun/step-2-16k
_FAMILY = re.compile(r"(?i)(?:^|(?<=/))step-?\d(?:\.\d)?[ovx]?(?:-[^/]*)?$")
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000}


def step_in(texts: Iterable[str]) -> tuple[str, float] | None:
    """Return the unit and the number of the first step in texts; None if there is none.

    Example:
        >>> step_in(["openai/mine-ckpt-2k"])
        ('step', 2000.0)
        >>> step_in(["mine epoch 3"])
        ('epoch', 3.0)
    """
    for text in texts:
        if step_match := _STEP.search(text):
            unit = "epoch" if step_match["unit"].lower() == "epoch" else "step"
            return unit, float(step_match["number"]) * _THOUSANDS[(step_match["kilo"] or "").lower()]
    return None


def without_step(text: str) -> str:
    """Return a text without its step: `openai/mine` for `openai/mine-step500`."""
    return _STEP.sub("", text).strip(" -_./=@")


def step_texts(manifest: RunManifest) -> list[str]:
    """Return the texts that can say which checkpoint a Run asked: its name, revision, settings and model.

    Neither a setting such as `num_steps` (written with a colon, which no step has) nor a model of the family Step is a
    training step.
    """
    settings = " ".join(
        f"{name}: {value}" if name.casefold().endswith("steps") else f"{name}={value}"
        for name, value in sorted(manifest.model_settings.items())
    )
    return [manifest.name, manifest.revision, settings, _FAMILY.sub("", manifest.model)]
