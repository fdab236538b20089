"""Tests of `scoring/signature.py`: the signature of a score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from tests.running.test_readings import WANTED
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.models.worker.trust import allow_foreign_code
from triptych.records import RunManifest
from triptych.scoring.signature import run_signature


def test_how_it_is_read_is_part_of_the_runs_identity() -> None:
    plans = [
        api.plan("mcs_bench/T2", "baseline/reference", conditions=[WANTED], settings=s) for s in ({}, {"top_k": 1})
    ]
    assert plans[0].manifest.identity()["readings"] != plans[1].manifest.identity()["readings"]
    protocol = plans[0].benchmark.protocols["official"]
    signatures = [run_signature(plan.manifest, protocol, ["acc"]) for plan in plans]
    assert "|read:" in signatures[0] and signatures[0] != signatures[1]
    plain = api.plan("mcs_bench/T2", "baseline/reference")
    assert "|read:" not in run_signature(plain.manifest, protocol, ["acc"])
    assert "readings" not in plain.manifest.identity() and json.dumps(plain.manifest.identity())
    assert (
        "/"
        not in api.plan("mcs_bench/T2", "baseline/random", conditions=["ocr:from=baseline/reference"])
        .default_folder()
        .name
    )


@pytest.fixture(autouse=True)
def keys_and_trust(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "TRIPTYCH_OTHER_API_KEY"):
        monkeypatch.setenv(name, "sk-none")
    allow_foreign_code()
    yield
    allow_foreign_code(allowed=False)


FIELDS: dict[str, Any] = {
    "conditions": ("blind",),
    "endpoints": (),
    "filters": {"a": ("b",)},
    "prompts": {"p": {"x": 1}},
}
MANIFEST = RunManifest(
    schema_version=2,
    benchmark="b",
    benchmark_version="1",
    data="d",
    data_sha256="h",
    tasks=("t",),
    model="m/n",
    revision="r",
    model_settings={},
    conditions=(),
    prompt="p",
    decoding={},
    seed=0,
    repeats=1,
    prompts={"p": {"content": ["{question}"]}},
)


@pytest.mark.parametrize("name", sorted(set(MANIFEST.identity()) | set(RunManifest.__struct_fields__)))
def test_every_field_of_a_runs_identity_is_in_the_signature(name: str) -> None:
    protocol = next(iter(load_benchmark("cmdar").protocols.values()))
    old = getattr(MANIFEST, name)
    new = FIELDS[name] if name in FIELDS else _another(old)
    changed = msgspec.structs.replace(MANIFEST, **{name: new})
    if changed.identity() != MANIFEST.identity() and name != "schema_version":
        assert run_signature(changed, protocol, ["acc"]) != run_signature(MANIFEST, protocol, ["acc"])


def _another(old: Any) -> Any:
    if isinstance(old, bool) or old is None:
        return not old
    if isinstance(old, int | float):
        return old + 1
    if isinstance(old, str):
        return old + "x"
    return {"x": {"y": 1}} if isinstance(old, dict) else ("x",)
