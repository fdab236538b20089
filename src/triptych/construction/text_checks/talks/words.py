"""Which talk an abstract is about: its words against those of the transcripts of all talks."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from triptych.construction.text_checks.shortened import reads_shortened

_WORD = re.compile(r"[^\W\d_]{4,}")
MIN_WORDS = 12  # different words of an abstract and of a transcript that are compared
MIN_SHARED = 0.12  # cosine of an abstract and the transcript of another talk


def other_talks(abstracts: Mapping[str, str], transcripts: Mapping[str, str], margin: float = 2.0) -> dict[str, str]:
    """Return the talks whose abstract goes with the transcript of another talk: talk -> that other talk.

    Compared by the cosine of their words of at least four letters, weighted by how few talks have them; the other one
    must share `margin` times as much.
    """
    texts = {talk: Counter(_WORD.findall(text.casefold())) for talk, text in transcripts.items()}
    unlike = list({tuple(sorted(words.items())): words for words in texts.values()}.values())
    counts = Counter(word for words in unlike for word in words)
    weights = {word: math.log((1 + len(unlike)) / count) for word, count in counts.items()}
    vectors = {talk: _vector(words, weights) for talk, words in texts.items()}
    index: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for talk, vector in vectors.items():
        for word, value in vector.items():
            index[word].append((talk, value))
    others = {}
    for talk, abstract in abstracts.items():
        words = Counter(_WORD.findall(abstract.casefold()))
        if talk not in texts or min(len(words), len(texts[talk])) < MIN_WORDS:
            continue
        shared: dict[str, float] = defaultdict(float)
        for word, value in _vector(words, weights).items():
            for other, weight in index[word]:
                shared[other] += value * weight
        nearest = max(shared, key=lambda other: shared[other], default=talk)
        if shared and shared[nearest] > max(MIN_SHARED, margin * shared[talk]):
            others[talk] = nearest
    return others


def _vector(words: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    raw = {word: (1 + math.log(count)) * weights[word] for word, count in words.items() if weights.get(word, 0) > 0}
    norm = math.sqrt(sum(value * value for value in raw.values())) or 1.0
    return {word: value / norm for word, value in raw.items()}


MIN_ABSTRACT = 25  # different words of an abstract of which some must be in its talk
MIN_TALK = 60  # different words of a transcript in which they are looked for
MIN_OWN = 0.12  # share of an abstract's words, by their beginnings, that its talk has


@reads_shortened
def says_otherwise(abstract: str, transcript: str) -> bool:
    """Return whether a talk has hardly a word of its abstract: it is somebody's biography, or a call for papers."""
    words = {word[:6] for word in _WORD.findall(abstract.casefold()) if word not in _USUAL}
    talk = {word[:6] for word in _WORD.findall(transcript.casefold())}
    return len(words) >= MIN_ABSTRACT and len(talk) >= MIN_TALK and len(words & talk) < MIN_OWN * len(words)


# Words of four letters or more that texts have whatever they are about
_USUAL = frozenset(
    re.split(
        " ",
        "that this with from have been were their they them then than when which what where there these those such "
        "also more most some many much very into over only other about after before between because while through "
        "during under will would could should does done being each both same well even just like make made used using "
        "show shows work first",
    )
)
