"""Costs: hand-computed sums over a few Responses."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.benchmarks import load_benchmark
from triptych.protocols.protocol import Unit
from triptych.records import Aggregate, Column, Item, Layout, Response, Usage
from triptych.scoring.notes.cost import Costs, CostSums

SPEC = msgspec.structs.replace(
    load_benchmark("xmodbench").spec,
    layouts=(
        Layout(
            "cost",
            "Cost",
            tuple(
                Column("", "xmodbench", metric, slice_)
                for metric in ("million_tokens", "hours", "usd")
                for slice_ in ({}, {"family": "spatial"})
            ),
        ),
    ),
)


def costs_of(units: list[Unit], spec: Any) -> Costs:
    sums = CostSums(spec)
    sums.add(units)
    return sums.costs()


def unit(number: int, family: str, **told: Any) -> Unit:
    item = Item(f"i{number}", f"xmodbench/{family}/x/audio_text", (), facets={"family": family})
    return Unit((item,), (Response(item.id, "", 0, "answered", "A", **told),))


def costs(*units: Unit) -> dict[tuple[str, str], Aggregate]:
    return {(a.metric, a.slice.get("family", "")): a for a in costs_of(units, SPEC).aggregates("official")}


def test_sums_by_slice() -> None:
    found = costs(
        unit(1, "spatial", usage=Usage(900_000, 100_000), seconds=1800, cost_usd=0.5),
        unit(2, "temporal", usage=Usage(2_000_000, None), seconds=900, cost_usd=0.25),
    )
    values = {key: a.value for key, a in found.items()}
    assert values == pytest.approx(
        {
            ("million_tokens", ""): 3.0,
            ("million_tokens", "spatial"): 1.0,
            ("hours", ""): 0.75,
            ("hours", "spatial"): 0.5,
            ("usd", ""): 0.75,
            ("usd", "spatial"): 0.5,
        }
    )


def test_what_is_not_told_is_counted_and_never_taken_for_nothing() -> None:
    found = costs(unit(1, "spatial", usage=Usage(1_000_000, 0)), unit(2, "spatial"))
    assert found["million_tokens", ""].counts == {"scored": 1, "unavailable": 1}
    assert ("usd", "") not in found
    assert costs(unit(1, "spatial")) == {}
    assert costs() == {}


def test_a_slice_without_a_figure_has_none() -> None:
    assert ("hours", "spatial") not in costs(unit(1, "temporal", seconds=36))


def test_the_cache_charges_nothing_again() -> None:
    found = costs(unit(1, "spatial", seconds=3600, cached=True), unit(2, "spatial", seconds=1800))
    assert found["hours", ""].value == pytest.approx(0.5)


def test_a_lost_response_has_no_cost() -> None:
    lost = Unit((Item("lost", "xmodbench/spatial/x/audio_text", (), facets={"family": "spatial"}),), (None,))
    assert costs(lost, unit(1, "spatial", seconds=60))["hours", ""].counts == {"scored": 1, "unavailable": 1}


def test_xmodbenchs_table_counts_the_six_directions_as_the_paper_does() -> None:
    """Audio with vision to text stands in a column of its own: the paper's 60,828 questions don't hold it."""

    def asked(number: int, direction: str) -> Unit:
        facets = {"family": "spatial", "direction": direction}
        item = Item(f"i{number}", f"xmodbench/spatial/arrangements/{direction}", (), facets=facets)
        return Unit((item,), (Response(item.id, "", 0, "answered", "A", usage=Usage(1_000_000, 0), seconds=3600),))

    spec = load_benchmark("xmodbench").spec
    units = [asked(1, "audio_text"), asked(2, "vision_audio"), asked(3, "audiovision_text")]
    layouts = {"tokens": "million_tokens", "hours": "hours"}
    for layout in (layout for layout in spec.layouts if layout.id in layouts):
        found = {
            tuple(sorted(a.slice.items())): a.value
            for a in costs_of(units, spec).aggregates("official")
            if a.metric == layouts[layout.id]
        }
        shown = {c.heading: found.get(tuple(sorted(c.slice.items()))) for c in layout.columns}
        assert (shown["Total"], shown["Spat."], shown["A+V to T"], shown["Perc."]) == (2.0, 2.0, 1.0, None)
