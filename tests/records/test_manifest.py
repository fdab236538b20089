"""Tests of `records/manifest.py`: what identifies a Run, and the names that tables and journals use."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.records import RunManifest
from triptych.records.hashing import short_hash


def manifest(**changes: Any) -> RunManifest:
    basic: dict[str, Any] = {
        "schema_version": 1,
        "benchmark": "b",
        "benchmark_version": "1",
        "data": "/x",
        "data_sha256": "ab",
        "tasks": ("t",),
        "model": "m/n",
        "revision": "",
        "model_settings": {},
        "conditions": (),
        "prompt": "p",
        "decoding": {},
        "seed": 0,
        "repeats": 1,
    }
    return RunManifest(**{**basic, **changes})


def test_a_manifest_is_the_same_run_wherever_the_data_lie_and_whenever_it_is_made() -> None:
    assert manifest().identity() == manifest(data="/y", created="now", python="3.13", planned=4).identity()


@pytest.mark.parametrize("change", [{"seed": 1}, {"data_sha256": "cd"}, {"conditions": ("blind",)}, {"limit": 3}])
def test_a_manifest_is_another_run_when_something_that_counts_differs(change: dict[str, Any]) -> None:
    assert manifest().identity() != manifest(**change).identity()


@pytest.mark.parametrize(
    "change",
    [
        {"benchmark": "c"},
        {"benchmark_version": "2"},
        {"tasks": ("t", "u")},
        {"model": "m/o"},
        {"revision": "9f3b2c1"},
        {"model_settings": {"torch_dtype": "float16"}},
        {"prompt": "q"},
        {"prompts": {"p": {"user": "Answer."}}},
        {"decoding": {"temperature": 0.7}},
        {"system": "You are a listener."},
        {"repeats": 3},
        {"sample": "stratified"},
        {"filters": {"language": ("zh",)}},
        {"items_file": "ids.txt"},
        {"readings": {"transcribed": {"model": "hf/openai/whisper-large-v3"}}},
        {"name": "second"},
        {"shard": "2/4"},
        {"audio_seconds": 30.0},
    ],
)
def test_each_field_of_the_identity_makes_another_run(change: dict[str, Any]) -> None:
    assert manifest().identity() != manifest(**change).identity()


def test_what_only_informs_does_not() -> None:
    told: dict[str, Any] = {"platform": "Linux", "packages": {"torch": "2.9"}, "note": "第一次", "planned_whole": 9}
    told |= {"packing": "as files", "as_in": "mcif", "released": "FBK-MT/MCIF@abc"}
    told |= {"about": {"size": "7B"}, "map": {"answer": "gold"}}
    assert manifest(**told).identity() == manifest().identity()


def test_the_identity_survives_the_file() -> None:
    whole = manifest(filters={"language": ("zh", "de")}, readings={"asr": {"model": "m"}}, decoding={"top_p": 0.9})
    again = msgspec.json.decode(msgspec.json.encode(whole), type=RunManifest)
    assert again == whole and again.identity() == whole.identity()


@pytest.mark.parametrize(
    "change", [{"repeats": 0}, {"repeats": 1001}, {"repeats": "3"}, {"api_key": "x"}, {"seed": None}]
)
def test_a_manifest_from_outside_is_checked(change: dict[str, Any]) -> None:
    document = {**msgspec.to_builtins(manifest()), **change}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, RunManifest)


def test_the_names_in_tables_and_journals() -> None:
    assert manifest().called == "m/n" and manifest(name="七号").called == "七号"
    assert manifest().condition == "" and manifest(conditions=("blind", "noise=5")).condition == "blind+noise=5"


def test_prompts_are_named_with_a_hash_of_their_words() -> None:
    two = {"v2": {"user": "Answer with the letter."}, "cot": {"user": "Think first."}}
    run = manifest(prompt="v2+cot", prompts=two)
    assert run.prompt_texts == f"v2@{short_hash(two['v2'])}+cot@{short_hash(two['cot'])}"
    assert manifest(prompt="v2+cot", prompts={"v2": two["v2"]}).prompt_texts.endswith("+cot"), "unknown words"
    other = manifest(prompt="v2+cot", prompts={**two, "cot": {"user": "Think twice."}})
    assert other.prompt_texts != run.prompt_texts
    assert manifest(prompt="v2@1a2b", prompts={"v2@1a2b": two["v2"]}).prompt_texts == "v2@1a2b", "hashed already"
