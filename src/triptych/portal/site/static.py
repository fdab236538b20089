"""The portal's own files, by name from a table: no path is built from an address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triptych.portal.site.page import Visit
from triptych.portal.site.rendering import HERE, problem

if TYPE_CHECKING:
    from starlette.responses import Response

SHARED = HERE.parent / "web" / "static"
TYPES = {".css": "text/css", ".js": "text/javascript", ".png": "image/png"}


def files() -> dict[str, Path]:
    """Return all files by name: the portal's own, and those shared with other pages."""
    paths_by_name = {path.name: path for path in sorted((HERE / "static").iterdir()) if path.suffix in TYPES}
    shared = (HERE.parent / "reports" / "style" / "tokens.css", SHARED / "theme.js", SHARED / "icon.png")
    return paths_by_name | {path.name: path for path in shared}


def static(visit: Visit) -> Response:
    """One of the files."""
    from starlette.responses import FileResponse

    file = files().get(visit.part("name"))
    if file is None:
        return problem(visit, 404, "not-found")
    return FileResponse(file, media_type=TYPES[file.suffix], headers={"Cache-Control": "no-cache"})
