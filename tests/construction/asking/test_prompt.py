"""Tests of `construction/asking/prompt.py`: prompts with a slot for each value that they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.asking.prompt import Prompt, load_prompts
from triptych.errors import SpecError
from triptych.records import media


def said(prompt: Prompt, **values: object) -> str:
    (message,) = prompt.messages(values)
    return message.parts[-1].text or ""


def test_values_stand_in_their_slots_and_are_not_filled_again() -> None:
    prompt = Prompt("p", '{title}：{text}\nReply as {{"a": 1}} or {}.')
    assert prompt.slots == {"title", "text"}
    filled = said(prompt, title="{text}", text="床前明月光\n{title}")
    assert filled == '{text}：床前明月光\n{title}\nReply as {{"a": 1}} or {}.'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (3, "3"),
        (["甲", "ß"], '["甲","ß"]'),
        ({"a": None}, '{"a":null}'),
        (True, "true"),
        ("", ""),
        (0, "0"),
        (False, "false"),
        ([], "[]"),
    ],
)
def test_a_value_that_is_no_text_is_shown_as_json(value: object, text: str) -> None:
    assert said(Prompt("p", "<{x}>"), x=value) == f"<{text}>"


def test_media_come_before_the_text_and_the_system_message_first() -> None:
    sound = media("audio", "media/ab/x.wav")
    system, user = Prompt("p", "Ask about {topic}.", "You write {language}.").messages(
        {"topic": "rain", "language": "German", "unused": 1}, (sound,)
    )
    assert (system.role, system.parts[0].text) == ("system", "You write German.")
    assert user.role == "user" and user.parts[0] == sound and user.parts[1].text == "Ask about rain."


def test_a_slot_without_a_value_is_refused_by_its_name_and_prompt() -> None:
    with pytest.raises(SpecError, match="'questions' has a slot without a value") as error:
        Prompt("questions", "{title} {text}", "{language}").messages({"title": "x", "text": None})
    assert "language" in str(error.value)


def test_the_identity_changes_with_either_text_and_not_with_where_they_are_divided() -> None:
    prompts = [Prompt("p", "ab", ""), Prompt("p", "b", "a"), Prompt("p", "ab", "x"), Prompt("p", "a b", "")]
    assert len({prompt.identity for prompt in prompts}) == 4
    assert Prompt("q", "ab").digest == prompts[0].digest and Prompt("q", "ab").identity.startswith("q#")


def test_prompts_are_read_from_a_file_with_a_table_each(tmp_path: Path) -> None:
    path = tmp_path / "mcga.toml"
    path.write_text('[asr]\ncontent = """\nWrite {text} down.\n"""\n[sqa]\ncontent = "問"\nsystem = "S"\n', "utf-8")
    prompts = load_prompts(path)
    assert prompts["asr"] == Prompt("mcga/asr", "Write {text} down.") and prompts["sqa"] == Prompt(
        "mcga/sqa", "問", "S"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[asr]\nsystem = 'x'\n", "content"),
        (b"[asr]\ncontent = 'x'\nprompt = 'y'\n", "prompt"),
        (b"[asr]\ncontent = 3\n", "str"),
        (b"asr = 'x'\n", "object"),
        (b"[asr\n", "malformed"),
        (b"[asr]\ncontent = '\xff'\n", "malformed"),
        (None, "can't be read"),
    ],
)
def test_malformed_prompts_are_refused_with_their_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "own.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SpecError, match=message) as error:
        load_prompts(path)
    assert "own.toml" in str(error.value)
