"""Settings that differ between Runs are those that an answer can depend on."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from msgspec import structs

from triptych.api import plan
from triptych.models.registry import ADAPTERS
from triptych.scoring.notes.differences import NO_DIFFERENCE, settings_apart

PLACES = {"hf": "triptych.models.hf.adapter", "worker": "triptych.models.worker.settings"}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_what_an_adapter_leaves_out_of_its_identity_never_counts(adapter: str) -> None:
    module = import_module(PLACES.get(adapter, ADAPTERS[adapter][0]))
    left_out: set[str] = set()
    for name in ("MAKES_NO_DIFFERENCE", "TRANSPORT", "_TRANSPORT"):
        left_out |= set(getattr(module, name, ()))
    assert left_out <= NO_DIFFERENCE
    settings = set(getattr(module, "SETTINGS", ()))
    assert not (settings - left_out) & NO_DIFFERENCE, "an answer depends on it"


def test_an_endpoint_is_no_difference_and_a_packing_is() -> None:
    def manifest(**settings: Any) -> Any:
        return structs.replace(plan("cmdar", "baseline/first").manifest, model="openai/m", model_settings=settings)

    one, other = manifest(base_url="http://10.1.2.3:8000/v1", packing="a"), manifest(key_env="KEY", packing="b")
    assert settings_apart([one, other, None]) == {"packing": ("a", "b", "")}
    assert settings_apart([manifest(base_url="http://a/v1"), manifest()]) == {}
