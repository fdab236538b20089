"""Filters against the same filters written out over the records themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from starlette.testclient import TestClient

from tests.viewer.pages.test_difference import opened
from tests.viewer.runs import RANDOM, manifest
from triptych.records import Item, Response, Score, text
from triptych.reports.html.links import item_key, item_path
from triptych.scoring.runs import load_scores
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import scores_of
from triptych.viewer.index.files import RunIndex, open_index
from triptych.viewer.index.query import PAGE, Filter, Questions, entries_of, read_filter

Test = Callable[[Item, Response, Score], bool]


@pytest.fixture(scope="module")
def folder(root: Path) -> RunFolder:
    return RunFolder.open(root / "xmodbench" / "random")


@pytest.fixture(scope="module")
def index(folder: RunFolder) -> RunIndex:
    return open_index(folder)


def expected(folder: RunFolder, protocol: str, fits: Test) -> set[str]:
    scores = {score.unit: score for score in load_scores(folder, protocol)}
    replies = {response.item: response for response in folder.responses()}
    return {item.id for item in folder.items() if fits(item, replies[item.id], scores[item.unit_id])}


def found(index: RunIndex, given: dict[str, str]) -> list[str]:
    wanted, questions, ids = read_filter(given, index), Questions(index), list[str]()
    for number in range(1, 9):
        ids += [row["item"] for row in questions.page(wanted, number)]
    assert len(ids) == len(set(ids))
    counts = questions.counts(wanted)
    assert len(ids) == (counts.get(wanted.outcome, 0) if wanted.outcome else sum(counts.values()))
    return ids


CASES: list[tuple[dict[str, str], Test]] = [
    ({}, lambda i, r, s: True),
    ({"task": "xmodbench/linguistic"}, lambda i, r, s: "/linguistic/" in i.task),
    ({"task": "xmodbench/ling"}, lambda i, r, s: False),
    ({"f.direction": "audio_text"}, lambda i, r, s: i.facets["direction"] == "audio_text"),
    (
        {"f.direction": "audio_text", "f.family": "perception"},
        lambda i, r, s: i.facets["direction"] == "audio_text" and i.facets["family"] == "perception",
    ),
    ({"outcome": "right"}, lambda i, r, s: s.numerator == 1),
    ({"outcome": "wrong", "protocol": "standard"}, lambda i, r, s: s.numerator == 0),
    ({"status": "failed"}, lambda i, r, s: False),
    ({"q": "PICTURE which"}, lambda i, r, s: all(w in _hay(i, r) for w in ("picture", "which"))),
    ({"q": "咖啡"}, lambda i, r, s: "咖啡" in _hay(i, r)),
    ({"q": "100%_'\" OR 1=1 --"}, lambda i, r, s: False),
    ({"metric": "acc", "f.no such facet": "x"}, lambda i, r, s: True),
]


def _hay(item: Item, response: Response) -> str:
    options = [part.text for option in item.options for part in option]
    return "\n".join([item.id, *(p.text for p in item.parts), *options, str(item.target), response.text]).casefold()


@pytest.mark.parametrize(("given", "fits"), CASES, ids=[str(given) for given, _ in CASES])
def test_a_filter_finds_what_fits(folder: RunFolder, index: RunIndex, given: dict[str, str], fits: Test) -> None:
    wanted = expected(folder, given.get("protocol", "official"), fits)
    assert set(found(index, given)) == wanted


def test_cases_tell_something(folder: RunFolder) -> None:
    sizes = [len(expected(folder, "official", fits)) for _, fits in CASES]
    assert 0 < sizes[5] < sizes[0]
    assert sizes[9] > 0


def test_outcomes_are_counted_whichever_is_asked_for(index: RunIndex) -> None:
    questions = Questions(index)
    everything = questions.counts(read_filter({}, index))
    assert set(everything) == {"right", "wrong"}
    assert questions.counts(read_filter({"outcome": "right"}, index)) == everything


def test_lists_are_sorted_as_asked(index: RunIndex) -> None:
    questions = Questions(index)
    for name, ascending in (("length", True), ("-seconds", False), ("-score", False)):
        key = {"length": "length", "-seconds": "seconds", "-score": "value"}[name]
        values = [row[key] for row in questions.page(read_filter({"sort": name}, index), 1)]
        assert values == sorted(values, reverse=not ascending)
    assert read_filter({"sort": "n; DROP TABLE x"}, index).sort == ""


def test_pages_share_the_list(index: RunIndex) -> None:
    questions, wanted = Questions(index), read_filter({}, index)
    assert len(questions.page(wanted, 1)) == PAGE
    assert len(questions.page(wanted, 2)) == index.contents.rows - PAGE
    assert questions.page(wanted, 3) == []


def test_neighbours_in_a_list(index: RunIndex) -> None:
    questions, wanted = Questions(index), read_filter({"outcome": "wrong"}, index)
    rows = questions.page(wanted, 1)
    before, place, after = questions.neighbours(wanted, rows[1]["key"], 0)
    assert (before or {})["key"] == rows[0]["key"]
    assert place == 2
    assert (after or {})["key"] == rows[2]["key"]
    assert questions.neighbours(wanted, rows[0]["key"], 0)[0] is None
    assert questions.neighbours(wanted, "0" * 16, 0) == (None, None, None)


def test_an_item_is_found_by_its_key(folder: RunFolder, index: RunIndex) -> None:
    item = next(iter(folder.items()))
    row = Questions(index).item(item_key(item.id), 0)
    assert row is not None
    assert row["item"] == item.id
    assert Questions(index).item(item_key(item.id), 1) is None


def test_all_items_of_an_instance(folder: RunFolder, index: RunIndex) -> None:
    instance = next(iter(folder.items())).instance_id
    rows = Questions(index).instance(instance, 0, "official")
    assert {row["item"] for row in rows} == {item.id for item in folder.items() if item.instance_id == instance}
    assert all(row["outcome"] in ("right", "wrong") for row in rows)


def test_annotated_or_not(folder: RunFolder, index: RunIndex) -> None:
    from dataclasses import replace

    first, second, *_ = folder.items()
    entries = entries_of([(first.id, 0), (second.id, 3)])
    yes = replace(read_filter({"annotated": "yes"}, index), entries=entries)
    assert [row["item"] for row in Questions(index).page(yes, 1)] == [first.id]
    no = replace(yes, annotated="no")
    assert sum(Questions(index).counts(no).values()) == index.contents.rows - 1


def test_repeats_are_rows_of_their_own(root: Path) -> None:
    index = open_index(RunFolder.open(root / "repeats"))
    rows = Questions(index).page(read_filter({}, index), 1)
    assert {row["repeat"] for row in rows} == {0, 1}
    assert len({(row["item"], row["repeat"]) for row in rows}) == index.contents.rows


def test_a_filter_survives_its_address(index: RunIndex) -> None:
    given = {
        "protocol": "paper",
        "metric": "acc",
        "task": "xmodbench/linguistic",
        "q": "a & b=题",
        "sort": "-score",
        "f.direction": "audio_text",
        "outcome": "right",
        "status": "answered",
    }
    wanted = read_filter(given, index)
    assert read_filter(dict(parse_qsl(wanted.query())), index) == wanted
    assert (
        wanted.query(outcome="")
        == Filter(**{**{f: getattr(wanted, f) for f in wanted.__slots__}, "outcome": ""}).query()
    )


def test_items_and_filters_stand_in_that_order(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", manifest())
    with folder.writer() as writer:
        for number in (1, 10, 11, 2):
            for task in ("T10", "T2"):
                item = Item(f"{task}/{number}", task, (text("q"),), facets={"place": f"p{number}"})
                writer.add_item(item)
    index = open_index(folder, tmp_path / "home")
    rows = Questions(index).page(read_filter({}, index), 1)
    assert [row["item"] for row in rows] == [f"{task}/{n}" for task in ("T2", "T10") for n in (1, 2, 10, 11)]
    assert index.contents.tasks == ["T2", "T10"] and index.contents.facets["place"] == ["p1", "p2", "p10", "p11"]


def test_an_option_is_shown_whole_once(root: Path, client: TestClient) -> None:
    """Where it was asked; beside the reply it has a line, and other forms of the question are folded away."""
    index = open_index(opened(root, RANDOM))
    wanted = read_filter({"task": "xmodbench/perception/general/audio_vision"}, index)
    row = Questions(index).page(wanted, 1)[0]
    page = client.get(item_path(RANDOM, row["item"])).text
    main = page[: page.index('id="neighbours"')]
    assert main.count("<img") == 4 and main.count('<ol class="options lines">') == 1
    forms = page[page.index('id="neighbours"') :]
    assert forms.count("<summary>What was asked") == forms.count('<p class="option-head"><a') - 1  # all but this one


def test_a_tasks_figure_counts_what_its_list_shows(root: Path) -> None:
    folder = RunFolder.open(root / "xmodbench" / "random")
    index, scored = open_index(folder), scores_of(folder)
    assert scored is not None
    tasks = {score.task for score in load_scores(folder, "official")}
    figures = [a for a in scored["official"] if a.task in tasks and a.metric == "acc"]
    assert len(figures) >= len(tasks)
    for figure in figures:
        wanted = read_filter(
            {"task": figure.task, "metric": "acc", **{f"f.{k}": v for k, v in figure.slice.items()}}, index
        )
        counts = Questions(index).counts(wanted)
        assert sum(counts.values()) == figure.units
        assert 100 * counts.get("right", 0) / figure.units == pytest.approx(figure.value)
