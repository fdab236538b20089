"""The pair page says how much two Runs differ, with interval and p; lists stand in an order that people expect."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.viewer.runs import KNOWING, RANDOM, manifest
from triptych.records import Item, text
from triptych.reports.html.links import item_path
from triptych.store.folder import RunFolder
from triptych.viewer.difference import difference
from triptych.viewer.index import open_index
from triptych.viewer.order import natural
from triptych.viewer.query import Questions, read_filter


def opened(root: Path, name: str) -> RunFolder:
    return RunFolder.open(root / name.replace("~", "/"))


def test_the_page_says_what_compare_finds(root: Path, client: TestClient) -> None:
    found = triptych.compare([root / "xmodbench" / "knowing", root / "xmodbench" / "random"], labels=["A", "B"])
    page = client.get(f"/compare?a={KNOWING}&b={RANDOM}").text
    (sentence,) = found.sentences
    assert "95% interval" in sentence and sentence.replace("'", "&#39;") in page
    assert all(line.replace("'", "&#39;") in page for line in found.scope)
    told = difference(opened(root, KNOWING), opened(root, RANDOM), "official")
    total = next(one for one in told.figures if one.name == "acc")
    estimate = next(
        e for e in found.section.estimates if e.measure == "difference" and not e.slice and e.metric == "acc"
    )
    assert estimate.value is not None and total.difference == f"+{estimate.value:.1f}" and total.p
    assert re.fullmatch(r"[+−]?[\d.]+ to [+−]?[\d.]+", total.interval)


def test_the_other_way_round_has_the_other_sign(root: Path) -> None:
    one, other = (
        difference(opened(root, a), opened(root, b), "official").figures
        for a, b in ((KNOWING, RANDOM), (RANDOM, KNOWING))
    )
    assert [f.difference.replace("+", "−") for f in one] == [f.difference.replace("+", "−") for f in other]
    assert one[0].difference != other[0].difference


@pytest.mark.parametrize(
    ("a", "b", "said"), [(RANDOM, RANDOM, "the same Run"), (RANDOM, "hostile", "The difference can't be computed")]
)
def test_what_cant_be_compared_is_told(a: str, b: str, said: str, root: Path) -> None:
    assert said in difference(opened(root, a), opened(root, b), "official").problem


def test_numbers_in_names_count_as_numbers() -> None:
    wanted = ["T1", "T2", "T2/3", "T2/20", "T10", "T11", "a", "a1b2", "a1b10", "a2"]
    shuffled = random.Random(1).sample(wanted, len(wanted))
    assert sorted(shuffled, key=natural) == wanted
    assert sorted(["7", "07"], key=natural) == ["07", "7"] and natural("٣") and natural("")


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


def test_the_list_of_runs_has_the_total_first(client: TestClient) -> None:
    page = client.get("/?benchmark=xmodbench").text
    heads = re.findall(r'<th scope="col" class="number">([^<]*)</th>', page)
    assert heads[:2] == ["coverage", "Avg."] and "Avg." not in heads[2:]


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


def test_a_run_of_the_mini_set_says_so_in_the_list_and_on_its_page(client: TestClient) -> None:
    assert '<span class="chip">mini set, limit 4</span>' in client.get("/?benchmark=xmodbench").text
    page = client.get(f"/runs/{RANDOM}/").text
    assert "on the built-in mini set, not on the benchmark&#39;s data" in page and "--limit 4" in page
