"""Names: the tasks in speech and in text, the files, and the fields that a run adds to a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

NAME = "mcga"
GENRES = ("诗", "词", "曲", "赋", "文")
DYNASTIES = ("先秦", "汉", "魏晋", "南北朝", "隋", "唐", "五代", "宋", "元", "明", "清")
SPLITS = ("train", "val", "test")
# Speech task -> its text form, in which the clip's text replaces the audio
TEXT_FORM: Mapping[str, str] = {"s2tt": "mt", "sqa": "qa", "su": "lu", "sr": "lr"}
SPEECH_FORM: Mapping[str, str] = {text: speech for speech, text in TEXT_FORM.items()}
SPEECH_TASKS = ("asr", "s2tt", "sec", "sqa", "su", "sr")
TASKS = (*SPEECH_TASKS, *SPEECH_FORM)
# The field that identifies a task's rows; every row has `asr`, so it comes last
_FIELD_BY_TASK = {"sec": "sec_1", "sqa": "sqa_a", "su": "su_a", "sr": "sr_a", "s2tt": "s2tt", "asr": "asr"}
# The authors' text mode keeps the speech tasks' fields; fields named after the text tasks are also read
REPLY_FIELDS: Mapping[str, str] = {
    "asr_r": "asr",
    "s2tt_r": "s2tt",
    "sec_r": "sec",
    "sqa_a_r": "sqa",
    "sqa_r": "sqa",
    "su_r": "su",
    "sr_r": "sr",
    "mt_r": "mt",
    "qa_a_r": "qa",
    "qa_r": "qa",
    "lu_r": "lu",
    "lr_r": "lr",
}
_RELEASED = re.compile(r"mcga_(asr|s2tt|sec|sqa|su|sr)(?:_([a-z]+))?\.jsonl", re.I)


def released(path: Path) -> tuple[str, str] | None:
    """Return (task, split) from a released name, `MCGA_asr_test.jsonl`; the split may be empty. None: another name."""
    release_match = _RELEASED.fullmatch(path.name)
    return (release_match[1].lower(), (release_match[2] or "").lower()) if release_match else None


def task_by_fields(fields: Mapping[str, object]) -> str | None:
    """Return the speech task of a row, by its fields; None if it has no text."""
    return next((task for task, field in _FIELD_BY_TASK.items() if fields.get(field)), None)


def words_of(path: Path) -> list[str]:
    """Return the words of a file's name, in lower case: `qwen2_5_omni_text.jsonl` -> qwen2, 5, omni, text."""
    return re.findall(r"[a-z0-9]+", path.stem.lower())


def speech_form(task: str) -> str:
    """Return the speech task of a task: itself, or the one of which it is the text form."""
    return SPEECH_FORM.get(task, task)
