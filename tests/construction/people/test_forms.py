"""Tests of `construction/people/forms.py`: forms for people who fill the role of a model, and how these are read."""

from __future__ import annotations

import pytest

from triptych.construction.asking.questions import Result
from triptych.construction.people.forms import form_of, reply_of
from triptych.construction.recipes import cmdar, mcga
from triptych.errors import DataError


def test_forms_follow_the_reply() -> None:
    assert form_of(None) == {"reply": "text", "declined": "text"}
    assert form_of(mcga.Choice) == {"question": "text", "right": "text", "wrong": "list", "declined": "text"}
    form = form_of(cmdar.Several)
    assert form["question"] == "text" and form["options"]["type"] == "array" and "Option" in form["options"]["$defs"]
    options = [{"text": "x", "right": True, "needs": "both"}]
    given = Result("r", "s", "P1", {"question": "q", "category": "c", "options": options})
    assert reply_of(given, cmdar.Several).options[0].needs == "both"
    options[0]["needs"] = "neither"
    with pytest.raises(DataError, match="P1 returned a value that doesn't fit the form"):
        reply_of(given, cmdar.Several)
