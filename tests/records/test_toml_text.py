"""Tests of TOML from outside."""

import time
import tomllib

import pytest

from triptych.records.toml_text import MAX_KEY_PARTS, parse_toml


@pytest.mark.parametrize("part", ["a", '"a b"', "'a b'", "a "])
@pytest.mark.parametrize("form", ["{} = 1", "[{}]", "x = {{ {} = 1 }}"])
def test_a_key_of_many_parts_is_refused_at_once(part: str, form: str) -> None:
    text = "name = 1\n" + form.format(".".join([part] * 200_000))
    start = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError, match="more than 100 parts separated by dots \\(at line 2\\)"):
        parse_toml(text)
    assert time.process_time() - start < 2


def test_what_people_write_is_read_as_before() -> None:
    text = 'a.b.c = 1\n[x."y z"]\ntext = "One. Two. Three. …"\nnumbers = [1.5, 2.5]\n'
    assert parse_toml(text) == tomllib.loads(text)
    longest = ".".join(["a"] * MAX_KEY_PARTS)
    assert parse_toml(f"{longest} = 1") == tomllib.loads(f"{longest} = 1")


@pytest.mark.parametrize("unit", ["a", '"', "'", ". ", "a ", '"a', "a. "])
def test_long_texts_are_searched_in_linear_time(unit: str) -> None:
    start = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml("= " + unit * 1_000_000)
    assert time.process_time() - start < 3
