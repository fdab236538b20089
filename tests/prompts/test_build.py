"""Templates become Messages; the expectations are by hand, with XModBench's and CMDAR's own forms among them."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from triptych.errors import SpecError
from triptych.prompts.build import build_request, check_template, load_prompts, omitted_parts
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Part, media, text

XMODBENCH = PromptSpec(
    content=("{question}", "{content_modality}:", "{content}", "{options}", "Give the letter."),
    option=("{label}:", "{option}"),
    source="the released runner",
)
CMDAR = PromptSpec(
    content=("{media}", "{question}选项如下:{options}请直接给出正确选项的内容。"), source="paper, Table 11"
)


def choice(options: tuple[tuple[Part, ...], ...], content: Part, question: str = "Which?") -> Item:
    return Item(
        "i", "t", (text(question, "question"), content), options, ("A", "B", "C", "D")[: len(options)], "letter", "B"
    )


def parts(item: Item, prompt: PromptSpec) -> list[str]:
    message = build_request(item, prompt, settings={}).messages[-1]
    return [p.text or f"<{p.kind} {p.path}>" for p in message.parts]


def test_media_options_stand_each_after_its_label() -> None:
    item = choice(((media("audio", "a.wav"),), (media("audio", "b.wav"),)), media("image", "x.jpg", "content"))
    assert parts(item, XMODBENCH) == [
        "Which?",
        "Image:",
        "<image x.jpg>",
        "A:",
        "<audio a.wav>",
        "B:",
        "<audio b.wav>",
        "Give the letter.",
    ]


def test_text_options_and_text_content_keep_the_same_order() -> None:
    item = choice(((text("a dog"),), (text("a cat"),)), text("woof", "content"))
    assert parts(item, XMODBENCH)[:4] == ["Which?", "Text:", "woof", "A:"]


def test_the_modality_goes_with_the_content() -> None:
    item = Item("i", "t", (text("Which?", "question"),), ((text("x"),),), ("A",), "letter", "A")
    assert parts(item, XMODBENCH) == ["Which?", "A:", "x", "Give the letter."]


def test_two_audios_in_order_then_one_text_with_the_options_line_by_line() -> None:
    item = Item(
        "i",
        "t",
        (media("audio", "1.wav", "content"), media("audio", "2.wav", "content"), text("问？", "question")),
        ((text("甲"),), (text("乙"),)),
        (),
        "options",
        ("甲",),
    )
    assert parts(item, CMDAR) == ["<audio 1.wav>", "<audio 2.wav>", "问？选项如下:甲\n乙请直接给出正确选项的内容。"]


def test_media_options_inside_a_sentence_are_refused() -> None:
    item = choice(((media("audio", "a.wav"),),), text("c", "content"))
    with pytest.raises(SpecError, match=r"option.*audio[\s\S]*a\.wav[\s\S]*\{options\}"):
        build_request(item, CMDAR, settings={})


def test_an_unknown_slot_is_refused_with_the_nearest_right_one() -> None:
    with pytest.raises(SpecError, match="did you mean 'options'"):
        check_template("mine", PromptSpec(content=("{optoins}",), source="s"))
    with pytest.raises(SpecError, match="did you mean 'label'"):
        check_template("mine", PromptSpec(content=("{options}",), option=("{lable}",), source="s"))
    with pytest.raises(SpecError, match="unknown slot"):
        parts(choice(((text("x"),),), text("c", "content")), PromptSpec(content=("{optoins}",), source="s"))


def test_the_request_carries_what_it_was_asked_with() -> None:
    item = choice(((text("x"),),), text("c", "content"))
    prompt = PromptSpec(content=("{question}",), system="Be brief.", source="s")
    request = build_request(item, prompt, settings={"temperature": 0}, condition="blind", repeat=2)
    assert (request.id, request.condition, request.repeat, request.item) == ("i", "blind", 2, item)
    assert [(m.role, m.parts[0].text) for m in request.messages] == [("system", "Be brief."), ("user", "Which?")]
    assert request.settings == {"temperature": 0}


def test_an_empty_prompt_is_refused() -> None:
    with pytest.raises(SpecError, match="prompt is empty"):
        build_request(Item("i", "t", (text("?"),)), PromptSpec(content=("{content}",), source="s"), settings={})


def test_an_item_of_which_only_the_reference_is_known_has_no_messages() -> None:
    prompt = PromptSpec(content=("{content}",), system="Be brief.", source="s")
    assert build_request(Item("i", "t", (), target="A"), prompt, settings={}).messages == ()


def write(folder: Path, words: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(words, encoding="utf-8")
    return path


@pytest.mark.parametrize("heading", ["[brief]", "[prompts.brief]"])
def test_prompts_by_name_with_the_file_as_their_source(tmp_path: Path, heading: str) -> None:
    prompts = load_prompts(write(tmp_path, f'{heading}\ncontent = ["{{media}}", "{{question}}"]\nlanguage = "zh"\n'))
    assert prompts["brief"].content == ("{media}", "{question}")
    assert (prompts["brief"].source, prompts["brief"].language) == ("mine.toml", "zh")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "no prompt"),
        ("[brief", "not valid TOML"),
        ("brief = 1", "not a table"),
        ("[brief]\nsystem = 'x'", "content"),
        ("[brief]\ncontents = ['x']", "did you mean 'content'"),
        ("[brief]\ncontent = []", "no content"),
        ("[brief]\ncontent = ['{quesion}']", "did you mean 'question'"),
        ("[brief]\ncontent = 'x'", "malformed"),
        ("[brief]\ncontent = ['{question']", r"'\{question', which is not a slot"),
        ("[brief]\ncontent = ['Answer: { question }']", r"'\{ question', which is not a slot"),
        ("[brief]\ncontent = ['{options}']\noption = ['{label}']", "options without their content"),
        ("[brief]\ncontent = ['{options}']\ntext_option = ['{label}']", "options without their content"),
        ("[brief]\ncontent = ['{options}']\noption = ['{foo}: {option}']", "unknown slot {foo}"),
    ],
)
def test_what_is_wrong_is_refused_with_the_file(tmp_path: Path, words: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as error:
        load_prompts(write(tmp_path, words))
    assert "mine.toml" in str(error.value)


@pytest.mark.parametrize("piece", ['{"question": 1}', "{{question", "{answer: A}", "f(x) = {x | x > 0}", "{question}s"])
def test_other_braces_are_kept(tmp_path: Path, piece: str) -> None:
    assert load_prompts(write(tmp_path, f"[brief]\ncontent = ['{piece}']"))["brief"].content == (piece,)


def test_what_the_messages_leave_out_is_named_by_their_content() -> None:
    item = choice(((text("a cat"),), (media("image", "dog.png"),)), media("audio", "a.wav", "content"))

    def lacking(*content: str) -> list[str]:
        return omitted_parts(build_request(item, PromptSpec(content, ""), settings={}))

    assert lacking("{content}", "{question}", "{options}") == []
    assert lacking("{content}", "Which? a cat") == ["the options"]
    assert lacking("{content}", "{options}") == ["the question"]
    assert lacking("{content}") == ["the question", "the options"]
    open_question = structs.replace(item, options=(), labels=(), answer="text")
    assert omitted_parts(build_request(open_question, PromptSpec(("{question}",), ""), settings={})) == []


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="can't be read"):
        load_prompts(tmp_path / "none.toml")
