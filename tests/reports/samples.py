"""Sample aggregates and layouts for the report tests."""

from __future__ import annotations

from typing import Any

from triptych.records import Aggregate, Column, Layout, RowSlice


def figure(
    value: float | None, slice_: dict[str, str] | None = None, counts: dict[str, int] | None = None, **more: Any
) -> Aggregate:
    """An Aggregate of the toy benchmark."""
    counts = counts or {"scored": 10}
    given: dict[str, Any] = {
        "protocol": "official",
        "task": "toy",
        "metric": "acc",
        "n": sum(counts.values()),
        "value_all": value,
        "value_answered": value,
        "signature": f"bench:toy|model:{more.pop('model', 'm')}",
        **more,
    }
    return Aggregate(slice=slice_ or {}, value=value, counts=counts, **given)


FAMILIES = ("speech", "music", "sound")
DIRECTIONS = ("audio_text", "text_audio")


def run(base: float, **more: Any) -> list[Aggregate]:
    """A Run with a figure for each family, direction, both, and a total."""
    cells = [
        figure(
            base + 7 * f + d,
            {"family": family, "direction": direction},
            {"scored": 9, "failed": 1},
            interval=(base + 7 * f + d - 3.2, base + 7 * f + d + 4.1),
            n=9,
            value_all=base + 7 * f + d - 2,
            **more,
        )
        for f, family in enumerate(FAMILIES)
        for d, direction in enumerate(DIRECTIONS)
    ]
    families = [figure(base + f, {"family": n}, {"scored": 18, "failed": 2}, **more) for f, n in enumerate(FAMILIES)]
    ways = [figure(base - d, {"direction": n}, {"scored": 27, "failed": 3}, **more) for d, n in enumerate(DIRECTIONS)]
    gap = figure(base / 9, {"pair": "a"}, {"scored": 54, "failed": 6}, metric="gap", **more)
    return [*cells, *families, *ways, gap, figure(base, {}, {"scored": 54, "failed": 6}, **more)]


def column(heading: str, slice_: dict[str, str] | None = None, **more: Any) -> Column:
    """A column of accuracies."""
    return Column(heading, "toy", more.pop("metric", "acc"), slice_ or {}, digits=1, **more)


OVERALL = Layout(
    "main",
    "Accuracy (Table 1)",
    (
        *(column(n.capitalize(), {"family": n}) for n in FAMILIES),
        *(column(n, {"direction": n}) for n in DIRECTIONS),
        column("Avg", published="Last"),
    ),
    paper="T1",
    note="A note.",
)
SLICED = Layout(
    "families",
    "By family (Table 2)",
    tuple(column(n.replace("_", " "), {"direction": n}, published=n[0].upper()) for n in DIRECTIONS),
    rows=tuple(RowSlice(n.capitalize(), {"family": n}, published=n[:2]) for n in FAMILIES),
    paper="T2",
)
