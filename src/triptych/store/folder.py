"""The Run folder: manifest, journals and derived files.

manifest.json     everything needed to repeat the Run, without secrets; its `schema_version` is checked
items.jsonl       all Items as they were asked, with media paths and hashes
responses.jsonl   Responses; if two lines have the same Item, Condition and repeat, the later one counts
verdicts/JUDGE.jsonl    a judge's verdicts on the Responses, in the same form
scores/PROTOCOL.jsonl, summary.json, tables/    derived files, written atomically
items.parquet, responses.parquet                replace the journals of a packed Run
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from triptych.errors import RunFolderError
from triptych.records import READABLE, SCHEMA_VERSION, Item, Response, ResponseStatus, RunManifest
from triptych.records.hashing import short_hash
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.decoded import read_once
from triptych.store.files.atomic import write_atomically
from triptych.store.files.lock import locked
from triptych.store.files.run_files import read_own
from triptych.store.journals.entry_table import Entry as Entry
from triptych.store.journals.entry_table import EntryTable, number_of
from triptych.store.journals.journal import Journal, JournalWriter
from triptych.store.journals.sharing import share_facets, sharer

MAX_MANIFEST_BYTES = 16 << 20
Record = TypeVar("Record", bound=msgspec.Struct)


class _Keyed(msgspec.Struct, frozen=True, gc=False):
    """The fields of a Response by which Requests are compared."""

    item: str
    condition: str
    repeat: int
    key: str = ""


class _Outcome(msgspec.Struct, frozen=True, gc=False):
    """The fields of a Response that a resumed Run needs; decoding only these is several times faster."""

    item: str
    condition: str
    repeat: int
    status: ResponseStatus


class RunFolder:
    """A Run on disk. Reading needs no lock; writing goes through `writer`."""

    def __init__(self, path: Path, manifest: RunManifest) -> None:
        self.path: Path = path
        self.manifest: RunManifest = manifest

    @classmethod
    def create(cls, path: Path, manifest: RunManifest) -> RunFolder:
        """Create a Run folder, or open it to resume if it holds a Run with the same identity.

        A Run without Responses (because of a wrong API key or model name) and without media texts is replaced. Raises
        RunFolderError if the folder holds another Run (the message lists the differences) or other files.
        """
        if _is_free(path):
            write_atomically(path / "manifest.json", _readable(manifest))
            return cls(path, manifest)
        folder = cls.open(path)
        differences = _differences(folder.manifest, manifest)
        if not differences:
            return folder
        if folder.done(frozenset()) or any((path / "readings").glob("*.jsonl")):
            raise _another_run(differences, path)
        with locked(path):
            (path / "items.jsonl").unlink(missing_ok=True)  # may contain an Item that never got a Response
            write_atomically(path / "manifest.json", _readable(manifest))
        return cls(path, manifest)

    @classmethod
    def open(cls, path: PathLike[str] | str) -> RunFolder:
        """Open an existing Run. Raises RunFolderError if it is missing, damaged, or has an unknown schema."""
        path = Path(path)
        return cls(path, read_manifest(path / "manifest.json"))

    def check_same(self, manifest: RunManifest) -> None:
        """Raise RunFolderError if the folder holds answers of another Run."""
        differences = _differences(self.manifest, manifest)
        if differences and self.done(frozenset()):
            raise _another_run(differences, self.path)

    def rewrite(self, manifest: RunManifest) -> RunFolder:
        """Return the same Run with another manifest, written atomically. Raises RunFolderError if another process is
        writing the Run.
        """
        with locked(self.path):
            write_atomically(self.path / "manifest.json", _readable(manifest))
        return RunFolder(self.path, manifest)

    def __fspath__(self) -> str:
        """The path of the folder: a RunFolder can be given wherever the path of a Run can."""
        return str(self.path)

    @property
    def planned(self) -> int | None:
        """Number of planned Requests, if the manifest states it."""
        return self.manifest.planned

    @property
    def verdicts_path(self) -> Path:
        """`verdicts/`: a journal for each judge and rubric."""
        return self.path / "verdicts"

    @property
    def summary_path(self) -> Path:
        """`summary.json`: the Run's scores."""
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
        """Whether the Run is packed to Parquet; it can be read as before, but not written to."""
        return (self.path / "responses.parquet").exists()

    def items(self) -> Iterator[Item]:
        """Yield all Items, ordered by id, so that the order does not depend on interruptions.

        Raises DataError, with file and line, for a damaged journal.
        """
        return iter(self.all_items())

    def all_items(self) -> Sequence[Item]:
        """Return all Items as `items` yields them; within `keep_files()` the same sequence again. Don't change it."""
        return self._latest_records("items", Item, attrgetter("id"))

    def responses(self) -> Iterator[Response]:
        """Yield the valid Response of each entry (Item, Condition, repeat), ordered by entry."""
        return iter(self.all_responses())

    def all_responses(self) -> Sequence[Response]:
        """Return all Responses as `responses` yields them; within `keep_files()` the same sequence again."""
        return self._latest_records("responses", Response, attrgetter("entry"))

    def history(self) -> Iterator[Response]:
        """Yield all Responses in the order of writing, including failed ones that were asked again."""
        if self.is_packed:
            return self.responses()
        return iter(Journal(self.path / "responses.jsonl", Response))

    def done(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> set[Entry]:
        """Return the entries that need not be asked: those whose Response has none of `retry_statuses`."""
        if self.is_packed:
            return {r.entry for r in self.responses() if r.status not in retry_statuses}
        entries: set[Entry] = set()
        for line in Journal(self.path / "responses.jsonl", _Outcome):
            entry = (line.item, line.condition, line.repeat)
            (entries.discard if line.status in retry_statuses else entries.add)(entry)
        return entries

    def settled(self, retry_statuses: frozenset[str] = frozenset({"failed"})) -> EntryTable:
        """Return the entries of `done`, in 24 bytes each: 1 for those with an answer, 2 for all others."""
        lines = self.responses() if self.is_packed else Journal(self.path / "responses.jsonl", _Outcome)
        return EntryTable(
            (
                (line.item, line.condition, line.repeat),
                None if line.status in retry_statuses else 1 if line.status == "answered" else 2,
            )
            for line in lines
        )

    def keys(self) -> EntryTable:
        """Return entry -> `number_of` the key of its last Response; entries whose last one has no key are left out."""
        lines = self.responses() if self.is_packed else Journal(self.path / "responses.jsonl", _Keyed)
        return EntryTable(
            ((line.item, line.condition, line.repeat), number_of(line.key) if line.key else None) for line in lines
        )

    def items_written(self) -> Iterator[Item]:
        """Yield the Items one at a time, in the order of writing; one that was written twice comes twice."""
        return self.items() if self.is_packed else iter(Journal(self.path / "items.jsonl", Item))

    @contextmanager
    def writer(self) -> Iterator[RunWriter]:
        """Lock the Run and append to its journals. Raises RunFolderError if another process holds the lock."""
        with locked(self.path):
            if self.is_packed:
                fix = f"run `triptych unpack {self.path}` first, or choose another --out"
                raise RunFolderError("a packed Run can't be written to", where=self.path, fix=fix)
            writer = RunWriter(self.path)
            try:
                yield writer
            finally:
                writer.close()

    def _latest_records(self, name: str, kind: type[Record], key: Callable[[Record], Any]) -> Sequence[Record]:
        if self.is_packed:
            from triptych.store.parquet.records import read_parquet

            path = self.path / f"{name}.parquet"
            return read_once(path, lambda: list(read_parquet(path, kind)))
        journal = Journal(self.path / f"{name}.jsonl", kind)

        def read() -> Sequence[Record]:
            return journal.shared_records(_items_in_order, sharer()) if kind is Item else _in_order(journal.read(), key)

        return read_once(journal.path, read)


class RunWriter:
    """Appends Items and Responses. Each line is passed to the operating system before the call returns."""

    def __init__(self, path: Path) -> None:
        self._items = JournalWriter(path / "items.jsonl")
        self._responses = JournalWriter(path / "responses.jsonl")
        # Item id -> whether its line has the hashes of all media files; of earlier sessions, and of this one
        self._before = EntryTable(
            ((item.id, "", 0), int(is_hashed(item))) for item in Journal(path / "items.jsonl", Item)
        )
        self._now: dict[str, bool] = {}

    def add_item(self, item: Item) -> None:
        """Write an Item before its first Response, and a second time only if the hashes of its media were not known
        then.
        """
        stored_hash = self._has_all_hashes(item.id)
        if stored_hash or (stored_hash is False and not is_hashed(item)):
            return
        self._items.append(item)
        self._now[item.id] = is_hashed(item)

    def knows(self, item_id: str) -> bool:
        """True if `add_item` would write nothing."""
        return self._has_all_hashes(item_id) or False

    def _has_all_hashes(self, item_id: str) -> bool | None:
        """Return whether an Item's line has all hashes; None if it has no line."""
        now = self._now.get(item_id)
        if now is not None:
            return now
        before = self._before.get((item_id, "", 0))
        return None if before is None else bool(before)

    def add_response(self, response: Response) -> None:
        """Write a Response. If it is about an Item of the benchmark, the Item was added before."""
        self._responses.append(response)

    def sync(self) -> None:
        """Flush both journals to disk; this may take some milliseconds."""
        self._items.sync()
        self._responses.sync()

    def close(self) -> None:
        """Flush and close both journals."""
        try:
            self._items.close()
        finally:
            self._responses.close()


def _in_order(records: Iterable[Record], key: Callable[[Record], Any]) -> list[Record]:
    """The last of those with the same key, by their keys."""
    latest = {key(record): record for record in records}
    return [latest[k] for k in sorted(latest)]


def _items_in_order(items: Iterable[Any]) -> list[Any]:
    ordered = _in_order(items, attrgetter("id"))
    share_facets(ordered)
    return ordered


def _runs_below_hint(folder: Path) -> str | None:
    """Return a hint if there are Runs one or two levels below."""
    for inside in ("*", "*/*"):
        if any(folder.glob(f"{inside}/manifest.json")):
            return f"give the Runs below it: {folder}/{inside}"
    return None


def _is_free(path: Path) -> bool:
    """Return True if a new Run can be created here, False if there is a Run. Raises RunFolderError if neither is the
    case.
    """
    try:
        if (path / "manifest.json").exists():
            return False
        taken = path.exists() and (not path.is_dir() or any(not p.name.startswith(".") for p in path.iterdir()))
    except OSError as error:  # not readable, or the name is too long
        fix = "choose another --out"
        raise RunFolderError("the Run folder can't be used", where=path, got=error.strerror, fix=fix) from None
    if taken:
        fix = "choose another --out, or empty the folder"
        raise RunFolderError("the folder is not empty, and it is not a Run folder", where=path, fix=fix)
    return True


def read_manifest(path: Path) -> RunManifest:
    """Return the manifest at `path`. Raises RunFolderError if it is missing, damaged, or has an unknown schema."""
    try:
        source = read_own(path, MAX_MANIFEST_BYTES)
        version = msgspec.json.decode(source, type=dict[str, Any]).get("schema_version")
    except FileNotFoundError:
        raise RunFolderError(
            "not a Run folder",
            where=path.parent,
            expected="a folder with a manifest.json",
            fix=_runs_below_hint(path.parent),
        ) from None
    except (OSError, *UNREADABLE) as error:
        fix = "restore the file from a backup, or run the model again into another folder"
        raise RunFolderError("the manifest can't be read", where=path, got=reason(error), fix=fix) from None
    if version not in READABLE:
        newer = isinstance(version, int) and version > SCHEMA_VERSION
        raise RunFolderError(
            "the Run was written by a newer version of Triptych" if newer else "the Run has an unknown schema_version",
            where=path,
            expected=f"schema_version {READABLE[0]} to {SCHEMA_VERSION}",
            got=version,
            fix="update Triptych" if newer else "run the model again",
        )
    try:
        return msgspec.json.decode(source, type=RunManifest)
    except msgspec.ValidationError as error:
        raise RunFolderError("the manifest is damaged", where=path, got=str(error)) from None


def _differences(run_manifest: RunManifest, wanted: RunManifest) -> dict[str, str]:
    """Return the differences between the identities of two Runs, as texts by field."""
    here, there = run_manifest.identity(), wanted.identity()
    here, there = _comparable(here, there), _comparable(there, here)
    keys = [k for k in sorted(here.keys() | there.keys()) if here.get(k) != there.get(k)]
    return {k: f"{k}: {_shown_value(here, k)} in the folder, {_shown_value(there, k)} now" for k in keys}


def _shown_value(identity: dict[str, Any], key: str) -> str:
    """Return a value for a message; of the texts of prompts their hashes."""
    if key == "prompts":
        return ", ".join(f"{name}@{short_hash(text)}" for name, text in identity.get(key, {}).items())
    return repr(identity.get(key))


def _comparable(document: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that can be compared with another Run's.

    A Run of version 1 doesn't hold the texts of its prompts: whether they are the same is checked by the keys of its
    Responses (`experiment.same_questions`). If the names of two prompts differ, their texts need not be shown.
    """
    versions = {document["schema_version"], other["schema_version"]}
    left_out = {"schema_version"} | ({"prompts"} if 1 in versions or document["prompt"] != other["prompt"] else set())
    return {key: value for key, value in document.items() if key not in left_out}


def _another_run(differences: dict[str, str], path: Path) -> RunFolderError:
    fix = "choose another --out, or use the same settings to resume this Run"
    if "benchmark" in differences and "data_sha256" not in differences:
        fix = "the questions are the same under another name: rename their file back, or choose another --out"
    return RunFolderError(
        f"the folder holds another Run, which differs in: {', '.join(differences)}",
        where=path,
        got="; ".join(differences.values()),
        fix=fix,
    )


def _readable(manifest: RunManifest) -> bytes:
    try:
        return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"
    except UnicodeEncodeError:  # bytes on the command line that are not UTF-8
        raise RunFolderError(
            "the manifest can't be written: a name in it is not valid Unicode",
            got=repr(_not_unicode(msgspec.to_builtins(manifest))),
            fix="rename the file or folder; or change into its folder, and name it without the folder",
        ) from None


def _not_unicode(value: object) -> str:
    """Return the first text within a value that has bytes that are not UTF-8; empty if there is none."""
    if isinstance(value, str):
        return value if any("\ud800" <= character <= "\udfff" for character in value) else ""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return next(filter(None, map(_not_unicode, parts)), "")


def is_hashed(item: Item) -> bool:
    """Return whether the hashes of all media of an Item are known."""
    return not item.has_media or all(part.sha256 or not part.is_media for part in item.all_parts)
