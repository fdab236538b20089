"""Tests of `models/adapter.py`: settings, decoding, and token counts that can be."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.adapter import (
    DECODING,
    MAX_TOKENS,
    Reply,
    SimpleAdapter,
    check_decoding,
    check_used,
    counted,
    in_one_form,
    json_object,
    not_carried,
    plausible_usage,
    take_settings,
)
from triptych.records import Message, Request, Usage, text

FIELDS: dict[str, Any] = {"base_url": "", "batch": 8, "fps": 0.0, "stream": False, "kwargs": None}


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({}, {}),
        ({"batch": "16", "fps": "0.5", "stream": "Yes"}, {"batch": 16, "fps": 0.5, "stream": True}),
        ({"batch": 16, "fps": 2, "stream": True}, {"batch": 16, "fps": 2, "stream": True}),
        ({"base_url": "0", "kwargs": "{}"}, {"base_url": "0", "kwargs": "{}"}),
        ({"stream": "0"}, {"stream": False}),
    ],
)
def test_settings_have_the_type_of_their_defaults(options: dict[str, Any], taken: dict[str, Any]) -> None:
    assert take_settings("toy", options, FIELDS) == {**FIELDS, **taken}
    assert FIELDS["batch"] == 8, "the defaults stay"


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("batch", "many", "int"),
        ("batch", "2.5", "int"),
        ("batch", "", "int"),
        ("fps", "1/2", "float"),
        ("fps", "nan", "float"),
        ("fps", "inf", "float"),
        ("fps", "-Infinity", "float"),
        ("stream", "maybe", "bool"),
    ],
)
def test_a_value_of_another_type_is_refused(key: str, value: str, wanted: str) -> None:
    with pytest.raises(SpecError, match=f"toy: setting '{key}' has an invalid value") as error:
        take_settings("toy", {key: value}, FIELDS)
    assert wanted in str(error.value) and repr(value) in str(error.value)


@pytest.mark.parametrize(("key", "nearest"), [("steam", "stream"), ("temperatur", "temperature"), ("sise", "size")])
def test_an_unknown_setting_names_the_nearest_that_there_is(key: str, nearest: str) -> None:
    with pytest.raises(SpecError, match=f"did you mean '{nearest}'"):
        take_settings("toy", {key: "1"}, FIELDS)


@pytest.mark.parametrize("value", [None, {}, "{}"])
def test_an_object_that_is_empty_or_not_given_is_empty(value: Any) -> None:
    assert json_object("toy", "kwargs", value) == {}


@pytest.mark.parametrize("value", ["[1]", "{", "5", '{"a": 1, "a": 2}', 5])
def test_what_is_no_object_shows_one(value: Any) -> None:
    with pytest.raises(SpecError, match="toy: kwargs is not a JSON object") as error:
        json_object("toy", "kwargs", value)
    assert "-M kwargs=" in str(error.value)


def test_equal_objects_are_one_identity_however_they_are_written() -> None:
    one = in_one_form("toy", {"kwargs": '{"b": 1, "a": {"d": "晓", "c": null}}', "other": 1}, "kwargs")
    assert one == in_one_form("toy", {"kwargs": {"a": {"c": None, "d": "晓"}, "b": 1}, "other": 1}, "kwargs")
    assert in_one_form("toy", {"kwargs": None}, "kwargs") == {"kwargs": None}


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (5, 5), (MAX_TOKENS, MAX_TOKENS), (MAX_TOKENS + 1, None), (-1, None), (True, None), ("5", None)],
)
def test_a_count_is_a_credible_whole_number(value: object, number: int | None) -> None:
    assert counted(value) == number and counted(2.0) is None and counted(None) is None


@pytest.mark.parametrize(
    ("usage", "credible"),
    [
        (None, None),
        (Usage(10, 5), Usage(10, 5)),
        (Usage(None, 5), Usage(None, 5)),
        (Usage(-10, 5), None),
        (Usage(10, MAX_TOKENS + 1), None),
        (Usage(10, 5, 7, 4, 3), Usage(10, 5, 7, 4, 3)),
        (Usage(10, 5, None, 11, 12), Usage(10, 5, None, None, None)),
        (Usage(10, 5, -7, -1, 10), Usage(10, 5, None, None, 10)),
        (Usage(None, 5, None, 4, None), Usage(None, 5, None, 4, None)),
    ],
)
def test_counts_that_can_not_be_are_unknown(usage: Usage | None, credible: Usage | None) -> None:
    assert plausible_usage(usage) == credible


class Toy(SimpleAdapter):
    name = "toy/m"
    decoding = frozenset({"max_tokens"})


def test_a_setting_that_would_be_ignored_is_refused() -> None:
    check_used(Toy(), {"max_tokens": 5, "batch": 3, "temperature": 0})
    for options in ({"temperature": 0.5}, {"top_p": 1}, {"seed": 3}):
        (key,) = options
        with pytest.raises(SpecError, match=f"toy/m does not use {key}") as error:
            check_used(Toy(), options, "--decoding")
        assert "max_tokens" in str(error.value) and f"remove --decoding {key}" in str(error.value)
    random = Toy()
    random.deterministic = False
    with pytest.raises(SpecError, match="temperature"):
        check_used(random, {"temperature": 0})
    check_used(SimpleAdapter(), dict.fromkeys(DECODING, 1))


def test_search_over_several_answers_is_for_those_who_can() -> None:
    asked = {"num_beams": 4, "temperature": 0, "repetition_penalty": 1.1}
    assert not_carried(Toy(), asked) == ["num_beams", "repetition_penalty"]
    with pytest.raises(SpecError, match=r"toy/m can't carry out num_beams(.|\n)*-M num_beams=4"):
        check_decoding(Toy(), asked)
    able = Toy()
    able.more_decoding = frozenset({"num_beams", "repetition_penalty"})  # type: ignore[attr-defined]
    check_decoding(able, asked)
    assert not_carried(able, {**asked, "no_repeat_ngram_size": 3}) == ["no_repeat_ngram_size"]


def test_an_adapter_needs_respond_alone(tmp_path: Path) -> None:
    class Echo(SimpleAdapter):
        async def respond(self, request: Request, prepared: Any) -> Reply:
            return Reply(request.messages[0].parts[0].text)

    async def whole(adapter: SimpleAdapter) -> Reply:
        request = Request("1", (Message("user", (text("春眠不觉晓"),)),))
        await adapter.open()
        reply = await adapter.respond(request, await adapter.prepare(request, MediaReader(tmp_path)))
        await adapter.close()
        return reply

    given = {"size": "7B"}
    echo = Echo(given)
    assert asyncio.run(whole(echo)) == Reply("春眠不觉晓", "answered")
    given.clear()
    assert echo.settings == {"size": "7B"} and SimpleAdapter().settings == {}
    with pytest.raises(NotImplementedError):
        asyncio.run(whole(SimpleAdapter()))
