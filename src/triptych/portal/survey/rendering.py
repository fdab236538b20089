"""A question as a person sees it: the Parts of the Request that a model would get, with the options as answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triptych.conditions.condition import NotApplicable
from triptych.conditions.option_order import reordered
from triptych.models.baseline import OPTION_SEPARATOR
from triptych.portal.survey.checks import COLOURS, TONES
from triptych.portal.survey.document import Answer, Question
from triptych.portal.survey.rules import original, positions
from triptych.portal.survey.wording import for_people, without_instructions
from triptych.prompts.build import build_request
from triptych.prompts.template import PromptSpec
from triptych.records import Item, Part, Request

CHOICES = ("choice", "choices")


@dataclass(frozen=True)
class Block:
    """A text, or a media file by its number in the question."""

    text: str = ""
    medium: int | None = None
    kind: str = "text"


@dataclass(frozen=True)
class Option:
    """An option on the screen: its letter (empty without letters) and its content (empty if the text above has it)."""

    label: str
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True)
class ShownQuestion:
    """A question on the screen: an instruction, what comes before the options, the options, what comes after."""

    system: str
    before: tuple[Block, ...]
    options: tuple[Option, ...]
    after: tuple[Block, ...]
    order: tuple[int, ...]


def request_of(item: Item, prompt: PromptSpec, order: Sequence[int]) -> tuple[Item, Request]:
    """Return the Item with its options in this order, and the Request that a model would get for it."""
    turned = reordered(item, order) if list(order) != sorted(order) else item
    return turned, build_request(turned, prompt, settings={})


def order_for(question: Question, seed: int, person: str) -> tuple[int, ...]:
    """Return the order of a person's options. Options that refer to each other by position keep theirs."""
    if question.check is not None:
        number = len(COLOURS) if question.check.kind == "colour" else len(TONES)
        return (
            tuple(range(number))
            if question.check.kind == "tones"
            else tuple(positions(seed, person, f"check {question.check.answer}", number))
        )
    item = question.item
    if item is None or question.form not in CHOICES:
        return ()
    number = len(item.options) or len(item.labels)
    drawn = positions(seed, person, item.id, number)
    return tuple(drawn) if _may_turn(item, drawn) else tuple(range(number))


def _may_turn(item: Item, order: Sequence[int]) -> bool:
    if not item.options or (
        item.answer == "letter" and (len(item.labels) != len(item.options) or item.target not in item.labels)
    ):
        return False
    try:
        reordered(item, order)
    except NotApplicable:
        return False
    return True


def show_question(question: Question, prompts: Mapping[str, PromptSpec], order: Sequence[int]) -> ShownQuestion:
    """Return a question of the benchmark as a person sees it."""
    item, prompt = question.item, prompts[question.prompt]
    assert item is not None
    turned, request = request_of(item, prompt, order)
    numbers = {medium.name: number for number, medium in enumerate(question.media)}
    system = "\n".join(part.text for m in request.messages if m.role == "system" for part in m.parts)
    parts = [part for m in request.messages if m.role != "system" for part in m.parts]
    begin, groups = _option_parts(turned, prompt, parts) if question.form in CHOICES else (len(parts), [])
    end = begin + sum(length for length, _ in groups)
    if groups:
        options = [Option(_label(turned, n), _blocks(members, numbers)) for n, (_, members) in enumerate(groups)]
    else:
        options = [Option(_label(turned, n), _own_words(turned, n)) for n in range(len(order))]
    before, after = _blocks(parts[:begin], numbers), _blocks(parts[end:], numbers)
    if question.form in CHOICES:
        before, after = _for_people(before, after, turned)
    return ShownQuestion(without_instructions(system), before, tuple(options), after, tuple(order))


def _for_people(
    before: Sequence[Block], after: Sequence[Block], item: Item
) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """The blocks without the words that are for models."""
    every = (*before, *after)
    texts = [block.text for block in every]
    content = "\n".join(part.text for part in item.parts if part.role == "content" and part.text)
    short = for_people(texts, [text.strip() for text in item.option_texts()], content)
    blocks = [
        (index, block if block.medium is not None else Block(text))
        for index, (block, text) in enumerate(zip(every, short, strict=True))
        if text or block.medium is not None
    ]
    split = len(before)
    return tuple(b for number, b in blocks if number < split), tuple(b for position, b in blocks if position >= split)


def _label(item: Item, n: int) -> str:
    return item.labels[n] if n < len(item.labels) else ""


def _own_words(item: Item, n: int) -> tuple[Block, ...]:
    """The words of an option that a sentence above contains: easier to choose by than a letter alone."""
    parts = item.options[n] if item.options else ()
    return tuple(Block(part.text) for part in parts if part.text)


def _blocks(parts: Sequence[Part], numbers: Mapping[str, int]) -> tuple[Block, ...]:
    return tuple(
        Block("", numbers[part.content_name], part.kind) if part.is_media else Block(part.text) for part in parts
    )


def _option_parts(item: Item, prompt: PromptSpec, parts: Sequence[Part]) -> tuple[int, list[tuple[int, list[Part]]]]:
    """Find the options among the Parts: where they begin, and for each its number of Parts and its content.

    A template may put them inside a sentence; then there are none.
    """
    expected: list[list[Part]] = []
    for n, option in enumerate(item.options):
        label = item.labels[n] if n < len(item.labels) else chr(ord("A") + n)
        pieces: list[Part] = []
        for piece in prompt.option:
            words = piece.replace("{label}", label)
            pieces += option if piece.strip() == "{option}" else [Part("text", text=words)]
        expected.append([part for part in pieces if part.is_media or part.text])
    flat = [part for choice in expected for part in choice]
    for begin in range(len(parts) - len(flat), -1, -1):  # options come last, if the question repeats their words
        if flat and list(parts[begin : begin + len(flat)]) == flat:
            return begin, [(len(expected_part), list(item.options[n])) for n, expected_part in enumerate(expected)]
    return len(parts), []


def reply(question: Question, answer: Answer) -> str:
    """Return the text of the Response: the letter, the texts of the options in the Item's order, or what was written.

    Positions on the screen are mapped back to the Item's own options.
    """
    item = question.item
    assert item is not None
    if question.form not in CHOICES:
        return answer.text
    chosen = original(answer.picked, answer.order)
    if item.labels and item.answer == "letter":
        return OPTION_SEPARATOR.join(item.labels[n] for n in chosen)
    texts = item.option_texts()
    return OPTION_SEPARATOR.join(texts[n] for n in chosen)
