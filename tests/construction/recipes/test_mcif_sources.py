"""MCIF as its paper makes it: talks drawn from the ACL Anthology's list, questions after the abstract alone, a second
expert, native supervision, general questions in the same words."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import anthology
from tests.construction.people.test_reviews import reasons, say
from tests.construction.recipes import test_mcif as mcif_material
from tests.construction.stages.test_talks import film, spoken
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes._mcif_material import given_segments
from triptych.construction.report.reasons import records_with

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


material = mcif_material.material


def test_talks_are_drawn_from_the_anthology_and_fetched_videos(material: Any, tmp_path: Path) -> None:
    base = material.base
    anthology(base, 6)
    (base / "videos").mkdir()
    for n in (2, 4, 5):
        film(base / f"videos/2023.acl-long.{n}.mp4", spoken((5, 1), (5, 1), (4, 0.5), level=0.1 + n / 100, seed=n))
    config = base / "own.toml"
    lines = [
        'languages = ["en"]',
        'detector = "level"',
        "guideline = false",
        "people = false",
        'drafts = ["transcripts"]',
        "draw = { talks = 1, summaries = 2 }",
        '[anthology]\nfolder = "acl"\nvolumes = ["2023.acl-long"]\nvideos = "videos"',
        '[stages.natural-voice]\nsynthetic = "keep"',
        "[stages.talk-sound]\nleast_seconds = 10.0",
        mcif_material.ANY_LENGTH,
        '[models.recogniser]\nmodel = "stand-in/recogniser"',
    ]
    config.write_text("\n".join(lines), encoding="utf-8")
    to = tmp_path / "b"
    done = build("mcif", config, to)
    assert done.complete, done.counts
    missing = records_with(BuildFolder(to), "not-fetched")  # which to fetch, in the order of the draw
    assert len(missing) == 3 and all(
        each.note.startswith("https://aclanthology.org/2023.acl-long.") for each in missing
    )
    kinds = Counter(r.kind for r in mcif_material.references(to / "out", "long", "en"))
    assert kinds == {"ASR": 1, "SUM": 3}, done.counts
    lines = (to / "out/provenance.jsonl").read_text(encoding="utf-8").splitlines()
    assert any("talk:2023.acl-long." in line and "speaker:Mían" in line for line in lines)


def test_segments_of_shas_with_a_field_a_line(tmp_path: Path) -> None:
    fields = ("duration: 2.0", "offset: 4.0", "rW: 0", "speaker_id: NA", "uW: 0", "wav: a.wav")
    block = "- " + "\n  ".join(fields) + "\n- duration: 1.5\n  offset: 0.5\n  wav: 'a.wav'\n"
    (tmp_path / "s.yaml").write_text(block, encoding="utf-8")
    assert given_segments(tmp_path, {"segments": "s.yaml", "path": "a.mp4"}) == [[0.5, 2.0], [4.0, 6.0]]


GENERAL = ["What are the affiliations of the authors?"]
RULES = {"pairs": 3, "general": 1, "abstract": 1, "transcript": 1, "answered_by_audio": 2}
RULES |= {"audio_and_video": 0, "video": 0, "unanswerable": 0}


def test_abstract_first_then_a_second_expert_and_native_supervision(material: Any, tmp_path: Path) -> None:
    """Questions, answers, labels, times and translations are edited, rejected and disputed; all of it is released."""
    material.talks, material.questions = material.talks[:1], material.questions[:1]
    for name in ("translation_de", "abstract_de"):
        material.talks[0].pop(name, None)
    distribution = ", ".join(f"{name} = {count}" for name, count in RULES.items())
    more = [
        f"distribution = {{ {distribution} }}",
        f"general = {json.dumps(GENERAL)}",
        "write = true",
        "abstract_first = true",
        "second_expert = true",
    ]
    config = material.config(
        'languages = ["en", "de"]',
        'drafts = ["translations"]',
        "native = true",
        "guideline = true",
        *more,
        roles=["translator"],
    )
    config.write_text(
        config.read_text(encoding="utf-8").replace('questions = ["questions.tsv"]\n', ""), encoding="utf-8"
    )
    to = tmp_path / "b"
    build("mcif", config, to)
    (task,) = say(to, "abstract-questions", "A1", lambda task: {"abstract_questions": ["How many swifts?", "  "]})
    assert task["shows"].keys() == {"title", "summaries"}  # neither sound nor pictures
    build("mcif", config, to)
    own = {"question": "What is counted?", "answer": "Swifts are.", "origin": "Transcript", "begin": "10", "end": "14"}
    asked = [
        {
            "question": GENERAL[0],
            "answer": "A university.",
            "type": "A",
            "origin": "General",
            "begin": "0:01",
            "end": "0:04",
        },
        own | {"type": "A"},
    ]
    (task,) = say(
        to,
        "write-questions",
        "W1",
        lambda task: {"questions": [*asked, own | {"question": "Why count?", "type": "A", "origin": "Abstract"}]},
    )
    assert task["shows"]["abstract_questions"] == ["How many swifts?"]
    assert reasons(build("mcif", config, to), "write-questions") == {"pending: abstract-question-missing": 1}
    third = own | {"question": "How many swifts?", "answer": "Nine.", "type": "A", "origin": "Abstract"}
    say(
        to,
        "write-questions",
        "W1",
        lambda task: {"questions": [*asked, third, {**third, "question": "Who?", "origin": "Transcript"}]},
    )
    build("mcif", config, to)

    def expert(task: dict[str, Any]) -> dict[str, Any]:
        edits = {
            "What is counted?": {
                "verdict": "edit",
                "answer": "Swifts, by ear.",
                "begin": "11",
                "type": "A",
                "why": "more exact",
            },
            "Who?": {"verdict": "reject", "fault": "unclear"},
        }
        return edits.get(task["shows"]["question"], {"verdict": "approve"})

    say(to, "second-expert", "W1", lambda task: {"verdict": "approve"})
    assert reasons(build("mcif", config, to), "second-expert") == {"pending: result-refused": 4}  # the writer
    say(to, "second-expert", "E2", expert)
    say(to, "second-expert", "E3", lambda task: {"verdict": "approve"} if task["shows"]["question"] == "Who?" else None)
    assert reasons(build("mcif", config, to), "second-expert")["pending: disagreement"] == 1
    say(
        to,
        "second-expert",
        "E4",
        lambda task: expert(task) if task["shows"]["question"] == "Who?" else None,
        settles=True,
    )
    build("mcif", config, to)
    say(to, "post-edit", "T1", lambda task: {"text": "\n".join(task["shows"]["draft"])})
    build("mcif", config, to)

    def native(task: dict[str, Any]) -> dict[str, Any]:
        if task["shows"]["source"][0] == GENERAL[0]:
            return {
                "verdict": "edit",
                "target": ["Wo arbeiten die Autoren?", "An einer Universität."],
                "fault": "terminology",
            }
        return {"verdict": "approve"}

    say(to, "supervise", "T1", native)  # the translator
    assert set(reasons(build("mcif", config, to), "supervise")) == {"pending: result-refused"}
    tasks = say(to, "supervise", "N1", native)
    done = build("mcif", config, to)
    assert done.complete, done.counts
    assert {each["shows"]["language_name"] for each in tasks} == {"German"}
    english = {r.text: r for r in mcif_material.references(to / "out", "long", "en") if r.kind == "QA"}
    assert english.keys() == {"A university.", "Swifts, by ear.", "Nine."}
    assert english["Nine."].qa_origin == "Abstract"
    german = [r.text for r in mcif_material.references(to / "out", "long", "de") if r.kind == "QA"]
    assert "An einer Universität." in german and mcif_material.translated("Nine.", "German") in german
    line = BuildFolder(to).find("second-expert", "t1/q02")
    assert line is not None and "more exact" in line.outcome.note and line.outcome.fields["begin"] == "11"
