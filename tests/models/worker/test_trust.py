"""Tests of `models/worker/trust.py`: whether code that isn't Triptych's may be run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.models.worker.test_worker import RUNNER
from triptych.errors import SpecError
from triptych.models.registry import load_adapter
from triptych.models.worker.trust import allow_foreign_code

pytestmark = [
    pytest.mark.usefixtures("trusted"),
    pytest.mark.skipif(os.name == "nt", reason="worker processes need POSIX"),
]


def test_foreign_code_is_run_only_if_a_person_says_so(tmp_path: Path) -> None:
    allow_foreign_code(allowed=False)
    told = {"source": str(tmp_path)}
    for settings in ({"python": sys.executable}, {"runner": str(RUNNER)}):
        with pytest.raises(SpecError, match="--trust-remote-code"):
            load_adapter("worker/desta2.5-audio", {**told, **settings})
    with pytest.raises(SpecError, match=r"code from the Hub.*\n.*--trust-remote-code"):
        load_adapter("qwen-audio-chat", told)
    with pytest.raises(SpecError, match="no setting 'trust_remote_code'"):
        load_adapter("qwen-audio-chat", {**told, "trust_remote_code": True})
