"""A packing: how the media of a Request are sent. Declared by `--packing`, and part of a Run's identity.

Frames and sound can be sent in many ways, and the same weights score differently with each. A packing is data: a name
of `packings.toml`, a file of one's own, or `key=value,…` on top of either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from triptych.errors import SpecError, nearest
from triptych.records.toml_text import parse_toml
from triptych.records.unreadable import NO_TOML, reason

LOWEST_RATE = 1000  # Hz
VIDEOS = ("whole", "frames")
SOUNDS = ("none", "in_video", "apart", "apart_first", "interleaved")
SPREADS = ("middle", "start", "finish", "ends", "ends_down")
ORDERS = ("given", "media_first", "text_first")
SOURCES = ("film", "part")
PICTURES = ("jpeg", "png")
_CHOICES = {
    "video": VIDEOS,
    "sound": SOUNDS,
    "spread": SPREADS,
    "order": ORDERS,
    "sound_from": SOURCES,
    "pictures": PICTURES,
}
_SIZE = re.compile(r"(\d{1,5})(?:x(\d{1,5}))?")
_FILE = Path(__file__).with_name("packings.toml")
_CAPTION = re.compile(r"\{(?:number(?::0?\d)?|time(?::0?\d?\.\df)?)\}")  # the slots of a caption
FRAME_KEYS = ("fps", "frames", "least", "multiple", "spread", "size", "pixels", "total", "caption", "pictures")


@dataclass(frozen=True)
class Packing:
    """How media are sent.

    video       `whole`: the file, and its receiver chooses frames; `frames`: frames that are chosen here
    fps         frames per second of a film
    frames      most frames of a film; without `fps`, their number; 0: no limit
    least       fewest frames, as far as the film has as many
    multiple    the number of frames is rounded down to a multiple of this
    spread      which frames: in the `middle`, at the `start` or at the `finish` of equal intervals, or from the first
                to the last (`ends`)
    size        of a frame: `512`, pixels of its longer side at most; `512x288`, width and height exactly
    pixels      most pixels of a frame, width by height
    total       most pixels of all frames of a film together: the more frames, the smaller they are
    image_pixels  most pixels of a picture that is asked, width by height; a larger one is resized
    caption     text before each frame that is sent as a picture: `{number}` from 1, `{time}` in seconds
    pictures    format of frames that are sent as pictures: `jpeg` (quality 95) or `png`
    sound       of a film: `none`; `in_video`: as the model or the server takes a film with sound; `apart`: a recording
                after the film, `apart_first`: before it; `interleaved`: the frames of each second, then its sound
    sound_from  where that sound comes from: the `film`; or the `part`: a recording that is asked together with it. A
                film that is asked alone is then silent; a whole film keeps its own sound if a recording is asked too
    rate        sampling rate of recordings in Hz; 0: unchanged, or the rate that the model expects
    channels    1: recordings are mixed down; 0: unchanged, or as the model expects
    order       of a turn: as `given` by the prompt; `media_first` or `text_first`: the question's media before or after
                its text. Options keep their place
    """

    video: str = "whole"
    fps: float = 0.0
    frames: int = 0
    least: int = 1
    multiple: int = 1
    spread: str = "middle"
    size: str = ""
    pixels: int = 0
    total: int = 0
    image_pixels: int = 0
    caption: str = ""
    pictures: str = "jpeg"
    sound: str = "in_video"
    sound_from: str = "film"
    rate: int = 0
    channels: int = 0
    order: str = "given"

    def __post_init__(self) -> None:
        """Raise SpecError for values that make no sense, alone or together."""
        for key, values in _CHOICES.items():
            if getattr(self, key) not in values:
                raise SpecError(
                    f"packing: {key} has an unknown value", got=getattr(self, key), expected=", ".join(values)
                )
        for key, minimum in (
            ("fps", 0),
            ("frames", 0),
            ("least", 1),
            ("multiple", 1),
            ("pixels", 0),
            ("total", 0),
            ("image_pixels", 0),
            ("rate", 0),
        ):
            if not minimum <= getattr(self, key) < 1_000_000_000:
                raise SpecError(
                    f"packing: {key} is out of range", got=getattr(self, key), expected=f"{minimum} or more"
                )
        if 0 < self.rate < LOWEST_RATE:
            raise SpecError(
                "packing: rate is too low for a recording", got=self.rate, expected=f"{LOWEST_RATE} Hz or more"
            )
        if self.channels not in (0, 1):
            raise SpecError("packing: channels is 0 (unchanged) or 1", got=self.channels)
        if self.size and (not _SIZE.fullmatch(self.size) or 0 in self.edges):
            raise SpecError("packing: size has an invalid value", got=self.size, expected="512, or 512x288")
        if self.frames and self.frames < max(self.least, self.multiple):
            raise SpecError("packing: frames is below least or multiple", got=self.frames)
        if "{" in _CAPTION.sub("", self.caption) or "}" in _CAPTION.sub("", self.caption):
            raise SpecError(
                "packing: unknown slot in caption", got=self.caption, expected="{number}, {time}, {time:.1f}"
            )

    @property
    def text(self) -> str:
        """Return the values that differ from the defaults, as `--packing` reads it: `video=frames,fps=2,frames=768,…`.

        Example:
            >>> packing("videollama3,size=512x512").text
            'video=frames,fps=1,frames=128,size=512x512,sound=none,order=given'
        """
        fields = {key: value for key, value in asdict(self).items() if key in _ALWAYS or value != _USUAL[key]}
        return ",".join(f"{key}={_as_text(value)}" for key, value in fields.items())

    @property
    def edges(self) -> tuple[int, ...]:
        """Return the numbers in `size`: none, the longer side, or width and height."""
        size_match = _SIZE.fullmatch(self.size)
        return tuple(int(edge) for edge in size_match.groups() if edge) if size_match else ()


_ALWAYS = ("video", "sound", "order")
_USUAL: dict[str, Any] = {field.name: field.default for field in fields(Packing)}


def _as_text(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return '"' + text.replace('"', "'") + '"' if "," in text or text != text.strip() else text


def packing(setting: str | Mapping[str, Any], base: Packing | None = None) -> Packing:
    """Return the packing that a text describes: a name, `key=value,…`, or both; keys change `base` or the named one.

    A name is one of `packings.toml`, or `FILE.toml#NAME`. Raises SpecError for an unknown name, key or value.

    Example:
        >>> packing("qwen-vl,fps=1").fps, packing("fps=4,frames=8").frames
        (1.0, 8)
    """
    if isinstance(setting, Mapping):
        return _changed_packing(base or Packing(), setting)
    pieces = _split(setting)
    base_packing, changes = base or Packing(), {}
    for index, piece in enumerate(pieces):
        key, sign, value = piece.partition("=")
        if sign:
            value = value.strip()
            if key.strip() in changes:
                raise SpecError(
                    f"packing: {key.strip()} is given twice", got=setting, fix=f"give {key.strip()} one value"
                )
            changes[key.strip()] = value[1:-1] if value[:1] == value[-1:] == '"' else value
        elif index == 0:
            base_packing = _named(piece.strip())
        else:
            raise SpecError("packing: not key=value", got=piece, expected="NAME,key=value,… or key=value,…")
    if {"fps", "frames"} & changes.keys() and "video" not in changes and base_packing.video == "whole":
        changes = {"video": "frames", **changes}
        if "sound" not in changes and base_packing.sound == "in_video":
            changes["sound"] = "none"
    return _changed_packing(base_packing, changes)


def _split(text: str) -> list[str]:
    """Return the pieces between commas that are not in quotation marks."""
    return [piece for piece in re.findall(r'(?:[^,"]|"[^"]*")+', text) if piece.strip()]


def _changed_packing(base: Packing, changes: Mapping[str, Any]) -> Packing:
    values = {}
    for key, value in changes.items():
        if key not in _USUAL:
            raise SpecError(f"packing: no key {key!r}", fix=nearest(key, _USUAL), got=f"{key}={value}")
        try:
            values[key] = type(_USUAL[key])(value)
        except (TypeError, ValueError):
            wanted = {int: "a whole number", float: "a number"}.get(type(_USUAL[key]), "a text")
            raise SpecError(f"packing: {key} has an invalid value", expected=wanted, got=repr(value)) from None
    return replace(base, **values)


def _named(name: str) -> Packing:
    file, mark, entry = name.rpartition("#")
    tables = _tables(Path(file)) if mark else known_packings()
    wanted = entry if mark else name
    if not mark and name.endswith(".toml"):
        tables = _tables(Path(name))
        if len(tables) != 1:
            raise SpecError("the file has several packings", got=", ".join(tables) or "none", fix=f"{name}#NAME")
        wanted = next(iter(tables))
    if wanted not in tables:
        raise SpecError(f"no packing {wanted!r}", fix=nearest(wanted, tables), expected="a name, or key=value,…")
    return _changed_packing(
        Packing(), {key: value for key, value in tables[wanted].items() if key not in ("about", "source")}
    )


@cache
def known_packings() -> dict[str, dict[str, Any]]:
    """Return the packings with a name: name -> keys and values, with `about` and `source`."""
    return _tables(_FILE)


def _tables(path: Path) -> dict[str, dict[str, Any]]:
    try:
        tables = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, *NO_TOML) as error:
        raise SpecError("the file of packings can't be read", where=path, got=reason(error)) from None
    if wrong := [name for name, table in tables.items() if not isinstance(table, dict)]:
        raise SpecError("a packing is not a table", where=path, got=wrong[0], expected=f"[{wrong[0]}]")
    return tables


def check_possible(
    chosen: Packing,
    adapter: str,
    *,
    film_sounds: Collection[str],
    frames: Collection[str],
    whole_keys: Collection[str] = (),
    unable: Collection[str] = (),
) -> Packing:
    """Return the packing if an adapter can carry it out. Raises SpecError, which says what it can do instead.

    `film_sounds`, `frames`: what it can do with a film's sound where it sends whole films or frames; nothing: it can't
    send these. `whole_keys`: keys about frames that it can pass on with a whole film. `unable`: keys it can't carry
    out.
    """
    sounds = film_sounds if chosen.video == "whole" else frames
    text = f"--packing {chosen.text}"
    if not sounds:
        can = "video=frames" if frames else "video=whole"
        raise SpecError(f"{adapter} can't send films with video={chosen.video}", got=text, expected=can)
    if chosen.sound not in sounds:
        problem = f"{adapter} can't send a film's sound with sound={chosen.sound} and video={chosen.video}"
        raise SpecError(problem, got=text, expected=f"sound={' | '.join(sounds)}")
    if wrong := [key for key in unable if getattr(chosen, key) != _USUAL[key]]:
        raise SpecError(f"{adapter} can't change {wrong[0]}: the model expects its own form", got=text)
    if chosen.video == "whole":
        unused = [key for key in FRAME_KEYS if getattr(chosen, key) != _USUAL[key] and key not in whole_keys]
        if unused:
            raise SpecError(
                f"{adapter} can't send {unused[0]} with a whole film",
                got=text,
                fix="with video=frames the frames are chosen here",
            )
    return chosen
