"""Shards whose texts are compared by COMET or an encoder: `run --shard`, `score` and `merge` from the command line give
the values of the whole Run, to the last digit.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.test_run_shards import call, figures, tables
from tests.support.comet import stand_in
from tests.support.encoders import SMALL, no_encoders, small_model
from triptych.models.baseline import Reference
from triptych.records import Item
from triptych.store.folder import RunFolder

SHARDS = 2


@pytest.fixture(autouse=True)
def spoilt(monkeypatch: pytest.MonkeyPatch) -> None:
    """`baseline/reference` leaves out some words or characters, others in each Item, so that values differ."""

    def answer(self: Reference, item: Item, repeat: int) -> str:
        target, gap = str(item.target or ""), 3 + len(item.id) % 4
        parts, between = (target.split(" "), " ") if " " in target else (list(target), "")
        return between.join(part for number, part in enumerate(parts) if number % gap != 1)

    monkeypatch.setattr(Reference, "answer", answer)


def same_values(root: Path, what: tuple[str, ...], encoders: tuple[object, ...], said: str) -> dict[str, list[float]]:
    """Run and score the whole and its shards, merge these, and compare all that scoring writes. Return the values of
    the whole by metric.
    """
    folders = {f"{number}/{SHARDS}": root / f"shard-{number}" for number in range(1, SHARDS + 1)}
    for shard, folder in {"": root / "whole", **folders}.items():
        part = ("--shard", shard) if shard else ()
        assert call("run", *what, "--model", "baseline/reference", "--out", folder, "--json", *part) == 0
        assert call("score", folder, *encoders, "--json") == 0
    with pytest.MonkeyPatch.context() as once:
        once.setattr("triptych.models.encoders.compared.find_engine", None)  # nothing is encoded again
        once.setattr("triptych.scoring.apply.scores_of", None)
        assert call("merge", *folders.values(), "--out", root / "both") == 0
    whole, both = RunFolder.open(root / "whole"), RunFolder.open(root / "both")
    assert said in (both.path / "summary.json").read_text("utf-8")
    assert figures(both.path) == figures(whole.path) and tables(both.path) == tables(whole.path) != {}
    values: dict[str, list[float]] = {}
    for path in (whole.path / "scores").iterdir():
        assert (both.path / "scores" / path.name).read_bytes() == path.read_bytes()
        for score in map(json.loads, path.read_text("utf-8").splitlines()):
            assert score["status"] == "scored"
            values.setdefault(score["metric"], []).append(score["numerator"])
    return values


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_comet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_encoders(monkeypatch, tmp_path / "empty")
    models = stand_in(tmp_path, monkeypatch)
    tasks = ("mcif/long/de/TRANS", "mcif/long/zh/TRANS")
    values = same_values(tmp_path, tasks, ("--encoders", models), "unbabel-comet-9")
    assert len(set(values["comet"])) > SHARDS
    assert not list(tmp_path.glob("*/tables/overview.csv")), "written by `run`, when no table had a figure yet"


@pytest.mark.slow
def test_the_real_comet(tmp_path: Path) -> None:
    """TRIPTYCH_TEST_COMET names a folder with a real checkpoint, TRIPTYCH_COMET_PYTHON a Python with unbabel-comet."""
    place = os.environ.get("TRIPTYCH_TEST_COMET", "")
    if not place or not os.environ.get("TRIPTYCH_COMET_PYTHON"):
        pytest.skip("TRIPTYCH_TEST_COMET and TRIPTYCH_COMET_PYTHON name no COMET")
    encoders = ("--encoder", f"comet={place}", "--device", "cpu")
    values = same_values(tmp_path, ("mcif/long/de/TRANS",), encoders, "|encoders:comet-")
    assert len(set(values["comet"])) > SHARDS


@pytest.mark.slow
@pytest.mark.weights
@pytest.mark.parametrize("name", SMALL)
def test_a_real_encoder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    place = small_model(name)
    no_encoders(monkeypatch, tmp_path / "empty")
    encoders = ("--encoder", f"cls_cosine={place}", "--encoder", f"bertscore={place}@{SMALL[name]}", "--device", "cpu")
    tasks = ("mcs_bench/T6", "mcs_bench/T9", "mcs_bench/T15")
    values = same_values(tmp_path, tasks, encoders, "|encoders:cls_cosine-")
    assert len(set(values["cls_cosine"])) > SHARDS and len(set(values["bertscore"])) > SHARDS
