"""Pieces for models in this process: decoded recordings, pictures and frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from triptych.media.films.frames import Film, Resize, take_frames
from triptych.media.films.timeline import Timeline, timeline
from triptych.media.opening import opened_picture
from triptych.media.pictures.upright import is_deep, is_turned, upright
from triptych.media.sound.coding import Sound, decode_sound
from triptych.models.packing.frames import fitting_picture
from triptych.models.packing.packer import Packer, Piece
from triptych.records import Part, Sent

FULL_VIDEO_MODES = ("none", "in_video", "apart", "apart_first")
FRAMES = (*FULL_VIDEO_MODES, "interleaved")

Choose = Callable[[Timeline], Sequence[int] | None]


def _all_frames(line: Timeline) -> None:
    return None


@dataclass
class DecodedPacker(Packer):
    """Packs one Request for a model in this process.

    rate    sampling rate in Hz that the model expects
    choose  the numbers of the frames that its processor takes of a whole film; None for all
    fewest  frames that it needs; of a shorter film the last frame is repeated
    fitted  what resizes frames as its processor does, where the packing limits their size; None: as for others
    """

    rate: int = 16_000
    choose: Choose = field(default=_all_frames)
    fewest: int = 1
    fitted: Resize | None = None

    def resize(self) -> Resize | None:
        """As the processor does, if it has a rule of its own."""
        return self.fitted or super().resize()

    def in_form(self, sound: Sound) -> Sound:
        """Mono, at the model's rate."""
        return Sound(sound.mono(self.rate)[:, None], self.rate)

    def recording(self, part: Part) -> Piece:
        """A recording, mono, at the model's rate."""
        payload = self.media.load(part)
        return self.track(part, self.in_form(decode_sound(payload.data, payload.path)), self.at)

    def image(self, part: Part) -> Piece:
        """A picture in RGB, as people see it."""
        payload = self.media.load(part)
        with opened_picture(payload.data, payload.path) as picture:
            turned = is_turned(picture) or is_deep(picture)
            rgb = upright(picture).convert("RGB")
        shown = fitting_picture(rgb, self.packing)
        form = "upright" if turned else "file"
        form = form if shown is rgb else "resized"
        self.sent.append(Sent("image", part.path, form, self.at, width=shown.width, height=shown.height))
        return Piece("image", part, picture=shown)

    def whole(self, part: Part, taken: Part | None) -> Iterator[Piece]:
        """The frames that the processor itself would choose."""
        yield from self.frames(part, taken)

    def chosen_frames(self, payload: Any) -> Film:
        """The frames that the packing or the processor chooses."""
        if self.packing.video != "whole":
            return self._pad_film(super().chosen_frames(payload))
        line = timeline(payload.data, payload.path)
        numbers = self.choose(line)
        wanted = range(len(line.times)) if numbers is None else numbers
        return self._pad_film(take_frames(payload.data, line, wanted, payload.path, resize=self.resize()))

    def _pad_film(self, film: Film) -> Film:
        lacking = self.fewest - len(film.pictures)
        if lacking <= 0:
            return film
        return replace(
            film,
            pictures=[*film.pictures, *[film.pictures[-1]] * lacking],
            times=(*film.times, *[film.times[-1]] * lacking),
            numbers=(*film.numbers, *[film.numbers[-1]] * lacking),
        )

    def video(self, part: Part, of: Part, shown: Film, sound: Sound | None, at: int) -> Iterator[Piece]:
        """The frames as one video, with the sound that belongs into it."""
        self._tell_film(part, shown, "frames", at)
        if sound is not None:
            self._tell_sound(of, sound, "in_video", at)
        yield Piece("video", part, film=shown, sound=sound)

    def still(self, part: Part, pixels: Any) -> Piece:
        """A frame as a picture."""
        from PIL import Image

        return Piece("image", part, picture=Image.fromarray(pixels))

    def track(self, part: Part, sound: Sound, at: int | None) -> Piece:
        """A sound as a recording."""
        if at is not None:
            self._tell_sound(part, sound, "converted", at)
        return Piece("audio", part, sound=sound)
