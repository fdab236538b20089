"""Tests of `viewer/pages/lists.py`: the pages with lists, as what they show and as addresses."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.viewer.runs import KNOWING, RANDOM, manifest
from triptych.records import RunNote
from triptych.store.folder import RunFolder
from triptych.store.run_notes import NAME as NOTES
from triptych.viewer.catalogue import Catalogue
from triptych.viewer.index.files import open_index
from triptych.viewer.pages.lists import compare, filter_of, home, items, page_number, run, run_note


@pytest.mark.parametrize(
    ("asked", "page"),
    [
        ("1", 1),
        ("7", 7),
        ("0", 1),
        ("-1", 1),
        ("", 1),
        ("x", 1),
        ("٣", 1),
        ("1e3", 1),
        ("9999999", 1_000_000),
        ("9" * 8, 1),
    ],
)
def test_a_page_number_is_one_whatever_the_address_says(asked: str, page: int) -> None:
    assert page_number({"page": asked}) == page
    assert page_number({}) == 1


def test_the_list_of_runs_is_by_benchmark_and_narrowed_by_words_and_benchmark(root: Path) -> None:
    listed = Catalogue(root).list_runs()
    whole = home(listed, {})
    assert whole["count"] == whole["shown"] == len(listed.runs) and whole["unreadable"] == []
    names = [group["name"] for group in whole["groups"]]
    assert names == sorted(names) and "xmodbench" in names
    one = home(listed, {"benchmark": "xmodbench"})
    assert [group["name"] for group in one["groups"]] == ["xmodbench"] and one["shown"] == 2
    assert one["groups"][0]["report"] == "/report?benchmark=xmodbench"  # all of its Runs
    found = home(listed, {"q": "KNOWING"})
    assert [row["slug"] for group in found["groups"] for row in group["runs"]] == [KNOWING]
    assert parse_qs(urlsplit(found["groups"][0]["report"]).query) == {"run": [KNOWING]}
    assert home(listed, {"q": "no such run"})["groups"] == []


def test_a_run_has_its_bar_and_its_facts(root: Path) -> None:
    folder = RunFolder.open(root / "xmodbench" / "random")
    shown = run(RANDOM, folder, {})
    assert shown["total"] == 56 and [each["name"] for each in shown["statuses"]] == ["answered"]
    assert sum(each["width"] for each in shown["statuses"]) == pytest.approx(100, abs=0.01)
    assert shown["protocol"] == "official" and len(shown["protocols"]) == 4
    facts = dict(shown["facts"])
    assert facts["seed, repeats"] == "5, 1" and facts["sample"].endswith("limit 4") and "note" not in facts
    assert run(RANDOM, folder, {"protocol": "paper"})["protocol"] == "paper"
    assert run(RANDOM, folder, {"protocol": "<b>"})["protocol"] == "official"


def test_a_run_of_a_benchmark_that_is_not_installed_is_shown_without_tables(tmp_path: Path, cache: Path) -> None:
    folder = RunFolder.create(tmp_path / "own", manifest())
    shown = run("own", folder, {})
    assert shown["title"] == "nowhere" and shown["tables"] == [] and shown["statuses"] == []
    assert any("isn't installed" in problem for problem in shown["problems"])
    listed = Catalogue(tmp_path).list_runs()
    (group,) = home(listed, {})["groups"]
    assert (group["title"], group["headings"], len(group["runs"])) == ("nowhere", (), 1)


def test_items_are_filtered_and_their_addresses_keep_the_filter(root: Path) -> None:
    folder = RunFolder.open(root / "xmodbench" / "random")
    every = items(RANDOM, folder, {})
    counts = dict(every["outcomes"])
    assert every["total"] == every["found"] == sum(counts.values()) == 56
    right = items(RANDOM, folder, {"outcome": "right"})
    assert right["found"] == counts["right"] == len(right["rows"]) and right["total"] == 56
    assert all("outcome=right" in row["href"] for row in right["rows"])
    beyond = items(RANDOM, folder, {"page": "99"})
    assert beyond["rows"] == [] and beyond["page"] == 99 and beyond["pages"] == every["pages"]


def test_two_runs_are_compared_both_ways(root: Path) -> None:
    runs = {slug: RunFolder.open(root / slug.replace("~", "/")) for slug in (RANDOM, KNOWING)}
    there, back = compare(RANDOM, KNOWING, runs, {}), compare(KNOWING, RANDOM, runs, {})
    numbers = {name: number for name, _, number in there["kinds"]}
    turned = {name: number for name, _, number in back["kinds"]}
    assert numbers["a"] == turned["b"] == 0 and numbers["b"] == turned["a"] > 0
    assert numbers[""] == sum(numbers[name] for name in ("a", "b", "both", "neither")) == 56
    only = compare(RANDOM, KNOWING, runs, {"kind": "b"})
    assert only["kind"] == "b" and len(only["rows"]) == numbers["b"]
    assert compare(RANDOM, KNOWING, runs, {"kind": "unknown"})["kind"] == ""
    assert parse_qs(urlsplit(there["report"]).query) == {"run": [RANDOM, KNOWING]}


def test_a_note_that_can_not_be_read_is_a_problem_and_the_run_is_listed(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "xmodbench" / "random", tmp_path / "own")
    folder, problems = RunFolder.open(tmp_path / "own"), list[tuple[str, str]]()
    assert run_note("own", folder, problems) == RunNote() and problems == []
    (tmp_path / "own" / NOTES).write_text("7\n{}\n", encoding="utf-8")
    assert run_note("own", folder, problems) == RunNote()
    assert [name for name, _ in problems] == [f"own: {NOTES}"]
    assert home(Catalogue(tmp_path).list_runs(), {})["shown"] == 1


def test_a_filter_by_a_figure_that_the_run_does_not_have_is_none(root: Path) -> None:
    folder = RunFolder.open(root / "xmodbench" / "random")
    wanted = filter_of(folder, open_index(folder), {"protocol": "official", "figure": "no such figure"})
    assert wanted.figure == "" and wanted.tasks == ()
