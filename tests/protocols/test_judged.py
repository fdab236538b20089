"""What a judge is shown of a Unit, and that protocols which need the same share one Case."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from triptych.errors import SpecError
from triptych.judges.rubric import load_rubric
from triptych.protocols.judged import Wanted, cases_of, media_of, usual_case, usual_slots
from triptych.protocols.protocol import Unit
from triptych.records import Item, Part, Response, ResponseStatus

AUDIO = Part("audio", path="talk.wav", role="content")
ITEM = Item(
    "q",
    "b/open",
    (AUDIO, Part("text", text="床前明月光", role="content"), Part("text", text="写的是什么？", role="question")),
    answer="text",
    target="月光",
)
PAIR = {"judge_score": "pair"}


def unit(reply: str = "是月光", status: ResponseStatus = "answered", item: Item = ITEM) -> Unit:
    return Unit((item,), (Response("q", "", 0, status, reply),))


def test_the_slots_have_question_source_options_reference_and_reply() -> None:
    assert usual_slots(unit()) == {
        "question": "写的是什么？",
        "source": "床前明月光",
        "options": "",
        "reference": "月光",
        "reply": "是月光",
    }


def test_a_unit_of_several_items_shows_all_replies_and_an_option_its_text() -> None:
    options = ((Part("text", text="风"),), (AUDIO, Part("text", text="雨")))
    item = structs.replace(ITEM, options=options, labels=("A", "B"), target=["A", "B"])
    both = Unit((item, item), (Response("q", "", 0, "answered", "一"), None, Response("q", "", 0, "answered", "二")))
    slots = usual_slots(both)
    assert slots["reply"] == "一\n二" and slots["reference"] == "A\nB"
    assert slots["options"] == "风\ntalk.wav 雨"


@pytest.mark.parametrize(
    ("judged", "status"),
    [(True, "answered"), (True, "truncated"), (True, "refused"), (False, "failed"), (False, "skipped")],
)
def test_whatever_has_a_text_is_judged(judged: bool, status: ResponseStatus) -> None:
    assert (usual_case(unit(status=status), "judge_score", "official") is not None) == judged


def test_nothing_is_judged_without_a_reply_or_a_reference() -> None:
    assert usual_case(Unit((ITEM,), (None,)), "m", "p") is None
    assert usual_case(unit(item=structs.replace(ITEM, target=None)), "m", "p") is None
    assert cases_of(Unit((ITEM,), (None,)), PAIR, ["official"], usual_case) == []
    assert cases_of(unit(), {}, ["official"], usual_case) == [] and cases_of(unit(), PAIR, [], usual_case) == []


def test_protocols_that_show_the_same_share_a_case_with_the_orders_of_both() -> None:
    def hook(one: Unit, metric: str, protocol: str) -> Wanted | None:
        if protocol == "strict":
            return Wanted({**usual_slots(one), "reply": "月光"})
        return Wanted(usual_slots(one), ("straight", "swapped") if protocol == "paper" else ("straight",))

    shared, strict = cases_of(unit(), PAIR, ["official", "paper", "strict"], hook)
    assert (shared.subject, shared.metric, shared.orders) == ("q", "judge_score", ("straight", "swapped"))
    assert (strict.slots["reply"], strict.orders) == ("月光", ("straight",))
    assert shared.rubric == load_rubric("pair")
    (other,) = cases_of(unit(), PAIR, ["paper", "official"], hook)
    assert other.orders == ("straight", "swapped"), "whichever protocol comes first"


@pytest.mark.parametrize(
    ("descriptions", "shown"),
    [
        ({"q": "of the Item", "talk.wav": "of the path"}, "of the Item"),
        ({"talk.wav": "a man reads"}, "a man reads"),
        ({"other.wav": "x"}, None),
        ({}, None),
    ],
)
def test_descriptions_are_found_by_item_and_then_by_path(descriptions: dict[str, str], shown: str | None) -> None:
    (case,) = cases_of(unit(), PAIR, ["official"], usual_case, descriptions)
    assert case.slots.get("description") == shown


def test_several_media_have_their_descriptions_in_order() -> None:
    item = structs.replace(ITEM, parts=(AUDIO, Part("image", path="b.png"), *ITEM.parts[1:]))
    described = {"b.png": "a moon", "talk.wav": "a man reads"}
    (case,) = cases_of(unit(item=item), PAIR, ["official"], usual_case, described)
    assert case.slots["description"] == "a man reads\n\na moon"


def test_media_are_for_judges_that_take_them_where_the_rubric_has_a_place() -> None:
    def media(**more: Any) -> tuple[Part, ...]:
        (case,) = cases_of(unit(), PAIR, ["official"], usual_case, **more)
        return case.media

    blind = structs.replace(load_rubric("pair"), prompt="{question}\n{first}\n{second}")
    assert media() == () and media(media=True) == (AUDIO,)
    assert media(media=True, rubrics={"judge_score": structs.replace(blind, id="blind")}) == ()


def test_another_rubric_takes_the_place_of_the_tasks_own_only_if_it_fits() -> None:
    pair = load_rubric("pair")
    mine = structs.replace(pair, id="mine")
    (case,) = cases_of(unit(), PAIR, ["official"], usual_case, rubrics={"judge_score": mine, "another": pair})
    assert case.rubric == mine
    with pytest.raises(SpecError, match="placeholder that nothing fills") as refused:
        asking = structs.replace(pair, id="mine", prompt=pair.prompt + " {emotion}")
        cases_of(unit(), PAIR, ["official"], usual_case, rubrics={"judge_score": asking})
    assert refused.value.got == "{emotion}"
    with pytest.raises(SpecError, match="different scale"):
        cases_of(unit(), PAIR, ["official"], usual_case, rubrics={"judge_score": structs.replace(pair, scale=(0, 5))})


def test_media_of_options_come_after_the_letter_of_their_option() -> None:
    wav = [Part("audio", path=f"{n}.wav") for n in range(3)]
    item = Item("q", "b/t", (AUDIO, Part("text", text="?")), ((wav[0],), (Part("text", text="雨"),), (wav[2],)))
    shown = media_of(structs.replace(item, labels=("A", "B", "C")))
    assert [part.path or part.text for part in shown] == ["talk.wav", "A.", "0.wav", "C.", "2.wav"]
    assert [part.path or part.text for part in media_of(item)] == ["talk.wav", "1.", "0.wav", "3.", "2.wav"]
    assert media_of(Item("q", "b/t", (Part("text", text="?"),), ((Part("text", text="雨"),),))) == ()
