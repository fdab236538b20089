"""Metrics: pure functions on text, sets, numbers and vectors. They read no files, network or environment variables."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.metrics.text.resegmentation import resegment as resegment

__all__ = ["resegment"]


def __getattr__(name: str) -> Any:
    """Import public functions on first use, so that the command line starts without loading them."""
    if name == "resegment":
        from triptych.metrics.text.resegmentation import resegment

        return resegment
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
