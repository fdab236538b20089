"""The toy benchmark and its Runs, as scoring's tests have them; a report over real mini sets; a browser to open it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.scoring.conftest import make_run, toy
from tests.support.browser import browser, browser_page, watch
from triptych import api
from triptych.reports.report import write_report
from triptych.store.folder import RunFolder

__all__ = ["browser", "browser_page", "make_run", "toy", "watch"]


@dataclass(frozen=True)
class Reported:
    """A report file and the Runs that it is over."""

    path: Path
    folders: list[RunFolder]

    @property
    def text(self) -> str:
        """The whole file."""
        return self.path.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Guessing and the keys themselves, on a few questions of two mini sets, in one file with the papers' rows."""
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    place = tmp_path_factory.mktemp("report")
    asked = {
        "xmodbench": {"limit": 1, "filters": {"subtask": ["general", "recognition"]}},
        "cmdar": {"limit": 2},
    }
    folders = [
        api.run(name, model, out=place / "runs" / name / model.replace("/", "-"), **what).folder  # type: ignore[arg-type]
        for name, what in asked.items()
        for model in ("baseline/random", "baseline/reference")
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triptych.reports.html.write.viewer_runs", lambda: True)
        (path,) = write_report(folders, to=place, formats=["html"], with_published=True)
    return Reported(path, folders)
