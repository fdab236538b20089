"""Tests of `api/contracts/benchmarks.py`: protocols, Items and slices; `benchmark_trial` has what is run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from triptych.api.contracts.benchmarks import item_faults, modality_faults, protocol_faults, slice_names
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.records import Item, text

CMDAR = load_benchmark("cmdar")
ITEM = Item("i", "cmdar/main", (text("Which?"),), ((text("a"),), (text("b"),)), ("A", "B"), facets={"continent": "x"})


def later() -> None: ...


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_the_built_in_benchmarks_have_no_fault(name: str) -> None:
    bench = load_benchmark(name)
    items = list(bench.items(bench.mini, report=lambda problem: None))
    assert list(protocol_faults(bench.protocols, bench.spec)) == list(item_faults(items)) == []
    assert list(modality_faults(bench.spec, items)) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "standart"}, "name is 'standart'; expected its key, 'standard'"),
        ({"version": 1}, "version is 1; expected a text"),
        ({"headline": "some"}, "headline is 'some'; expected all or answered"),
        ({"score": later}, "score(unit) can't be called with 1 arguments"),
        ({"aggregate": None}, "there is no function PROTOCOLS['standard']: aggregate(cells, sums)"),
    ],
)
def test_a_faulty_protocol_is_named(changes: dict[str, Any], words: str) -> None:
    (fault,) = protocol_faults({"standard": replace(CMDAR.protocols["standard"], **changes)}, CMDAR.spec)
    assert words in fault


def test_what_is_no_protocol_or_cant_be_used() -> None:
    assert list(protocol_faults([], CMDAR.spec)) == ["PROTOCOLS is list; expected a dict of names and Protocols"]
    assert list(protocol_faults({"a": 3}, CMDAR.spec)) == ["PROTOCOLS['a'] is int, not Protocol"]
    other = replace(CMDAR.protocols["standard"], name="other")
    assert "note: PROTOCOLS['other'] is not among the protocols" in next(protocol_faults({"other": other}, CMDAR.spec))


def test_faulty_items_are_named() -> None:
    change = msgspec.structs.replace
    assert list(item_faults([ITEM])) == []
    assert list(item_faults([ITEM, ITEM])) == ["mini: several Items have the same id: 'i'"]
    assert "1 labels for 2 options" in next(item_faults([change(ITEM, labels=("A",))]))
    assert "has the option 'a' twice" in next(item_faults([change(ITEM, options=((text("a"),), (text("a"),)))]))
    assert "parts list" in next(item_faults([change(ITEM, parts=[text("x")])]))
    assert "id int" in next(item_faults([change(ITEM, id=7)]))
    assert "facets" in next(item_faults([change(ITEM, facets={"continent": 7})]))  # type: ignore[dict-item]


def test_slices_that_no_item_has() -> None:
    spec = msgspec.structs.replace(CMDAR.spec, slices=("contient", "century"))
    fault, note = slice_names(spec, [ITEM])
    assert "did you mean 'continent'?" in fault and note.startswith("note: ")


def test_items_have_a_modality_of_their_task() -> None:
    tasks = tuple(msgspec.structs.replace(task, modalities=("audio",)) for task in CMDAR.spec.tasks)
    (fault,) = modality_faults(msgspec.structs.replace(CMDAR.spec, tasks=tasks), [ITEM])
    assert fault == "the Task 'main' has the modalities audio, but its Items consist of text"
