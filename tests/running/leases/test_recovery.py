"""Tests of `running/leases/recovery.py`: replies that an earlier session left are written to the Run, each once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.running.leases.test_driver import carry, lines
from tests.support.runs import MANIFEST, Told, item, request, requests
from tests.support.teams import LocalTeam
from triptych.errors import DataError
from triptych.records import ErrorInfo, Response, media
from triptych.running.leases.files import FOLDER, Grant
from triptych.running.leases.files import WorkerLine as Line
from triptych.running.leases.recovery import recover, write_reply
from triptych.store.folder import RunFolder
from triptych.store.journals.journal import JournalWriter


def test_replies_that_a_killed_driver_did_not_collect_are_kept_and_written_once(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    grants = [Grant.write(tmp_path / FOLDER, f"s-{n}-0", [request(2 * n), request(2 * n + 1)]) for n in range(3)]
    for grant in grants[:2]:
        writer = JournalWriter(grant.replies)
        for question in grant.pending.values():
            writer.append(Line(Response(question.id, "", 0, "answered", "kept", time=question.id)))
        writer.close()
    with folder.writer() as run:  # the driver had collected one of them
        run.add_item(item(0))
        run.add_response(Response("00000", "", 0, "answered", "kept", time="00000"))
    grants[1].fence()  # and was killed while it ended another
    stray = tmp_path / FOLDER / "s-9-0.replies.jsonl"
    stray.write_bytes(b"{}\n")
    team = LocalTeam(1, lambda n: Told())
    folder, outcome = carry(tmp_path, team, requests(6))
    assert outcome.already == 4 and outcome.counts == {"answered": 2}
    assert lines(folder) == Counter({f"{n:05}": 1 for n in range(6)}) and not (tmp_path / FOLDER).exists()


def left(path: Path, name: str, *responses: Response, hashes: dict[str, str] | None = None, count: int = 2) -> Grant:
    """A grant whose worker wrote these replies and whose driver was killed."""
    grant = Grant.write(path / FOLDER, name, [request(n) for n in range(count)])
    writer = JournalWriter(grant.replies)
    for response in responses:
        writer.append(Line(response, hashes or {}))
    writer.close()
    return grant


def test_a_run_without_leases_is_left_as_it_is(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    with folder.writer() as writer:
        assert recover(folder, writer) == 0
    assert list(folder.history()) == [] and list(folder.items()) == []


def test_a_failure_is_written_and_may_be_followed_by_an_answer(tmp_path: Path) -> None:
    """Two grants of one Request: the first worker failed, the second answered, and neither was collected."""
    folder = RunFolder.create(tmp_path, MANIFEST)
    failed = Response("00000", "", 0, "failed", time="1", error=ErrorInfo("timeout", "no answer within 5 s"))
    left(tmp_path, "s-1-0", failed)
    left(tmp_path, "s-1-1", Response("00000", "", 0, "answered", "第一", time="2"))
    left(tmp_path, "s-1-2", Response("00000", "", 0, "answered", "第二", time="3"))
    with folder.writer() as writer:
        assert recover(folder, writer) == 2
    assert [(r.status, r.text) for r in folder.history()] == [("failed", ""), ("answered", "第一")]
    assert [r.text for r in folder.responses()] == ["第一"]
    with folder.writer() as writer:
        assert recover(folder, writer) == 0, "the files of the leases are gone"
    assert not list((tmp_path / FOLDER).iterdir())


def test_the_item_is_written_once_with_the_hashes_of_the_media_that_were_read(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    digest = "ab" * 32
    asked = [request(7, media("audio", "声/一.wav"), repeat=repeat) for repeat in range(2)]
    with folder.writer() as writer:
        for one in asked:
            write_reply(writer, one, Response(one.id, "", one.repeat, "answered", "A"), {"声/一.wav": digest})
    (item,) = folder.items()
    assert [part.sha256 for part in item.parts if part.is_media] == [digest]
    assert [r.repeat for r in folder.responses()] == [0, 1]


def test_a_damaged_journal_of_a_worker_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, MANIFEST)
    grant = left(tmp_path, "s-1-0")
    grant.replies.write_bytes(b'{"response": "\xff\xfe"}\n')
    with folder.writer() as writer, pytest.raises(DataError, match="a worker's journal is damaged") as error:
        recover(folder, writer)
    assert str(grant.replies) in str(error.value) and "delete the file" in str(error.value)
    assert list(folder.history()) == []
