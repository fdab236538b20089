"""Tests of `benchmarks/spec_file.py`: read `spec.toml` strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.test_spec import GOOD, write
from triptych.benchmarks.spec_file import load_spec
from triptych.errors import SpecError


def test_a_good_one_is_read(tmp_path: Path) -> None:
    spec = load_spec(write(tmp_path, GOOD))
    assert [spec.full_id(t) for t in spec.tasks] == ["toy/a/x", "toy/a/y", "toy/b/x"]


def test_an_unchanged_file_is_parsed_once_and_a_changed_one_again(tmp_path: Path) -> None:
    first = load_spec(write(tmp_path, GOOD))
    assert load_spec(write(tmp_path, GOOD)) is first
    assert load_spec(write(tmp_path, GOOD.replace('"a/y"', '"a/z"', 1))).tasks[1].id == "a/z"


def test_tables_nested_without_end_are_refused_with_the_other_errors(tmp_path: Path) -> None:
    """A dotted key of at most 100 parts; longer ones end in the reader of TOML (tests/records/test_toml_text.py)."""
    deep = 'layouts = [{ id = "l", columns = [{ metric = "acc", slice = { ' + ".".join("a" * 100) + " = 1 } }] }]\n"
    with pytest.raises(SpecError, match=r"spec.toml has \d+ errors(.|\n)*sumary"):
        load_spec(write(tmp_path, deep + GOOD.replace("summary =", "sumary =", 1)))


@pytest.mark.parametrize(
    ("more", "message"),
    [('option = ["{foo}: {option}"]', "unknown slot {foo}"), ('option = ["{label}"]', "options without their content")],
)
def test_the_templates_of_options_are_checked_with_their_line(tmp_path: Path, more: str, message: str) -> None:
    faulty = GOOD.replace(
        "[prompts.", f"[prompts.faulty]\nsource = 's'\ncontent = ['{{options}}']\n{more}\n[prompts.", 1
    )
    assert faulty != GOOD
    with pytest.raises(SpecError, match=message) as error:
        load_spec(write(tmp_path, faulty))
    assert "spec.toml" in str(error.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no readable spec"):
        load_spec(tmp_path / "spec.toml")


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        ([], "a/x a/y b/x"),
        (["a"], "a/x a/y"),
        (["a/y"], "a/y"),
        (["*/x"], "a/x b/x"),
        (["b", "a/x"], "a/x b/x"),
        (["a/"], "a/x a/y"),
        (["toy/a/x", "toy/b"], "a/x b/x"),
    ],
)
def test_tasks_are_selected_by_leading_paths(tmp_path: Path, patterns: list[str], chosen: str) -> None:
    assert [t.id for t in load_spec(write(tmp_path, GOOD)).select(patterns)] == chosen.split()


def test_an_unknown_task_is_refused_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="did you mean 'a/y'"):
        load_spec(write(tmp_path, GOOD)).select(["a/yy"])
