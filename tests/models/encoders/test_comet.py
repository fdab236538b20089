"""COMET's process: its lines against a stand-in, its environment, and the real thing where one is named."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from triptych.errors import WeightsError
from triptych.metrics.embedding import TextComparison
from triptych.models.encoders.comet import WORKER, call_worker, find_comet
from triptych.models.encoders.settings import EncoderSettings


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
def test_on_a_cpu_no_line_depends_on_the_others(models: Path) -> None:
    """Shards have the values of the whole Run, to the last digit."""
    engine = find_comet(EncoderSettings(models))
    lines = [TextComparison("comet", "a" * length, "ref", "", "source") for length in (40, 7, 19)]
    assert engine.compare(lines) == [value for line in lines for value in engine.compare([line])]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("print('hello')", "returned no valid scores"),
        ("print('{\"score\": 1}')", "too few lines"),
        ('print(\'{"score": 1}\\n{"points": 1}\')', "returned no valid scores"),
        ("import sys; sys.exit('out of memory')", "out of memory"),
    ],
)
def test_what_is_no_score_for_every_line_is_refused(code: str, told: str) -> None:
    with pytest.raises(WeightsError, match=told):
        call_worker([sys.executable, "-c", code], {}, [{"src": "a"}, {"src": "b"}])


def test_a_python_that_is_not_there_is_told() -> None:
    with pytest.raises(WeightsError, match="can't be started"):
        call_worker(["/nowhere/python", str(WORKER)], {}, [])


def test_the_real_one() -> None:
    """TRIPTYCH_TEST_COMET names a folder with a real checkpoint, TRIPTYCH_COMET_PYTHON a Python with unbabel-comet."""
    folder = os.environ.get("TRIPTYCH_TEST_COMET", "")
    if not folder or not os.environ.get("TRIPTYCH_COMET_PYTHON"):
        pytest.skip("TRIPTYCH_TEST_COMET and TRIPTYCH_COMET_PYTHON name no COMET")
    engine = find_comet(EncoderSettings(None, {"comet": folder}, "cpu"))
    one, two = (
        TextComparison("comet", "hello world", "hello", "", "a"),
        TextComparison("comet", "the cat", "a cat", "", "die"),
    )
    long = TextComparison("comet", "and " * 50, "or", "", "und")
    first, second, again, _ = engine.compare([one, two, one, long])
    assert first != second and [first, second] == [again, *engine.compare([two])] == [*engine.compare([one]), second]
