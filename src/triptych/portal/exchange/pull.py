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
from pathlib import Path

import msgspec

from triptych.construction.folder import BuildFolder
from triptych.construction.questions import Result
from triptych.errors import DataError, MediaError
from triptych.portal.exchange.ends import Accepted, End
from triptych.store.atomic import atomic_file
from triptych.store.journal import Journal
from triptych.store.lock import locked

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
        found = end.results(queue or stage)
        before = list(Journal(results / f"{stage}.jsonl", Result))
        copied = {each.id for each in found.accepted if _copy(end, results, each.files)}
        still = end.confirm(queue or stage, copied | {each.id for each in found.votes}, str(folder.resolve()))
        accepted = [each for each in found.accepted if each.id in still]
        others = [result for result in before if result.person not in set(found.people)]
        _write(results / f"{stage}.jsonl", others, accepted)
        _write_votes(results / f"{stage}.votes.jsonl", [each for each in found.votes if each.id in still])
        named = {name for each in accepted for name in each.files.values()}
        _remove_stale(results, before, found.accepted, named)
    gone = {result.person for result in before} & set(found.withdrawn)
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
                found = hashlib.sha256()
                while chunk := source.read(1 << 20):
                    file.write(chunk)
                    found.update(chunk)
                if found.hexdigest() != sha:
                    raise DataError("a medium of the portal is damaged", where=sha)
        except MediaError:
            return False
    return True


def _write(path: Path, others: Collection[Result], accepted: Collection[Accepted]) -> None:
    with atomic_file(path) as file:
        for result in (*others, *(each.result for each in accepted)):
            file.write(_ENCODER.encode(result) + b"\n")


def _write_votes(path: Path, votes: Collection[Accepted]) -> None:
    """Keep what each reviewer said next to the common results; without votes there is no such file."""
    if votes:
        _write(path, (), votes)
    else:
        path.unlink(missing_ok=True)


def _remove_stale(
    results: Path, before: Collection[Result], offered: Collection[Accepted], named: Collection[str]
) -> None:
    """Delete files that earlier pulls or this one wrote and no result names."""
    earlier = {value for result in before for value in result.values.values() if isinstance(value, str)}
    earlier |= {name for each in offered for name in each.files.values()}
    for name in earlier - set(named):
        if _NAME.fullmatch(name):
            (results / name).unlink(missing_ok=True)
