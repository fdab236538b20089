"""Detecting the type of a file by its first bytes: a suffix can be wrong, and servers reject a file of another type
than declared.
"""

from __future__ import annotations

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"GIF8", "image/gif"),
    (0, b"BM", "image/bmp"),
    (4, b"ftypM4A", "audio/mp4"),
)
_RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp", b"AVI ": "video/x-msvideo"}


def sniff(data: bytes) -> str:
    """Return the MIME type indicated by the first bytes; empty if they don't indicate one (then use the suffix)."""
    if data[:4] in (b"RIFF", b"RF64"):
        return _RIFF.get(bytes(data[8:12]), "")
    for offset, magic, mime in _MAGIC:
        if data[offset : offset + len(magic)] == magic:
            return mime
    if len(data) > 1 and data[0] == 0xFF and data[1] & 0xE6 in (0xE2, 0xE4, 0xE6):  # an MPEG audio frame, layer 1 to 3
        return "audio/mpeg"
    return ""


HEAD = 512  # bytes that `wrong_type` needs
_SIGNED = (  # endings of formats that begin with a signature; MP3 and AAC may begin with anything
    ".wav",
    ".flac",
    ".ogg",
    ".oga",
    ".opus",
    ".jpg",
    ".jpeg",
    ".jfif",
    ".png",
    ".webp",
    ".gif",
    ".bmp",
    ".mp4",
    ".m4v",
    ".m4a",
    ".webm",
    ".mkv",
    ".avi",
)
_FILMS = (b"G", b"FLV", b"\x00\x00\x01\xba", b"\x30\x26\xb2\x75")  # MPEG-TS, Flash, MPEG-PS, ASF: players read them
_BOXES = (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot", b"styp")
_TEXTS = (
    (b"version https://git-lfs", "a pointer of Git LFS (`git lfs pull` fetches the file)"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "XML"),
    (b"<svg", "SVG"),
    (b"%pdf", "PDF"),
    (b"pk\x03\x04", "a ZIP archive"),
)


def wrong_type(ending: str, kind: str, head: bytes) -> str:
    """Return what a file is instead, in words, if its first bytes are not those of its kind and its ending.

    Empty if they are, or if the ending's format has no signature and nothing else is recognised. A file whose bytes are
    of the same kind in another format (a JPEG named .png) is sent with its true type, and is not reported.

    Example:
        >>> wrong_type(".wav", "audio", b"\\x89PNG\\r\\n\\x1a\\n")
        'image/png'
    """
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t").lower()
    if type_name := next((media_type for magic, media_type in _TEXTS if start.startswith(magic)), ""):
        return type_name
    type_ = "mp4" if head[4:8] in _BOXES else "matroska" if head[:4] == b"\x1aE\xdf\xa3" else sniff(head)
    found_kind = type_.partition("/")[0]
    if found_kind in ("audio", "image", "video") and found_kind != kind:
        return type_
    if type_ in ("mp4", "matroska") and kind == "image":
        return "a film or a recording" if head[8:12] not in (b"avif", b"heic", b"mif1") else head[8:12].decode().upper()
    if type_ or ending not in _SIGNED or (kind == "video" and head.startswith(_FILMS)):
        return ""
    return "of no known type"


_STREAMED = 0x7FFF0000  # from here on, sizes in a RIFF header are those of programs that did not know the size


def cut(head: bytes, size: int) -> str:
    """Return in words how a RIFF file (WAV, WebP, AVI) is shorter than its header says; empty if it isn't.

    Headers that are wrong by a few bytes, or by less than 1%, are usual and are not reported.
    """
    if head[:4] != b"RIFF" or len(head) < 12:
        return ""
    stated = int.from_bytes(head[4:8], "little") + 8
    missing = stated - size
    if stated >= _STREAMED or missing <= max(64, stated // 100):
        return ""
    return f"is cut off: its header says {stated:,} bytes, but it has {size:,}"
