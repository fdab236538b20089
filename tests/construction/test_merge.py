"""Tests of `construction/merge.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction.recipes.test_mcs_bench import drawn
from tests.construction.recipes.test_mcs_bench_sources import ASKED, LINES, released, table
from triptych.api.build_verdict import verdict_on
from triptych.construction.build import build
from triptych.construction.merge import merge_builds
from triptych.errors import DataError, RunFolderError, SpecError
from triptych.models import registry

pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcs_bench_sources", ""))
    ASKED.clear()


# Merging


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("parts")
    long = "此图绘江南山水，层峦叠嶂，烟波浩渺，渔舟点点，设色明丽。"
    for name, rows in {
        "ann": [{"id": "1", "task": "T25", "answer": long}, {"id": "2", "task": "T1", "answer": LINES[0]}],
        "ben": [
            {"id": "1", "task": "T30", "answer": "乾隆御览之宝", "image": "7.png"},
            {"id": "3", "task": "T25", "answer": long, "image": "8.png"},  # what ann has already
        ],
    }.items():
        (root / name).mkdir()
        for number in (7, 8):
            drawn(number).save(root / name / f"{number}.png")
        build("mcs_bench", table(root / name, [dict(row) for row in rows], ""), root / f"{name}-build")
    return root


def test_builds_are_merged_without_doubled_questions(parts: Path, tmp_path: Path) -> None:
    both = [parts / "ann-build", parts / "ben-build"]
    merged = merge_builds(both, tmp_path / "m", name="Both", examine=verdict_on)
    assert merged.builds == {"ann-build": 2, "ben-build": 2} and merged.written == 3
    assert merged.verdict is not None and merged.counts[-1].reasons == {"dropped: near-duplicate": 1}
    rows = released(tmp_path / "m")
    assert [(row["ID"], row["Task_ID"]) for row in rows] == [(1, 1), (2, 25), (3, 30)]
    assert all((tmp_path / "m/out" / row["Image"]).is_file() for row in rows)
    lines = (tmp_path / "m/out/provenance.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {"2", "ann-build.1", "ben-build.1"}
    assert "# Both" in (tmp_path / "m/out/README.md").read_text(encoding="utf-8")
    first = {p.name: p.read_bytes() for p in (tmp_path / "m/out").iterdir() if p.is_file()}
    merge_builds(both, tmp_path / "m", name="Both")
    assert {p.name: p.read_bytes() for p in (tmp_path / "m/out").iterdir() if p.is_file()} == first
    with pytest.raises(RunFolderError, match="merged from builds"):
        build("mcs_bench", parts / "ann/own.toml", tmp_path / "m")


def test_a_merge_refuses_what_does_not_belong_together(parts: Path, tmp_path: Path) -> None:
    ann, ben = parts / "ann-build", parts / "ben-build"
    for builds, to, told in (
        ([ann, ann], "x", "two different builds"),
        ([ann, ben], "ann-build", "folder of its own"),
        ([ann, tmp_path], "x", "not a build folder"),
    ):
        with pytest.raises((SpecError, RunFolderError, DataError), match=told):
            merge_builds(builds, parts / to if to == "ann-build" else tmp_path / to)
    own = parts / "ben/own.toml"
    other = own.with_name("other.toml")
    other.write_text('licence = "cc0-1.0"\n' + own.read_text(encoding="utf-8"), encoding="utf-8")
    build("mcs_bench", other, tmp_path / "licence")
    with pytest.raises(DataError, match="differ in their licence"):
        merge_builds([ann, tmp_path / "licence"], tmp_path / "x")
    other.write_text(own.read_text(encoding="utf-8").replace("review = false\nsecond", "review = true\nsecond"))
    build("mcs_bench", other, tmp_path / "waits")
    with pytest.raises(DataError, match="isn't complete"):
        merge_builds([ann, tmp_path / "waits"], tmp_path / "x")
