"""Tests of `construction/stages/duplicates.py`: near-duplicates of texts."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.construction.single_stage import context, decide_all
from triptych.construction.stages.duplicates import jaccard, near_duplicates


def test_near_duplicates_are_found_and_verified() -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    texts = [
        "春眠不觉晓处处闻啼鸟夜来风雨声花落知多少",
        "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少！",
        "白日依山尽黄河入海流欲穷千里目更上一层楼",
        "春眠不觉晓处处闻啼鸟夜来风雨声花落知几何",
    ]
    outcomes = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.7)
    assert [o.decision for o in outcomes] == ["kept", "dropped", "kept", "dropped"]
    assert "of r0" in outcomes[1].note
    apart = decide_all(near_duplicates, [{"text": t, "alike_within": str(n)} for n, t in enumerate(texts)], least=0.7)
    assert all(o.decision == "kept" for o in apart)
    kept_all = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.7, drop=False)
    assert [o.fields["cluster"] for o in kept_all] == ["r0", "r0", "r2", "r0"]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text("abcde", min_size=3, max_size=12), min_size=2, max_size=25))
def test_no_pair_that_is_kept_is_a_near_duplicate(texts: list[str]) -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    from triptych.construction.stages.duplicates import _shingles

    outcomes = decide_all(near_duplicates, [{"text": t} for t in texts], least=0.9)
    left = [_shingles(t, 3) for t, o in zip(texts, outcomes, strict=True) if o.decision == "kept"]
    assert not [1 for a, b in itertools.combinations(left, 2) if jaccard(a, b) >= 0.9]
    assert context(near_duplicates).parameters["grams"] == 3
