"""Media that tasks show: to people who may do tasks of that kind, and to administrators.

`push` stores the files that a task shows by their SHA-256 and names them in the task's body: `shows.media` is
field -> SHA-256, and `shows[field]` or `helps[field]` is still the name of the file, whose suffix says what it is. A
field inside a list or an object is a path: `candidates.0.audio` is `shows["candidates"][0]["audio"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from triptych.errors import MediaError
from triptych.media.payload import MIME_TYPES
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import problem
from triptych.portal.store.tables import queues, tasks
from triptych.portal.work.opening import is_closed
from triptych.records import Kind
from triptych.web.media import HEADERS, media_type
from triptych.web.waveform import waveform

if TYPE_CHECKING:
    from starlette.responses import Response

KINDS: tuple[Kind, ...] = ("audio", "image", "video")


@dataclass(frozen=True)
class Medium:
    """A medium of a task. `field`: of `shows`; `name`: of the file in the build; `source` and `wave`: addresses of the
    file and of its waveform."""

    field: str
    name: str
    kind: Kind
    sha256: str
    source: str
    wave: str


def media_of(task: int, body: Mapping[str, Any]) -> list[Medium]:
    """Return the media that a task shows, in the order of its fields. `task`: its number in the database."""
    shows = body.get("shows", {})
    named = shows.get("media")
    media = []
    for field, sha in named.items() if isinstance(named, Mapping) else ():
        name, source = (
            str(_value_at(shows, field) or _value_at(body.get("helps", {}), field) or ""),
            f"/shown/{task}/{sha}",
        )
        media.append(Medium(field, name, kind_of(name), sha, source, f"{source}/wave"))
    return media


def _value_at(values: Any, field: str) -> Any:
    """The value of a field, or of a path; None if there is none."""
    if isinstance(values, Mapping) and field in values:
        return values[field]
    first, dot, rest = field.partition(".")
    inside = isinstance(values, list) and first.isdecimal() and len(first) < 6 and int(first) < len(values)
    value = values[int(first)] if inside else values.get(first) if isinstance(values, Mapping) else None
    return _value_at(value, rest) if dot else value


def letter(index: int) -> str:
    """Return the letter by which people know an entry of a list.

    >>> letter(0), letter(25), letter(26)
    ('A', 'Z', '27')
    """
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def label_of(field: str, named: Callable[[str], str] = str) -> str:
    """Return the name of a medium's field as people see it. `named`: names of single fields.

    >>> label_of("audio"), label_of("candidates.1.audio", str.capitalize), label_of("pictures.0")
    ('audio', 'Candidates B: Audio', 'pictures A')
    """
    first, *rest = field.split(".")
    words = [named(first)]
    for part in rest:
        if part.isdecimal():
            words[-1] += f" {letter(int(part))}"
        else:
            words.append(named(part))
    return ": ".join(words)


def entries_of(name: str, value: Any, media: Collection[Medium]) -> list[str] | None:
    """Return the texts of the entries of a list with media, an empty one for an entry without a text; None for any
    other value. `media`: of the task; they are shown by themselves, with the letters of their entries."""
    inside = {each.field for each in media if each.field.startswith(f"{name}.")}
    if not isinstance(value, list) or not inside:
        return None
    return [" · ".join(_texts(each, f"{name}.{index}", inside)) for index, each in enumerate(value)]


def _texts(value: Any, field: str, media: Collection[str]) -> Iterator[str]:
    if isinstance(value, str | int | float) and not isinstance(value, bool) and field not in media and str(value):
        yield str(value)
    for name, each in value.items() if isinstance(value, Mapping) else ():
        yield from _texts(each, f"{field}.{name}", media)


def kind_of(name: str) -> Kind:
    """Return the kind of a medium by the suffix of its file; `audio` if that says nothing.

    >>> kind_of("ab/abcd.mp4"), kind_of("ab/abcd.png"), kind_of("ab/abcd.wav")
    ('video', 'image', 'audio')
    """
    kind = MIME_TYPES.get(Path(name).suffix.lower(), "").partition("/")[0]
    return kind if kind in KINDS else "audio"


def medium(visit: Visit) -> Response:
    """A medium of a task; the browser may ask for a range."""
    from starlette.responses import FileResponse

    medium_ = _medium_of(visit)
    if medium_ is None:
        return problem(visit, 404, "not-found")
    try:
        with visit.portal.blobs.local(medium_.sha256) as path:
            with path.open("rb") as file:
                type_ = media_type(file.read(64), medium_.name, medium_.kind)
            if not type_:
                return problem(visit, 415, "medium-is-unknown")
            return FileResponse(path, media_type=type_, headers=HEADERS)
    except MediaError:
        return problem(visit, 404, "not-found")


def wave(visit: Visit) -> Response:
    """The waveform of a medium as JSON: seconds, and the peaks of each channel."""
    from starlette.responses import JSONResponse

    medium = _medium_of(visit)
    if medium is None or medium.kind == "image":
        return problem(visit, 404, "not-found")
    try:
        with visit.portal.blobs.local(medium.sha256) as path:
            return JSONResponse(waveform(path), headers={"Cache-Control": "private, max-age=86400"})
    except MediaError:
        return problem(visit, 422, "medium-is-unknown")


def _medium_of(visit: Visit) -> Medium | None:
    """The medium of the address, if the task shows it and the visitor may do tasks of its kind."""
    with visit.portal.database.reading() as connection:
        columns = (tasks.c.id, tasks.c.body, tasks.c.filled, tasks.c.wanted, queues.c.kind)
        row = connection.execute(select(*columns).join(queues).where(tasks.c.id == visit.part("task"))).one_or_none()
        if row is None or is_closed(connection, row, visit.person):
            return None
    roles = {"admin", JOBS[row.kind].role} if row.kind in JOBS else {"admin"}
    roles |= {"reviewer"} if row.kind == "annotation" else set()  # who verifies, or reads the list
    if not visit.person.roles & roles:
        return None
    return next((each for each in media_of(visit.part("task"), row.body) if each.sha256 == visit.part("sha256")), None)
