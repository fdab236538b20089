"""Tests of `construction/text_checks/talks/evidence.py`: questions that transcripts contradict."""

from __future__ import annotations

from triptych.construction.text_checks.talks.evidence import TalkQuestion, evidence_faults


def asked(name: str, talk: str, question: str, answer: str, begin: float, end: float, kind: str = "A") -> TalkQuestion:
    return TalkQuestion(name, talk, kind, "Transcript", question, answer, begin, end)


def test_questions_that_the_transcripts_contradict_are_found() -> None:
    transcripts = {
        "moths": "Moths circle around street lamps until they are tired. Students "
        "counted them with a camera on a pole. "
        "The pictures are published on Zenodo. Beetles ignored the color.",
        "pipes": "Leaks of water pipes make a soft hiss. Cheap sensors on hydrants "
        "record the hiss at night for ten seconds.",
    }
    rows = [
        asked("sound", "moths", "With what did students count?", "With a camera on a pole.", 12, 20),
        asked("foreign", "moths", "On what are the cheap sensors that record the hiss?", "On hydrants.", 1, 5),
        asked("one", "moths", "What circles around the lamps?", "Beetles.", 0, 8),
        asked("other", "moths", "Who ignored the color?", "Moths.", 34, 40),
        asked("unheard", "pipes", "How many leaks are there?", "48 leaks.", 1, 5),
        asked("seen", "pipes", "How many leaks are there?", "48 leaks.", 1, 5, kind="V"),
    ]
    found = evidence_faults(rows, transcripts, {"moths": 40.0, "pipes": 30.0})
    assert {name: reason for name, (reason, _) in found.items()} == {
        "foreign": "question-of-another-talk",
        "one": "answers-exchanged",
        "other": "answers-exchanged",
        "unheard": "type-contradicted",
    }
