"""Which encoders to use, and where they are: settings from the environment and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from triptych.errors import SpecError, nearest
from triptych.models.encoders.find import encoders_folder

MEASURES = ("bertscore", "cls_cosine", "comet")


@dataclass(frozen=True, slots=True)
class EncoderSettings:
    """Settings of encoders.

    `folder`: models are in it, each in a folder with its name (TRIPTYCH_ENCODERS). `models`: models used instead of the
    defaults, `bertscore.zh` or `bertscore` -> NAME_OR_FOLDER[@LAYER]. `device`: cpu, cuda, cuda:1; empty: the GPU if
    there is one. `make_comet`: COMET's environment may be created, which downloads packages. `report` receives progress
    messages.
    """

    folder: Path | None = field(default_factory=encoders_folder)
    models: Mapping[str, str] = field(default_factory=dict)
    device: str = ""
    make_comet: bool = False
    report: Callable[[str], None] = lambda line: None

    def model(self, measure: str, language: str, usual: str) -> tuple[str, int | None]:
        """Return (model, layer or None) for a measure in a language; `usual` is the default."""
        encoder = self.models.get(f"{measure}.{language}") or self.models.get(measure) or usual
        name, _, layer = encoder.rpartition("@")
        return (name, int(layer)) if name and layer.isdecimal() else (encoder, None)


def read_models(options: Iterable[str]) -> dict[str, str]:
    """Parse `bertscore.zh=NAME@LAYER` into a mapping. Raises SpecError for another form."""
    models: dict[str, str] = {}
    for option in options:
        key, _, value = option.partition("=")
        if not value:
            raise SpecError("an encoder must be given as MEASURE[.LANGUAGE]=MODEL[@LAYER]", got=option)
        if key.partition(".")[0] not in MEASURES:
            raise SpecError(f"no measure {key!r} has an encoder", where=option, fix=nearest(key, MEASURES))
        if key in models:
            got = f"{key}={models[key]} {option}"
            raise SpecError(f"two encoders are given for {key}", got=got, fix=f"give {key} one encoder")
        models[key] = value
    return models
