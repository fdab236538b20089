"""Tests of `viewer/index/rows.py`: what lists and searches show of an Item, its reply, and the replies of judges."""

from __future__ import annotations

from pathlib import Path

import msgspec

from tests.viewer.runs import manifest
from triptych.records import Item, Part, Response, text
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal
from triptych.viewer.index.rows import SEARCHED, SNIPPET, search_texts, target_text, texts_of, verdicts_of

ITEM = Item(
    "cmdar/题 1",
    "main",
    (text("Who SPEAKS?", "question"), Part("audio", path="a.wav"), text("Straße"), Part("audio", path="b.wav")),
    options=((text("An old man"),), (Part("image", path="c.png"), text("İ child"))),
    labels=("A", "B"),
    target="A",
)


def reply(words: str, item: str = "i") -> Response:
    return Response(item, "straight", 0, "answered", words)


def test_a_row_has_the_texts_of_the_item_and_its_reply() -> None:
    row = texts_of(ITEM, reply("It is A."))
    assert row == {"question": "Who SPEAKS?\nStraße", "reply": "It is A.", "target": "A", "kinds": "text audio image"}
    assert texts_of(ITEM, None)["reply"] == ""


def test_long_texts_are_cut_in_lists_and_searched_further() -> None:
    long = Item("i", "t", (text("字" * (SEARCHED + 5), "question"),), target="")
    row, found = texts_of(long, reply("a" * 50_000)), search_texts(long, reply("a" * 50_000))
    assert (len(row["question"]), len(row["reply"])) == (SNIPPET, SNIPPET)
    assert [len(each) for each in found] == [SEARCHED, 0, SEARCHED]


def test_a_search_finds_id_question_options_target_and_reply_in_any_case() -> None:
    question, target, answer = search_texts(ITEM, reply("ES IST Straße"))
    for words in ("cmdar/题 1", "who speaks?", "strasse", "an old man", "child"):
        assert words in question, words
    assert target == "a" and answer == "es ist strasse"
    assert "old man" not in answer and search_texts(ITEM, None)[2] == ""


def test_several_reference_answers_are_one_text() -> None:
    assert target_text(Item("i", "t", (), target=("Paris", "巴黎"))) == "Paris · 巴黎"
    assert target_text(Item("i", "t", ())) == ""


def test_replies_of_judges_are_named_by_their_journal_and_the_last_one_counts(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", manifest())
    assert [list(values) for _, values in verdicts_of(folder).values()] == [[], [], []]
    for judge, said in (("judge-b", ["4", "5"]), ("judge-a", ["题"])):
        with ReplyJournal(folder.verdicts_path, judge).writer() as writer:
            for words in said:
                writer.add_response(reply(words, "i1"))
    columns = {name: list(values) for name, (_, values) in verdicts_of(folder).items()}
    assert columns["judge"] == ["judge-a", "judge-b"] and columns["unit"] == ["i1", "i1"]
    assert [msgspec.json.decode(line, type=Response).text for line in columns["json"]] == ["题", "5"]
