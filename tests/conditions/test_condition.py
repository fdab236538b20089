"""Conditions are pure: what they are about changes, everything else stays, and applying twice is applying once."""

from __future__ import annotations

from types import ModuleType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import triptych.conditions.condition
from triptych.conditions.condition import Condition, Offer, condition_fault, find_condition, known_conditions
from triptych.errors import SpecError
from triptych.records import Item, Part, media, text

ROLES = st.sampled_from(["", "question", "content"])
PARTS = st.builds(
    lambda kind, words, role: text(words, role) if kind == "text" else media(kind, f"{words}.bin", role),
    st.sampled_from(["text", "audio", "image", "video"]),
    st.text(max_size=12),
    ROLES,
)
ITEMS = st.builds(
    Item,
    id=st.text(min_size=1, max_size=5),
    task=st.just("b/t"),
    parts=st.lists(PARTS, max_size=5).map(tuple),
    options=st.lists(st.lists(PARTS, min_size=1, max_size=2).map(tuple), max_size=4).map(tuple),
    labels=st.sampled_from([(), ("A", "B", "C", "D")]),
    answer=st.sampled_from(["letter", "option", "options", "text"]),
    target=st.sampled_from([None, "A", ("x", "y")]),
    unit=st.sampled_from(["", "u"]),
    instance=st.sampled_from(["", "i"]),
    facets=st.dictionaries(st.sampled_from(["direction", "category"]), st.text(max_size=3)),
)


NEEDS_TEXTS = {"ocr", "transcript", "description"}  # stop where an Item has none: tested on their own
REORDERS = {"shuffle", "circular"}  # move the key: tested on their own
GIVEN = {
    "without": "without:audio",
    "cut": "cut:seconds=30",
    "snr": "snr:db=10",
    "resample": "resample:hz=8000",
    "mp3": "mp3:kbps=16",
    "opus": "opus:kbps=8",
    "jpeg": "jpeg:quality=20",
    "downscale": "downscale:factor=0.5",
}


PURE = {n: find_condition(GIVEN.get(n, n)) for n in sorted(known_conditions().keys() - NEEDS_TEXTS - REORDERS)}


@given(item=ITEMS)
def test_every_condition_is_pure_and_keeps_what_identifies_an_item(item: Item) -> None:
    before = msgspec.json.encode(item)
    for name, condition in PURE.items():
        changed = condition.apply(item)
        assert msgspec.json.encode(item) == before, name
        assert changed == condition.apply(item), name
        assert condition.apply(changed) == changed, name
        for field in ("id", "task", "labels", "answer", "target", "unit", "instance", "facets"):
            assert getattr(changed, field) == getattr(item, field), name
        assert len(changed.options) == len(item.options), name
        assert all(changed.options[i] for i in range(len(item.options))), name


def question(words: str, *contents: Part) -> str:
    return find_condition("no_context").apply(Item("i", "t", (text(words, "question"), *contents))).parts[0].text


@pytest.mark.parametrize(
    ("asked", "content", "left"),
    [
        ("Based on the name 'JJ Lin', which photo?", "JJ Lin", "Based on the name '[removed]', which photo?"),
        ("Based on the name 'G.E.M.', which photo?", "G.E.M.", "Based on the name '[removed]', which photo?"),
        ("Described: 'police car (siren)', which?", "police car (siren)", "Described: '[removed]', which?"),
        ("Described: '(loud) rain', which?", "(loud) rain", "Described: '[removed]', which?"),
        ("Which matches 'splashing_water'?", "Splashing water", "Which matches '[removed]'?"),
        ("You are given 'Positive - Joy'.", "Positive - Joy", "You are given '[removed]'."),
        ("How does pop differ from popcorn?", "pop", "How does [removed] differ from popcorn?"),
        ("听到狗叫声之后", "狗叫声", "听到[removed]之后"),
        ("Choose A, B, C, or D.", "A", "Choose A, B, C, or D."),
        ("Which one?", "", "Which one?"),
        ("Which one (a.b)?", "a+b*", "Which one ([removed])?"),
    ],
)
def test_no_context_takes_out_what_the_question_repeats(asked: str, content: str, left: str) -> None:
    assert question(asked, text(content, "content")) == left


def test_media_content_changes_no_question() -> None:
    assert question("What is a.wav?", media("audio", "a.wav", "content")) == "What is a.wav?"


def test_an_unknown_condition_is_refused_with_the_nearest_right_name() -> None:
    with pytest.raises(SpecError, match="did you mean 'blind'"):
        find_condition("blnd")
    with pytest.raises(SpecError, match="takes no arguments"):
        find_condition("blind:seed=1")
    with pytest.raises(SpecError, match="can't parse"):
        find_condition("blind:seed")


@pytest.mark.parametrize("wanted", ["snr:db=10,db=20", "snr:10,db=20", "shuffle:seed=1, seed =2"])
def test_an_argument_that_is_given_twice_is_refused(wanted: str) -> None:
    with pytest.raises(SpecError, match="is given twice"):
        find_condition(wanted)


def test_both_conditions_of_the_house_are_found_with_a_line_for_people() -> None:
    assert {"blind", "no_context"} <= set(known_conditions())
    assert all(known.summary and known.origin for known in known_conditions().values())
    assert find_condition("no_context").name == "no_context"


class Named:
    """A Condition with a name."""

    summary = "as it is"

    def __init__(self, name: object) -> None:
        self.name = name

    def apply(self, item: Item) -> Item:
        return item


class Later(Named):
    async def apply(self, item: Item) -> Item:  # type: ignore[override]
        return item


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (Named("shout"), None),
        (Named("shout:marks=1"), None),
        (None, "returns None"),
        (3, "returns int"),
        (Later("shout"), "apply is async"),
        (Named("loud"), "the name 'loud'"),
        (Named(None), "the name None"),
    ],
)
def test_what_make_returns_is_a_condition_of_its_name(made: object, fault: str | None) -> None:
    found = condition_fault("shout", made)
    assert found is None if fault is None else fault in str(found)


def test_a_plug_in_that_makes_nothing_is_named_and_cant_replace_a_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(arguments: object, seed: int) -> Condition:
        raise KeyError("marks")

    def exits(arguments: object, seed: int) -> Condition:
        raise SystemExit(3)

    offers = {name: Offer("as it is", make) for name, make in (("blind", fails), ("fails", fails), ("exits", exits))}
    offers["none"] = Offer("as it is", lambda arguments, seed: None)  # type: ignore[arg-type, return-value]
    module = ModuleType("lab")
    module.CONDITIONS = offers  # type: ignore[attr-defined]
    monkeypatch.setattr(triptych.conditions.condition, "load_plug_ins", lambda *_: iter([(module, "lab-plugin")]))
    assert find_condition("blind").summary and known_conditions()["blind"].origin == "triptych"
    for name, words in (("fails", "KeyError: 'marks'"), ("exits", "SystemExit: 3"), ("none", "returns None")):
        with pytest.raises(SpecError) as error:
            find_condition(name)
        assert words in str(error.value) and "of the package lab-plugin" in str(error.value)
