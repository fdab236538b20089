"""The table of scores says how often a rule of the authors credits another option than the one that a reply chooses."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import triptych
from tests.audit.results.test_credited import mcga
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.cli.main import main
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response
from triptych.scoring.apply import score_units
from triptych.scoring.notes.credited import Credited
from triptych.scoring.runs import load_summary
from triptych.store.folder import RunFolder

# The key is A; two of the five that choose an option choose it
REPLIES = [
    "A项错误，答案是B",
    "C. 流水",
    "A",
    "不是A，而是D。",
    "答案是A",
    "我不知道",
]
NOTE = "official counts replies as correct that choose a wrong option: 2 of the 5 that choose one (40.0%)"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("credited")
    results = mcga(place / "MCGA_su_test.jsonl", REPLIES)
    triptych.run("mcga", model="replay/x", settings={"path": str(results)}, out=place / "run")
    return place / "run"


def printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: object) -> str:
    monkeypatch.setenv("COLUMNS", "300")
    with pytest.raises(SystemExit):
        main([str(one) for one in arguments])
    return " ".join(capsys.readouterr().out.split())


def test_the_summary_of_a_run_counts_them(run: Path) -> None:
    scored = load_summary(RunFolder.open(run))
    assert scored.credited["official"] == {"mcga/su": (2, 5)}
    assert "standard" not in scored.credited


def test_one_protocol_alone_counts_the_same(tmp_path: Path) -> None:
    path = mcga(tmp_path / "MCGA_su_test.jsonl", REPLIES)
    scored = triptych.score("mcga", predictions=[path], protocols=["official"])
    assert scored.credited == {"official": {"mcga/su": (2, 5)}}


def test_the_score_command_says_it_once_and_its_document_too(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = mcga(tmp_path / "MCGA_su_test.jsonl", REPLIES)
    for arguments in (["score", "mcga", "--predictions", path], ["score", run], ["report", run]):
        assert printed(capsys, monkeypatch, *arguments).count(NOTE) == 1, arguments
    document = json.loads(printed(capsys, monkeypatch, "score", run, "--json"))
    assert document["notes"].count(NOTE) == 1


def test_reports_in_files_have_it_below_the_first_table(run: Path, tmp_path: Path) -> None:
    triptych.report([run], to=tmp_path, formats=["md", "csv", "latex", "html"])
    for name in ("official.md", "notes.csv", "official.tex", "report.html"):
        text = (tmp_path / name).read_text("utf-8").replace("\\%", "%")
        assert NOTE in text, name
    assert NOTE not in (tmp_path / "standard.md").read_text("utf-8")


def test_a_merged_run_has_the_sum_of_its_shards(tmp_path: Path) -> None:
    results = mcga(tmp_path / "MCGA_su_test.jsonl", REPLIES)
    shards = [tmp_path / f"shard-{n}" for n in (1, 2)]
    for n, shard in enumerate(shards, 1):
        triptych.run("mcga", model="replay/x", settings={"path": str(results)}, out=shard, shard=f"{n}/2")
    api.merge(shards, tmp_path / "whole")
    assert load_summary(RunFolder.open(tmp_path / "whole")).credited["official"] == {"mcga/su": (2, 5)}


@pytest.mark.parametrize("name", ["mcs_bench", "mcga", "xmodbench", "cmdar"])
def test_every_protocol_is_held_against_the_letter_that_a_reply_names(name: str) -> None:
    """Every reply names a wrong option clearly; what a protocol credits nevertheless is counted, Unit by Unit."""
    benchmark = load_benchmark(name)
    items = [item for item in benchmark.items(benchmark.mini) if item.answer in ("letter", "option")][:30]
    units = [Unit((item,), (Response(item.id, "", 0, "answered", wrong(item)),)) for item in items]
    found = {protocol: score_units(units, rules) for protocol, rules in benchmark.protocols.items()}
    credited = Credited(benchmark)
    credited.add(units, found)
    for protocol in benchmark.protocols:
        right = Counter(score.task for score in found[protocol] if score.status == "scored" and score.numerator > 0)
        expected = right if protocol != "standard" else {}
        assert {task: n for task, (n, _) in credited.counts.get(protocol, {}).items()} == dict(expected)
    assert items and not any(score.numerator for score in found["standard"])


def wrong(item: Item) -> str:
    """A reply that denies the correct option and chooses another one."""
    target, other = item.target_positions[0], next(n for n in range(9) if n not in item.target_positions)
    if item.answer == "option":
        return f"The answer is: {item.option_texts()[other]}"
    return f"{item.labels[target]}项错误，答案是{item.labels[other]}"
