"""Tests of `benchmarks/xmodbench/lite.py`: XModBench-Lite as released in 2026-06."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.benchmarks.xmodbench.test_unified import line, lite_lines, read, write
from triptych.benchmarks import Benchmark
from triptych.benchmarks.xmodbench.lite import item_id, load_index
from triptych.records import Item, Problem

GOLDEN = Path(__file__).parent / "golden"


def test_lite_files_are_read_as_they_are_with_the_ids_of_the_list(bench: Benchmark, tmp_path: Path) -> None:
    rows = [row for row in lite_lines("a2t", {}) if "natures" not in row["subtask"]]
    write(tmp_path, "a2t", rows, "data_lite")
    items, problems = read(bench, tmp_path)
    assert not problems
    assert bench.release(tmp_path) == "2026-06-lite"
    assert list(items) == [item_id("a2t", *load_index()["a2t"][row["index"]]) for row in rows]


def test_lite_next_to_all_rows_takes_each_listed_row_once(bench: Benchmark, tmp_path: Path) -> None:
    """The released snapshot has both folders, and some of its questions are there twice."""
    (place, index), (other, _) = [(n, i) for n, (subtask, i) in enumerate(load_index()["a2t"]) if subtask == "count"][
        :2
    ]
    listed = line("audio_text", "04_temporal/count", index)
    twice = [{**listed, "index": n} for n in (index - 1, index, index + 1)]
    write(tmp_path, "audio_text", [*twice, line("audio_text", "04_temporal/count", index + 2)])
    lost = {**line("audio_text", "04_temporal/count", 999), "index": other}
    write(tmp_path, "a2t", [{**listed, "index": place}, lost], "data_lite")
    problems: list[Problem] = []
    items = bench.sample("lite", bench.items(tmp_path), tmp_path, problems.append)
    assert [item.id for item in items] == [f"temporal/count/audio_text/{index}"]
    assert [p.message for p in problems if p.kind == "lite-short"] == [
        "XModBench-Lite: temporal, audio_text has 1 of 2 questions: the data lacks 1 of count"
    ]


def test_the_list_has_200_of_each_family_and_direction_and_no_row_twice() -> None:
    """The sizes that make_lite.py prints: five families, six directions, 200 each."""
    from collections import Counter

    from triptych.benchmarks.xmodbench.lite import lite_family

    for rows in load_index().values():
        assert len(set(rows)) == len(rows) == 1000
        assert set(Counter(lite_family(subtask) for subtask, _ in rows).values()) == {200}


def oracle_rows() -> list[dict[str, str]]:
    with (GOLDEN / "lite_rows.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_list_is_the_released_one_where_its_rows_are_public(released_items: dict[str, Item]) -> None:
    """19 positions of the released data_lite with an undecodable film, which another project had to name to leave them
    out (`lite_rows.csv`): the list has just that film there, and these films nowhere else."""
    rows = oracle_rows()
    expected = {(row["file"], int(row["position"])): row["film"] for row in rows}
    found = {}
    for config, listed in load_index().items():
        for place, (subtask, index) in enumerate(listed):
            item = released_items.get(item_id(config, subtask, index))
            parts = [] if item is None else [*item.parts, *(part for option in item.options for part in option)]
            films = {part.path for part in parts if part.path in set(expected.values())}
            if films:
                (found[config, place],) = films
    assert found == expected
    assert len(expected) == 19


def test_lite_of_the_files_of_2025_says_what_they_lack(
    bench: Benchmark, released: Path, released_items: dict[str, Item]
) -> None:
    notes: list[Problem] = []
    sample = list(bench.sample("lite", released_items.values(), released, notes.append))
    assert len(sample) == 6000 - 4 * 40
    assert [p.message for p in notes] == [
        f"XModBench-Lite: perception, {direction} has 160 of 200 questions: the data lacks 40 of finegrained"
        for direction in ("audio_vision", "text_audio", "text_vision", "vision_audio")
    ]
    assert len(list(bench.sample("paper-lite", released_items.values()))) == 6000
