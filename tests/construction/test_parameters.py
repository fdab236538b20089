"""Parameters of stages: typed, with ranges and meanings; wrong values are refused before anything is built."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from triptych.construction.listing import listed_stages
from triptych.construction.parameters import Parameters, changed, declared_loosely, fields_of
from triptych.construction.record import Outcome, kept
from triptych.construction.stage import Stage, stage
from triptych.errors import SpecError


class Cut(Parameters, frozen=True):
    how: Annotated[Literal["random", "fixed"], Meta(description="way of cutting")] = "random"
    shortest: Annotated[float, Meta(gt=0, description="length of the shortest piece in seconds")] = 2.0
    longest: Annotated[float, Meta(gt=0, le=60, description="length of the longest piece in seconds")] = 4.0
    most: Annotated[int, Meta(ge=0, description="greatest number of pieces (0: all)")] = 0
    video: Annotated[bool, Meta(description="whether pictures are cut too")] = False
    words: Annotated[tuple[str, ...], Meta(description="words to look for")] = ()
    shares: Annotated[dict[str, float], Meta(description="share of each split")] = msgspec.field(default_factory=dict)
    name: Annotated[str, Meta(min_length=1, description="a name")] = "cut"
    mean: Annotated[tuple[float, float, float], Meta(description="mean of each channel")] = (0.5, 0.5, 0.5)

    def __post_init__(self) -> None:
        if self.shortest > self.longest:
            raise ValueError("`shortest` is greater than `longest`")


@stage("cut", version=1, reads=["text"], parameters=Cut)
def cut(values: Any, context: Any) -> Outcome:
    """Cut something."""
    return kept(n=context.parameters.most)


@stage("loose", version=1, reads=["text"], most=3, words=("a",), table={"a": 1}, rate=2.5, on=True, any_words=())
def loose(values: Any, context: Any) -> Outcome:
    """Declare only defaults."""
    return kept()


def refused(stage: Stage, **given: Any) -> str:
    with pytest.raises(SpecError) as caught:
        stage.with_(**given)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"shortes": 3}, ["'cut'", "'shortes'", "did you mean 'shortest'?", "[stages.cut]"]),
        ({"zzz": 3}, ["'zzz'", "how, shortest, longest"]),
        ({"shortest": "3"}, ["'shortest'", "'3'", "number, above 0", "2.0"]),
        ({"shortest": float("nan")}, ["'shortest'", "nan", "finite"]),
        ({"shares": {"a": float("inf")}}, ["'shares'", "inf", "finite"]),
        ({"shortest": 0}, ["'shortest'", "number, above 0"]),
        ({"longest": 61}, ["'longest'", "61", "above 0 and up to 60"]),
        ({"most": -1}, ["'most'", "-1", "whole number, 0 or more"]),
        ({"most": 2.5}, ["'most'", "2.5", "whole number"]),
        ({"most": True}, ["'most'", "True", "whole number"]),
        ({"video": 1}, ["'video'", "true or false"]),
        ({"how": "randm"}, ["'how'", "one of: fixed, random", "did you mean 'random'?"]),
        ({"words": "one"}, ["'words'", "list: text"]),
        ({"words": [1]}, ["'words'", "list: text"]),
        ({"shares": {"a": "b"}}, ["'shares'", "table: text = number"]),
        ({"name": ""}, ["'name'", "text that is not empty"]),
        ({"mean": [1, 2]}, ["'mean'", "list of 3: number"]),
        ({"shortest": 5}, ["don't fit together", "`shortest` is greater than `longest`", "shortest = 5"]),
    ],
)
def test_a_wrong_value_is_refused_with_stage_field_and_what_was_expected(
    given: dict[str, Any], named: list[str]
) -> None:
    said = refused(cut, **given)
    assert not [each for each in named if each not in said], said


def test_several_values_that_fit_only_together_are_set_together() -> None:
    assert cut.with_(shortest=30, longest=50).parameters == Cut(shortest=30, longest=50)


def test_a_stage_that_declares_only_defaults_is_checked_by_their_types() -> None:
    assert loose.with_(most=2.5, words=["b", "c"], table={"x": "y"}, any_words=["z"]).parameters["most"] == 2.5
    assert "true or false" in refused(loose, on=1)
    assert "'words'" in refused(loose, words="b")
    assert "did you mean 'most'?" in refused(loose, mst=1)


def test_fields_say_what_may_be_given() -> None:
    said = {field.name: (field.expected, field.default, field.meaning) for field in fields_of(Cut)}
    assert said["longest"] == ("number, above 0 and up to 60", 4.0, "length of the longest piece in seconds")
    assert said["how"] == ("one of: fixed, random", "random", "way of cutting")
    assert fields_of(cut.with_(most=7).parameters)[3].default == 7


def test_every_parameter_of_every_built_in_stage_is_typed_and_has_a_meaning() -> None:
    listed = [each for each in listed_stages() if each.origin == "triptych"]
    assert len(listed) > 120
    assert [each.stage.name for each in listed if declared_loosely(each.stage.parameters)] == []
    for each in listed:
        stage, fields = each.stage, fields_of(each.stage.parameters)
        assert [field.name for field in fields if not field.meaning or field.expected == "any value"] == [], stage.name
        assert not stage.asks or not {field.name for field in fields} & {*stage.required, *stage.optional}, stage.name
        for field in fields:
            assert changed(stage.name, stage.parameters, {field.name: field.default}) == stage.parameters
