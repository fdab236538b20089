"""A note on recordings whose end never reached the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from triptych.protocols.protocol import Unit


def truncated_input(units: Iterable[Unit]) -> Iterator[str]:
    """Yield a note if a model's processor dropped the end of recordings, as far as the adapter measured it."""
    cut, replies, worst = 0, 0, None
    for unit in units:
        for response in unit.responses:
            if response is None or not response.encoded:
                continue
            own = [one for one in response.encoded if one.truncated]
            replies += bool(own)
            cut += len(own)
            worst = max([*([worst] if worst else []), *own], key=lambda one: one.given - one.encoded, default=None)
    if worst is not None:
        files = "1 recording" if cut == 1 else f"{cut:,} recordings"
        yield (
            f"truncated input: the model's processor dropped the end of {files} in {replies:,} "
            f"{'reply' if replies == 1 else 'replies'}; at most {worst.encoded:g} of {worst.given:g} s were encoded "
            f"({worst.path})"
        )
