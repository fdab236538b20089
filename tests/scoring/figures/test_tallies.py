"""Units are counted by status while they are scored, and the notes say who replied and what was cut."""

from __future__ import annotations

from msgspec import structs

from tests.scoring.toy import item, make_spec, response
from triptych.protocols.protocol import Unit
from triptych.records import Column, Encoded, Item, Layout, Part, Response, Sent, Usage
from triptych.scoring.figures.tallies import Tallies


def tallied(*units: Unit, layouts: tuple[Layout, ...] = ()) -> Tallies:
    tallies = Tallies(structs.replace(make_spec(), layouts=layouts))
    for unit in units:
        tallies.add([unit])
    return tallies


def unit(*responses: Response | None, repeat: int = 0, parts: tuple[Part, ...] = ()) -> Unit:
    return Unit(tuple(Item(f"q{n}", "toy/a", parts) for n, _ in enumerate(responses)), responses, repeat)


def test_nothing_was_counted_of_nothing() -> None:
    tallies = tallied()
    assert tallies.counts == {} and list(tallies.notes("openai/m")) == [] and tallies.media.hash == ""
    assert tallies.sent.words == {}


def test_a_unit_of_several_items_has_the_first_status_that_is_not_answered() -> None:
    answered, refused, cut = response("q"), response("q", "", "refused"), response("q", "…", "truncated")
    tallies = tallied(
        unit(answered),
        unit(answered, answered),
        unit(answered, refused, cut),
        unit(answered, cut, refused),
        unit(answered, None),
        unit(refused, None),
        unit(None),
    )
    assert tallies.counts == {"answered": 2, "refused": 2, "truncated": 1, "missing": 2}
    assert sum(tallies.counts.values()) == 7, "each Unit once"


def test_statuses_are_in_one_order_whatever_came_first() -> None:
    units = [unit(response("q", "", status)) for status in ("failed", "skipped", "answered", "refused")]
    assert (
        list(tallied(*units).counts)
        == list(tallied(*units[::-1]).counts)
        == [
            "answered",
            "refused",
            "failed",
            "skipped",
        ]
    )


def test_an_endpoint_that_answers_with_other_models_is_noted_with_numbers() -> None:
    def served(name: str | None) -> Unit:
        return unit(structs.replace(response("q"), served_model=name))

    assert list(tallied(served("gpt-4o-2024-08-06"), served(None)).notes("openai/gpt-4o")) == []
    several, another = tallied(served("gpt-4o"), served("gpt-4o"), served("qwen3-omni")).notes("openai/gpt-4o")
    assert several == "answered by 2 models, so the figures are of none of them: gpt-4o (2 replies), qwen3-omni (1)"
    assert "asked for gpt-4o" in another and "qwen3-omni (1 reply)" in another


def test_what_was_cut_and_in_which_form_media_were_sent_is_noted() -> None:
    cut = structs.replace(response("q"), encoded=(Encoded("audio", "talk.wav", 330.0, 30.0),))
    frames = structs.replace(response("q"), sent=(Sent("video", "v.mp4", "frames", times=(0.0, 1.0, 2.0)),))
    notes = list(tallied(unit(cut), unit(frames), unit(None)).notes("hf/m"))
    assert notes == [
        "truncated input: the model's processor dropped the end of 1 recording in 1 reply; "
        "at most 30 of 330 s were encoded (talk.wav)",
        "media as they were sent: video: 3 frames",
    ]


def test_repeats_are_the_same_media() -> None:
    picture = Part("image", path="a.png", sha256="0" * 64)
    once, repeated = tallied(unit(None, parts=(picture,))), tallied(*[unit(None, repeat=n) for n in range(3)])
    assert once.media.hash and repeated.media.hash == ""
    both = tallied(unit(None, parts=(picture,)), unit(response("q"), repeat=1, parts=(picture,)))
    assert both.media.hash == once.media.hash


def test_the_cost_of_all_replies_is_added_up() -> None:
    paid = structs.replace(response("q"), usage=Usage(1_500_000, 500_000), seconds=1800.0, cost_usd=0.25)
    layout = Layout("cost", "Cost", tuple(Column("", "toy", name) for name in ("million_tokens", "hours", "usd")))
    tallies = tallied(Unit((item("1"),), (paid,)), Unit((item("2"),), (paid,)), layouts=(layout,))
    found = tallies.costs.costs().aggregates("standard")
    assert {one.metric: one.value for one in found} == {"million_tokens": 4, "hours": 1, "usd": 0.5}
