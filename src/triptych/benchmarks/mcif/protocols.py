"""The protocols of MCIF, and how Scores are aggregated to the tables' figures.

official  As in the released scorer. Recognition: WER after Whisper's English normaliser, over all talks; each segment
          is normalised separately, then the talk's segments are joined by spaces in order. Translation: COMET over a
          talk's lines, after its segments were joined and divided again to minimise the WER against the reference's
          lines. Questions and summaries: BERTScore's F1, rescaled. Refused and truncated replies are scored like any
          other.
standard  The same metrics; a reply that was refused or truncated at the token limit has no score.

COMET and BERTScore need an encoder. Without one, the Scores are `unavailable` and have no worst case: they are counted,
but not in the mean. With one, a Unit without a reply scores 0, which is what rescaled BERTScore gives unrelated texts,
and COMET a useless translation. A translation that is too long to be divided into lines (see `resegment`) is `unparsed`
and scores 0 as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from triptych.benchmarks.mcif.names import (
    KINDS,
    LANGUAGES,
    MODALITIES,
    PROMPT_SETS,
    QA_ORIGINS,
    QA_TYPES,
    TRACKS,
    kinds_of,
)
from triptych.errors import DataError
from triptych.metrics.embedding import TextComparison
from triptych.metrics.error_rate import word_errors
from triptych.metrics.text.bounded_cache import remembered
from triptych.metrics.text.normalise import english
from triptych.metrics.text.resegmentation import TooManyWords, resegment
from triptych.protocols.outcomes import ANY_TEXT, REPLIES, lost_status, scored, unscored
from triptych.protocols.protocol import Cell, Figure, Protocol, Unit
from triptych.records import ResponseStatus, Score, ScoreStatus

if TYPE_CHECKING:
    from triptych.protocols.protocol import Array

METRIC_OF = {"ASR": "wer", "TRANS": "comet", "QA": "bertscore", "SUM": "bertscore"}
BY_CHARACTERS = frozenset({"zh"})
_MEASURE = {"comet": "comet", "bertscore": "bertscore.rescaled"}
# Facets by which figures are split, one at a time
_MODALITY = (("modality", MODALITIES),)
_PROMPTS = (("prompts", PROMPT_SETS),)
_QUESTION = (("qa_type", QA_TYPES), ("qa_origin", QA_ORIGINS))


@dataclass(frozen=True, slots=True)
class TranslatedLine:
    """One line of a translation, as input for COMET."""

    source: str
    hypothesis: str
    reference: str


def transcript_errors(unit: Unit) -> tuple[int, int]:
    """Return WER's statistics of a talk: (word edits, words of the reference)."""
    return word_errors(_normalise(str(unit.item.target)), " ".join(_normalise(r.text) for r in unit.responses if r))


def translation_lines(unit: Unit) -> list[TranslatedLine]:
    """Return a talk's translation, divided into the lines of its reference, each with its source line.

    Chinese is divided between characters, other languages between words. A talk without any word becomes one full stop,
    as in the released scorer, whose segmenter rejects an empty text. Raises DataError if source and reference differ in
    their numbers of lines.
    """
    joined = "\n".join(r.text.strip() for r in unit.responses if r)
    source, characters = unit.item.hidden.get("source", ""), unit.item.facets["language"] in BY_CHARACTERS
    return list(_lines(source, str(unit.item.target), joined, characters, unit.unit_id))


@remembered(256)  # protocols ask for the same talks, to compare them and to score them
def _lines(source: str, reference: str, joined: str, characters: bool, where: str) -> tuple[TranslatedLine, ...]:
    references, sources = reference.split("\n"), source.split("\n")
    if len(sources) != len(references):
        raise DataError(
            "source and reference differ in their numbers of lines",
            where=where,
            expected=len(references),
            got=len(sources),
        )
    lines = resegment(joined if joined.strip() else ".", references, characters=characters)
    return tuple(
        TranslatedLine(*(part.strip() for part in line)) for line in zip(sources, lines, references, strict=True)
    )


def comparisons(unit: Unit) -> list[TextComparison]:
    """Return the encoder's input for a Unit with a reply: a talk's lines, or an answer; empty for a transcript."""
    metric, language = METRIC_OF[unit.item.facets["kind"]], unit.item.facets["language"]
    if metric == "wer":
        return []
    if metric == "comet":
        # COMET reads every language with one model
        return [
            TextComparison("comet", line.hypothesis, line.reference, "", line.source)
            for line in translation_lines(unit)
        ]
    reply = "\n".join(r.text for r in unit.responses if r)
    return [TextComparison(_MEASURE[metric], reply, str(unit.item.target), language)]


def _official(unit: Unit) -> Sequence[Score]:
    return _score(unit, ANY_TEXT)


def _standard(unit: Unit) -> Sequence[Score]:
    return _score(unit, REPLIES)


def _score(unit: Unit, reads: Collection[ResponseStatus]) -> Sequence[Score]:
    metric = METRIC_OF[unit.item.facets["kind"]]
    status = lost_status(unit, reads) or ("unavailable" if unit.item.target is None else None)
    if metric != "wer":
        return [_similarity(unit, metric, status)]
    errors, words = transcript_errors(unit)
    if status:
        return [unscored(unit, metric, status, words, words)]
    return [scored(unit, metric, errors, words)]


def _similarity(unit: Unit, metric: str, status: ScoreStatus | None) -> Score:
    """Return the sum of a Unit's comparisons and their number."""
    missing = _lacking(unit, metric)
    if status:
        lines = 0 if missing or unit.item.target is None else _weight(unit, metric)
        return unscored(unit, metric, status, 0.0, lines)
    try:
        values = [unit.compared.value(one) for one in ([] if missing else comparisons(unit))]
    except TooManyWords as error:
        return unscored(unit, metric, "unparsed", 0.0, _weight(unit, metric), note=str(error))
    defined = [value for value in values if value is not None]
    if missing or len(defined) < len(values):
        return unscored(unit, metric, "unavailable", 0.0, 0.0, note=missing or _lacking(unit, metric))
    return scored(unit, metric, sum(defined), len(defined))


def _lacking(unit: Unit, metric: str) -> str:
    language = "" if metric == "comet" else unit.item.facets["language"]
    return unit.compared.missing_reason(_MEASURE[metric], language)


def _weight(unit: Unit, metric: str) -> int:
    """Return how many comparisons a Unit would have: the lines of a translation, or one."""
    return str(unit.item.target).count("\n") + 1 if metric == "comet" else 1


def _comparing(reads: Collection[ResponseStatus]) -> Callable[[Unit], list[TextComparison]]:
    def compares(unit: Unit) -> list[TextComparison]:
        metric = METRIC_OF[unit.item.facets["kind"]]
        if metric == "wer" or unit.item.target is None or lost_status(unit, reads) or _lacking(unit, metric):
            return []
        try:
            return comparisons(unit)
        except TooManyWords:  # its Score says so
            return []

    return compares


def _normalise(text: str) -> str:
    return english(text).strip()


def aggregate(cells: Sequence[Cell], sums: Array) -> Iterator[Figure]:
    """Yield, for sums of shape (…, cells, 2), each Task's metric over its Units pooled; then each track's tasks over
    all languages, as the unweighted mean of theirs (`mcif`, slice `track` and `kind`). In percent.

    Every figure also by modality, prompt set and both, and for questions by type and origin.
    Source: the paper's overall table, whose cells are the means of the per-language ones.
    """
    for task, metric, slice_, members in _of_tasks(tuple(cells)):
        yield Figure(task, metric, dict(slice_), _pooled(sums, members), members)
    for metric, slice_, members, groups, expected in _of_tracks(tuple(cells)):
        values = [_pooled(sums, group) for group in groups]
        mean = sum(values[1:], start=values[0]) / len(values)
        yield Figure("mcif", metric, dict(slice_), mean, members, expected)


class _Pooled(NamedTuple):
    """A figure of one Task: the cells that are pooled."""

    task: str
    metric: str
    slice: dict[str, str]
    cells: tuple[int, ...]


class _OverLanguages(NamedTuple):
    """A figure of a track: `groups` has the cells of each language that has any, `expected` counts those of all."""

    metric: str
    slice: dict[str, str]
    cells: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    expected: int


# Which cells a figure is made of depends on the cells alone; the sums change with each bootstrap and derivative.
@lru_cache(maxsize=8)
def _of_tasks(cells: tuple[Cell, ...]) -> list[_Pooled]:
    figures = []
    for task in dict.fromkeys(cell.task for cell in cells):
        chosen_cells = [n for n, cell in enumerate(cells) if cell.task == task]
        metric = cells[chosen_cells[0]].metric
        figures += [_Pooled(task, metric, slice_, tuple(members)) for slice_, members in _slices(chosen_cells, cells)]
    return figures


@lru_cache(maxsize=8)
def _of_tracks(cells: tuple[Cell, ...]) -> list[_OverLanguages]:
    """Return the figures over all languages. A language without any cell is left out, and `parts` shows it; each
    language should have as many cells as the one with most."""
    figures = []
    for track in TRACKS:
        for kind in KINDS:
            chosen_cells = [n for n, cell in enumerate(cells) if _track_and_kind(cell) == (track, kind)]
            languages = [language for language in LANGUAGES if kind in kinds_of(track, language)]
            for slice_, members in _slices(chosen_cells, cells) if chosen_cells else ():
                groups = [tuple(n for n in members if cells[n].task.split("/")[2] == one) for one in languages]
                expected = len(languages) * max(map(len, groups))
                named = {"track": track, "kind": kind, **slice_}
                there = tuple(group for group in groups if group)
                figures.append(_OverLanguages(METRIC_OF[kind], named, tuple(members), there, expected))
    return figures


def _slices(members: Sequence[int], cells: Sequence[Cell]) -> Iterator[tuple[dict[str, str], list[int]]]:
    """Yield the members by nothing, by modality, by prompt set, by both; each also by one facet of questions."""
    slices = [(n, frozenset(cells[n].slice)) for n in members]
    for modality in _choices(_MODALITY):
        for prompts in _choices(_PROMPTS):
            for question in _choices(_QUESTION):
                slice_ = {**modality, **prompts, **question}
                wanted = frozenset(slice_.items())
                if matching_members := [n for n, values in slices if wanted <= values]:
                    yield slice_, matching_members


def _choices(facets: Sequence[tuple[str, Sequence[str]]]) -> Iterator[dict[str, str]]:
    """Yield an empty slice, then each value of each facet."""
    yield {}
    for name, values in facets:
        yield from ({name: value} for value in values)


def _track_and_kind(cell: Cell) -> tuple[str, str]:
    _, track, _, kind = cell.task.split("/")
    return track, kind


def _pooled(sums: Array, members: Sequence[int]) -> Array:
    total = sums[..., list(members), :].sum(axis=-2)
    value: Array = 100.0 * total[..., 0] / total[..., 1]
    return value


def _protocol(
    name: str, summary: str, score: Callable[[Unit], Sequence[Score]], reads: Collection[ResponseStatus]
) -> Protocol:
    return Protocol(name, "1", summary, "all", score, aggregate, compares=_comparing(reads))


PROTOCOLS: dict[str, Protocol] = {
    "official": _protocol("official", "the released scorer: WER, COMET, rescaled BERTScore", _official, ANY_TEXT),
    "standard": _protocol("standard", "the same metrics; no score if refused or truncated", _standard, REPLIES),
}
