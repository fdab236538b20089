"""The default models, layers and baselines of BERTScore by language: those of bert-score, as data."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CLS_MODEL = "hfl/chinese-bert-wwm"
COMET_MODEL = "Unbabel/wmt22-comet-da"


def model_for(language: str) -> str:
    """Return bert-score's model for a language; the multilingual one for languages that it doesn't list."""
    table = _table()
    return str(table["languages"].get(language.lower(), table["other"]))


def layer_of(model: str) -> int | None:
    """Return the layer that bert-score uses of a model; None for a model that it doesn't list."""
    layer = _table()["layers"].get(model)
    return None if layer is None else int(layer)


def baseline_of(model: str, language: str) -> tuple[float, float, float] | None:
    """Return precision, recall and F1 of unrelated sentences at the model's default layer; None if not published."""
    baseline = _table()["baselines"].get(model, {}).get(language.lower())
    return None if baseline is None else (baseline[0], baseline[1], baseline[2])


def hub_name(model: str) -> str:
    """Return the name of a model on the Hub: its own, unless it has been moved."""
    return str(_table()["hub"].get(model, model))


def default_models() -> tuple[str, ...]:
    """Return every model that is the default for some language or measure."""
    table = _table()
    return tuple(dict.fromkeys([*table["languages"].values(), table["other"], CLS_MODEL, COMET_MODEL]))


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
