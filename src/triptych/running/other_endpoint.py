"""Resuming a Run at another endpoint, which may serve the same model or another one under the same name."""

from __future__ import annotations

from pathlib import Path

import msgspec

from triptych.errors import SpecError
from triptych.models.adapter import Adapter
from triptych.models.http.endpoints import (
    endpoint_of,
    is_known_endpoint,
    last_shared,
    normalise_address,
    redacted_address,
)
from triptych.records import Endpoint, RunManifest
from triptych.records.unreadable import UNREADABLE
from triptych.store.files.atomic import write_atomically
from triptych.store.files.run_files import read_own
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

ENDPOINTS = "endpoints.json"

CHOICE = (
    "if it is the same model at another address, add --same-model; if it is another model, start a separate Run "
    "with --name LABEL or -M revision=…"
)


def first_endpoint(adapter: Adapter) -> tuple[Endpoint, ...]:
    """Return the endpoints for the manifest of a new Run; none for a model in this process."""
    matching_addresses = [one for url in addresses(adapter) if (one := endpoint_of(url))]
    return tuple(msgspec.structs.replace(one, shared=number > 0) for number, one in enumerate(matching_addresses))


def addresses(adapter: Adapter) -> tuple[str, ...]:
    """Return the addresses of an adapter's endpoints; several if it balances between them."""
    all_addresses: tuple[str, ...] = getattr(adapter, "addresses", (adapter.endpoint,))
    return all_addresses


def at_endpoint(folder: RunFolder, adapter: Adapter, *, same_model: bool = False) -> RunFolder:
    """Return the Run with the adapter's endpoint as the last one in its manifest.

    Raises SpecError if the Run has answers from another endpoint, unless `revision` identifies the model or
    `same_model` is set. A Run without answers, or from a version that stored no endpoint, is resumed at this one.
    """
    manifest = folder.manifest
    here = first_endpoint(adapter)
    urls = addresses(adapter)
    if not here or _are_last(manifest, urls):
        return folder
    if not folder.done(frozenset({"failed", "skipped"})):
        return _with_endpoints(folder, here)
    unknown = [url for url in urls if not is_known_endpoint(url, manifest.endpoints)]
    if unknown and not (same_model or manifest.revision):
        before = ", ".join(one.address for one in last_shared(manifest.endpoints))
        raise SpecError(
            "the Run has answers from another endpoint, which may serve other weights under the same name",
            where=folder.path,
            expected=before,
            got=redacted_address(normalise_address(unknown[0])),
            fix=CHOICE,
        )
    others = [one for one in manifest.endpoints if not any(is_known_endpoint(url, [one]) for url in urls)]
    return _with_endpoints(folder, (*others, *here))


def journal_at_endpoint(journal: ReplyJournal, adapter: Adapter, *, same_model: bool = False) -> None:
    """Check the endpoint of a judge or reader, stored in `endpoints.json` next to its replies.

    Raises SpecError as `at_endpoint` does.
    """
    check_journal_endpoint(journal, adapter, same_model=same_model)
    here = endpoint_of(adapter.endpoint)
    path = journal.folder / ENDPOINTS
    endpoints = _endpoints(path)
    addresses = endpoints.get(journal.path.stem, ())
    if here is None or (addresses and is_known_endpoint(adapter.endpoint, addresses)):
        return
    endpoints[journal.path.stem] = (*(addresses if _answered(journal) else ()), here)
    write_atomically(path, msgspec.json.format(msgspec.json.encode(endpoints), indent=1) + b"\n")


def check_journal_endpoint(journal: ReplyJournal, adapter: Adapter, *, same_model: bool = False) -> None:
    """Raises SpecError where the journal holds replies from another endpoint, as `at_endpoint` does; writes nothing."""
    addresses = _endpoints(journal.folder / ENDPOINTS).get(journal.path.stem, ())
    if not addresses or is_known_endpoint(adapter.endpoint, addresses) or same_model or adapter.revision:
        return
    if _answered(journal):
        raise SpecError(
            f"{adapter.name} was used at another endpoint before, which may serve other weights under the same name",
            where=journal.path,
            expected=addresses[-1].address,
            got=redacted_address(normalise_address(adapter.endpoint)),
            fix="if it is the same model at another address, add --same-model; for another judge model: "
            "-J revision=…; for another reader: -R revision=…",
        )


def _answered(journal: ReplyJournal) -> bool:
    return bool(journal.done(frozenset({"failed", "skipped"})))


def last_address(journal: ReplyJournal) -> str:
    """Return the latest address that the replies in a journal came from; empty if unknown."""
    addresses = _endpoints(journal.folder / ENDPOINTS).get(journal.path.stem, ())
    return addresses[-1].address if addresses else ""


def _endpoints(path: Path) -> dict[str, tuple[Endpoint, ...]]:
    """Return journal -> endpoints of its replies. An unreadable file is treated as empty and rewritten."""
    try:
        return msgspec.json.decode(read_own(path), type=dict[str, tuple[Endpoint, ...]])
    except (OSError, *UNREADABLE):
        return {}


def _are_last(manifest: RunManifest, urls: tuple[str, ...]) -> bool:
    """Return whether these endpoints are the latest ones of a Run."""
    latest = last_shared(manifest.endpoints)
    return len(latest) == len(urls) and all(is_known_endpoint(url, latest) for url in urls)


def _with_endpoints(folder: RunFolder, endpoints: tuple[Endpoint, ...]) -> RunFolder:
    return folder.rewrite(msgspec.structs.replace(folder.manifest, endpoints=endpoints))
