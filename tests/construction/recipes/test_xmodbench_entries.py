"""Tests of `construction/recipes/_xmodbench_entries.py`."""

from __future__ import annotations

import pytest

from tests.construction.recipes.test_xmodbench_sources import spoken
from triptych.construction.recipes._xmodbench_entries import clusters
from triptych.models import registry, speech

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("pyloudnorm", reason="pyloudnorm comes with the extra [build]")


@pytest.fixture(autouse=True)
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "scribe", ("tests.construction.recipes.test_xmodbench_sources", ""))
    monkeypatch.setattr(speech.Speaker, "speak", spoken)


def test_the_clusters_are_the_eight_of_the_benchmark() -> None:
    assert len(clusters()) == 265 and len(set(clusters().values())) == 8
    assert clusters()["dog barking"] == "Animal sounds" and clusters()["ambulance siren"] == "Urban sounds"
    assert clusters()["playing violin, fiddle"] == "Musical instruments" and "rapping" not in clusters()
