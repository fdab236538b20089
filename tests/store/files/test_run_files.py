"""A Run folder from a stranger can hold links and pipes where the journals and locks should be."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import triptych
from tests.support.runs import manifest
from triptych.cli.main import main
from triptych.errors import DataError, RunFolderError
from triptych.judges.panel import Judge, Panel
from triptych.records import Annotation
from triptych.reports.report import write_tables
from triptych.scoring.predictions import verdicts_place
from triptych.scoring.queue import read_queue
from triptych.scoring.runs import load_scores, load_summary, score_run
from triptych.store.annotations import NAME, add_annotation
from triptych.store.files.lock import locked
from triptych.store.files.run_files import open_own
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import JournalWriter
from triptych.store.journals.replies import ReplyJournal
from triptych.store.parquet.pack import pack, unpack
from triptych.viewer.catalogue import Catalogue, scores_of

WORDS = "alias ll='ls -l'\nno line break at the end"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "bashrc"
    path.write_text(WORDS)
    (tmp_path / "run").mkdir()
    return path


@pytest.mark.parametrize("name", [NAME, ".annotations.lock"])
def test_an_annotation_changes_no_file_outside(elsewhere: Path, name: str) -> None:
    run = elsewhere.parent / "run"
    (run / name).symlink_to(elsewhere)
    with pytest.raises(RunFolderError, match="symbolic link"):
        add_annotation(run, Annotation("a", note="hm", by="Wen"))
    assert elsewhere.read_text() == WORDS


def test_a_link_to_nothing_makes_nothing(elsewhere: Path) -> None:
    (elsewhere.parent / "run" / "responses.jsonl").symlink_to(elsewhere.parent / "new")
    with pytest.raises(RunFolderError, match="symbolic link"):
        JournalWriter(elsewhere.parent / "run" / "responses.jsonl")
    assert not (elsewhere.parent / "new").exists()


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scored") / "run"
    triptych.run("cmdar/main", "baseline/random", out=path, seed=1, limit=1)
    return path


@pytest.fixture
def theirs(scored: Path, tmp_path: Path) -> RunFolder:
    """A scored Run from a stranger, and a folder of one's own with files of the same names."""
    shutil.copytree(scored, tmp_path / "run")
    (tmp_path / "own").mkdir()
    return RunFolder.open(tmp_path / "run")


def outside(folder: RunFolder, name: str) -> dict[str, str]:
    """Turn a folder of the Run into a link out of it; what lies there then."""
    own = folder.path.parent / "own"
    shutil.rmtree(folder.path / name, ignore_errors=True)
    for file in ("official.jsonl", "scores.csv", "panel.json", "manifest.json", "a.jsonl"):
        (own / file).write_text(WORDS)
    (folder.path / name).symlink_to(own)
    return contents(own)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


WRITERS: dict[str, tuple[str, Callable[[RunFolder], object]]] = {
    "scores": ("scores", score_run),
    "tables": ("tables", lambda folder: write_tables(folder, load_summary(folder))),
    "a panel": ("verdicts", lambda folder: Panel((Judge("a/b"),)).save(folder.verdicts_path)),
    "verdicts": ("verdicts", lambda folder: ReplyJournal(folder.verdicts_path, "a").writer().__enter__()),
    "readings": ("readings", lambda folder: ReplyJournal(folder.path / "readings", "a").writer().__enter__()),
    "a lock": ("verdicts", lambda folder: locked(folder.verdicts_path).__enter__()),
    "a journal": ("verdicts", lambda folder: JournalWriter(folder.verdicts_path / "a.jsonl")),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_nothing_is_written_through_a_folder_that_leads_out(theirs: RunFolder, writer: str) -> None:
    name, write = WRITERS[writer]
    before = outside(theirs, name)
    with pytest.raises(RunFolderError, match="leads out"):
        write(theirs)
    assert contents(theirs.path.parent / "own") == before


@pytest.mark.parametrize("name", ["scores", "tables"])
@pytest.mark.parametrize("command", ["score", "report", "audit run", "errors"])
def test_no_command_writes_through_it(
    theirs: RunFolder, command: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = outside(theirs, name)
    theirs.summary_path.unlink()
    with pytest.raises(SystemExit):
        main([*command.split(), str(theirs.path), *(["--to", str(theirs.path.parent)] if command == "report" else [])])
    assert contents(theirs.path.parent / "own") == before
    assert "Traceback" not in capsys.readouterr().err


def test_a_link_to_another_of_the_runs_folders_is_followed(theirs: RunFolder) -> None:
    (theirs.path / "scores").rename(theirs.path / "kept")
    (theirs.path / "scores").symlink_to("kept")
    score_run(theirs)
    assert (theirs.path / "kept" / "official.jsonl").is_file()


@pytest.mark.parametrize("name", ["responses.jsonl", "items.jsonl", ".lock"])
def test_a_hard_link_is_not_written_to(theirs: RunFolder, name: str) -> None:
    own = theirs.path.parent / "own.txt"
    own.write_text(WORDS)
    (theirs.path / name).unlink(missing_ok=True)
    (theirs.path / name).hardlink_to(own)
    with pytest.raises(RunFolderError, match="hard link"), theirs.writer():
        pass
    assert own.read_text() == WORDS


@pytest.mark.parametrize(
    "name",
    [
        "manifest.json",
        "items.jsonl",
        "responses.jsonl",
        "summary.json",
        "verdicts/a.jsonl",
        "ambiguous.jsonl",
        "verdicts/panel.json",
        "responses.parquet",
        "items.parquet",
        "annotations.jsonl",
        "scores/official.jsonl",
    ],
)
@pytest.mark.parametrize("command", ["score", "report", "audit run", "errors", "compare", "analyse", "run"])
def test_a_pipe_in_a_run_is_waited_for_by_nobody(
    theirs: RunFolder, scored: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = theirs.path / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    given = [str(theirs.path)]
    if command in ("compare", "analyse"):
        shutil.copytree(scored, second := theirs.path.parent / "second")
        given.append(str(second))
    if command == "run":
        given = ["cmdar/main", "--model", "baseline/random", "--seed", "1", "--limit", "1", "--out", str(theirs.path)]
    if command == "report":
        given += ["--to", str(theirs.path.parent / "report")]
    with pytest.raises(SystemExit):
        main([*command.split(), *given])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    [
        "manifest.json",
        "items.jsonl",
        "responses.jsonl",
        "summary.json",
        "verdicts/a.jsonl",
        "ambiguous.jsonl",
        "verdicts/panel.json",
        "responses.parquet",
        "annotations.jsonl",
        "scores/official.jsonl",
    ],
)
@pytest.mark.parametrize("kind", ["nothing", "itself", "a folder"])
def test_a_link_to_nothing_or_to_itself_is_told_of_in_words(
    theirs: RunFolder, name: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = theirs.path / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to({"nothing": "gone", "itself": path.name, "a folder": "."}[kind])
    for command in ("score", "report", "audit run"):
        to = ["--to", str(theirs.path.parent / "report")] if command == "report" else []
        with pytest.raises(SystemExit):
            main([*command.split(), str(theirs.path), *to])
    listed = Catalogue(theirs.path.parent).list_runs()
    for folder in listed.runs.values():
        scores_of(folder)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["items.jsonl", "responses.jsonl", "responses.parquet"])
def test_a_run_with_a_pipe_in_it_is_not_packed(theirs: RunFolder, name: str) -> None:
    (theirs.path / name).unlink(missing_ok=True)
    os.mkfifo(theirs.path / name)
    with pytest.raises(DataError):
        unpack(theirs) if name.endswith("parquet") else pack(theirs)
    assert (theirs.path / name).is_fifo()


def test_a_manifest_without_end_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "manifest.json").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(RunFolderError, match="larger than"):
        RunFolder.open(tmp_path)


def test_a_run_folder_that_is_a_link_is_the_users_own_choice(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "disk")
    os.close(open_own(tmp_path / "run" / "a.jsonl"))
    assert (tmp_path / "disk" / "a.jsonl").is_file()


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("manifest.json", lambda folder: RunFolder.open(folder.path)),
        ("summary.json", load_summary),
        ("scores/official.jsonl", lambda folder: load_scores(folder, "official")),
        ("ambiguous.jsonl", lambda folder: read_queue(folder.path / "ambiguous.jsonl")),
    ],
)
def test_devices_in_a_run_are_no_files(tmp_path: Path, name: str, read: Callable[[RunFolder], object]) -> None:
    folder = RunFolder.create(tmp_path / "run", manifest())
    (folder.path / "scores").mkdir()
    (folder.path / name).unlink(missing_ok=True)
    (folder.path / name).symlink_to("/dev/null")  # /dev/zero would never end
    with pytest.raises(DataError, match="not a regular file"):
        read(folder)


def test_verdicts_beside_a_strangers_results(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "results.json").write_text("[]")
    assert verdicts_place(tmp_path / "results.json").name == "results.verdicts"
    (tmp_path / "results.verdicts").symlink_to(tmp_path / "own")
    with pytest.raises(DataError, match="symbolic link"):
        verdicts_place(tmp_path / "results.json")
