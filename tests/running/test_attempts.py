"""Two attempts: the second sitting asks what can't be read, once; what the journal holds is asked of nobody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Message, Request, Response, text
from triptych.running.attempts import ask_twice, entries
from triptych.running.loop import RunOptions
from triptych.store.folder import Entry
from triptych.store.journals.replies import ReplyJournal

QUESTIONS = ("clear", "late", "never")


class Mumbling(SimpleAdapter):
    """Says "yes" at once to `clear`, at the second attempt to `late`, and never to `never`."""

    name = "toy/mumbling"

    def __init__(self) -> None:
        super().__init__({})
        self.asked: list[tuple[str, int]] = []

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked.append((request.id, request.repeat))
        return Reply("yes" if request.id == "clear" or (request.id == "late" and request.repeat % 2) else "hm")


def requests(attempt: int, heard: Mapping[Entry, Response]) -> Iterator[Request]:
    for name in QUESTIONS:
        own = entries(name, "c")
        if not attempt or heard[own[0]].text != "yes":
            yield Request(name, (Message("user", (text("?"),)),), {}, "c", own[attempt][2])


def test_what_cannot_be_read_is_asked_once_more_and_then_never_again(tmp_path: Path) -> None:
    model, journal = Mumbling(), ReplyJournal(tmp_path, "j")
    sittings = list(ask_twice(requests, model, journal, MediaReader(None), RunOptions()))
    assert len(sittings) == 2
    assert sorted(model.asked) == [("clear", 0), ("late", 0), ("late", 1), ("never", 0), ("never", 1)]
    again = Mumbling()
    assert list(ask_twice(requests, again, journal, MediaReader(None), RunOptions())) == []
    assert again.asked == []


def test_each_evaluation_has_entries_of_its_own() -> None:
    assert entries("s", "c") == (("s", "c", 0), ("s", "c", 1))
    assert entries("s", "c", 3) == (("s", "c", 6), ("s", "c", 7))
