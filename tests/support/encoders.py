"""Encoders for tests: a stand-in that says one value, an environment without any, and the two small real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.compared import Compared
from triptych.protocols.protocol import Unit

# A set of weights, and the layer that the tests take of it.
SMALL = {"minilm-l6": 5, "m3e-small": 3}


class Says(Compared):
    """Every encoder is there, and gives what `values` says of a comparison, or else `value`."""

    def __init__(self, value: float, values: dict[TextComparison, float] | None = None) -> None:
        super().__init__()
        self.one, self.own = value, values or {}

    def value(self, comparison: TextComparison) -> float | None:
        return self.own.get(comparison, self.one)

    def missing_reason(self, measure: str, language: str = "") -> str:
        return ""


def with_encoder(unit: Unit, value: float = 0.5) -> Unit:
    """The Unit as if encoders had said `value` of everything."""
    return replace(unit, compared=Says(value))


def no_encoders(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    """Nothing is found: neither in a folder of models, nor in either cache."""
    for name in ("TRIPTYCH_ENCODERS", "HF_HUB_CACHE", "TRIPTYCH_COMET_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(empty))
    monkeypatch.setenv("TRIPTYCH_CACHE", str(empty))


def small_model(name: str) -> Path:
    """The folder of a small real model; the test skips where it is absent."""
    pytest.importorskip("transformers", reason="the extra `embed` is not installed")
    from triptych.models.weights.resolver import Resolver

    resolver = Resolver()
    if resolver.missing_files(name):
        pytest.skip(f"weights not in the cache: python -m triptych.models.weights.fetch {name}")
    return resolver.resolve(name)
