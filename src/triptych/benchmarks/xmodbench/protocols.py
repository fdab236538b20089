"""The protocols of XModBench. All aggregate the six directions alike; `official` takes audio with vision to text as a
plain mean over subtasks, as the authors did.

official  As in the released runner: a reply of one letter is used (ignoring spaces and case). Any other reply goes to a
          language model that is asked for the letter, and its reply counts as it is: anything else than a letter is
          wrong. That model is a judge here, with the rubric `letter`; without a judge, the parser of `standard` is
          used. A stored reply of released results went through that step already and is used unchanged. Refused and
          truncated replies are scored like any other; an empty reply is wrong; a question without a reply is not in the
          denominator.
paper     Accuracy as in the paper: the reply must be only the option's letter, as the prompt asks; any other reply is
          wrong. A question without a reply is not in the denominator.
standard  One letter is extracted from the reply; a reply that names none, or several, is `unparsed`. Every question
          counts.
lmms-eval  As that harness scores its task xmod_bench (`lmms_eval.py`): letters by `(A)`, ` A ` or `A.`; a reply without
          one is wrong. Every question counts.

Versions. standard 2: the conclusion of a reply is read, also if it names an option by its words. official 3: so it is
where no judge reads the replies. standard 3 and official 4: denials in more languages, labels in brackets before an
explanation. standard 4 and official 5: lists with a verdict for each option, shares and counts; a list of all options
chooses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from triptych.benchmarks.xmodbench import lmms_eval
from triptych.benchmarks.xmodbench.aggregation import METRIC, aggregate, aggregate_official
from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.benchmarks.xmodbench.outputs import EXTRACTED
from triptych.metrics.choice import read_letter
from triptych.protocols.judged import Wanted
from triptych.protocols.outcomes import ANY_TEXT, lost_status, scored, unscored
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import Item, Response, Score

# The form of a chat template: the model's own words follow the last assistant turn
_TRANSCRIPT = ("system\n", "user\n")
_ASSISTANT = "\nassistant\n"


def plain_letter(reply: str) -> str | None:
    """Return the reply if it is one letter, ignoring spaces and case; None for anything else."""
    letter = reply.strip().upper()
    return letter if letter in LETTERS else None


def spoken(reply: str) -> str:
    """Return the model's own words; in a chat transcript, those after the last assistant turn."""
    if reply.startswith(_TRANSCRIPT) and _ASSISTANT in reply:
        return reply.rpartition(_ASSISTANT)[2]
    return reply


def official_letter(response: Response, item: Item) -> str | None:
    """Return the answer as in the released runner."""
    if response.finish_reason == EXTRACTED:
        return plain_letter(response.text)
    return plain_letter(response.text) or read_letter(response.text, LETTERS, item.option_words())


def judged(unit: Unit, metric: str, protocol: str) -> Wanted | None:
    """Return the reply if it is more than a letter; only `official` asks a judge what it means."""
    response = unit.response
    if protocol != "official" or response is None or lost_status(unit, ANY_TEXT) or unit.item.target is None:
        return None
    if response.finish_reason == EXTRACTED or plain_letter(response.text) or not response.text.strip():
        return None
    return Wanted({"reply": response.text})


def _official(unit: Unit) -> Sequence[Score]:
    if unit.verdicts.entries and any(verdict.metric == METRIC for verdict in unit.verdicts.entries):
        return [_as_judged(unit)]
    return _right_or_wrong(unit, official_letter)


def _as_judged(unit: Unit) -> Score:
    """Return 1 if the judge names the target; the share of those that do for several judges or evaluations."""
    words = tuple(replace(v, status="given") if v.status == "unparsed" else v for v in unit.verdicts.entries)
    opinion = replace(unit.verdicts, entries=words).opinion(METRIC, value=lambda v: float(v.label == unit.item.target))
    if opinion.status == "unavailable":
        return unscored(unit, METRIC, "unavailable", denominator=0.0, note=opinion.note)
    if opinion.status == "judge_failed":
        return unscored(unit, METRIC, "judge_failed", note=opinion.note)
    labels = tuple(dict.fromkeys(v.label or v.text for v in words if v.status == "given"))
    return scored(unit, METRIC, opinion.value, extraction=labels[0] if len(labels) == 1 else labels, note=opinion.note)


def _paper(unit: Unit) -> Sequence[Score]:
    return _right_or_wrong(unit, lambda response, _: plain_letter(response.text))


def _right_or_wrong(unit: Unit, read: Callable[[Response, Item], str | None]) -> Sequence[Score]:
    """Return the Score of a reply; a reply without a letter is wrong."""
    if status := lost_status(unit, ANY_TEXT):
        return [unscored(unit, METRIC, status)]
    if (key := unit.items[0].target) is None:
        return [unscored(unit, METRIC, "unavailable", note="the target is unknown")]
    response = unit.responses[0]
    assert response is not None
    letter = read(response, unit.items[0])
    return [scored(unit, METRIC, letter == key, extraction=letter)]


def _standard(unit: Unit) -> Sequence[Score]:
    if status := lost_status(unit):
        return [unscored(unit, METRIC, status)]
    if (key := unit.items[0].target) is None:
        return [unscored(unit, METRIC, "unavailable", note="the target is unknown")]
    response = unit.responses[0]
    assert response is not None
    letter = read_letter(spoken(response.text), LETTERS, unit.items[0].option_words())
    if letter is None:
        return [unscored(unit, METRIC, "unparsed")]
    return [scored(unit, METRIC, letter == key, extraction=letter)]


PROTOCOLS: dict[str, Protocol] = {
    "official": Protocol("official", "5", "the released runner's scoring", "answered", _official, aggregate_official),
    "paper": Protocol("paper", "1", "only the letter that the prompt asks for", "answered", _paper, aggregate),
    "standard": Protocol("standard", "4", "one letter extracted, never guessed", "all", _standard, aggregate),
    "lmms-eval": Protocol(
        "lmms-eval", "1", "lmms-eval's scoring and summary", "all", lmms_eval.score, lmms_eval.aggregate
    ),
}
