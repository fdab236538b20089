"""Write the report file: chapters of all benchmarks, with analyses and audit."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from triptych.reports.findings.checks import Checks
from triptych.reports.html.chapter import chapter, common_root
from triptych.reports.html.links import VIEWER
from triptych.reports.html.media import Embedder
from triptych.reports.html.page import page
from triptych.reports.html.public import public
from triptych.store.files.atomic import write_atomically

NAME = "report.html"
WAIT_S = 0.3


def write_html(
    checks: Sequence[Checks],
    protocols: Sequence[Sequence[str]],
    location: Path,
    *,
    title: str = "",
    shared: bool = False,
    viewer: str = "",
    root: Path | None = None,
) -> Path:
    """Write `report.html` with one chapter per benchmark. `protocols`: those shown of each, the headline one first;
    `title`: in place of one that says what was compared; `shared`: without paths and addresses of this machine;
    `viewer`: address of a running viewer, by default the usual one if it answers; `root`: the folder that it shows, by
    default the one that contains all Runs."""
    path = location / NAME
    address = viewer.rstrip("/") or (VIEWER if not shared and viewer_runs() else "")
    write_atomically(path, html(checks, protocols, title=title, shared=shared, viewer=address, root=root).encode())
    return path


def viewer_runs() -> bool:
    """Return whether something answers at the viewer's address: links to it would otherwise lead nowhere."""
    address = urlsplit(VIEWER)
    try:
        with socket.create_connection((address.hostname or "", address.port or 80), timeout=WAIT_S):
            return True
    except OSError:
        return False


def html(
    checks: Sequence[Checks],
    protocols: Sequence[Sequence[str]],
    *,
    title: str = "",
    shared: bool = False,
    viewer: str = VIEWER,
    root: Path | None = None,
) -> str:
    """Return the file's content; the same for the same Runs. `viewer`: the address that numbers link to; empty for
    none; `root`: the folder that the viewer shows, by default the one that contains all Runs."""
    reports = [check.report for check in checks]
    root = root or common_root([folder.path for report in reports for folder in report.folders.values()])
    embedder = Embedder()
    chapters = [
        chapter(check.report, names, root, embedder, check.sections, check.findings)
        for check, names in zip(checks, protocols, strict=True)
    ]
    made = page(chapters, title, viewer="" if shared else viewer)
    return public(made, [folder for report in reports for folder in report.folders.values()]) if shared else made
