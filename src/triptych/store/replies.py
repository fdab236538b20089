"""A journal of replies that are no answers to Items, as Responses, in the order of asking.

`verdicts/JUDGE.jsonl`: what one judge said with one rubric; what that means is read out of it when scoring.
`readings/CONDITION.jsonl`: what a model read out of pictures or recordings before it was asked about them.
A later line about the same entry (subject, condition, number of the asking) counts, as in `responses.jsonl`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.errors import RunFolderError
from triptych.records import Item, Response
from triptych.store.folder import Entry
from triptych.store.journal import Journal, JournalWriter
from triptych.store.lock import locked
from triptych.store.own_files import check_place


class ReplyJournal:
    """`NAME.jsonl` in `place`; the run loop writes it as it writes a Run's Responses."""

    def __init__(self, place: Path, name: str) -> None:
        self.place, self.path = place, place / f"{name}.jsonl"

    @property
    def planned(self) -> int | None:
        """Not known here: how many replies are wanted is told with each asking."""
        return None

    def history(self) -> Iterator[Response]:
        """Every reply ever written, in the order of writing. Raises DataError for a damaged line."""
        return iter(Journal(self.path, Response))

    def latest(self) -> dict[Entry, Response]:
        """The reply that counts for every entry."""
        return {response.entry: response for response in self.history()}

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """The entries that need not be asked again."""
        return {entry for entry, response in self.latest().items() if response.status not in retry_statuses}

    @contextmanager
    def writer(self) -> Iterator[ReplyWriter]:
        """Hold the folder's lock and append. Raises RunFolderError where another process does, or it can't be made."""
        try:
            check_place(self.place)
            self.place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fix = "name a folder that can be written (for verdicts: --verdicts DIR)"
            raise RunFolderError("replies can't be kept here", where=self.place, got=error.strerror, fix=fix) from None
        with locked(self.place):
            writer = ReplyWriter(self.path)
            try:
                yield writer
            finally:
                writer.close()


class Reopened(ReplyJournal):
    """A journal in which some entries are to be asked again, whatever their replies' status: each until it has one more
    reply than there was."""

    def __init__(self, journal: ReplyJournal, entries: frozenset[Entry]) -> None:
        super().__init__(journal.place, journal.path.stem)
        self._before = Counter(response.entry for response in self.history() if response.entry in entries)

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """The entries that need not be asked again."""
        now = Counter(response.entry for response in self.history() if response.entry in self._before)
        waiting = {entry for entry, count in self._before.items() if now[entry] <= count}
        return super().done(retry_statuses) - waiting


class ReplyWriter:
    """Appends replies. Each line is with the system before the call returns."""

    def __init__(self, path: Path) -> None:
        self._journal = JournalWriter(path)

    def knows(self, item_id: str) -> bool:
        """Items are the Run's to keep: nothing would be gained by adding one."""
        return True

    def add_item(self, item: Item) -> None:
        """Nothing: see `knows`."""

    def add_response(self, response: Response) -> None:
        """Write a reply."""
        self._journal.append(response)

    def sync(self) -> None:
        """Bring the journal to the disk itself."""
        self._journal.sync()

    def close(self) -> None:
        """Sync and let go."""
        self._journal.close()
