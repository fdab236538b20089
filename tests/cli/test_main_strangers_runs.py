"""Run folders from strangers: what their names and texts hold never reaches the terminal, a spreadsheet or a page as
commands."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

import triptych
from triptych.cli.main import main
from triptych.conditions.condition import find_condition
from triptych.errors import TriptychError

HOSTILE = "\x1b[2J\x1b]0;title\x07 \x9b31m \u202eLTR \rover ![t](http://example.org/t.png) `b` <b>"
_COMMANDS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A Run, and the same from somebody who put all of this into it."""
    root = tmp_path_factory.mktemp("strangers")
    for name in ("own", "theirs"):
        triptych.run("cmdar/main", "baseline/random", out=root / name, seed=1, limit=2)
    theirs = root / "theirs"
    for derived in ("summary.json", *(str(p.relative_to(theirs)) for p in theirs.glob("scores/*"))):
        (theirs / derived).unlink()
    changed = json.loads((theirs / "manifest.json").read_text())
    changed |= {"model": f"=1+1{HOSTILE}", "note": HOSTILE, "revision": HOSTILE, "prompt": HOSTILE, "created": HOSTILE}
    (theirs / "manifest.json").write_text(json.dumps(changed))
    for name in ("items.jsonl", "responses.jsonl"):
        lines = [json.loads(line) for line in (theirs / name).read_text().splitlines()]
        for line in lines:
            line["facets" if name == "items.jsonl" else "text"] = (
                {**line["facets"], HOSTILE: HOSTILE} if name == "items.jsonl" else f"I'm sorry {HOSTILE}"
            )
        (theirs / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return [root / "own", theirs]


def call(*arguments: object) -> None:
    with pytest.raises(SystemExit):
        main([str(a) for a in arguments])


@pytest.mark.parametrize("command", ["score", "report", "compare", "audit run", "errors", "analyse", "run"])
def test_no_command_reaches_the_terminal(
    command: str, runs: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = [runs[1]] if command in ("score", "errors", "audit run") else [*reversed(runs)]
    if command == "run":  # an error: what was asked for isn't what the folder holds
        given = ["cmdar/main", "--model", "baseline/first", "--limit", "2", "--out", runs[1]]  # type: ignore[list-item]
    call(*command.split(), *given, *(["--replicates", 100] if command == "compare" else []))
    told = capsys.readouterr()
    assert told.out + told.err
    assert not _COMMANDS.findall(told.out + told.err)


def test_files_for_spreadsheets_and_readers_hold_no_commands(runs: list[Path], tmp_path: Path) -> None:
    call("report", *runs, "--to", tmp_path, "--format", "csv,md,latex")
    for path in tmp_path.rglob("*.csv"):
        cells = [cell for row in csv.reader(io.StringIO(path.read_text("utf-8"), newline="")) for cell in row]
        assert path.name == "prompts.csv" or any(cell.startswith("'=1+1") for cell in cells)
        assert not [cell for cell in cells if re.match(r"[=+@\t\r]|-[^0-9]", cell)]
    for path in (*tmp_path.rglob("*.md"), *tmp_path.rglob("*.tex")):
        written = path.read_text("utf-8")
        assert not _COMMANDS.findall(written)
        assert path.suffix == ".tex" or not re.search(r"(?<!\\)\]\(", re.sub("``.*``", "", written))


@pytest.mark.parametrize(
    ("benchmark", "change"),
    [
        ("mcif", {"facets": {"kind": "none"}}),
        ("mcs_bench", {"task": "mcs_bench/T99", "facets": {}}),
        ("xmodbench", {"task": "none"}),
        ("cmdar", {"target": [[1]], "facets": {}}),
        ("mcga", {"target": None, "facets": {}}),
    ],
)
def test_items_that_no_benchmark_has_end_no_command_with_a_traceback(
    benchmark: str, change: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    triptych.run(benchmark, "baseline/random", out=tmp_path / "run", limit=1)
    path = tmp_path / "run" / "items.jsonl"
    first, *rest = path.read_text().splitlines()
    path.write_text("\n".join([json.dumps({**json.loads(first), **change}), *rest, ""]))
    for command in ("score", "audit run", "errors"):
        with pytest.raises(SystemExit):  # not the traceback of something else
            main([*command.split(), str(tmp_path / "run")])


NAMED = ["transcript:table={}", "ocr:table={}", "transcript:run={}", "snr:db=3,noise={}", "description:run={}"]


@pytest.mark.parametrize("condition", NAMED)
@pytest.mark.parametrize("kind", ["pipe", "device", "endless"])
def test_a_file_for_a_condition_that_is_none_is_refused_at_once(condition: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)
    with pytest.raises(TriptychError):
        find_condition(condition.format(path))
