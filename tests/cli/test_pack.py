"""`triptych pack` and `unpack`: nothing is lost, and every command that reads takes a packed Run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from tests.support.shards import figures
from triptych.cli.main import main


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


def test_pack_and_unpack_tell_and_lose_nothing(shards: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    run = shards[0]
    before = {name: (run / f"{name}.jsonl").read_bytes() for name in ("items", "responses")}
    assert call("pack", run, "--json") == 0
    (told,) = json.loads(capsys.readouterr().out)["runs"]
    assert told["packed"] and told["bytes"] < told["bytes_before"]
    assert call("run", "cmdar/main", "--model", "baseline/first", "--out", run) == 2
    assert f"triptych unpack {run}" in capsys.readouterr().err
    assert call("unpack", run) == 0
    after = {name: (run / f"{name}.jsonl").read_bytes() for name in before}
    assert {n: sorted(v.splitlines()) for n, v in after.items()} == {
        n: sorted(v.splitlines()) for n, v in before.items()
    }
    call("pack", run)
    call("unpack", run)
    assert {name: (run / f"{name}.jsonl").read_bytes() for name in before} == after, "from then on byte for byte"
    assert call("run", "cmdar/main", "--model", "baseline/first", "--out", run) == 0


def test_every_command_that_reads_takes_a_packed_run(
    shards: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    triptych.run("cmdar/main", "baseline/random", seed=1, out=other)
    plain = figures(shards[0])
    assert call("pack", shards[0], other) == 0
    assert figures(shards[0]) == plain
    run = shards[0]
    for arguments in (
        ["score", run, "--json"],
        ["report", run, "--to", tmp_path / "report", "--format", "csv,md"],
        ["compare", run, other, "--replicates", 200, "--json"],
        ["analyse", run, other, "--json"],
        ["errors", run, "--json"],
        ["audit", "run", run, "--json"],
        ["export", run, "--format", "lmms", "--to", tmp_path / "lmms"],
        ["export", run, "--format", "dataset", "--to", tmp_path / "dataset"],
        ["merge", run, shards[1], "--out", tmp_path / "both", "--json"],
    ):
        assert call(*arguments) in (0, 1), (arguments, capsys.readouterr().err)
        assert "Traceback" not in capsys.readouterr().err
    assert not list(run.glob("items.jsonl")) and not list(run.glob("responses.jsonl"))
