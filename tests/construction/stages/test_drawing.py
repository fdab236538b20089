"""Tests of `construction/stages/drawing.py`: draws of talks, of questions' wordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.single_stage import context
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.drawing import draw_talks, general_wording

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


def test_a_draw_of_21_talks_and_79_summaries_is_filled_from_those_that_are_left(tmp_path: Path) -> None:
    own = draw_talks.with_(talks=21, summaries=79)
    given = Context(own.parameters, MediaStore(tmp_path), 0, tmp_path)

    def drawn(ids: list[int], asked: tuple[int, ...] = ()) -> tuple[set[str], set[str]]:
        rows = [
            Values(own, f"t{n}", {"summary_only": False, "questions": [{"number": 1}] if n in asked else []})
            for n in ids
        ]
        out = dict(zip((v.id for v in rows), own.run(rows, given), strict=True))
        kept = {id for id, o in out.items() if o.decision == "kept"}
        alone = {id for id in kept if out[id].fields.get("summary_only")}
        assert {o.reason for o in out.values() if o.decision == "dropped"} <= {"not-drawn"}
        return kept - alone, alone

    talks, alone = drawn(list(range(300)))
    assert (len(talks), len(alone)) == (21, 79)
    gone = sorted(talks)[:4]  # screened out, or withdrawn
    fewer, rest = drawn([n for n in range(300) if f"t{n}" not in gone])
    assert (len(fewer), len(rest)) == (21, 79) and talks - set(gone) <= fewer
    assert {"t5", "t7"} <= drawn(list(range(300)), asked=(5, 7))[0]
    assert drawn(list(range(30)))[0] and len(drawn(list(range(30)))[1]) == 9


def test_general_questions_have_the_same_words_in_every_talk_and_language(tmp_path: Path) -> None:
    def row(talk: int, language: str, source: str, target: str, origin: str = "General") -> Values:
        fields = {
            "element": "question",
            "origin": origin,
            "language": language,
            "source": [source, f"answer {talk}"],
            "target": [target, f"Antwort {talk}"],
        }
        return Values(general_wording, f"t{talk}/{language}", fields)

    rows = [
        row(1, "de", "Who are the authors?", "Wer sind die Autoren?"),
        row(2, "de", "Who are the authors?", "Wer sind die Autoren?"),
        row(3, "de", "who are the authors", "Wer sind die Verfasser?"),
        row(1, "en", "Who are the authors?", "Who are the authors?"),
        row(3, "en", "who are the authors", "who are the authors"),
        row(3, "zh", "Who is it?", "谁？", "Transcript"),
    ]
    found = general_wording.run(rows, context(general_wording, tmp_path))
    assert [outcome.decision for outcome in found] == ["kept", "kept", "revised", "kept", "revised", "kept"]
    assert found[2].fields["target"] == ["Wer sind die Autoren?", "Antwort 3"]
    assert found[4].fields["target"][0] == "Who are the authors?" and found[4].fields["source"][1] == "answer 3"
