"""Patterns that are compiled when they are first used."""

import copy
import pickle
import re

import pytest

from triptych.metrics.replies.lazy_pattern import lazy_pattern


def test_behaves_like_the_compiled_pattern() -> None:
    source, text = r"(?P<first>ж|ß)|B", "a ẞ b Ж ß"
    lazy, compiled = lazy_pattern(source, re.I), re.compile(source, re.I)
    for _ in range(2):
        assert [match.span() for match in lazy.finditer(text)] == [match.span() for match in compiled.finditer(text)]
        assert lazy.sub("_", text) == compiled.sub("_", text)
    assert lazy.groupindex == compiled.groupindex
    assert (lazy.pattern, lazy.flags) == (compiled.pattern, compiled.flags)


def test_copies_are_compiled_patterns() -> None:
    lazy = lazy_pattern("[ab]+", re.I)
    for other in (copy.deepcopy(lazy), pickle.loads(pickle.dumps(lazy))):
        assert isinstance(other, re.Pattern)
        assert other.fullmatch("ABBA")


def test_an_invalid_pattern_is_an_error_when_it_is_used() -> None:
    lazy = lazy_pattern("(")
    with pytest.raises(re.error):
        lazy.search("")
