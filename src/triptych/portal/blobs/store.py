"""Where media are: a folder, or a bucket of S3 (or of a server that speaks its protocol).

A file is received into the project's own `incoming` folder, and goes to its place only whole and only if its SHA-256
is the one that the sender named. Putting the same content twice changes nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

from triptych.errors import DataError, MediaError, SpecError

_NAME = re.compile(r"[0-9a-f]{64}")
CHUNK = 1 << 20


class FileStore(Protocol):
    """A store of files by checked names."""

    def has(self, name: str, size: int) -> bool:
        """Return True if the file is there with this size."""

    def put(self, source: Path, name: str) -> None:
        """Store a file, whole."""

    def open_file(self, name: str) -> Any:
        """A context: the file, open for reading. Raises FileNotFoundError."""

    def erase(self, name: str) -> None:
        """Delete a file; nothing happens if it is not there."""

    def local_path(self, name: str, folder: Path) -> Path:
        """A file on this computer with the content. Raises FileNotFoundError."""


class Parts:
    """Parts of what people send, in `incoming`, by person, id of the submission and number: a body below the limits of
    proxies. They are joined when all are here, and removed when the whole was answered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def sizes(self, person: str, id: str) -> dict[int, int]:
        """Return the parts that are here: number -> bytes."""
        return {int(path.name[-4:]): path.stat().st_size for path in sorted(self.folder.glob(self._name(person, id)))}

    def stored_bytes(self, person: str) -> int:
        """Return the bytes of all parts of a person."""
        return sum(path.stat().st_size for path in self.folder.glob(f"part-{person}-*"))

    def add(self, source: Path, person: str, id: str, number: int) -> None:
        """Take a received part over; one that is here already is replaced."""
        source.replace(self.folder / f"{self._name(person, id)[:-1]}{number:04}")

    def join(self, person: str, id: str, number: int, joined: Path) -> bool:
        """Write all `number` parts into a file; False if one is missing."""
        paths = [self.folder / f"{self._name(person, id)[:-1]}{n:04}" for n in range(number)]
        if not all(path.is_file() for path in paths):
            return False
        with joined.open("wb") as file:
            for path in paths:
                with path.open("rb") as part:
                    shutil.copyfileobj(part, file, CHUNK)
        return True

    def forget(self, person: str, id: str = "") -> None:
        """Remove the parts of a submission, or all of a person."""
        for path in self.folder.glob(self._name(person, id) if id else f"part-{person}-*"):
            path.unlink(missing_ok=True)

    def people(self) -> set[str]:
        """Return the ids of the people of whom parts are here."""
        return {path.name.split("-")[1] for path in self.folder.glob("part-*")}

    def _name(self, person: str, id: str) -> str:
        return f"part-{person}-{hashlib.sha256(id.encode()).hexdigest()[:32]}-*"


class Blobs:
    """The media of a portal. `incoming`: a folder for files that are being received."""

    def __init__(self, store: FileStore, incoming: Path) -> None:
        self.store: FileStore = store
        self._incoming = incoming

    @property
    def folder(self) -> Path:
        """The folder of files that are being received."""
        return self._incoming

    @contextmanager
    def incoming_file(self, prefix: str = "in-", suffix: str = "") -> Iterator[Path]:
        """A path for a file that is being received; it is deleted at the end of the block if it is still there.

        The file is locked until then. The system ends the lock of a process that is killed, so that
        `abandoned_files` finds what it left, and nothing that is still being received.
        """
        self._incoming.mkdir(parents=True, exist_ok=True)
        handle, path = _locked_file(self._incoming, prefix, suffix)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)
            os.close(handle)

    def abandoned_files(self, prefix: str = "in-") -> Iterator[Path]:
        """Yield the files of `incoming_file` that no living process holds, each locked while it is yielded."""
        for path in sorted(self._incoming.glob(f"{prefix}*")):
            if path.is_file() and (handle := _lock(path)) is not None:
                try:
                    yield path
                finally:
                    os.close(handle)

    @property
    def parts(self) -> Parts:
        """Files of people that come in parts."""
        return Parts(self._incoming)

    def prepare(self, source: Path, name: str) -> None:
        """Check a received file and write it to the disk, so that `put` has little left to do.

        Raises DataError if `name` is not the SHA-256 of its content.
        """
        _check(name)
        if (digest := sha256_of(source)) != name:
            raise DataError("the file is not the one that was announced", expected=f"SHA-256 {name}", got=digest)
        with source.open("rb") as file:
            os.fsync(file.fileno())

    def put_prepared(self, source: Path, name: str) -> None:
        """Store a file that `prepare` has checked."""
        _check(name)
        if not self.store.has(name, source.stat().st_size):
            self.store.put(source, name)

    def put(self, source: Path, name: str) -> None:
        """Store a received file under its SHA-256. Raises DataError if that is not the SHA-256 of its content."""
        self.prepare(source, name)
        self.put_prepared(source, name)

    def has(self, name: str, size: int) -> bool:
        """Return whether a file is there with this size."""
        _check(name)
        return self.store.has(name, size)

    @contextmanager
    def open_file(self, name: str) -> Iterator[IO[bytes]]:
        """Open a file. Raises MediaError if it is not there."""
        _check(name)
        try:
            with self.store.open_file(name) as file:
                yield file
        except FileNotFoundError:
            raise MediaError("a media file is missing", where=name) from None

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        """A file on this computer with the content, which the block must not change. Raises MediaError."""
        _check(name)
        try:
            yield self.store.local_path(name, self._incoming)
        except FileNotFoundError:
            raise MediaError("a media file is missing", where=name) from None

    def erase(self, name: str) -> None:
        """Delete a content for good, with what was kept of it on this computer."""
        _check(name)
        self.store.erase(name)
        (self._incoming / f"kept-{name}").unlink(missing_ok=True)


def _copy_whole(source: Path, path: Path) -> None:
    """Copy a file to another disk: it has its name only when all of it is there. Two threads may copy at once."""
    copy = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with source.open("rb") as file, copy.open("wb") as made:
            shutil.copyfileobj(file, made, CHUNK)
            made.flush()
            os.fsync(made.fileno())
        copy.replace(path)
    finally:
        copy.unlink(missing_ok=True)


class Folder:
    """Media below a folder: `ab/abcd…`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def has(self, name: str, size: int) -> bool:
        """Return True if the file is there with this size."""
        path = self._path(name)
        return path.is_file() and path.stat().st_size == size

    def put(self, source: Path, name: str) -> None:
        """Move a file that was received; it is on the disk before it has its name."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as file:
            os.fsync(file.fileno())
        try:
            source.replace(path)
        except OSError:  # another disk
            _copy_whole(source, path)
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def open_file(self, name: str) -> IO[bytes]:
        """The file, open for reading."""
        return self._path(name).open("rb")

    def erase(self, name: str) -> None:
        """Delete a file."""
        self._path(name).unlink(missing_ok=True)

    def local_path(self, name: str, folder: Path) -> Path:
        """The file itself."""
        path = self._path(name)
        if not path.is_file():
            raise FileNotFoundError(path)
        return path

    def _path(self, name: str) -> Path:
        return self.root / name[:2] / name


class Bucket:
    """Media in a bucket, below a prefix. Keys come from the environment (AWS_ACCESS_KEY_ID …)."""

    def __init__(self, url: str) -> None:
        self.store: Any = _s3(url)

    def has(self, name: str, size: int) -> bool:
        """Return True if the object is there with this size."""
        try:
            return bool(self.store.head(name)["size"] == size)
        except FileNotFoundError:
            return False

    def put(self, source: Path, name: str) -> None:
        """Upload a file; S3 shows an object only when it is whole."""
        self.store.put(name, source)

    @contextmanager
    def open_file(self, name: str) -> Iterator[IO[bytes]]:
        """The object, downloaded to a file without a name."""
        with tempfile.TemporaryFile() as file:
            for chunk in self.store.get(name).stream(min_chunk_size=CHUNK):
                file.write(chunk)
            file.seek(0)
            yield file

    def erase(self, name: str) -> None:
        """Delete an object."""
        self.store.delete(name)

    def local_path(self, name: str, folder: Path) -> Path:
        """A copy in the folder, downloaded once."""
        copy = folder / f"kept-{name}"
        if not copy.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            handle, made = _locked_file(folder, "in-", "")
            try:
                with self.open_file(name) as source, made.open("wb") as file:
                    shutil.copyfileobj(source, file)
                made.replace(copy)
            finally:
                made.unlink(missing_ok=True)
                os.close(handle)
        return copy


def open_place(where: str, project: Path) -> FileStore:
    """Return the store that a setting names: a folder (relative to the project's), or `s3://BUCKET/PREFIX`."""
    return Bucket(where) if where.startswith("s3://") else Folder(project / where)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _locked_file(folder: Path, prefix: str, suffix: str) -> tuple[int, Path]:
    """A new file with a lock. A sweep may delete it before it has the lock; then another one is made."""
    while True:
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=suffix, dir=folder)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)


def _lock(path: Path) -> int | None:
    """Lock a file if nobody else has; None otherwise, or if it is gone."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _check(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise DataError("not a SHA-256", got=name[:80], expected="64 hexadecimal digits")


def _s3(url: str) -> Any:
    from urllib.parse import urlsplit

    from obstore.exceptions import BaseError
    from obstore.store import S3Store

    parts = urlsplit(url)
    if not parts.netloc:
        raise SpecError("not a bucket", got=url, expected="s3://BUCKET/PREFIX")
    try:
        return S3Store(parts.netloc, prefix=parts.path.strip("/") or None, client_options={"allow_http": _plain_http()})
    except BaseError as error:
        raise SpecError("the bucket can't be used", where=url, got=str(error)) from None


def _plain_http() -> bool:
    """Whether the environment names an endpoint with plain HTTP, such as a server in the same building."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    return endpoint.startswith("http://")
