"""What is sent: our prompts, the authors' own, the audio limit by model; and what the manifest says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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


def sent(task: str, **how: Any) -> tuple[list[str], str]:
    """The texts (and paths) of the first Request of a task, the system's first; and what the manifest says."""
    ready = plan(f"mcga/{task}", "baseline/reference", **how)
    request = next(iter(ready.requests()))
    return [p.text or p.path for m in request.messages for p in m.parts], ready.manifest.prompt


def test_audio_first_then_the_text() -> None:
    texts, name = sent("su")
    assert texts[0] == "audio/guanju-000.ogg" and "问题：" in texts[1] and texts[1].startswith("根据这段朗诵")
    assert name == "su"
    (text,), name = sent("lu")
    assert text.startswith("原文：关关雎鸠") and "问题：" in text
    assert name == "lu"


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


@pytest.mark.parametrize(
    ("model", "settings", "seconds"),
    [
        ("openai/stepfun-ai/Step-Audio-2-mini", {}, 29.9),
        ("openai/Qwen3-Omni", {}, 30.0),
        ("openai/Qwen3-Omni", {"audio_seconds": "20"}, 20.0),
        ("openai/Qwen3-Omni", {"audio_seconds": "0"}, 0.0),
    ],
)
def test_the_audio_limit_by_model_and_as_told(model: str, settings: dict[str, str], seconds: float) -> None:
    ready = plan("mcga/asr", model, base_url="http://127.0.0.1:9/v1", settings=settings)
    assert ready.manifest.audio_seconds == seconds
    part = next(iter(ready.requests())).media_parts[0]
    assert part.transform == (f"cut:seconds={seconds:g}" if seconds else "")
    assert "audio_seconds" not in ready.manifest.decoding
    assert plan("cmdar", "baseline/first").manifest.audio_seconds == 0
    with pytest.raises(SpecError):
        plan("mcga/asr", model, base_url="http://127.0.0.1:9/v1", settings={"audio_seconds": "long"})


def test_of_several_splits_the_papers_is_asked(tmp_path: Path) -> None:
    """The corpus is released with train and val, too; the paper evaluates test."""
    rows = [
        {"audio": f"{name}.wav", "asr": "关关雎鸠", "split": split} for name, split in (("a", "train"), ("b", "test"))
    ]
    for row in rows:
        (tmp_path / f"MCGA_asr_{row['split']}.jsonl").write_text(json.dumps(row))
        (tmp_path / row["audio"]).write_bytes(b"x")

    def asked(**how: Any) -> list[str]:
        ready = plan("mcga/asr", "baseline/reference", data=str(tmp_path), **how)
        return [item.id for item in ready.items()]

    assert asked() == ["mcga/asr/b"]
    assert asked(filters={"split": ["train", "test"]}) == ["mcga/asr/b", "mcga/asr/a"]
    (tmp_path / "MCGA_asr_test.jsonl").unlink()
    assert asked() == ["mcga/asr/a"], "a folder with one split is asked as it is"
