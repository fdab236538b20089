"""The portal that a command works on: a project folder here, or a server elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triptych.portal.exchange.ends import End


def end_of(project: Path | None, url: str, db: str) -> End:
    """The portal of `--project` or of `--url`. Raises SpecError unless exactly one of them is given."""
    from triptych.errors import SpecError
    from triptych.portal.exchange.local import Local
    from triptych.portal.exchange.remote import Remote
    from triptych.portal.project import open_portal

    if (project is None) == (not url):
        raise SpecError("one portal must be given", expected="either --project DIR or --url https://…")
    return Remote(url) if project is None else Local(open_portal(project, db, create=True))


def check_packages() -> None:
    """Raises SpecError, with the install command, if a package of the portal is missing."""
    from importlib.util import find_spec

    from triptych.errors import SpecError

    needed = (
        "alembic",
        "babel",
        "itsdangerous",
        "jinja2",
        "joserfc",
        "limits",
        "obstore",
        "sqlalchemy",
        "starlette",
        "uvicorn",
    )
    if missing := [name for name in needed if find_spec(name) is None]:
        raise SpecError(f"the portal needs {', '.join(missing)}", fix="pip install 'triptych[portal]'")
