"""A rubric of one's own for a metric: used, signed, kept with the verdicts; and refused in words where it can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.mock_process import MockProcess
from triptych import api
from triptych.cli.main import main
from triptych.errors import SpecError
from triptych.judges.parsers import read_verdict
from triptych.judges.rubric import load_rubric
from triptych.store.folder import RunFolder

FORM = """
id = "theirs_form"
version = "1"
title = "Beauty of form, the authors' words"
language = "en"
scale = [1, 5]
dimensions = ["form"]
parser = "first_digit"
source = "a file of the user's"
prompt = "Words of my own. Original: {source} Translation: {reply} Score:"

[decoding]
temperature = 0
max_tokens = 10
"""


def write(folder: Path, *changes: tuple[str, str]) -> Path:
    words = FORM
    for old, new in changes:
        assert old in words
        words = words.replace(old, new)
    path = folder / f"form{len(changes)}.toml"
    path.write_text(words, encoding="utf-8")
    return path


def test_it_is_asked_with_signed_and_read_again_without_its_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    with MockProcess(answer="text:4") as mock:
        run_of = [
            "run",
            "mcga/s2tt",
            "--model",
            "openai/m",
            "--model-base-url",
            mock.base_url,
            "--limit",
            "2",
            "--out",
            str(tmp_path / "run"),
        ]
        judge = ["--judge", "openai/j", "--judge-base-url", mock.base_url, "--rubric", f"llm_bf={path}", "--json"]
        with pytest.raises(SystemExit):
            main([*run_of, *judge])
        asked = [entry["text"] for entry in mock.stats()["requests"].values()]
    assert sum("Words of my own." in text for text in asked) == 2
    assert sum("beauty of meaning" in text.lower() for text in asked) == 2, "the others are judged by the benchmark's"
    document = json.loads(capsys.readouterr().out)
    digest = load_rubric(str(path)).digest
    figure = next(s for s in document["scores"] if s["metric"] == "llm_bf" and s["task"] == "mcga/s2tt")
    assert figure["value"] == 80 and f"theirs_form@1#{digest}" in figure["signature"]
    path.unlink()
    again = api.score(tmp_path / "run")["official"]
    kept = next(a for a in again if a.metric == "llm_bf" and not a.slice)
    assert (kept.value, kept.signature) == (80, figure["signature"])
    assert any("theirs_form" in p.name for p in RunFolder.open(tmp_path / "run").verdicts_path.glob("*.jsonl"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ((("scale = [1, 5]\n", ""),), "missing required field `scale`"),
        ((("scale = [1, 5]", "scale = [1, 10]"),), "different scale"),
        ((("{reply}", "it"),), "show the reply"),
        ((("{source}", "{poem}"),), "placeholder that nothing fills"),
        ((("id =", "id"),), "not a valid TOML file"),
        ((("title =", "titel ="),), "titel"),
        ((('"first_digit"', '"label"'), ("[decoding]", "[labels]\nYES = 1\n[decoding]")), "different kind of verdict"),
    ],
)
def test_a_rubric_that_can_not_be_used_is_refused_before_anything_is_asked(
    tmp_path: Path, changes: tuple[tuple[str, str], ...], told: str
) -> None:
    path = write(tmp_path, *changes)
    with MockProcess() as mock, pytest.raises(SpecError) as refused:
        judges = api.plan_judges(["openai/j"], base_urls=[mock.base_url], rubrics={"llm_bf": path})
        api.run("mcga/s2tt", "baseline/reference", limit=1, out=tmp_path / "run", judges=judges)
    assert told in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_an_unknown_metric_is_refused_with_the_nearest_right_one(tmp_path: Path) -> None:
    judges = api.plan_judges(["openai/j"], base_urls=["http://127.0.0.1:9/v1"], rubrics={"llm_bff": write(tmp_path)})
    with pytest.raises(SpecError, match="did you mean 'llm_bf'"):
        api.run("mcga/s2tt", "baseline/reference", limit=1, out=tmp_path / "run", judges=judges)
    with pytest.raises(SpecError, match="a rubric needs a judge"):
        api.plan_judges([], rubrics={"llm_bf": write(tmp_path)})


@pytest.mark.parametrize(
    ("said", "value"),
    [("性别一致。[1/2] 总分 [2/2]", 1.0), ("得分 2", 2.0), ("[3/2]", None), ("没有", None), ("[1.5/3]", 1.5)],
)
def test_the_first_mark_in_brackets_or_the_first_number(tmp_path: Path, said: str, value: float | None) -> None:
    """As MCGA's released scorer reads captions; a reply without a number is unparsed, where that scorer gives 0."""
    rubric = load_rubric(str(write(tmp_path, ("[1, 5]", "[0, 2]"), ("first_digit", "first_bracketed"))))
    reading = read_verdict(said, rubric)
    assert (reading.values[0] if reading else None) == value
