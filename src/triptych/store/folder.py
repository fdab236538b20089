"""The Run folder: manifest, journals, and where derived files lie.

manifest.json     everything needed to do it again, no secrets; its `schema_version` is checked
items.jsonl       every Item as it was asked, with media paths and hashes
responses.jsonl   what came back; of two lines about one Item, Condition and repeat the later one counts
verdicts/JUDGE.jsonl    what a judge said of the Responses, written like them
scores/PROTOCOL.jsonl, summary.json, tables/    derived, written whole
items.parquet, responses.parquet                instead of the journals, once the Run is packed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from triptych.errors import RunFolderError
from triptych.records import SCHEMA_VERSION, Item, Response, ResponseStatus, RunManifest
from triptych.records.unreadable import UNREADABLE
from triptych.store.atomic import write_atomically
from triptych.store.journal import Journal, JournalWriter
from triptych.store.lock import locked
from triptych.store.own_files import read_own

Entry = tuple[str, str, int]
LARGEST_MANIFEST = 16 << 20
Record = TypeVar("Record", bound=msgspec.Struct)


class _Outcome(msgspec.Struct, frozen=True, gc=False):
    """As much of a Response as a resume must know; read several times as fast as the whole."""

    item: str
    condition: str
    repeat: int
    status: ResponseStatus


class RunFolder:
    """A Run on disk. Reading needs no lock; writing goes through `writer`."""

    def __init__(self, path: Path, manifest: RunManifest) -> None:
        self.path, self.manifest = path, manifest

    @classmethod
    def create(cls, path: Path, manifest: RunManifest) -> RunFolder:
        """A new Run, or the same one again: a folder that holds a Run with this identity is resumed.

        A Run that never got a Response (a wrong key, a misspelt model), and read no media first, makes way for another.
        Raises RunFolderError where the folder holds another Run (naming what differs) or something else.
        """
        if _is_free(path):
            write_atomically(path / "manifest.json", _readable(manifest))
            return cls(path, manifest)
        found = cls.open(path)
        differences = _differences(found.manifest, manifest)
        if not differences:
            return found
        if found.done(frozenset()) or any((path / "readings").glob("*.jsonl")):
            raise _another_run(differences, path)
        with locked(path):
            (path / "items.jsonl").unlink(missing_ok=True)  # an Item whose Response never came may stand in it
            write_atomically(path / "manifest.json", _readable(manifest))
        return cls(path, manifest)

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A Run that is there. Raises RunFolderError where it isn't, is damaged, or of a schema not known here."""
        return cls(path, read_manifest(path / "manifest.json"))

    def check_same(self, manifest: RunManifest) -> None:
        """Raise RunFolderError where the folder holds the answers of another Run."""
        differences = _differences(self.manifest, manifest)
        if differences and self.done(frozenset()):
            raise _another_run(differences, self.path)

    def rewrite(self, manifest: RunManifest) -> RunFolder:
        """The same Run with another manifest, written whole. Raises RunFolderError where a process is writing it."""
        with locked(self.path):
            write_atomically(self.path / "manifest.json", _readable(manifest))
        return RunFolder(self.path, manifest)

    @property
    def planned(self) -> int | None:
        """How many Requests the plan holds, where the manifest tells."""
        return self.manifest.planned

    @property
    def verdicts_path(self) -> Path:
        """`verdicts/`: what judges said, a journal for each judge and rubric."""
        return self.path / "verdicts"

    @property
    def summary_path(self) -> Path:
        """`summary.json`: what the Run came to."""
        return self.path / "summary.json"

    @property
    def tables_path(self) -> Path:
        """`tables/`: the tables as CSV."""
        return self.path / "tables"

    def scores_path(self, protocol: str) -> Path:
        """`scores/PROTOCOL.jsonl`."""
        return self.path / "scores" / f"{protocol}.jsonl"

    @property
    def is_packed(self) -> bool:
        """Packed to Parquet: read as before, but not written."""
        return (self.path / "responses.parquet").exists()

    def items(self) -> Iterator[Item]:
        """Every Item that was asked, in the order of their ids (which no interruption changes).

        Raises DataError, with file and line, for a damaged journal.
        """
        return self._latest("items", Item, attrgetter("id"))

    def responses(self) -> Iterator[Response]:
        """The Response that counts for every entry (Item, Condition, repeat), in the order of the entries."""
        return self._latest("responses", Response, attrgetter("entry"))

    def history(self) -> Iterator[Response]:
        """Every Response ever written, failed ones that were asked again too, in the order of writing."""
        if self.is_packed:
            return self.responses()
        return iter(Journal(self.path / "responses.jsonl", Response))

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """The entries that need not be asked: there is a Response, and its status is none of `retry_statuses`."""
        if self.is_packed:
            return {r.entry for r in self.responses() if r.status not in retry_statuses}
        found: set[Entry] = set()
        for line in Journal(self.path / "responses.jsonl", _Outcome):
            entry = (line.item, line.condition, line.repeat)
            (found.discard if line.status in retry_statuses else found.add)(entry)
        return found

    @contextmanager
    def writer(self) -> Iterator[RunWriter]:
        """Hold the Run's lock and append to its journals. Raises RunFolderError where another process does."""
        with locked(self.path):
            if self.is_packed:
                fix = f"`triptych unpack {self.path}` first, or choose another --out"
                raise RunFolderError("a packed Run isn't written to", where=self.path, fix=fix)
            writer = RunWriter(self.path)
            try:
                yield writer
            finally:
                writer.close()

    def _latest(self, name: str, kind: type[Record], key: Callable[[Record], Any]) -> Iterator[Record]:
        if self.is_packed:
            from triptych.store.parquet import read_parquet

            return read_parquet(self.path / f"{name}.parquet", kind)
        records = {key(record): record for record in Journal(self.path / f"{name}.jsonl", kind).read()}
        return (records[k] for k in sorted(records))


class RunWriter:
    """Appends Items and Responses. Each line is with the system before the call returns."""

    def __init__(self, path: Path) -> None:
        self._items = JournalWriter(path / "items.jsonl")
        self._responses = JournalWriter(path / "responses.jsonl")
        # Item id -> whether the line tells the hash of every media file
        self._known = {item.id: _hashed(item) for item in Journal(path / "items.jsonl", Item)}

    def add_item(self, item: Item) -> None:
        """Write an Item before its first Response; again only when its media's hashes were not known then."""
        known = self._known.get(item.id)
        if known or (known is False and not _hashed(item)):
            return
        self._items.append(item)
        self._known[item.id] = _hashed(item)

    def knows(self, item_id: str) -> bool:
        """True where nothing would be gained by `add_item`."""
        return self._known.get(item_id, False)

    def add_response(self, response: Response) -> None:
        """Write a Response. Its Item was added before, where it is about one of the benchmark's."""
        self._responses.append(response)

    def sync(self) -> None:
        """Bring both journals to the disk itself; may take some ms."""
        self._items.sync()
        self._responses.sync()

    def close(self) -> None:
        """Sync and let go of both journals."""
        try:
            self._items.close()
        finally:
            self._responses.close()


def _below(folder: Path) -> str | None:
    """Where Runs are, if one lies a folder or two below."""
    for inside in ("*", "*/*"):
        if any(folder.glob(f"{inside}/manifest.json")):
            return f"name the Runs below it: {folder}/{inside}"
    return None


def _is_free(path: Path) -> bool:
    """True where a new Run can be made, False where there is one. Raises RunFolderError for a place that is neither."""
    try:
        if (path / "manifest.json").exists():
            return False
        taken = path.exists() and (not path.is_dir() or any(not p.name.startswith(".") for p in path.iterdir()))
    except OSError as error:  # not to be read, or too long a name
        fix = "choose another --out"
        raise RunFolderError("the Run folder can't be used", where=path, got=error.strerror, fix=fix) from None
    if taken:
        fix = "choose another --out, or empty it"
        raise RunFolderError("this is not a Run folder, and not empty", where=path, fix=fix)
    return True


def read_manifest(path: Path) -> RunManifest:
    """The manifest at `path`. Raises RunFolderError where it is missing, damaged, or of an unknown schema."""
    try:
        source = read_own(path, LARGEST_MANIFEST)
        version = msgspec.json.decode(source, type=dict[str, Any]).get("schema_version")
    except FileNotFoundError:
        raise RunFolderError(
            "this is not a Run folder", where=path.parent, expected="a manifest.json in it", fix=_below(path.parent)
        ) from None
    except (OSError, *UNREADABLE) as error:
        raise RunFolderError("the manifest can't be read", where=path, got=str(error)) from None
    if version != SCHEMA_VERSION:
        newer = isinstance(version, int) and version > SCHEMA_VERSION
        raise RunFolderError(
            "this Run was written by a newer Triptych" if newer else "this Run has an unknown schema_version",
            where=path, expected=f"schema_version {SCHEMA_VERSION}", got=version,
            fix="update Triptych" if newer else "write the Run again",
        )  # fmt: skip
    try:
        return msgspec.json.decode(source, type=RunManifest)
    except msgspec.ValidationError as error:
        raise RunFolderError("the manifest is damaged", where=path, got=str(error)) from None


def _differences(found: RunManifest, wanted: RunManifest) -> dict[str, str]:
    """What differs between the identities of two Runs, in words."""
    here, there = found.identity(), wanted.identity()
    keys = [k for k in sorted(here.keys() | there.keys()) if here.get(k) != there.get(k)]
    return {k: f"{k}: {here.get(k)!r} there, {there.get(k)!r} asked for" for k in keys}


def _another_run(differences: dict[str, str], path: Path) -> RunFolderError:
    return RunFolderError(
        f"the folder holds another Run (differs in {', '.join(differences)})",
        where=path,
        got="; ".join(differences.values()),
        fix="choose another --out, or ask for the same Run to resume it",
    )


def _readable(manifest: RunManifest) -> bytes:
    try:
        return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    except UnicodeEncodeError as error:  # bytes of the command line that are no UTF-8
        raise RunFolderError("the manifest can't be written: a name in it is no text", got=str(error)) from None


def _hashed(item: Item) -> bool:
    return all(part.sha256 or not part.is_media for part in item.all_parts)
