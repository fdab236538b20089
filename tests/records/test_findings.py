"""The JSON of a Finding is a contract: exactly these keys, `table` or `file`, and an id that stays."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records import Finding, finding

KEYS = [
    "id",
    "kind",
    "severity",
    "benchmark",
    "table",
    "rows",
    "columns",
    "published",
    "recomputed",
    "terms",
    "effect",
    "message",
    "origin",
]


def as_json(found: Finding) -> dict[str, object]:
    return msgspec.json.decode(msgspec.json.encode(found))  # type: ignore[no-any-return]


def test_a_finding_on_a_table_has_the_contracts_keys_in_order() -> None:
    found = finding("average", "severe", "toy", "off", table="T2", rows=["A"], columns=["Avg"], published=1.0)
    assert list(as_json(found)) == KEYS
    assert as_json(found)["recomputed"] is None


def test_a_finding_on_a_file_says_file_instead_of_table() -> None:
    document = as_json(finding("duplicate", "warning", "toy", "twice", file="/data/a.json"))
    assert list(document) == [k if k != "table" else "file" for k in KEYS]
    assert str(document["id"]).startswith("toy/a.json/duplicate/")


def test_the_id_depends_on_place_kind_and_cells_alone() -> None:
    one = finding("copy", "note", "toy", "x", table="T1", rows=["A"], columns=["c"], published=1)
    assert finding("copy", "severe", "toy", "y", table="T1", rows=["A"], columns=["c"]).id == one.id
    assert finding("copy", "note", "toy", "x", table="T1", rows=["B"], columns=["c"]).id != one.id
    assert finding("copy", "note", "toy", "x", table="T1", rows=["A"], columns=["c"], about="2").id != one.id


def test_a_finding_comes_back_from_its_json() -> None:
    found = finding("skew", "warning", "toy", "x", file="a.json", published="B", recomputed=45.8)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Finding) == found


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        finding("guess", "note", "toy", "x")
