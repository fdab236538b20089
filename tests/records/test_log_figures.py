"""Tests of `records/log_figures.py`: a figure that another harness's log states."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records.log_figures import LogFigure


@pytest.mark.parametrize(
    ("metric", "filter_", "name"),
    [
        ("exact_match", "strict-match", "exact_match,strict-match"),
        ("exact_match", "flexible-extract", "exact_match,flexible-extract"),
        ("acc_norm", "none", "acc_norm,none"),
        ("accuracy", "", "accuracy"),
    ],
)
def test_a_figure_is_named_as_lm_eval_names_it(metric: str, filter_: str, name: str) -> None:
    assert LogFigure("gsm8k", metric, 0.33, filter=filter_).name == name


def test_a_figure_comes_back_exactly_with_what_it_does_not_know() -> None:
    figure = LogFigure("gsm8k", "exact_match", 0.3305534495830174, filter="strict-match", n=1319, stderr=0.0129)
    line = msgspec.json.encode(figure)
    assert msgspec.json.decode(line, type=LogFigure) == figure
    assert b"aggregation" not in line and b"digits" not in line
    bare = msgspec.json.decode('{"task": "mmau", "metric": "gpt_eval", "value": null}', type=LogFigure)
    assert (bare.value, bare.n, bare.scale, bare.digits, bare.stderr, bare.of) == (None, None, 1.0, None, None, None)
