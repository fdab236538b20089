"""The released results of two systems, scored again: which cells of the paper follow from the items, and which don't.

`golden/reproduced.csv` lists every published cell of the two systems, what the items give, and the reason where
that isn't what was published.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks.xmodbench.replay import SYSTEMS, agrees, figures, read_system, table_cells
from triptych.benchmarks import Benchmark
from triptych.records import Item

GOLDEN = list(csv.DictReader((Path(__file__).parent / "golden" / "reproduced.csv").open(encoding="utf-8")))


def test_the_list_is_of_every_published_cell(bench: Benchmark) -> None:
    with (bench.folder / "published" / "tables.csv").open(encoding="utf-8") as file:
        published = Counter(
            (r["table"], r["column"], r["value"]) for r in csv.DictReader(file) if r["model"] in SYSTEMS.values()
        )
    assert Counter((r["table"], r["column"], r["published"]) for r in GOLDEN) == published
    assert Counter(not r["reason"] for r in GOLDEN) == {True: 266, False: 94}


@pytest.mark.parametrize("protocol", ["official", "paper"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_papers_cells(bench: Benchmark, released_results: Path, system: str, protocol: str) -> None:
    found = table_cells(bench, figures(read_system(bench, released_results, system), bench.protocol(protocol)))
    for golden in (r for r in GOLDEN if r["system"] == system and r["table"] != "T4"):
        table = "T12" if golden["table"] == "T3" else golden["table"]
        value, digits = found.get((table, golden["column"]), (None, 0))
        assert ("" if value is None else f"{value:.3f}") == golden["recomputed"], golden
        follows = value is not None and agrees(value, float(golden["published"]), digits)
        assert follows == (not golden["reason"]), golden


def test_what_the_items_say_about_themselves(
    bench: Benchmark, released_items: dict[str, Item], released_results: Path
) -> None:
    """With the question files at hand: which results are of another version, and which can't be paired."""
    gemini, qwen = (bench.outputs([released_results / system], released_items) for system in SYSTEMS)
    other = Counter(i.task.split("/")[2] for i in gemini.items.values() if i.facets.get("questions"))
    assert other == {"natures": 3000, "3D_movements": 3060, "count": 3000}
    other = Counter(i.task.split("/", 2)[2] for i in qwen.items.values() if i.facets.get("questions"))
    assert other == {
        "natures/audio_vision": 500,
        "3D_movements/vision_text": 441,
        "count/audio_text": 500,
        "count/text_audio": 500,
    }
    (unpaired,) = [n for n in qwen.notes if "not paired" in n]
    assert unpaired.endswith("them: perception_natures_audio_vision, spatial_3D_movements_vision_text")
    statuses = Counter(r.status for r in gemini.responses.values())
    assert statuses == {"answered": 85_392, "failed": 356}
    assert any(n.startswith("14 of the six directions' 102 result files are missing") for n in qwen.notes)


def test_everything_is_loaded_and_tabled(bench: Benchmark, released: Path, released_results: Path) -> None:
    items = {item.id: item for item in bench.items(released)}
    for system in SYSTEMS:
        outputs = bench.outputs([released_results / system], items)
        assert outputs.responses.keys() <= outputs.items.keys() and len(outputs.items) > 50_000
        tabled = table_cells(bench, figures(outputs, bench.protocol("official")))
        published = {(r["table"], r["column"]) for r in GOLDEN if r["system"] == system and r["recomputed"]}
        assert published <= {("T3" if table == "T12" else table, column) for table, column in tabled} | tabled.keys()
