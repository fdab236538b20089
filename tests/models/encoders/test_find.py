"""Where models are looked for, in what order, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.encoders import no_encoders
from triptych.errors import SpecError, WeightsError
from triptych.models.encoders.compared import Compared
from triptych.models.encoders.defaults import baseline_of, default_models, layer_of, model_for
from triptych.models.encoders.engines import find_engine, inventory
from triptych.models.encoders.find import find_model, fingerprint
from triptych.models.encoders.settings import EncoderSettings, read_models


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")


def model(folder: Path, weights: str = "model.safetensors") -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    (folder / weights).write_bytes(b"weights")
    return folder


@pytest.mark.parametrize("place", ["hfl/chinese-bert-wwm", "hfl--chinese-bert-wwm", "chinese-bert-wwm"])
def test_in_the_folder_of_models_under_any_of_its_names(tmp_path: Path, place: str) -> None:
    there = model(tmp_path / "models" / place, "pytorch_model.bin")
    assert find_model("hfl/chinese-bert-wwm", tmp_path / "models").path == there


def test_in_the_hugging_face_cache_at_the_revision_that_main_names(tmp_path: Path) -> None:
    root = tmp_path / "empty" / "hub" / "models--google-bert--bert-base-chinese"
    model(root / "snapshots" / "aaaa")
    named = model(root / "snapshots" / "bbbb")
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("bbbb")
    found = find_model("bert-base-chinese", None)  # the Hub has moved it
    assert (found.path, found.revision) == (named, "bbbb")


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    there = model(tmp_path / "mine")
    assert find_model(str(there), None).path == there
    with pytest.raises(WeightsError, match=r"config\.json"):
        find_model(str(tmp_path / "nothing"), None)


def test_a_folder_without_weights_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "roberta-large").mkdir()
    with pytest.raises(WeightsError) as told:
        find_model("roberta-large", tmp_path)
    for word in ("hf download FacebookAI/roberta-large", "DIR/roberta-large", "--encoders", "TRIPTYCH_ENCODERS"):
        assert word in str(told.value)


def test_the_hash_changes_with_what_is_read_and_not_with_the_rest(tmp_path: Path) -> None:
    there = model(tmp_path / "m")
    before = fingerprint(there)
    (there / "README.md").write_text("words")
    (there / "pytorch_model.bin").write_bytes(b"not read beside the other")
    assert fingerprint(there) == before
    (there / "tokenizer.json").write_text("{}")
    assert fingerprint(there) != before


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


def test_other_models_are_chosen_by_measure_and_language(tmp_path: Path) -> None:
    asked = read_models(["bertscore.zh=some/model@4", "bertscore=./here", "cls_cosine=C:/x"])
    settings = EncoderSettings(tmp_path, asked)
    assert settings.model("bertscore", "zh", "usual") == ("some/model", 4)
    assert settings.model("bertscore", "en", "usual") == ("./here", None)
    assert settings.model("comet", "", "usual") == ("usual", None)
    for wrong in ("bertscore", "bertscore=", "bleurt=x"):
        with pytest.raises(SpecError):
            read_models([wrong])


def test_a_model_without_a_layer_or_a_baseline_says_so(tmp_path: Path) -> None:
    there = str(model(tmp_path / "mine"))
    with pytest.raises(SpecError, match="defines no layer"):
        find_engine("bertscore", "en", EncoderSettings(None, {"bertscore": there}))
    with pytest.raises(WeightsError, match="no baseline is published"):
        find_engine("bertscore.rescaled", "en", EncoderSettings(None, {"bertscore": f"{there}@3"}))
    with pytest.raises(SpecError, match="last layer"):
        find_engine("cls_cosine", "", EncoderSettings(None, {"cls_cosine": f"{there}@3"}))
    with pytest.raises(SpecError, match="no encoder"):
        find_engine("bleurt", "", EncoderSettings())


def test_nothing_asked_is_nothing_known() -> None:
    assert "were not requested" in Compared().lacking("bertscore", "zh")
    assert "hf download" in Compared(EncoderSettings()).lacking("bertscore", "zh")
    assert Compared(EncoderSettings()).signature_text([("bertscore", "zh")]) == ""


def test_the_inventory_lists_every_default() -> None:
    assert {name for name, ready, _ in inventory() if not ready} == set(default_models())
