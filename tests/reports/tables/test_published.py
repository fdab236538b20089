"""The papers' rows are read whole, and a broken one is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from tests.reports.samples import figure
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.benchmarks.published import published_systems
from triptych.errors import DataError, SpecError
from triptych.records import Aggregate, Table, TableCell, TableRow
from triptych.reports.tables.fill import fill
from triptych.reports.tables.published import load_published

HEAD = "paper,table,model,column,value\n"


def folder(tmp_path: Path, text: str) -> Path:
    (tmp_path / "published").mkdir()
    (tmp_path / "published" / "x.csv").write_text(text, encoding="utf-8")
    return tmp_path


def test_values_dashes_and_per_cent_signs(tmp_path: Path) -> None:
    rows = 'toy,T1,"A, B",Avg,45.2%\ntoy,T1,C,Avg,-\ntoy,T2,C,诗|Avg,-3\n'
    assert load_published(folder(tmp_path, HEAD + rows)) == {
        "T1": {"A, B": {"Avg": 45.2}, "C": {"Avg": None}},
        "T2": {"C": {"诗|Avg": -3.0}},
    }


def test_none_shipped_is_nothing_published(tmp_path: Path) -> None:
    assert load_published(tmp_path) == {}


@pytest.mark.parametrize("text", [HEAD + "toy,T1,C,Avg,high\n", "paper,table,model,value\n"])
def test_a_row_that_cant_be_read_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"x\.csv"):
        load_published(folder(tmp_path, text))


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_every_layout_that_names_a_table_of_the_paper_finds_its_rows(name: str) -> None:
    benchmark = known_benchmarks()[name]
    published = load_published(benchmark.folder)
    for layout in benchmark.spec.layouts:
        if layout.paper:
            rows = fill(layout, {}, published).rows
            shown = [cell.value is not None for row in rows for cell in row.cells]
            assert rows, f"{layout.id}: the paper's {layout.paper} has no rows"
            # CMDAR's Table 3 is half full: its upper row fills some columns, its lower row the others
            least = 0.49 if (name, layout.paper) == ("cmdar", "T3") else 0.6
            assert sum(shown) / len(shown) > least, f"{layout.id}: most cells of {layout.paper} are not found"


def test_the_papers_marks() -> None:
    bench = load_benchmark("cmdar")
    layout = next(one for one in bench.spec.layouts if one.id == "main")
    rows = {
        row.label: dict(zip(layout.about, row.about, strict=False))
        for row in fill(layout, {}, load_published(bench.folder)).rows
        if row.about
    }
    assert rows["Omni-R1"]["trained"] == "Chinese, RL"
    assert rows["Qwen2.5-Omni-7B"]["trained"] == "Chinese, several sizes"
    assert rows["MiDashengLM"]["trained"] == "Chinese, RL" and rows["GPT-4o Audio"]["trained"] == ""


# ---- the five benchmarks


def table_of(name: str, layout: str, figures: list[Aggregate], protocol: str = "official") -> Table:
    benchmark = load_benchmark(name)
    chosen = next(one for one in benchmark.spec.layouts if one.id == layout)
    return fill(chosen, {"m": figures}, load_published(benchmark.folder), protocol=protocol)


def cells_of(table: Table, label: str, sub: str = "") -> dict[str, float | None]:
    (row,) = [row for row in table.rows if row.label == label and row.sub == sub]
    return {heading: cell.value for heading, cell in zip(table.headings, row.cells, strict=True)}


def test_mcga_half_size_error_rates_stand_beside_official_ones_alone() -> None:
    own = [figure(9.9, task="mcga/asr", metric="cer.spaced"), figure(40.0, task="mcga/sqa", metric="f1.token")]
    official = cells_of(table_of("mcga", "overview", own), "Qwen3-Omni-30B-A3B-Instruct")
    assert (official["ASR CER"], official["SQA F1"], official["SU Acc"]) == (4.4, 51.8, 87.1)
    own = [figure(19.9, task="mcga/asr", metric="cer"), figure(50.0, task="mcga/sqa", metric="f1.characters")]
    table = table_of("mcga", "overview", own, "standard")
    standard = cells_of(table, "Qwen3-Omni-30B-A3B-Instruct")
    assert (standard["ASR CER"], standard["SQA F1"], standard["SU Acc"]) == (None, None, 87.1)
    assert any("cer.spaced" in note for note in table.notes)
    assert any("LLM-BM" in mark for row in table.rows for mark in row.marks)


def test_cmdar_categories_of_multi_stand_beside_those_of_their_size() -> None:
    """4.42 is 31 of 701 (our PDR), 2.08 is 2 of 96 (our MCIR): the paper's columns have other names."""
    table = table_of("cmdar", "multi-categories", [figure(1.0, {"category": "PDR"}, task="cmdar/multi", metric="em")])
    row = cells_of(table, "Qwen2-Audio-Instruct")
    assert (row["EM PDR"], row["EM MCIR"], row["EM CSR"]) == (4.42, 2.08, 0.0)
    assert (round(100 * 31 / 701, 2), round(100 * 2 / 96, 2)) == (4.42, 2.08)
    assert all("96, 701 and 29" in mark for row in table.rows if row.origin == "published" for mark in row.marks)


def test_mcif_rows_stand_by_modality_and_prompt_set() -> None:
    """Ola saw and heard the talks: 104.1 stands beside what was asked in both, never beside a pool."""
    slice_ = {"track": "short", "kind": "ASR", "prompts": "fixed"}
    own = [figure(56.4, slice_, task="mcif", metric="wer")]
    own += [
        figure(v, {**slice_, "modality": m}, task="mcif", metric="wer")
        for m, v in (("audio", 8.7), ("audio_video", 104.1))
    ]
    table = table_of("mcif", "overall-short", own)
    assert cells_of(table, "Ola", "Audio and video")["fix WER"] == 104.1
    assert cells_of(table, "m", "Audio and video")["fix WER"] == 104.1
    assert cells_of(table, "m", "Audio")["fix WER"] == 8.7
    assert "m" not in [row.label for row in table.rows if row.sub == "Video"]  # it was asked nothing by sight
    assert 56.4 not in [cell.value for row in table.rows for cell in row.cells]
    by_modality = {row.sub: row.label for row in table.rows if row.origin == "published"}
    assert by_modality == {"Audio": "UltraVox v0.5", "Video": "Video-XL2", "Audio and video": "Gemini 2.5 Flash"}


def test_xmodbench_figures_4_and_5_follow_from_table_2() -> None:
    """Section 4.3 tells -49, -33 and -15 for Gemini 2.5 Pro, section 4.4 8.8 for it and 16.6 for Qwen2.5-Omni."""
    table = table_of(
        "xmodbench", "consistency", [figure(0.0, {"pair": "text_audio"}, task="xmodbench", metric="disparity")]
    )
    gemini, qwen = cells_of(table, "Gemini 2.5 Pro"), cells_of(table, "Qwen2.5-Omni")
    assert gemini["Text vs. audio"] == pytest.approx(-49, abs=0.5)
    assert gemini["Vision vs. audio"] == pytest.approx(-33, abs=0.5)
    assert gemini["Text vs. vision"] == pytest.approx(-15, abs=0.8)
    assert gemini["Imbalance V-T"] == pytest.approx(8.8) and qwen["Imbalance V-T"] == pytest.approx(16.6, abs=0.11)
    assert cells_of(table, "Qwen2.5-VL")["Text vs. audio"] is None  # it takes no sound


# ---- the files


def test_systems_and_basis_are_read_strictly(tmp_path: Path) -> None:
    folder = tmp_path / "published"
    folder.mkdir()
    assert published_systems(folder) == {}
    (folder / "systems.csv").write_text("paper,model,size\ntoy,A,7B\ntoy,B,\n", encoding="utf-8")
    assert load_published(tmp_path).systems == {"A": {"size": "7B"}, "B": {}} and not load_published(tmp_path)
    (folder / "systems.csv").write_text("paper,model,size\ntoy,A,7B\ntoy,A,8B\n", encoding="utf-8")
    with pytest.raises(DataError, match="listed twice"):
        load_published(tmp_path)
    (folder / "systems.csv").unlink()
    (folder / "basis.toml").write_text("[[differs]]\nsayz = 1\n", encoding="utf-8")
    with pytest.raises(SpecError, match=r"basis\.toml"):
        load_published(tmp_path)


@pytest.mark.parametrize("name", ["mcga", "cmdar", "mcs_bench", "mcif", "xmodbench"])
def test_what_the_files_name_is_there(name: str) -> None:
    """A misspelt model, table or column in them would say nothing of anything."""
    benchmark = load_benchmark(name)
    found = load_published(benchmark.folder)
    models = {model for table in found.values() for model in table}
    columns = {column for table in found.values() for row in table.values() for column in row}
    assert set(found.systems) <= models and set(found.basis.protocols) <= set(benchmark.spec.protocols)
    for one in found.basis.differs:
        assert set(one.tables) <= set(found) and set(one.models) <= models and set(one.columns) <= columns
        assert set(one.protocols) <= set(benchmark.spec.protocols) and one.says
    told = {fact for facts in found.systems.values() for fact in facts}
    assert {fact for layout in benchmark.spec.layouts for fact in layout.about} <= told | {"size"}


def printed(benchmark: str, layout_id: str) -> dict[str, list[float | None]]:
    bench = load_benchmark(benchmark)
    (layout,) = [one for one in bench.spec.layouts if one.id == layout_id]
    rows = fill(layout, {}, load_published(bench.folder)).rows
    return {
        row.label: [None if cell.value is None else round(cell.value, 2) for cell in row.cells]
        for row in rows
        if row.origin == "mean" or row.label == "Average"
    }


def test_closed_source_models_of_section_4_1() -> None:
    """ "Closed-source models achieve an average score of 44.83 and an average rank of 5.75"; 35.46 over all 37."""
    rows = printed("mcs_bench", "domains")
    assert rows["mean of 4 closed-source models"][:2] == [44.83, 5.75]
    everyone, average = rows["mean of 37 models"], rows["Average"]
    assert everyone[0] == average[0] == 35.46
    assert everyone[2:] == average[2:], "the paper's own row of averages"


def test_multilingual_against_english_centric_models() -> None:
    """Table 12: (34.18 + 27.49) / 2, and the five LLaVA rows."""
    rows = printed("mcs_bench", "english-centric")
    assert rows["mean of 2 multilingual models"] == [30.84]  # 30.835
    assert rows["mean of 5 English-centric models"] == [23.77]


def test_categories_of_cmdar() -> None:
    """Appendix A.2: scene understanding is the most difficult category over the models of Table 1."""
    rows = printed("cmdar", "main")
    social, events, scenes, anomalies, times, _ = rows["mean of 16 non-cascaded models"]
    assert min(filter(None, [social, events, scenes, anomalies, times])) == scenes
    assert "mean of 26 models" in rows and "mean of 10 cascaded models" in rows


def row(label: str, value: float | None, group: str = "", **more: object) -> TableRow:
    made = TableRow(label, (TableCell(value),), about=(group,), counts={"scored": 1})
    return structs.replace(made, **more)
