"""The batches of a Run on disk: `batches/NAME.json` says how far one is, so that a killed session can be resumed.

`NAME.lines.jsonl` has what is sent, and `NAME.asked.jsonl` the Requests that belong to it; both are deleted when the
results are in the Run's journal. A batch is recorded before it is sent, so that it is never sent twice.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from triptych.errors import DataError
from triptych.records import Request, Sent
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import check_place, read_own
from triptych.store.folder import Entry

FOLDER = "batches"
State = Literal["sending", "sent", "collected", "failed"]


class BatchRequest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Request of a batch: what its Response states of it, and the number of times it was sent before."""

    request: Request
    key: str
    sent: tuple[Sent, ...] = ()
    before: int = 0


class Batch(msgspec.Struct, frozen=True, omit_defaults=True):
    """One batch. `sending`: it may have been sent. `again`: entries without an answer that are worth asking again.

    `foreign`: ids of other batches that were taken for this one.
    """

    name: str
    state: State
    endpoint: str
    count: int
    made: float
    id: str = ""
    why: str = ""
    foreign: tuple[str, ...] = ()
    again: tuple[tuple[str, str, int], ...] = ()


class BatchFolder:
    """The batches of one Run."""

    def __init__(self, run: Path) -> None:
        self.path: Path = run / FOLDER

    def prepare(self) -> None:
        """Create the folder, and delete what a killed session left of batches that it had not recorded yet."""
        check_place(self.path)
        self.path.mkdir(parents=True, exist_ok=True)
        names = {batch.name for batch in self.read_batches()}
        for path in self.path.glob("*.jsonl"):
            if path.name.partition(".")[0] not in names:
                path.unlink()

    def read_batches(self) -> list[Batch]:
        """Return every batch, in the order of making. Raises DataError for a record that can't be read."""
        entries = []
        for path in self.path.glob("*.json"):
            try:
                entries.append(msgspec.json.decode(read_own(path), type=Batch))
            except UNREADABLE as error:
                fix = "its batch may still be asked: look at the service's list of batches before deleting the file"
                raise DataError("the record of a batch can't be read", where=path, got=reason(error), fix=fix) from None
        return sorted(entries, key=lambda batch: (batch.made, batch.name))

    def count_tries(self) -> Counter[Entry]:
        """Return how often each entry was sent without an answer."""
        return Counter(entry for batch in self.read_batches() for entry in batch.again)

    def lines(self, name: str) -> Path:
        """Return the file with what is sent."""
        return self.path / f"{name}.lines.jsonl"

    def asked_path(self, name: str) -> Path:
        """Return the file with the Requests."""
        return self.path / f"{name}.asked.jsonl"

    def requests(self, name: str) -> Iterator[BatchRequest]:
        """Yield the Requests of a batch, in the order of its lines."""
        with self.asked_path(name).open("rb") as file:
            for line in file:
                yield msgspec.json.decode(line, type=BatchRequest)

    def save(self, batch: Batch) -> Batch:
        """Write the record of a batch; what was sent is deleted when it is not needed any more."""
        write_atomically(self.path / f"{batch.name}.json", msgspec.json.encode(batch) + b"\n")
        if batch.state in ("collected", "failed"):
            self.lines(batch.name).unlink(missing_ok=True)
            self.asked_path(batch.name).unlink(missing_ok=True)
        return batch


def new_batch(name: str, endpoint: str, count: int) -> Batch:
    """Return the record of a batch that is about to be sent."""
    return Batch(name, "sending", endpoint, count, time.time())


def place_of(key: str, name: str) -> int | None:
    """Return the number of a Request in its batch by the key of its result; None if it is of another batch."""
    batch_key, _, number = key.rpartition("-")
    return int(number) if batch_key == name and number.isdecimal() and len(number) < 10 else None
