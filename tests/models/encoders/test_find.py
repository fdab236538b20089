"""Where models are looked for, in what order, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.encoders import no_encoders
from triptych.errors import WeightsError
from triptych.models.encoders.find import find_model, fingerprint


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
