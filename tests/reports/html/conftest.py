"""Fixtures that several files of tests of `reports/html` share."""

from __future__ import annotations

import pytest

from tests.reports.conftest import Reported
from tests.reports.html.test_html import Seen


@pytest.fixture(scope="session")
def seen(reported: Reported) -> Seen:
    return Seen(reported.text)
