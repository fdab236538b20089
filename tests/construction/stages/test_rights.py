"""The rights gate."""

from __future__ import annotations

from typing import Any

import pytest

from tests.construction.single_stage import decide
from triptych.construction.stages.rights import rights


@pytest.mark.parametrize(
    ("fields", "parameters", "decision", "reason"),
    [
        ({"author_died": 770}, {"year": 2026}, "kept", ""),
        ({"author_died": -278}, {"year": 2026}, "kept", ""),
        ({"author_died": 1876}, {"year": 2026}, "dropped", "author-died-too-recently"),  # exactly 150 is not over 150
        ({"author_died": 1875}, {"year": 2026}, "kept", ""),
        ({"author_died": 770}, {}, "dropped", "author-died-too-recently"),
        ({"licence": "CC-BY-4.0"}, {}, "kept", ""),
        ({"licence": "CC-BY-NC-4.0", "author_died": 770}, {"year": 2026}, "kept", ""),
        ({"licence": "CC-BY-NC-4.0"}, {}, "dropped", "licence-not-allowed"),
        ({}, {"year": 2026}, "dropped", "rights-unknown"),
        ({"licence": "CC0-1.0"}, {"consent": True}, "dropped", "no-consent"),
        ({"licence": "CC0-1.0", "consent": "form 2"}, {"consent": True}, "kept", ""),
    ],
)
def test_grounds(fields: dict[str, Any], parameters: dict[str, Any], decision: str, reason: str) -> None:
    outcome = decide(rights, fields, **parameters)
    assert (outcome.decision, outcome.reason) == (decision, reason)


def test_what_may_not_be_passed_on_is_marked() -> None:
    outcome = decide(rights, {"licence": "youtube"}, reference_only=("youtube",))
    assert outcome.fields == {"rights": "licence youtube", "pass_on": False}
