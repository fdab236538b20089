"""Tests of `models/encoders/defaults.py`: the default models, layers and baselines of BERTScore by language."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.encoders import no_encoders
from triptych.models.encoders.defaults import baseline_of, default_models, layer_of, model_for
from triptych.models.encoders.engines import inventory


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")


@pytest.mark.parametrize(
    ("language", "name", "layer", "f1"),
    [
        ("en", "roberta-large", 17, 0.83122575),
        ("zh", "bert-base-chinese", 8, 0.54755783),
        ("de", "bert-base-multilingual-cased", 9, 0.6147353),
        ("it", "bert-base-multilingual-cased", 9, 0.62006223),
        ("tr", "dbmdz/bert-base-turkish-cased", 10, None),
        ("sw", "bert-base-multilingual-cased", 9, None),
    ],
)
def test_a_language_has_bert_scores_model_layer_and_baseline(
    language: str, name: str, layer: int, f1: float | None
) -> None:
    assert (model_for(language), layer_of(name)) == (name, layer)
    found = baseline_of(name, language)
    assert (found and found[2]) == f1


def test_all_defaults_are_bert_scores() -> None:
    utils = pytest.importorskip("bert_score.utils")
    assert all(model_for(language) == name for language, name in dict(utils.lang2model).items())
    assert all(layer_of(name) == layer for name, layer in utils.model2layers.items())
    folder = Path(utils.__file__).parent / "rescale_baseline"
    for name in default_models():
        for language in (path.name for path in folder.iterdir()):
            file = folder / language / f"{name}.tsv"
            if file.is_file():
                row = file.read_text().splitlines()[1 + (layer_of(name) or 0)]
                assert baseline_of(name, language) == tuple(map(float, row.split(",")[1:]))


def test_the_inventory_lists_every_default() -> None:
    assert {name for name, ready, _ in inventory() if not ready} == set(default_models())
