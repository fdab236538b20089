"""Tests of `models/encoders/compared.py`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.encoders import no_encoders
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.compared import Compared
from triptych.models.encoders.settings import EncoderSettings


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_lines_go_in_and_scores_come_out_in_order(models: Path) -> None:
    lines = [TextComparison("comet", mt, ref, "", src) for src, mt, ref in [("a", "bb", "c"), ("鸟\u2028\n", "", "ab")]]
    compared = Compared(EncoderSettings(models))
    compared.fill(lines)
    assert [compared.value(line) for line in lines] == [pytest.approx(1.21), pytest.approx(3.02)]
    told = compared.signature_text([("comet", "")])
    assert told.startswith("comet-Unbabel/wmt22-comet-da-sha256.") and told.endswith("-unbabel-comet-9")


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_a_process_that_fails_is_told_with_its_last_words(models: Path) -> None:
    (models / "wmt22-comet-da" / "checkpoints" / "model.ckpt").write_text("damaged")
    compared = Compared(EncoderSettings(models))
    line = TextComparison("comet", "a", "b", "", "c")
    compared.fill([line])
    assert compared.value(line) is None
    assert "COMET failed: AssertionError" in compared.missing_reason("comet")
    assert "hparams.yaml" in compared.missing_reason("comet")


@pytest.fixture(autouse=True)
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")


def test_nothing_asked_is_nothing_known() -> None:
    assert "were not requested" in Compared().missing_reason("bertscore", "zh")
    assert "hf download" in Compared(EncoderSettings()).missing_reason("bertscore", "zh")
    assert Compared(EncoderSettings()).signature_text([("bertscore", "zh")]) == ""
