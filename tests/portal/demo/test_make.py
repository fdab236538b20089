"""Tests of `portal/demo/make.py`: the demo's project."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal.conftest import ADDRESS, anonymous
from triptych.errors import SpecError
from triptych.portal.demo.make import demo
from triptych.portal.demo.people import links
from triptych.portal.project import Portal
from triptych.portal.site.page import EVERY_ROLE

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


PAGES = {
    "/": ("poems", "scenes-review", "talks-questions", "talks-transcripts", "talks-translations", "people-and-models"),
    "/record/poems": ("data-task", "<ruby>"),
    "/recordings/poems?state=accepted": ("<audio",),
    "/recordings/poems?state=again": ("almost nothing is heard",),
    "/review/scenes-review": ("data-task",),
    "/reviews/scenes-review": ("</span></a></li>", "Cohen"),
    "/annotate/talks-questions": ("What is the name of the speaker?", "Talk 2"),
    "/annotate/talks-transcripts": ("Um, we wrote",),
    "/annotate/talks-translations": ("Many labels are more than a hundred years old",),
    "/annotations/talks-questions": ("Anna Keller.", "Not answerable."),
    "/survey/people-and-models": ("people-and-models",),
    "/survey-cells/people-and-models": ("cmdar",),
    "/people": ("Made-up person 1",),
    "/queues": ("poems", "people-and-models"),
    "/audit": ("submitted",),
    "/hours.csv": ("poems",),
}


KINDS = ("questions", "transcripts", "translations")


def entered(portal: Portal, link: str) -> TestClient:
    """A browser in which the link was opened and its button pressed."""
    client = anonymous(portal)
    path = link.removeprefix(ADDRESS)
    assert client.get(path).status_code == 200
    assert client.post(path, data={"token": ""}).status_code == 303
    client.headers["accept-language"] = "en"
    return client


@pytest.mark.slow
def test_every_job_has_content_and_every_role_a_link(tmp_path: Path) -> None:
    said: list[str] = []
    portal = demo(tmp_path / "demo", ADDRESS, said.append)
    printed = {line.split(": ")[0].strip(): line.split()[-1] for line in said if "/enter/" in line}
    assert printed.keys() == {*EVERY_ROLE, "all roles"}
    everything = entered(portal, printed["all roles"])
    for path, expected in PAGES.items():
        answer = everything.get(path)
        assert answer.status_code == 200, path
        for words in expected:
            assert words in answer.text, (path, words)
    chinese = {"accept-language": "zh"}
    for path in ("record/poems", "review/scenes-review", *(f"annotate/talks-{n}" for n in KINDS)):
        assert '<p class="muted" lang="zh">' in (page := everything.get(f"/{path}", headers=chinese).text) or (
            '<p lang="zh">' in page
        ), path  # the recipe's instructions, too
    for role, first in (("recorder", "/record/poems"), ("participant", "/survey/people-and-models")):
        own = entered(portal, printed[role])
        assert own.get(first).status_code == 200 and own.get("/people").status_code == 403
    portal.close()
    again = demo(tmp_path / "demo", ADDRESS, said.append)  # served again later: nothing is made, the links are new
    assert not set(links(again, ADDRESS).values()) & set(printed.values())
    assert sum(line.startswith("making") for line in said) == 1
    again.close()


def test_a_folder_with_other_content_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SpecError, match="other content"):
        demo(tmp_path, ADDRESS)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
