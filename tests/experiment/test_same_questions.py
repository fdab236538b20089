"""A Run goes on only with the questions that were asked: their prompts, options and settings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.experiment.test_prompts import CMDAR, as_version_1, ran
from triptych import api
from triptych.benchmarks import Benchmark, own_questions
from triptych.errors import RunFolderError
from triptych.records import Item
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


def test_it_does_not_go_on_with_answers_to_ids_that_the_data_no_longer_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader whose ids change each time would count every question twice."""
    (tmp_path / "q.csv").write_text("id,question,A,B,answer\n1,Which?,yes,no,A\n2,What?,yes,no,B\n", encoding="utf-8")
    benchmark = own_questions(str(tmp_path / "q.csv"))
    assert benchmark is not None
    api.run(benchmark, "baseline/constant", settings={"letter": "A"}, out=tmp_path / "run")
    items = type(benchmark).items

    def renamed(self: Benchmark, *arguments: Any, **more: Any) -> Iterator[Item]:
        for item in items(self, *arguments, **more):
            yield msgspec.structs.replace(item, id=f"{item.id}-again")

    monkeypatch.setattr(type(benchmark), "items", renamed)
    with pytest.raises(RunFolderError, match="2 of 2 answered Requests have ids that the data doesn't have"):
        api.run(benchmark, "baseline/constant", settings={"letter": "A"}, out=tmp_path / "run")
    assert len(list(RunFolder.open(tmp_path / "run").responses())) == 2
