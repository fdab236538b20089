"""Conditions from the plan to the score, over a real server on loopback."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import msgspec
import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.api import load_benchmark
from triptych.records import Item, Response
from triptych.running.loop import RunOptions


def asked(
    tmp_path: Path, mock: MockProcess, name: str, *conditions: str, **more: Any
) -> tuple[list[Item], list[Response]]:
    result = triptych.run(
        "cmdar/main",
        "openai/mock",
        base_url=mock.base_url,
        limit=2,
        out=tmp_path / name,
        conditions=conditions,
        options=RunOptions(cache=tmp_path / "cache"),
        settings={"temperature": "0"},
        **more,
    )
    assert not result.outcome.counts.get("failed")
    return list(result.folder.items()), list(result.folder.responses())


def test_changed_media_are_sent_under_a_key_of_their_own_and_served_from_the_cache_again(tmp_path: Path) -> None:
    with MockProcess(answer="letter") as mock:
        runs = {
            name: asked(tmp_path, mock, name, *conditions)
            for name, conditions in {
                "plain": (),
                "noise": ("noise",),
                "coded": ("noise", "opus:kbps=12"),
                "again": ("noise",),
            }.items()
        }
    keys = {name: [r.key for r in responses] for name, (_, responses) in runs.items()}
    assert keys["noise"] == keys["again"] and all(r.cached for r in runs["again"][1])
    assert len({*keys["plain"], *keys["noise"], *keys["coded"]}) == 6
    told = {
        name: [p.transform for item in items for p in item.parts if p.is_media] for name, (items, _) in runs.items()
    }
    assert told["noise"] == ["noise:seed=0"] * 2 and told["coded"] == ["noise:seed=0|opus:kbps=12"] * 2
    hashes = {name: [p.sha256 for item in items for p in item.parts if p.is_media] for name, (items, _) in runs.items()}
    assert hashes["plain"] == hashes["noise"] and all(hashes["plain"])


def test_every_rotation_is_asked_and_scored(tmp_path: Path) -> None:
    result = triptych.run("mcs_bench/T10", "baseline/reference", conditions=["circular"], out=tmp_path / "run")
    plain = len(
        [i for i in load_benchmark("mcs_bench").items(load_benchmark("mcs_bench").mini) if i.task.endswith("/T10")]
    )
    assert result.outcome.counts == {"answered": 4 * plain}
    assert result.folder.manifest.planned == 4 * plain
    (figure,) = [f for f in result.scores["standard"] if f.task == "mcs_bench/T10" and not f.slice][:1]
    assert (figure.value, figure.n) == (100, 4 * plain)


def test_what_a_condition_refuses_is_skipped_and_says_why(tmp_path: Path) -> None:
    mini = load_benchmark("mcs_bench").mini
    rows = [row for row in json.loads((mini / "MCS-Bench.json").read_text(encoding="utf-8")) if row["Task_ID"] == 10]
    rows[0]["Question_Simplified"] = rows[0]["Question_Simplified"].replace("B、", "乙、")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "q.json").write_bytes(msgspec.json.encode(rows))
    result = triptych.run(
        "mcs_bench/T10", "baseline/reference", data=tmp_path / "data", conditions=["shuffle"], out=tmp_path / "run"
    )
    assert result.outcome.counts == {"answered": len(rows) - 1, "skipped": 1}
    (lost,) = [r for r in result.folder.responses() if r.status == "skipped"]
    assert lost.error is not None and lost.error.kind == "condition" and "no lettered options" in lost.error.message


@pytest.mark.parametrize("conditions", [(), ("shuffle:seed=2",), ("circular",), ("shuffle:seed=2", "circular")])
@pytest.mark.parametrize("bench", ["cmdar/main", "mcs_bench/T10", "mcga/su", "xmodbench/perception/general"])
def test_the_most_frequent_place_is_that_of_the_keys_that_are_asked(
    bench: str, conditions: tuple[str, ...], tmp_path: Path
) -> None:
    """No constant place scores more than `frequent` does, whatever a Condition does to the options."""
    result = triptych.run(bench, "baseline/frequent", conditions=conditions, out=tmp_path / "run", scored=False)
    keys: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    right: Counter[str] = Counter()
    replies = {response.item: response.text for response in result.folder.responses()}
    for item in result.folder.items():
        texts, target = item.option_texts(), str(item.target)
        place = item.labels.index(target) if item.answer == "letter" else texts.index(target)
        keys[item.task][(place,)] += 1
        right[item.task] += replies[item.id] == target
    assert right == {task: max(count.values()) for task, count in keys.items()}
