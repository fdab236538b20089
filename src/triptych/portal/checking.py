"""The checks of each kind of job, bound to the queue of checks. The process of checks runs `work_next`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256

import msgspec

from triptych.errors import MediaError
from triptych.portal.checks.queue import Waiting, finish, take
from triptych.portal.project import Portal
from triptych.portal.recording.check import check
from triptych.portal.recording.recognising import recognisers
from triptych.portal.recording.rules import Facts, Settings
from triptych.portal.review.overview import count_next
from triptych.portal.work.keeping import Medium

Check = Callable[[Portal, Waiting], None]


def work_next(portal: Portal) -> bool:
    """Check a submission, and count a large queue that somebody looks at; False if there was nothing to do."""
    counted = count_next(portal.database)
    return check_next(portal) or counted


def check_next(portal: Portal) -> bool:
    """Check the submission that has waited longest; False if none waits."""
    waiting = take(portal.database)
    if waiting is None:
        return False
    CHECKS[waiting.kind](portal, waiting)
    return True


def check_recording(portal: Portal, waiting: Waiting) -> None:
    """Measure a recording, keep it as 16 kHz mono, and accept it or have it made again."""
    try:
        with portal.blobs.open_file(waiting.sha256) as file:
            data = file.read()
    except MediaError:  # erased by a withdrawal since
        finish(portal.database, waiting.id, {}, ["unreadable"])
        return
    text = str(waiting.body.get("shows", {}).get("text", ""))
    facts = msgspec.convert(waiting.answers["facts"], Facts)
    wanted = msgspec.convert(waiting.settings, Settings)
    recognise = recognisers(portal.settings.recognisers, portal.blobs)
    measures, reasons, made = check(data, text, facts, wanted, recognise)
    if not made:
        finish(portal.database, waiting.id, measures, reasons)
        return
    medium = Medium("audio", sha256(made).hexdigest(), len(made), "audio/wav")
    with portal.blobs.incoming_file() as path:
        path.write_bytes(made)
        finish(portal.database, waiting.id, measures, reasons, medium, portal.blobs, path)


CHECKS: Mapping[str, Check] = {"recording": check_recording}
