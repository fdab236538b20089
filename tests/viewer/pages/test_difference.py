"""Tests of `viewer/pages/difference.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import triptych
from tests.viewer.runs import KNOWING, RANDOM
from triptych.store.folder import RunFolder
from triptych.viewer.pages.difference import difference


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


def test_the_list_of_runs_has_the_total_first(client: TestClient) -> None:
    page = client.get("/?benchmark=xmodbench").text
    heads = re.findall(r'<th scope="col" class="number">([^<]*)</th>', page)
    assert heads[:2] == ["coverage", "Avg."] and "Avg." not in heads[2:]


def test_a_run_of_the_mini_set_says_so_in_the_list_and_on_its_page(client: TestClient) -> None:
    assert '<span class="chip">mini set, limit 4</span>' in client.get("/?benchmark=xmodbench").text
    page = client.get(f"/runs/{RANDOM}/").text
    assert "on the built-in mini set, not on the benchmark&#39;s data" in page and "--limit 4" in page
