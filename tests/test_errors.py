"""Errors say what is wrong, what was expected, what came, where and what to do; and never a secret."""

from __future__ import annotations

import copy
import pickle

import pytest

from triptych import errors
from triptych.construction.tables import RowsError
from triptych.errors import DataError, ProviderError, SpecError, TriptychError, nearest


def test_a_message_has_a_line_for_everything_that_is_given() -> None:
    error = DataError(
        "the row has no question",
        expected="a text",
        got=["a", 1],
        where="items.jsonl:12",
        fix="correct the row",
    )
    assert str(error) == (
        "the row has no question\n  expected: a text\n  got: ['a', 1]\n  where: items.jsonl:12\n"
        "  what to do: correct the row"
    )
    assert (error.problem, error.got, error.where) == ("the row has no question", "['a', 1]", "items.jsonl:12")


def test_what_is_not_given_is_none_and_an_empty_value_is_shown() -> None:
    error = SpecError("no prompt", got="", fix="add one")
    assert (error.expected, error.got, error.where, error.fix) == (None, "", None, "add one")
    assert str(error) == "no prompt\n  got: ''\n  what to do: add one"
    assert str(SpecError("nothing", got=0)) == "nothing\n  got: 0"
    assert str(TriptychError("only a sentence")) == "only a sentence"


@pytest.mark.parametrize("field", ["problem", "expected", "got", "where", "fix"])
def test_no_field_shows_a_secret(field: str) -> None:
    secret = "sk-proj-0123456789abcdefABCDEF"
    texts = {"problem": "the server refused the request", field: f"Authorization: Bearer {secret}"}
    error = TriptychError(texts.pop("problem"), **texts)  # type: ignore[arg-type]
    assert secret not in str(error) and secret not in repr(error)
    assert secret not in str(getattr(error, field)) and "***" in str(getattr(error, field))


def test_exit_codes_distinguish_a_spent_budget_from_a_mistake() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, TriptychError)]
    assert len(classes) > 8
    assert {one.__name__ for one in classes if one.exit_code != 2} == {"BudgetExceeded"}
    assert errors.BudgetExceeded.exit_code == 1


def test_callers_can_catch_faults_of_data_and_of_the_specification_apart() -> None:
    for narrow in (errors.MediaError, errors.RunFolderError, errors.TwoAnswersError):
        assert issubclass(narrow, DataError)
    assert not issubclass(SpecError, DataError) and not issubclass(ProviderError, DataError)


def test_a_providers_error_says_whether_to_try_again() -> None:
    error = ProviderError("too many requests", kind="rate_limit", retryable=True, retry_after=1.5, status=429)
    assert (error.kind, error.retryable, error.fatal, error.retry_after, error.status) == (
        "rate_limit",
        True,
        False,
        1.5,
        429,
    )
    once = ProviderError("no such model", kind="unknown_model", fatal=True, fix="correct the name")
    assert (once.retryable, once.fatal, once.retry_after, once.status) == (False, True, None, None)
    assert str(once).endswith("what to do: correct the name")


def test_an_error_can_be_sent_from_a_worker_to_its_parent() -> None:
    error = DataError("the row has no question", got=7, where="items.jsonl:12", fix="correct it")
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is DataError and str(other) == str(error)
    assert (other.problem, other.got, other.where, other.fix) == (error.problem, error.got, error.where, error.fix)


def test_errors_with_arguments_of_their_own_can_be_sent_too() -> None:
    """A pool of processes waits for ever for an error that can't be unpickled."""
    provider = pickle.loads(pickle.dumps(ProviderError("down", kind="server", status=503)))
    assert (type(provider), provider.kind, provider.status, str(provider)) == (ProviderError, "server", 503, "down")
    rows = RowsError([DataError("no question", where="rows.jsonl:1"), DataError("no answer", where="rows.jsonl:2")])
    again = copy.copy(pickle.loads(pickle.dumps(rows)))
    assert str(again) == str(rows) and [str(one) for one in again.faults] == [str(one) for one in rows.faults]


@pytest.mark.parametrize(
    ("name", "candidates", "clause"),
    [
        ("standart", ["official", "standard"], "did you mean 'standard'?"),
        ("诗词鉴赏题", ["诗词鉴赏", "古文"], "did you mean '诗词鉴赏'?"),
        ("CMDAR", ["cmdar", "mcga"], "did you mean 'cmdar'?"),
        ("ocrbench", ["OCRBench", "mcga"], "did you mean 'OCRBench'?"),
        ("zzz", ["b", "a", "b"], "known: a, b"),
        ("x", [], "there are none"),
        ("", ["a"], "known: a"),
        ("zzz", [f"k{n:02}" for n in range(13)], "known: " + ", ".join(f"k{n:02}" for n in range(12)) + " …"),
    ],
)
def test_an_unknown_name_gets_the_nearest_one_or_the_list(name: str, candidates: list[str], clause: str) -> None:
    assert nearest(name, candidates) == clause
    assert nearest(name, iter(candidates)) == clause
