"""Tests of `api/contracts/other_process.py`: what depends on the process is named, whatever makes it so."""

from __future__ import annotations

import importlib
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.cli.test_check_plugin import CONDITION, STAGE, package
from triptych.api.contracts.checking import entry_points_of
from triptych.api.contracts.other_process import digest, process_faults

DRAWN = """
class Drawn:
    name, summary = "drawn", "a number after the question"
    def apply(self, item):
        from msgspec.structs import replace
        from triptych.records import text
        return replace(item, parts=(*item.parts, text(str({number}))))
from triptych.conditions.condition import Offer
CONDITIONS = {{"drawn": Offer("A number.", lambda arguments, seed: Drawn(), ())}}
"""
SORTED = STAGE.replace("kept()", "kept(text=' '.join({order}(set(values['text'].split()))))")


@pytest.mark.parametrize(
    ("group", "source", "differs"),
    [
        ("conditions", CONDITION % "lambda arguments, seed: Upper()", False),
        ("conditions", DRAWN.format(number="len(item.id)"), False),
        ("conditions", DRAWN.format(number="hash(item.id)"), True),
        ("stages", SORTED.format(order="sorted"), False),
        ("stages", SORTED.format(order="list"), True),
    ],
)
def test_what_depends_on_the_process_is_named(
    group: str, source: str, differs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(tmp_path, **{group: ("drawn", source)})
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    try:
        (point,) = entry_points_of("labplug")
        faults = list(process_faults(point))
    finally:
        sys.modules.pop(f"labplug_{group}", None)
    assert len(faults) == differs and all("differ in each: use hashlib" in fault for fault in faults)


def test_the_items_of_a_benchmark_are_compared() -> None:
    assert list(process_faults(EntryPoint("cmdar", "triptych.benchmarks.cmdar", "triptych.benchmarks"))) == []
    assert digest("benchmarks", "cmdar", "triptych.benchmarks.cmdar") != digest(
        "benchmarks", "mcga", "triptych.benchmarks.mcga"
    )


def test_a_process_that_fails_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_here = "import sys\nif sys.flags.safe_path:\n    raise RuntimeError('no such folder')\n"
    package(tmp_path, conditions=("drawn", only_here + DRAWN.format(number="1")))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    try:
        (point,) = entry_points_of("labplug")
        (line,) = process_faults(point)
    finally:
        sys.modules.pop("labplug_conditions", None)
    assert line.startswith("note: ") and line.endswith("could not be compared: RuntimeError: no such folder")
