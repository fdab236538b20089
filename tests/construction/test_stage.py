"""Tests of `construction/stage.py`: named, versioned steps, and what they may decide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Child, Outcome, dropped, kept, split
from triptych.construction.stage import Stage, named_weights, stage
from triptych.errors import SpecError


@stage("cut", version=2, reads=["text", "title?"], writes=["n", "part"], most=3, weights="", sha256="")
def cut(values: Any, context: Any) -> Outcome:
    """Cut a text.

    Into pieces.
    """
    return kept(n=1)


def test_a_function_becomes_a_stage_with_what_it_declares() -> None:
    assert (cut.name, cut.version, cut.kind, cut.about) == ("cut", 2, "each", "Cut a text.")
    assert (cut.required, cut.optional, cut.writes) == (("text",), ("title",), ("n", "part"))
    assert cut.run({}, None) == kept(n=1) and cut.parameters["most"] == 3


@pytest.mark.parametrize(
    ("name", "version", "message"), [("a b", 1, "letters"), ("", 1, "letters"), ("a", 0, "from 1")]
)
def test_names_and_versions_are_checked(name: str, version: int, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        stage(name, version=version)(lambda values, context: kept())


def test_a_stage_under_another_name_or_with_other_parameters_is_another_one() -> None:
    other = cut.named("cut-2").with_(most=5)
    assert (other.name, other.parameters["most"], other.run) == ("cut-2", 5, cut.run)
    assert (cut.name, cut.parameters["most"]) == ("cut", 3)


@pytest.mark.parametrize(
    ("fields", "concerned"),
    [
        ({"task": "su", "hard": True}, True),
        ({"task": "sr", "hard": True, "more": 1}, True),
        ({"task": "asr", "hard": True}, False),
        ({"task": "su", "hard": False}, False),
        ({"task": "su"}, False),
        ({}, False),
    ],
)
def test_a_stage_is_limited_to_records_with_given_values(fields: dict[str, Any], concerned: bool) -> None:
    assert cut.only(task=["su", "sr"], hard=[True]).concerns(fields) is concerned
    assert cut.concerns(fields)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (kept(text="x"), "stage 'cut' writes 'text', which it doesn't declare"),
        (split([Child("0", {"title": "x"})]), "writes 'title'"),
        (kept(part=b"x"), "stage 'cut' wrote a value of type bytes in the field 'part'"),
        (kept(n=1, part=[{"x": {1, 2}}]), "wrote a value of type set in the field 'part'"),
        (split([Child("0", {"part": b"x"})]), "wrote a value of type bytes in the field 'part'"),
        ({"part": "x"}, "stage 'cut' returned dict"),
        (None, "stage 'cut' returned None"),
        (Outcome("dropped"), "decided 'dropped' without a reason"),
        (Outcome("revised", fields={"n": 1}), "decided 'revised' without a reason"),
        (Outcome("dropped", "x", children=(Child("0"),)), "split a record and dropped it"),
        (Outcome("pending", "x", children=(Child("0"),)), "split a record and pending it"),
        (split([Child("0"), Child("1"), Child("0")]), "two with the same suffix"),
    ],
)
def test_an_outcome_that_a_stage_may_not_return_is_refused_with_the_record(outcome: Any, message: str) -> None:
    with pytest.raises(SpecError, match=message) as error:
        cut.checked(outcome, "w1")
    assert error.value.where == "w1"


@pytest.mark.parametrize(
    "outcome",
    [kept(), kept(n=1, part="x"), dropped("too-long"), split([Child("0", {"part": "x"}), Child("1")], {"n": 2})],
)
def test_an_outcome_that_fits_is_returned_as_it_is(outcome: Outcome) -> None:
    assert cut.checked(outcome, "w1") is outcome


def context(made: Stage, base: Path) -> Context:
    return Context(made.parameters, MediaStore(base), base=base)


@pytest.mark.parametrize("named", [{}, {"weights": "w.bin"}, {"sha256": "0" * 64}])
def test_weights_are_named_with_their_hash(tmp_path: Path, named: dict[str, str]) -> None:
    with pytest.raises(SpecError, match="no weights are named") as error:
        named_weights(context(cut.with_(**named), tmp_path), "cut")
    assert "[stages.cut]" in str(error.value)
    both = cut.with_(weights="w.bin", sha256="0" * 64)
    assert named_weights(context(both, tmp_path), "cut") == tmp_path / "w.bin"


def test_a_stage_is_of_a_kind_that_exists() -> None:
    with pytest.raises(SpecError, match="stage 'cut': no kind 'all'"):
        Stage("cut", 1, ("text",), (), lambda values, context: kept(), kind="all")  # type: ignore[arg-type]
