"""Tests of `running/leases/files.py`: A lease on disk."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import request
from triptych.records import Response
from triptych.running.leases.files import FOLDER, Grant, left_behind
from triptych.running.leases.files import WorkerLine as Line
from triptych.store.journals.journal import JournalWriter


def test_without_the_fence_a_zombie_would_have_written_twice(tmp_path: Path) -> None:
    """Two workers hold one lease in turn: what both wrote has every answer twice, what the driver read has it once."""
    questions = [request(n) for n in range(4)]
    first = Grant.write(tmp_path / FOLDER, "s-1-0", questions)
    slow, quick = JournalWriter(first.replies), []
    slow.append(Line(Response("00000", "", 0, "answered", "zombie")))
    first.fence()
    quick += [told.response for told in first.collect()]
    second = Grant.write(tmp_path / FOLDER, "s-1-1", first.pending.values())
    for question in questions[1:]:
        slow.append(Line(Response(question.id, "", 0, "answered", "zombie")))  # it has not seen the fence
    slow.close()
    successor = JournalWriter(second.replies)
    for question in second.pending.values():
        successor.append(Line(Response(question.id, "", 0, "answered", "successor")))
    successor.close()
    written = b"".join(path.read_bytes() for path in (first.replies, second.replies)).count(b"\n")
    quick += [told.response for told in second.collect()]
    assert written == 7, "without the fence, three answers are there twice"
    assert [(r.item, r.text) for r in quick] == [("00000", "zombie")] + [(f"{n:05}", "successor") for n in (1, 2, 3)]
    assert not first.requests_file.exists(), "and the zombie sees that it has to stop"


def test_an_incomplete_line_is_not_a_reply(tmp_path: Path) -> None:
    grant = Grant.write(tmp_path, "s-1-0", [request(0)])
    grant.replies.write_bytes(b'{"response":{"item":"00000","condition":"","repe')
    assert list(grant.collect()) == [] and len(left_behind(tmp_path)) == 1
