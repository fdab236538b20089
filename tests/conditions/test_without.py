"""Tests of `conditions/without.py`: one modality is removed."""

from __future__ import annotations

import pytest

from triptych.conditions.without import CONDITIONS, Without
from triptych.records import Item, Part, media, text

ITEM = Item(
    "i",
    "t",
    (text("Which sound?", "question"), media("audio", "a.wav"), media("image", "a.png"), media("video", "a.mp4")),
    options=((media("audio", "b.wav"),), (media("video", "c.mp4"), text("a dog"))),
    labels=("A", "B"),
)


def kinds(parts: tuple[Part, ...]) -> list[str]:
    return [part.text if part.kind == "text" else f"{part.kind}:{part.transform}".rstrip(":") for part in parts]


@pytest.mark.parametrize(
    ("what", "stem", "options"),
    [
        ("audio", ["image", "video:mute"], [["[audio removed]"], ["video:mute", "a dog"]]),
        ("image", ["audio", "video"], [["audio"], ["video", "a dog"]]),
        ("video", ["audio", "image"], [["audio"], ["[video removed]", "a dog"]]),
        ("vision", ["audio"], [["audio"], ["[video removed]", "a dog"]]),
    ],
)
def test_stem_and_options_by_hand(what: str, stem: list[str], options: list[list[str]]) -> None:
    changed = Without(what).apply(ITEM)
    assert kinds(changed.parts) == ["Which sound?", *stem]
    assert [kinds(option) for option in changed.options] == options
    assert (changed.id, changed.labels) == (ITEM.id, ITEM.labels)


def test_twice_is_as_once_and_earlier_changes_of_a_film_stay() -> None:
    once = Without("audio").apply(ITEM)
    assert Without("audio").apply(once) == once
    cut = Item("i", "t", (Part("video", path="a.mp4", transform="crop"),))
    assert Without("audio").apply(cut).parts[0].transform == "crop|mute"


def test_the_name_states_the_modality_and_others_are_not_offered() -> None:
    (argument,) = CONDITIONS["without"].arguments
    assert Without("audio").name == "without:audio"
    assert set(argument.choices) == {"audio", "image", "video", "vision"}
