"""Two attempts: the second sitting asks what can't be read, once; what the journal holds is asked of nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from triptych.media.payload import MediaReader
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Message, Request, Response, text
from triptych.running.attempts import Planned, ask_twice, entries
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


def test_a_planned_request_is_made_when_it_is_sent_and_not_for_what_is_done(tmp_path: Path) -> None:
    made: list[str] = []

    def planned(names: Sequence[str]) -> Callable[[int, Mapping[Entry, Response]], Planned]:
        def make(number: int) -> Request:
            made.append(names[number])
            return Request(names[number], (Message("user", (text("?"),)),), {}, "c", 0)

        return lambda attempt, heard: Planned([(name, "c", 0) for name in names], make)

    journal = ReplyJournal(tmp_path, "j")
    list(ask_twice(planned(["a", "b"]), Mumbling(), journal, MediaReader(None), RunOptions(), attempts=1))
    assert sorted(made) == ["a", "b"]
    made.clear()
    model = Mumbling()
    (outcome,) = ask_twice(planned(["a", "b", "c"]), model, journal, MediaReader(None), RunOptions(), attempts=1)
    assert made == ["c"] and model.asked == [("c", 0)]
    assert outcome.already == 2
    made.clear()
    assert list(ask_twice(planned(["a", "c"]), model, journal, MediaReader(None), RunOptions(), attempts=1)) == []
    assert made == []
