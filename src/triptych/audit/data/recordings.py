"""Checks of media files: silent, of one colour, clipped, too long or short, unreadable, duplicate, nearly duplicate."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triptych.audit.tables.rules import DataRules
from triptych.errors import MediaError
from triptych.media.films.changes import glimpse
from triptych.media.payload import MediaReader
from triptych.media.pictures.changes import decode_picture
from triptych.media.sound.coding import decode_sound
from triptych.metrics.surface_cues import picture_figures, sound_figures
from triptych.records import Finding, FindingSeverity, Item, Kind, finding, media

_SILENT = 1e-4  # the level (RMS of full scale) under which a recording is silent: -80 dB
_FULL = 0.999  # full scale
_CLIPPED = 0.001  # the share of samples at full scale from which a recording is clipped
_BITS = 64  # of a fingerprint
_NEAR = 3  # bits in which fingerprints of nearly the same may differ
_SAME = 0.98  # correlation of two files' 32 x 32 cells from which they are nearly the same
_SHOWN = 8
_SIDE = 32
_PITCH = (60.0, 3500.0)  # Hz that a sound's cells span: what a telephone's rate and a low bit rate keep
_DEPTH = 60.0  # dB that they span, down from the loudest


@dataclass(slots=True)
class Census:
    """Observations on the media: faults by kind, hashes, fingerprints; each keyed by the file's path in the data."""

    faults: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    hashes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    prints: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    cells: dict[str, bytes] = field(default_factory=dict)  # 32 x 32, of a picture's grey or a sound's spectrogram
    seconds: dict[str, float] = field(default_factory=dict)
    figures: dict[str, dict[str, float]] = field(default_factory=dict)  # what isn't content: length, level, brightness


@dataclass(slots=True)
class MediaUse:
    """A media file: its kind, by the last Item that uses it, and the ids of the Items, once for each use."""

    kind: Kind
    items: list[str] = field(default_factory=list)


def media_uses(items: Iterable[Item]) -> dict[str, MediaUse]:
    """Return the uses of every media file, by its path."""
    uses = dict[str, MediaUse]()
    for item in items:
        for part in item.all_parts:
            if part.is_media:
                use = uses.setdefault(part.path, MediaUse(part.kind))
                use.kind = part.kind
                use.items.append(item.id)
    return uses


def census_of(uses: Mapping[str, MediaUse], root: Path, rules: DataRules) -> Census:
    """Return observations on the media files that exist. Each file is read once."""
    census, reader = Census(), MediaReader(root)
    for path, kind in ((path, use.kind) for path, use in uses.items()):
        if not os.path.lexists(root / path):  # often no media are here; an error for each would take long
            continue
        try:
            data = reader.load(media(kind, path)).data
        except MediaError:
            continue
        _look(census, path, kind, data, rules)
    return census


def check_recordings(benchmark: str, uses: Mapping[str, MediaUse], root: Path, census: Census) -> Iterator[Finding]:
    """Yield the findings on the media files that exist; `check` reports missing ones."""
    users = {path: use.items for path, use in uses.items()}
    yield from _faults(benchmark, census, users, root, len(users))
    yield from _identical_file_findings(benchmark, census, users, root)
    yield from _similar_file_findings(benchmark, census, users, root)


def _look(census: Census, path: str, kind: str, data: bytes, rules: DataRules) -> None:
    if not data:
        return  # reported by `check`
    census.hashes[hashlib.sha256(data).hexdigest()].append(path)
    try:
        if kind == "audio":
            _listen(census, path, data, rules)
        elif kind == "image":
            image = decode_picture(data, path)[0]
            _see(census, path, kind, image)
            census.figures[path] = picture_figures(image, len(data))
        elif kind == "video":
            _watch(census, path, data, rules)
    except MediaError:
        census.faults["unreadable"].append(path)


def _listen(census: Census, path: str, data: bytes, rules: DataRules) -> None:
    import numpy as np

    sound = decode_sound(data, path)
    census.figures[path] = sound_figures(sound.samples, sound.rate, len(data))
    samples = np.abs(sound.samples)
    seconds = len(samples) / sound.rate
    if float(np.sqrt(np.mean(np.square(samples, dtype=np.float64)))) < _SILENT:
        census.faults["silent"].append(path)
        return
    if float(np.mean(samples >= _FULL)) > _CLIPPED:
        census.faults["clipped"].append(path)
    _timed(census, path, seconds, rules)
    census.prints["audio"][path] = sound_print(sound.samples)
    census.cells[path] = sound_cells(sound.samples, sound.rate)


def _watch(census: Census, path: str, data: bytes, rules: DataRules) -> None:
    seconds, picture = glimpse(data, path)
    _timed(census, path, seconds, rules)
    _see(census, path, "video", picture)
    census.figures[path] = picture_figures(picture, len(data), seconds)


def _see(census: Census, path: str, kind: str, image: Any) -> None:
    grey = image.convert("L").resize((_SIDE, _SIDE))
    low, high = grey.getextrema()
    if high - low <= 2:
        census.faults["blank"].append(path)
        return
    census.prints[kind][path] = picture_print(image)
    census.cells[path] = grey.tobytes()


def _timed(census: Census, path: str, seconds: float, rules: DataRules) -> None:
    census.seconds[path] = seconds
    if rules.longest_seconds and seconds > rules.longest_seconds + 0.5:
        census.faults["long"].append(path)
    if rules.shortest_seconds and seconds < rules.shortest_seconds - 0.5:
        census.faults["short"].append(path)


def sound_print(samples: Any) -> int:
    """Return 64 bits, one per equal piece of the sound (32 per channel in stereo): whether it is louder than the median
    piece.

    The fingerprint does not depend on level and sample rate.
    """
    import numpy as np

    sides = np.asarray(samples, dtype=np.float64)[:, :2].T
    cut = [piece for side in sides for piece in np.array_split(side, _BITS // len(sides))]
    pieces = np.array([float(np.mean(np.square(piece))) if len(piece) else 0.0 for piece in cut])
    return _bits(pieces > np.median(pieces))


def sound_cells(samples: Any, rate: int) -> bytes:
    """Return the spectrogram as 32 x 32 grey cells: 32 pieces of time by 32 bands from 60 to 3,500 Hz, 60 dB deep.

    Level, sample rate and a low bit rate hardly change it. All decaying sounds have one `sound_print`; their cells
    differ.
    """
    import numpy as np

    edges, energy = np.geomspace(*_PITCH, _SIDE + 1), np.empty((_SIDE, _SIDE))
    for row, piece in zip(energy, np.array_split(samples, _SIDE), strict=True):
        one = piece.mean(axis=1, dtype=np.float64) * np.hanning(len(piece)) if len(piece) else np.zeros(1)
        power = np.square(np.abs(np.fft.rfft(one)))
        below = np.interp(edges, np.arange(len(power)) * rate / len(one), np.cumsum(power))
        row[:] = np.diff(below)
    level = 10 * np.log10(np.maximum(energy, 1e-30) / max(float(energy.max()), 1e-30))
    return bytes((255 * (1 + np.maximum(level, -_DEPTH) / _DEPTH)).astype(np.uint8).tobytes())


def picture_print(image: Any) -> int:
    """Return 64 bits, one per cell of an 8 x 8 grey picture: whether it is lighter than its right neighbour.

    The fingerprint does not depend on size and compression."""
    import numpy as np

    cells = np.asarray(image.convert("L").resize((9, 8)), dtype=np.int16)
    return _bits((cells[:, :-1] > cells[:, 1:]).ravel())


def _bits(flags: Any) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


_WORDS: dict[str, tuple[str, FindingSeverity, str]] = {
    "unreadable": ("media", "severe", "can't be decoded"),
    "silent": ("media", "severe", "are silent"),
    "blank": ("media", "warning", "show one even colour"),
    "clipped": ("media", "warning", "are clipped: over 0.1% of the samples are at full scale"),
    "long": ("media", "warning", "are longer than stated"),
    "short": ("media", "warning", "are shorter than stated"),
}


def _faults(benchmark: str, census: Census, users: dict[str, list[str]], root: Path, total: int) -> Iterator[Finding]:
    for fault, paths in census.faults.items():
        kind, severity, words = _WORDS[fault]
        yield finding(
            kind,
            severity,
            benchmark,
            f"{len(paths):,} of {total:,} media files {words}: {', '.join(paths[:_SHOWN])}",
            file=str(root),
            rows=[users[path][0] for path in paths[:_SHOWN]],
            columns=[fault],
            effect=f"{sum(len(users[path]) for path in paths):,} uses",
        )


def _identical_file_findings(
    benchmark: str, census: Census, users: dict[str, list[str]], root: Path
) -> Iterator[Finding]:
    groups = [paths for paths in census.hashes.values() if len(paths) > 1]
    if groups:
        yield _twins(benchmark, "warning", "are the same, byte by byte", groups, users, root)


def _similar_file_findings(
    benchmark: str, census: Census, users: dict[str, list[str]], root: Path
) -> Iterator[Finding]:
    """Yield findings on files whose fingerprints differ in at most 3 of 64 bits and whose cells confirm it. Files with
    equal bytes are not reported again, and flat fingerprints (silence, one colour) are ignored."""
    hash_of = {path: digest for digest, paths in census.hashes.items() for path in paths}
    for kind, prints in census.prints.items():
        telling = {p: bits for p, bits in prints.items() if 8 <= bits.bit_count() <= _BITS - 8}
        pairs = [[a, b] for a, b in _close(telling) if hash_of[a] != hash_of[b] and _is_similar_pair(census, a, b)]
        if pairs:
            yield _twins(benchmark, "note", f"are nearly the same ({kind})", pairs, users, root)


def _is_similar_pair(census: Census, a: str, b: str) -> bool:
    """Return whether two files with similar fingerprints have the same length and similar cells.

    Fingerprints alone would take other words on one card for the same picture, and any two decaying notes for one.
    """
    import numpy as np

    if abs(census.seconds.get(a, 0.0) - census.seconds.get(b, 0.0)) >= 0.5:
        return False
    first, second = (np.frombuffer(census.cells[path], dtype=np.uint8).astype(float) for path in (a, b))
    even = not (first.std() and second.std())  # flat cells have nothing to compare
    return not even and bool(np.corrcoef(first, second)[0, 1] >= _SAME)


def _close(prints: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Yield pairs that differ in at most 3 bits. At least one of their four 16-bit quarters is equal, so only those
    that share one are compared."""
    seen: set[tuple[str, str]] = set()
    for quarter in range(4):
        shelves: dict[int, list[str]] = defaultdict(list)
        for path, bits in prints.items():
            shelves[bits >> (16 * quarter) & 0xFFFF].append(path)
        for shelf in shelves.values():
            for index, a in enumerate(shelf[:500]):
                for b in shelf[index + 1 : 500]:
                    if (a, b) not in seen and (prints[a] ^ prints[b]).bit_count() <= _NEAR:
                        seen.add((a, b))
                        yield a, b


def _twins(
    benchmark: str,
    severity: FindingSeverity,
    words: str,
    groups: Sequence[Sequence[str]],
    users: dict[str, list[str]],
    root: Path,
) -> Finding:
    text = "; ".join(" = ".join(group[:3]) for group in groups[:3])
    return finding(
        "duplicate",
        severity,
        benchmark,
        f"{sum(map(len, groups)):,} media files in {len(groups):,} groups {words}: {text}",
        file=str(root),
        rows=[users[group[0]][0] for group in groups[:_SHOWN]],
        columns=[words],
        effect="the same content is asked about under several names",
    )
