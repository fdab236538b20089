"""Cost by family and in total: sums by hand, and what nobody told."""

from __future__ import annotations

from triptych.analysis.cost import cost_section
from triptych.records import Item, Response, Usage


def response(item: str, tokens: int | None, usd: float | None, cached: bool = False) -> Response:
    usage = None if tokens is None else Usage(tokens, 1)
    return Response(item, "", 0, "answered", "A", usage=usage, seconds=2.0, cost_usd=usd, cached=cached)


def test_sums_by_hand() -> None:
    items = [Item(name, "t", (), facets={"family": family}) for name, family in zip("abcd", "xxyy", strict=True)]
    responses = [response("a", 10, 0.5), response("b", 30, 0.25), response("c", None, None), response("d", 99, 9, True)]
    section = cost_section([("m", items, responses)])
    found = {(e.measure, e.slice.get("family")): e for e in section.estimates}
    assert found["input_tokens", None].value == 40 and found["output_tokens", None].value == 2
    assert found["input_tokens", None].n == 2 and found["input_tokens", None].coverage == 2 / 3
    assert found["usd", "x"].value == 0.75 and found["seconds", None].value == 6
    assert found["usd", "y"].value is None and found["usd", "y"].reason
    assert "2 of 3" in found["usd", None].note
    assert [table.id for table in section.tables] == ["cost", "cost.m"]


def test_one_family_has_no_table_of_its_own_and_none_costs_nothing() -> None:
    section = cost_section([("m", [Item("a", "t", ())], [response("a", 1, 0.0, True)])])
    assert [e.value for e in section.estimates] == [0, 0, 0, 0] and len(section.tables) == 1


def test_what_nobody_told_does_not_lower_the_coverage_of_what_was_told() -> None:
    section = cost_section([("m", [Item("a", "t", ())], [response("a", 7, None)])])
    assert section.tables[0].rows[0].coverage == 1
