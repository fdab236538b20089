"""Replies in the journals of workers, written to the Run: during a session, and those that an earlier one left."""

from __future__ import annotations

from collections.abc import Mapping

from triptych.records import Request, Response
from triptych.running.leases.files import FOLDER, left_behind
from triptych.running.loop import with_hashes
from triptych.store.folder import RunFolder, RunWriter


def write_reply(writer: RunWriter, request: Request, response: Response, hashes: Mapping[str, str]) -> None:
    """Journal a Response after its Item, with the hashes of the media that the worker read."""
    if request.item is not None and not writer.knows(request.item.id):
        writer.add_item(with_hashes(request.item, lambda path: hashes.get(path, "")))
    writer.add_response(response)


def recover(folder: RunFolder, writer: RunWriter) -> int:
    """Journal the replies that the driver of an earlier session could not collect; returns their number.

    All leases of that session are fenced first, so workers of it that still run can't add to them. Replies that it had
    collected are in the Run already, and are not written again.
    """
    grants = left_behind(folder.path / FOLDER)
    if not grants:
        return 0
    done = folder.done(frozenset({"failed"}))
    answered = {(response.entry, response.time) for response in folder.history()}
    number = 0
    for grant in grants:
        pending = dict(grant.pending)
        for report in grant.collect():
            response = report.response
            if response.entry not in done and (response.entry, response.time) not in answered:
                write_reply(writer, pending[response.entry], response, report.hashes)
                done |= {response.entry} if response.status != "failed" else set()
                number += 1
        grant.remove()
    return number
