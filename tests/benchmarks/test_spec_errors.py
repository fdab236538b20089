"""All errors of a `spec.toml` are found at once, each with its line and the nearest known name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.test_spec import GOOD
from triptych.benchmarks.spec_errors import MAX_ERRORS, combined_error, errors_of, line_of
from triptych.errors import SpecError

PATH = Path("toy/spec.toml")


def found(source: str) -> tuple[list[SpecError], tuple[str, ...]]:
    errors, tasks = errors_of(PATH, source)
    return errors, tuple(task.id for task in tasks)


def changed(*pairs: tuple[str, str]) -> str:
    source = GOOD
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new, 1)
    return source


def test_a_good_specification_has_no_errors_and_all_tasks() -> None:
    assert found(GOOD) == ([], ("a/x", "a/y", "b/x"))


def test_errors_in_all_parts_are_found_together_and_the_tasks_are_read() -> None:
    source = changed(
        ("summary =", "sumary ="),
        ('answer = "letter"', 'anser = "letter"'),
        ("year = 2025", 'year = "2025"'),
        ('source = "ours"', 'sourse = "ours"'),
        ('authors = "A. Author"\n', ""),
    )
    errors, tasks = found(source)
    assert sorted((error.problem.partition(":")[0], error.fix or "") for error in errors) == [
        ("'authors' is missing", "add 'authors'"),
        ("'year' has the wrong type", ""),
        ("unknown key 'anser'", "did you mean 'answer'?"),
        ("unknown key 'sourse'", "did you mean 'source'?"),
        ("unknown key 'sumary'", "did you mean 'summary'?"),
    ]
    assert tasks == ("a/x", "a/y", "b/x")
    lines = {str(error.where).rpartition(":")[2] for error in errors if str(error.where) != str(PATH)}
    assert lines == {"4", "10", "17", "21"}, "of the source as it is written"


def test_a_misspelt_key_is_not_reported_as_missing_as_well() -> None:
    errors, _ = found(changed(("title =", "titel =")))
    assert [error.problem for error in errors] == ["unknown key 'titel'"]


def test_what_is_missing_altogether_is_named() -> None:
    errors, tasks = found('name = "toy"\n')
    missing = {error.problem for error in errors}
    assert {"'title' is missing", "'tasks' is missing", "'citation' is missing", "'protocols' is missing"} <= missing
    assert tasks == () and len(errors) == len(missing)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('languages = ["en"]', 'languages = "en"', "languages"),
        ('content = ["{question}"]', "content = [1]", "content"),
        ('metrics = ["acc"]', "metrics = 3", "metrics"),
        ('name = "toy"', "name = 1", "name"),
    ],
)
def test_a_value_of_the_wrong_type_is_named_with_its_line(old: str, new: str, key: str) -> None:
    source = changed((old, new))
    (error, *_) = found(source)[0]
    assert error.problem.startswith(f"{key!r} has the wrong type")
    line = int(str(error.where).rpartition(":")[2])
    assert key in source.splitlines()[line - 1]


def test_many_errors_end_after_a_number_that_can_be_read() -> None:
    source = GOOD + "".join(f"[prompts.p{n}]\nxyz{n} = 1\n" for n in range(100))
    errors, _ = found(source)
    assert len(errors) == MAX_ERRORS


def test_one_error_is_itself_and_several_are_a_list() -> None:
    one, other = (
        SpecError("unknown key 'a'", where="spec.toml:1", fix="did you mean 'b'?"),
        SpecError("no c", where="x"),
    )
    assert combined_error([one], PATH) is one
    assert str(combined_error([one, other], PATH)) == (
        "spec.toml has 2 errors\n  got:\n    spec.toml:1: unknown key 'a' (did you mean 'b'?)\n    x: no c\n"
        "  where: toy/spec.toml"
    )


def test_a_key_is_found_where_it_begins_a_line_or_is_quoted() -> None:
    source = 'title = "year"\n# the year\n  year = 1\n{ "year" = 2, id = 3 }\n'
    assert [line_of(PATH, source, "year", n) for n in (1, 2, 3, 9)] == [f"{PATH}:{n}" for n in (1, 3, 4, 4)]
    assert line_of(PATH, source, "id") == f"{PATH}:4" and line_of(PATH, source, "none") == str(PATH)
    assert line_of(PATH, 'a.b = "("\n', "a.b") == f"{PATH}:1" and line_of(PATH, "", "(") == str(PATH)


def test_many_tables_in_tables_are_an_error_like_any_other() -> None:
    errors, tasks = found(GOOD + "[x" + ".x" * 99 + "]\n")
    assert [error.problem for error in errors] == ["unknown key 'x'"] and tasks == ("a/x", "a/y", "b/x")
