"""A key that is there twice in JSON from outside is refused, with its place: decoders would keep the last value."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.analysis.raters.ratings import read_ratings
from triptych.benchmarks import load_benchmark
from triptych.conditions.given_text import _read_table
from triptych.construction.tables import read_table
from triptych.errors import DataError
from triptych.judges.panel import load_descriptions
from triptych.records.repeated_keys import RepeatedKey, decode_once, refuse_repeated_keys
from triptych.store.files.limits import read_json

TWICE = b'{"id": "1", "answer": "A", "answer": "B"}'
READERS = [_read_table, load_descriptions, read_ratings, lambda path: read_table(path, ("id",))]


@pytest.mark.parametrize("name", ["cmdar", "mcga", "mcs_bench", "xmodbench"])
def test_check_names_the_row_and_the_key_in_every_question_file(name: str, tmp_path: Path) -> None:
    bench = load_benchmark(name)
    data = tmp_path / "data"
    shutil.copytree(bench.mini, data)
    file = bench.source_files(data)[0]
    before = file.read_bytes()
    start = before.index(b"{") + 1
    key = next(iter(msgspec.json.decode(before[start - 1 :].splitlines()[0]))) if name == "mcga" else "extra"
    doubled = f'"{key}": "first", "{key}": "second", '.encode()
    file.write_bytes(before[:start] + doubled + before[start:])
    found = [problem for problem in bench.check(data) if "is there twice" in problem.message]
    assert len(found) == 1
    assert found[0].severity == "error"
    assert f'the key "{key}"' in found[0].message
    assert file.name in found[0].where
    with pytest.raises(DataError, match="is there twice"):
        list(bench.items(data))


def test_a_log_is_refused() -> None:
    with pytest.raises(DataError, match='the key "answer" is there twice'):
        read_json(TWICE, "log.json")


@pytest.mark.parametrize("text", ['{"a": {"b": 1, "b": 2}}', '{"a": [{"b": 1, "b": 1}]}', '{"\\u0062": 1, "b": 2}'])
def test_it_is_found_at_any_depth_and_however_it_is_written(text: str) -> None:
    with pytest.raises(msgspec.DecodeError, match='the key "b" is there twice'):
        decode_once(text, dict[str, Any])


@pytest.mark.parametrize("text", ['{"a": {"b": 1}, "b": 1}', '{"a": [{"b": 1}, {"b": 1}]}'])
def test_a_key_once_in_each_object_is_read(text: str) -> None:
    assert decode_once(text, dict[str, Any])


@pytest.mark.parametrize("colon", [":", "\\u003a", "\\u003A", " :", "\\n:", "\\u0020:", "\\t\\u003a"])
def test_a_text_that_looks_like_the_end_of_a_key_hides_no_key(colon: str) -> None:
    with pytest.raises(RepeatedKey):
        refuse_repeated_keys(f'{{"a": 1, "b": 2, "b": "{colon}x"}}')
    with pytest.raises(RepeatedKey):
        refuse_repeated_keys(f'{{"a": "{colon}x", "b": 2, "b": 3}}')


def test_an_integer_of_thousands_of_digits_is_no_fault_here() -> None:
    text = '{"a": ' + "9" * 5000 + "}"
    assert refuse_repeated_keys(text) is None
    with pytest.raises(ValueError, match="a"):
        refuse_repeated_keys(text[:-1] + ', "a": 1}')


def test_a_repeated_key_is_an_error_of_its_own() -> None:
    with pytest.raises(RepeatedKey, match='the key "answer" is there twice'):
        refuse_repeated_keys(TWICE)
    with pytest.raises(msgspec.DecodeError) as broken:
        refuse_repeated_keys(b'{"answer": "A", "text": " is there twice"')
    assert not isinstance(broken.value, RepeatedKey)


VALUES = st.recursive(
    st.none()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(['":', ":a", 'a" :', " :a", "\n:a", "é", "\\", "\u2028"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(st.tuples(st.sampled_from(["a", "b", ":", "\\", ""]), inner), max_size=4).map(tuple)
    ),
    max_leaves=12,
)


def written(value: Any, spaces: tuple[str, str, str]) -> tuple[str, bool]:
    """JSON with tuples of pairs as objects, and whether one of them has a key twice. `spaces`: before and after the
    colon of a key; and a colon in a string."""
    if isinstance(value, tuple):
        parts = [(json.dumps(key).replace(":", spaces[2]), *written(one, spaces)) for key, one in value]
        text = "{" + ",".join(f"{key}{spaces[0]}:{spaces[1]}{one}" for key, one, _ in parts) + "}"
        return text, len({key for key, _ in value}) < len(value) or any(twice for *_, twice in parts)
    if isinstance(value, list):
        items = [written(one, spaces) for one in value]
        return "[" + ",".join(text for text, _ in items) + "]", any(twice for _, twice in items)
    return json.dumps(value, ensure_ascii=False).replace(":", spaces[2]), False


@given(
    VALUES, st.tuples(st.sampled_from(["", " ", "\n\t"]), st.sampled_from(["", " "]), st.sampled_from([":", "\\u003a"]))
)
def test_keys_that_are_there_twice_are_refused_in_any_spelling_and_no_others(
    value: Any, spaces: tuple[str, str, str]
) -> None:
    text, twice = written(value, spaces)
    with pytest.raises(RepeatedKey) if twice else nullcontext():
        refuse_repeated_keys(text)
