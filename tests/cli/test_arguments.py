"""Tests of `cli/arguments.py`: arguments and output that several commands share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import triptych
from triptych.cli.arguments import pairs, say_written, split_values
from triptych.errors import SpecError


def test_pairs_keep_equals_signs_in_values_and_name_the_option_when_wrong() -> None:
    assert pairs(["extra={'a'=1}"], "-M") == [("extra", "{'a'=1}")]
    with pytest.raises(SpecError, match="-M takes key=value"):
        pairs(["letter"], "-M")


def test_many_files_are_told_as_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    say_written([Path("a/x.csv"), *(Path(f"b/{n}.jsonl") for n in range(30))])
    assert capsys.readouterr().err.splitlines() == ["wrote a/x.csv", "wrote 30 files in b"]


def test_lists_by_comma_and_by_repeating() -> None:
    assert split_values(["official,paper", "standard"]) == ["official", "paper", "standard"]


def test_the_metrics_of_one_benchmark() -> None:
    listed = {
        name: {row["name"] for row in json.loads(triptych("list", "metrics", name, "--json").stdout)}
        for name in ("cmdar", "mcga")
    }
    assert listed["cmdar"] == {"acc", "em", "ji", "judge_score", "precision", "recall"}
    assert {"cer", "cer.spaced", "f1.token"} <= listed["mcga"] and "wer" not in listed["mcga"]
