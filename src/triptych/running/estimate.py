"""Estimates of a Run before it starts: Requests, tokens, money and time, with the rules they are based on.

The length of answers can't be known, and servers count media in different ways. The rules are simple and shown with the
figures; an unknown price stays unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from triptych.errors import MediaError
from triptych.media.lengths import film_seconds, media_seconds
from triptych.media.payload import MediaReader
from triptych.models.adapter import Adapter
from triptych.records import AnswerForm, Part, Request, Usage
from triptych.running.prices import Prices

CHARACTERS_A_TOKEN = 4  # letters of an alphabet; an ideograph counts as one token
AUDIO_TOKENS_A_SECOND = 25
VIDEO_TOKENS_A_SECOND = 260
IMAGE_TOKENS = 1000
OUTPUT_TOKENS: dict[AnswerForm, int] = {"letter": 5, "option": 30, "options": 100, "text": 200}
SECONDS_A_REQUEST, TOKENS_A_SECOND = 1.0, 50
RULES = (
    f"{CHARACTERS_A_TOKEN} letters or one ideograph per token",
    f"sound {AUDIO_TOKENS_A_SECOND} tokens per second, video {VIDEO_TOKENS_A_SECOND}, an image {IMAGE_TOKENS:,}",
    "answers of " + ", ".join(f"{n} tokens ({form})" for form, n in OUTPUT_TOKENS.items()) + ", at most max_tokens; "
    "reasoning is not included",
    f"{SECONDS_A_REQUEST:g} s per Request plus 1 s per {TOKENS_A_SECOND} output tokens, at the given concurrency",
)
Number = TypeVar("Number", int, float)
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class RunEstimate(msgspec.Struct, omit_defaults=True):
    """Sums over the Requests of a plan. None means unknown.

    Attributes:
        items: Number of Items.
        requests: Number of Requests.
        tasks: Number of Requests by Task.
        text_tokens: Tokens of the texts.
        audio_seconds: Seconds of sound.
        video_seconds: Seconds of video.
        images: Number of images.
        unmeasured: Number of media of unknown length, counted as 0.
        missing: Number of files that can't be read, images included.
        first_missing: The first of them, with the reason.
        input_tokens: Tokens of the input.
        output_tokens: Tokens of the output, by the form of the answer.
        output_tokens_most: Tokens of the output if every answer reached max_tokens; None if there is no limit.
        usd: Cost in US dollars.
        usd_most: Cost if every answer reached max_tokens.
        seconds: Duration at the given concurrency.
        hopeless: Reason -> number of Requests that a Condition can't be applied to; they are not sent.
        skipped: Number of Requests with input that the model doesn't support.
        rules: The assumptions, in sentences.
    """

    items: int = 0
    requests: int = 0
    tasks: dict[str, int] = {}
    text_tokens: int = 0
    audio_seconds: float = 0.0
    video_seconds: float = 0.0
    images: int = 0
    unmeasured: int = 0
    missing: int = 0
    first_missing: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    output_tokens_most: int | None = 0
    usd: float | None = 0.0
    usd_most: float | None = 0.0
    seconds: float = 0.0
    hopeless: dict[str, int] = {}
    skipped: int = 0
    rules: tuple[str, ...] = RULES


def estimate(
    requests: Iterable[Request], adapter: Adapter, media: MediaReader, prices: Prices, concurrency: int
) -> RunEstimate:
    """Sum up a plan, Request by Request; only the headers of media files are read."""
    measure, run_estimate = _Measure(media), RunEstimate()
    tasks: Counter[str] = Counter()
    hopeless: Counter[str] = Counter()
    items: set[str] = set()
    for request in requests:
        tasks[request.item.task if request.item else ""] += 1
        items.add(request.id)
        if request.unaskable:
            hopeless[request.unaskable.why.partition("\n")[0]] += 1
        elif request.kinds - adapter.accepts:
            run_estimate.skipped += 1
        else:
            _add(run_estimate, request, measure, adapter, prices)
    run_estimate.requests, run_estimate.items = tasks.total(), len(items)
    run_estimate.missing, run_estimate.first_missing = (
        len(measure.unreadable),
        next(iter(measure.unreadable.values()), ""),
    )
    run_estimate.tasks, run_estimate.hopeless = dict(sorted(tasks.items())), dict(hopeless)
    run_estimate.seconds = round(run_estimate.seconds / max(1, min(concurrency, run_estimate.requests)), 1)
    run_estimate.audio_seconds, run_estimate.video_seconds = (
        round(run_estimate.audio_seconds, 1),
        round(run_estimate.video_seconds, 1),
    )
    return run_estimate


def text_tokens(words: str) -> int:
    """Return the approximate number of tokens in a text."""
    ideographs = len(_IDEOGRAPH.findall(words))
    return ideographs + -(-(len(words) - ideographs) // CHARACTERS_A_TOKEN)


class _Measure:
    """Lengths of media in seconds; each file is opened once. `unreadable`: the reasons why others can't be read."""

    def __init__(self, media: MediaReader) -> None:
        self.unreadable: dict[str, str] = {}
        self._media = media
        self._measured: dict[str, float | None] = {}

    def seconds(self, part: Part) -> float | None:
        """Return the length of a recording or video; 0 for images and unreadable files, None if unknown."""
        if part.path not in self._measured:
            self._measured[part.path] = self._measure_seconds(part)
        return self._measured[part.path]

    def _measure_seconds(self, part: Part) -> float | None:
        try:
            path = self._media.resolve(part)
        except MediaError as error:
            self.unreadable[part.path] = " ".join(map(str, filter(None, (error.problem, error.got, error.where))))
            return 0.0
        if part.kind == "image":
            return 0.0
        return film_seconds(path) if part.kind == "video" else media_seconds(path)


def _add(run_estimate: RunEstimate, request: Request, measure: _Measure, adapter: Adapter, prices: Prices) -> None:
    """Add one Request."""
    words = sum(text_tokens(p.text) for m in request.messages for p in m.parts if not p.is_media)
    audio = video = 0.0
    images = 0
    for part in request.media_parts:
        images += part.kind == "image"
        length = measure.seconds(part)
        run_estimate.unmeasured += length is None
        audio += (length or 0.0) if part.kind == "audio" else 0.0
        video += (length or 0.0) if part.kind == "video" else 0.0
    sound_tokens = round(audio * AUDIO_TOKENS_A_SECOND)
    input_tokens = words + sound_tokens + round(video * VIDEO_TOKENS_A_SECOND) + images * IMAGE_TOKENS
    limit = request.settings.get("max_tokens")
    usual = OUTPUT_TOKENS[request.item.answer if request.item else "text"]
    made = min(usual, limit) if limit else usual
    run_estimate.text_tokens += words
    run_estimate.audio_seconds += audio
    run_estimate.video_seconds += video
    run_estimate.images += images
    run_estimate.input_tokens += input_tokens
    run_estimate.output_tokens += made
    run_estimate.output_tokens_most = _plus(run_estimate.output_tokens_most, limit)
    run_estimate.seconds += SECONDS_A_REQUEST + made / TOKENS_A_SECOND
    run_estimate.usd = _plus(run_estimate.usd, _price(request, input_tokens, made, sound_tokens, adapter, prices))
    max_price = None if limit is None else _price(request, input_tokens, limit, sound_tokens, adapter, prices)
    run_estimate.usd_most = _plus(run_estimate.usd_most, max_price)


def _price(
    request: Request, tokens: int, made: int, sound_tokens: int, adapter: Adapter, prices: Prices
) -> float | None:
    usage = Usage(input_tokens=tokens, output_tokens=made, audio_tokens=sound_tokens)
    return prices.cost(adapter.name, adapter.endpoint, request.kinds, usage)


def _plus(total: Number | None, more: Number | None) -> Number | None:
    return None if total is None or more is None else total + more
