"""Tests of `releases/pushing.py`: push a folder to the Hugging Face Hub as a data set."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.errors import DataError, SpecError


@pytest.mark.parametrize("target", ["lab/poems", "hf/poems", "hf/lab/po ems", "hf/../x"])
def test_a_push_elsewhere_is_refused(tmp_path: Path, target: str) -> None:
    from triptych.releases.pushing import plan_push

    (tmp_path / "README.md").write_text("card", encoding="utf-8")
    with pytest.raises(SpecError, match="not a data set"):
        plan_push(tmp_path, target)
    (tmp_path / "README.md").unlink()
    with pytest.raises(DataError, match="no README"):
        plan_push(tmp_path, "hf/lab/poems")
