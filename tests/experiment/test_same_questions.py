"""A Run goes on only with the questions that were asked: their prompts, options and settings."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.experiment.test_prompts import CMDAR, as_version_1, ran
from triptych.errors import RunFolderError
from triptych.store.folder import RunFolder


def test_it_goes_on_if_its_answers_show_that_the_prompts_are_the_same(tmp_path: Path) -> None:
    path = as_version_1(ran(tmp_path / "run", conditions=["blind"]))
    before = list(RunFolder.open(path).responses())
    again = ran(path, conditions=["blind"])
    assert again.manifest == RunFolder.open(path).manifest
    assert again.manifest.schema_version == 2 and again.manifest.prompts
    assert list(again.responses()) == before


def test_it_does_not_go_on_with_another_prompt_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = as_version_1(ran(tmp_path / "run", conditions=["blind"]))
    changed = msgspec.structs.replace(CMDAR.spec.prompts["v2"], content=("{media}", "Now: {question} {options}"))
    monkeypatch.setitem(CMDAR.spec.prompts, "v2", changed)
    with pytest.raises(RunFolderError, match="not those that would be asked now"):
        ran(path, conditions=["blind"])
