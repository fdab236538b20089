"""How XModBench is scored: what is read out of a reply, and who counts. All protocols aggregate alike.

official  The released runner: a reply that is one letter is taken (blanks and case aside), any other goes to a
          language model that is asked for the letter. None is asked here (scores would hang on which one): the
          parser of `standard` stands in; a stored reply of released results went through that step already and is
          taken as it is. What is still no letter is wrong. Refused and cut replies are read like any other; an
          empty one is wrong; a question without a reply leaves the denominator.
paper     Accuracy as the paper prints it: the reply must be the option's letter that the prompt asks for, and
          nothing else; any other reply is wrong, a question without a reply leaves the denominator.
standard  One letter is read out of the reply; a reply that names none, or several, is `unparsed`. Every question
          counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from triptych.benchmarks.outcomes import ANY_TEXT, lost_status, scored, unscored
from triptych.benchmarks.protocol import Protocol, Unit
from triptych.benchmarks.xmodbench.aggregation import METRIC, aggregate
from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.benchmarks.xmodbench.outputs import EXTRACTED
from triptych.metrics.choice import read_letter
from triptych.records import Response, Score

# A chat template's rendering: the model's own words are what follows the last assistant turn.
_TRANSCRIPT = ("system\n", "user\n")
_ASSISTANT = "\nassistant\n"


def plain_letter(reply: str) -> str | None:
    """The reply if it is one letter, blanks and case aside; None for anything else."""
    letter = reply.strip().upper()
    return letter if letter in LETTERS else None


def spoken(reply: str) -> str:
    """The model's own words: of a whole chat transcript, what follows the last assistant turn."""
    if reply.startswith(_TRANSCRIPT) and _ASSISTANT in reply:
        return reply.rpartition(_ASSISTANT)[2]
    return reply


def official_letter(response: Response) -> str | None:
    """What the released runner would hold as the answer."""
    if response.finish_reason == EXTRACTED:
        return plain_letter(response.text)
    return plain_letter(response.text) or read_letter(response.text, LETTERS)


def _official(unit: Unit) -> Sequence[Score]:
    return _right_or_wrong(unit, official_letter)


def _paper(unit: Unit) -> Sequence[Score]:
    return _right_or_wrong(unit, lambda response: plain_letter(response.text))


def _right_or_wrong(unit: Unit, read: Callable[[Response], str | None]) -> Sequence[Score]:
    """Every reply is scored: no letter is a wrong one."""
    if lost := lost_status(unit, ANY_TEXT):
        return [unscored(unit, METRIC, lost)]
    if (key := unit.item.target) is None:
        return [unscored(unit, METRIC, "unavailable", note="the key is not known")]
    assert unit.response is not None
    letter = read(unit.response)
    return [scored(unit, METRIC, letter == key, extraction=letter)]


def _standard(unit: Unit) -> Sequence[Score]:
    if lost := lost_status(unit):
        return [unscored(unit, METRIC, lost)]
    if (key := unit.item.target) is None:
        return [unscored(unit, METRIC, "unavailable", note="the key is not known")]
    assert unit.response is not None
    letter = read_letter(spoken(unit.response.text), LETTERS)
    if letter is None:
        return [unscored(unit, METRIC, "unparsed")]
    return [scored(unit, METRIC, letter == key, extraction=letter)]


PROTOCOLS: dict[str, Protocol] = {
    "official": Protocol("official", "1", "the released runner's scoring", "answered", _official, aggregate),
    "paper": Protocol("paper", "1", "the letter asked for and nothing else", "answered", _paper, aggregate),
    "standard": Protocol("standard", "1", "one letter read, never guessed", "all", _standard, aggregate),
}
