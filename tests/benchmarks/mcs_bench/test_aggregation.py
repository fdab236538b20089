"""The paper's scores: from hand-made numbers, against plain loops, and from the paper's own per-task tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import triptych
from tests.benchmarks.mcs_bench.rows_for_tests import CHOICE, OCR, write
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcs_bench.aggregation import DOMAINS, aggregate, summarise
from triptych.benchmarks.mcs_bench.rows import tasks
from triptych.errors import DataError
from triptych.protocols.protocol import Cell
from triptych.reports.tables.published import load_published

MCS = load_benchmark("mcs_bench")
PUBLISHED = load_published(MCS.folder)
COMPLETE = {"ACT": "T15", "CAL": "T16", "PAI": "T17", "OBS": "T18", "SEA": "T19", "REL": "T20"}


def test_45_tasks_22_of_them_multiple_choice_6500_questions() -> None:
    assert len(tasks()) == 45
    assert sum(t.facets["format"] == "MCQ" for t in tasks().values()) == 22
    assert sum(t.count or 0 for t in tasks().values()) == 6500
    assert all((t.answer == "letter") == (t.facets["format"] == "MCQ") for t in tasks().values())
    assert [sum(t.facets["domain"] == d for t in tasks().values()) for d in DOMAINS] == [7, 8, 12, 2, 2, 5, 9]


@pytest.mark.parametrize("model", sorted(PUBLISHED["T15"]))
def test_domains_follow_from_the_papers_per_task_tables(model: str) -> None:
    """Table 3's domains are the unweighted means of Tables 15 to 20; MCQ and QA of a domain too."""
    scores = np.full(45, np.nan)
    for table in COMPLETE.values():
        for task, value in PUBLISHED[table][model].items():
            if f"mcs_bench/{task}" in tasks() and value is not None:
                scores[list(tasks()).index(f"mcs_bench/{task}")] = value
    summary = summarise(scores)
    for number, domain in enumerate(DOMAINS[:6]):
        printed = PUBLISHED["T3"][model][domain]
        assert summary.domain[number] == pytest.approx(printed, abs=0.011), (model, domain)
        for column, form in enumerate(("MCQ", "QA")):
            theirs = PUBLISHED[COMPLETE[domain]][model].get(form)
            if theirs is not None:
                assert summary.domain_format[number, column] == pytest.approx(theirs, abs=0.011), (model, domain, form)


@pytest.mark.parametrize("model", sorted(PUBLISHED["T3"].keys() - {"Average"}))
def test_overall_is_the_mean_of_the_seven_domains(model: str) -> None:
    row = PUBLISHED["T3"][model]
    assert np.mean([row[d] for d in DOMAINS]) == pytest.approx(row["OverAll"], abs=0.011)


def test_table_4_is_the_mean_of_six_tasks() -> None:
    for model, row in PUBLISHED["T4"].items():
        for metric in ("CR", "F1"):
            mean = np.mean([row[f"T{n}|{metric}"] for n in (1, 8, 26, 28, 30, 37)])
            assert mean == pytest.approx(row[f"OverAll|{metric}"], abs=0.011), model


def test_against_plain_loops_and_with_a_replicate_axis() -> None:
    rng = np.random.default_rng(0)
    scores = rng.uniform(0, 100, (3, 45))
    summary = summarise(scores)
    listed = [t.facets for t in tasks().values()]
    for replicate in range(3):
        domains, formats = [], {"MCQ": [], "QA": []}  # type: ignore[var-annotated]
        for domain in DOMAINS:
            own = [n for n, f in enumerate(listed) if f["domain"] == domain]
            domains.append(sum(scores[replicate, n] for n in own) / len(own))
            for form, values in formats.items():
                if some := [n for n in own if listed[n]["format"] == form]:
                    values.append(sum(scores[replicate, n] for n in some) / len(some))
        assert len(formats["MCQ"]) == 6
        assert summary.overall[replicate] == pytest.approx(sum(domains) / 7)
        assert summary.format[replicate] == pytest.approx([np.mean(formats["MCQ"]), np.mean(formats["QA"])])


def test_what_is_unavailable_stays_out_and_is_told_by_its_cells() -> None:
    cells = [Cell("mcs_bench/T5", "acc"), Cell("mcs_bench/T6", "open_qa"), Cell("mcs_bench/T6", "anls")]
    sums = np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 1.0]])
    with np.errstate(invalid="ignore"):
        found = {(f.task, f.metric, tuple(f.slice.items())): f for f in aggregate(cells, sums)}
    overall = found["mcs_bench", "score", ()]
    assert (float(overall.value), overall.cells, overall.expected) == (50.0, (0, 1), 45)
    assert float(found["mcs_bench", "score", (("domain", "ACT"),)].value) == 50.0
    assert np.isnan(found["mcs_bench/T6", "open_qa", ()].value)
    assert ("mcs_bench", "score", (("domain", "CAL"),)) not in found


def test_a_protocols_own_rule_for_the_main_metric_counts_as_main() -> None:
    (score,) = [
        f
        for f in aggregate([Cell("mcs_bench/T6", "open_qa.paper")], np.array([[3.0, 4.0]]))
        if f.metric == "score" and not f.slice
    ]
    assert float(score.value) == 75.0


def test_results_carry_their_own_questions(tmp_path: Path) -> None:
    path = write(
        tmp_path, {**OCR, "Response": "學而"}, {**CHOICE, "Response": None}, {**CHOICE, "ID": 8}, name="out.json"
    )
    outputs = MCS.outputs([path])
    assert {k: r.status for k, r in outputs.responses.items()} == {
        "mcs_bench/T1/1": "answered",
        "mcs_bench/T36/7": "failed",
        "mcs_bench/T36/8": "failed",
    }
    assert outputs.items["mcs_bench/T36/7"].target == "B"
    assert "2 of 3" in outputs.notes[0]
    scores = triptych.score("mcs_bench", predictions=[path])
    assert next(a for a in scores["official"] if (a.task, a.metric) == ("mcs_bench/T1", "cr")).value == 40.0


def test_results_without_questions_need_the_data(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", OCR, {**OCR, "ID": 2})
    bare = write(tmp_path, {"ID": 1, "Task_ID": 1, "Response": "学而时习之"}, name="out.json")
    with pytest.raises(DataError):
        triptych.score("mcs_bench", predictions=[bare])
    scores = triptych.score("mcs_bench", predictions=[bare], data=tmp_path / "data")
    figure = next(a for a in scores["official"] if (a.task, a.metric) == ("mcs_bench/T1", "cr"))
    assert (figure.value, figure.counts) == (50.0, {"scored": 1, "missing": 1})
