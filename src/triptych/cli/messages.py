"""Messages of commands that run models, on standard error: estimates before, failures after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from triptych.cli.arguments import tell

if TYPE_CHECKING:
    from triptych.api import RunResult
    from triptych.running.estimate import RunEstimate

FIRST = 5  # problems, and kinds of error, that are printed


def tell_failures(result: RunResult) -> None:
    """Print why Requests of this session failed: the kinds of error, the most frequent first, each with an example."""
    from triptych.cli.arguments import say

    failed = result.outcome.counts.get("failed", 0)
    if not failed or result.outcome in result.readings:
        return
    errors = [(r.item, r.error) for r in result.folder.responses() if r.status == "failed" and r.error]
    for kind, count in Counter(error.kind for _, error in errors).most_common(FIRST):
        item, error = next((item, error) for item, error in errors if error.kind == kind)
        say(f"failed, {kind}: {count:,}; the first: {error.message.splitlines()[0]} ({item})")


def tell_estimate(total: RunEstimate, concurrency: int, unread: Sequence[str]) -> None:
    """Print an estimate; `unread`: Conditions for which media are read first."""
    max_tokens_note = "" if total.output_tokens_most is None else f" (at most {total.output_tokens_most:,})"
    media = f"{total.audio_seconds:,.0f} s of sound, {total.video_seconds:,.0f} s of video, {total.images:,} pictures"
    tell(f"about {total.input_tokens:,} tokens in ({total.text_tokens:,} of text; {media})")
    tell(f"about {total.output_tokens:,} tokens out{max_tokens_note}")
    dollars = (
        "unknown: give --price-in and --price-out, or a price file (--prices)"
        if total.usd is None
        else f"about {total.usd:,.2f} USD"
    )
    limit = "" if total.usd is None or total.usd_most is None else f" (at most {total.usd_most:,.2f})"
    tell(f"price {dollars}{limit}")
    tell(f"about {_duration(total.seconds)}, {concurrency} at once")
    if total.missing:
        tell(f"{total.missing:,} media files can't be read and are not counted here: {total.first_missing}")
    if total.unmeasured:
        tell(f"{total.unmeasured:,} media of unknown length are not counted here{_need_av()}")
    if total.skipped:
        tell(f"{total.skipped:,} Requests will be skipped: the model doesn't accept this input")
    for why, count in total.hopeless.items():
        tell(f"{count:,} Requests will be skipped: {why}")
    for name in unread:
        tell(f"media are read first for {name}: one Request per file, not counted here")


def tell_rules(total: RunEstimate) -> None:
    """Print the rules behind an estimate."""
    tell("estimated by these rules: " + "; ".join(total.rules))


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"


def _need_av() -> str:
    from importlib.util import find_spec

    return "" if find_spec("av") else " (PyAV is needed to measure videos: pip install 'triptych[local]')"
