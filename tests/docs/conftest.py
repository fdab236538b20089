"""The site, built once, and a browser to look at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.browser import browser, browser_page, watch

__all__ = ["browser", "browser_page", "watch"]

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; a warning fails the tests that ask for it."""
    pytest.importorskip("material", reason="mkdocs-material isn't installed (it comes with the group dev)")
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder
