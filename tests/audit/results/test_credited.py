"""Replies that the authors' rule counts as correct although they choose another letter."""

from __future__ import annotations

import json
from pathlib import Path

from triptych.api import audit_run

QUESTION = "问题：诗中是什么？\nA. 浮云\nB. 落花\nC. 流水\nD. 朝露\n答案："


def mcga(path: Path, replies: list[str], key: str = "A") -> Path:
    """Questions of SU with a reply each, in the released form."""
    rows = [
        {
            "id": f"c-{n:03}",
            "audio": "a.ogg",
            "split": "test",
            "asr": "对酒当歌",
            "su": QUESTION,
            "su_a": key,
            "su_r": reply,
        }
        for n, reply in enumerate(replies)
    ]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def told(path: Path) -> list[str]:
    return [f.message for f in audit_run([path], benchmark="mcga") if f.kind == "reading"]


def test_letters_that_a_reply_only_mentions_are_counted(tmp_path: Path) -> None:
    replies = ["A项错误，答案是B", "C. 流水", "A", "不是A，而是D。", "答案是A", "我不知道"]
    (message,) = told(mcga(tmp_path / "MCGA_su_test.jsonl", replies))
    assert "another option than the reply's in 2 of 5 replies that choose one" in message
    assert "(B)" in message and "(D)" in message


def test_replies_that_name_one_letter_are_no_finding(tmp_path: Path) -> None:
    assert told(mcga(tmp_path / "MCGA_su_test.jsonl", ["A", "B", "答案是C", "选A"])) == []
