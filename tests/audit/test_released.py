"""`audit released`: every printed figure of a paper follows from the release, differs from it, or can't be known."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.audit.results.test_check import results
from triptych import audit_released
from triptych.audit.tables.cells import load_tables
from triptych.audit.tables.rules import load_rules
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.cli.main import main
from triptych.errors import DataError
from triptych.records.checked import CellCounts


def printed(name: str) -> int:
    bench, rules = load_benchmark(name), load_rules(load_benchmark(name).folder)
    tables = load_tables(bench.folder / "published", rules.decimals, rules.aliases).cells
    return sum(len(row) for rows in tables.values() for row in rows.values())


@pytest.mark.parametrize("name", [n for n in known_benchmarks() if (load_benchmark(n).folder / "published").is_dir()])
def test_nothing_released_leaves_every_printed_figure_unknown_with_a_reason(name: str, tmp_path: Path) -> None:
    found = audit_released(name, tmp_path)
    assert len(found.cells) == printed(name) and not found
    assert all(cell.status == "unknown" and cell.reason for cell in found.cells)
    assert found.verdict.startswith(f"The paper of {name}: 0 of ")


def test_released_results_are_compared_cell_by_cell_and_the_rest_is_named(tmp_path: Path) -> None:
    """1,166 of 2,000 are right: 58.3, where the paper prints 63.65 for this model."""
    results(tmp_path / "gemini-2.0-flash", lambda index, key, rng: key if index < 1166 else "x", 2000)
    (tmp_path / "notes.txt").write_text("not results", encoding="utf-8")
    found = audit_released("xmodbench", tmp_path)
    (cell,) = (cell for cell in found.cells if cell.status != "unknown")
    assert (cell.status, cell.row, cell.recomputed) == ("differs", "Gemini 2.0 Flash", 58.3)
    assert "1 differs" in found.verdict and any(f.kind == "mismatch" for f in found)
    reasons = Counter(c.reason for c in found.cells if c.row == "Gemini 2.0 Flash")
    assert reasons["no results of xmodbench/perception/general/text_audio"] == 1
    assert any(c.reason == "no results of Gemini 2.5 Pro are here" for c in found.cells)


def test_results_that_cannot_be_read_are_named_not_left_out_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "audio_short_en_fixed_phi_multimodal_output.xml"
    path.write_text('<?xml version="1.0"?><testset name="MCIF" type="output"><task track="short" text_lang="en">')
    (tmp_path / "readme.txt").write_text("not results", encoding="utf-8")
    said: list[str] = []
    audit_released("mcif", tmp_path, say=said.append)
    (line,) = [one for one in said if "not read" in one]
    assert "--recover" in line and f"{path}, line 1" in line


def test_the_folder_must_exist(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no folder of released files"):
        audit_released("cmdar", tmp_path / "nothing")


def test_the_command_prints_one_table_and_one_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*more: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["audit", "released", "mcga", "--data", str(tmp_path), *more])
        assert not ended.value.code
        return capsys.readouterr().out

    text = call()
    assert text.startswith("The paper of mcga: 0 of 282 printed cells follow, 282 can't be known from these files;")
    assert "follows   differs   unknown" in text and "no results of MiDashengLM are here" in text
    document = json.loads(call("--json", "--to", str(tmp_path / "page.html")))
    assert list(document) == ["verdict", "cells", "findings", "counts"] and len(document["cells"]) == 282
    assert {"table", "row", "column", "published", "status", "recomputed", "reason"} == set(document["cells"][0])
    assert document["verdict"] in (tmp_path / "page.html").read_text(encoding="utf-8").replace("&#39;", "'")


def test_what_mcif_and_cmdar_released(shared_data: Path) -> None:
    mcif = audit_released("mcif", shared_data / "mcif")
    follows = {(c.row, c.column) for c in mcif.cells if c.status == "follows"}
    assert ("Phi4-Multimodal", "fix|short|REC") in follows
    assert not [f for f in mcif if "/tmp" in str(f.file)], "files are named where they were released"
    cmdar = audit_released("cmdar", shared_data / "cmdar")
    differs = {(c.row, c.column): (c.published, c.recomputed) for c in cmdar.cells if c.status == "differs"}
    assert differs["multi", "questions"] == ("1,000", 825.0)


@pytest.mark.slow
def test_what_xmodbench_released(shared_data: Path) -> None:
    found = audit_released("xmodbench", shared_data / "xmodbench")
    of_results = [cell for cell in found.cells if cell.table.startswith("T")]
    counts = CellCounts.count_cells(of_results)
    assert (counts.follows, counts.differs) == (264, 14)
    assert {c.row for c in of_results if c.status == "differs"} == {"Gemini 2.0 Flash", "Qwen2.5-Omni"}
