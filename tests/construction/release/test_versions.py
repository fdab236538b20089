"""Versions of an output: withdrawn records are named nowhere, whether or not the build was complete at the time."""

from __future__ import annotations

from pathlib import Path

from triptych.construction.engine.folder import BuildFolder
from triptych.construction.record import Record
from triptych.construction.release.versions import (
    MEMBERSHIP,
    RELEASE,
    forget_records,
    keep_release,
    release,
)


def test_a_record_withdrawn_while_others_wait_is_counted_and_not_named(tmp_path: Path) -> None:
    folder = BuildFolder(tmp_path)
    rows = [Record(id, {"split": "test"}) for id in ("a", "b", "c/0")]
    keep_release(folder, release(folder, rows, complete=True))
    folder.write_json(MEMBERSHIP, dict.fromkeys(("a", "b", "c/0"), "test"))
    gone = frozenset({"c"})
    forget_records(folder, gone)
    keep_release(folder, release(folder, rows[:1], complete=False))  # the others wait for a reply
    assert "c/0" not in (tmp_path / RELEASE).read_text() + (tmp_path / MEMBERSHIP).read_text()
    made = release(folder, rows[:2], complete=True)
    assert made.version == 2 and made.withdrawn == 0
    assert made.changes[-1].withdrawn == 1 and made.changes[-1].removed == ()
    keep_release(folder, made)
    assert release(folder, rows[:2], complete=True).version == 2
