"""Tests of `reports/report.py`: reports over Runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych import api
from triptych.reports.report import collect, write_report
from triptych.scoring.runs import score_run


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
