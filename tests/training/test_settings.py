"""Tests of `training/settings.py`: the defaults of the paper, and numbers that no training can have."""

from __future__ import annotations

import math

import msgspec
import pytest

from triptych.errors import SpecError
from triptych.training.settings import LoraSettings


def test_the_defaults_are_those_of_mcga() -> None:
    """Section 4.1: LoRA of rank 8 with alpha 32, learning rate 1e-4, three epochs, batches of 8 in 4 passes."""
    settings = LoraSettings()
    assert (settings.rank, settings.alpha, settings.learning_rate, settings.epochs) == (8, 32, 1e-4, 3)
    assert (settings.batch, settings.accumulation) == (8, 4)


@pytest.mark.parametrize("name", ["rank", "alpha", "epochs", "batch", "accumulation", "save_every", "learning_rate"])
@pytest.mark.parametrize("value", [0, -1, math.nan, math.inf])
def test_a_number_that_is_not_above_zero_or_endless_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(SpecError, match=f"{name} must be above 0 and finite") as error:
        LoraSettings(**{name: value})  # type: ignore[arg-type]
    assert str(value) in str(error.value)


@pytest.mark.parametrize("change", [{"dropout": 1.0}, {"dropout": -0.1}, {"warmup": 1.0}, {"warmup": math.nan}])
def test_a_share_is_at_least_zero_and_below_one(change: dict[str, float]) -> None:
    with pytest.raises(SpecError, match="dropout and warmup must be at least 0 and below 1"):
        LoraSettings(**change)  # type: ignore[arg-type]
    assert LoraSettings(dropout=0.0, warmup=0.999).warmup == 0.999


@pytest.mark.parametrize("dtype", ["float16", "bf16", "BFLOAT16", "int8"])
def test_another_dtype_names_those_that_there_are(dtype: str) -> None:
    with pytest.raises(SpecError, match="bfloat16 or float32") as error:
        LoraSettings(dtype=dtype)
    assert dtype in str(error.value)


def test_settings_of_a_file_are_checked_as_those_in_code() -> None:
    assert msgspec.convert({"rank": 16, "dtype": "float32"}, LoraSettings) == LoraSettings(rank=16, dtype="float32")
    for wrong in ({"ranks": 16}, {"rank": 8.5}, {"rank": "8"}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, LoraSettings)
    with pytest.raises(SpecError, match="epochs"):
        msgspec.convert({"epochs": 0}, LoraSettings)
