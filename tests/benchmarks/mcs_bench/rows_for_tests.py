"""Rows of the released form, and Units of any kind of Task, for the tests of this folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from triptych.benchmarks.mcs_bench.rows import tasks
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response, ResponseStatus, media, text

OCR = {
    "ID": 1,
    "Task_ID": 1,
    "Image": "images/a.jpg",
    "Question_Simplified": "按古代阅读顺序识别图中古籍内的文字内容。\n要求：请只输出识别结果，不要有其他无关内容。",
    "Answer_Simplified": "学而时习之",
    "Question_Traditional": "按古代閱讀順序識別圖中古籍內的文字內容。\n要求：請只輸出識別結果，不要有其他無關內容。",
    "Answer_Traditional": "學而時習之",
}
CHOICE = {
    "ID": "7",
    "Task_ID": 36,
    "Image": "./images/b.jpg",
    "Question_Simplified": "这件文物属于？\nA、雕塑、造像 B、铜器 C、瓷器 D、档案文书\n"
    "要求：只输出选项对应的字母，不要输出其他无关内容。",
    "Answer_Simplified": "B",
}


def write(folder: Path, *rows: Any, name: str = "MCS-Bench.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def unit(task: str, target: str, reply: str, status: ResponseStatus = "answered") -> Unit:
    facets = dict(tasks()[f"mcs_bench/{task}"].facets)
    choice = facets["kind"] == "choice"
    item = Item(
        f"mcs_bench/{task}/1",
        f"mcs_bench/{task}",
        (media("image", "a.jpg", "content"), text("问", "question")),
        labels=tuple("ABCD") if choice else (),
        answer="letter" if choice else "text",
        target=target,
        facets=facets,
    )
    return Unit((item,), (Response(item.id, "", 0, status, reply),))
