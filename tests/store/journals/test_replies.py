"""Replies are found by their entry and read from the journal when they are wanted; the last of two counts."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from triptych.records import Response
from triptych.store.journals.replies import ReplyJournal


def filled(folder: Path) -> ReplyJournal:
    journal = ReplyJournal(folder, "judge")
    with journal.writer() as writer:
        for item, repeat, status, text in (
            ("a", 0, "answered", "first"),
            ("b", 0, "failed", ""),
            ("a", 1, "answered", "second attempt"),
            ("a", 0, "answered", "later"),
            ("c", 0, "failed", ""),
            ("c", 0, "answered", "七言 \\n"),
        ):
            writer.add_response(Response(item, "x", repeat, status, text))  # type: ignore[arg-type]
    return journal


def test_replies_on_disk_are_those_of_the_whole_journal(tmp_path: Path) -> None:
    journal = filled(tmp_path)
    latest = journal.latest_replies()
    with closing(journal.on_disk()) as replies:
        assert dict(replies) == latest
        assert len(replies) == len(latest) == 4
        assert replies["a", "x", 0].text == "later"
        assert ("a", "x", 2) not in replies and replies.get(("z", "x", 0)) is None
        with pytest.raises(KeyError):
            replies["z", "x", 0]


def test_replies_that_are_appended_later_are_not_seen_and_disturb_nothing(tmp_path: Path) -> None:
    journal = filled(tmp_path)
    with closing(journal.on_disk()) as replies:
        with journal.writer() as writer:
            writer.add_response(Response("a", "x", 0, "answered", "last"))
        assert replies["a", "x", 0].text == "later"
    with closing(journal.on_disk()) as replies:
        assert replies["a", "x", 0].text == "last"


def test_what_is_done_is_what_the_last_reply_says(tmp_path: Path) -> None:
    journal = filled(tmp_path)
    assert journal.done() == {("a", "x", 0), ("a", "x", 1), ("c", "x", 0)}
    assert journal.done(frozenset()) == {("a", "x", 0), ("a", "x", 1), ("b", "x", 0), ("c", "x", 0)}
    for statuses in (frozenset[str](), frozenset({"failed"}), frozenset({"answered"})):
        settled, done = journal.settled(statuses), journal.done(statuses)
        assert len(settled) == len(done) and all(
            (entry in settled) is (entry in done) for entry in journal.latest_replies()
        )


def test_a_journal_that_is_not_there_has_no_replies(tmp_path: Path) -> None:
    with closing(ReplyJournal(tmp_path / "none", "judge").on_disk()) as replies:
        assert len(replies) == 0 and dict(replies) == {}
