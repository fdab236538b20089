"""Recordings that a later stage sends back are found by their SHA-256, whatever was split before or after."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from triptych.construction.engine.folder import BuildFolder, DecisionLine, StageCounts
from triptych.construction.people.sent_back import returned_media
from triptych.construction.record import Child, Outcome, kept, pending, split
from triptych.errors import DataError

ONE, TWO, THREE = (letter * 64 for letter in "abc")


def value(sha: str) -> str:
    return f"media/{sha[:2]}/{sha}.wav"


def folder_of(path: Path, decisions: dict[str, list[tuple[str, Outcome]]]) -> BuildFolder:
    """A build with these stages and decisions."""
    made = BuildFolder(path)
    for number, (stage, lines) in enumerate(decisions.items(), 1):
        place = path / "stages" / f"{number:02}-{stage}"
        place.mkdir(parents=True)
        made.write_lines(place, [DecisionLine(id, "key", outcome) for id, outcome in lines])
    counts = [StageCounts(stage, 1, 1, 1, {}) for stage in decisions]
    (path / "funnel.json").write_bytes(msgspec.json.encode(counts))
    return made


def test_what_is_sent_back_is_named_by_its_content(tmp_path: Path) -> None:
    children = [Child("man", {"audio": value(ONE), "gender": "man"}), Child("woman", {"audio": value(TWO)})]
    folder = folder_of(
        tmp_path,
        {
            "record": [("w/000/asr", split(children)), ("w/001/asr", kept(audio=value(THREE)))],
            "cut": [("w/000/asr/man", split([Child("0"), Child("1")]))],
            "double-asr": [
                ("w/000/asr/man/1", pending("record-again", "asr_a 0.30")),
                ("w/000/asr/woman", kept()),
                ("w/001/asr", pending("waits-for-people")),
                ("w/001/asrs", pending("record-again")),
            ],
        },
    )
    assert returned_media(folder, "record") == {ONE: "asr_a 0.30"}
    assert returned_media(folder, "double-asr") == returned_media(folder, "unknown") == {}


def test_a_build_that_has_not_run_sends_nothing_back(tmp_path: Path) -> None:
    assert returned_media(BuildFolder(tmp_path), "record") == {}


def test_damaged_records_are_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"record": [("w", kept(audio=value(ONE)))], "check": [("w", kept())]})
    (tmp_path / "stages/02-check/records.jsonl").write_text("{}\n")
    with pytest.raises(DataError, match="a journal has a line"):
        returned_media(folder, "record")
