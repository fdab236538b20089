"""`triptych merge`, `pack` and `unpack`: from the command line; killed in the middle; read by every command after."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import triptych
from triptych import api
from triptych.cli.main import main
from triptych.errors import RunFolderError
from triptych.models.http.endpoints import endpoint_of
from triptych.store.folder import RunFolder


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two Tasks of one benchmark, asked in a Run each."""
    root = tmp_path_factory.mktemp("asked")
    for name, task in (("one", "cmdar/main"), ("two", "cmdar/multi")):
        triptych.run(task, "baseline/first", out=root / name)
    return root


@pytest.fixture
def shards(asked: Path, tmp_path: Path) -> list[Path]:
    """Copies of the two Runs, which a test may change."""
    return [Path(shutil.copytree(asked / name, tmp_path / name)) for name in ("one", "two")]


def listing(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def figures(run: Path) -> list[object]:
    return [(a.task, a.metric, a.slice, a.value, a.n) for own in triptych.score(run).values() for a in own]


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


def test_a_link_in_a_strangers_run_is_not_copied(shards: list[Path], tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine\n", encoding="utf-8")
    (shards[0] / "annotations.jsonl").symlink_to(tmp_path / "secret")
    with pytest.raises(RunFolderError, match="can't be written"):
        api.merge(shards, tmp_path / "both")
    assert not (tmp_path / "both").exists() and not (tmp_path / ".both.merging").exists()


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
    names = {"pack": ("write_parquet", "read_parquet"), "unpack": ("JournalWriter.append",), "merge": ("Lines.raw",)}[
        what
    ]
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
