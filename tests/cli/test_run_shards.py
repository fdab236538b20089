"""`run --shard k/n` and `merge`: from the command line, the Run that one machine would have made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from triptych.cli.main import main
from triptych.store.folder import RunFolder

WHAT = ("xmodbench", "--limit", "1")


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


def run(out: Path, *more: object, model: str = "baseline/frequent", what: tuple[str, ...] = WHAT) -> int:
    return call("run", *what, "--model", model, "--out", out, "--json", *more)


def tables(folder: Path) -> dict[str, list[str]]:
    """Tables by name, without the time that the model took, which is measured each time."""
    paths = [path for path in sorted((folder / "tables").glob("*.csv")) if path.name != "cost-total.csv"]
    return {
        path.name: [line for line in path.read_text().split("\n") if ",hours," not in line.lower()] for path in paths
    }


def figures(folder: Path) -> tuple[object, ...]:
    summary = json.loads((folder / "summary.json").read_text())
    scores = {name: [f for f in own if f["metric"] != "hours"] for name, own in summary["protocols"].items()}
    return summary["counts"], scores, summary.get("notes")


def test_merged_shards_are_the_run_of_one_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tmp_path / "whole") == 0
    shards = [tmp_path / f"shard-{k}-of-3" for k in (1, 2, 3)]
    for number, folder in enumerate(shards, 1):
        assert run(folder, "--shard", f"{number}/3") == 0
    with monkeypatch.context() as once:
        once.setattr("triptych.scoring.apply.scores_of", None)  # no Unit is scored again
        assert call("merge", *shards, "--out", tmp_path / "both") == 0
    assert "scores of the shards were joined" in capsys.readouterr().err
    whole, both = RunFolder.open(tmp_path / "whole"), RunFolder.open(tmp_path / "both")
    assert [(r.entry, r.key, r.status, r.text) for r in both.responses()] == [
        (r.entry, r.key, r.status, r.text) for r in whole.responses()
    ]
    assert list(both.items()) == list(whole.items()) and both.manifest.identity() == whole.manifest.identity()
    assert figures(both.path) == figures(whole.path) and tables(both.path) == tables(whole.path) != {}
    for path in (whole.path / "scores").iterdir():
        assert (both.path / "scores" / path.name).read_bytes() == path.read_bytes()
    capsys.readouterr()
    assert run(tmp_path / "both") == 0, "the whole's own command resumes it, and nothing is left to ask"
    assert len(list(both.history())) == len(list(whole.responses()))


@pytest.mark.parametrize("lacking", ["summary.json", "scores/official.jsonl"])
def test_shards_without_their_scores_are_merged_and_scored_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lacking: str
) -> None:
    for number in (1, 2):
        run(tmp_path / f"{number}", "--shard", f"{number}/2", model="baseline/first")
    (tmp_path / "2" / lacking).unlink()
    capsys.readouterr()
    assert call("merge", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "both") == 0
    said = capsys.readouterr().err
    if lacking == "summary.json":
        assert "joined" not in said and f"`triptych score {tmp_path}/both` computes its scores" in said
    else:
        assert (
            "joined: lmms-eval, paper" in said
            and f"`triptych score {tmp_path}/both` computes its scores: official" in said
        )
    assert call("score", tmp_path / "both", "--json") == 0
    assert run(tmp_path / "whole", model="baseline/first") == 0
    assert figures(tmp_path / "both")[:2] == figures(tmp_path / "whole")[:2]


def test_shards_of_several_versions_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        run(tmp_path / f"{number}", "--shard", f"{number}/2", model="baseline/first")
    folder = RunFolder.open(tmp_path / "2")
    folder.rewrite(structs.replace(folder.manifest, code_version="0.0.9", packages={"transformers": "5.22"}))
    capsys.readouterr()
    assert call("merge", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "both") == 0
    version = RunFolder.open(tmp_path / "1").manifest.code_version
    told = f"made with several versions of triptych: 0.0.9, {version}"
    assert f"note: {told}" in capsys.readouterr().err
    assert told in RunFolder.open(tmp_path / "both").manifest.note


def test_shards_of_another_selection_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path / "1", "--shard", "1/2", model="baseline/first")
    run(tmp_path / "2", "--shard", "2/2", model="baseline/first", what=("xmodbench", "--limit", "2"))
    capsys.readouterr()
    assert call("merge", tmp_path / "1", tmp_path / "2", "--out", tmp_path / "both") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "they differ in limit" in said and "give the shards of one selection of Items" in said
    assert not (tmp_path / "both").exists()


def test_a_shard_resumes_and_says_that_it_is_a_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "a", "--shard", "1/2") == 0
    before = (tmp_path / "a" / "responses.jsonl").read_bytes()
    assert run(tmp_path / "a", "--shard", "1/2") == 0
    assert (tmp_path / "a" / "responses.jsonl").read_bytes() == before
    assert "shard 1/2: a part" in json.dumps(figures(tmp_path / "a"))
    assert "|shard:1/2|" in json.dumps(figures(tmp_path / "a"))
    capsys.readouterr()
    assert run(tmp_path / "a", "--shard", "2/2") == 2, "another shard is another Run"
    assert "differs in: shard" in capsys.readouterr().err


def test_a_missing_shard_is_named_with_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 3):
        run(tmp_path / f"shard-{number}-of-3", "--shard", f"{number}/3", model="baseline/first")
    both = [tmp_path / "shard-1-of-3", tmp_path / "shard-3-of-3"]
    capsys.readouterr()
    assert call("merge", *both, "--out", tmp_path / "both") == 2
    said = " ".join(capsys.readouterr().err.split())
    command = (
        f"triptych run xmodbench --model baseline/first -M k=3 --limit 1 --shard 2/3 --out {tmp_path}/shard-2-of-3"
    )
    assert "1 shard is missing" in said and command in said and "--partial" in said
    assert call("merge", *both, "--out", tmp_path / "both", "--partial") == 0
    said = " ".join(capsys.readouterr().err.split())
    assert f"triptych run xmodbench --model baseline/first -M k=3 --limit 1 --out {tmp_path}/both" in said
    assert call(*command.split()[1:]) == 0
    assert call("merge", *both, tmp_path / "shard-2-of-3", "--out", tmp_path / "all") == 0
    assert run(tmp_path / "both", model="baseline/first") == 0
    both_ways = [[r.entry for r in RunFolder.open(tmp_path / name).responses()] for name in ("both", "all")]
    assert both_ways[0] == both_ways[1]


def test_shards_have_folders_of_their_own_next_to_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for shard in ("1/2", "2/2"):
        assert call("run", *WHAT, "--model", "baseline/first", "--shard", shard, "--json") == 0
    names = sorted(path.name for path in (tmp_path / "runs" / "xmodbench").iterdir())
    assert [name.rpartition("-")[0] for name in names] == [f"baseline-first-shard-{k}-of-2" for k in (1, 2)]
    assert len({name.rpartition("-")[2] for name in names}) == 1


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--shard", "4/3"), "not a shard"),
        (("--shard", "1/9000"), "use at most"),
        (("--shard", "1/2", "--preset", "blind"), "--preset can't be combined"),
    ],
)
def test_a_wrong_shard_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], says: str
) -> None:
    what = ("xmodbench",) if "--preset" in more else WHAT
    assert call("run", *what, "--model", "baseline/first", "--out", tmp_path / "a", *more) == 2
    assert says in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "a").exists()
