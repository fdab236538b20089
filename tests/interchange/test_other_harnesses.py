"""Logs of EvalScope, VLMEvalKit, HELM and OpenCompass: read right, and audited with planted faults."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from math import sqrt
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from triptych.audit.results.random_answers import reads_nothing
from triptych.errors import DataError
from triptych.interchange.audit_logs import audit_results
from triptych.interchange.exports import import_log
from triptych.interchange.inspect_scores import inspect_figures
from triptych.interchange.logs import find_logs, read_log
from triptych.interchange.table_rows import table_rows
from triptych.records import Finding
from triptych.records.checked import Audited
from triptych.records.log_figures import LogFigure
from triptych.scoring.runs import score_run
from triptych.store.log_figures import read_log_figures, write_log_figures

Maker = Callable[[Path], Path]
MAKERS: dict[str, Maker] = {
    "evalscope": lambda place: make.evalscope(place),
    "vlmevalkit xlsx": lambda place: make.vlmevalkit(place / "m" / "m_Toy_openai_result.xlsx"),
    "vlmevalkit tsv": lambda place: make.vlmevalkit(place / "m" / "m_Toy.tsv"),
    "vlmevalkit json": lambda place: make.vlmevalkit(place / "m" / "m_Toy.json"),
    "helm": lambda place: make.helm(place / "toy,model=org_m"),
    "opencompass": lambda place: make.opencompass(place / "20260101_000000"),
}


def published(place: Path) -> Path:
    """Predictions of OpenCompass as LawBench publishes them: one folder deeper, references as `refr`, no results."""
    rows = {
        str(n): {
            "origin_prompt": [{"role": "HUMAN", "prompt": f"问题{n}"}],
            "prediction": f"[正确答案]{'AB'[n % 2]}<eoa>",
            "refr": "正确答案：A。",
        }
        for n in range(6)
    }
    for model in ("gpt-x", "glm-y"):
        folder = place / "predictions" / "one_shot" / model
        folder.mkdir(parents=True)
        for task in ("1-1", "1-2"):
            (folder / f"{task}.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return place


def test_predictions_of_opencompass_are_found_in_whatever_folder_they_were_published(tmp_path: Path) -> None:
    logs = find_logs(published(tmp_path))
    assert [log.name for log in logs] == ["glm-y", "gpt-x"]
    samples = list(read_log(logs[1]).samples)
    assert [(one.task, one.id) for one in samples[:2]] == [("1-1", "0"), ("1-1", "1")] and len(samples) == 12
    assert samples[1].reply == "[正确答案]B<eoa>" and samples[1].target == ("正确答案：A。",)
    assert samples[1].question == "问题1"
    found = audit_results([tmp_path])
    assert "2 Runs, 24 replies" in found.verdict


def told(found: Audited, *leave_out: str) -> list[Finding]:
    return [f for f in found if f.severity != "note" and f.kind not in leave_out]


@pytest.mark.parametrize("name", MAKERS)
def test_a_log_becomes_a_run_with_every_reply_target_and_score(name: str, tmp_path: Path) -> None:
    folder = import_log(MAKERS[name](tmp_path / "log"), tmp_path / "run")
    items, responses = list(folder.items()), list(folder.responses())
    assert len(items) == len(responses) == 20 and {r.status for r in responses} == {"answered"}
    assert folder.manifest.model_settings["harness"] == name.split()[0]
    by_id = {response.item: response for response in responses}
    for item in items:
        number = int(item.id.rpartition("/")[2].removeprefix("id"))
        assert f"q{number}" in item.parts[0].text and item.targets == (make.key(number),)
        assert make.right_until(15)(number) in by_id[item.id].text
    official = score_run(folder)["official"]
    assert [figure.value for figure in official if figure.task == "imported"] == [75.0]
    standard = [figure.value for figure in score_run(folder)["standard"] if figure.task == "imported"]
    assert standard == [75.0], "the replies say the same"


@pytest.mark.parametrize("name", MAKERS)
def test_a_true_log_has_no_finding_but_its_size(name: str, tmp_path: Path) -> None:
    found = audit_results([MAKERS[name](tmp_path / "log")])
    assert not told(found), [f.message for f in told(found)]
    assert (
        found.verdict == "1 Run, 20 replies: 1 of 1 stated figure follows from the samples; nothing severe was found."
    )


@pytest.mark.parametrize(
    ("log", "value"),
    [
        (lambda place: make.evalscope(place, score=0.8), 0.8),
        (lambda place: make.vlmevalkit(place / "m_Toy.xlsx", overall=0.8), 0.8),
        (lambda place: make.helm(place, stated=0.8), 0.8),
        (lambda place: make.opencompass(place, stated=80.0), 80.0),
        (lambda place: make.lm_eval(place, [1.0, 0.0, 1.0, 1.0] * 5, sqrt(0.1875 / 19), 0.8), 0.8),
    ],
)
def test_an_aggregate_that_its_items_do_not_give(log: Maker, value: float, tmp_path: Path) -> None:
    (found,) = (f for f in audit_results([log(tmp_path / "log")]) if f.kind == "score")
    scale = 100 if value > 1 else 1
    assert (found.severity, found.published, found.recomputed) == ("severe", value, 0.75 * scale)
    assert found.terms == ("stated", "recomputed") and str(tmp_path / "log") in str(found.file)


def test_standard_errors_are_recomputed_and_zero_is_not_certainty(tmp_path: Path) -> None:
    scores = [1.0, 0.0, 1.0, 1.0] * 25
    true = sqrt(0.1875 / 99)
    assert not told(audit_results([make.lm_eval(tmp_path / "true", scores, true)]))
    (found,) = told(audit_results([make.lm_eval(tmp_path / "small", scores, true / 10)]))
    assert (found.kind, found.severity) == ("score", "severe") and found.recomputed == round(true, 6)
    assert "too narrow" in found.effect
    (found,) = told(audit_results([make.lm_eval(tmp_path / "zero", [1.0] * 100, 0.0)]))
    assert found.severity == "warning" and "standard error of 0 for acc = 1" in found.message
    assert found.recomputed == "3 points"  # 1 - 0.05 ** (1 / 100): the exact bound, near 3 / n
    assert not told(audit_results([make.lm_eval(tmp_path / "none", [1.0] * 100, "N/A")]))


def test_answers_drawn_at_random_are_counted(tmp_path: Path) -> None:
    replies = [make.key(n) if n >= 37 else "It sounds like a barking animal" for n in range(1000)]
    found = audit_results([make.lmms_mmau(tmp_path / "log", replies)])
    (drawn,) = (f for f in found if f.kind == "drawn")
    assert "of 1,000 answers, 37 were a random option" in drawn.message and drawn.severity == "warning"
    by_chance = sum(make.key(n) == "A" for n in range(37))
    assert (drawn.published, drawn.recomputed) == ((963 + by_chance) / 10, 96.3)
    assert drawn.terms == ("as scored", "if they count as wrong")
    assert "37 answers were drawn at random" in found.verdict
    assert "1 of 1 stated figure follows" in found.verdict, "the figure is the mean in percent"
    empty = audit_results([make.lmms_mmau(tmp_path / "empty", ["" if n < 5 else make.key(n) for n in range(100)])])
    assert "5 of these replies are empty" in next(f.message for f in empty if f.kind == "drawn")


def test_answers_that_vlmevalkit_drew_are_counted(tmp_path: Path) -> None:
    found = audit_results([make.vlmevalkit(tmp_path / "m_Toy.xlsx", n=100, right=90, drawn=12)])
    (drawn,) = (f for f in found if f.kind == "drawn")
    assert "of 100 answers, 12 were a random option" in drawn.message and drawn.severity == "warning"


@pytest.mark.parametrize(
    ("reply", "spaced", "texts", "nothing"),
    [
        ("(B)", False, True, False),
        ("B", False, True, False),
        ("B. a dog", False, True, False),
        ("the dog", False, True, True),
        ("I am sure that it is a dog", False, True, False),
        ("I am sure that it is a dog", True, False, True),
        ("", False, True, True),
        ("HTML is", False, True, True),
        ("it is plan B then", True, False, False),
        ("NASA did", False, True, False),  # "A " inside a word counts for the tasks that need no space before it
        ("NASA did", True, False, True),
    ],
)
def test_when_the_parsers_read_nothing(reply: str, spaced: bool, texts: bool, nothing: bool) -> None:
    """Worked out by hand from the steps of the five tasks' parsers."""
    options = {"A": "cat", "B": "dog", "C": "bird", "D": "fish"}
    assert reads_nothing(reply, options, spaced=spaced, texts=texts) is nothing


def test_samples_that_vanished_are_counted(tmp_path: Path) -> None:
    log = make.evalscope(tmp_path / "log", n=40, right=30)
    file = log / "reviews" / "m" / "toy_default.jsonl"
    rows = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join(rows[:3] + rows[5:]) + "\n", encoding="utf-8")
    messages = [f.message for f in audit_results([log])]
    assert any("2 samples up to 39 are not in the log: 3, 4" in message for message in messages)
    assert any("the log states 40" in message for message in messages)
    part = make.lmms_mmau(
        tmp_path / "part",
        [make.key(n) for n in range(50)],
        **{"n-samples": {"mmau_test_mini": {"original": 1000, "effective": 50}}},
    )
    assert any("50 of the data set's 1,000 samples" in f.message for f in audit_results([part]))


def test_another_model_than_the_one_named(tmp_path: Path) -> None:
    (found,) = told(audit_results([make.evalscope(tmp_path / "a", model="gpt-4o", served="qwen3-max")]))
    assert (found.kind, found.severity) == ("served", "severe") and "qwen3-max (20 replies)" in found.message
    same = make.evalscope(tmp_path / "b", model="claude-sonnet-4-0", served="claude-sonnet-4-20250514")
    assert not told(audit_results([same]))


def test_the_same_reply_to_most_questions(tmp_path: Path) -> None:
    log = make.lmms_mmau(tmp_path / "log", ["B"] * 90 + [make.key(n) for n in range(90, 100)])
    (found,) = (f for f in audit_results([log]) if f.kind == "constant")
    assert "93 of 100" in found.message and found.terms == ("score", "always this reply")


def test_a_malformed_log_is_a_finding_and_the_others_are_audited(tmp_path: Path) -> None:
    make.evalscope(tmp_path / "good")
    make.helm(tmp_path / "bad")
    (tmp_path / "bad" / "scenario_state.json").write_text("{", encoding="utf-8")
    found = audit_results([tmp_path])
    (malformed,) = (f for f in found if f.kind == "malformed")
    assert str(malformed.file) == str(tmp_path / "bad") and "1 file can't be read" in found.verdict
    assert "20 replies" in found.verdict
    with pytest.raises(DataError):
        audit_results([tmp_path / "bad"])


def test_a_folder_of_several_models_is_audited_and_not_guessed_for_import(tmp_path: Path) -> None:
    for model in ("a", "b"):
        make.evalscope(tmp_path, model=model)
    assert [log.name for log in find_logs(tmp_path)] == ["a", "b"]
    assert "2 Runs, 40 replies: 2 of 2 stated figures follow" in audit_results([tmp_path]).verdict
    with pytest.raises(DataError, match="several models"):
        read_log(tmp_path)


def test_a_workbook_from_outside_is_read_with_bounds(tmp_path: Path) -> None:
    path = tmp_path / "m_Toy.xlsx"
    make.workbook(path, [["index", "prediction", "note"], [1, "a & b", "x"], [2, "", ""]])
    rows = [row for _, row in table_rows(path)]
    assert rows == [{"index": "1", "prediction": "a & b", "note": "x"}, {"index": "2", "prediction": "", "note": ""}]
    cell = '<row><c t="inlineStr"><is><t>&b;</t></is></c></row>'
    bomb = f'<!DOCTYPE a [<!ENTITY b "cc">]><worksheet><sheetData>{cell}</sheetData></worksheet>'
    for name, sheet in (
        ("doctype", bomb),
        ("wide", "<worksheet><sheetData>" + '<row><c r="XFD1"/></row>' * 400 + "</sheetData></worksheet>"),
        ("broken", "<worksheet><sheetData><row>"),
    ):
        with zipfile.ZipFile(tmp_path / f"{name}.xlsx", "w") as book:
            book.writestr("xl/worksheets/sheet1.xml", sheet)
        with pytest.raises(DataError):
            list(table_rows(tmp_path / f"{name}.xlsx"))


@pytest.mark.parametrize("content", ["[]", "[1]", '{"a": 1}', "not json", '[{"index": 1}]'])
def test_a_json_file_that_is_no_log_is_refused_by_import(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError):
        import_log(path, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_question_in_a_table_is_text_and_nothing_else(tmp_path: Path) -> None:
    """A row whose cells look like formulas or markup stays what it is."""
    path = tmp_path / "m_Toy.json"
    row = {"index": 1, "question": "=HYPERLINK(1)", "answer": "A", "A": "<b>", "B": "y", "prediction": "A", "hit": 1}
    path.write_text(json.dumps([row]), encoding="utf-8")
    (item,) = import_log(path, tmp_path / "run").items()
    assert item.parts[0].text == "=HYPERLINK(1)" and item.option_words()[0] == "<b>"


def test_figures_that_are_not_numbers_are_kept_as_such(tmp_path: Path) -> None:
    """JSON has no NaN: it is written as null, and is read again as a figure without a value."""
    header = {"results": {"scores": [{"name": "match", "metrics": {"accuracy": {"value": float("nan")}}}]}}
    (figure,) = inspect_figures(header, "t")
    assert (figure.metric, figure.value) == ("match", None)
    write_log_figures(tmp_path, [figure, LogFigure("t", "f1", float("nan"))])
    assert [one.value for one in read_log_figures(tmp_path)] == [None, None]
