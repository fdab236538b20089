r"""The protocols of MCGA. A text task is scored like its speech form.

official  As in the released scorer: see `official.py`. Refused, truncated and empty replies are scored like any other.
paper     As in the paper, where that differs: the CER is a CER (no spaces between characters, nothing truncated, no
          prefixes removed), and that of captions is pooled over clips too (section 4.1, Table 2). Otherwise as
          official.
standard  The same CER as in paper; SQA's F1 is over characters; SU and SR need one letter, otherwise the reply is
          `unparsed`. Refused and truncated replies have no score.

S2TT and SEC need a judge in all three protocols. It is shown the same words, so it is asked once. Without a judge they
are `unavailable`. A reply that no judge scored is not in the mean, but is counted.

Versions. standard 2: the conclusion of a reply to SU and SR is read, also if it names an option by its words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from triptych.benchmarks.mcga import official, standard
from triptych.benchmarks.mcga.aggregation import aggregate
from triptych.benchmarks.mcga.names import speech_form
from triptych.benchmarks.mcga.rows import transcript_of
from triptych.protocols.judged import Wanted
from triptych.protocols.outcomes import ANY_TEXT, REPLIES, lost_status, scored, unscored
from triptych.protocols.protocol import Protocol, Unit
from triptych.records import ResponseStatus, Score, ScoreStatus

BEAUTIES = ("llm_bf", "llm_bm", "llm_bs")
CAPTION = ("sec_p", "sec_g", "sec_s")
# The unit of a judge's score in 100 points
_POINTS = {**dict.fromkeys(BEAUTIES, 20 / 100), **dict.fromkeys(CAPTION, 10 / 100)}
_VERSIONS = {"standard": "4"}
Scorer = Callable[[Unit], Sequence[Score]]


def task_of(unit: Unit) -> str:
    """Return `asr`, `s2tt`, `sec`, `sqa`, `su` or `sr`: the speech form of the Unit's task."""
    return speech_form(unit.item.task.partition("/")[2])


def judged(unit: Unit, metric: str, protocol: str) -> Wanted | None:
    """Return the clip's text and the translation; or the caption's part for the metric, and its reference."""
    if unit.response is None or lost_status(unit, REPLIES if protocol == "standard" else ANY_TEXT):
        return None
    reply = unit.response.text
    if metric in BEAUTIES:
        return Wanted({"source": transcript_of(unit.item), "reply": official.translation(reply)})
    if unit.item.target is None:
        return None
    part = CAPTION.index(metric)
    reference = official.caption_parts(str(unit.item.target))[part]
    return Wanted({"reference": reference, "reply": official.caption_parts(reply)[part].strip()})


def _official(unit: Unit) -> Sequence[Score]:
    key, reply, task = _key(unit), _reply(unit), task_of(unit)
    status = _unscored_status(unit, ANY_TEXT)
    if task == "asr":
        return [_pooled(unit, "cer.spaced", status, official.asr_errors(key, reply))]
    if task == "sec":
        rate = official.caption_error_rate(transcript_of(unit.item), reply)
        return [*_marks(unit, CAPTION, ANY_TEXT), _mean(unit, "cer.mean", status, rate, worst=1.0)]
    return _shared(unit, task, status)


def _paper(unit: Unit) -> Sequence[Score]:
    key, reply, task = _key(unit), _reply(unit), task_of(unit)
    status = _unscored_status(unit, ANY_TEXT)
    if task == "asr":
        return [_pooled(unit, "cer", status, standard.asr_errors(key, reply))]
    if task == "sec":
        errors = official.caption_errors(transcript_of(unit.item), reply)
        return [*_marks(unit, CAPTION, ANY_TEXT), _pooled(unit, "cer", status, errors)]
    return _shared(unit, task, status)


def _shared(unit: Unit, task: str, status: ScoreStatus | None) -> Sequence[Score]:
    """Return the Scores that official and paper have in common."""
    if task == "s2tt":
        return _marks(unit, BEAUTIES, ANY_TEXT)
    if task == "sqa":
        return [_mean(unit, "f1.token", status, official.answer_f1(_key(unit), _reply(unit)))]
    return [_mean(unit, "acc", status, official.is_chosen(_key(unit), _reply(unit)))]


def _standard(unit: Unit) -> Sequence[Score]:
    key, reply, task = _key(unit), _reply(unit), task_of(unit)
    status = _unscored_status(unit, REPLIES)
    if task == "asr":
        return [_pooled(unit, "cer", status, standard.asr_errors(key, reply))]
    if task == "s2tt":
        return _marks(unit, BEAUTIES, REPLIES)
    if task == "sec":
        errors = official.caption_errors(transcript_of(unit.item), reply)
        return [*_marks(unit, CAPTION, REPLIES), _pooled(unit, "cer", status, errors)]
    if task == "sqa":
        return [_mean(unit, "f1.characters", status, standard.answer_f1(key, reply))]
    letter = standard.chosen_letter(reply, unit.item.labels, unit.item.option_words())
    if not status and letter is None:
        return [unscored(unit, "acc", "unparsed")]
    return [_mean(unit, "acc", status, letter == key, extraction=letter)]


def _key(unit: Unit) -> str:
    return str(unit.item.target or "")


def _reply(unit: Unit) -> str:
    return unit.response.text if unit.response else ""


def _unscored_status(unit: Unit, reads: Collection[ResponseStatus]) -> ScoreStatus | None:
    """Return the status if the Unit can't be scored: no reply to read, or nothing to compare it with."""
    return lost_status(unit, reads) or ("unavailable" if unit.item.target is None else None)


def _pooled(unit: Unit, metric: str, status: ScoreStatus | None, errors: tuple[int, int]) -> Score:
    """Return the Score of an error rate; without a reply all of the reference counts as deleted."""
    wrong, length = errors
    return unscored(unit, metric, status, length, length) if status else scored(unit, metric, wrong, length)


def _mean(
    unit: Unit,
    metric: str,
    status: ScoreStatus | None,
    value: float,
    *,
    worst: float = 0.0,
    extraction: str | None = None,
) -> Score:
    return unscored(unit, metric, status, worst) if status else scored(unit, metric, value, extraction=extraction)


def _marks(unit: Unit, metrics: Sequence[str], reads: Collection[ResponseStatus]) -> list[Score]:
    """Return the judge's scores. A reply that no judge scored has no worst case: it is counted, but not in the mean."""
    status = lost_status(unit, reads)
    return [unscored(unit, metric, status, 0.0, 0.0) if status else _mark(unit, metric) for metric in metrics]


def _mark(unit: Unit, metric: str) -> Score:
    opinion = unit.verdicts.opinion(metric)
    if opinion.status != "scored":
        return unscored(unit, metric, opinion.status, 0.0, 0.0, extraction=opinion.texts or None, note=opinion.note)
    return scored(unit, metric, opinion.value * _POINTS[metric], extraction=opinion.texts, note=opinion.note)


def _protocol(name: str, summary: str, score: Scorer) -> Protocol:
    return Protocol(name, _VERSIONS.get(name, "1"), summary, "all", score, aggregate)


PROTOCOLS: dict[str, Protocol] = {
    "official": _protocol("official", "the released scorer, quirks included", _official),
    "paper": _protocol("paper", "as in the paper: a CER without spaces", _paper),
    "standard": _protocol("standard", "CER, F1 over characters, one letter extracted, never guessed", _standard),
}
