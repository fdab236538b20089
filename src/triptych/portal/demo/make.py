"""The demo's project: made once, with all four jobs; later calls only make new links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from triptych.errors import SpecError
from triptych.portal.demo import annotation, recording, review, survey
from triptych.portal.demo.people import links, make_people
from triptych.portal.project import DATABASE, SETTINGS, Portal, open_portal
from triptych.store.files.atomic import write_atomically

MARK = 'title = "Triptych demo"'
SETTINGS_TEXT = f'{MARK}\ncontact = "this is a demonstration; all content is made up"\n'


def demo(to: Path, address: str, say: Callable[[str], None] = print) -> Portal:
    """Make the project in `to`, unless it is there already, and print a link for each role. Returns it, open.

    Raises SpecError if the folder has other content.
    """
    portal = _make_portal(to, say)
    say("One link for each role. A link works once; a browser has one session at a time.")
    for name, link in links(portal, address).items():
        say(f"  {name + ':':<13} {link}")
    return portal


def _make_portal(to: Path, say: Callable[[str], None]) -> Portal:
    settings = to / SETTINGS
    if settings.is_file() and MARK in settings.read_text(encoding="utf-8", errors="replace"):
        if (to / DATABASE).is_file():
            return open_portal(to)
    elif to.exists() and any(to.iterdir()):
        raise SpecError("the folder has other content", where=to, fix="choose another --to")
    say(f"making {to}: people, recordings, reviews, annotations and a survey, all made up …")
    to.mkdir(parents=True, exist_ok=True)
    portal = open_portal(to)
    people = make_people(portal)
    recording.fill(portal, people["recorder"])
    review.fill(portal, people["reviewer"])
    annotation.fill(portal, people["annotator"][0])
    survey.fill(portal, people["participant"])
    write_atomically(settings, SETTINGS_TEXT.encode())  # last: what was broken off is not taken for a demo
    portal.close()
    return open_portal(to)
