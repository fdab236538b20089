"""Pull: accepted results of a queue become the results file of a build's stage.

Of a queue with several reviewers for one result, `results/STAGE.votes.jsonl` has everything that was submitted.

The file holds first the lines of people whom this portal doesn't know (sheets, scripts), then every accepted result of
the portal, in the order in which they came. So pulling twice writes the same file, and results that were withdrawn or
must be made again are no longer in it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from triptych.construction.asking.questions import Result
from triptych.construction.engine.folder import BuildFolder
from triptych.errors import DataError, MediaError
from triptych.portal.exchange.ends import Accepted, End
from triptych.store.files.atomic import atomic_file
from triptych.store.files.lock import locked
from triptych.store.journals.journal import Journal

_ENCODER = msgspec.json.Encoder()
_NAME = re.compile(r"portal/([0-9a-f]{64})\.wav")


class Pulled(msgspec.Struct, frozen=True):
    """The result of a pull. `others`: results of other origin, kept; `withdrawn`: pseudonyms of people who left and
    whose results were in the file before."""

    queue: str
    results: int
    media: int
    others: int
    withdrawn: tuple[str, ...]


def pull(end: End, build: Path, stage: str, *, queue: str = "") -> Pulled:
    """Write `results/STAGE.jsonl` and its media. `queue`: its name [the stage's].

    Media are copied first. Then the portal writes the export down and says what is still accepted; only that gets into
    the file, so a person who withdraws meanwhile is either not in it, or finds it in the list of exports.

    Raises DataError for an unknown queue; RunFolderError if the folder is not a build or another process writes to it.
    """
    folder = BuildFolder.open(build).path
    results = folder / "results"
    results.mkdir(exist_ok=True)
    with locked(folder):
        people_known, offered = end.results(queue or stage)
        before = list(Journal(results / f"{stage}.jsonl", Result))
        copied = {each.id: _Line.from_accepted(each) for each in offered if _copy(end, results, each.files)}
        still = end.confirm(queue or stage, copied.keys(), str(folder.resolve()))
        others = [result for result in before if result.person not in set(people_known.people)]
        remaining = [line for id, line in copied.items() if id in still]
        accepted = [line for line in remaining if line.chosen]
        _write(results / f"{stage}.jsonl", others, [line.line for line in accepted])
        _write_votes(results / f"{stage}.votes.jsonl", remaining if len(accepted) < len(remaining) else [])
        named = {name for line in accepted for name in line.files}
        _remove_stale(results, before, copied.values(), named)
    gone = {result.person for result in before} & set(people_known.withdrawn)
    return Pulled(queue or stage, len(accepted), len(named), len(others), tuple(sorted(gone)))


def _copy(end: End, results: Path, files: Mapping[str, str]) -> bool:
    """Copy the files of a result that are not there yet; False if one has been erased meanwhile."""
    for sha, name in files.items():
        if not _NAME.fullmatch(name):
            raise DataError("the portal named a file that can't be written", got=name[:80])
        if (results / name).is_file():
            continue
        try:
            with end.medium(sha) as source, atomic_file(results / name) as file:
                hasher = hashlib.sha256()
                while chunk := source.read(1 << 20):
                    file.write(chunk)
                    hasher.update(chunk)
                if hasher.hexdigest() != sha:
                    raise DataError("a medium of the portal is damaged", where=sha)
        except MediaError:
            return False
    return True


@dataclass(frozen=True)
class _Line:
    """A result as its line of the file, and the names of its files: of many results no more is kept."""

    line: bytes
    files: tuple[str, ...]
    chosen: bool

    @classmethod
    def from_accepted(cls, accepted: Accepted) -> _Line:
        return cls(_ENCODER.encode(accepted.result) + b"\n", tuple(accepted.files.values()), accepted.chosen)


def _write(path: Path, others: Collection[Result], accepted: Collection[bytes]) -> None:
    with atomic_file(path) as file:
        for result in others:
            file.write(_ENCODER.encode(result) + b"\n")
        for line in accepted:
            file.write(line)


def _write_votes(path: Path, votes: Collection[_Line]) -> None:
    """Keep what each reviewer said next to the common results; without votes there is no such file."""
    if votes:
        _write(path, (), [each.line for each in votes])
    else:
        path.unlink(missing_ok=True)


def _remove_stale(
    results: Path, before: Collection[Result], offered: Collection[_Line], named: Collection[str]
) -> None:
    """Delete files that earlier pulls or this one wrote and no result names."""
    earlier = {value for result in before for value in result.values.values() if isinstance(value, str)}
    earlier |= {name for each in offered for name in each.files}
    for name in earlier - set(named):
        if _NAME.fullmatch(name):
            (results / name).unlink(missing_ok=True)
