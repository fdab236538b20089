"""Words in a recording's place, beside it, or a description of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.conditions.condition import find_condition
from triptych.errors import DataError, SpecError
from triptych.records import Item, media, text

ITEM = Item(
    "b/1",
    "b/t",
    (media("audio", "a.wav", "content"), media("audio", "b.wav", "content"), text("谁？", "question")),
    hidden={"transcript": "学而时习之"},
)


def parts(item: Item) -> list[str]:
    return [part.text or part.path for part in item.parts]


def test_the_true_words_stand_in_the_recordings_place() -> None:
    condition = find_condition("transcript:from=data")
    assert parts(condition.apply(ITEM)) == ["录音中所说的内容如下：\n学而时习之", "谁？"]
    assert condition.apply(condition.apply(ITEM)) == condition.apply(ITEM)
    assert condition.name == "transcript:from=data"
    beside = find_condition("transcript:from=data,place=beside")
    assert parts(beside.apply(ITEM)) == ["a.wav", "b.wav", "录音中所说的内容如下：\n学而时习之", "谁？"]
    assert beside.name == "transcript:from=data,place=beside"


def test_without_the_true_words_the_run_stops() -> None:
    with pytest.raises(DataError, match="no text for this recording"):
        find_condition("transcript:data").apply(Item("i", "t", (media("audio", "a.wav"),)))


def test_a_table_tells_of_each_recording(tmp_path: Path) -> None:
    (tmp_path / "asr.json").write_text(json.dumps({"a.wav": "one", "b.wav": "two"}))
    condition = find_condition(f"transcript:table={tmp_path / 'asr.json'}")
    assert parts(condition.apply(ITEM)) == ["录音中所说的内容如下：\none\ntwo", "谁？"]
    assert condition.name.startswith("transcript:name=asr@")


def test_a_description_has_no_true_one() -> None:
    with pytest.raises(SpecError, match="unknown source"):
        find_condition("description:from=data")
    with pytest.raises(SpecError, match="one source"):
        find_condition("description")


def test_a_recording_that_is_only_cut_has_the_words_of_the_whole_and_a_changed_one_has_not(tmp_path: Path) -> None:
    (tmp_path / "asr.json").write_text(json.dumps({"a.wav": "one", "b.wav": "two"}))
    condition = find_condition(f"transcript:table={tmp_path / 'asr.json'}")
    cut = find_condition("cut:seconds=30").apply(ITEM)
    assert parts(condition.apply(cut)) == ["录音中所说的内容如下：\none\ntwo", "谁？"]
    with pytest.raises(DataError, match="no text for this recording"):
        condition.apply(find_condition("noise").apply(cut))


def test_a_benchmark_that_cuts_its_recordings_has_them_read_as_they_are_asked(tmp_path: Path) -> None:
    result = triptych.run(
        "mcga", "baseline/reference", tasks=["sqa"], limit=1, conditions=["transcript:from=model"], out=tmp_path / "run"
    )
    assert result.outcome.counts == {"answered": 1}
