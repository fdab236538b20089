"""How authors of other benchmarks, or a harness, extract a letter from a reply: the rules of `official`.

Each rule returns the letter, or None if it finds none; what then happens (`otherwise` in the set's file) is `wrong`,
`first` (the first option), `left_out` (not counted), or `random`: the scorer draws a letter. Nothing is drawn here. The
Score is then the expectation, 1 / number of options, and `spread.draws` says by how much such draws change the figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from triptych.metrics.replies.string_match import string_match

Letters = Sequence[str]
Rule = Callable[[str, Letters, Letters], str | None]  # reply, letters, texts of the options -> letter
_EDGES = (",", ".", "!", "?", ";", ":", "'")


def _last_letter(letters: Letters, positions: Sequence[int]) -> str:
    """Return the letter with the largest position, the first of equal ones."""
    return letters[max(range(len(letters)), key=lambda n: (positions[n], -n))]


def mmmu(reply: str, labels: Letters, options: Letters, *, strip: bool = False) -> str | None:
    """MMMU's rule: `(A)`, otherwise `A `, otherwise `A.`, otherwise an option's text in a reply of six words or more;
    of several the last one. `strip`: punctuation at both ends is removed first."""
    if strip:
        for mark in _EDGES:
            reply = reply.strip(mark)
    wording = f" {reply} "
    for form, separator in (("({})", "({})"), ("{} ", " {} "), ("{}.", " {} ")):
        if matching_labels := [label for label in labels if form.format(label) in wording]:
            return _last_letter(matching_labels, [wording.rfind(separator.format(label)) for label in matching_labels])
    if len(wording.split()) > 5:
        low = wording.lower()
        named = [(label, text.lower()) for label, text in zip(labels, options, strict=True) if text.lower() in low]
        if named:
            return _last_letter([label for label, _ in named], [low.rfind(text) for _, text in named])
    return None


def mmmu_stripped(reply: str, labels: Letters, options: Letters) -> str | None:
    """MMMU's rule after punctuation at both ends was removed, as in lmms-eval."""
    return mmmu(reply, labels, options, strip=True)


def start_or_end(reply: str, labels: Letters, _options: Letters) -> str | None:
    """AIR-Bench's rule: the first character, otherwise the one before the last, if it is A, B, C or D."""
    text = reply.strip().replace("\n", "")
    places = [text[:1], text[-2:-1]] if len(text) > 1 else [text[:1]]
    return next((one for one in places if one and one in "ABCD" and one in labels), None)


def first_capital(reply: str, labels: Letters, _options: Letters) -> str | None:
    """Video-MME's rule: the first capital letter of an option anywhere, after phrases such as `The answer is` were
    removed."""
    return _first_of(reply, labels, (*_PHRASES[:6], "Final Answer:", *_PHRASES[6:]))


def first_capital_joined(reply: str, labels: Letters, _options: Letters) -> str | None:
    """VLMEvalKit's rule for WorldSense: two pairs of phrases lack a comma there, so they are never removed, and
    `Best answer: C` is B."""
    return _first_of(reply, labels, (*_PHRASES[:4], *_PHRASES[8:]))


def _first_of(reply: str, labels: Letters, phrases: Sequence[str]) -> str | None:
    text = reply.strip()
    for phrase in phrases:
        text = text.replace(phrase, "")
    letter_match = re.search(f"[{''.join(labels)}]", text)
    return letter_match[0] if letter_match else None


_PHRASES = (
    "The best answer is",
    "The correct answer is",
    "The answer is",
    "The answer",
    "The best option is",
    "The correct option is",
    "Best answer:",
    "Best option:",
    "Answer:",
    "Option:",
)


def beginning(reply: str, labels: Letters, _options: Letters) -> str | None:
    """Daily-Omni's rule: the first character, in either case."""
    letter = reply.strip()[:1].upper()
    return letter if letter and letter in labels else None


def answer_tag(reply: str, labels: Letters, _options: Letters) -> str | None:
    """Video-Holmes's rule: in the last `<answer>`, otherwise in the whole reply, the first letter, alphabetically,
    with `A `, `A:` or `[A`; otherwise the first that occurs at all."""
    tags = re.findall(r"<answer>\s*(.*?)\s*</answer>", reply, re.DOTALL)
    answer = tags[-1].strip() if tags else reply
    for forms in (("{} ", "{}:", "[{}"), ("{}",)):
        for label in labels:
            if any(form.format(label) in answer for form in forms):
                return label
    return None


def declared(reply: str, labels: Letters, _options: Letters) -> str | None:
    """LVOmniBench's rule: a letter at the start, otherwise after `answer is`, otherwise the first option's letter that
    is a word, otherwise the first character that is an option's letter; all in upper case."""
    text = reply.upper().strip()
    for label in labels:
        if text.startswith(label) and (len(text) == 1 or text[1] in ".): ,"):
            return label
    if (answer_match := re.search(r"(?:THE\s+)?ANSWER\s*(?:IS|:)\s*([A-F])", text)) and answer_match[1] in labels:
        return answer_match[1]
    if alone := next((label for label in labels if re.search(rf"\b{label}\b", text)), None):
        return alone
    return next((one for one in text if one in labels), None)


def first_token(reply: str, labels: Letters, _options: Letters) -> str | None:
    """AV-SpeakerBench's rule in lmms-eval: the first word that is a letter, without phrases and punctuation."""
    for phrase in (
        *_PHRASES,
        "The correct answer",
        "The correct option",
        "Based",
        "Correct answer",
        "\u261e",
        "<|im_end|>",
    ):
        reply = reply.replace(phrase, "")
    words = re.sub(r"[.,:!\"'`;\\/?~@#$%^&*()\[\]{}|<>\n]", " ", reply).split()
    return next((word.upper() for word in words if word.upper() in labels), None)


def last_declared(reply: str, labels: Letters, _options: Letters) -> str | None:
    """MMOU's rule in lmms-eval: after the last `the answer is`, `(A)`, otherwise a letter that is a word, otherwise the
    first character that is an option's letter in either case."""
    text = reply.strip()
    for phrase in ("the answer is", "answer:", "the option is", "final answer:"):
        if (at := text.lower().rfind(phrase)) >= 0:
            text = text[at + len(phrase) :].strip()
            break
    for pattern in (r"\(([A-J])\)", r"\b([A-J])\b"):
        if answer_match := re.search(pattern, text):
            return answer_match[1] if answer_match[1] in labels else None
    return next((one.upper() for one in text if one.upper() in labels), None)


def words(reply: str, labels: Letters, options: Letters) -> str | None:
    """MMAU's rule: the option all of whose words are in the reply, if no word is there that only others have; the first
    of options with the same words."""
    return next((one for one, text in zip(labels, options, strict=True) if string_match(text, reply, options)), None)


RULES: dict[str, Rule] = {
    "mmmu": mmmu,
    "mmmu_stripped": mmmu_stripped,
    "start_or_end": start_or_end,
    "first_capital": first_capital,
    "first_capital_joined": first_capital_joined,
    "beginning": beginning,
    "answer_tag": answer_tag,
    "declared": declared,
    "first_token": first_token,
    "last_declared": last_declared,
    "words": words,
}
