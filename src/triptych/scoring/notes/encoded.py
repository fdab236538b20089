"""A note on recordings whose end never reached the model."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.records import Encoded, Response


class TruncatedInput:
    """Counts the recordings whose end a model's processor dropped, as far as the adapter measured it."""

    def __init__(self) -> None:
        self._cut, self._replies, self._worst = 0, 0, Encoded("audio", "", 0.0, 0.0)

    def add(self, response: Response) -> None:
        """Count the recordings of one reply."""
        truncated = [one for one in response.encoded if one.truncated]
        self._replies += bool(truncated)
        self._cut += len(truncated)
        self._worst = max([self._worst, *truncated], key=lambda one: one.given - one.encoded)

    def notes(self) -> Iterator[str]:
        """Yield a note if there are any."""
        if self._cut:
            files = "1 recording" if self._cut == 1 else f"{self._cut:,} recordings"
            replies = "1 reply" if self._replies == 1 else f"{self._replies:,} replies"
            yield (
                f"truncated input: the model's processor dropped the end of {files} in {replies}; at most "
                f"{self._worst.encoded:g} of {self._worst.given:g} s were encoded ({self._worst.path})"
            )
