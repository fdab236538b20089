"""What isn't content of questions in a build: figures of their media and texts, for `triptych.metrics.surface_cues`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from triptych.construction.engine.media import VALUE, MediaStore
from triptych.construction.record import Record
from triptych.errors import MediaError
from triptych.metrics.surface_cues import GuessedQuestion, picture_figures, sound_figures, text_figures

_PICTURES = ("jpg", "png", "webp")
_SOUNDS = ("wav", "ogg", "flac", "mp3")


def surface_cues_of(questions: Iterable[Any], media: MediaStore) -> list[GuessedQuestion]:
    """Return questions in six directions by the figures of their context and options."""
    return [
        GuessedQuestion(
            q.id,
            figures(values["context"], media),
            tuple(figures(o, media) for o in values["options"]),
            values["answers"][0],
            str(values["instance"]),
        )
        for q in questions
        for values in (_fields(q),)
        if len(values["answers"]) == 1
    ]


def _fields(question: Any) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = question.fields if isinstance(question, Record) else question
    return fields


def figures(value: str, media: MediaStore) -> dict[str, float]:
    """Return the figures of a text or of a medium of the store; none if it can't be decoded."""
    return _measure_file(media.path(value)) if VALUE.fullmatch(value) else text_figures(value)


@lru_cache(maxsize=65_536)  # a file of the store is named by its content
def _measure_file(path: Path) -> dict[str, float]:
    from triptych.media.films.changes import glimpse
    from triptych.media.pictures.changes import decode_picture
    from triptych.media.sound.coding import decode_sound

    data, kind = path.read_bytes(), path.suffix.lower().lstrip(".")
    try:
        if kind in _SOUNDS:
            sound = decode_sound(data, path)
            return sound_figures(sound.samples, sound.rate, len(data))
        if kind in _PICTURES:
            return picture_figures(decode_picture(data, path)[0], len(data))
        seconds, picture = glimpse(data, path)
        return picture_figures(picture, len(data), seconds)
    except MediaError:
        return {}
