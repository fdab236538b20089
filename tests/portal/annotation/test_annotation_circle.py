"""The circle of MCIF: the recipe stops, annotators do its tasks on the pages, the recipe goes on to a benchmark."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tests.construction.recipes.test_mcif import ANY_LENGTH, Material, make, material, references
from tests.portal.conftest import Visitor, visitor
from triptych import load_benchmark
from triptych.construction.build import build
from triptych.construction.text_checks.numerals import numbers_in
from triptych.errors import SpecError
from triptych.portal.exchange.local import Local
from triptych.portal.exchange.pull import pull
from triptych.portal.exchange.push import push
from triptych.portal.project import Portal
from triptych.portal.store.tables import tasks as table

__all__ = ["make", "material"]

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
GENERAL = "What are the affiliations of the authors?"
WRITE = (
    'languages = ["en", "de"]',
    'drafts = ["transcripts", "translations"]',
    "write = true",
    f'general = ["{GENERAL}"]',
    "guideline = true",
    "distribution = { pairs = 3, general = 1, abstract = 1, transcript = 1, answered_by_audio = 1, "
    "audio_and_video = 1, video = 1, unanswerable = 1 }",
)


def asked(task: dict[str, Any]) -> dict[str, Any]:
    title = task["shows"]["title"]
    rows = [
        (GENERAL, "Lakeside.", "AV", "General", "0:01", "0:04"),
        (f"What is drawn about {title}?", "A roof.", "V", "Abstract", "5", "8.5"),
        (f"Who paid for {title}?", "", "NA", "Transcript", "", ""),
    ]
    return {
        "questions": [
            dict(zip(("question", "answer", "type", "origin", "begin", "end"), row, strict=True)) for row in rows
        ]
    }


def corrected(task: dict[str, Any]) -> dict[str, Any]:
    assert task["helps"]["draft_times"] and task["helps"]["video"].endswith(".mp4")
    return {"transcript": task["shows"]["draft"]}


def translated(task: dict[str, Any]) -> dict[str, Any]:
    """Lines with as many words as the source has, and its numbers; no two are the same."""

    def line(number: int, source: str) -> str:
        words = (
            word if word.strip(".,").isdigit() else f"für{chr(97 + place % 26)}{chr(97 + number)}"
            for place, word in enumerate(source.split())
        )
        return " ".join(["Zeile", *words, *map(str, sorted(numbers_in(source, "en")))]) + (
            source[-1] if source[-1] in "?!" else "."
        )

    return {"text": "\n".join(line(number, source) for number, source in enumerate(task["shows"]["source"]))}


def do_all(portal: Portal, who: Visitor, queue: str, to: Path, answer: Any) -> int:
    """Do everything that the page offers, as a browser would: read its state, have it checked, send it."""
    tasks = {
        task["id"]: task for task in map(json.loads, (to / f"tasks/{queue}.jsonl").read_text("utf-8").splitlines())
    }
    done = 0
    while True:
        page = who.client.get(f"/annotate/{queue}").text
        state = json.loads(page.partition('id="state">')[2].partition("</script>")[0])
        if not state["editor"]:
            return done
        with portal.database.reading() as connection:
            key = connection.execute(select(table.c.key).where(table.c.id == state["task"])).scalar_one()
        headers, place = {"x-form-token": who.token}, f"/annotate/{queue}/{state['task']}"
        answers = answer(tasks[key])
        checked = who.client.post(f"{place}/check", json={"answers": answers}, headers=headers).json()
        assert checked["passes"] and checked["yours"], checked
        sent = who.client.put(f"{place}/{queue}-{done:016}", json={"answers": answers}, headers=headers)
        assert sent.status_code == 201, sent.text
        done += 1


@pytest.mark.slow
def test_the_whole_circle_of_annotation(material: Material, tmp_path: Path, small: Portal) -> None:
    material.talks, material.questions = material.talks[:2], []
    for row in material.talks:
        for name in [name for name in row if name.startswith(("transcript", "translation", "abstract_"))]:
            del row[name]
    config, to = material.config(*WRITE, ANY_LENGTH, roles=["recogniser", "translator"]), tmp_path / "b"
    who = visitor(small, "annotator")
    for stage, answer, many in (
        ("write-questions", asked, 2),
        ("transcribe", corrected, 2),
        ("post-edit", translated, 2 * (1 + 1 + 3)),
    ):
        waiting = build("mcif", config, to)
        assert not waiting.complete
        made = push(Local(small), to, stage)
        assert (made.kind, made.open) == ("annotation", many)
        assert do_all(small, who, stage, to, answer) == many
        assert pull(Local(small), to, stage).results == many
    done = build("mcif", config, to)
    assert done.complete, done.counts
    found = {reference.iid: reference for reference in references(to / "out", "long", "de")}
    assert Counter(each.kind for each in found.values()) == {"TRANS": 2, "QA": 6, "SUM": 2}
    assert found["TRANS_1"].text.startswith("Zeile füraa") and found["QA_1_1"].qa_type == "AV"
    assert {p.kind for p in load_benchmark("mcif").check(to / "out")} <= {"count", "file-missing", "not-in-this-set"}
    assert len(list(load_benchmark("mcif").items(to / "out"))) > 0
    (person,) = {json.loads(line)["person"] for line in (to / "results/write-questions.jsonl").open(encoding="utf-8")}
    rows = [json.loads(line) for line in (to / "out/provenance.jsonl").open(encoding="utf-8")]
    made_by = {row["id"]: row["makers"] for row in rows}
    assert made_by["t1/q01/de"]["texts"] == {"kind": "person", "name": person}


def test_questions_that_break_the_guideline_wait_for_their_writer(material: Material, tmp_path: Path) -> None:
    material.talks, material.questions = material.talks[:1], []
    config, to = material.config(*WRITE, ANY_LENGTH, roles=["recogniser", "translator"]), tmp_path / "b"
    build("mcif", config, to, limit=1)
    task = json.loads((to / "tasks/write-questions.jsonl").read_text("utf-8"))
    assert task["rules"]["distribution"]["pairs"] == 3 and task["rules"]["general_questions"] == [GENERAL]
    answers = {"questions": asked(task)["questions"][:2]}
    result = {"id": task["id"], "shown": task["shown"], "person": "P1", "values": answers}
    (to / "results").mkdir(exist_ok=True)
    (to / "results/write-questions.jsonl").write_text(json.dumps(result) + "\n", encoding="utf-8")
    counts = {each.stage: each.reasons for each in build("mcif", config, to).counts}
    assert counts["write-questions"] == {"pending: guideline-not-followed": 1}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("write = true",), "general questions are missing"),
        (("distribution = { pears = 3 }",), "unknown rule"),
    ],
)
def test_a_configuration_that_can_not_be_meant_is_refused(
    material: Material, tmp_path: Path, lines: tuple[str, ...], told: str
) -> None:
    with pytest.raises(SpecError, match=told):
        build("mcif", material.config(*lines), tmp_path / "b")
