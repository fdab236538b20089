"""Conditions that change or replace media: noise, silence, grey, added noise, lossy compression, smaller images.

Nothing is decoded here: the change is described on the Part (`transform`) and applied when the file is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from triptych.conditions.condition import Argument, Condition, Offer, spelled
from triptych.errors import SpecError
from triptych.media.opening import MAX_BYTES
from triptych.media.transform import describe
from triptych.records import Item, Kind, Part
from triptych.store.files.run_files import read_own

WHERE = Argument(
    "where", "which media: all, those of the stem, those of the options", "all", choices=("all", "stem", "options")
)
SEED = Argument("seed", "seed of the random numbers, combined with each file's content", "the Run's seed", int, least=0)


@dataclass(frozen=True, slots=True)
class ChangedMedia:
    """Adds one step to every media Part of these kinds; an Item without such media is unchanged."""

    name: str
    step: str
    kinds: frozenset[Kind]
    summary: str
    where: str = "all"
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)

    def apply(self, item: Item) -> Item:
        """Return the Item with the step on its media."""
        stem = tuple(map(self._with_step, item.parts)) if self.where != "options" else item.parts
        options = item.options
        if self.where != "stem":
            options = tuple(tuple(map(self._with_step, option)) for option in options)
        return msgspec.structs.replace(item, parts=stem, options=options)

    def _with_step(self, part: Part) -> Part:
        steps = part.transform.split("|") if part.transform else []
        if part.kind not in self.kinds or steps[-1:] == [self.step]:
            return part
        return msgspec.structs.replace(part, transform="|".join([*steps, self.step]))


@dataclass(frozen=True, slots=True)
class MediaChange:
    """A Condition of this module as data: the kinds of media, the name of the step, and its arguments."""

    kinds: frozenset[Kind]
    step: str
    summary: str
    arguments: tuple[Argument, ...] = ()

    def offer(self, name: str) -> Offer:
        """Return the entry for `CONDITIONS`."""
        return Offer(self.summary, self._maker(name), (*self.arguments, WHERE))

    def _maker(self, name: str) -> Callable[[Mapping[str, str], int], Condition]:
        def make(arguments: Mapping[str, str], seed: int) -> Condition:
            values = {**({"seed": str(seed)} if SEED in self.arguments else {}), **arguments}
            where = values.pop("where", "all")
            shown, files = dict(arguments), {}
            if "noise" in values:
                path = Path(values["noise"])
                values["noise"] = digest = _hash(path)
                shown["noise"], files = f"{path.name}@{digest[:8]}", {digest: path.resolve()}
            kinds = {argument.name: argument.kind for argument in self.arguments}
            step = describe(self.step, {key: kinds[key](value) for key, value in values.items()})
            return ChangedMedia(spelled(name, shown), step, self.kinds, self.summary, where, files)

        return make


def _hash(path: Path) -> str:
    try:
        return hashlib.sha256(read_own(path, MAX_BYTES)).hexdigest()
    except OSError as error:
        raise SpecError(f"the noise can't be read ({error.strerror})", where=path, expected="a sound file") from None


_AUDIO: frozenset[Kind] = frozenset({"audio"})
_IMAGE: frozenset[Kind] = frozenset({"image"})
_SEEN: frozenset[Kind] = frozenset({"image", "video"})
_VIDEO: frozenset[Kind] = frozenset({"video"})
_DB = Argument("db", "signal-to-noise ratio in dB over the whole clip", None, float, least=-60, most=120)
_NOISE = Argument("noise", "a sound file instead of white noise", "white", opens=True)
_SECONDS = Argument("seconds", "maximum length in seconds", None, float, least=0.01, most=86_400)
_HZ = Argument("hz", "samples per second", None, int, least=1000, most=384_000)
_MP3 = Argument("kbps", "kbit/s", None, int, least=8, most=320)
_OPUS = Argument("kbps", "kbit/s", None, int, least=6, most=256)
_QUALITY = Argument("quality", "1 (worst) to 95", None, int, least=1, most=95)
_FACTOR = Argument("factor", "factor for width and height", None, float, least=0.001, most=1)

CONDITIONS = {
    name: way.offer(name)
    for name, way in {
        "noise": MediaChange(_AUDIO, "noise", "replace audio by Gaussian noise of the same length and level", (SEED,)),
        "silence": MediaChange(_AUDIO, "silence", "replace audio by silence of the same length"),
        "image_noise": MediaChange(
            _SEEN, "noise", "replace images and videos by noise of the same size and brightness", (SEED,)
        ),
        "grey": MediaChange(_SEEN, "grey", "replace images and videos by medium grey of the same size"),
        "snr": MediaChange(_AUDIO, "snr", "add noise to the audio at a signal-to-noise ratio", (_DB, _NOISE, SEED)),
        "cut": MediaChange(_AUDIO, "cut", "truncate audio to its first seconds", (_SECONDS,)),
        "resample": MediaChange(_AUDIO, "resample", "resample audio to another sampling rate", (_HZ,)),
        "mp3": MediaChange(_AUDIO, "mp3", "encode audio as MP3 at a bit rate", (_MP3,)),
        "opus": MediaChange(_AUDIO, "opus", "encode audio as Opus at a bit rate", (_OPUS,)),
        "jpeg": MediaChange(_IMAGE, "jpeg", "encode images as JPEG at a quality", (_QUALITY,)),
        "downscale": MediaChange(_SEEN, "downscale", "downscale images and videos", (_FACTOR,)),
        "mute": MediaChange(_VIDEO, "mute", "remove the audio from videos"),
    }.items()
}
