"""Tests of `cli/options.py`: the judges that the options of a command name."""

from __future__ import annotations

from typing import Any

import pytest

from triptych.cli.options import judges_of
from triptych.errors import SpecError
from triptych.running.loop import RunOptions

URL = ["http://127.0.0.1:9/v1"]
OPTIONS = RunOptions(concurrency=3)


def test_without_a_judge_there_is_no_panel() -> None:
    assert judges_of(None, None, None, OPTIONS) is None


def test_every_judge_is_one_of_the_panel_with_the_same_settings() -> None:
    named = judges_of(
        ["openai/one", "openai/two"], URL * 2, ["temperature=0.5"], OPTIONS, evaluations=2, combine="median"
    )
    assert named is not None and named.options.concurrency == 3
    assert [judge.model for judge in named.panel.judges] == ["openai/one", "openai/two"]
    assert [judge.decoding for judge in named.panel.judges] == [{"temperature": 0.5}] * 2
    assert (named.panel.evaluations, named.panel.combine) == (2, "median")


@pytest.mark.parametrize(
    ("judges", "urls", "settings", "more", "words"),
    [
        (["baselin/first"], None, None, {}, "did you mean 'baseline'"),
        (["baseline/first"], None, ["letter"], {}, "letter"),
        (["baseline/first"], None, None, {"combine": "mode"}, "mode"),
        (["openai/j"], URL, None, {"evaluations": 0}, "0"),
        (["baseline/first"], None, None, {"rubrics": ["judge_score"]}, "judge_score"),
        (["openai/j"], URL, None, {"rubrics": ["judge_score=/nowhere.toml"]}, "/nowhere.toml"),
        (["openai/j"], [*URL, *URL], None, {}, "2 for 1"),
        (["baseline/first"], None, None, {}, "can't be used as a judge"),
    ],
)
def test_what_fits_no_judge_is_refused(
    judges: list[str] | None, urls: list[str] | None, settings: list[str] | None, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(SpecError, match=words):
        judges_of(judges, urls, settings, OPTIONS, **more)
