"""Errors on common and uncommon characters, counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych import api
from triptych.analysis.errors.characters import is_common, tally
from triptych.api.errors import analyse_errors
from triptych.errors import SpecError


def test_level_1_of_gb_2312_has_3755_characters() -> None:
    every = [chr(code) for code in range(0x3400, 0xA000)]
    assert sum(map(is_common, every)) == 3755
    assert is_common("之") and not is_common("鼯") and not is_common("說") and not is_common("a")


def test_replaced_and_lost_characters_are_counted_and_insertions_are_not() -> None:
    found = tally([("不亦说乎！", "不亦悦乎"), ("学而时习之", "学而习之"), ("山", "山山")])
    assert found.wrong == {"说": 1, "时": 1} and found.instead["说"] == {"悦": 1} and found.instead["时"] == {"": 1}
    assert found.seen["之"] == 1 and not tally([("abc", "")]).seen


def test_a_run_of_recognition(tmp_path: Path) -> None:
    rows = [
        {"audio": "a.wav", "split": "test", "genre": "诗", "dynasty": "唐", "asr": "鼯鼠飞", "asr_r": "吾鼠飞"},
        {"audio": "b.wav", "split": "test", "genre": "诗", "dynasty": "唐", "asr": "山水", "asr_r": "山谁"},
    ]
    path = tmp_path / "MCGA_asr_test.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    api.run("mcga/asr", "replay/x", settings={"path": str(path)}, out=tmp_path / "run")
    section = analyse_errors([tmp_path / "run"], by="character")
    rates = {one.slice["characters"]: (one.value, one.n, one.counts["errors"]) for one in section.estimates}
    assert rates == {"common": (25.0, 4, 1), "uncommon": (100.0, 1, 1)}
    assert {row[0]: row[3] for row in section.listings[0].rows} == {"鼯": "吾 1", "水": "谁 1"}
    with pytest.raises(SpecError, match="no transcripts"):
        analyse_errors([tmp_path / "run"], by="character", tasks=["su"])
