"""Tests of `benchmarks/questions`: harness task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("yaml", reason="PyYAML is not installed (pip install pyyaml)")
pytest.importorskip("jinja2", reason="jinja2 is not installed (pip install jinja2)")

from tests.benchmarks.questions.test_items_released_columns import files, written
from triptych.benchmarks import own_questions
from triptych.benchmarks._questions import harness_task
from triptych.benchmarks._questions.harness_task import _filled
from triptych.errors import DataError, SpecError
from triptych.records import Item

ARC = """
task: arc_easy
dataset_path: data
output_type: multiple_choice
test_split: test
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_target: "{{choices.label.index(answerKey)}}"
doc_to_choice: "{{choices.text}}"
metric_list:
  - metric: acc
"""
MMLU = """
dataset_path: data
test_split: test
doc_to_text: |-
  {{question.strip()}}
  A. {{choices[0]}}
  B. {{choices[1]}}
  C. {{choices[2]}}
  D. {{choices[3]}}
  Answer:
doc_to_choice: ["A", "B", "C", "D"]
doc_to_target: answer
"""
LMMS = """
include: _default_template_yaml
task: "mmau_test_mini"
test_split: test_mini
metric_list:
  - metric: accuracy
    aggregation: !function utils.mmau_aggregate_results
"""
LMMS_BASE = """
dataset_path: data
doc_to_visual: !function utils.mmau_doc_to_audio
doc_to_text: !function utils.mmau_doc_to_text
doc_to_target: "answer"
generation_kwargs: {max_new_tokens: 16}
"""


def task(
    tmp_path: Path, yaml: str, rows: list[dict[str, Any]], split: str = "test", name: str = "t.yaml"
) -> list[Item]:
    (tmp_path / "data").mkdir(exist_ok=True)
    written(tmp_path / "data", f"{split}.jsonl", rows, [r["audio"] for r in rows if "audio" in r])
    (tmp_path / name.partition("#")[0]).write_text(yaml)
    return opened(tmp_path / name)


def opened(path: Path) -> list[Item]:
    bench = own_questions(str(path))
    assert bench is not None and bench.home is not None
    return list(bench.items(bench.home))


def question(item: Item) -> str:
    return next(part.text for part in item.parts if part.role == "question")


def test_templates_of_lm_eval(tmp_path: Path) -> None:
    rows = [
        {
            "id": str(n),
            "question": "Which barks?",
            "answerKey": key,
            "choices": {"text": ["dog", "cat"], "label": ["1", "2"]},
        }
        for n, key in enumerate("12")
    ]
    one, two = task(tmp_path, ARC, rows)
    assert (one.target, two.target) == ("A", "B") and one.option_texts() == ("dog", "cat")
    assert question(one) == "Question: Which barks?", "the cue of a completion is not a part of the question"


def test_options_that_the_question_lists(tmp_path: Path) -> None:
    rows = [{"question": " How many?\nCount. ", "choices": ["one", "two", "3", "4"], "answer": 2}]
    (item,) = task(tmp_path, MMLU, rows)
    assert question(item) == "How many?\nCount." and item.option_texts() == ("one", "two", "3", "4")
    assert item.target == "C", "an index counts from 0, also if another option's text is the number"


def test_python_code_is_not_run_and_columns_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "utils.py").write_text("raise SystemExit('run')")
    (tmp_path / "_default_template_yaml").write_text(LMMS_BASE)
    rows = [{"id": "a", "audio": "x.wav", "question": "What?", "choices": "(A) dog (B) cat", "answer": "(B) cat"}]
    rows[0]["choices"] = ["dog", "cat"]  # type: ignore[assignment]
    rows[0]["answer"] = "cat"
    (item,) = task(tmp_path, LMMS, rows, split="test_mini", name="mmau_test_mini.yaml")
    assert item.target == "B" and files(item) == [("audio", "x.wav")]
    bench = own_questions(str(tmp_path / "mmau_test_mini.yaml"))
    assert bench is not None and bench.name == "own-mmau_test_mini"
    notes = "\n".join(bench.mapping_lines(bench.home))  # type: ignore[arg-type]
    assert "utils.mmau_doc_to_text" in notes and "not run" in notes and "metric_list" in notes


EVAL = """
name: Set
evaluation_framework: inspect-ai
tasks:
  - id: set
    config: default
    split: test
    field_spec: {input: prompt_text, target: correct, choices: [first, second]}
    solvers: [{name: multiple_choice}]
    scorers: [{name: choice}]
"""


def test_eval_yaml_of_the_hub(tmp_path: Path) -> None:
    rows = [{"prompt_text": "Which?", "correct": n, "first": "x", "second": "y", "answer": "no"} for n in (0, 1)]
    written(tmp_path, "test.jsonl", rows)
    (tmp_path / "eval.yaml").write_text(EVAL)
    for path in (tmp_path / "eval.yaml", tmp_path, tmp_path / "eval.yaml#set"):
        bench = own_questions(str(path) + ("/" if path == tmp_path else ""))
        assert bench is not None and bench.home is not None
        assert [item.target for item in bench.items(bench.home)] == ["A", "B"]
    with pytest.raises(SpecError, match="no task 'other'"):
        own_questions(f"{tmp_path}/eval.yaml#other")
    literal = EVAL.replace("target: correct", "target: 'literal:B'")
    (tmp_path / "eval.yaml").write_text(literal)
    assert [item.target for item in opened(tmp_path / "eval.yaml")] == ["B", "B"]


@pytest.mark.parametrize(
    ("yaml", "fault"),
    [
        ("a: [", "can't be read"),
        ("a: &x [1]\nb: [*x, *x]", "can't be read"),
        ("- 1", "no fields"),
        ("a: 1", "not a task"),
        ("include: ../../../etc/passwd\ndataset_path: data", "outside its folder"),
        ("include: t.yaml\ndataset_path: data", "include each other"),
        ("dataset_path: arc", "no organisation"),
        ("dataset_path: json\ndataset_kwargs: {data_files: https://x/y.json}", "address"),
        ("tasks:\n  - id: a\n  - id: b", "several tasks"),
        ("tasks:\n  - id: a", "names no columns"),
        ("a: !!python/object/apply:os.system [echo]", "can't be read"),
    ],
)
def test_files_that_are_no_task(tmp_path: Path, yaml: str, fault: str) -> None:
    (tmp_path / "t.yaml").write_text(yaml)
    with pytest.raises(SpecError, match=fault):
        own_questions(str(tmp_path / "t.yaml"))


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'a' * 100000000 }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ 'a'.ljust(1000000000) }}",
        "{% for a in q %}{% endfor %}",
        "{{ '{:>999999999}'.format(1) }}",
        "{{ range(10) }}",
        "{{ 9 ** 9 }}",
        "{{ q|center(1000000000) }}",
        "{{ missing }}",
        "{% include 'x' %}",
        "{%- macro m() %}{% endmacro %}",
        "{% set a = q ~ q %}{{ a ~ a }}",
        "{{ q" + "|replace('', 'aaaaaaaaaa')" * 6 + " }}",
        "{{ q" + ".replace('', 'aaaaaaaaaa')" * 6 + " }}",
        "{{ 'ab'" + "|join('aaaaaaaaaa')" * 6 + " }}",
        "{{ 'aaaaaaaaaa'.join('aaaaaaaaaa'.join('aaaaaaaaaa'.join('aaaaaaaaaa'.join('aaaaaaaaaa'.join('abcdefghij'"
        ".replace('', 'aaaaaaaaaa')))))) }}",
        "{{ q.translate({81: 'aaaaaaaaaa'}) }}",
        "{{ q" + "|list|string" * 10 + " }}",
        "{{ q" + "|tojson" * 22 + " }}",
    ],
)
def test_templates_can_do_nothing_else(template: str) -> None:
    with pytest.raises(Exception, match=r"allowed|unsafe|undefined|No filter"):
        str(_filled(template, {"q": "Q"}))


@pytest.mark.parametrize(
    ("template", "filled"),
    [
        ("{% if q %}{{ q }}{% else %}none{% endif %}", "Q"),
        ("{%- if n > 2 -%} many {%-elif n%} few {%+ endif %}", "many"),
        ("{{ q.replace('Q', 'R') }}, {{ q|replace('Q', 'S') }}", "R, S"),
        ("{{ 'aaa'|replace('a', 'b', 2) }}{{ 'aaa'.replace('a', 'c', 1) }}", "bbacaa"),
        ("{{ options|join(', ') }}; {{ '/'.join(options) }}; {{ rows|join('+', attribute='t') }}", "x, y; x/y; 1+2"),
    ],
)
def test_what_templates_can_do(template: str, filled: str) -> None:
    cells = {"q": "Q", "n": 3, "options": ["x", "y"], "rows": [{"t": 1}, {"t": 2}]}
    assert _filled(template, cells) == filled


NUMBERS = """
dataset_path: data
test_split: test
doc_to_text: question
doc_to_target: "{{gold}}"
doc_to_choice: "{{choices}}"
"""


def test_digits_of_a_filled_template_are_a_place(tmp_path: Path) -> None:
    """lm-eval: a template that is filled with digits is an index from 0 if there are choices."""
    rows = [{"question": "How many?", "choices": ["1", "2", "3"], "gold": gold} for gold in ("1", 2, "0")]
    assert [item.target for item in task(tmp_path, NUMBERS, rows)] == ["B", "C", "A"]
    rows = [{"question": "How many?", "choices": ["1", "2", "3"], "gold": "1"}]
    (item,) = task(tmp_path, NUMBERS.replace('"{{gold}}"', "gold"), rows)
    assert item.target == "A", "a column's text is an option"


@pytest.mark.parametrize(
    ("yaml", "fault"),
    [
        ("doc_to_text: question\ndoc_to_target: '{{anwser}}'", "'anwser' is undefined"),
        ("doc_to_text: quesiton\ndoc_to_target: answer", "no column 'quesiton'"),
        ("doc_to_text: question\ndoc_to_target: answer\ndoc_to_choice: answer", "the options are not a list"),
        ("doc_to_text: question\ndoc_to_target: answer\ndoc_to_choice: [A, B]", "lists no texts"),
    ],
)
def test_faults_of_templates_name_the_file_and_the_row(tmp_path: Path, yaml: str, fault: str) -> None:
    rows = [{"question": "Who?", "answer": "x"}]
    with pytest.raises(DataError, match=fault) as refused:
        task(tmp_path, f"dataset_path: data\ntest_split: test\n{yaml}", rows)
    assert f"{tmp_path / 't.yaml'}, line 1" in str(refused.value)


def test_a_missing_package_stays_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(template: str) -> None:
        raise SpecError("templates of tasks need the package jinja2", fix="pip install jinja2")

    monkeypatch.setattr(harness_task, "_compiled", missing)
    with pytest.raises(SpecError, match="need the package jinja2"):
        task(tmp_path, NUMBERS, [{"question": "How many?", "choices": ["1", "2"], "gold": 1}])


@pytest.mark.parametrize(
    "data", ["dataset_path: ../../other", "dataset_path: json\ndataset_kwargs: {data_files: ../../other/test.jsonl}"]
)
def test_data_outside_the_folder_of_a_task(tmp_path: Path, data: str) -> None:
    rest = "\ntest_split: test\ndoc_to_text: question\ndoc_to_target: answer"
    folder = tmp_path / "tasks" / "one"
    for place in (folder, tmp_path / "other", tmp_path / "tasks" / "near"):
        place.mkdir(parents=True)
    for place in (tmp_path / "other", tmp_path / "tasks" / "near"):
        written(place, "test.jsonl", [{"question": "Who?", "answer": "x"}])
    (folder / "t.yaml").write_text(data + rest)
    with pytest.raises(SpecError, match="outside its folder"):
        own_questions(str(folder / "t.yaml"))
    (folder / "t.yaml").write_text(data.replace("../../other", "../near") + rest)
    assert len(opened(folder / "t.yaml")) == 1
    (folder / "t.yaml").write_text(data.replace("../..", str(tmp_path)) + rest)
    bench = own_questions(str(folder / "t.yaml"))
    assert bench is not None and bench.home is not None and len(list(bench.items(bench.home))) == 1
    assert any("outside the folder of the task" in line for line in bench.mapping_lines(bench.home))  # type: ignore[attr-defined]


def test_a_template_that_cannot_be_filled_names_the_row(tmp_path: Path) -> None:
    rows = [{"question": "a", "choices": {"text": ["x"], "label": ["1"]}, "answerKey": "9"}]
    with pytest.raises(DataError, match="can't be filled") as refused:
        task(tmp_path, ARC, rows)
    assert "line 1" in str(refused.value)
