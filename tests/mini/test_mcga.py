"""The MCGA-like mini set as it ships: the released form, all genres, even keys. Nothing is synthesised here."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import soundfile
from tools.mini import mcga_set

import triptych.benchmarks
from triptych.benchmarks.mcga.names import DYNASTIES, GENRES
from triptych.construction.stages.recording import reading_error_rate

ROOT = Path(triptych.benchmarks.__file__).parent / "mcga" / "mini"
HEAD = ["id", "audio", "split", "genre", "dynasty", "asr"]
KEYS = {
    "asr": [],
    "s2tt": ["s2tt"],
    "sec": ["sec_1", "sec_2", "sec_3"],
    "sqa": ["sqa", "sqa_a"],
    "su": ["su", "su_a"],
    "sr": ["sr", "sr_a"],
}


def rows(task: str) -> list[dict[str, Any]]:
    lines = (ROOT / f"MCGA_{task}_test.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("task", KEYS)
def test_released_form(task: str) -> None:
    for row in rows(task):
        assert list(row) == HEAD + KEYS[task]
        assert row["split"] == "test"
    assert [row["audio"] for row in rows(task)] == [row["audio"] for row in rows("asr")]


def test_all_genres_and_most_dynasties() -> None:
    assert Counter(row["genre"] for row in rows("asr")).keys() == set(GENRES)
    found = {row["dynasty"] for row in rows("asr")}
    assert found < set(DYNASTIES) and len(found) >= 9


@pytest.mark.parametrize("task", ["su", "sr"])
def test_every_letter_is_the_key_as_often(task: str) -> None:
    assert set(Counter(row[f"{task}_a"] for row in rows(task)).values()) == {len(rows(task)) // 4}


def test_no_question_of_fact_is_answered_by_a_constant() -> None:
    assert max(Counter(row["sqa_a"] for row in rows("sqa")).values()) <= 4


def test_captions_hold_the_text_sentence_by_sentence_and_the_voice_as_it_is() -> None:
    people = mcga_set.returned()
    for row in rows("sec"):
        lines = [line.split("|") for line in row["sec_3"].split("\n")]
        assert "".join(words for words, _ in lines) == row["asr"]
        assert all(emotion for _, emotion in lines)
        voice = people[row["id"].partition("-")[0]]["voice"]
        assert (
            row["sec_1"]
            == {
                "woman": "一位女性，青年。",
                "lady": "一位女性，青年。",
                "man": "一位男性，青年。",
                "grandpa": "一位男性，老年。",
            }[voice]
        )


def test_two_recognisers_heard_what_is_read() -> None:
    """The recipe replays what `listen` wrote; both rates, over syllables, are in reach of its thresholds."""
    rates = {}
    for name in ("prompted", "alone"):
        for line in (mcga_set.FOLDER / f"whisper_{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            work = row["id"].partition("/")[0]
            rates[name, work] = reading_error_rate(mcga_set.works()[work]["text"], row["text"], "syllables")
    assert {work for _, work in rates} == set(mcga_set.works())
    assert all(min(rates["prompted", work], rates["alone", work]) <= 0.3 for work in mcga_set.works())
    heard = json.loads((mcga_set.FOLDER.parent / "heard.json").read_text(encoding="utf-8"))["mcga"]["clips"]
    told = (mcga_set.FOLDER / "whisper_prompted.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["text"] for line in told] == [clip["heard"] for clip in heard.values()]


def test_audio_is_there_of_the_released_length_and_nothing_else_is() -> None:
    named = {row["audio"] for row in rows("asr")}
    assert named == {f"audio/{file.name}" for file in (ROOT / "audio").iterdir()}
    for name in named:
        assert 3.5 <= soundfile.info(ROOT / name).duration <= 30
    assert sum(file.stat().st_size for file in ROOT.rglob("*") if file.is_file()) < 1_500_000


def test_translations_are_english_and_questions_end_as_released() -> None:
    assert all(row["s2tt"].isascii() for row in rows("s2tt"))
    assert all(row["su"].startswith("问题：") and row["su"].endswith("\n答案：") for row in rows("su"))
