"""What a build is given that doesn't fit: replies, results of people, parameters, damaged and linked folders."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from triptych.construction.asking.questions import Result
from triptych.construction.build import build, withdraw
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.stage import check_result
from triptych.construction.recipes._mcif_material import given_segments
from triptych.construction.release.provenance import life_of
from triptych.construction.report.page import write_report
from triptych.errors import DataError, RunFolderError, SpecError, TriptychError
from triptych.models import registry


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []


def config(**more: Any) -> dict[str, Any]:
    return {"texts": {"a": "One fish swims. Ten birds fly"}, "models": {"maker": {"model": "toy/counting"}}, **more}


FORM = {"verdict": ["good", "bad"], "why": "text", "options": "list", "seconds": "number", "audio": "media"}


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"verdict": None},
        {"verdict": "Good "},
        {"verdict": ["good"]},
        {"verdict": "good", "why": 5},
        {"verdict": "good", "options": "abc"},
        {"verdict": "good", "options": ["a", 5]},
        {"verdict": "good", "seconds": "5"},
        {"verdict": "good", "seconds": True},
        {"verdict": "good", "audio": {"path": "x"}},
        {"verdict": "good", "verdcit": "bad"},
    ],
)
def test_a_result_that_does_not_fit_the_form_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="P1 returned a wrong value"):
        check_result(Result("a", "", "P1", values), FORM)


def test_a_result_may_leave_out_all_but_the_first_field() -> None:
    check_result(Result("a", "", "P1", {"verdict": "good", "why": "", "options": None}), FORM)
    check_result(Result("a", "", "P1", {"verdict": "bad", "options": ["x"], "seconds": 1.5, "audio": "a.wav"}), FORM)
    with pytest.raises(DataError, match="P1"):
        check_result(Result("a", "", "P1", {"why": "", "options": None}), FORM)


@pytest.mark.parametrize("values", [{}, {"verdict": "god"}])
def test_a_faulty_verdict_decides_nothing(values: dict[str, Any], tmp_path: Path) -> None:
    """A misspelled verdict passed for the other one (a "Reject" for an approval), a missing one was a traceback."""
    build(toy.RECIPE, config(people=True), tmp_path)
    (tmp_path / "results").mkdir()
    tasks = [json.loads(line) for line in (tmp_path / "tasks/review.jsonl").read_text().splitlines()]

    def returned(value: dict[str, Any]) -> str:
        lines = [{"id": task["id"], "shown": task["shown"], "person": "P1", "values": value} for task in tasks]
        return "".join(json.dumps(line) + "\n" for line in lines)

    (tmp_path / "results/review.jsonl").write_text(returned(values))
    built = build(toy.RECIPE, config(people=True), tmp_path)
    assert built.counts[-1].decisions == {"pending": 2} and built.written == 0
    assert built.counts[-1].reasons == {"pending: result-refused": 2}
    with (tmp_path / "results/review.jsonl").open("a") as file:
        file.write(returned({"verdict": "good"}))
    assert build(toy.RECIPE, config(people=True), tmp_path).written == 2


@pytest.mark.parametrize("value", ["x", True, [1], {}, None])
def test_a_parameter_of_another_type_is_refused_before_anything_is_built(value: object, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="'least' has a wrong value"):
        build(toy.RECIPE, config(stages={"sentences": {"least": value}}), tmp_path)
    assert build(toy.RECIPE, config(stages={"sentences": {"least": 3.0}}), tmp_path).complete


def test_a_folder_called_out_that_no_build_made_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/mine.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="not from a build"):
        build(toy.RECIPE, config(), tmp_path)
    assert (tmp_path / "out/mine.txt").read_text() == "mine"


def test_links_in_a_build_folder_lead_to_nothing_that_is_written_or_removed(tmp_path: Path) -> None:
    to, elsewhere = tmp_path / "build", tmp_path / "elsewhere"
    assert build(toy.RECIPE, config(), to).complete
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    (to / ".out.new").symlink_to(elsewhere)
    assert build(toy.RECIPE, config(), to).complete
    (to / "stages").rename(tmp_path / "stages")
    (to / "stages").symlink_to(elsewhere)
    with pytest.raises(RunFolderError, match="symbolic link"):
        build(toy.RECIPE, config(), to)
    assert [path.name for path in elsewhere.iterdir()] == ["mine"]


def test_damaged_files_of_a_build_are_told_in_words(tmp_path: Path) -> None:
    build(toy.RECIPE, config(), tmp_path)
    lines = tmp_path / "stages/01-sentences/records.jsonl"
    lines.write_bytes(b'{"id":"a",garbage\n')
    with pytest.raises(DataError, match="a line about a record can't be read"):
        life_of(BuildFolder.open(tmp_path), "a")
    os.mkfifo(tmp_path / "withdrawn.json")
    with pytest.raises(DataError, match="not a regular file"):
        withdraw(toy.RECIPE, config(), tmp_path, ["text:a"])


def finished(to: Path) -> BuildFolder:
    """A build in which people have decided half of the records, with its page."""
    build(toy.RECIPE, config(people=True), to)
    tasks = (to / "tasks/review.jsonl").read_text().splitlines()
    (to / "results").mkdir()
    told = {**{name: json.loads(tasks[0])[name] for name in ("id", "shown")}, "person": "P1"}
    (to / "results/review.jsonl").write_text(json.dumps({**told, "values": {"verdict": "good"}}) + "\n")
    build(toy.RECIPE, config(people=True), to)
    write_report(BuildFolder.open(to))
    return BuildFolder.open(to)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


PLACES = (
    "build.json",
    "funnel.json",
    "out",
    "out/questions.json",
    "report.html",
    "results",
    "results/review.jsonl",
    "stages",
    "stages/00-material",
    "stages/00-material/records.jsonl",
    "stages/01-sentences/records.jsonl",
    "stages/03-question",
    "stages/03-question/maker.jsonl",
    "stages/04-review",
    "tasks",
    "tasks/review.jsonl",
)
DOINGS: dict[str, Callable[[Path], object]] = {
    "build": lambda to: build(toy.RECIPE, config(people=True), to),
    "report": lambda to: write_report(BuildFolder.open(to)),
    "why": lambda to: life_of(BuildFolder.open(to), "a/0"),
    "withdraw": lambda to: withdraw(toy.RECIPE, config(people=True), to, ["text:a"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ["link", "dangling", "fifo", "folder", "zero", "brackets", "empty"])
@pytest.mark.parametrize("place", PLACES)
def test_a_strangers_build_ends_in_words_and_changes_nothing_elsewhere(place: str, how: str, tmp_path: Path) -> None:
    """Each file and folder of it is in turn a link out of it, a pipe, another kind of thing, or damaged."""
    made = tmp_path / "made"
    finished(made)
    for number, do in enumerate(DOINGS.values()):
        to, elsewhere = tmp_path / f"b{number}", tmp_path / f"e{number}"
        shutil.copytree(made, to)
        elsewhere.mkdir()
        exchange(to / place, how, elsewhere)
        before = contents(elsewhere)
        with suppress(TriptychError):
            do(to)
        assert contents(elsewhere) == before


def exchange(path: Path, how: str, elsewhere: Path) -> None:
    if not os.path.lexists(path):
        return
    path.rename(elsewhere / "own")
    if how in ("link", "dangling", "zero"):
        path.symlink_to({"link": elsewhere / "own", "dangling": elsewhere / "new", "zero": "/dev/zero"}[how])
    elif how == "fifo":
        os.mkfifo(path)
    elif how == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"[" * 100_000 if how == "brackets" else b"")


@pytest.mark.parametrize("name", ["../secret.csv", "/dev/zero", "link.csv", "pipe"])
def test_a_table_that_a_table_of_the_material_names_is_inside_it(name: str, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (tmp_path / "secret.csv").write_text("begin,end\n0,1\n")
    (base / "link.csv").symlink_to(tmp_path / "secret.csv")
    os.mkfifo(base / "pipe")
    with pytest.raises(TriptychError):
        given_segments(base, {"segments": name})
    (base / "own.csv").write_text("begin,end\n0,1.5\n")
    assert given_segments(base, {"segments": "own.csv"}) == [[0.0, 1.5]]
    assert given_segments(base, {}) is None
