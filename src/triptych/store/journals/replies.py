"""Journals of replies that are not answers to Items, stored as Responses in the order of asking.

`verdicts/JUDGE.jsonl`: replies of one judge with one rubric; scoring extracts the verdicts from them.
`readings/CONDITION.jsonl`: texts that a model extracted from images or recordings before questions were asked. As in
`responses.jsonl`, the later of two lines about the same entry (subject, condition, repeat) counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from triptych.errors import RunFolderError
from triptych.records import Item, Response, ResponseStatus
from triptych.store.files.lock import locked
from triptych.store.files.run_files import check_place
from triptych.store.folder import Entry
from triptych.store.journals.entry_table import EntryTable
from triptych.store.journals.journal import Journal, JournalWriter


def make_place(path: Path) -> None:
    """Create a folder of journals if needed. Raises RunFolderError if that is impossible or it leads out of its Run."""
    try:
        check_place(path)
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fix = "choose a writable folder (for verdicts: --verdicts DIR)"
        raise RunFolderError("replies can't be stored here", where=path, got=error.strerror, fix=fix) from None


class _Entry(msgspec.Struct, frozen=True, gc=False):
    """The part of a reply by which it is found; decoding only this is faster."""

    item: str
    condition: str
    repeat: int


class _Status(_Entry, frozen=True, gc=False):
    """The part of a reply that decides whether it is asked again."""

    status: ResponseStatus


class Replies(Mapping[Entry, Response]):
    """The valid reply of each entry of a journal. 24 bytes an entry are kept in memory, whatever the length of replies.

    Replies that are appended later are not seen.
    """

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path, Response)
        self._table = EntryTable(
            ((line.item, line.condition, line.repeat), at) for at, line in Journal(path, _Entry).located_records()
        )
        self._file = self._journal.open_file()

    def __getitem__(self, entry: Entry) -> Response:
        position = self._table.get(entry)
        if position is None:
            raise KeyError(entry)
        return self._journal.read_at(self._file, position)

    def __contains__(self, entry: object) -> bool:
        return entry in self._table

    def __iter__(self) -> Iterator[Entry]:
        seen = dict.fromkeys((line.item, line.condition, line.repeat) for line in Journal(self._journal.path, _Entry))
        return (entry for entry in seen if entry in self._table)

    def __len__(self) -> int:
        return len(self._table)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class ReplyJournal:
    """The journal `NAME.jsonl` in `folder`. The run loop writes it like the Responses of a Run."""

    def __init__(self, path: Path, name: str) -> None:
        self.folder: Path = path
        self.path: Path = path / f"{name}.jsonl"

    @property
    def planned(self) -> int | None:
        """None: the number of expected replies is given with each call."""
        return None

    def history(self) -> Iterator[Response]:
        """Yield all replies in the order of writing. Raises DataError for a damaged line."""
        return iter(Journal(self.path, Response))

    def latest_replies(self) -> dict[Entry, Response]:
        """Return the valid reply of each entry."""
        return {response.entry: response for response in self.history()}

    def on_disk(self) -> Replies:
        """Return the valid reply of each entry, each read from the file when it is wanted; close it after use."""
        return Replies(self.path)

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """Return the entries that need not be asked again."""
        latest = {(line.item, line.condition, line.repeat): line.status for line in Journal(self.path, _Status)}
        return {entry for entry, status in latest.items() if status not in retry_statuses}

    def settled(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> EntryTable | set[Entry]:
        """Return the entries of `done` in 24 bytes each, to be looked up."""
        lines = Journal(self.path, _Status)
        return EntryTable(
            ((line.item, line.condition, line.repeat), None if line.status in retry_statuses else 1) for line in lines
        )

    @contextmanager
    def writer(self) -> Iterator[ReplyWriter]:
        """Lock the folder and append. Raises RunFolderError if another process holds the lock or the folder can't be
        written.
        """
        make_place(self.folder)
        with locked(self.folder):
            writer = ReplyWriter(self.path)
            try:
                yield writer
            finally:
                writer.close()


class Reopened(ReplyJournal):
    """A journal in which some entries are asked again regardless of their status, until each has one more reply than
    before.
    """

    def __init__(self, journal: ReplyJournal, entries: frozenset[Entry]) -> None:
        super().__init__(journal.folder, journal.path.stem)
        self._before = Counter(response.entry for response in self.history() if response.entry in entries)

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """Return the entries that need not be asked again."""
        now = Counter(response.entry for response in self.history() if response.entry in self._before)
        waiting = {entry for entry, count in self._before.items() if now[entry] <= count}
        return super().done(retry_statuses) - waiting

    def settled(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """Return the entries of `done`."""
        return self.done(retry_statuses)


class ReplyWriter:
    """Appends replies. Each line is passed to the operating system before the call returns."""

    def __init__(self, path: Path) -> None:
        self._journal = JournalWriter(path)

    def knows(self, item_id: str) -> bool:
        """Always True: Items are stored by the Run."""
        return True

    def add_item(self, item: Item) -> None:
        """Do nothing; see `knows`."""

    def add_response(self, response: Response) -> None:
        """Write a reply."""
        self._journal.append(response)

    def sync(self) -> None:
        """Flush the journal to disk."""
        self._journal.sync()

    def close(self) -> None:
        """Flush and close the journal."""
        self._journal.close()
