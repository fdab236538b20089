"""Questions as people read them: without instructions for models, and with their options once."""

from __future__ import annotations

import pytest

from tests.portal.conftest import visitor
from tests.portal.surveys import participant, pushed
from triptych.portal.project import Portal
from triptych.portal.survey.wording import for_people, without_instructions

LETTERS = ["a bell", "a car", "rain", "a dog"]

# Ends of questions as papers and evaluation kits print them.
COMMANDS = [
    "Answer with A, B, C, or D",
    "Give the letter of the correct answer (A, B, C, or D).",
    "Answer with the option's letter from the given choices directly.",
    "Please select the correct answer and respond with only the letter (A, B, C, or D).",
    "Your answer should be a single letter: respond with A, B, C or D only.",
    "Please provide your answer by stating the letter followed by the full option.",
    "Do not include any explanation.",
    "Only output the letter.",
    "只写一个选项的字母。",
    "请直接给出正确选项的内容。",
    "要求：请只输出所选择的选项字母，不要有其他无关内容。",
    "要求：只输出选项对应的字母，不要输出其他无关内容。",
]

# Sentences of questions and stories, of which nothing may be lost.
SAID = [
    "Which letter is on the door?",
    "She gives him the letter, and he leaves?",
    "The man only says that he is late.",
    "His answer was short. He writes home every week.",
    "Listen to the recording and decide who is older.",
    "He does not explain why he came.",
    "根据这段朗诵，并结合你的知识推断，回答问题。",
    "他为什么不要其他人的帮助？",
    "综合两段音频，以下哪些说法是正确的？",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_instructions_for_models_are_not_shown(command: str) -> None:
    assert for_people([f"Which sound is it? {command}"], LETTERS) == ["Which sound is it?"]
    assert for_people(["Which sound is it?", command], LETTERS) == ["Which sound is it?", ""]


@pytest.mark.parametrize("text", SAID)
def test_nothing_else_is_lost(text: str) -> None:
    assert for_people([text, "Answer with A, B, C, or D."], LETTERS)[0] == text


def test_a_sentence_of_the_content_stays() -> None:
    story = "Give the letter to the queen. Do not explain."
    assert for_people([f"Text: {story} Who has it? Answer with A or B."], LETTERS, story)[0].startswith(
        f"Text: {story}"
    )


def test_a_question_that_would_be_empty_stays_as_it_is() -> None:
    assert for_people(["Select the letter that fits."], LETTERS) == ["Select the letter that fits."]


@pytest.mark.parametrize(
    "listed",
    [
        "Options:\nA. a bell\nB. a car\nC. rain\nD. a dog",
        "(A) a bell (B) a car (C) rain (D) a dog",
        "A、a bell B、a car C、rain D、a dog。",
        "选项如下:a bell\na car\nrain\na dog",
        "1) a bell\n2) a car\n3) rain\n4) a dog",
    ],
)
def test_options_stand_once(listed: str) -> None:
    assert for_people([f"Which sound is it?\n{listed}"], LETTERS) == ["Which sound is it?"]


def test_options_of_which_one_is_missing_stay() -> None:
    text = "Which is it? A. a bell B. a car C. rain"
    assert for_people([text], LETTERS) == [text]


def test_a_system_prompt_of_instructions_alone_is_not_shown() -> None:
    mcif = "Only return the answer requested. Do not include any explanation or introductions."
    assert without_instructions(mcif) == ""
    assert without_instructions("You are a helpful assistant. The talk is about birds.") == "The talk is about birds."


@pytest.mark.parametrize("bench", ["cmdar/main", "xmodbench/perception/general", "mcga/su", "mcs_bench/T5"])
def test_each_option_is_once_on_the_page_of_a_survey(small: Portal, bench: str) -> None:
    made = pushed(small, bench, per_cell=1, people=1, checks=0)
    who = participant(small)
    who.client.post("/survey/survey", data={"token": who.token})
    page = who.client.get("/survey/survey").text.partition('class="paper asked"')[2].partition("</form>")[0]
    texts = [text for task in made.tasks if task.question.item for text in task.question.item.option_texts() if text]
    shown = [text for text in texts if text in page]
    assert all(page.count(f">{text}<") == page.count(text) == 1 for text in shown), page
    assert shown or bench.startswith("xmodbench")
    for word in ("Answer with", "Give the letter", "只写", "只输出", "直接给出", "选项如下"):
        assert word not in page
    assert visitor(small, "participant").client.get("/survey/survey").status_code == 200
