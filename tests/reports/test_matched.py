"""A printed figure stands beside one's own only where both were measured alike, in every format; what isn't is said."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from msgspec import structs
from rich.console import Console

from tests.reports.samples import OVERALL, column, figure, run
from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych import api
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.published import Basis, Differs, published_systems
from triptych.errors import DataError, SpecError
from triptych.records import Aggregate, Layout, RowSlice, Table
from triptych.reports.files.csv_files import notes_csv, table_csv
from triptych.reports.files.latex import latex
from triptych.reports.files.markdown import markdown
from triptych.reports.html.tables import shown as shown_in_html
from triptych.reports.report import collect, write_report
from triptych.reports.tables.book import Report
from triptych.reports.tables.fill import RunRemarks, fill
from triptych.reports.tables.published import PublishedRows, load_published
from triptych.reports.terminal.tables import print_table
from triptych.scoring.runs import score_run


def published(
    cells: dict[str, dict[str, float | None]], systems: dict[str, dict[str, str]] | None = None, **basis: object
) -> PublishedRows:
    found = PublishedRows(systems or {}, Basis(**basis))  # type: ignore[arg-type]
    found["T1"] = cells
    return found


def everywhere(table: Table) -> list[str]:
    """The table in every format."""
    out = io.StringIO()
    print_table(table, Console(file=out, width=160, highlight=False, emoji=False, markup=False))
    html = shown_in_html(table)
    return [
        out.getvalue(),
        markdown(table),
        latex(table),
        table_csv([table]) + notes_csv([table]),
        f"{html.notes} {html.footnotes}",
    ]


ONE = Layout("main", "Main", (column("CER", metric="cer.spaced"), column("Acc")), paper="T1")
RATES: list[Aggregate] = [figure(8.0, metric="cer"), figure(70.0)]


def test_a_printed_figure_by_another_metric_is_left_out_and_said() -> None:
    theirs = published({"Qwen": {"CER": 4.4, "Acc": 80.0}})
    alike = fill(ONE, {"m": [figure(4.0, metric="cer.spaced"), figure(70.0)]}, theirs)
    assert [cell.value for cell in alike.rows[0].cells] == [4.4, 80.0] and not alike.notes
    table = fill(ONE, {"m": RATES}, theirs)
    assert [cell.value for cell in table.rows[0].cells] == [None, 80.0]
    for text in everywhere(table):
        assert (
            "published values not shown: CER: the paper reports cer.spaced, the Runs are scored by cer"
            in text.replace("\n", " ")
        ), text


def test_a_row_of_which_nothing_is_alike_is_not_shown_at_all() -> None:
    table = fill(ONE, {"m": RATES}, published({"Qwen": {"CER": 4.4}}))
    assert [row.label for row in table.rows] == ["m"] and "cer.spaced" in table.notes[0]


def test_the_rule_of_the_printed_figures_is_named_under_another_protocol() -> None:
    theirs = published({"Qwen": {"Acc": 80.0}}, protocols=("official",))
    runs = {"m": [figure(70.0)]}
    assert not fill(ONE, runs, theirs, protocol="official").notes
    (note,) = fill(ONE, runs, theirs, protocol="standard").notes
    assert note == "The paper's rows are scored by protocol official, the Runs by protocol standard"


def test_what_was_measured_on_something_else_gets_a_footnote_or_is_left_out() -> None:
    cells: dict[str, dict[str, float | None]] = {"Human": {"Acc": 90.0}, "Qwen": {"Acc": 80.0}, "Other": {"Acc": 1.0}}
    theirs = published(
        cells,
        differs=(
            Differs("people saw a part", tables=("T1",), models=("Human",)),
            Differs("another test set", models=("Other",), columns=("Acc",), left_out=True),
            Differs("elsewhere", tables=("T9",)),
            Differs("another rule", models=("Qwen",), protocols=("standard",)),
        ),
    )
    table = fill(ONE, {"m": [figure(70.0)]}, theirs)
    assert [(row.label, row.marks) for row in table.rows] == [
        ("Human", ("people saw a part",)),
        ("Qwen", ()),
        ("m", ()),
    ]
    assert table.notes == ("published values not shown: Acc: another test set",)
    for text in everywhere(table):
        assert "people saw a part" in text


MODALITIES = Layout(
    "modalities",
    "By modality",
    (column("fix", {"prompts": "fixed"}, published="fix|QA"),),
    rows=(RowSlice("Audio", {"modality": "audio"}), RowSlice("Text", {"modality": "text"})),
    paper="T1",
    about=("size",),
)


def test_a_system_stands_under_the_modality_that_it_was_asked_in() -> None:
    theirs = published(
        {"Speech": {"fix|QA": 30.0}, "Words": {"fix|QA": 40.0}},
        {"Speech": {"modality": "audio", "size": "7B"}, "Words": {"modality": "text"}},
    )
    own = [figure(value, {"modality": m, "prompts": "fixed"}) for m, value in (("audio", 20.0), ("text", 25.0))]
    table = fill(MODALITIES, {"m": own}, theirs, told={"m": RunRemarks(about={"size": "3B"})})
    assert [(row.sub, row.label, row.cells[0].value, row.about) for row in table.rows] == [
        ("Audio", "Speech", 30.0, ("7B",)),
        ("Audio", "m", 20.0, ("3B",)),
        ("Text", "Words", 40.0, ("",)),
        ("Text", "m", 25.0, ("3B",)),
    ]
    assert table.about == ("size",)
    assert fill(MODALITIES, {"m": own}).about == ()  # nothing known of any: no column
    more = structs.replace(MODALITIES, about=("type", "size"))
    assert fill(more, {"m": own}, theirs).about == ("size",)
    for text in everywhere(table)[:4]:
        assert "3B" in text and "7B" in text and "size" in text


def test_what_follows_from_printed_columns_is_shown_where_all_of_them_are() -> None:
    sums = structs.replace(column("gap"), published_sum={"A": 1.0, "B": -1.0})
    layout = Layout("sums", "Sums", (sums,), paper="T1")
    table = fill(layout, {"m": [figure(0.0)]}, published({"x": {"A": 71.0, "B": 58.9}, "y": {"A": 71.0, "B": None}}))
    assert [(row.label, row.cells[0].value) for row in table.rows if row.origin == "published"] == [
        ("x", pytest.approx(12.1))
    ]


def test_a_run_of_the_mini_set_has_no_rank_among_the_papers_rows() -> None:
    layout = Layout("r", "R", (column("Acc"), structs.replace(column("Rank"), rank=True)), paper="T1")
    theirs = published({"Qwen": {"Acc": 80.0, "Rank": 1.0}})
    runs, told = {"m": [figure(90.0)], "k": [figure(70.0)]}, {"m": RunRemarks(("on the built-in mini set",))}
    ranks = {row.label: row.cells[1].value for row in fill(layout, runs, theirs, told=told).rows}
    assert ranks == {"Qwen": 1.0, "m": None, "k": 2.0}
    assert {row.label: row.cells[1].value for row in fill(layout, runs, told=told).rows} == {"k": 1.0, "m": None}
    alike = dict.fromkeys(runs, told["m"])
    assert {row.label: row.cells[1].value for row in fill(layout, runs, told=alike).rows} == {"m": 1.0, "k": 2.0}


def test_a_runs_marks_stand_in_every_format() -> None:
    table = fill(OVERALL, {"m": run(50), "k": run(40)}, told={"m": RunRemarks(("on the built-in mini set",))})
    terminal, md, tex, table_file, html = everywhere(table)
    assert "m¹" in terminal and "| m¹ |" in md and r"m\textsuperscript{1} &" in tex and "k¹" not in terminal + md
    assert table_file.splitlines()[2].endswith(",on the built-in mini set")
    assert "main,official,m,on the built-in mini set" in table_file
    for text in (terminal, md, tex, html):
        assert text.count("on the built-in mini set") == 1


def test_what_holds_for_every_row_is_said_once_without_numbers() -> None:
    mini = RunRemarks(("on the built-in mini set", "on a subset: --limit 2"))
    table = fill(OVERALL, {"m": run(50), "k": run(40)}, told={"m": mini, "k": mini})
    terminal, md, tex, _, html = everywhere(table)
    for text in (terminal, md, tex, html):
        assert text.count("On the built-in mini set; on a subset: --limit 2") == 1
    assert "¹" not in terminal + md and "textsuperscript" not in tex and html.endswith(" ()")


def test_what_the_same_rows_bear_has_one_number() -> None:
    mini = "on the built-in mini set"
    told = {
        "m": RunRemarks((mini, "on a subset: --limit 2")),
        "k": RunRemarks((mini, "on a subset: --limit 2", "on a subset: genre=诗")),
    }
    terminal, md, *_ = everywhere(fill(OVERALL, {"m": run(50), "k": run(40), "w": run(30)}, told=told))
    for text in (terminal, md):
        assert f"¹ {mini}; on a subset: --limit 2" in text and "² on a subset: genre=诗" in text and "³" not in text
        assert "m¹" in text and "k¹·²" in text and "w¹" not in text


def test_a_row_without_figures_takes_no_note_from_the_others() -> None:
    """A Run of guesses has no costs: its empty row leaves the note one on the table."""
    told = {"m": RunRemarks(("on the built-in mini set",))}
    terminal, *_ = everywhere(fill(OVERALL, {"m": run(50), "none": []}, told=told))
    assert "On the built-in mini set" in terminal and "¹" not in terminal


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"data": "mini"}, "on the built-in mini set, not on the benchmark's data"),
        ({"limit": 2}, "on a subset: --limit 2"),
        ({"filters": {"genre": ("诗",)}}, "on a subset: genre=诗"),
        ({"filters": {"genre": ("诗", "词")}}, "on a subset: genre=诗,词"),
        ({"limit": 2, "filters": {"genre": ("诗",)}}, "on a subset: --limit 2; genre=诗"),
        ({"sample": "small"}, "on the sample small only"),
        ({"items_file": "abc"}, "on a subset: a list of Items (--items)"),
    ],
)
def test_what_less_than_all_was_asked_is_told(what: dict[str, object], said: str, make_run: MakeRun) -> None:
    folder = make_run([item("1")], [response("1")], **{"data": "somewhere", **what})
    score_run(folder)
    (report,) = collect([folder])
    (marks,) = report.marks().values()
    assert marks == (said,)


def test_parts_of_results_made_elsewhere_are_counted() -> None:
    """Two of CMDAR's 1,500 questions scored without a Run folder: the row says so."""
    benchmark = load_benchmark("cmdar")
    own = [figure(50.0, task="cmdar/main", counts={"scored": 2})]
    whole = [figure(50.0, task="cmdar/main", counts={"scored": 1500})]
    marks = Report(benchmark, {"part": {"official": own}, "whole": {"official": whole}}).marks()
    assert marks == {"part": ("on a subset: 2 of the benchmark's 1,500 Units in 1 Task",), "whole": ()}


def test_one_modality_is_no_part_but_several_together_are_told(tmp_path: Path) -> None:
    asked = {"audio": {"modality": ["audio"]}, "all": {"prompts": ["fixed", "mixed"]}}
    runs = [
        api.run("mcif/short/en", "baseline/reference", filters=filters, limit=1, out=tmp_path / name).folder
        for name, filters in asked.items()
    ]
    (report,) = collect(runs)
    assert not any("on a subset: modality" in mark for marks in report.marks().values() for mark in marks)
    one, other = (row.marks for row in report.overview("official").rows)
    assert not any("pooled over" in mark for mark in one)
    assert sum("pooled over" in mark for mark in other) == 2  # modalities, and sets of prompts


def test_a_whole_run_is_not_marked(make_run: MakeRun) -> None:
    folder = make_run([item("1")], [response("1")], data="somewhere")
    score_run(folder)
    assert list(collect([folder])[0].marks().values()) == [()]


def test_every_file_of_a_report_tells_that_a_run_is_of_the_mini_set(tmp_path: Path) -> None:
    folder = api.run("cmdar", "baseline/first", limit=2, out=tmp_path / "run").folder
    said = "on the built-in mini set, not on the benchmark's data"
    made = write_report([folder], to=tmp_path / "out", formats=["csv", "md", "latex"], with_published=True)
    for name in ("main.csv", "scores.csv", "notes.csv", "official.md", "official.tex"):
        (path,) = [path for path in made if path.name == name]
        assert said in path.read_text(encoding="utf-8"), name
    assert said in (folder.tables_path / "main.csv").read_text(encoding="utf-8")


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


def test_models_stand_in_tables_about_their_kind_alone(tmp_path: Path) -> None:
    what = {"limit": 1, "tasks": ["T2"]}
    plain = api.run("mcs_bench", "baseline/first", out=tmp_path / "plain", **what).folder  # type: ignore[arg-type]
    told = api.run(
        "mcs_bench",
        "baseline/longest",
        settings={"group": "slow-thinking", "size": "7B"},
        out=tmp_path / "told",
        **what,
    ).folder  # type: ignore[arg-type]
    read = api.run(
        "mcs_bench", "baseline/constant", conditions=["ocr:from=data", "blind"], out=tmp_path / "read", **what
    ).folder  # type: ignore[arg-type]
    assert told.manifest.about == {"group": "slow-thinking", "size": "7B"}
    assert not {"group", "size"} & set(told.manifest.model_settings)
    (report,) = collect([plain, told, read], with_published=True)
    tables = {table.id: table for table in report.tables("official")}
    own = {name: [row.label for row in table.rows if row.origin == "run"] for name, table in tables.items()}
    assert own["slow-thinking"] == ["baseline/longest"] and "multilingual" not in own
    assert own["direct-translation"] == ["baseline/first", "baseline/longest"]  # the text was given to the third
    assert own["ocr-llm"] == ["baseline/constant"]
    assert [row.about[0] for row in tables["domains"].rows if row.origin == "run"][:2] == ["", "7B"]
    (alone,) = collect([plain])
    assert {"human", "slow-thinking", "english-centric"}.isdisjoint(table.id for table in alone.tables("official"))


def test_a_sample_table_has_its_own_runs_alone(tmp_path: Path) -> None:
    runs = [
        api.run(
            "xmodbench", "baseline/first", tasks=["perception/general"], limit=1, sample=sample, out=tmp_path / name
        )
        for name, sample in (("whole", ""), ("lite", "paper-lite"))
    ]
    (report,) = collect([run.folder for run in runs])
    lite = next(table for table in report.tables("official") if table.id == "paper-lite")
    assert len(lite.rows) == 1 and any("sample paper-lite" in mark for mark in lite.rows[0].marks)


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
