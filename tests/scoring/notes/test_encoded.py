"""Recordings whose end a model's processor dropped are noted in tables."""

from __future__ import annotations

from triptych.records import Encoded, Response
from triptych.scoring.notes.encoded import TruncatedInput


def notes(*replies: tuple[Encoded, ...]) -> list[str]:
    found = TruncatedInput()
    for encoded in replies:
        found.add(Response("i", "", 0, "answered", encoded=encoded))
    return list(found.notes())


def test_recordings_whose_end_was_dropped_are_noted() -> None:
    whole, cut = Encoded("audio", "a.wav", 12.0, 12.0), Encoded("audio", "b.wav", 40.0, 30.0)
    frames = Encoded("video", "c.mp4", 500, 32, "frames")
    assert not notes((whole,), (frames,), ())
    (note,) = notes((whole, cut), (Encoded("audio", "d.wav", 360.0, 30.0),), (whole,))
    assert note == (
        "truncated input: the model's processor dropped the end of 2 recordings in 2 replies; "
        "at most 30 of 360 s were encoded (d.wav)"
    )


def test_one_recording_is_counted_in_the_singular_and_a_rounded_length_is_not_a_loss() -> None:
    cut, rounded = Encoded("audio", "诗词/静夜思.wav", 31.5, 30.0), Encoded("audio", "e.wav", 30.0, 29.999)
    assert not notes((rounded,))
    assert notes((cut, rounded)) == [
        "truncated input: the model's processor dropped the end of 1 recording in 1 reply; "
        "at most 30 of 31.5 s were encoded (诗词/静夜思.wav)"
    ]


def test_the_worst_loss_is_named_and_not_the_longest_recording() -> None:
    (note,) = notes((Encoded("audio", "long.wav", 3600.0, 3590.0), Encoded("video", "film.mp4", 60.0, 30.0)))
    assert "2 recordings in 1 reply; at most 30 of 60 s were encoded (film.mp4)" in note
