"""Tests of `construction/stages/triplets.py`: triplets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.single_stage import decide
from triptych.construction.stages.triplets import speak

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_the_name_of_a_thing_is_not_spoken_in_place_of_its_sound(tmp_path: Path) -> None:
    fields = {"text": "a river under the ice", "audio": None, "vision": "p.jpg", "made": [], "written": False}
    assert decide(speak, fields, tmp_path).fields == {}
