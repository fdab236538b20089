"""Tests of `audit/results/rows.py`: the row of the paper's tables that results or a Run should give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.results.test_stored import OFF, ROW, released
from triptych import audit_run
from triptych.errors import SpecError


@pytest.mark.parametrize("rows", [{"*": "Gemini 9"}, {"nobody": ROW}])
def test_a_row_or_result_that_does_not_exist_is_refused(tmp_path: Path, rows: dict[str, str]) -> None:
    with pytest.raises(SpecError):
        audit_run([released(tmp_path / "results", tasks=OFF)], benchmark="xmodbench", rows=rows)
