"""A figure over the checkpoints of one model: its figures by training step, a line for each Condition or prompt.

The step of a Run is a tag `step=500` that people gave it, otherwise the number after `step`, `checkpoint`, `ckpt`,
`iter` or `epoch` in its name, revision, settings or model: `openai/mine-step500`, `-M revision=step143000`,
`--name ckpt-2k`. Runs that differ in the number only are checkpoints of one model; so are Runs with
the same tag `series=NAME`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from triptych.records import RunManifest, RunNote
from triptych.reports.html.links import run_path
from triptych.running.tracking.steps import step_in, step_texts, without_step
from triptych.store.folder import RunFolder
from triptych.viewer.catalogue import benchmark_of, scores_of
from triptych.viewer.pages.figures import Cell, overview_of

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 320, 52, 150, 14, 40  # of the drawing


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A Run of a checkpoint of a model. `stem`: what all of them are called; `unit`: step, epoch …"""

    slug: str
    folder: RunFolder
    stem: str
    unit: str
    step: float


@dataclass(frozen=True, slots=True)
class Series:
    """The checkpoints of one model that were asked the same questions."""

    key: str
    title: str
    runs: tuple[Checkpoint, ...]


def step_of(manifest: RunManifest, note: RunNote) -> tuple[str, str, float] | None:
    """Return (stem, unit, step) of a Run; None if nothing says which checkpoint it is.

    Example:
        >>> from tests.support.runs import manifest
        >>> step_of(manifest(model="openai/mine-step-2k"), RunNote())
        ('openai/mine', 'step', 2000.0)
    """
    texts = step_texts(manifest)
    step = step_in((*note.tags, *texts))
    if step is None:
        return None
    stem = " ".join(filter(None, (without_step(text) for text in (manifest.called, *texts[1:3]))))
    stem = next((tag.partition("=")[2].strip() for tag in note.tags if tag.startswith("series=")), stem)
    return stem, *step


def series_of(runs: Mapping[str, RunFolder], notes: Mapping[str, RunNote]) -> list[Series]:
    """Return the models of which there are at least two checkpoints, asked the same questions of a benchmark."""
    checkpoints: dict[tuple[str, ...], list[Checkpoint]] = defaultdict(list)
    for slug, folder in runs.items():
        if (step := step_of(folder.manifest, notes[slug])) is not None:
            one = Checkpoint(slug, folder, *step)
            checkpoints[one.stem, one.unit, *_questions(folder.manifest)].append(one)
    names = [(key[2], key[0]) for key in checkpoints]
    made = []
    for key, each in checkpoints.items():
        if len({one.step for one in each}) < 2:
            continue
        part = f" ({each[0].folder.manifest.planned or '?'} Requests)" if names.count((key[2], key[0])) > 1 else ""
        each.sort(key=lambda one: one.step)
        made.append(Series("|".join(map(str, key)), f"{key[0] or 'model'} on {key[2]}{part}", tuple(each)))
    return sorted(made, key=lambda one: one.title)


def _questions(manifest: RunManifest) -> tuple[str, ...]:
    filters = repr(sorted(manifest.filters.items()))
    fields = (",".join(manifest.tasks), manifest.sample, str(manifest.limit), filters, manifest.items_file)
    return (manifest.benchmark, manifest.data_sha256, *fields)


def checkpoints_page(
    runs: Mapping[str, RunFolder], notes: Mapping[str, RunNote], parameters: Mapping[str, str]
) -> dict[str, Any]:
    """Return the figure of one series. Which series and which column are chosen by the address."""
    every = series_of(runs, notes)
    chosen = next((one for one in every if one.key == parameters.get("series")), every[0] if every else None)
    values: dict[str, Any] = {
        "series": [(one.key, one.title) for one in every],
        "chosen": chosen,
        "columns": [],
        "column": "",
        "rows": [],
        "drawing": None,
        "headings": (),
        "protocol": "",
        "unscored": [],
        "side": "",
    }
    return values if chosen is None else values | {"unit": chosen.runs[0].unit} | _figure(chosen, parameters)


def _figure(series: Series, parameters: Mapping[str, str]) -> dict[str, Any]:
    scored = {one.slug: scores for one in series.runs if (scores := scores_of(one.folder))}
    benchmark = benchmark_of(series.runs[0].folder.manifest)
    shown = (
        overview_of(benchmark, scored, {one.slug: one.folder for one in series.runs}) if benchmark and scored else None
    )
    side = "/side?" + urlencode([("run", one.slug) for one in series.runs[-6:]])
    unscored = [one.slug for one in series.runs if one.slug not in scored]
    if shown is None:
        return {"unscored": unscored, "side": side}
    headings = list(shown.table.headings)
    column = parameters.get("column", "")
    n = headings.index(column) if column in headings else 0
    cells = {label: figure for label, _, figure, _ in shown.rows}
    rows = [
        {
            "step": _number(one.step),
            "href": run_path(one.slug),
            "slug": one.slug,
            "line": _line(one),
            "cells": cells.get(one.slug, ()),
        }
        for one in series.runs
        if one.slug in scored
    ]
    points: dict[str, list[Point]] = defaultdict(list)
    for one in series.runs:
        if one.slug in cells and (cell := cells[one.slug][n]).sort is not None:
            points[_line(one)].append(_point(one, cell, shown.table.rows, n))
    return {
        "columns": headings,
        "column": headings[n],
        "headings": headings,
        "rows": rows,
        "protocol": shown.table.protocol,
        "unscored": unscored,
        "side": side,
        "unit": series.runs[0].unit,
        "drawing": draw(points, series.runs[0].unit) if points else None,
    }


def _line(one: Checkpoint) -> str:
    manifest = one.folder.manifest
    return ", ".join(filter(None, [manifest.condition or "no Condition", manifest.prompt]))


Point = tuple[float, float, float, float, str, str]  # step, value, low, high, address, words


def _point(one: Checkpoint, cell: Cell, rows: Sequence[Any], n: int) -> Point:
    figure_cell = next(row for row in rows if row.label == one.slug).cells[n]
    low, high = figure_cell.interval or (figure_cell.value, figure_cell.value)
    words = f"{_number(one.step)}: {cell.shown} {cell.interval}".strip()
    return one.step, float(figure_cell.value), float(low), float(high), run_path(one.slug), words


def _number(step: float) -> str:
    return f"{step:,.0f}" if step == int(step) else f"{step:g}"


def draw(points: Mapping[str, Sequence[Point]], unit: str) -> dict[str, Any]:
    """Return the lines, whiskers and axes of the drawing in pixels; steps are spaced by their size."""
    every = [point for line in points.values() for point in line]
    steps = sorted({point[0] for point in every})
    low, high = min(point[2] for point in every), max(point[3] for point in every)
    ticks = _ticks(low, high)
    bottom, top = min(ticks[0], low), max(ticks[-1], high)

    def x(step: float) -> float:
        span = steps[-1] - steps[0]
        share = (step - steps[0]) / span if span else 0.5
        return round(LEFT + 12 + share * (WIDTH - LEFT - RIGHT - 24), 1)

    def y(value: float) -> float:
        share = (value - bottom) / (top - bottom) if top > bottom else 0.5
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    lines, taken = [], list[float]()
    for n, (name, series) in enumerate(points.items()):
        at = y(series[-1][1])
        while any(abs(at - other) < 14 for other in taken):
            at += 14
        taken.append(at)
        lines.append(
            {
                "name": name if len(name) <= 24 else f"{name[:23]}…",
                "full": name,
                "shade": n % 6 + 1,
                "label_y": at + 4,
                "label_x": WIDTH - RIGHT + 8,
                "path": " ".join(f"{x(p[0])},{y(p[1])}" for p in series),
                "points": [
                    {"x": x(p[0]), "y": y(p[1]), "low": y(p[2]), "high": y(p[3]), "href": p[4], "words": p[5]}
                    for p in series
                ],
            }
        )
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "foot": HEIGHT - BOTTOM,
        "lines": lines,
        "unit": unit,
        "down": [{"y": y(value), "text": f"{value:g}"} for value in ticks],
        "along": _spaced([{"x": x(step), "text": _number(step)} for step in steps]),
    }


def _spaced(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the marks of an axis whose texts don't overlap; the last one always."""
    spaced = [marks[-1]]
    for mark in reversed(marks[:-1]):
        if spaced[-1]["x"] - mark["x"] >= 4 * (len(mark["text"]) + len(spaced[-1]["text"])):
            spaced.append(mark)
    return spaced[::-1]


def _ticks(low: float, high: float) -> list[float]:
    """Return four to eight round numbers from below `low` to above `high`."""
    from math import ceil, floor, log10

    span = (high - low) or abs(high) or 1.0
    size = 10 ** floor(log10(span))
    step = next(s for s in (size / 5, size / 2, size, size * 2) if span / s <= 6)
    first, last = floor(low / step), ceil(high / step)
    return [round(n * step, 10) for n in range(first, last + 1)]
