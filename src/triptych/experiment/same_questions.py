"""On resume: the answers of earlier sessions belong to the Requests that would be sent now.

A Request's key hashes everything that changes an answer. Whatever changed since (a template, an option, a Condition's
code), its key is another one, also where no field of the manifest names it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec import structs

from triptych.errors import RunFolderError
from triptych.experiment.plan import Plan
from triptych.records import SCHEMA_VERSION, Request
from triptych.records.exchange import full_revision
from triptych.store.folder import RunFolder
from triptych.store.journals.entry_table import EntryTable, number_of

_NAMED = 3


def check_same_requests(ready: Plan, folder: RunFolder) -> RunFolder:
    """Raise RunFolderError if a Request that was answered would be another one now, or none; return the folder.

    Requests with media that a Condition changes, or that were never read, have no key to compare. A manifest of version
    1 doesn't hold its prompts: they are added once keys have shown that they are the same ones.
    """
    keys = folder.keys()
    if not len(keys) and not len(folder.settled(frozenset())):
        return folder
    alike, others, answered = 0, list[str](), 0
    for request, recorded, now in _pairs(ready, folder, keys):
        answered += 1
        if now is None or recorded == now:
            alike += now is not None
        else:
            others.append(request.id)
    if others:
        names = ", ".join(islice(dict.fromkeys(others), _NAMED))
        raise RunFolderError(
            "the Run's questions are not those that would be asked now",
            where=folder.path,
            got=f"{len(others):,} of {alike + len(others):,} answered Requests differ, such as {names}",
            expected="the same prompts, options, settings and media",
            fix="choose another --out, or --name LABEL",
        )
    if answered < len(keys):
        raise RunFolderError(
            "the Run has answers to questions that would not be asked now",
            where=folder.path,
            got=f"{len(keys) - answered:,} of {len(keys):,} answered Requests have ids that the data doesn't have",
            expected="the same ids of Items whenever the same data is read",
            fix="choose another --out, or --name LABEL; a reader must not make ids from times or random numbers",
        )
    if folder.manifest.schema_version == SCHEMA_VERSION:
        return folder
    return _with_prompts(ready, folder, alike)


def _pairs(ready: Plan, folder: RunFolder, keys: EntryTable) -> Iterable[tuple[Request, int, int | None]]:
    """Yield the answered Requests with numbers of their recorded key and of the key that they would have now; None for
    those that can't be compared."""
    revision = full_revision(ready.adapter.revision, ready.adapter.settings)
    hashes = {part.path: part.sha256 for item in folder.items_written() for part in item.all_parts if part.sha256}
    for request in ready.requests() if len(keys) else ():
        recorded = keys.get((request.id, request.condition, request.repeat))
        media = request.media_parts
        if recorded is not None:
            comparable = all(not part.transform and part.path in hashes for part in media)
            key = number_of(request.key(ready.adapter.name, revision, hashes)) if comparable else None
            yield request, recorded, key


def _with_prompts(ready: Plan, folder: RunFolder, alike: int) -> RunFolder:
    if not alike:
        raise RunFolderError(
            "the Run was begun by an earlier version, which didn't record what its prompts say",
            where=folder.path,
            got=f"schema_version {folder.manifest.schema_version}, and no answer by which they can be recognised",
            fix="choose another --out; the Run here can still be scored and reported",
        )
    manifest = structs.replace(folder.manifest, schema_version=SCHEMA_VERSION, prompts=ready.manifest.prompts)
    return folder.rewrite(manifest)
