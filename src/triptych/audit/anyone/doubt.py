"""A finding on a table, with what would have to be true for its figures to be correct."""

from __future__ import annotations

from collections.abc import Iterable

from triptych.records import Finding, FindingSeverity, finding


def doubt(
    kind: str,
    severity: FindingSeverity,
    benchmark: str,
    message: str,
    *,
    table: str,
    rows: Iterable[str],
    columns: Iterable[str],
    published: float | str | None = None,
    recomputed: float | str | None = None,
    needs: str = "",
    effect: str = "",
    about: str = "",
) -> Finding:
    """Return a finding whose message ends with what would have to be true: `To be correct, …`."""
    return finding(
        kind,
        severity,
        benchmark,
        f"{message}. To be correct, {needs}" if needs else message,
        table=table,
        rows=rows,
        columns=columns,
        published=published,
        recomputed=recomputed,
        effect=effect,
        about=about,
    )
