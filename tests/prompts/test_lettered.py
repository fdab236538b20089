"""Options inside a question's text are found, reordered and nothing else of the text is changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.prompts.lettered import find_lettered, has_letters, reorder

ABCD = ("A", "B", "C", "D")


def options(question: str, letters: tuple[str, ...], names: tuple[str, ...] = ()) -> list[str] | None:
    spans = find_lettered(question, letters, names)
    return None if spans is None else [question[begin:end] for begin, end in spans]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        # as the questions of MCS-Bench and MCGA are written
        ("图中的器物属于哪一类？A、青铜器 B、瓷器 C、玉器 D、漆器", ["青铜器", "瓷器", "玉器", "漆器"]),
        (
            "圖中的字體是？\nA．篆書；\nB．隸書；\nC．楷書；\nD．草書。\n請只輸出選項字母",
            ["篆書", "隸書", "楷書", "草書"],
        ),
        ("作者是谁？（A）李白（B）杜甫（C）王维（D）白居易。请直接回答。", ["李白", "杜甫", "王维", "白居易"]),
        (
            "Who speaks? A) a man, B) a woman, C) a child, D) nobody. Answer with the letter.",
            ["a man", "a woman", "a child", "nobody"],
        ),
        (
            "What is heard?\n(A) rain\n(B) wind\n(C) a train at 5.30 p.m.\n(D) nothing",
            ["rain", "wind", "a train at 5.30 p.m.", "nothing"],
        ),
    ],
)
def test_options_of_published_questions_are_found(question: str, expected: list[str]) -> None:
    assert options(question, ABCD) == expected


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("", ABCD),
        ("A. one B. two C. three", ABCD),  # D is missing
        ("B. two A. one", ("A", "B")),  # B comes before A
        ("DNA. or RNAB. which?", ("A", "B")),  # letters that end a word
        ("A. B. two", ("A", "B")),  # A is empty
        ("A. only one", ("A",)),
        ("A one B two", ("A", "B")),  # no punctuation
    ],
)
def test_a_question_without_all_options_in_order_has_none(question: str, letters: tuple[str, ...]) -> None:
    assert find_lettered(question, letters) is None


def test_the_names_of_options_decide_where_they_end() -> None:
    question = "选哪个？A、甲，乙 B、丙。 请说明"
    assert options(question, ("A", "B")) == ["甲，乙", "丙"]
    assert options(question, ("A", "B"), ("甲，", "丙。")) == ["甲，", "丙。"]
    assert options(question, ("A", "B"), ("乙", "丙")) is None, "the question has other options"
    assert options(question, ("A", "B"), ("甲", "")) is None
    assert options(question, ("A", "B"), ("甲，乙 B", "丙")) is None, "an option does not reach into the next one"


def test_reordering_moves_the_texts_of_options_and_leaves_letters_and_separators() -> None:
    question = "是谁？A、李白； B、杜甫；\nC、白居易。\n只输出字母"
    spans = find_lettered(question, ("A", "B", "C"))
    assert spans is not None
    assert reorder(question, spans, (2, 0, 1)) == "是谁？A、白居易； B、李白；\nC、杜甫。\n只输出字母"
    assert reorder(question, spans, (0, 1, 2)) == question


WORDS = st.text("甲乙丙丁xyz \u0301😀", min_size=1, max_size=8).map(str.strip).filter(bool)


@given(st.lists(WORDS, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_any_order_is_undone_by_its_inverse(names: list[str], random: object) -> None:
    letters = ABCD[: len(names)]
    question = "？\n" + "\n".join(f"{letter}. {name}" for letter, name in zip(letters, names, strict=True)) + "\n答："
    order = list(range(len(names)))
    random.shuffle(order)  # type: ignore[attr-defined]
    spans = find_lettered(question, letters)
    assert spans is not None and options(question, letters) == names
    shuffled = reorder(question, spans, order)
    assert options(shuffled, letters) == [names[number] for number in order]
    back = find_lettered(shuffled, letters)
    assert back is not None and reorder(shuffled, back, [order.index(n) for n in range(len(order))]) == question


def test_two_marked_letters_are_enough_to_have_letters() -> None:
    assert has_letters("是哪个？A. 一 B. 二", ABCD)
    assert not any(has_letters(question, ABCD) for question in ("是哪个？A. 一 C. 三", "B. 二 A. 一", "A. 一", ""))
    assert not has_letters("A. 一", ("A",))


def test_names_that_are_not_one_for_each_letter_are_not_found() -> None:
    assert find_lettered("A. Rome B. Rhine", "AB", ["Rome"]) is None
    assert find_lettered("A. Rome B. Rhine", "AB", ["Rome", "Rhine", "Oslo"]) is None
    assert find_lettered("A. Rhine B. Rome", "AB", ["Rome", "Rhine"]) is None
