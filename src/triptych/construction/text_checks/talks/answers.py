"""Answers to questions about talks that answer nothing, or another question than the one that is asked."""

from __future__ import annotations

import re

from triptych.construction.text_checks.numerals import numbers_in
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened

Fault = tuple[str, str]
# Empty cells of tables, and what stands for an answer that is still to be written
_EMPTY = re.compile(
    r"\W*(?:nan|null|nil|undefined|tbd|todo|#n/?a|#ref!?|#value!?|n\s*/\s*a|n\.\s?a\.?|k\.\s?a\.?"
    r"|unknown|unbekannt|sconosciuto|不详|略"
    r"|idk|keine angabe|nessuna risposta|see (?:above|slides?|video|talk|paper)|siehe (?:oben|folie"
    r"|video|vortrag)|vedi (?:sopra|slide|video))\W*",
    re.IGNORECASE,
)
# Questions that something that isn't done or known answers: limitations, reasons, questions with a negation
_ASKS_FOR_LACK = re.compile(
    r"\b(?:not|never|limit\w*|drawback|weakness\w*|problem|challenge|shortcoming|disadvantage|fail\w*|lack\w*|why|wrong)\b|n['’]t\b"
    r"|\b(?:nicht|nie|grenzen?|einschränkung\w*|nachteile?|problem|schwäche\w*|warum|weshalb|fehlt)\b"
    r"|\b(?:non|mai|limit[ei]|limitazion[ei]|svantaggi\w*|problema|difetto|perché|manca)\b|不|没|局限|缺|为什么|为何",
    re.IGNORECASE,
)
_OF_THE_TALK = re.compile(
    r"\b(?:talk|speakers?|presentation|presenters?|video|lecture|transcript|slides?|information|(?:un)?answer(?:able|ed)?|unclear"
    r"|mention\w*|stated?|sa(?:y|id)|specified|erwähn\w*|sag\w*|genannt|menziona\w*|dett\w*|vortrag"
    r"|sprecher\w*|video|folien?|angaben?|relatore|relatrice|presentazione|informazion[ei]|rispost[ae])\b"
    r"|演讲|视频|讲者|报告|提到|提及|回答|信息|说明",
    re.IGNORECASE,
)
MAX_WORDS = 12  # of an answer that says that there is none; ideographs count as half a word
_UNANSWERED = {
    "en": r"^\W*(?:this|that|it|the \w+(?: \w+)?|he|she|they|speakers?|there|not|no|i|we|cannot|can't"
    r"|unanswerable|unclear)\b.{0,40}?"
    r"(?:\b(?:does|do|did|has|have|was|is|were|are|can|could)(?:n['’]t| not|not)\b.{0,20}\b(?:say"
    r"|said|mention\w*|state[ds]?|specif\w+|tell|told|discuss\w*"
    r"|answer\w*|explain\w*|given|provided|clear|known|disclos\w+|reveal\w*|address\w*|indicat\w+"
    r"|determined|find|found)\b"
    r"|\bno (?:information|answer|mention|details?)\b)"
    r"|^\W*(?:(?:is |was )?not (?:answerable|mentioned|stated|specified|given|said|discussed|provided"
    r"|known|available|disclosed|clear|addressed|applicable)"
    r"|unanswerable|no (?:answer|information|mention)|unclear|i don['’]t know|cannot be (?:answered|determined))\b",
    "de": r"\b(?:sag\w*|erwähn\w*|nenn\w*|erklär\w*|beantwort\w*)\b.{0,30}\bnicht\W*$"
    r"|\bnicht (?:beantwort\w*|angegeben|erwähnt|genannt|gesagt|bekannt|klar|ersichtlich)"
    r"|\bgeht .{0,40}nicht hervor|\bkeine (?:angaben?|informationen?|antwort)\b|^\W*unklar\b",
    "it": r"\bnon (?:lo )?(?:dice|menziona|specifica|spiega|indica)\b|\bnon (?:viene|è|sono"
    r"|si può) .{0,12}(?:dett|menzionat|specificat|indicat|not[oa]|rispon|disponibil|chiar|rispost)"
    r"|\bnessuna (?:informazione|risposta)\b|^\W*non (?:specificat|menzionat|indicat|dett|not|disponibil)\w*",
    "zh": "(?:没有?|未|并未|未曾)(?:提到|提及|说明|说|给出|回答|明确|介绍|指出|透露|具体)|(?:无法"
    "|不能)(?:回答|得知|确定|判断)|^\\W*不(?:清楚|详|知道|明)|没有(?:相关|任何)?(?:信息|答案)|无答案",
}
_UNANSWERED_PATTERNS = {language: re.compile(pattern, re.IGNORECASE) for language, pattern in _UNANSWERED.items()}
_YES_OR_NO = re.compile(r"\W*(?:yes|no|ja|nein|sì|si|是的?|不是?|对|没有|有)\W*", re.IGNORECASE)
_OPEN_QUESTION = {
    "en": r"^\W*(?:(?:in|on|at|to|for|by|from|with|of|about|under|until|since) )?(?:how|what|which|who|whom"
    r"|whose|where|when|why)\b",
    "de": r"^\W*(?:(?:in|auf|an|zu|für|von|mit|aus|um|bis|seit|unter|über|bei|nach|ab) )?(?:wie|was"
    r"|welche\w*|wer|wen|wem|wessen|wo\w*|wann|warum|weshalb|wieso|wieviel\w*)\b",
    "it": r"^\W*(?:(?:in|su|a|ad|per|di|da|con|tra|sotto|fino a|al|del|nel) )?(?:come|cosa|che|qual\w*|chi"
    r"|dove|quando|perché|quant\w*)\b",
    "zh": "什么|哪|谁|怎|为何|多少|几|如何",
}
_HOW_MANY = re.compile(r"^\W*(?:(?:in|on|at|to|for|by|from|with|of|about|under) )?how (?:many|much)\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"\d|\b(?:one|two|three|a|an|no|none|zero|once|twice|half|halves|all|both|every|each|several|few"
    r"|many|most|some|much|little|dozens?|hundreds?|thousands?"
    r"|millions?|billions?|pair|couple|single|double|twofold|percent|third|quarter|fifth|majority"
    r"|more|less|fewer|than|as|about|free|nothing|only|by|the same|enough"
    r"|numerous|nobody|everyone|everybody|whole|entire|not)\b",
    re.IGNORECASE,
)


@reads_shortened
def talk_answer_fault(question: str, answer: str, language: str) -> Fault | None:
    """Return what is wrong with the answer of a question that a talk answers; None if nothing is.

    >>> talk_answer_fault("Who built it?", "The talk does not say.", "en")[0]
    'no-answer'
    >>> talk_answer_fault("How many lamps got new bulbs?", "Yes.", "en")[0]
    'answer-of-another-question'
    """
    language = primary(language)
    if _EMPTY.fullmatch(answer):
        return "no-answer", f"{answer[:20]!r} doesn't answer the question"
    if unanswered(answer, language) and (not _ASKS_FOR_LACK.search(question) or _OF_THE_TALK.search(answer)):
        return "no-answer", f"{answer[:60]!r} says that there is no answer: such a question has the type NA"
    if (
        _YES_OR_NO.fullmatch(answer)
        and re.search(_OPEN_QUESTION.get(language, r"(?!)"), question, re.IGNORECASE)
        and not (_asks_yes_no(question) or _says_none(question, answer))
    ):
        return "answer-of-another-question", f"{question[:60]!r} can't be answered by {answer!r}"
    if (
        language == "en"
        and _HOW_MANY.search(question)
        and not _QUANTITY.search(answer)
        and not numbers_in(answer, "en")
    ):
        return "answer-of-another-question", f"{question[:60]!r} asks for a number: {answer[:40]!r}"
    return None


def _asks_yes_no(question: str) -> bool:
    """Return whether a question also asks for yes or no (`是不是`, `有没有`, `吗`)."""
    return bool(re.search("吗|是不是|有没有|是否|能否|会不会", question))


def _says_none(question: str, answer: str) -> bool:
    """Return whether an answer says that the number is zero (`没有` of `多少`)."""
    return bool(re.search("多少|几[个次人只条种位]", question) and re.match("没有?[。.]?$", answer.strip()))


@reads_shortened
def unanswered(answer: str, language: str) -> bool:
    """Return whether a short answer says that the talk gives none.

    >>> unanswered("Das sagt der Vortrag nicht.", "de"), unanswered("Because the model doesn't know them.", "en")
    (True, False)
    """
    words = len(re.findall(r"[A-Za-z\u00c0-\u024f]+", answer)) + len(re.findall(r"[\u3400-\u9fff]", answer)) / 2
    pattern = _UNANSWERED_PATTERNS.get(primary(language))
    return pattern is not None and words <= MAX_WORDS and bool(pattern.search(answer))
