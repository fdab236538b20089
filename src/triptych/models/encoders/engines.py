"""The engine of each measure: found without loading anything heavy, and loaded at the first comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from triptych.errors import SpecError, WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.defaults import (
    CLS_MODEL,
    COMET_MODEL,
    baseline_of,
    default_models,
    hub_name,
    layer_of,
    model_for,
)
from triptych.models.encoders.find import VARIABLE, ModelFolder, find_model, fingerprint, short_name
from triptych.models.encoders.settings import EncoderSettings


class Engine(Protocol):
    """Compares texts. `signature_text`: model, layer, hash and libraries, for signatures."""

    @property
    def signature_text(self) -> str: ...

    def compare(self, comparisons: Sequence[TextComparison]) -> list[float]:
        """Return a value for each comparison, in order. Raises WeightsError if the model can't be used."""
        ...


@dataclass(frozen=True)
class BertScoreEngine:
    """F1 of BERTScore, raw or rescaled."""

    name: str
    folder: ModelFolder
    layer: int
    baseline: tuple[float, float, float] | None
    device: str

    @cached_property
    def signature_text(self) -> str:
        """`bertscore-bert-base-chinese@REVISION-L8-raw-sha256.0123…-transformers-…,torch-…`."""
        scale = "raw" if self.baseline is None else f"rescaled.{self.baseline[2]}"
        return _signature_text("bertscore", self.name, self.folder, f"L{self.layer}-{scale}")

    def compare(self, comparisons: Sequence[TextComparison]) -> list[float]:
        """Return the F1 of each candidate."""
        from triptych.models.encoders.bertscore import bertscore
        from triptych.models.encoders.encoder import TextEncoder

        encoder = TextEncoder(self.folder.path, self.layer, self.device)
        texts = [c.candidate for c in comparisons], [c.reference for c in comparisons]
        # each pair alone: a Unit's score must not depend on other Units
        matches = bertscore(encoder, *texts, self.baseline, batch_size=1)
        return [match.f1 for match in matches]


@dataclass(frozen=True)
class ClsEngine:
    """The cosine of the last layer's [CLS] vectors."""

    name: str
    folder: ModelFolder
    device: str

    @cached_property
    def signature_text(self) -> str:
        """The same as for BERTScore, without a layer."""
        return _signature_text("cls_cosine", self.name, self.folder, "last-layer")

    def compare(self, comparisons: Sequence[TextComparison]) -> list[float]:
        """Return the cosine of each pair."""
        from triptych.models.encoders.cls import cls_cosine
        from triptych.models.encoders.encoder import TextEncoder

        encoder = TextEncoder(self.folder.path, None, self.device)
        return cls_cosine(encoder, [c.candidate for c in comparisons], [c.reference for c in comparisons])


def find_engine(measure: str, language: str, settings: EncoderSettings) -> Engine:
    """Return the engine of a measure for a language. Raises WeightsError, with what to install, if it is
    unavailable.
    """
    if measure == "comet":
        from triptych.models.encoders.comet import find_comet

        return find_comet(settings)
    from triptych.models.encoders.encoder import lacking_packages

    if measure == "cls_cosine":
        name, layer = settings.model(measure, language, CLS_MODEL)
        weights = find_model(name, settings.folder)
        if layer is not None:
            raise SpecError("cls_cosine always uses the last layer", got=f"{name}@{layer}", fix="leave @LAYER out")
        _need(lacking_packages())
        return ClsEngine(name, weights, settings.device)
    name, _, rule = measure.partition(".")
    if name != "bertscore" or rule not in ("", "rescaled"):
        raise SpecError(f"no encoder computes {measure!r}")
    return _bertscore(language, settings, rescaled=bool(rule), lacking=lacking_packages())


def _bertscore(language: str, settings: EncoderSettings, *, rescaled: bool, lacking: str) -> BertScoreEngine:
    model, name = settings.model("bertscore", language, model_for(language))
    layer = name or layer_of(model)
    if layer is None:
        raise SpecError("bert-score defines no layer for this model", got=model, fix=f"name one: {model}@LAYER")
    weights = find_model(model, settings.folder)
    usual = name is None or name == layer_of(model)
    baseline = baseline_of(model, language) if rescaled and usual else None
    if rescaled and baseline is None:
        raise WeightsError(
            f"BERTScore can't be rescaled: no baseline is published for {model}, layer {layer}, in {language}",
            fix=f"use the language's usual model, {model_for(language)}",
        )
    _need(lacking)  # checked last, so that wrong arguments are reported with and without torch
    return BertScoreEngine(model, weights, layer, baseline, settings.device)


def _need(lacking: str) -> None:
    if lacking:
        raise WeightsError(lacking)


def _signature_text(measure: str, name: str, folder: ModelFolder, how: str) -> str:
    from triptych.models.encoders.encoder import library_versions

    revision = f"@{folder.revision[:12]}" if folder.revision else ""
    return f"{measure}-{short_name(name)}{revision}-{how}-sha256.{fingerprint(folder.path)}-{library_versions()}"


def inventory(settings: EncoderSettings | None = None) -> list[tuple[str, bool, str]]:
    """Return every default model: its name, whether it is installed, and its location or what to download."""
    from triptych.models.encoders.comet import CHECKPOINTS
    from triptych.models.encoders.find import WEIGHTS

    settings = settings or EncoderSettings()
    rows = []
    for name in default_models():
        try:
            weights = find_model(name, settings.folder, CHECKPOINTS if name == COMET_MODEL else WEIGHTS)
            rows.append((name, True, str(weights.path)))
        except WeightsError:
            how = f"`hf download {hub_name(name)}`, or its files in DIR/{name.rpartition('/')[2]} ({VARIABLE}=DIR)"
            rows.append((name, False, how))
    return rows
