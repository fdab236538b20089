"""Options in another order: the key moves with its option, every place is taken once, and nothing else changes."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.api import load_benchmark
from triptych.conditions.applying import apply_all
from triptych.conditions.condition import NotApplicable, find_condition
from triptych.conditions.option_order import reordered
from triptych.records import Item, text

WORDS = st.text("abc xyz学而时习之12", min_size=1, max_size=8).map(str.strip).filter(bool)
MARKS = st.sampled_from(["、", ".", "．", "：", ") "])
JOINS = st.sampled_from([" ", "\n", "　", "; "])


def inline(options: list[str], mark: str, join: str, key: int) -> Item:
    """A question with its options in its text, as a reader gives it: the options apart too."""
    letters = "ABCDEF"[: len(options)]
    asked = "Which is it?\n" + join.join(f"{a}{mark}{b}" for a, b in zip(letters, options, strict=True))
    return Item(
        "i",
        "t",
        (text(f"{asked}\n要求：只输出字母。", "question"),),
        tuple((text(o),) for o in options),
        tuple(letters),
        "letter",
        letters[key],
    )


ITEMS = st.lists(WORDS, min_size=2, max_size=6, unique=True).flatmap(
    lambda options: st.builds(inline, st.just(options), MARKS, JOINS, st.integers(0, len(options) - 1))
)


def key_words(item: Item) -> str:
    return item.option_texts()[item.labels.index(str(item.target))]


@given(item=ITEMS, data=st.data())
def test_an_order_and_its_inverse_give_the_item_back(item: Item, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(item.options))))
    there = reordered(item, order)
    assert there.option_texts() == tuple(item.option_texts()[n] for n in order)
    assert key_words(there) == key_words(item)
    for label, words in zip(there.labels, there.option_texts(), strict=True):  # the text says what the options say
        assert any(f"{label}{mark}{words}" in there.parts[0].text for mark in ("、", ".", "．", "：", ") "))
    back = [order.index(n) for n in range(len(order))]
    assert reordered(there, back) == item


@given(item=ITEMS)
def test_rotations_bring_every_option_to_every_place_once(item: Item) -> None:
    variants = find_condition("circular").variants(item)  # type: ignore[attr-defined]
    count = len(item.options)
    assert len(variants) == count
    for place in range(count):
        assert sorted(v.option_texts()[place] for v in variants) == sorted(item.option_texts())
    assert {v.target for v in variants} == set(item.labels)
    assert {key_words(v) for v in variants} == {key_words(item)}
    assert len({v.id for v in variants}) == len({v.unit_id for v in variants}) == count
    assert {v.instance_id for v in variants} == {item.instance_id}
    assert [v.facets["rotation"] for v in variants] == [str(n) for n in range(count)]
    assert variants[0].parts == item.parts and variants[0].id == item.id


def test_options_given_apart_and_keys_in_words() -> None:
    item = Item("i", "t", (text("?"),), tuple((text(w),) for w in "wxyz"), (), "options", ("x", "z"))
    turned = find_condition("circular").variants(item)[1]  # type: ignore[attr-defined]
    assert turned.option_texts() == ("x", "y", "z", "w") and turned.target == ("x", "z")


def test_the_draw_follows_from_seed_and_instance_alone() -> None:
    items = [
        Item(
            f"i{n}",
            "t",
            (text("?"),),
            tuple((text(w),) for w in "abcd"),
            tuple("ABCD"),
            "letter",
            "A",
            instance=f"x{n // 2}",
        )
        for n in range(200)
    ]
    first, same, other = (
        find_condition("shuffle:seed=1"),
        find_condition("shuffle", seed=1),
        find_condition("shuffle:2"),
    )
    one = [first.apply(item) for item in items]
    assert one == [same.apply(item) for item in items]
    assert one != [other.apply(item) for item in items]
    assert all(a.target == b.target for a, b in zip(one[::2], one[1::2], strict=True))
    places = [sum(item.target == letter for item in one) for letter in "ABCD"]
    assert sum(places) == 200 and min(places) > 25  # 50 expected in each place; 25 is over 4 deviations away


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (Item("i", "t", (text("A? B?"),), (), tuple("ABCD"), "letter", "A"), "no lettered options"),
        (Item("i", "t", (text("?"),), ((text("x"),), (text("y"),)), ("A", "B"), "letter", "C"), "inconsistent"),
        (Item("i", "t", (text("A、x B、z"),), ((text("x"),), (text("y"),)), ("A", "B"), "letter", "A"), "differ from"),
        (inline(["x", "y", "以上都是"], "、", " ", 0), "by position"),
        (inline(["x", "y", "both A and B"], ". ", "\n", 0), "by position"),
        (inline(["x", "y", "None of the above"], ". ", "\n", 0), "by position"),
    ],
)
def test_what_cant_be_reordered_says_why(item: Item, said: str) -> None:
    for name in ("shuffle", "circular"):
        with pytest.raises(NotApplicable, match=said):
            apply_all(item, [find_condition(name)])


def test_an_open_question_has_no_order() -> None:
    item = Item("i", "t", (text("A、 why? B、 how?"),), target="so")
    assert apply_all(item, [find_condition("circular")]) == (item,)


@pytest.mark.parametrize("name", ["mcs_bench", "cmdar", "xmodbench"])
def test_the_mini_sets_can_all_be_turned(name: str) -> None:
    bench = load_benchmark(name)
    circular = find_condition("circular")
    for item in bench.items(bench.mini):
        variants = apply_all(item, [circular])
        assert len(variants) == max(1, len(item.options) if item.answer != "text" else 1)
        for variant in variants:
            if item.answer == "letter":
                assert key_words(variant) == key_words(item)


def test_another_form_of_the_question_is_turned_with_it() -> None:
    item = msgspec.structs.replace(
        inline(["狗", "猫"], "、", " ", 0), hidden={"question.traditional": "是什麼？\nA、狗兒 B、貓。\n要求：字母"}
    )
    turned = find_condition("circular").variants(item)[1]  # type: ignore[attr-defined]
    assert turned.target == "B"
    assert find_condition("traditional").apply(turned).parts[0].text == "是什麼？\nA、貓 B、狗兒。\n要求：字母"


def test_a_letter_moves_with_its_option_where_options_are_named_by_letters() -> None:
    """`target_positions` reads a target that is a label as the label, and so must the order."""
    options = tuple((text(word),) for word in ("B", "A", "C"))
    item = Item("x/1", "x/main", (text("Which?"),), options, ("A", "B", "C"), "option", "B")
    (changed,) = apply_all(item, [find_condition("shuffle", seed=1)])
    assert changed.options != options
    assert [changed.options[n] for n in changed.target_positions] == [(text("A"),)]
