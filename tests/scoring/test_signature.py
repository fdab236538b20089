"""Tests of `scoring/signature.py`: the signature of a score."""

from __future__ import annotations

import json

from tests.running.test_readings import WANTED
from triptych import api
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
