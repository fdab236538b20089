"""Tests of `portal/site/parts.py`: bodies that come in parts."""

from __future__ import annotations

import json

from tests.portal.conftest import visitor
from tests.portal.test_doctor_proxy import reader, take
from triptych.portal.project import Portal


def test_parts_are_of_one_person_and_within_bounds(small: Portal) -> None:
    (who, task), wav = reader(small), take(3)
    other = visitor(small, "recorder")
    head = {"x-form-token": who.token, "accept": "application/json"}
    assert who.client.put(f"/parts/{'t' * 20}/0", content=wav[:100], headers=head).status_code == 201
    theirs = {"accept": "application/json"}
    assert other.client.get(f"/parts/{'t' * 20}", headers=theirs).json() == {"parts": {}}
    assert who.client.get(f"/parts/{'t' * 20}", headers=theirs).json() == {"parts": {"0": 100}}
    for path, content, status in (
        (f"/parts/{'t' * 20}/64", b"x", 400),
        (f"/parts/{'t' * 20}/1", b"", 400),
        ("/parts/short/0", b"x", 400),
        (f"/parts/{'t' * 20}/0", bytes((512 << 10) + 1), 413),
    ):
        assert who.client.put(path, content=content, headers=head).status_code == status, path
    facts = json.dumps({"frames": 1, "rate": 1, "blocks": 1, "lost": 0, "milliseconds": 1})
    more = {**head, "x-facts": facts, "x-content-sha256": "0" * 64}
    where = f"/record/record/{task}/{'t' * 20}"
    assert who.client.put(where, headers={**more, "x-parts": "2"}).json()["problem"] == "parts-are-missing"
    assert who.client.put(where, headers={**more, "x-parts": "-1"}).status_code == 400
    assert who.client.put(where, headers={**more, "x-parts": "1"}).json()["problem"] == "damaged-on-the-way"
    assert who.client.get(f"/parts/{'t' * 20}", headers=theirs).json() == {"parts": {}}
