"""Part: one piece of content. Text stands in it; media is named by path and content hash, never embedded."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["text", "audio", "image", "video"]
Role = Literal["", "question", "content"]
MEDIA_KINDS: tuple[Kind, ...] = ("audio", "image", "video")


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One piece of content, in order with its neighbours.

    `text` holds a text Part's words. `path` names a media file relative to the data root, with forward slashes;
    `sha256` is its content hash, empty until the file was read. `role` tells an Item's question (the wording)
    from its content (what is asked about), so that a Condition can take the content out. `transform` says how a
    Condition has the file changed before it is sent (`noise:seed=0|mp3:kbps=16`; see `triptych.media.transform`);
    `sha256` is the file's own hash all the same.

    It holds nothing but strings, so the garbage collector needn't follow it: half a million of them load faster.
    """

    kind: Kind
    text: str = ""
    path: str = ""
    sha256: str = ""
    role: Role = ""
    transform: str = ""

    @property
    def content_name(self) -> str:
        """What tells the content of one media Part from another's: its path, and how it is changed."""
        return f"{self.path}|{self.transform}" if self.transform else self.path

    @property
    def is_media(self) -> bool:
        """True for audio, image and video."""
        return self.kind != "text"


def text(words: str, role: Role = "") -> Part:
    """A text Part."""
    return Part("text", text=words, role=role)


def media(kind: Kind, path: str, role: Role = "") -> Part:
    """A media Part: `path` is relative to the data root."""
    return Part(kind, path=path, role=role)
