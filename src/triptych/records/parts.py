"""Part: one piece of content. It contains its text; media are referred to by path and content hash, never embedded."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["text", "audio", "image", "video"]
Role = Literal["", "question", "content"]
MEDIA_KINDS: tuple[Kind, ...] = ("audio", "image", "video")


class Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """One piece of content.

    All fields are strings, so instances are not tracked by the garbage collector, which speeds up loading half a
    million of them.

    Attributes:
        kind: `text`, `audio`, `image` or `video`.
        text: The text of a text Part.
        path: A media file, relative to the data root, with forward slashes.
        sha256: Hash of the original file's content; empty until the file is read.
        role: Distinguishes an Item's `question` (the wording) from its `content` (what is asked about), so that a
            Condition can remove the content.
        transform: How a Condition changes the file before it is sent (`noise:seed=0|mp3:kbps=16`; see
            `triptych.media.transform`).
    """

    kind: Kind
    text: str = ""
    path: str = ""
    sha256: str = ""
    role: Role = ""
    transform: str = ""

    @property
    def content_name(self) -> str:
        """The identity of a media Part's content: its path, and how it is changed."""
        return f"{self.path}|{self.transform}" if self.transform else self.path

    @property
    def is_media(self) -> bool:
        """True for audio, image and video."""
        return self.kind != "text"


def text(words: str, role: Role = "") -> Part:
    """Return a text Part."""
    return Part("text", text=words, role=role)


def media(kind: Kind, path: str, role: Role = "") -> Part:
    """Return a media Part; `path` is relative to the data root."""
    return Part(kind, path=path, role=role)
