"""`triptych merge`: shards become one Run with the figures of a Run over all; wrong use is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import triptych
from tests.support.shards import figures, listing
from triptych.cli.main import main
from triptych.store.folder import RunFolder


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


def test_shards_become_one_run_with_the_figures_of_a_run_over_both(
    shards: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = [listing(run) for run in shards]
    assert call("merge", *shards, "--out", tmp_path / "both", "--name", "whole", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    whole = triptych.run(
        "cmdar", "baseline/first", out=tmp_path / "whole", filters={"task": ["cmdar/main", "cmdar/multi"]}
    )
    assert told["items"] == told["responses"] == len(list(whole.folder.items()))
    assert [a for a in figures(tmp_path / "both") if a] == [a for a in figures(tmp_path / "whole") if a]
    assert RunFolder.open(tmp_path / "both").manifest.name == "whole"
    assert [listing(run) for run in shards] == sources, "the sources stay as they are"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{0}", "--out", "{0}/x"], "at least two Runs"),
        (["{0}", "{0}", "--out", "{0}/x"], "the same Run is given twice"),
        (["{0}", "{1}", "--out", "{1}"], "a Run already exists"),
        (["{0}", "{1}/..", "--out", "{1}/../new"], "two Runs contain"),
    ],
)
def test_wrong_use_is_refused(
    shards: list[Path], arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if ".." in arguments[1]:
        shutil.copytree(shards[0], shards[0].parent / "copy")
    assert call("merge", *(a.format(*shards) for a in arguments)) == 2
    assert words in capsys.readouterr().err
