"""Tests of `construction/asking/replayed.py`: replies that were made elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction import toy
from triptych.construction.asking.replayed import with_replies
from triptych.construction.build import build
from triptych.errors import DataError, SpecError, TriptychError
from triptych.models.replay import Replay
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


def replayed(base: Path, name: str = "replies.jsonl") -> Replay:
    return Replay("lab", {"path": name} if name else {})


def test_another_table_is_another_model_and_the_same_one_the_same(tmp_path: Path) -> None:
    (tmp_path / "replies.csv").write_text("id,text\na/0,诗\n", encoding="utf-8")
    (tmp_path / "copy.csv").write_text("id,text\na/0,诗\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("id,text\na/0,词\n", encoding="utf-8")
    revisions = [
        with_replies(replayed(tmp_path, name), tmp_path).revision for name in ("replies.csv", "copy.csv", "other.csv")
    ]
    assert revisions[0] == revisions[1] != revisions[2]


def test_a_table_that_changes_between_two_builds_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    revisions = []
    for text in ("One", "Two", "One"):
        path.write_text(json.dumps({"id": "a/0", "text": text}) + "\n", encoding="utf-8")
        revisions.append(with_replies(replayed(tmp_path), tmp_path).revision)
    assert revisions[0] == revisions[2] != revisions[1]


def test_a_model_that_is_asked_stays_as_it_is(tmp_path: Path) -> None:
    adapter = toy.Counting({})
    assert with_replies(adapter, tmp_path) is adapter and adapter.revision == toy.Counting({}).revision


def test_replies_without_a_path_or_outside_the_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="replay/lab needs replies") as error:
        with_replies(replayed(tmp_path, ""), tmp_path)
    assert "path" in str(error.value)
    (tmp_path / "secret.jsonl").write_text('{"id":"a","text":"b"}\n')
    (tmp_path / "base").mkdir()
    for name in ("../secret.jsonl", "missing.jsonl"):
        with pytest.raises(TriptychError) as refused:
            with_replies(replayed(tmp_path, name), tmp_path / "base")
        assert Path(name).name in str(refused.value)
