"""What is written: CSV that reads back exactly, Markdown that renders, and which tables a Run gets."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.scoring.conftest import MakeRun
from tests.scoring.toy import item, response
from triptych import api
from triptych.errors import SpecError
from triptych.records import Item, Response
from triptych.reports.report import show_run, write_report, write_tables
from triptych.scoring.runs import score_run


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


ITEMS = [item("1", facets={"genre": "诗"}), item("2", facets={"genre": "词"}), item("3", task="b", facets={})]
RESPONSES = [response("1"), response("2", "B"), response("3", "", "failed")]


def test_a_run_writes_its_tables(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    written = write_tables(folder, score_run(folder))
    names = sorted(p.name for p in written)
    assert names == ["main.csv", "notes.csv", "scores.csv"]  # no table of nothing, no sample's
    rows = read((folder.tables_path / "main.csv").read_text(encoding="utf-8"))
    assert [(row["protocol"], row["诗"], row["词"]) for row in rows] == [
        ("official", "100.0", "0.0"),
        ("standard", "100.0", "0.0"),
    ]


def test_a_samples_table_is_shown_for_runs_of_the_sample(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES, sample="lite")
    assert "lite.csv" in {p.name for p in write_tables(folder, score_run(folder))}


def test_reports_over_runs_score_what_is_not_up_to_date(make_run: MakeRun, tmp_path: Path) -> None:
    one, two = make_run(ITEMS, RESPONSES, "one"), make_run(ITEMS, [response("1", "B")], "two")
    written = write_report([one, two], to=tmp_path / "out", formats=["csv", "md"])
    tables = {"scores.csv", "notes.csv", "main.csv"}
    assert {p.name for p in written} == tables | {"official.md", "standard.md", "analyses.md"}
    text = (tmp_path / "out" / "standard.md").read_text(encoding="utf-8")
    assert "replay/x [one]" in text and "replay/x [two]" in text
    assert one.summary_path.exists()
    with two.writer() as writer:
        writer.add_response(Response("1", "", 0, "answered", "A"))
    write_report([two], to=tmp_path / "again", formats=["csv"], protocol="standard")
    (row,) = read((tmp_path / "again" / "main.csv").read_text(encoding="utf-8"))
    assert (row["protocol"], row["诗"]) == ("standard", "100.0")


def test_runs_with_several_prompts_stand_beside_each_other(make_run: MakeRun, tmp_path: Path) -> None:
    runs = [
        make_run(ITEMS[:1], [response("1", reply)], prompt, prompt=prompt)
        for prompt, reply in (("v1", "A"), ("other+v2", "B"))
    ]
    written = write_report(runs, to=tmp_path, formats=["csv"])
    (row, _) = read((tmp_path / "prompts.csv").read_text(encoding="utf-8"))
    assert (row["run"], row["v1"], row["v2"]) == ("replay/x", "100.0", "0.0")
    labels = {row["run"] for row in read((tmp_path / "scores.csv").read_text(encoding="utf-8"))}
    assert labels == {"replay/x [v1]", "replay/x [other+v2]"}
    assert "prompts.csv" not in {p.name for p in write_report(runs[:1], to=tmp_path / "one", formats=["csv"])}
    assert len(written) == 4


def test_the_terminal_shows_overview_totals_notes_and_signature(
    make_run: MakeRun, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    folder = make_run(ITEMS, RESPONSES, planned=9)
    show_run(folder, score_run(folder))
    text = capsys.readouterr().out
    for part in (
        "Toy: overview",
        "Totals under every protocol",
        "unfinished: in the data 9, asked 3; the 6 Requests not asked yet",
        "signature: bench:toy@1",
        "1 failed",
    ):
        assert part in text, part


def test_unknown_formats_and_no_runs_are_refused(make_run: MakeRun) -> None:
    folder = make_run(ITEMS, RESPONSES)
    with pytest.raises(SpecError, match="did you mean 'csv'"):
        write_report([folder], formats=["cvs"])
    with pytest.raises(SpecError, match="no protocol"):
        write_report([folder], formats=["csv"], protocol="paper")
    with pytest.raises(SpecError, match="no Run was given"):
        write_report([])


def test_items_without_facets_are_in_the_total(make_run: MakeRun) -> None:
    bare: list[Item] = [item("1"), item("2")]
    folder = make_run(bare, [response("1"), response("2")])
    assert score_run(folder)["standard"][-1].units == 2


def test_no_file_is_written_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    folders = [
        api.run("cmdar", f"baseline/{name}", out=tmp_path / name, limit=2).folder for name in ("random", "first")
    ]
    written = write_report(folders, to=tmp_path, formats=["md", "svg"])
    drawn = [path.name for path in written if "kinds-of-error" in path.name]
    assert drawn == [f"cmdar-error-kinds-kinds-of-error.{kind}" for kind in ("svg", "tex", "csv")]
    assert len(written) == len(set(written))
