"""Fetch released data from the Hugging Face Hub: list the files of one commit, fetch missing ones, check their hashes.

The file `fetched.json` in the data folder records repository, commit, and every file with its size and hash. A branch
is resolved once; later fetches use the same commit until another `--revision` is given.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import msgspec

from triptych.errors import DataError, SpecError
from triptych.records.packages import need
from triptych.records.problems import first_few
from triptych.records.unreadable import UNREADABLE, reason
from triptych.releases.archives import SPARE_BYTES, is_archive, unpack
from triptych.releases.release import Release
from triptych.secrets import scrub
from triptych.store.files.atomic import write_atomically
from triptych.store.files.names import checked_digest, checked_name, path_inside
from triptych.store.files.partial import fetch_rest, size_of

RECORD = "fetched.json"
HALF = ".fetching"  # folder of incomplete files
TIMEOUT_S = 30.0
HUB = "https://huggingface.co"
PARALLEL_FILES = 4  # number of small files fetched at a time
SMALL = 16 * 1024 * 1024
TRIES = 4  # successive attempts without progress
Report = Callable[[str], None]


class FetchedFile(msgspec.Struct, frozen=True):
    """A file as listed by the Hub: large files have `sha256`, others `git`, the hash of the git blob."""

    size: int
    sha256: str = ""
    git: str = ""


class Fetched(msgspec.Struct, frozen=True):
    """The content of `fetched.json`. `unpacked`: archive -> number of files unpacked from it."""

    repo: str
    revision: str
    commit: str
    when: str
    files: dict[str, FetchedFile]
    unpacked: dict[str, int] = {}


@dataclass(frozen=True)
class FetchPlan:
    """A planned fetch: the commit, the selected files, and those of them that are missing.

    `gone`: files of an earlier fetch that this commit does not contain.
    """

    release: Release
    revision: str
    commit: str
    to: Path
    endpoint: str
    wanted: dict[str, FetchedFile]
    missing: dict[str, FetchedFile]
    listed: int
    gone: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """Return the number of bytes to fetch."""
        return sum(file.size for file in self.missing.values())


def plan_fetch(
    release: Release, to: Path, *, revision: str = "", only: Sequence[str] = (), endpoint: str = ""
) -> FetchPlan:
    """Resolve the revision, list its files, and find which are missing. Nothing is written.

    `only`: patterns of files, or `questions` for the files without media. Raises DataError if the repository, revision
    or endpoint is unavailable, or a listed path leads out of the folder; SpecError if no file is selected.
    """
    where = (endpoint or os.environ.get("HF_ENDPOINT") or HUB).rstrip("/")
    revision_asked = revision or _pinned(release, to) or release.revision
    need("huggingface_hub", "fetching", "fetch")
    from huggingface_hub import HfApi

    with explain_hub_errors(release.repo, where):
        api = HfApi(endpoint=where, token=hub_token() or False)
        commit = str(api.dataset_info(release.repo, revision=revision_asked).sha)
        listing = api.list_repo_tree(release.repo, repo_type="dataset", recursive=True, revision=commit)
        entries = [entry for entry in listing if hasattr(entry, "blob_id") and isinstance(entry.path, str)]
    files = {checked_name(e.path, where): _file(e, where) for e in entries if not _own_name(e.path)}
    wanted = {path: file for path, file in files.items() if _selected(path, release, only)}
    if not wanted:
        raise SpecError(
            "no file matches the selection", got=", ".join(only), expected=", ".join(list(files)[:8]) or "a file"
        )
    record = read_record(to)
    vouched = record.files if record else {}
    missing = {path: file for path, file in wanted.items() if not _is_there(to / path, file, vouched.get(path))}
    gone = record.files.keys() - files.keys() if record and record.repo == release.repo else ()
    return FetchPlan(release, revision_asked, commit, to, where, wanted, missing, len(files), tuple(sorted(gone)))


def carry_out_fetch(plan: FetchPlan, say: Report) -> Fetched:
    """Fetch missing files, check every file by its hash, unpack archives, and write `fetched.json`.

    An interrupted fetch can be resumed: complete files are kept, partial ones are continued. Archives that differ from
    those of an earlier commit are unpacked over the earlier files; files that only the earlier commit contains are
    reported. Raises DataError if the disk is too small, a file is unavailable, or its content differs from the Hub's
    hash.
    """
    plan.to.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(plan.to).free
    if plan.bytes + SPARE_BYTES > free:
        raise DataError(
            "not enough free disk space",
            where=plan.to,
            expected=f"{size_words(plan.bytes)} free",
            got=size_words(free),
            fix="free space, or use another --to or --only questions",
        )
    fetched = _initial_record(plan)
    _write_record(plan.to, fetched)  # from here on the commit is pinned
    _fetch_all(plan, say)
    fetched = msgspec.structs.replace(fetched, files={**fetched.files, **plan.wanted})
    _write_record(plan.to, fetched)
    for archive in _archives(plan):
        if archive in fetched.unpacked and archive not in plan.missing:
            continue
        say(f"  unpacking {archive}")
        number = unpack(plan.to / archive, plan.to / (plan.release.unpack_to or Path(archive).parent))
        fetched = msgspec.structs.replace(fetched, unpacked={**fetched.unpacked, archive: number})
        _write_record(plan.to, fetched)
    shutil.rmtree(plan.to / HALF, ignore_errors=True)
    _tell_gone(plan, say)
    return fetched


def _tell_gone(plan: FetchPlan, say: Report) -> None:
    """Report files of an earlier commit that are still in the folder, since they could be taken for the new one's."""
    if there := [path for path in plan.gone if (plan.to / path).is_file()]:
        say(f"  {len(there):,} files of an earlier commit are still in the folder; this commit does not contain them:")
        say(f"  {first_few(there)}; delete them, or choose another --to")


def _initial_record(plan: FetchPlan) -> Fetched:
    """Return the record before fetching: the files present, and the content of an earlier record of this commit.

    An archive counts as unpacked if the unpacked one had the same content, whatever the commit.
    """
    earlier = read_record(plan.to)
    there = {path: file for path, file in plan.wanted.items() if path not in plan.missing}
    files_begun = earlier.files if earlier else {}
    done = earlier.unpacked.items() if earlier else ()
    unpacked = {path: n for path, n in done if plan.wanted.get(path, files_begun.get(path)) == files_begun.get(path)}
    if earlier and (earlier.repo, earlier.commit) != (plan.release.repo, plan.commit):
        files_begun = {}
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return Fetched(plan.release.repo, plan.revision, plan.commit, when, {**files_begun, **there}, unpacked)


def _fetch_all(plan: FetchPlan, say: Report) -> None:
    """Fetch small files several at a time, large ones one after the other."""
    counter = count(1)

    def fetch_one(path: str, file: FetchedFile) -> None:
        say(f"  {next(counter):,}/{len(plan.missing):,}  {path}  {size_words(file.size)}")
        _fetch(plan, path, file, say)

    todo = sorted(plan.missing.items())
    with ThreadPoolExecutor(PARALLEL_FILES, "fetch") as pool:
        try:
            for done in [pool.submit(fetch_one, path, file) for path, file in todo if file.size < SMALL]:
                done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for path, file in todo:
        if file.size >= SMALL:
            fetch_one(path, file)


def read_record(to: Path) -> Fetched | None:
    """Return the record of what was fetched into this folder; None if nothing was. Raises DataError if it is
    damaged."""
    try:
        return msgspec.json.decode((to / RECORD).read_bytes(), type=Fetched)
    except FileNotFoundError:
        return None
    except (OSError, *UNREADABLE) as error:
        fix = "delete it and fetch again; the files present are checked again"
        problem = "the record of what was fetched can't be read"
        raise DataError(problem, where=to / RECORD, got=reason(error), fix=fix) from None


def fetched_from(release: Release, folder: Path, files: Iterable[Path]) -> str:
    """Return `REPO@COMMIT` if these files of a folder are those of the release, by the record of a fetch and by their
    content; otherwise an empty string."""
    try:
        record = read_record(folder)
        if record is None or not release.repo or record.repo != release.repo:
            return ""
        for path in files:
            listed = record.files.get(path.relative_to(folder).as_posix())
            if listed is None or not _is_there(path, listed, None):
                return ""
    except (DataError, OSError, ValueError):  # the record can't be read, or a file isn't in the folder
        return ""
    return f"{record.repo}@{record.commit[:12]}"


def size_words(size: float) -> str:
    """Return a size in bytes as text: `12.3 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
        size /= 1000
    raise AssertionError


def _pinned(release: Release, to: Path) -> str:
    """Return the commit that an earlier fetch resolved, if it was of this repository."""
    record = read_record(to)
    return record.commit if record and record.repo == release.repo else ""


def _own_name(path: str) -> bool:
    """Return whether the fetch itself uses a file of this name."""
    return path == RECORD or path.partition("/")[0] == HALF


def _file(entry: Any, where: str) -> FetchedFile:
    """Return a file with its listed size and hash. Raises DataError if they are invalid: the hash becomes a file
    name."""
    source, where_ = entry.lfs or entry, f"{where}: {entry.path[:200]}"
    if not isinstance(source.size, int) or isinstance(source.size, bool) or source.size < 0:
        raise DataError("the listing does not state the file's size", where=where_, got=repr(source.size)[:200])
    if entry.lfs is not None:
        return FetchedFile(source.size, sha256=checked_digest(source.sha256, 64, where_))
    return FetchedFile(source.size, git=checked_digest(entry.blob_id, 40, where_))


def _selected(path: str, release: Release, only: Sequence[str]) -> bool:
    patterns = [p for name in only for p in (release.questions if name == "questions" else (name,))]
    if any(fnmatchcase(path, pattern) for pattern in release.leave):
        return False
    return not only or any(fnmatchcase(path, pattern) for pattern in patterns)


def _is_there(path: Path, file: FetchedFile, vouched: FetchedFile | None) -> bool:
    """Return whether the file is present, by its size, and by its hash unless the record confirms it."""
    try:
        if path.stat().st_size != file.size:
            return False
    except OSError:
        return False
    return vouched == file or _is_whole(path, file)


def _is_whole(path: Path, file: FetchedFile) -> bool:
    """Return whether the content has the hash that the Hub states."""
    digest = hashlib.sha256() if file.sha256 else hashlib.sha1(f"blob {file.size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest() == (file.sha256 or file.git)


def _fetch(plan: FetchPlan, path: str, file: FetchedFile, say: Report) -> None:
    """Fetch one file. A partial file is named by its hash, so that only the same content is continued."""
    path_ = path_inside(plan.to, path)
    part = plan.to / HALF / f"{file.sha256 or file.git}.part"
    part.parent.mkdir(exist_ok=True)
    for _ in range(2):  # once more from the beginning if the continued file has the wrong hash
        _transfer(plan, path, file, part, say)
        if _is_whole(part, file):
            part.replace(path_)
            return
        part.unlink()
    raise DataError(
        "a fetched file does not match the Hub's hash",
        where=path_,
        expected=file.sha256 or file.git,
        fix="fetch again; if the error remains, don't trust the mirror in HF_ENDPOINT",
    )


def _transfer(plan: FetchPlan, path: str, file: FetchedFile, part: Path, say: Report) -> None:
    """Transfer the bytes, retrying as long as there is progress. Raises DataError."""
    from huggingface_hub import hf_hub_url

    url = hf_hub_url(plan.release.repo, path, repo_type="dataset", revision=plan.commit, endpoint=plan.endpoint)
    tries, reason = 0, ""
    part.touch()
    while (before := size_of(part)) < file.size:
        if tries == TRIES:
            fix = "run the same command again to resume"
            raise DataError("a file can't be fetched", where=url, got=reason or "the transfer ended too early", fix=fix)
        if tries:
            time.sleep(2.0**tries / 4)
        try:
            fetch_rest(url, part, file.size, timeout_s=TIMEOUT_S, token=hub_token(), report=_tenths(path, file, say))
        except (OSError, HTTPException) as error:
            reason = _summarise_error(error)
            if isinstance(error, HTTPError) and error.code == 416:
                part.write_bytes(b"")
        tries = tries + 1 if size_of(part) <= before else 0


def _tenths(path: str, file: FetchedFile, say: Report) -> Callable[[int], None]:
    """Return a function that reports progress in percent for large files; None for small ones."""
    return lambda percent: say(f"    {path} {percent}%") if file.size >= SMALL else None


def _archives(plan: FetchPlan) -> Iterator[str]:
    for path in sorted(plan.wanted):
        if any(fnmatchcase(path, pattern) for pattern in plan.release.unpack) and is_archive(plan.to / path):
            yield path


def _write_record(to: Path, fetched: Fetched) -> None:
    write_atomically(to / RECORD, msgspec.json.format(msgspec.json.encode(fetched), indent=1) + b"\n")


@contextmanager
def explain_hub_errors(repo: str, endpoint: str, *, push: bool = False) -> Iterator[None]:
    """Turn errors of the Hub's client into errors that say what to do."""
    from huggingface_hub import errors

    transport: Any = errors.HfHubHTTPError.__bases__[0]  # the base error of the HTTP library that the client uses
    try:
        yield
    except errors.GatedRepoError:
        fix = f"accept the conditions at {endpoint}/datasets/{repo}, and set HF_TOKEN"
        raise DataError(f"{repo} is gated: its conditions must be accepted first", fix=fix) from None
    except errors.RepositoryNotFoundError:
        fix = "check the name and HF_ENDPOINT; a private dataset needs HF_TOKEN"
        raise DataError(f"no dataset {repo} at {endpoint}", fix=fix) from None
    except errors.RevisionNotFoundError as error:
        fix = "give a branch, tag or full commit hash with --revision"
        raise DataError(f"{repo} has no such revision", got=_summarise_error(error), fix=fix) from None
    except errors.OfflineModeIsEnabled:
        raise DataError("HF_HUB_OFFLINE is set, so nothing is fetched", fix="unset it") from None
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        transport,
        errors.CorruptedCacheException,
    ) as error:
        fix = (
            "check that HF_TOKEN may write to this data set"
            if push
            else ("run the same command again to resume, or set HF_ENDPOINT to a mirror")
        )
        problem = f"{endpoint} {'refuses, ' if push else ''}can't be reached or sends an invalid reply"
        raise DataError(problem, got=_summarise_error(error), fix=fix) from None


def hub_token() -> str:
    """Return the token in the environment; tokens stored on the disk are not used."""
    return os.environ.get("HF_TOKEN", "")


def _summarise_error(error: Exception) -> str:
    return scrub(" ".join(f"{type(error).__name__}: {error}".split()))[:300]
