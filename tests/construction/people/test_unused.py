"""Results about something else than the build asks aren't used; the build says so, with the command to list them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from triptych.cli.main import app
from triptych.construction.engine.folder import BuildFolder, StageCounts
from triptych.construction.people.stage import Task, write_tasks
from triptych.construction.people.unused import NO_STAGE, NOT_ASKED, OLDER, unused_results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    counts = [StageCounts("review", 1, 1, 1, {"kept": 1}), StageCounts("other", 1, 1, 1, {"kept": 1})]
    (tmp_path / "funnel.json").write_bytes(msgspec.json.encode(counts))
    (tmp_path / "build.json").write_text('{"recipe": "mcga", "version": "1", "config": {}, "stages": []}')
    for name in ("01-review", "02-other"):
        (tmp_path / "stages" / name).mkdir(parents=True)
    write_tasks(tmp_path / "stages/01-review/tasks.jsonl", [Task("r1", "now", "review", {}, {})])
    results = [("r1", "now"), ("r1", "before"), ("r9", "now")]
    lines = [json.dumps({"id": i, "shown": s, "person": "P1", "values": {"verdict": "approve"}}) for i, s in results]
    (tmp_path / "results").mkdir()
    for name in ("review", "reviews", "other", "review.votes"):
        (tmp_path / f"results/{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_results_about_older_texts_other_records_and_other_stages(folder: Path) -> None:
    listed = [(each.stage, each.id, each.why) for each in unused_results(BuildFolder(folder))]
    assert listed[:2] == [("review", "r1", OLDER), ("review", "r9", NOT_ASKED)]
    assert listed[2:] == [("reviews", id, NO_STAGE) for id in ("r1", "r1", "r9")]  # `other` asks a model


def test_the_command_lists_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from triptych.cli.build_messages import _say_unused

    _say_unused(folder)
    told = capsys.readouterr().err
    assert "review 1 (about another version of the record)" in " ".join(told.split())
    assert "--unused` lists them" in " ".join(told.split())
    with pytest.raises(SystemExit) as ended:
        app(["build", "status", str(folder), "--unused"])
    assert not ended.value.code
    assert "review  r1  P1  about another version of the record" in capsys.readouterr().out
