"""Tests of `construction/text_checks/makers/chatter.py`: words that makers write around a text or instead of it."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.makers.chatter import chatter_fault, unread_fault

WORDS_ABOUT_THE_REPLY = [
    "好的，下面是我的回答：他要去车站。",
    "好的！以下是这道题的答案：他要去车站。",
    "當然可以，以下是我的回答：他要去車站。",
    "以下是对这个问题的回答：他要去车站。",
    "这是一个很好的问题！他要去车站。",
    "作为一名资深的国画鉴赏专家，我认为画中有三竿竹子。",
    "作為一位歷史學者，我認為此畫作於明代。",
    "根据您提供的录音，他要去车站。",
    "他要去车站。希望以上回答对您有所帮助！",
    "他要去车站。希望这个答案能帮到你。",
    "他要去车站。如果您还有其他问题，请随时告诉我。",
    "他要去车站。以上内容仅供参考。",
    "画中有三人。由于图片分辨率有限，以上内容可能存在偏差。",
    "他要去车站。如有错误，敬请指正。",
    "他要去车站。注：录音后半段较嘈杂。",
    "Sure! Here is the answer: he is going to the station.",
    "Here's my translation:\nThe moon rises.",
    "As an experienced art historian, I think that it is a Ming painting.",
    "Based on the audio you provided, he is going to the station.",
    "He is going to the station. Hope this helps!",
    "He is going to the station. Let me know if you need anything else.",
    "The moon rises. Note: this line is hard to translate.",
    "竹叶四出如刀。（全文共58字）",
    "竹叶四出如刀。字数：58字。",
    "竹葉四出如刀。（約六十字）",
    "The moon rises over the hill. (45 words)",
    "The moon rises over the hill. Word count: 45",
    "得分点：①指出他是邻居 ②说明关系",
    "①指出敲门的人是邻居（2分）②说明关系（3分）",
    "他是邻居。每点2分，共4分。",
    "他是邻居。（答出其中两点即可）",
    "评分标准：答出邻居得2分。",
    "He is a neighbour (2 marks).",
]
TEXTS_ALONE = [
    "好的，我马上就来。",
    "好。我会很想念你的。而且我也会忘记你。",
    "他希望这些药对她有帮助。",
    "她说如果还有问题就去问老师。",
    "作为一名医生，他很着急。",
    "根据录音，他要去车站。",
    "图中共有四个字。",
    "他考试得了九十分。",
    "这首诗共二十个字，每句五字。",
    "Here is the house of the poet.",
    "Sure enough, the moon rose.",
    "I hope this letter finds you.",
    "Note the pale moon above the hill.",
    "As a scholar he was poor.",
]


@pytest.mark.parametrize("text", WORDS_ABOUT_THE_REPLY)
def test_words_about_a_reply_are_not_the_text(text: str) -> None:
    fault = chatter_fault(text)
    assert fault is not None and fault[0] == "not-the-text-alone", text


@pytest.mark.parametrize("text", TEXTS_ALONE)
def test_texts_without_words_about_the_reply(text: str) -> None:
    assert chatter_fault(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "王曰【无法识别】不远千里",
        "王曰□不远千里",
        "王曰〓〓不远",
        "王曰［模糊］不远",
        "王曰（字迹不清）不远",
        "王曰???不远",
        "王曰×不远",
        "王曰[UNK]不远",
        "王曰囗囗不远",
        "王曰**不远",
        "the [illegible] of Tang",
        "齊魯青■■",
    ],
)
def test_signs_for_characters_that_were_not_read(text: str) -> None:
    assert (unread_fault(text) or ("",))[0] == "placeholder"


@pytest.mark.parametrize(
    "text", ["他问：“你姐呢？你在哪？”", "3×5", "什么？（他问）", "A*算法", "二〇二三年", "（残阳）"]
)
def test_texts_whose_characters_were_all_read(text: str) -> None:
    assert unread_fault(text) is None
