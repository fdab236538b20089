"""A lease on disk. In `leases/` of the Run folder, every grant of a lease to a worker has files of its own:

NAME.requests.jsonl   its Requests, written by the driver before the grant
NAME.replies.jsonl    the Responses, appended by the worker
NAME.fenced.jsonl     the Requests after the fence: the grant has ended

NAME consists of the session, the number of the lease, and the epoch, which counts the grants of the same lease. The
driver ends a grant by renaming the file of its Requests, which is atomic, and reads the replies after that for the last
time. A worker that was taken for dead and still runs (a zombie) writes only into the file of its own epoch, which
nobody reads any more, and stops as soon as it sees the fence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from triptych.errors import DataError, RunFolderError
from triptych.records import Request, Response
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import check_place, open_to_read, read_own, remove_own
from triptych.store.folder import Entry

FOLDER = "leases"
_ASKS, _REPLIES, _FENCED = ".requests.jsonl", ".replies.jsonl", ".fenced.jsonl"


class WorkerLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A line of a worker's journal: a Response, and path -> SHA-256 of the media that were read for it."""

    response: Response
    hashes: dict[str, str] = {}


_WORKER_LINE = msgspec.json.Decoder(WorkerLine)
_REQUEST = msgspec.json.Decoder(Request)


def entry_of(request: Request) -> Entry:
    """Return the journal entry that a Request fills."""
    return request.id, request.condition, request.repeat


def read_requests(path: Path) -> list[Request]:
    """Return the Requests of a lease. Raises FileNotFoundError after the fence, DataError for a damaged file."""
    try:
        return _REQUEST.decode_lines(read_own(path))
    except UNREADABLE as error:
        raise DataError("a lease can't be read", where=path, got=reason(error)) from None


@dataclass(eq=False)
class Grant:
    """A lease given to a worker. `pending`: its Requests without a reply so far; `answered`: replies of this grant."""

    folder: Path
    name: str
    pending: dict[Entry, Request]
    deaths: int = 0
    answered: int = 0
    _read: int = field(default=0, init=False)

    @classmethod
    def write(cls, folder: Path, name: str, requests: Iterable[Request], deaths: int = 0) -> Grant:
        """Write the files of a new grant. Raises RunFolderError."""
        listed = list(requests)
        write_atomically(folder / f"{name}{_ASKS}", msgspec.json.Encoder().encode_lines(listed))
        return cls(folder, name, {entry_of(request): request for request in listed}, deaths)

    @property
    def requests_file(self) -> Path:
        """The file of the Requests; it exists until the fence."""
        return self.folder / f"{self.name}{_ASKS}"

    @property
    def replies(self) -> Path:
        """The worker's journal."""
        return self.folder / f"{self.name}{_REPLIES}"

    def fence(self) -> None:
        """End the grant; replies that are written from now on may be read once more, and then never."""
        try:
            self.requests_file.replace(self.folder / f"{self.name}{_FENCED}")
        except FileNotFoundError:
            return
        except OSError as error:
            raise RunFolderError("a lease can't be ended", where=self.requests_file, got=error.strerror) from None

    def collect(self) -> Iterator[WorkerLine]:
        """Yield the new complete lines of the worker that fill an entry of this grant, each entry once.

        Raises DataError for a damaged line.
        """
        try:
            with open_to_read(self.replies) as file:
                file.seek(self._read)
                source = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise DataError("a worker's journal can't be read", where=self.replies, got=error.strerror) from None
        source = source[: source.rfind(b"\n") + 1]
        self._read += len(source)
        try:
            lines = _WORKER_LINE.decode_lines(source)
        except UNREADABLE as error:
            fix = "delete the file; its Requests are then asked again"
            raise DataError("a worker's journal is damaged", where=self.replies, got=reason(error), fix=fix) from None
        for line in lines:
            if self.pending.pop(line.response.entry, None) is not None:
                self.answered += 1
                yield line

    def remove(self) -> None:
        """Delete the files of a grant that was fenced and collected."""
        remove_own(self.replies)
        remove_own(self.folder / f"{self.name}{_FENCED}")


def left_behind(folder: Path) -> list[Grant]:
    """Return the grants of a driver that ended before it could collect them; each is fenced.

    Journals without Requests belong to grants that were collected, and are deleted.
    """
    if not folder.is_dir():
        return []
    try:
        check_place(folder)
    except OSError as error:
        raise RunFolderError("the leases can't be read", where=folder, got=error.strerror) from None
    folders = []
    for path in sorted(folder.glob(f"*{_ASKS}")) + sorted(folder.glob(f"*{_FENCED}")):
        suffix = _ASKS if path.name.endswith(_ASKS) else _FENCED
        requests = {entry_of(request): request for request in read_requests(path)}
        folders.append(Grant(folder, path.name.removesuffix(suffix), requests))
        folders[-1].fence()
    reply_files = {grant.replies for grant in folders}
    for path in folder.glob(f"*{_REPLIES}"):
        if path not in reply_files:
            remove_own(path)
    return folders
