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


SENTENCES = "a. b. c. " * 200
ADDRESSES = ".".join(["10"] * 400)


@pytest.mark.parametrize("words", [SENTENCES, ADDRESSES, SENTENCES + "it's. \\\\"])
@pytest.mark.parametrize(
    "form",
    [
        'x = "{}"',
        'x = """{}"""',
        'x = """\nA \\""" ""{}"""""',
        "# {}\nx = 1",
        "x = [1, # it's {}\n2]",
        '[t] # "{}\nx = 1',
        'x = {{ y = ["""{}""", "{}"] }}',
        'x = """#"""\ny = "{}"',
    ],
)
def test_a_text_or_comment_of_many_dots_is_no_key(form: str, words: str) -> None:
    text = form.format(words, words)
    assert parse_toml(text) == tomllib.loads(text)


def test_a_document_that_would_take_a_minute_is_refused_at_once() -> None:
    start = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError, match="50,000,006 characters; at most 8,388,608 are read"):
        parse_toml("x = '" + "a" * 50_000_000 + "'")
    assert time.process_time() - start < 1


@pytest.mark.parametrize("form", ["x = '{}'", "x = '''{}'''", "x = '''\nA \\'' \"{}'''''"])
def test_a_literal_text_of_many_dots_is_no_key(form: str) -> None:
    text = form.format(SENTENCES)
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "before", ['x = "#"', "x = '\"'", 'x = """\\""" """', "x = '''\\'''", 'x = 1 # "', 'x = """"a"""""']
)
def test_a_long_key_after_any_text_is_refused(before: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError, match="at line 2"):
        parse_toml(before + "\n" + ".".join("a" * 200) + " = 1")


@pytest.mark.parametrize(
    "unit", ["a", '"', "'", ". ", "a ", '"a', "a. ", '\\"', '"\\"', '"""\\"""x\n', "'''x\n\"", '"a\n', "a.'"]
)
def test_long_texts_are_searched_in_linear_time(unit: str) -> None:
    start = time.process_time()
    with pytest.raises(tomllib.TOMLDecodeError):
        parse_toml("= " + unit * 1_000_000)
    assert time.process_time() - start < 3
