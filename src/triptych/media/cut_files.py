"""Whether a file of sound or film ends before its own headers say: an upload that broke off, or a full disk."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path

Data = bytes | mmap.mmap

_OPEN = 0x7FFF0000  # writers of streams leave a chunk's size at 0, or at a value from here on
_EBML, _SEGMENT, _CLUSTER = 0x1A45DFA3, 0x18538067, 0x1F43B675
_ENDED = 4  # flag of the last page of an Ogg stream
_BEGUN = 2  # and of its first
_BITRATES = {  # kbit/s by the version of MPEG audio, layer III
    3: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_RATES = {3: (44_100, 48_000, 32_000), 2: (22_050, 24_000, 16_000), 0: (11_025, 12_000, 8_000)}


def cut_short(data: Data) -> str:
    """Return what shows that a file was cut off, in words; empty if nothing does, or if its format can't show it.

    Known are WAV, AVI, AIFF, Ogg, MP3, AAC (ADTS), MP4 and its relatives, WebM and Matroska. Frames of FLAC have no
    lengths: its decoder reports a missing end.
    """
    head = data[:12]
    if head[:4] == b"RIFF" and head[8:] == b"WAVE":
        return _of_chunks(data, b"data", "little")
    if head[:4] == b"FORM" and head[8:] in (b"AIFF", b"AIFC"):
        return _of_chunks(data, b"SSND", "big")
    if head[:4] == b"RIFF" and head[8:] == b"AVI ":
        size = int.from_bytes(head[4:8], "little")
        return _truncation_note(8 + size, data) if 0 < size < _OPEN else ""
    if head[:4] == b"OggS":
        return _of_pages(data)
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return _of_boxes(data)
    if int.from_bytes(head[:4], "big") == _EBML:
        return _of_elements(data)
    begin = _after_tags(data)
    if data[begin : begin + 1] == b"\xff" and len(data) > begin + 8:
        second = data[begin + 1]
        if second & 0xF6 == 0xF0:
            return _of_adts(data, begin)
        if second & 0xE6 == 0xE2:
            return _of_mp3(data, begin)
    return ""


def file_cut_short(path: Path) -> str:
    """Return what shows that a file was cut off, as `cut_short`; the file isn't read into memory."""
    with path.open("rb") as file:
        if not path.stat().st_size:
            return ""
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return cut_short(data)


def _truncation_note(end: int, data: Data) -> str:
    return f"it has {len(data):,} bytes of {end:,}" if end > len(data) else ""


def _of_chunks(data: Data, wanted: bytes, order: str) -> str:
    position = 12
    while position + 8 <= len(data):
        size = int.from_bytes(data[position + 4 : position + 8], order)  # type: ignore[arg-type]
        if data[position : position + 4] == wanted:
            return _truncation_note(position + 8 + size, data) if 0 < size < _OPEN else ""
        position += 8 + size + size % 2
    return "it ends before its sound begins"


def _of_pages(data: Data) -> str:
    """Walk the pages of Ogg: the last must be whole, and each stream must have its last page."""
    position, begun = 0, set[bytes]()
    while position < len(data):
        if data[position : position + 4] != b"OggS":
            return "" if not begun else _unended(begun)
        if position + 27 > len(data):
            return "it ends within a page"
        flags, serial, count = data[position + 5], data[position + 14 : position + 18], data[position + 26]
        table = data[position + 27 : position + 27 + count]
        end = position + 27 + count + sum(table)
        if len(table) < count or end > len(data):
            return "it ends within a page"
        if flags & _BEGUN:
            begun.add(serial)
        if flags & _ENDED:
            begun.discard(serial)
        position = end
    return _unended(begun)


def _unended(begun: set[bytes]) -> str:
    return "the last page of its stream is missing" if begun else ""


def _of_boxes(data: Data) -> str:
    """Walk the boxes of MP4: the last must be whole, and the one that describes the tracks must be there."""
    position, names = 0, set[bytes]()
    while position + 8 <= len(data):
        size, name = int.from_bytes(data[position : position + 4], "big"), data[position + 4 : position + 8]
        if size == 1:
            size = int.from_bytes(data[position + 8 : position + 16], "big")
        elif size == 0:
            size = len(data) - position
        names.add(name)
        if size < 8:
            return ""
        position += size
    if position > len(data):
        return _truncation_note(position, data)
    return "" if b"moov" in names else "the description of its tracks is missing"


def _of_elements(data: Data) -> str:
    """Walk the elements of Matroska, into segments and clusters, whose size may be open."""
    position = 0
    while position < len(data):
        id_length = 9 - data[position].bit_length()
        if id_length > 4 or position + id_length >= len(data):
            return "" if id_length > 4 else "it ends within an element"
        name = int.from_bytes(data[position : position + id_length], "big")
        position += id_length
        length = 9 - data[position].bit_length()
        if length > 8:
            return ""
        if position + length > len(data):
            return "it ends within an element"
        size = int.from_bytes(data[position : position + length], "big") & ((1 << 7 * length) - 1)
        is_open = size == (1 << 7 * length) - 1
        position += length
        if name in (_SEGMENT, _CLUSTER):
            if not is_open and position + size > len(data):
                return _truncation_note(position + size, data)
        elif is_open:
            return ""
        else:
            position += size
    return _truncation_note(position, data)


def _after_tags(data: Data) -> int:
    """Return where the sound begins after tags (ID3) at the beginning."""
    begin = 0
    while data[begin : begin + 3] == b"ID3" and len(data) >= begin + 10:
        size = 0
        for byte in data[begin + 6 : begin + 10]:
            size = size << 7 | byte & 0x7F
        begin += 10 + size
    return begin


def _of_adts(data: Data, position: int) -> str:
    while position + 7 <= len(data) and data[position] == 0xFF and data[position + 1] & 0xF6 == 0xF0:
        size = (data[position + 3] & 3) << 11 | data[position + 4] << 3 | data[position + 5] >> 5
        if size < 7:
            return ""
        position += size
    return "it ends within a frame" if position > len(data) else ""


def _of_mp3(data: Data, begin: int) -> str:
    """Compare the size that the first frame states, if it does; otherwise the last frame must be whole."""
    frames = list(_mp3_frames(data, begin))
    if not frames:
        return ""
    first = data[begin : begin + frames[0][1]]
    for mark in (b"Xing", b"Info"):
        if (at := first.find(mark)) > 0:
            flags = int.from_bytes(first[at + 4 : at + 8], "big")
            position = at + 8 + 4 * (flags & 1)
            if flags & 2:
                stated = int.from_bytes(first[position : position + 4], "big")
                return _truncation_note(begin + stated, data) if 0 < stated < _OPEN else ""
            if flags & 1:
                stated = int.from_bytes(first[at + 8 : at + 12], "big")
                return "frames are missing" if len(frames) < stated else ""
    return "it ends within a frame" if sum(frames[-1]) > len(data) else ""


def _mp3_frames(data: Data, position: int) -> Iterator[tuple[int, int]]:
    """Yield the position and the length of each frame, up to something that isn't one."""
    while position + 4 <= len(data) and data[position] == 0xFF and data[position + 1] & 0xE6 == 0xE2:
        version, rate = data[position + 1] >> 3 & 3, data[position + 2] >> 2 & 3
        bits = data[position + 2] >> 4
        if version == 1 or rate == 3 or bits in (0, 15):
            return
        kbits = _BITRATES[3 if version == 3 else 2][bits]
        length = (144_000 if version == 3 else 72_000) * kbits // _RATES[version][rate] + (data[position + 2] >> 1 & 1)
        yield position, length
        position += length
