"""Films whose pictures are missing for a large part: black, frozen, or ended before the sound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.media.levels import is_blank, is_same, mean_colours
from triptych.media.opening import frames, opened_container
from triptych.media.pictures.upright import upright_pixels

Fault = tuple[str, str]  # reason and note

SHORT_S = 120.0  # films up to this length are looked at once a second, longer ones at LOOKS of their key pictures
LOOKS = 40
BLANK = 0.4  # share of the pictures that may have one even colour
_FROZEN = 0.5  # share of the film, up to its end, in which nothing changes
_MOVED = 0.8  # share of the pictures before that differ from the one before: a camera, not slides
_MOVED_LOOKS = 3
_EARLY_S = 5.0  # by which pictures may end before the sound
_EARLY = 0.05  # and the same as a share of the sound


@dataclass(frozen=True)
class Look:
    """A picture of a film without its pixels, of which one in 4K has 25 MB.

    at       when it is shown, in seconds
    even     whether it has one even colour
    colours  its `mean_colours`
    """

    at: float
    even: bool
    colours: Any


def look(at: float, pixels: Any) -> Look:
    """Look at a picture that is shown at a time in seconds."""
    return Look(at, is_blank(pixels), mean_colours(pixels))


def still_from(looks: Sequence[Look]) -> int:
    """Return the number of the first picture from which on nothing moves: that of the last one, if the film moves."""
    begin = len(looks) - 1
    while begin > 0 and is_same(looks[-1].colours, looks[begin - 1].colours):
        begin -= 1
    return begin


def film_fault(path: Path, *, frozen: bool = True, blank: float = BLANK) -> Fault | None:
    """Return what is wrong with the pictures of a film, with the reason; None if nothing is.

    `film-shows-nothing`: pictures of one even colour for a share of `blank` or more. `film-frozen`, only with `frozen`:
    a film that moved throughout shows one picture for its second half or longer; slides don't move.
    `film-ends-early`: the last picture is 5 s and 5% before the end of the sound, and no picture before was shown for
    half as long.
    """
    looks = list(_looks(path))
    if not looks:
        return "film-shows-nothing", "it has no picture that can be decoded"
    empty = [each.at for each in looks if each.even]
    if len(empty) == len(looks):
        return "film-shows-nothing", "all pictures have one even colour"
    if (share := len(empty) / len(looks)) >= blank:
        text = f"{share:.0%} of its pictures have one even colour, the first at {empty[0]:.0f} s"
        return "film-shows-nothing", text
    if frozen and (at := _frozen_at(looks)) is not None:
        return "film-frozen", f"nothing moves any more from {at:.0f} s to the end; bring the whole film"
    return _ends_early(path)


def _frozen_at(looks: Sequence[Look]) -> float | None:
    """The second from which one picture stays up to the end, for half of the film or longer, if it moved before."""
    begin = still_from(looks)
    if begin < _MOVED_LOOKS or len(looks) - begin < max(_MOVED_LOOKS, _FROZEN * len(looks)):
        return None
    moved = sum(not is_same(looks[n].colours, looks[n + 1].colours) for n in range(begin))
    return looks[begin].at if moved >= _MOVED * begin else None


def _looks(path: Path) -> Iterator[Look]:
    """Look at a film over its whole length: once a second, or in a long film at key pictures."""
    from triptych.media.lengths import film_seconds

    seconds = film_seconds(path) or 0.0
    return _each_second(path) if 0 < seconds <= SHORT_S else _key_pictures(path, seconds)


def _each_second(path: Path) -> Iterator[Look]:
    number = 0
    with opened_container(path, path, "video") as container:
        stream = container.streams.video[0]
        start = float((stream.start_time or 0) * stream.time_base)
        for frame in frames(container, stream, path):
            at = float((frame.pts or 0) * stream.time_base) - start
            if at >= number:
                yield look(at, upright_pixels(frame))
                number += 1


def _key_pictures(path: Path, seconds: float) -> Iterator[Look]:
    with opened_container(path, path, "video") as container:
        stream = container.streams.video[0]
        stream.codec_context.skip_frame = "NONKEY"
        start = float((stream.start_time or 0) * stream.time_base)
        for number in range(LOOKS if seconds else 1):
            container.seek(int((start + seconds * number / LOOKS) * 1_000_000))
            frame = next(frames(container, stream, path), None)
            if frame is not None:
                at = max(0.0, float((frame.pts or 0) * stream.time_base) - start)
                yield look(at, upright_pixels(frame))


def _ends_early(path: Path) -> Fault | None:
    """Compare the times of the last packets of pictures and of sound; nothing is decoded."""
    with opened_container(path, path, "video") as container:
        if not container.streams.audio or not container.streams.video:
            return None
        picture, sound = container.streams.video[0], container.streams.audio[0]
        picture_end, sound_end, longest = 0.0, 0.0, 0.0
        for packet in container.demux(picture, sound):
            if packet.pts is None:
                continue
            begin = float(packet.pts * packet.time_base)
            if packet.stream is picture:
                longest = max(longest, begin - picture_end)
                picture_end = max(picture_end, begin + float((packet.duration or 0) * packet.time_base))
            else:
                sound_end = max(sound_end, begin + float((packet.duration or 0) * packet.time_base))
    missing = sound_end - picture_end
    if missing > _EARLY_S and missing > _EARLY * sound_end and missing > 2 * longest:
        return (
            "film-ends-early",
            f"its pictures end at {picture_end:.0f} s, its sound at {sound_end:.0f} s; bring the whole film",
        )
    return None
