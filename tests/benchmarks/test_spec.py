"""A specification is read strictly: what is unknown, doubled or missing is refused with file, line and a hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.benchmarks.spec_file import load_spec
from triptych.errors import SpecError
from triptych.metrics.metric import known_metrics
from triptych.prompts.build import check_template

GOOD = """\
name = "toy"
title = "Toy"
version = "1"
summary = "two tasks"
licence = "CC0"
languages = ["en"]
prompt = "plain"
protocols = ["official"]
tasks = [
  { id = "a/x", answer = "letter", metrics = ["acc"] },
  { id = "a/y", answer = "letter", metrics = ["acc"] },
  { id = "b/x", answer = "text", metrics = ["acc"] },
]

[citation]
title = "Toys"
authors = "A. Author"
year = 2025

[prompts.plain]
content = ["{question}"]
source = "ours"
"""


def write(folder: Path, words: str) -> Path:
    path = folder / "spec.toml"
    path.write_text(words, encoding="utf-8")
    return path


def refused(folder: Path, old: str, new: str) -> str:
    assert old in GOOD
    with pytest.raises(SpecError) as error:
        load_spec(write(folder, GOOD.replace(old, new, 1)))
    return str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("summary =", "sumary =", ["spec.toml:4", "'sumary'", "did you mean 'summary'"]),
        ('answer = "letter"', 'anser = "letter"', ["spec.toml:10", "did you mean 'answer'"]),
        ("year =", "yeer =", ["spec.toml:18", "did you mean 'year'"]),
        ('source = "ours"', 'sourse = "ours"', ["spec.toml:22", "did you mean 'source'"]),
        ('"a/y"', '"a/x"', ["spec.toml:11", "listed twice"]),
        ('metrics = ["acc"]', 'metrics = ["ac"]', ["spec.toml:10", "did you mean 'acc'"]),
        ('prompt = "plain"', 'prompt = "plane"', ["spec.toml:7", "did you mean 'plain'"]),
        ('authors = "A. Author"', 'authors = " "', ["citation is empty"]),
        ('authors = "A. Author"\n', "", ["'authors' is missing"]),
        ("[citation]", "[citations]", ["unknown key 'citations'", "did you mean 'citation'"]),
        ("year = 2025", 'year = "2025"', ["spec.toml:18", "wrong type"]),
        ('["official"]', "[]", ["at least one task and one protocol"]),
        ("[citation]", "[citation", ["not valid TOML"]),
    ],
)
def test_a_wrong_one_is_refused_with_its_line_and_a_hint(
    tmp_path: Path, old: str, new: str, expected: list[str]
) -> None:
    message = refused(tmp_path, old, new)
    for words in expected:
        assert words in message


def test_an_unknown_benchmark_or_protocol_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SpecError, match="did you mean 'cmdar'"):
        load_benchmark("cmda")
    with pytest.raises(SpecError, match="did you mean 'official'"):
        load_benchmark("cmdar").protocol("oficial")


@pytest.mark.parametrize("name", sorted(known_benchmarks()))
def test_every_benchmark_of_the_house_keeps_its_word(name: str) -> None:
    spec = load_benchmark(name).spec
    assert spec.name == name
    assert list(load_benchmark(name).protocols) == list(spec.protocols)
    for prompt_name, prompt in spec.prompts.items():
        check_template(prompt_name, prompt)
        assert prompt.source
    used = {metric for task in spec.tasks for metric in task.metrics}
    assert used <= set(known_metrics())
    assert all(layout.columns for layout in spec.layouts)
    assert len({layout.id for layout in spec.layouts}) == len(spec.layouts)


def test_a_rubric_is_one_that_is_known_for_a_metric_that_is_there(tmp_path: Path) -> None:
    old = 'answer = "text", metrics = ["acc"]'
    told = refused(tmp_path, old, old + ', rubrics = { acc = "pass_fial" }')
    assert "pass_fial" in told and "did you mean 'pass_fail'" in told
    assert "'em'" in refused(tmp_path, old, old + ', rubrics = { em = "pair" }')
