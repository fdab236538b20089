"""Media changed or replaced: noise, silence, grey, noise beside the recording, lossy codes, fewer pixels.

Nothing is decoded here: what is to be done is written on the Part (`transform`), and done when the file is read.
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
from triptych.store.own_files import read_own

WHERE = Argument("where", "which media: all, those of the stem, those of the options", "all",
                 choices=("all", "stem", "options"))  # fmt: skip
SEED = Argument("seed", "what chance follows from, with each file's content", "the Run's seed", int, least=0)


@dataclass(frozen=True, slots=True)
class ChangedMedia:
    """Every media Part of these kinds gets one more step; an Item without such media stays as it is."""

    name: str
    step: str
    kinds: frozenset[Kind]
    summary: str
    where: str = "all"
    files: Mapping[str, Path] = field(default_factory=dict, repr=False)

    def apply(self, item: Item) -> Item:
        """The Item with the step on its media."""
        stem = tuple(map(self._changed, item.parts)) if self.where != "options" else item.parts
        options = item.options
        if self.where != "stem":
            options = tuple(tuple(map(self._changed, option)) for option in options)
        return msgspec.structs.replace(item, parts=stem, options=options)

    def _changed(self, part: Part) -> Part:
        steps = part.transform.split("|") if part.transform else []
        if part.kind not in self.kinds or steps[-1:] == [self.step]:
            return part
        return msgspec.structs.replace(part, transform="|".join([*steps, self.step]))


@dataclass(frozen=True, slots=True)
class Way:
    """A Condition of this file as data: which media, the step's name, which arguments go into it."""

    kinds: frozenset[Kind]
    step: str
    summary: str
    arguments: tuple[Argument, ...] = ()

    def offer(self, name: str) -> Offer:
        """What stands in `CONDITIONS`."""
        return Offer(self.summary, self._maker(name), (*self.arguments, WHERE))

    def _maker(self, name: str) -> Callable[[Mapping[str, str], int], Condition]:
        def make(given: Mapping[str, str], seed: int) -> Condition:
            told = {**({"seed": str(seed)} if SEED in self.arguments else {}), **given}
            where = told.pop("where", "all")
            shown, files = dict(given), {}
            if "noise" in told:
                path = Path(told["noise"])
                told["noise"] = digest = _hash(path)
                shown["noise"], files = f"{path.name}@{digest[:8]}", {digest: path.resolve()}
            kinds = {argument.name: argument.kind for argument in self.arguments}
            step = describe(self.step, {key: kinds[key](value) for key, value in told.items()})
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
_SECONDS = Argument("seconds", "the longest that is left as it is", None, float, least=0.01, most=86_400)
_HZ = Argument("hz", "samples a second", None, int, least=1000, most=384_000)
_MP3 = Argument("kbps", "kbit/s", None, int, least=8, most=320)
_OPUS = Argument("kbps", "kbit/s", None, int, least=6, most=256)
_QUALITY = Argument("quality", "1 (worst) to 95", None, int, least=1, most=95)
_FACTOR = Argument("factor", "of width and height", None, float, least=0.001, most=1)

CONDITIONS = {
    name: way.offer(name)
    for name, way in {
        "noise": Way(_AUDIO, "noise", "audio replaced by Gaussian noise of the same length and level", (SEED,)),
        "silence": Way(_AUDIO, "silence", "audio replaced by silence of the same length"),
        "image_noise": Way(_SEEN, "noise", "pictures and videos replaced by noise of the same size and brightness",
                           (SEED,)),
        "grey": Way(_SEEN, "grey", "pictures and videos replaced by middle grey of the same size"),
        "snr": Way(_AUDIO, "snr", "noise added to the audio at a signal-to-noise ratio", (_DB, _NOISE, SEED)),
        "cut": Way(_AUDIO, "cut", "audio cut to its first seconds", (_SECONDS,)),
        "resample": Way(_AUDIO, "resample", "audio at another sampling rate", (_HZ,)),
        "mp3": Way(_AUDIO, "mp3", "audio coded as MP3 at a bit rate", (_MP3,)),
        "opus": Way(_AUDIO, "opus", "audio coded as Opus at a bit rate", (_OPUS,)),
        "jpeg": Way(_IMAGE, "jpeg", "pictures coded as JPEG at a quality", (_QUALITY,)),
        "downscale": Way(_SEEN, "downscale", "pictures and videos made smaller", (_FACTOR,)),
        "mute": Way(_VIDEO, "mute", "videos without their sound"),
    }.items()
}  # fmt: skip
