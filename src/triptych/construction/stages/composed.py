"""Instances that are composed of parts: arrangements, orders, counts and sums. Each count and order is found again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.stages._media_fields import FramesPerSecond, Height, Lufs, Quality, Rate, Side, Width
from triptych.construction.stages.triplet_media import loudest_part
from triptych.construction.stages.triplets import FORMS, Form, store_picture, store_sound
from triptych.errors import MediaError

NUMBER = 4
RELATIONS = {
    "double": "has twice as many repetitions as this {context}",
    "sum": "has as many repetitions as both series in this {context} together",
}


class Compose(Parameters, frozen=True):
    """Parameters of `compose`."""

    rate: Rate = 24_000
    lufs: Lufs = -23.0
    side: Side = 640
    quality: Quality = 85
    width: Width = 320
    height: Height = 180
    per_second: FramesPerSecond = 10
    gap: Annotated[float, Meta(ge=0, description="silence between two sounds, in seconds")] = 0.4
    pause: Annotated[float, Meta(ge=0, description="silence between the two series of `sum`, in seconds")] = 1.2
    seconds: Annotated[float, Meta(gt=0, description="length of each part of a sequence, in seconds")] = 2.0
    widest: Annotated[
        float,
        Meta(
            ge=0,
            le=90,
            description="direction of the outermost sound on each side, in degrees (30: at the loudspeakers)",
        ),
    ] = 30.0
    least_count: Annotated[int, Meta(ge=0, description="least count of an option")] = 1
    most_count: Annotated[int, Meta(ge=1, description="greatest count of an option")] = 12

    def __post_init__(self) -> None:
        if self.least_count > self.most_count:
            raise ValueError("`least_count` is greater than `most_count`")


@stage(
    "compose",
    version=4,
    reads=["compose", "parts", "counts?", "loudest?"],
    writes=[*FORMS, "relation"],
    costly=True,
    parameters=Compose,
)
def compose(values: Values, context: Context[Compose]) -> Outcome:
    """Compose the right form and three wrong ones of `parts`, each {text, audio, image or video}.

    `compose` is one of

        arrangement  parts from left to right: panned to two loudspeakers, pictures side by side; wrong: other orders
        order        3 to 5 parts one after another, `seconds` of each: joined sounds, joined films; wrong: other orders
        count        one part, `counts[0]` times; wrong: other counts
        double       the same, and twice as many are asked for
        sum          `counts[0]` times, a pause, `counts[1]` times; all together are asked for

    Wrong counts are next to the right one, which is the least, the second, the third or the greatest equally often. The
    four series have the same length, that of the greatest count: the pauses of the others are longer. Of `order`, the
    loudest `loudest` seconds of each part are taken if they are given: of the recording, or of the film's sound, with
    the pictures to it. Orders and counts are looked for in the finished sounds and films (onsets, movements); if others
    are found, the record is dropped.
    """
    shop = _Shop(context, [dict(part) for part in values["parts"]], values["loudest"])
    draw = context.random("compose", values.id)
    kind, parts = values["compose"], range(len(values["parts"]))
    try:
        if kind in ("arrangement", "order"):
            if not 2 < len(parts) <= 5:
                return dropped("number-of-parts", f"{len(parts)}; 3 to 5 are needed")
            others = _other_orders([str(part["text"]) for part in values["parts"]])
            if len(others) < NUMBER - 1:
                return dropped("parts-alike", "parts with one text leave too few orders")
            orders = [tuple(parts), *draw.sample(others, NUMBER - 1)]
            make = shop.arrangement if kind == "arrangement" else shop.sequence
            right_order, *wrong = [make(order) for order in orders]
            return kept(right_order | {"wrong": wrong})
        counts = list(values["counts"] or ())
        right = {"count": sum, "double": lambda c: 2 * sum(c), "sum": sum}[kind](counts)
        wanted = near_counts(right, draw.randrange(NUMBER), context.parameters.least_count)
        if max(wanted) > context.parameters.most_count:
            return dropped("count-too-great", f"{max(wanted)}; at most {context.parameters.most_count}")
        target, *wrong = [shop.counted((count,), max(wanted)) for count in wanted]
        if kind == "count":
            return kept(target | {"wrong": wrong})
        return kept(shop.counted(tuple(counts)) | {"target": target, "wrong": wrong, "relation": RELATIONS[kind]})
    except _CheckFailed as fault:
        return dropped(*fault.args)


def _other_orders(texts: Sequence[str]) -> list[tuple[int, ...]]:
    """The orders that read otherwise than the given one, and than each other: two violins may change places."""
    seen, orders = {tuple(texts)}, []
    for order in itertools.permutations(range(len(texts))):
        read = tuple(texts[n] for n in order)
        if read not in seen:
            seen.add(read)
            orders.append(order)
    return orders


def near_counts(right: int, rank: int, min_count: int) -> list[int]:
    """Return the right count and three next to it, of which `rank` (0 to 3) are smaller; fewer if there is no room.

    Example:
        >>> near_counts(5, 1, 1)
        [5, 4, 6, 7]
        >>> near_counts(2, 3, 1)
        [2, 1, 3, 4]
    """
    rank = min(rank, right - min_count)
    return [right, *(right + step for step in range(-rank, NUMBER - rank) if step)]


class _CheckFailed(Exception):
    """A finished medium doesn't show what it was made to show: reason and note."""


@dataclass
class _Shop:
    """Makes forms of parts; what several forms of a record share is made once."""

    context: Context
    parts: list[dict[str, Any]]
    loudest: float | None = None
    _sounds: dict[int, Any] = field(default_factory=dict)
    _begins: dict[int, float] = field(default_factory=dict)

    def arrangement(self, order: Sequence[int]) -> Form:
        """Parts from left to right."""
        from PIL import Image

        from triptych.media.scenes.drawing import side_by_side
        from triptych.media.spatial.panning import arrangement, spread

        wanted = self.context.parameters
        stereo = arrangement([self.sound(n) for n in order], spread(len(order), wanted.widest))
        if self.loudest and (length := round(self.loudest * wanted.rate)) < len(stereo):
            begin = loudest_part(stereo, length)
            stereo = stereo[begin : begin + length]
        row = side_by_side([self._picture(n) for n in order], gap=8)
        text = "From left to right: " + ", ".join(self.parts[n]["text"] for n in order)
        vision = store_picture(Image.fromarray(row), self.context)
        return {
            "text": text,
            "audio": store_sound(stereo, wanted.rate, self.context),
            "vision": vision,
            "made": _MADE,
        }

    def sequence(self, order: Sequence[int]) -> Form:
        """Parts one after another."""
        from triptych.media.scenes.checking import order_of_sounds
        from triptych.media.scenes.sequences import join_sounds

        rate = self.context.parameters.rate
        sounds = [self._excerpt(n) for n in order]
        joined, _ = join_sounds(sounds, rate, gap=0.1)
        if (sequence := order_of_sounds(joined, sounds)) != list(range(len(order))):
            raise _CheckFailed("order-not-found", f"the sounds were found as {sequence}")
        text = " → ".join(self.parts[n]["text"] for n in order)
        vision = self._film(lambda path, form: self._joined(order, path, form))
        audio = store_sound(joined.reshape(-1, 1), rate, self.context)
        return {"text": text, "audio": audio, "vision": vision, "made": _MADE}

    def counted(self, counts: tuple[int, ...], as_long_as: int = 0) -> Form:
        """The first part, repeated this many times; several counts with a pause between.

        as_long_as: the length is that of this many repetitions (0: as long as it gets).
        """
        return self._repeated(counts, max(as_long_as, sum(counts)))

    def _picture(self, number: int) -> Any:
        """The picture of a part: its file, or its column of a film's middle picture in which all parts are seen."""
        import numpy as np

        from triptych.media.films.stills import stills
        from triptych.media.pictures.changes import decode_picture

        path, spec = self._material(number, "image"), self.parts[number]["image"]
        if "column" not in spec:
            return np.asarray(decode_picture(path.read_bytes(), path)[0])
        column, of = spec["column"]
        frame = stills(path.read_bytes(), 1, path)[0]
        return frame[:, column * frame.shape[1] // of : (column + 1) * frame.shape[1] // of]

    def sound(self, number: int) -> Any:
        """The sound of a part, mono, without silence at its ends (if an excerpt is taken: as long as it is)."""
        if number not in self._sounds:
            from triptych.media.sound.coding import decode_sound, sound_track
            from triptych.media.sound.loudness import sounding_range

            rate = self.context.parameters.rate
            if "audio" in self.parts[number]:
                path = self._material(number, "audio")
                sound = decode_sound(path.read_bytes(), path)
            else:
                path = self._material(number, "video")
                track = sound_track(path.read_bytes(), path)
                if track is None:
                    raise _CheckFailed("no-sound", self.parts[number]["text"])
                sound = track
            mono = sound.mono(rate)
            begin, end = sounding_range(mono, rate, margin_s=0.0)
            if begin == end:
                raise _CheckFailed("silent", self.parts[number]["text"])
            # Parts of one recording play together: none may be moved in time.
            self._sounds[number] = mono if self.loudest else mono[begin:end]
        return self._sounds[number]

    def _excerpt(self, number: int) -> Any:
        """The seconds of a part's sound that are used: the loudest, or the first."""
        sound, rate = self.sound(number), self.context.parameters.rate
        if not self.loudest:
            return sound[: round(self.context.parameters.seconds * rate)]
        length = round(self.loudest * rate)
        begin = loudest_part(sound.reshape(-1, 1), length)
        self._begins[number] = begin / rate
        return sound[begin : begin + length]

    def _material(self, number: int, kind: str) -> Path:
        part = self.parts[number]
        if kind not in part:
            raise MediaError(f"a part has no {kind}", where=part["text"], expected=f"a file in the column `{kind}`")
        return self.context.material(part[kind]["file"])

    def _film(self, write: Callable[[Path, Any], None]) -> str:
        from triptych.media.scenes.films import Form as FilmForm

        wanted = self.context.parameters
        with TemporaryDirectory(prefix="triptych-compose-") as folder:
            path = Path(folder) / "film.mp4"
            write(path, FilmForm(wanted.width, wanted.height, wanted.per_second, wanted.rate, 0))
            return self.context.media.add(path)

    def _joined(self, order: Sequence[int], path: Path, form: Any) -> None:
        from triptych.media.scenes.checking import order_of_films
        from triptych.media.scenes.films import Clip
        from triptych.media.scenes.sequences import join_films

        clip_begins = [(Clip(self._material(n, "video")), self._begins.get(n, 0.0)) for n in order]
        seconds = self.loudest or self.context.parameters.seconds
        clips = [Clip(clip.path, begin, min(clip.seconds, begin + seconds)) for clip, begin in clip_begins]
        begins = join_films(clips, path, form)
        if (sequence := order_of_films(path, clips, begins)) != list(range(len(order))):
            raise _CheckFailed("order-not-found", f"the films were found as {sequence}")

    def _repeated(self, counts: tuple[int, ...], max_count: int) -> Form:
        from triptych.media.scenes.checking import onsets
        from triptych.media.scenes.sequences import join_sounds, repeat_sound

        wanted, rate, event = self.context.parameters, self.context.parameters.rate, self.sound(0)
        gap = _stretched(len(event) / rate, counts, max_count, wanted.gap)
        series = [repeat_sound(event, count, rate, gap=gap)[0] for count in counts]
        joined, begins = join_sounds(series, rate, gap=wanted.pause)
        if len(counts) == 1:
            joined = _fit_length(joined, len(repeat_sound(event, max_count, rate, gap=wanted.gap)[0]))
        onset_times = onsets(joined, rate)
        counted = [sum(a <= at < b for at in onset_times) for a, b in itertools.pairwise([*begins, float("inf")])]
        if counted != list(counts):
            raise _CheckFailed("count-not-found", f"{counted} sounds, not {list(counts)}")
        vision = self._film(lambda path, form: self._repeated_film(counts, max_count, path, form))
        text = " and ".join(f"{count} time{'' if count == 1 else 's'}" for count in counts)
        audio = store_sound(joined.reshape(-1, 1), rate, self.context)
        return {"text": text, "audio": audio, "vision": vision, "made": _MADE}

    def _repeated_film(self, counts: tuple[int, ...], max_count: int, path: Path, form: Any) -> None:
        from triptych.media.scenes.checking import movements
        from triptych.media.scenes.films import Clip, pictures, write_film

        wanted = self.context.parameters
        shown = list(pictures(Clip(self._material(0, "video")), form.per_second))
        gap, pause = (max(1, round(seconds * form.per_second)) for seconds in (wanted.gap, wanted.pause))
        rest = int(_stretched(len(shown), counts, max_count, gap))
        still = [shown[0]]
        frames = still * gap
        for number, count in enumerate(counts):
            frames += still * (pause if number else 0)
            for _ in range(count):
                frames += [*shown, *still * rest]
        if len(counts) == 1:
            length = gap + max_count * (len(shown) + gap)
            frames = [*frames[:length], *still * (length - len(frames))]
        write_film(path, iter(frames), form)
        if (total := len(movements(path, per_second=form.per_second))) != sum(counts):
            raise _CheckFailed("count-not-found", f"{total} movements, not {sum(counts)}")


def _stretched(event: float, counts: Sequence[int], max_count: int, gap: float) -> float:
    """The pause between repetitions that makes a series as long as `max_count` repetitions with the pause `gap`.

    Example:
        >>> _stretched(1.0, [2], 4, 0.5)
        2.0
    """
    if len(counts) > 1:
        return gap
    return gap + (max_count - counts[0]) * (event + gap) / counts[0]


def _fit_length(samples: Any, length: int) -> Any:
    import numpy as np

    return np.pad(samples[:length], (0, max(0, length - len(samples))))


_MADE: list[str] = ["audio", "text", "vision"]
COMPOSED: Mapping[str, tuple[str, ...]] = {
    "arrangements": ("arrangement",),
    "order": ("order",),
    "count": ("count",),
    "calculation": ("double", "sum"),
}
