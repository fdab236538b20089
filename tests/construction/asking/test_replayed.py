"""Tests of `construction/asking/replayed.py`: replies that were made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction import toy
from triptych.construction.build import build
from triptych.errors import DataError
from triptych.running.loop import RunOptions

pytestmark = pytest.mark.usefixtures("counting")


def test_replies_that_were_made_elsewhere_fill_a_role(tmp_path: Path) -> None:
    told = {"question": "What swims?", "answer": "One"}
    path = tmp_path / "replies.jsonl"
    (tmp_path / "own.toml").write_text(
        'texts = { a = "One fish swims. No reply" }\n[models.maker]\nmodel = "replay/lab"\n'
        'settings = { path = "replies.jsonl" }\n',
        encoding="utf-8",
    )
    path.write_text(json.dumps({"id": "a/0", "text": json.dumps(told)}) + "\n", encoding="utf-8")
    built = build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b", options=RunOptions(retries=0))
    assert built.counts[-1].decisions == {"kept": 1, "failed": 1}
    row = json.dumps({"id": "a/1", "text": json.dumps({**told, "answer": "No"})})
    path.write_text(f"{path.read_text(encoding='utf-8')}{row}\n", encoding="utf-8")
    assert build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b").counts[-1].decisions == {"kept": 2}
    assert '"name":"replay/lab"' in (tmp_path / "b/out/provenance.jsonl").read_text(encoding="utf-8")
    path.write_text('{"reply": "x"}\n', encoding="utf-8")
    with pytest.raises(DataError, match="no column 'id'"):
        build(toy.RECIPE, tmp_path / "own.toml", tmp_path / "b")
