"""Tests of `metrics/text/chinese_model.py`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, reload
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.text.chinese_model import most_likely_path

pytest.importorskip("jieba")


@pytest.fixture(scope="module")
def theirs() -> tuple[Callable[..., Any], Any]:
    """jieba's own search, and the tables of its model."""
    module = import_module("jieba.finalseg")
    ours = module.viterbi  # type: ignore[attr-defined]
    reload(module)
    found = module.viterbi  # type: ignore[attr-defined]
    module.viterbi = ours  # type: ignore[attr-defined]
    return found, module


@given(st.text(alphabet="的春眠不觉晓处处闻啼鸟一二三𠀀々a", min_size=1, max_size=40))
def test_the_search_gives_the_very_path_of_jieba(theirs: tuple[Callable[..., Any], Any], text: str) -> None:
    search, model = theirs
    assert search is not most_likely_path
    tables = ("BMES", model.start_P, model.trans_P, model.emit_P)
    assert most_likely_path(text, *tables) == search(text, *tables)
