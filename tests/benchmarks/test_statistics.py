"""The papers' data statistics on one's own copy: by hand on a few questions, and against what the papers print."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.benchmarks.cmdar.statistics import statistics as cmdar
from triptych.benchmarks.mcs_bench.statistics import statistics as mcs_bench
from triptych.benchmarks.statistics import Measures, Statistic, mean, printed_in, statistic_over
from triptych.cli.main import main
from triptych.records import Part

NAMES = ("mcga", "cmdar", "mcs_bench", "mcif", "xmodbench")
REAL = Path(__file__).parents[3] / "shared" / "data"


class Told(Measures):
    """Lengths and sizes as told, by path."""

    def __init__(self, told: dict[str, float | tuple[int, int]]) -> None:
        super().__init__(Path())
        self.told = told

    def seconds(self, part: Part) -> float | None:
        found = self.told.get(part.path)
        return found if isinstance(found, float) else None

    def size(self, part: Part) -> tuple[int, int] | None:
        found = self.told.get(part.path)
        return found if isinstance(found, tuple) else None


def values(found: Iterable[Statistic]) -> dict[tuple[str, str], float | None]:
    listed = list(found)
    assert len({(one.of, one.name) for one in listed}) == len(listed)
    return {(one.of, one.name): one.value for one in listed}


@pytest.mark.skipif(not (REAL / "cmdar").is_dir(), reason="the released CMDAR files are not beside this repository")
def test_cmdar_as_printed() -> None:
    """Table 6 follows from the released questions, but for multi, of which 825 of 1,000 were released."""
    found = {(s.of, s.name): s for s in load_benchmark("cmdar").statistics(REAL / "cmdar")}
    raw = json.loads((REAL / "cmdar" / "MDAR-main.json").read_text(encoding="utf-8-sig"))
    assert found["main", "average question length"].value == pytest.approx(sum(len(r["question"]) for r in raw) / 1500)
    differ = {key for key, one in found.items() if one.agrees is False}
    assert differ == {("multi", "questions"), ("multi", "average option length")}
    assert sum(bool(one.agrees) for one in found.values()) == 12
    audio = found["main", "average audio length"]
    assert audio.value is None and audio.printed == 25.11 and "1,500 of 1,500" in audio.reason


def test_mcif_and_xmodbench_on_their_mini_sets_by_other_means() -> None:
    """Counted again from the files themselves."""
    from xml.etree import ElementTree

    folder = load_benchmark("mcif").mini
    tree = ElementTree.parse(folder / "MCIF1.0.IF.long.en.ref.xml")
    samples = list(tree.iter("sample"))
    kinds = {
        name: [s for s in samples if s.get("task", "").upper() == name or s.get("iid", "").startswith(name)]
        for name in ("ASR", "SUM", "QA")
    }
    found = {(s.of, s.name): s for s in load_benchmark("mcif").statistics(folder)}
    assert found["questions", "questions"].value == len(kinds["QA"]) > 0
    assert found["talks", "talks"].value == len(kinds["ASR"]) > 0
    words = sum(len((s.findtext("reference") or "").split()) for s in kinds["SUM"])
    assert found["summaries", "words of the summaries"].value == words > 0
    assert found["summaries", "words of the summaries"].agrees is None  # the paper says about how many
    assert found["questions", "fewest of a talk"].agrees is False and found["all", "languages"].agrees is True
    bench = load_benchmark("xmodbench")
    counted = values(bench.statistics(bench.mini))
    items = [i for i in bench.items(bench.mini) if i.facets["direction"] != "audiovision_text"]
    assert counted["all", "questions"] == len(items) == 624
    assert counted["perception/general", "questions"] == sum("/general/" in i.task for i in items)


def test_nothing_to_measure_is_none_with_a_reason() -> None:
    assert (mean("x", "y", []).value, mean("x", "y", []).reason) == (None, "none in this data")
    some = statistic_over("x", "y", [1.0, None, 3.0], max)
    assert (some.value, some.n, some.reason) == (3.0, 2, "1 of 3 missing or unreadable")


@pytest.mark.parametrize(
    ("value", "printed", "digits", "unit", "agrees"),
    [
        (30.674, 30.68, 2, "s", True),
        (32.807, 32.80, 2, "", True),
        (47.16, 47.19, 2, "", False),
        (825, 1000, 0, "", False),
        (1500, 1500, 0, "", True),
        (118.6, 119, 0, "h", True),
        (117.9, 119, 0, "h", False),
        (None, 3, 0, "", None),
    ],
)
def test_what_counts_as_printed(
    value: float | None, printed: float, digits: int, unit: str, agrees: bool | None
) -> None:
    assert Statistic("x", "y", value, unit, digits=digits, printed=printed).agrees is agrees


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_tells_its_statistics(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["check", name, "--stats", "--json"])
    told = json.loads(capfd.readouterr().out)
    assert told["benchmark"] == name and all({"of", "name", "value", "agrees"} <= set(s) for s in told["statistics"])
    assert any("printed" in s and "source" in s for s in told["statistics"])
    with pytest.raises(SystemExit, match="0"):
        main(["check", name, "--stats"])
    out = capfd.readouterr()
    assert "agree with the paper" in out.out and "mini set" in out.err


@pytest.mark.parametrize(("name", "tables"), [("cmdar", {"T6"}), ("mcs_bench", {"T2", "T5"})])
def test_every_printed_statistic_is_beside_one(name: str, tables: set[str]) -> None:
    """No printed figure of the papers' tables is left aside for want of a name."""
    bench = load_benchmark(name)
    printed = {key: value for key, value in printed_in(bench.folder).items() if key[0] in tables}
    run = cmdar if name == "cmdar" else mcs_bench
    found = list(run(list(bench.items(bench.mini)), Told({}), printed))
    tasks = {item.task.partition("/")[2] for item in bench.items(bench.mini)}
    wanted = [key for key in printed if key[0] != "T5" or key[1] in tasks]
    of_tables = [one for one in found if one.printed is not None and one.of != "films"]  # Table 5 of CMDAR: no cells
    assert len(of_tables) == len(wanted) > 15


def test_xmodbenchs_row_of_table_1() -> None:
    bench = load_benchmark("xmodbench")
    found = values(bench.statistics(bench.mini))
    names = [(of, f"questions with {kind}") for of in ("context", "candidates") for kind in ("text", "vision", "audio")]
    total = found["all", "questions"]
    assert total is not None
    assert [found[name] for name in names] == [total / 3] * 6, "each modality is stem and candidate in a third"
    assert found["Instances", "in all six directions"] == found["Instances", "all"] == total / 6
