"""Tests of `models/serving/needs.py`: limits that a server needs for the Items of a benchmark."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.models.catalogue import find_model
from triptych.models.serving.needs import Needs


@pytest.fixture(autouse=True)
def weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The Hub's cache, with the one model whose adapters are served from its folder."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    folder = tmp_path / "hub" / "models--microsoft--Phi-4-multimodal-instruct" / "snapshots" / "abc"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder


def test_the_limits_of_xmodbench_are_four_of_each_kind() -> None:
    bench = load_benchmark("xmodbench")
    needs = Needs("xmodbench").add(bench.items(bench.mini))
    assert needs.limits(find_model("qwen2.5-omni-7b")) == {"audio": 4, "image": 4, "video": 4}
