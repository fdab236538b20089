"""Tests of `portal/serve.py`: the server of the portal, with its process of checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.portal.serve import serve


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_a_number_of_workers_is_checked(tmp_path: Path, number: int) -> None:
    with pytest.raises(SpecError, match="worker processes"):
        serve(tmp_path / "p", port=0, workers=number)
    assert not (tmp_path / "p").exists()
