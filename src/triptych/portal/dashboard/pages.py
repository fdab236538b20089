"""The dashboard, and its rows by day as a file."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from triptych.portal.dashboard.figures import DAY_MS, Figures, figures, rows_by_day
from triptych.portal.review.overview import overview_of
from triptych.portal.site.jobs import JOBS
from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import show
from triptych.portal.work.queues import queue_of
from triptych.records.harmless import harmless

if TYPE_CHECKING:
    from starlette.responses import Response

SHOWN = 100  # people on the page
HEAD = ("pseudonym", "queue", "day", "submitted", "counting", "seconds")
_UNITS = ("B", "kB", "MB", "GB", "TB")


def dashboard(visit: Visit) -> Response:
    """How far queues are, who works, when they end, how far people agree, what fills the disk."""
    headline_figures = figures(visit.portal)
    return show(
        visit,
        "dashboard.html",
        found=headline_figures,
        jobs=JOBS,
        agreed=_agreed(visit, headline_figures),
        size=size,
        shown=SHOWN,
        at=[day * DAY_MS for day in headline_figures.days],
    )


def _agreed(visit: Visit, figures: Figures) -> dict[str, Any]:
    """Agreement on the first field of each queue of reviews with more than one reviewer; None while it is counted."""
    made = {}
    for row in figures.queues:
        if row.kind == "review":
            with visit.portal.database.reading() as connection:
                queue = queue_of(connection, row.name)
            seen = overview_of(visit.portal.database, queue) if queue else None
            if seen and seen.rated and seen.rated[0].figures.shared:
                made[row.name] = {"figures": seen.rated[0].figures, "open": len(seen.open)}
    return made


def days(visit: Visit) -> Response:
    """A row for each day of a person in a queue, as CSV."""
    from starlette.responses import Response

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    with visit.portal.database.reading() as connection:
        writer.writerows([harmless(cell) for cell in row] for row in rows_by_day(connection))
    headers = {"Content-Disposition": 'attachment; filename="days.csv"'}
    return Response("\ufeff" + out.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def size(number: float) -> str:
    """Return a number of bytes with its unit.

    >>> size(999), size(1_500_000), size(2e12)
    ('999 B', '1.5 MB', '2.0 TB')
    """
    unit = 0
    while number >= 1000 and unit < len(_UNITS) - 1:
        number, unit = number / 1000, unit + 1
    return f"{number:.1f} {_UNITS[unit]}" if unit else f"{number:.0f} B"
