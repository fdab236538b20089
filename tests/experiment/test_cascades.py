"""A cascade of the catalogue is one model on the command line: the first describes, the second answers."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.errors import SpecError
from triptych.experiment.cascades import as_cascade
from triptych.models.catalogue import CatalogueModel, catalogue
from triptych.models.registry import load_adapter

CASCADES = [row for row in catalogue().values() if row.way == ("cascade",)]
AT = {"base_url": "http://127.0.0.1:1/v1"}


@pytest.mark.parametrize("row", CASCADES, ids=lambda row: row.key)
def test_every_cascade_is_a_model_and_a_description(row: CatalogueModel) -> None:
    found = as_cascade(row.names[0], ["shuffle"], AT, "")
    assert found is not None and found.model == row.steps[1] and found.name == row.key
    first = catalogue()[row.steps[0]]
    assert found.conditions == ("shuffle", f"description:from=openai/{first.id}")
    assert as_cascade(row.key, [], AT, "mine").name == "mine"  # type: ignore[union-attr]


def test_other_models_are_no_cascade() -> None:
    assert as_cascade("openai/x", [], {}, "") is None and as_cascade("qwen3-14b", [], {}, "") is None


def test_a_cascade_without_its_first_model_says_where_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(SpecError, match=r"(?s)is retired since 2026-05-07.*--reader-base-url"):
        as_cascade("gpt-4o-audio+deepseek-v3", [], {}, "")
    with pytest.raises(SpecError, match="asks both"):
        load_adapter("gpt-4o-audio+deepseek-v3")


def test_descriptions_are_kept_and_reach_the_second_model(tmp_path: Path) -> None:
    with MockProcess() as mock:
        told = {"base_url": mock.base_url, "reader_base_url": mock.base_url, "out": tmp_path / "run", "limit": 2}
        run = triptych.run("cmdar/main", "qwen2-audio-7b+llama-3-8b", **told)
        asked = mock.stats()["received"]
        assert {one.status for one in run.folder.responses()} == {"answered"}
        (readings,) = (tmp_path / "run" / "readings").glob("*.jsonl")
        descriptions = readings.read_text(encoding="utf-8").count('"answered"')
        assert asked == descriptions + 2 and descriptions >= 1
        triptych.run("cmdar/main", "qwen2-audio-7b+llama-3-8b", **told)
        assert mock.stats()["received"] == asked, "nothing is asked twice"
    manifest = run.folder.manifest
    assert (
        manifest.name == "qwen2-audio-7b+llama-3-8b" and manifest.model == "openai/meta-llama/Meta-Llama-3-8B-Instruct"
    )
    assert manifest.readings[manifest.conditions[0]]["model"] == "openai/Qwen/Qwen2-Audio-7B-Instruct"
    parts = [part for item in run.folder.items() for part in item.parts]
    assert not any(part.kind == "audio" for part in parts)
