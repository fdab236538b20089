"""Changes of media files by Conditions, and parts of recordings: described on the Part, and applied when the file is
read.

A `transform` is a pipeline of steps, such as `noise:seed=0|mp3:kbps=16`. The result depends only on this description
and on the bytes of the file, so every process obtains the same result and nothing needs to be stored. Random numbers
depend on the seed of the step, its position in the pipeline and the hash of the file: two files never get the same
noise.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError, nearest
from triptych.media.opening import MAX_BYTES
from triptych.records import Kind, Part
from triptych.store.files.run_files import read_own

if TYPE_CHECKING:
    from numpy.random import Generator

Arguments = Mapping[str, str]
# Limits for a Part's `transform`, which is read from Run folders of any origin.
RANGES = {
    "db": (-60.0, 120.0),
    "hz": (1000.0, 384_000.0),
    "kbps": (6.0, 320.0),
    "quality": (1.0, 95.0),
    "factor": (0.001, 1.0),
    "seconds": (0.01, 86_400.0),
    "from": (0.0, 86_400.0),
    "to": (0.001, 86_400.0),
}
MAX_STEPS = 20


@dataclass(frozen=True, slots=True)
class Step:
    """One step being applied: its arguments, the seed of its random numbers, and files to mix in, by hash."""

    name: str
    arguments: Arguments
    chance: str
    extra: Mapping[str, Path]
    where: str
    kind: Kind = "audio"

    def number(self, key: str) -> float:
        """Return a numeric argument in the range defined by the Condition. Raises MediaError."""
        try:
            number = float(self.arguments[key])
        except (KeyError, ValueError):
            raise MediaError(
                f"the step {self.name!r} requires a number for {key!r}", got=dict(self.arguments)
            ) from None
        minimum, maximum = RANGES[key]
        if not minimum <= number <= maximum:  # false for NaN, too
            raise MediaError(
                f"the step {self.name!r} has a number out of range",
                expected=f"{minimum:g} to {maximum:g}",
                got=f"{key}={number:g}",
                where=self.where,
            )
        return number

    def rng(self) -> Generator:
        """Return a random generator that depends on the file, the seed and the position in the pipeline only."""
        import numpy as np

        seed = f"{self.arguments.get('seed', '0')}/{self.chance}"
        return np.random.default_rng(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:16], "big"))

    def file(self, key: str) -> bytes | None:
        """Return the content of a file given by its hash; None if there is no such argument. Raises MediaError."""
        digest = self.arguments.get(key)
        if digest is None:
            return None
        path, data = self.extra.get(digest), b""
        if path is not None:
            with suppress(OSError):
                data = read_own(path, MAX_BYTES)
        if hashlib.sha256(data).hexdigest() != digest:
            fix = "run with the Condition that names the file, on the machine where it exists"
            raise MediaError("a file to be mixed in is missing or has another hash", expected=digest[:16], fix=fix)
        return data


Change = Callable[[Step, bytes], bytes]


def transform(part: Part, data: bytes, digest: str, extra: Mapping[str, Path] | None = None) -> bytes:
    """Return the bytes of a file after all steps of the Part's `transform`.

    Raises MediaError for an unknown step, for one that doesn't apply to this kind of media, and for media that can't be
    decoded.
    """
    steps = parse(part.transform)
    if len(steps) > MAX_STEPS:
        raise MediaError("too many steps", where=part.path, expected=f"<= {MAX_STEPS}", got=len(steps))
    for index, (name, arguments) in enumerate(steps):
        change = CHANGES.get((part.kind, name))
        if change is None:
            step_names = {step for kind, step in CHANGES if kind == part.kind}
            raise MediaError(
                f"{part.kind} can't be changed by {name!r}", where=part.path, fix=nearest(name, step_names)
            )
        data = change(Step(name, arguments, f"{index}/{digest}", extra or {}, part.path, part.kind), data)
    return data


def parse(description: str) -> list[tuple[str, dict[str, str]]]:
    """Return (name, arguments) of each step."""
    steps = []
    for step in filter(None, description.split("|")):
        name, _, rest = step.partition(":")
        steps.append((name, {k: v for k, _, v in (pair.partition("=") for pair in filter(None, rest.split(",")))}))
    return steps


def describe(name: str, arguments: Mapping[str, object]) -> str:
    """Return the description of one step: numbers in their shortest form, arguments in alphabetical order."""
    text = ",".join(f"{k}={v:g}" if isinstance(v, float) else f"{k}={v}" for k, v in sorted(arguments.items()))
    return f"{name}:{text}" if text else name


def _cut_recording(step: Step, data: bytes) -> bytes:
    """Return the beginning of a recording that is too long; other recordings unchanged."""
    from triptych.media.lengths import cut_sound

    return cut_sound(data, step.number("seconds"), step.where)


def _part(step: Step, data: bytes) -> bytes:
    """Return the part of a recording or film from one second to another, or to its end."""
    from triptych.media.parts import part_of_film, part_of_sound

    begin, end = step.number("from"), step.number("to") if "to" in step.arguments else None
    if end is not None and end <= begin:
        raise MediaError("a part ends before it begins", where=step.where, got=f"{begin:g} to {end:g} s")
    return (part_of_sound if step.kind == "audio" else part_of_film)(data, begin, end, step.where)


def _sound(step: Step, data: bytes) -> bytes:
    """Steps that decode a recording."""
    from triptych.media.opening import MAX_CHANGED_PIXELS
    from triptych.media.sound import changes as sound_changes
    from triptych.media.sound.coding import decode_sound, encode_wav

    sound = decode_sound(data, step.where, max_samples=MAX_CHANGED_PIXELS)
    if step.name == "mp3":
        return sound_changes.mp3(sound, round(step.number("kbps")))
    if step.name == "opus":
        return sound_changes.opus(sound, round(step.number("kbps")))
    if step.name == "noise":
        sound = sound_changes.noise(sound, step.rng())
    elif step.name == "silence":
        sound = sound_changes.silence(sound)
    elif step.name == "resample":
        sound = sound.resample(round(step.number("hz")))
    else:
        other = step.file("noise")
        noise = None if other is None else decode_sound(other, "the noise", max_samples=MAX_CHANGED_PIXELS)
        sound = sound_changes.add_noise(sound, step.number("db"), step.rng(), noise)
    return encode_wav(sound.samples, sound.rate)


def _picture(step: Step, data: bytes) -> bytes:
    """Steps that decode an image."""
    from triptych.media.pictures import changes as picture_changes

    image, container = picture_changes.decode_picture(data, step.where)
    if step.name == "jpeg":
        return picture_changes.encode_picture(image, "JPEG", round(step.number("quality")))
    if step.name == "grey":
        return picture_changes.encode_picture(picture_changes.grey(image), "PNG")
    if step.name == "noise":
        image = picture_changes.noise(image, step.rng())
    else:
        image = picture_changes.downscale(image, step.number("factor"))
    return picture_changes.encode_picture(image, container)


def _film(step: Step, data: bytes) -> bytes:
    """Steps that decode a video."""
    from triptych.media.films import changes as video_changes
    from triptych.media.pictures import changes as picture_changes

    if step.name == "mute":
        return video_changes.mute(data, step.where)
    import numpy as np
    from PIL import Image

    rng = step.rng()
    changes: dict[str, Callable[[Any], Any]] = {
        "grey": lambda pixels: np.full_like(pixels, picture_changes.GREY[0]),
        "noise": lambda pixels: picture_changes.noise_like(pixels, rng),
        "downscale": lambda pixels: np.asarray(
            picture_changes.downscale(Image.fromarray(pixels), step.number("factor"))
        ),
    }
    return video_changes.with_pictures(data, changes[step.name], step.where)


CHANGES: dict[tuple[Kind, str], Change] = {
    **dict.fromkeys((("audio", s) for s in ("noise", "silence", "snr", "resample", "mp3", "opus")), _sound),
    ("audio", "cut"): _cut_recording,
    ("audio", "part"): _part,
    ("video", "part"): _part,
    **dict.fromkeys((("image", s) for s in ("noise", "grey", "jpeg", "downscale")), _picture),
    **dict.fromkeys((("video", s) for s in ("mute", "grey", "noise", "downscale")), _film),
}
