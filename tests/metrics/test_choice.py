"""Letters, option texts and sets of options, read out of replies. The expectations are by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.choice import read_letter, read_option, read_options

CHOSEN_B = [
    "B",
    "b",
    " B\n",
    "(B)",
    "[B]",
    "B.",
    "B)",
    "B:",
    "**B**",
    "**B.**",
    "`B`",
    '"B"',
    "'B'",
    "“B”",
    "$B$",
    "B",
    "（B）",
    "Ⓑ",
    "Option B",
    "option B.",
    "选项B",
    "B选项",
    "选B",
    "选 B。",
    "我选择B",
    "选择B，因为有狗叫",
    "B. a dog",
    "(B) a dog",
    "B) a dog",
    "B: a dog",
    "**B**: a dog",
    "**B.** A dog barks.",
    "B - a dog",
    "B、狗叫声",
    "B\na dog",
    "Option B: the dog",
    "B, because A dog barks",
    "B because the dog barks",
    "B\n\nExplanation:\nA. cat: no\nB. dog: yes\nC. cow: no\nD. hen: no",
    "B—a dog",
    "B;",
    "The answer is image B.",
    "The correct audio clip is B.",
    "I'd say it belongs to it. The best picture is picture B",
    "That would be option B.",
    "Option B best matches the sound.",
    "A cat meows, no dog. So, B.",
    "Therefore B",
    "Definitely B.",
    "My best guess is B.",
    "Most likely B",
    "我觉得是B。",
    "最符合的是B",
    "选项B最符合",
    "Answer: B",
    "answer: b",
    "**Answer:** B",
    "Answer: (B)",
    "Answer:\nB",
    "Answer = B",
    "The answer is B",
    "The answer is: B.",
    "The answer is (B).",
    "The correct answer is B because the dog barks.",
    "The correct answer is **B**. A dog barks.",
    "The answer is option B",
    "the correct option is B, since it rains",
    "The best choice would be B.",
    "The answer to this question is B.",
    "So I choose B.",
    "I would go with B.",
    "I'll pick option B.",
    "B is correct.",
    "Option B is the correct answer.",
    "B is the best answer",
    "答案是B",
    "答案：B",
    "答案为B。",
    "正确答案是 B",
    "正确答案：**B**",
    "答案是选项B",
    "正确选项是B",
    "答案选B",
    "应该选B",
    "因此，答案应为B。",
    "故选B",
    "B是正确的",
    "B选项是正确的",
    "B项才是正确答案",
    '{"answer": "B"}',
    '{"answer":"B","reasoning":"A dog barks in A major"}',
    '```json\n{"answer": "B"}\n```',
    '{"answer": "B. a dog"}',
    "\\boxed{B}",
    "$\\boxed{\\text{B}}$",
    "So it is \\boxed{B}.",
    "<answer>B</answer>",
    "<think>A or C? The answer is A.</think>B",
    "A dog barks twice.\nB",
    "A. cat\nB. dog\nC. cow\nD. hen\nAnswer: B",
    "Option A is wrong. The answer is B.",
    "B<|im_end|>",
    "The answer isn't A. The answer is B.",
    "不选A，选B",
    "Hmm, I'd say it's B. What do you think?",
    "I'd say B. It seems sadder than the others.",
    "I'd say the best match is B. What do you think?",
    "The audio clip that best matches the layout shown in the image is B.",
    "It is most likely B.",
    "I think the best one is B. It has a comforting tone.",
    'Hmm, I\'d say the best match for "yodelling" is B. What do you think?',
    "I'd say the audio clip most likely produced by the natural scenes is B.",
    "So the clip that matches this arrangement would be B.",
    "B。如果还有类似的问题，欢迎随时告诉我。",
    "It's B",
    "Answer: B\nExplanation: the dog barks",
    "**Answer: B**\n\n**Explanation:** A dog barks.",
    "The answer is B\nThe cat is in C.",
    "Final answer: B\nConfidence: high",
    "B\nB",
    "The answer is C. No, the answer is B.",
    "C. But the answer is B.",
    "[[B]]",
    "【B】",
    "B!",
    "B</s>",
    "\u200bB",
]
UNPARSED = [
    "",
    " ",
    "ABCD",
    "A B C D",
    "A, B, C, D",
    "A or B",
    "A and B",
    "AB",
    "(A) or (B)",
    "A/B",
    "E",
    "None",
    "I don't know",
    "?",
    "42",
    "A dog is barking",
    "A man and a woman talk",
    "The answer is A dog",
    "The answer is a",
    "The answer is a dog.",
    "I think a dog barks",
    "A. cat\nB. dog\nC. cow\nD. hen",
    "A. cat B. dog",
    "The answer is A or B.",
    "The answer is A, B and C",
    "The answer is either B or C.",
    "The answer is B. No, it isn't.",
    "The answer is B. The answer is C.",
    "It is a C major chord",
    "The answer is C major",
    "Vitamin B is found in it",
    "The answer is not B.",
    "I don't think the answer is B",
    "I would not choose B",
    "不选B",
    "不是B",
    "答案是A或B",
    "答案是A、B",
    "选A和B",
    "Give the letter of the correct answer (A, B, C, or D).",
    '{"answer": ["A", "B"]}',
    '{"answer": null}',
    "<think>The answer is B",
    "Banana",
    "Absolutely",
    "Because",
    "Dogs",
    "Because the dog barks",
    "CD",
    "D-Day",
    "I'd say it's C major",
    "It is A dog",
    "It's a",
    "I'd say A cat",
    "None of the above",
    "I can't say. It isn't B.",
    "I wouldn't say it's B.",
    "I'd say it's B or C",
    "So B is wrong.",
    "Definitely not B.",
    "It is unlikely B",
    "我不认为是B",
    "应该不是B",
    "B最不符合",
    "Therefore A dog",
    "So A or B",
    "A\nB",
    "B.\nC.\nD.",
    "Options:\nA\nB\nC\nD",
    "Answer: A\nAnswer: B",
    "Answer: A\nC",
    "<answer>A</answer>\n<answer>B</answer>",
]


@pytest.mark.parametrize("reply", CHOSEN_B)
def test_a_letter_that_is_chosen_is_read(reply: str) -> None:
    assert read_letter(reply) == "B"


@pytest.mark.parametrize("reply", UNPARSED)
def test_nothing_is_guessed(reply: str) -> None:
    assert read_letter(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "A",
        "a",
        "A.",
        "(a)",
        "The answer is A",
        "The answer is A.",
        "A is correct",
        "Answer: a",
        "选A",
        "A, a dog",
        "The answer is A because a dog barks",
        "A. A dog",
    ],
)
def test_a_as_a_letter_is_told_from_the_article(reply: str) -> None:
    assert read_letter(reply) == "A"


def test_only_the_labels_asked_for_are_letters() -> None:
    assert read_letter("E", ("A", "B", "C", "D", "E")) == "E"
    assert read_letter("The answer is E") is None


@given(st.text())
def test_any_text_gives_a_label_or_none(reply: str) -> None:
    assert read_letter(reply) in (None, "A", "B", "C", "D")


@given(st.sampled_from("ABCD"), st.sampled_from(["{}", "({})", "Answer: {}", "答案是{}", "{}.", "The answer is {}."]))
def test_every_label_is_read_alike(label: str, form: str) -> None:
    assert read_letter(form.format(label)) == label


OPTIONS = ["图书管理员与一位正在抱怨的读者", "一起处理新到货物的同事", "狗", "狗叫声", "a cat", "a cat, and a dog"]


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("一起处理新到货物的同事", 1),
        ("“一起处理新到货物的同事”。", 1),
        ("一起处理 新到货物的同事", 1),
        ("因此，两位对话者的关系最可能是“图书管理员与一位正在抱怨的读者”。", 0),
        ("狗叫声", 3),
        ("狗", 2),
        ("A CAT.", 4),
        ("It is a cat and a dog", 5),
        ("concatenate a catalogue", None),
        ("不是一起处理新到货物的同事", None),
        ("It is not a cat.", None),
        ("一起处理新到货物的同事；狗叫声", None),
        ("一起处理货物", None),
        ("", None),
        ("狗叫声。狗叫声", 3),
        ("不可能是狗", None),
        ("没有狗", None),
        ("狗是错误的", None),
        ("狗叫声不正确", None),
        ("a cat is wrong", None),
        ("狗，不是答案", None),
    ],
)
def test_an_option_is_read_where_its_text_stands_alone(reply: str, index: int | None) -> None:
    assert read_option(reply, OPTIONS) == index


def test_what_options_say_themselves_denies_no_other() -> None:
    assert read_options("满是错误\n小孩很沮丧", ["满是错误", "小孩很沮丧"]) == (0, 1)
    assert read_options("小孩很沮丧\n错误很多", ["错误很多", "小孩很沮丧"]) == (0, 1)


def test_doubled_options_cannot_be_told_apart() -> None:
    assert read_option("rain", ["rain", "Rain.", "snow"]) is None
    assert read_option("snow", ["rain", "Rain.", "snow"]) == 2


def test_several_options_are_read_in_the_order_of_the_options() -> None:
    assert read_options("狗叫声；\n1. 一起处理新到货物的同事", OPTIONS) == (1, 3)
    assert read_options("狗叫声 狗", OPTIONS) == (2, 3)
    assert read_options("nothing of the kind", OPTIONS) is None
    assert read_options("狗叫声；a cat；不是狗叫声", OPTIONS) is None
    assert read_options("狗叫声（正确）；一起处理新到货物的同事（错误）", OPTIONS) == (3,)
    assert read_options("1. 狗叫声 ✓\n2. a cat ✗", OPTIONS) == (3,)
    assert read_options("狗叫声：对\na cat：错", OPTIONS) == (3,)
    assert read_options("正确的是狗叫声，错误的是a cat", OPTIONS) == (3,)
    assert read_options("狗叫声是正确的。a cat", OPTIONS) == (3, 4)


@given(
    st.lists(st.text(alphabet="甲乙丙丁戊己", min_size=2, max_size=5), min_size=2, max_size=5, unique=True), st.data()
)
def test_options_answered_line_by_line_are_read_back(options: list[str], data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(options) - 1), min_size=1))
    assert read_options("；".join(options[i] for i in chosen), options) == tuple(sorted(chosen))


@pytest.mark.parametrize(
    "options",
    [
        ["a dog", "dog", "the dog, not the cat"],
        ["½", "12", "3-5"],
        ["A-B", "B", "A, C"],
        ["Straße", "Straßen", "die Straße 2"],
        ["rain or wind", "rain", "wind"],
        ["不正确", "正确", "没有下雨", "下雨"],
        ["None of the above", "no, yes", "yes, no"],
        ["如果下雨，则带伞", "下雨", "带伞"],
    ],
)
def test_a_reply_that_is_an_option_to_the_letter_chooses_it(options: list[str]) -> None:
    for index, option in enumerate(options):
        assert read_option(option, options) == index
        assert read_option(f" {option}\n", options) == index


def test_a_refusal_that_is_an_option_is_read_like_other_refusals() -> None:
    refusal = "I'm sorry, I can't listen to the audio"
    assert read_option(refusal, ["a cat", "a dog"]) is None
    for options in (["a cat", refusal], ["a cat", "抱歉，我无法听取音频"]):
        assert read_option(options[1], options) == read_option(f"{options[1]}.", options)
