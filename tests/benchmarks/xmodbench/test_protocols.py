"""The three protocols: a hand-made case for every quirk."""

from __future__ import annotations

import pytest

from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.benchmarks.xmodbench.outputs import EXTRACTED
from triptych.benchmarks.xmodbench.protocols import PROTOCOLS, judged, spoken
from triptych.judges.verdicts import Combine, Verdict, Verdicts, VerdictStatus
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response, ResponseStatus, Score, text

ITEM = Item(
    "i",
    "xmodbench/perception/general/audio_text",
    (text("Which?"),),
    labels=("A", "B", "C", "D"),
    answer="letter",
    target="B",
)
TRANSCRIPT = "system\nYou are a model.\nuser\nWhich? A: B:\nassistant\nThe correct answer is B. Ask me more!"


def scores(reply: str, status: ResponseStatus = "answered", finish: str | None = None) -> dict[str, Score]:
    response = Response("i", "", 0, status, reply, finish_reason=finish)
    return {name: p.score(Unit((ITEM,), (response,)))[0] for name, p in PROTOCOLS.items()}


# reply: (official, paper, standard); 1 right, 0 wrong, None unparsed
REPLIES: dict[str, tuple[int, int, int | None]] = {
    "B": (1, 1, 1),
    " b \n": (1, 1, 1),
    "C": (0, 0, 0),
    "**B**": (1, 0, 1),
    "The answer is B.": (1, 0, 1),
    "The answer is C.": (0, 0, 0),
    "ABCD": (0, 0, None),
    "A or B": (0, 0, None),
    "There is no correct answer.": (0, 0, None),
    "None": (0, 0, None),
    "": (0, 0, None),
}


@pytest.mark.parametrize("reply", REPLIES)
def test_a_live_reply(reply: str) -> None:
    found = scores(reply)
    official, paper, standard = REPLIES[reply]
    assert (found["official"].status, found["official"].numerator) == ("scored", official)
    assert (found["paper"].status, found["paper"].numerator) == ("scored", paper)
    expected = ("unparsed", 0) if standard is None else ("scored", standard)
    assert (found["standard"].status, found["standard"].numerator) == expected
    assert {s.denominator for s in found.values()} == {1}


def test_a_judge_is_asked_for_the_letter_of_what_is_more_than_a_letter() -> None:
    def wanted(reply: str, protocol: str = "official", status: ResponseStatus = "answered", finish: str = "") -> object:
        unit = Unit((ITEM,), (Response("i", "", 0, status, reply, finish_reason=finish),))
        found = judged(unit, "acc", protocol)
        return None if found is None else found.slots

    assert wanted("The answer is B.") == {"reply": "The answer is B."}
    assert wanted("I can't, but B", status="refused") == {"reply": "I can't, but B"}
    assert [wanted(one) for one in ("B", " b \n", "", " \n")] == [None] * 4
    assert [wanted("B.", one) for one in ("paper", "standard")] == [None, None]
    assert wanted("B.", finish=EXTRACTED) is None
    assert wanted("B.", status="failed") is None


def opinion(*said: tuple[VerdictStatus, str], combine: Combine = "mean") -> Score:
    """The official Score of a reply that the parser reads as B, the key, under judges who say something else."""
    given = tuple(
        Verdict(
            f"j{n}",
            "acc",
            "letter@1",
            "straight",
            0,
            status,
            (1.0,) if label in LETTERS else (),
            label,
            f"<{label}>",
            "why",
        )
        for n, (status, label) in enumerate(said)
    )
    unit = Unit((ITEM,), (Response("i", "", 0, "answered", "The answer is B."),), verdicts=Verdicts(given, combine))
    (score,) = PROTOCOLS["official"].score(unit)
    return score


def test_official_takes_the_judges_words_as_they_come() -> None:
    right, wrong = opinion(("given", "B")), opinion(("given", "C"))
    assert (right.status, right.numerator, right.extraction) == ("scored", 1, "B")
    assert (wrong.status, wrong.numerator, wrong.extraction) == ("scored", 0, "C")
    stray = opinion(("unparsed", ""))  # the released runner holds whatever comes back against the key
    assert (stray.status, stray.numerator, stray.extraction) == ("scored", 0, "<>")
    assert opinion(("given", "NONE")).numerator == 0


def test_without_the_judges_words_there_is_no_official_score() -> None:
    failed, waiting = opinion(("failed", "")), opinion(("missing", ""))
    assert (failed.status, failed.numerator, failed.denominator) == ("judge_failed", 0, 1)
    assert (waiting.status, waiting.denominator) == ("unavailable", 0)


def test_of_several_judges_the_share_that_names_the_key_counts() -> None:
    said: tuple[tuple[VerdictStatus, str], ...] = (("given", "B"), ("given", "B"), ("given", "D"))
    assert opinion(*said).numerator == pytest.approx(2 / 3)
    assert opinion(*said).extraction == ("B", "D")
    assert opinion(*said, combine="majority").numerator == 1


def test_a_chat_transcript_speaks_after_its_last_assistant_turn() -> None:
    assert spoken(TRANSCRIPT) == "The correct answer is B. Ask me more!"
    assert spoken("user\nassistant\n") == ""
    assert spoken("The system\nassistant\nB") == "The system\nassistant\nB"


@pytest.mark.parametrize("status", ["refused", "truncated"])
def test_refused_and_cut_text_is_read_as_the_released_runner_reads_it(status: ResponseStatus) -> None:
    found = scores("B", status)
    assert (found["official"].status, found["official"].numerator) == ("scored", 1)
    assert found["standard"].status == status


@pytest.mark.parametrize("status", ["failed", "skipped"])
def test_no_reply_is_no_score_but_stays_in_the_denominator_of_all(status: ResponseStatus) -> None:
    for score in scores("", status).values():
        assert (score.status, score.numerator, score.denominator, score.value) == (status, 0, 1, None)


def test_headlines() -> None:
    """The paper's accuracy is correct / answered; `standard` charges every question."""
    assert {n: p.headline for n, p in PROTOCOLS.items()} == {
        "official": "answered",
        "paper": "answered",
        "standard": "all",
        "lmms-eval": "all",
    }


def test_an_unknown_key_is_unavailable() -> None:
    keyless = Item("i", ITEM.task, ITEM.parts, labels=ITEM.labels, answer="letter")
    for protocol in PROTOCOLS.values():
        (score,) = protocol.score(Unit((keyless,), (Response("i", "", 0, "answered", "B"),)))
        assert score.status == "unavailable"
