"""Numbers among the settings: what JSON can't hold would be sent as null, and the record would say something else."""

from __future__ import annotations

from typing import Any

import pytest

from triptych import api
from triptych.errors import SpecError


@pytest.mark.parametrize("value", ["nan", "NaN", "inf", "-inf", "1e400", float("nan"), float("inf")])
@pytest.mark.parametrize("setting", ["temperature", "top_p", "audio_seconds"])
def test_a_number_that_is_not_finite_is_refused(setting: str, value: Any) -> None:
    with pytest.raises(SpecError, match=f"{setting} is not a finite number"):
        api.plan("cmdar/main", "openai/m", base_url="http://127.0.0.1:9/v1", settings={setting: value})


def test_numbers_are_recorded_as_they_are_sent() -> None:
    settings = {"temperature": "0.70", "max_tokens": "12", "stop": "inf"}
    decoding = api.plan("cmdar/main", "openai/m", base_url="http://127.0.0.1:9/v1", settings=settings).manifest.decoding
    assert decoding == {"temperature": 0.7, "max_tokens": 12, "stop": "inf"}


def test_an_exchange_of_benchmark_and_model_is_named() -> None:
    with pytest.raises(SpecError, match="exchanged") as error:
        api.plan("baseline/longest", "cmdar/main")
    assert "run('cmdar/main', 'baseline/longest')" in str(error.value)
