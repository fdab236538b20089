"""Write `scores/PROTOCOL.jsonl` a part at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO

import msgspec

from triptych.records import Score
from triptych.store.files.atomic import atomic_file
from triptych.store.files.run_files import open_to_read
from triptych.store.folder import RunFolder

_PART = 4_096  # Scores encoded at a time


class ScoreFiles:
    """The files of these protocols, one JSON object per line. At the end of a `with` block they replace those before;
    after an exception they don't.
    """

    def __init__(self, folder: RunFolder, protocols: Iterable[str]) -> None:
        self._folder, self._protocols = folder, tuple(protocols)
        self._files: dict[str, BinaryIO] = {}
        self._stack, self._encoder = ExitStack(), msgspec.json.Encoder()

    def __enter__(self) -> ScoreFiles:
        with ExitStack() as stack:
            for name in self._protocols:
                self._files[name] = stack.enter_context(atomic_file(self._folder.scores_path(name)))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def add(self, protocol: str, scores: Sequence[Score] | bytes) -> None:
        """Append Scores, or lines of JSON."""
        self._files[protocol].write(scores if isinstance(scores, bytes) else self._encoder.encode_lines(scores))


def has_scores(folder: RunFolder, protocol: str, scores: Sequence[Score]) -> bool:
    """Return whether the file of a protocol contains exactly these Scores, byte for byte as `ScoreFiles` writes them.

    That takes a sixth of the time of reading the Scores. Raises OSError if the file can't be read.
    """
    encoder = msgspec.json.Encoder()
    with open_to_read(folder.scores_path(protocol)) as file:
        for begin in range(0, len(scores), _PART):
            lines = encoder.encode_lines(scores[begin : begin + _PART])
            if file.read(len(lines)) != lines:
                return False
        return not file.read(1)
