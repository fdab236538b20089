"""Tests of `analysis/catalogue_facts.py`: what the catalogue knows about the model of a Run."""

from __future__ import annotations

import pytest
from msgspec import structs

from triptych.analysis.catalogue_facts import catalogue_facts
from triptych.api import plan
from triptych.models.catalogue import catalogue
from triptych.records import RunManifest


def manifest(model: str, name: str = "") -> RunManifest:
    return structs.replace(plan("cmdar", "baseline/first").manifest, model=model, name=name)


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("openai/Qwen/Qwen2.5-Omni-7B", ""),
        ("hf/Qwen/Qwen2.5-Omni-7B", ""),
        ("qwen2.5-omni-7b", ""),
        ("hf//srv/weights/a", "qwen2.5-omni-7b"),
    ],
)
def test_a_model_is_found_by_each_of_its_names(model: str, name: str) -> None:
    """As an endpoint serves it, as the Hub calls it, by the catalogue's key, and by the name that the Run was given."""
    facts = catalogue_facts(manifest(model, name))
    assert facts == {"size": "7B", "trained": "Chinese"}  # 10.7B with the encoders and the speech decoder


def test_the_name_that_the_run_was_given_comes_before_the_adapters() -> None:
    small, large = "qwen2.5-omni-3b", "qwen2.5-omni-7b"
    assert catalogue_facts(manifest(large, small)) == catalogue_facts(manifest(small))
    assert catalogue_facts(manifest(large, small)) != catalogue_facts(manifest(large))


def test_an_unknown_model_and_a_baseline_have_no_facts() -> None:
    assert catalogue_facts(manifest("openai/our-own-model-v3")) == {}
    assert catalogue_facts(manifest("baseline/first")) == {}


def test_facts_are_words_that_a_table_can_show() -> None:
    """A size is its number alone (`7B` of `7B LLM (10.7B all)`), training is `Chinese`, `RL` or both."""
    facts = [catalogue_facts(manifest(key)) for key in catalogue()]
    assert {name for one in facts for name in one} == {"size", "trained"}
    assert {one["trained"] for one in facts if "trained" in one} == {"Chinese", "RL", "Chinese, RL"}
    assert all(value and value == value.strip() for one in facts for value in one.values())
    assert all(" " not in one["size"] for one in facts if "size" in one)
