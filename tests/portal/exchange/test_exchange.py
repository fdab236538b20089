"""The circle with a build: tasks pushed, recorded, checked, one recorded again, pulled, built; and a withdrawal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from tests.construction.recipes.test_mcga import config
from tests.voices import syllables
from triptych.construction.build import build
from triptych.media.sound.coding import encode_wav
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push
from triptych.portal.project import Portal
from triptych.portal.store.tables import exports, submissions

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")


__all__ = ["config"]

RATE = 48_000


def wav(number: int, level: float = 0.3) -> bytes:
    return encode_wav(syllables(3.0, number, RATE, level).reshape(-1, 1), RATE)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_results_of_other_origin_are_kept(config: Path, tmp_path: Path, small: Portal) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    push(Local(small), to, "record")
    task = lines(to / "tasks/record.jsonl")[0]
    other = {"id": task["id"], "shown": task["shown"], "person": "P1", "values": {"audio": "x.wav", "gender": "man"}}
    (to / "results").mkdir()
    (to / "results/record.jsonl").write_text(json.dumps(other) + "\n", encoding="utf-8")
    assert pull(Local(small), to, "record").others == 1
    assert lines(to / "results/record.jsonl") == [other]
    with small.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(exports)).scalar() == 1
        assert connection.execute(select(func.count()).select_from(submissions)).scalar() == 0
