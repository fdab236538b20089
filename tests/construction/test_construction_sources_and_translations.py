"""Translations against their sources, questions asked again, and texts of XModBench, as strangers planted them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.stages.annotation import reworded
from triptych.construction.stages.talks import own_abstract
from triptych.construction.stages.triplet_media import movement_of_text
from triptych.construction.text_checks.options.marks import own_letters
from triptych.media.sound.stereo import are_unlike

EN = [
    "Every spring, volunteers walk along the shore and write down what they find.",
    "That takes 14 days for a coast of 30 kilometers.",
    "Our drone takes one picture every two seconds.",
    "A network marks bottles, nets and ropes.",
    "The bees of our village sleep in winter.",
    "Thank you for your attention.",
]


def asking(question: str, answer: str, kind: str = "A", begin: float | None = 5.0, **more: list[str]) -> dict[str, Any]:
    end = None if begin is None else begin + 4
    return {"type": kind, "begin": begin, "end": end, "texts": {"en": [question, answer], **more}}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("How long do they need?", "14 days."), ("How much time do they need?", "14 days."), True),
        (
            ("How long do the helpers need?", "14 days."),
            ("How much time do the helpers need?", "They need fourteen days."),
            True,
        ),
        (("Who built the cameras?", "Lena Okafor."), ("By whom were the cameras built?", "Lena Okafor."), True),
        (("How many bottles are found?", "87 percent."), ("How many ropes are found?", "87 percent."), False),
        (("Who wrote the paper?", "Ann Lee."), ("Who presents the paper?", "Ann Lee."), False),
        (("Does it find bottles?", "Yes."), ("Does it find small bottles?", "Yes."), False),
        (
            ("Which GPS receiver does the drone carry?", "", "NA", None),
            ("What GPS receiver is carried by the drone?", "", "NA", None),
            True,
        ),
        (
            ("Who built the camera of the museum?", "", "NA", None),
            ("When was the camera of the museum built?", "", "NA", None),
            False,
        ),
    ],
)
def test_a_question_asked_again_is_found(one: tuple[Any, ...], other: tuple[Any, ...], same: bool) -> None:
    if "helpers" not in one[0] and same and one[0].startswith("How long"):
        one, other = (tuple(str(x).replace("they", "the helpers") for x in each) for each in (one, other))
    assert reworded(asking(*other), asking(*one)) is same


def test_letters_at_the_ends_of_options() -> None:
    assert own_letters(["It rains – (B)", "It snows – (A)", "It hails – (C)"])
    assert own_letters(["下雨【乙】", "下雪【甲】"]) and not own_letters(["vitamin A", "vitamin B"])


def test_a_text_that_says_where_something_goes() -> None:
    assert movement_of_text("A tram drives off towards the left-hand side.") == "right to left"
    assert movement_of_text("A van disappears on the left.") == "right to left"
    assert movement_of_text("A bus moving from the left to the right.") == "left to right"
    assert movement_of_text("A door on the left") == movement_of_text("From left to right: bell, knocks") == ""


def test_an_abstract_that_is_a_biography_is_not_the_talks(tmp_path: Path) -> None:
    talk = (
        " ".join(EN) + " We compare the network with what helpers count, and both agree in most cases on sandy ground."
    )
    talk += " " + " ".join(f"Wet sand number {word} shines under strong morning light." for word in ("alpha", "beta"))
    talk += (
        " The cameras record gulls, plovers, seals, kelp, driftwood, lanterns, buoys, trawlers, dunes and footprints,"
    )
    talk += (
        " because rangers, teachers, fishermen, tourists and pupils asked which objects return after every storm tide,"
    )
    talk += (
        " where currents carry them, how quickly weather breaks them apart, and whether cleaning helps seabirds nest."
    )
    life = "Ingrid Solberg received her doctorate from Bergen, where she is a professor of informatics. Before that she"
    life += (
        " held positions in Kiel and Leeds, chaired two conferences, and won an award for mentoring. She enjoys skiing,"
    )
    life += " chess, baking, opera and restoring wooden furniture together with her grandchildren."
    own = (
        "Volunteers who walk along the shore count bottles, nets and ropes on sandy ground. Our drone records pictures"
    )
    own += " every two seconds, and a network marks objects, which agrees with what helpers count in most cases."
    for abstract, decision in ((life, "dropped"), (own, "kept")):
        fields = {"talk": "t", "transcript": talk, "summaries": {"en": abstract}, "title": "Drones"}
        context = Context(own_abstract.parameters, MediaStore(tmp_path), 0, tmp_path)
        (outcome,) = own_abstract.run([Values(own_abstract, "t", fields)], context)
        assert outcome.decision == decision, outcome.note


def test_an_interpreter_in_the_other_channel() -> None:
    draw, rate = np.random.default_rng(4), 16_000
    spoken = [draw.normal(0, 0.1, 20 * rate) * np.repeat(draw.random(100) > 0.4, rate // 5) for _ in range(2)]
    assert are_unlike(np.stack(spoken, axis=1), rate)
    late = np.roll(spoken[0], 40) * 0.5 + draw.normal(0, 0.001, 20 * rate)
    assert not are_unlike(np.stack([spoken[0], late], axis=1), rate)
    assert not are_unlike(np.stack([spoken[0], draw.normal(0, 0.05, 20 * rate)], axis=1), rate)
