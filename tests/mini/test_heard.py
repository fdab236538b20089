"""What a recogniser understood of the spoken clips, recorded once by `listen`: of these clips, and well enough."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tools.mini.listen import HEARD, error_rate, overall, spoken

pytestmark = pytest.mark.mini
REPORT: dict[str, dict[str, Any]] = json.loads(HEARD.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["xmodbench", "cmdar", "mcif", "mcga"])
def test_every_clip_was_heard_as_it_is_now(name: str) -> None:
    said = {path: text for path, (text, _) in spoken()[name].items()}
    assert {path: clip["said"] for path, clip in REPORT[name]["clips"].items()} == said


# Classical Chinese is full of words that sound alike: of MCGA's clips the syllables are heard, not the words.
@pytest.mark.parametrize(
    ("name", "limit", "worst"),
    [("xmodbench", 0.03, 0.35), ("cmdar", 0.09, 0.35), ("mcif", 0.09, 0.35), ("mcga", 0.53, 0.75)],
)
def test_it_was_understood(name: str, limit: float, worst: float) -> None:
    clips = REPORT[name]["clips"]
    for clip in clips.values():
        assert clip["cer"] == pytest.approx(error_rate(clip["said"], clip["heard"]), abs=0.001)
    assert REPORT[name]["cer"] == overall(clips) < limit
    assert max(clip["cer"] for clip in clips.values()) < worst


def test_the_overall_rate_weighs_clips_by_their_length() -> None:
    clips = {"a": {"said": "你好。", "cer": 0.5}, "b": {"said": "一二三四五六七八", "cer": 0.0}}
    assert overall(clips) == 0.1
