"""The toy benchmark and its Runs, as scoring's tests have them; a report over real mini sets; a browser to open it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.conftest import make_run, toy
from tests.support.browser import browser, browser_page, page_of_module, shared_page, watch
from triptych import api
from triptych.reports.report import write_report
from triptych.store.folder import RunFolder

__all__ = ["browser", "browser_page", "make_run", "page_of_module", "shared_page", "toy", "watch"]


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
def runs_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the Runs of the report lie."""
    return tmp_path_factory.mktemp("report") / "runs"


@pytest.fixture(scope="session")
def cmdar_folders(runs_root: Path) -> list[RunFolder]:
    """Guessing and the keys themselves on two questions of CMDAR."""
    return folders_of("cmdar", runs_root, limit=2)


@pytest.fixture(scope="session")
def reported(cmdar_folders: list[RunFolder], runs_root: Path) -> Reported:
    """Guessing and the keys themselves, on a few questions of two mini sets, in one file with the papers' rows."""
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    subtasks = {"subtask": ["general", "recognition"]}
    folders = [*folders_of("xmodbench", runs_root, limit=1, filters=subtasks), *cmdar_folders]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triptych.reports.html.write.viewer_runs", lambda: True)
        (path,) = write_report(folders, to=runs_root.parent, formats=["html"], with_published=True)
    return Reported(path, folders)


def folders_of(benchmark: str, to: Path, **options: Any) -> list[RunFolder]:
    """Run guessing and the keys themselves on a few questions of a mini set."""
    models = ("baseline/random", "baseline/reference")
    return [
        api.run(benchmark, model, out=to / benchmark / model.replace("/", "-"), **options).folder for model in models
    ]
