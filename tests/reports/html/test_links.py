"""Tests of `reports/html/links.py`: addresses in the viewer."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.reports.html.links import item_key, item_path, items_path, origin_path, run_path, run_slug

HOSTILE = ["a/../b", "?x=1#y", "100% 音频", "诗/经\u202e", 'he said "hi" & left', "a b+c", "\ud800 half a character"]


def test_a_run_is_named_by_its_folders_path_on_every_system() -> None:
    assert run_slug(PurePosixPath("xmodbench/local-cascade-1a2b3c4d")) == "xmodbench~local-cascade-1a2b3c4d"
    assert run_slug(PureWindowsPath("xmodbench\\a")) == "xmodbench~a"
    assert run_slug(PurePosixPath("run")) == "run"


@pytest.mark.parametrize("name", HOSTILE[:-1])
def test_any_name_of_a_run_is_one_part_of_the_path(name: str) -> None:
    split = urlsplit(run_path(name))
    assert (split.query, split.fragment) == ("", "") and split.path.count("/") == 3
    assert unquote(split.path.split("/")[2]) == name


def test_an_items_key_is_the_same_for_ever() -> None:
    """Saved links contain it: the first 16 digits of the SHA-256 of the id."""
    assert item_key("abc") == "ba7816bf8f01cfea" and item_key("") == "e3b0c44298fc1c14"
    assert len({item_key(name) for name in HOSTILE}) == len(HOSTILE)


@given(st.text(st.characters(codec=None)))
def test_any_id_has_a_key_of_sixteen_hexadecimal_digits(item_id: str) -> None:
    key = item_key(item_id)
    assert len(key) == 16 and set(key) <= set("0123456789abcdef")


def test_addresses_of_an_item() -> None:
    assert item_path("r", "abc") == "/runs/r/items/ba7816bf8f01cfea"
    assert item_path("r", "abc", repeat=2) == "/runs/r/items/ba7816bf8f01cfea?repeat=2"
    assert origin_path("r", "abc") == "/runs/r/items/ba7816bf8f01cfea/origin"


@pytest.mark.parametrize("value", HOSTILE[:-1])
def test_filters_of_items_come_back_as_they_were(value: str) -> None:
    address = items_path("r", protocol="official", task=value, metric="acc", slice_={"family": value, "q": "2"})
    split = urlsplit(address)
    assert split.path == "/runs/r/items" and not split.fragment
    assert parse_qs(split.query) == {
        "protocol": ["official"],
        "task": [value],
        "metric": ["acc"],
        "f.family": [value],
        "f.q": ["2"],
    }


def test_a_facet_that_is_called_like_a_parameter_stays_a_facet() -> None:
    query = parse_qs(urlsplit(items_path("r", task="a", slice_={"task": "b"}, figure="gap")).query)
    assert query == {"task": ["a"], "f.task": ["b"], "figure": ["gap"]}


def test_what_is_empty_is_left_out() -> None:
    assert items_path("r") == "/runs/r/items" == items_path("r", slice_={"family": ""})
