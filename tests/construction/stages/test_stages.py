"""Tests of `construction/stages/__init__.py`: the stages that recipes share, found by their names."""

from __future__ import annotations

from types import ModuleType

import pytest

from triptych.construction import stages
from triptych.construction.record import kept
from triptych.construction.stage import Stage, stage
from triptych.construction.stages import annotation, known_stages


def test_a_stage_at_the_top_of_a_module_is_found_by_its_own_name() -> None:
    found = known_stages()
    assert found["guideline"] == (annotation.guideline, "triptych")
    assert all(name == made.name and made.about for name, (made, _) in found.items())


def test_a_package_adds_stages_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("strangers_stages")
    own: Stage = stage("count-birds", version=1, reads=["text"])(lambda values, context: kept())
    module.own, module.helper, module.number = own, (lambda: own), 3  # type: ignore[attr-defined]
    monkeypatch.setattr(stages, "load_plug_ins", lambda group: [(module, "strange 1.0")] * (group == stages.GROUP))
    found = known_stages()
    assert found["count-birds"] == (own, "strange 1.0")
    assert len(found) == 1 + sum(origin == "triptych" for _, origin in found.values())
