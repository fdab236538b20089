"""Tests of `benchmarks/mcga/authors.py`: the authors' own prompts, if the user has their file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.mcga.test_mcga_asking import sent
from triptych.benchmarks.mcga.authors import read_prompts
from triptych.errors import SpecError
from triptych.experiment.planning import plan

PACK = {
    "asr": {"system": "听写", "instruction": "写下来"},
    "su": {"system": "理解", "instruction": "{su}\n用 {json} 回答"},
}


def pack(folder: Path, prompts: dict[str, Any] = PACK) -> Path:
    path = folder / "prompts.jsonl"
    path.write_text("".join(json.dumps({k: v}, ensure_ascii=False) + "\n" for k, v in prompts.items()), "utf-8")
    return path


def test_the_authors_own_words_where_the_user_has_them(tmp_path: Path) -> None:
    how = {"prompt": f"authors:{pack(tmp_path)}"}
    texts, name = sent("su", **how)
    assert texts[0] == "理解" and texts[1] == "audio/guanju-000.ogg"
    assert texts[2].startswith("问题：") and texts[2].endswith("用 {json} 回答"), "other braces stay as they are"
    assert name.startswith("authors@")
    system, text = sent("lu", **how)[0]
    assert system == "理解"
    assert text.startswith("文本: 关关雎鸠") and "\n任务: 问题：" in text


def test_another_file_is_another_run(tmp_path: Path) -> None:
    first = sent("asr", prompt=f"authors:{pack(tmp_path)}")[1]
    assert first != sent("asr", prompt=f"authors:{pack(tmp_path, {'asr': {'instruction': 'x'}})}")[1]


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="no prompt for a task"):
        sent("sec", prompt=f"authors:{pack(tmp_path)}")
    with pytest.raises(SpecError, match="can't be read"):
        read_prompts(tmp_path / "none.jsonl")
    with pytest.raises(SpecError, match="none of the tasks"):
        read_prompts(pack(tmp_path, {"ocr": {"instruction": "x"}}))
    with pytest.raises(SpecError, match="a line is not a prompt"):
        read_prompts(pack(tmp_path, {"asr": "x"}))
    with pytest.raises(SpecError, match="no prompt file"):
        plan("cmdar", "baseline/first", prompt=f"authors:{pack(tmp_path)}")


def test_the_real_pack(shared_data: Path) -> None:
    prompts = read_prompts(shared_data / "mcga" / "mcga_prompt.jsonl")
    assert list(prompts) == ["asr", "s2tt", "sec", "sqa", "su", "sr", "mt", "qa", "lu", "lr"]
    assert prompts["sqa"].content == ("{content}", "{question}")
    assert prompts["qa"].content == ("文本: {content}\n任务: {question}",)
    assert prompts["asr"].system.startswith("You are")
