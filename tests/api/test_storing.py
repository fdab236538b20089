"""Tests of `api/storing.py`: what comes along in a merge, what is refused, and processes that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from triptych import api
from triptych.errors import RunFolderError, SpecError
from triptych.models.http.endpoints import endpoint_of
from triptych.store.folder import RunFolder


def test_what_people_judges_and_readers_said_comes_along(shards: list[Path], tmp_path: Path) -> None:
    for number, run in enumerate(shards):
        for place in ("verdicts/judge.jsonl", "readings/ocr.jsonl", "annotations.jsonl"):
            (run / place).parent.mkdir(exist_ok=True)
            (run / place).write_text(f'{{"of": {number}}}\n' + '{"torn', encoding="utf-8")
        (run / "verdicts/panel.json").write_text(f'{{"judges": [{number}]}}', encoding="utf-8")
    both = api.merge(shards, tmp_path / "both")
    for place in ("verdicts/judge.jsonl", "readings/ocr.jsonl", "annotations.jsonl"):
        assert (both.path / place).read_text("utf-8") == '{"of": 0}\n{"of": 1}\n'
    assert not (both.path / "verdicts/panel.json").exists() and "their judges differ" in both.manifest.note


def test_the_command_of_a_shard_is_for_shards_of_the_same_division(here: Path) -> None:
    shard = api.run("q.csv", "baseline/first", shard="1/3", out="runs/1-of-3")
    assert api.shard_command(shard, "2/3").endswith("--shard 2/3 --out runs/2-of-3")
    assert api.shard_command("runs/1-of-3", "2/3") == api.shard_command(shard.folder, "2/3")
    for wrong, said in (("2/5", "another number of shards"), ("9/3", "not a shard"), ("second", "not a shard")):
        with pytest.raises(SpecError, match=said):
            api.shard_command(shard, wrong)
    whole = api.run("q.csv", "baseline/first", out="whole")
    with pytest.raises(SpecError, match="this Run is not a shard"):
        api.shard_command(whole, "1/2")


def test_a_link_in_a_strangers_run_is_not_copied(shards: list[Path], tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine\n", encoding="utf-8")
    (shards[0] / "annotations.jsonl").symlink_to(tmp_path / "secret")
    with pytest.raises(RunFolderError, match="can't be written"):
        api.merge(shards, tmp_path / "both")
    assert not (tmp_path / "both").exists() and not (tmp_path / ".both.merging").exists()


def test_shards_of_several_endpoints_take_a_word(shards: list[Path], tmp_path: Path) -> None:
    import msgspec

    for number, run in enumerate(shards):
        folder = RunFolder.open(run)
        where = endpoint_of(f"http://127.0.0.1:800{number}/v1")
        assert where is not None
        folder.rewrite(msgspec.structs.replace(folder.manifest, endpoints=(where,)))
    with pytest.raises(RunFolderError, match="different endpoints"):
        api.merge(shards, tmp_path / "both")
    both = api.merge(shards, tmp_path / "both", same_model=True)
    assert len(both.manifest.endpoints) == 2


_KILL = """
import os, signal, sys
import triptych.store.{module} as module
from triptych import api
calls = 0
def dying(real):
    def call(*a, **k):
        global calls
        calls += 1
        if calls > int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*a, **k)
    return call
{patches}
{action}
"""


@pytest.mark.parametrize("after", [0, 1, 2, 3])
@pytest.mark.parametrize("what", ["pack", "unpack", "merge"])
def test_killed_in_the_middle_leaves_the_original_whole(
    shards: list[Path], tmp_path: Path, what: str, after: int
) -> None:
    run, before = shards[0], None
    if what == "unpack":
        api.pack(run)
    before = (list(RunFolder.open(run).items()), list(RunFolder.open(run).responses()))
    names = {
        "pack": ("write_parquet", "read_parquet"),
        "unpack": ("JournalWriter.append",),
        "merge": ("Lines.raw_lines",),
    }[what]
    runs = [[str(shard) for shard in shards], str(tmp_path / "both")] if what == "merge" else [str(run)]
    action = f"{what}(*{runs!r})"
    script = _KILL.format(
        module="journals.lines" if what == "merge" else "parquet.pack",
        action=f"api.{action}",
        patches="\n".join(f"module.{name} = dying(module.{name})" for name in names),
    )
    done = subprocess.run([sys.executable, "-c", script, str(after)], env={**os.environ}, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    folder = RunFolder.open(run)
    assert (list(folder.items()), list(folder.responses())) == before
    assert not (tmp_path / "both").exists()
    if what == "merge":
        assert len(list(api.merge(shards, tmp_path / "both").responses())) > len(before[1])
    else:
        again = {"pack": api.pack, "unpack": api.unpack}[what](run)
        assert (list(again.items()), list(again.responses())) == before
        assert again.is_packed == (what == "pack")
