"""`tune` before anything is loaded: the packages that it needs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.training.conftest import Written
from triptych.errors import SpecError
from triptych.training import tuning
from triptych.training.examples import choose_examples
from triptych.training.settings import LoraSettings
from triptych.training.tuning import tune


@pytest.mark.parametrize("missing", tuning.NEEDED)
def test_a_missing_package_names_the_extra_that_has_all(
    missing: str, written: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in tuning.NEEDED:
        monkeypatch.setitem(sys.modules, name, None if name == missing else sys)
    with pytest.raises(SpecError, match=r"pip install 'triptych\[train\]'") as error:
        tune("hf/a/b", choose_examples("mcga/sqa", data=written()), tmp_path / "to", LoraSettings())
    assert f"fine-tuning needs the package {missing}" in str(error.value) and not (tmp_path / "to").exists()
