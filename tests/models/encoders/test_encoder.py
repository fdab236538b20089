"""Tests of `models/encoders/encoder.py`: text encoders of the transformers library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.models.encoders.test_encoders import HARD, encoder
from tests.support.encoders import small_model
from triptych.errors import WeightsError
from triptych.models.encoders.bertscore import bertscore
from triptych.models.encoders.encoder import BATCH_TOKENS, TextEncoder

pytestmark = pytest.mark.weights


def test_equal_texts_are_encoded_once_longest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    used = encoder("m3e-small")
    monkeypatch.setattr(TextEncoder, "_run", _counting(TextEncoder._run, seen))
    bertscore(used, ["明月"] * 50 + ["月"], ["月"] * 51)
    assert seen == [4, 3]


def test_a_batch_that_does_not_fit_is_halved_and_a_text_that_does_not_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    used = encoder("m3e-small")
    monkeypatch.setitem(BATCH_TOKENS, "cpu", 4_096)  # in batches, as on a GPU
    texts = [used.tokens(text) for text in HARD]
    whole, run, room = used.vectors(texts), TextEncoder._run, 600

    def tight(self: TextEncoder, batch: list[tuple[int, ...]]) -> Any:
        if len(batch) * max(map(len, batch)) > room:
            raise MemoryError("as a GPU would say")
        return run(self, batch)

    monkeypatch.setattr(TextEncoder, "_run", tight)
    for one, other in zip(used.vectors(texts), whole, strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    room = 100
    with pytest.raises(WeightsError, match="doesn't fit into memory"):
        used.vectors(texts)


def _counting(run: Any, seen: list[int]) -> Any:
    def counted(self: TextEncoder, batch: list[tuple[int, ...]]) -> Any:
        seen.extend(map(len, batch))
        return run(self, batch)

    return counted


def test_a_layer_that_is_not_there_and_a_damaged_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="1 to 4"):
        TextEncoder(small_model("m3e-small"), 8, "cpu")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    (tmp_path / "model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(WeightsError, match="can't be loaded"):
        TextEncoder(tmp_path, device="cpu")
