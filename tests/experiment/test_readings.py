"""Conditions that need a model to read media first: which model reads, and that the texts reach the questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.mock_process import MockProcess
from triptych import api
from triptych.errors import SpecError
from triptych.experiment.readings import made_ready, plan_readers
from triptych.media.payload import MediaReader
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

NOWHERE = "http://127.0.0.1:9/v1"


def planned(*conditions: str, model: str = "openai/m", **more: Any) -> Any:
    more.setdefault("base_url", NOWHERE)
    return api.plan("cmdar/main", model, conditions=list(conditions), limit=2, **more)


def test_the_model_under_test_reads_unless_another_is_named() -> None:
    own = planned("transcript:from=model")
    (reader,) = own.readers.values()
    assert reader.adapter is own.adapter and list(own.readers) == [own.conditions[0].name]
    other = planned("description:from=openai/r", reader_base_url=NOWHERE)
    (reader,) = other.readers.values()
    assert reader.adapter.name == "openai/r" and reader.adapter is not other.adapter
    assert planned("blind").readers == {} and planned("transcript:from=data").readers == {}


def test_a_model_that_takes_no_such_files_cannot_read() -> None:
    ready = planned("transcript:from=model")
    ready.adapter.accepts = frozenset({"text"})
    with pytest.raises(SpecError, match="openai/m takes no audio, so it can't read for 'transcript") as refused:
        plan_readers(ready.conditions, ready.benchmark, ready.adapter, ready.prompts, {})
    assert refused.value.exit_code == 2


def test_settings_of_a_reader_need_a_reader() -> None:
    for conditions in ((), ("blind",), ("transcript:from=model",)):
        with pytest.raises(SpecError, match="need a Condition that names a model") as refused:
            planned(*conditions, reader_base_url=NOWHERE)
        assert (conditions[0] if conditions else "no Condition") in str(refused.value.got)
        assert "-M" in str(refused.value.fix)


def test_texts_that_were_read_are_in_the_questions(tmp_path: Path) -> None:
    with MockProcess(answer="text:脚步声，火车鸣笛。") as server:
        ready = planned("transcript:from=model", "blind", base_url=server.base_url)
        assert len(ready.unread) == 1
        folder = RunFolder.create(tmp_path / "run", ready.manifest)
        conditions, outcomes = made_ready(ready, folder, MediaReader(ready.data), RunOptions(concurrency=2))
        asked = server.stats()["received"]
        again, more = made_ready(ready, folder, MediaReader(ready.data), RunOptions(concurrency=2))
        assert server.stats()["received"] == asked, "what was read is in the folder"
    assert len(conditions) == len(again) == 2 and not getattr(conditions[0], "wants", None)
    assert [outcome.counts for outcome in outcomes] == [{"answered": asked}] and not any(o.counts for o in more)
    for item in ready.items():
        assert any("脚步声，火车鸣笛。" in part.text for part in conditions[0].apply(item).parts)


def test_reading_that_ends_early_leaves_the_conditions_unready(tmp_path: Path) -> None:
    with MockProcess(answer="text:x") as server:
        ready = planned("transcript:from=model", "blind", base_url=server.base_url)
        folder = RunFolder.create(tmp_path / "run", ready.manifest)
        options = RunOptions(concurrency=1, budget_tokens=1)
        conditions, outcomes = made_ready(ready, folder, MediaReader(ready.data), options)
    assert conditions == () and outcomes[-1].stopped and "budget" in outcomes[-1].stopped
