"""Estimate a build from a pilot (`--limit N`): an earlier, smaller build gives the pass rates and costs.

Nothing is asked or written. Every figure is a projection of the pilot's means and is labelled as such. Before any pilot
the figures follow from the prompts: `RULES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from triptych.construction.asking.stage import Group, Model, Roles, Unavailable
from triptych.construction.engine.folder import BuildFolder, StageCounts
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.records import Response, Usage
from triptych.running.ask import priced_as
from triptych.running.estimate import (
    AUDIO_TOKENS_A_SECOND,
    IMAGE_TOKENS,
    OUTPUT_TOKENS,
    SECONDS_A_REQUEST,
    TOKENS_A_SECOND,
    VIDEO_TOKENS_A_SECOND,
    text_tokens,
)
from triptych.running.prices import load_prices
from triptych.store.journals.journal import Journal

OUTPUT = OUTPUT_TOKENS["text"]
SECONDS = 30  # assumed length of a recording or film
RULES = (
    "every record of the raw material reaches every stage once, and is not split",
    "a Request has the prompt's text and the texts of a row of raw material",
    f"a recording or film is {SECONDS} s, {AUDIO_TOKENS_A_SECOND} or {VIDEO_TOKENS_A_SECOND} tokens a second; a "
    f"picture is {IMAGE_TOKENS:,} tokens",
    f"a reply has {OUTPUT} tokens, without reasoning",
)


class StageEstimate(msgspec.Struct, frozen=True, omit_defaults=True):
    """The effort that one stage of a build is expected to need.

    Attributes:
        stage: Name of the stage.
        kind: Kind of the stage.
        came: Number of records expected to come in; None if no earlier stage gives a rate.
        pilot: Number of records that came in when the pilot was built.
        requests: Requests expected over all records, second attempts included; 0 for a stage that asks no model.
        input_tokens: Tokens of the input.
        output_tokens: Tokens of the output.
        usd: Cost in US dollars; None if a price isn't known.
        seconds: Sum of the response times; divided by the concurrency, a lower bound of the duration.
        basis: `pilot`: by a pilot's means; `prompts`: before any pilot, by the length of the prompts.
    """

    stage: str
    kind: str
    came: float | None
    pilot: int = 0
    requests: float | None = 0
    input_tokens: float | None = 0
    output_tokens: float | None = 0
    usd: float | None = 0
    seconds: float | None = 0
    basis: str = "pilot"


class _JournalCounts(msgspec.Struct):
    """The contents of a stage's journals."""

    responses: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    seconds: float = 0.0


def estimate_build(folder: BuildFolder, stages: Sequence[Stage], records: int) -> list[StageEstimate]:
    """Return a StageEstimate for each stage, for this number of Records of raw material."""
    counts = {each.stage: each for each in folder.funnel()}
    came: float | None = records
    estimates = []
    for stage in stages:
        pilot = counts.get(stage.name)
        concerned = _share(pilot, came)
        estimates.append(_estimate(folder, stage, pilot, concerned))
        came = _estimate_remaining(pilot, came, concerned)
    return estimates


def estimate_by_prompts(
    stages: Sequence[Stage], records: Sequence[Record], models: Roles, price_file: Path | None = None
) -> list[StageEstimate]:
    """Return a StageEstimate for each stage before any pilot, by `RULES`: rather too much than too little.

    Stages that people fill cost nothing; so does a model whose price is 0. A role without a model has no price. A
    model's price is the one that its role states, otherwise that of the price file, otherwise the built-in one.
    """
    mean_tokens = _mean([text_tokens(_words(record.fields)) for record in records])
    estimates = []
    for stage in stages:
        n = (
            float(sum(stage.concerns(record.fields) for record in records))
            if _has_fields(stage, records)
            else len(records)
        )
        if stage.asks is None:
            estimates.append(StageEstimate(stage.name, stage.kind, n, basis="prompts"))
            continue
        asked_models = [model for role in stage.asks.roles if not isinstance(model := models.get(role), Group)]
        tokens = round(
            text_tokens(stage.asks.prompt.content + stage.asks.prompt.system) + mean_tokens + _media_tokens(stage)
        )
        costs = [_price(model, tokens, price_file) for model in asked_models]
        usd = None if None in costs else n * sum(cost or 0 for cost in costs)
        estimates.append(
            StageEstimate(
                stage.name,
                stage.kind,
                n,
                0,
                n * len(asked_models),
                n * len(asked_models) * tokens,
                n * len(asked_models) * OUTPUT,
                usd,
                n * len(asked_models) * (SECONDS_A_REQUEST + OUTPUT / TOKENS_A_SECOND),
                "prompts",
            )
        )
    return estimates


def _has_fields(stage: Stage, records: Sequence[Record]) -> bool:
    """Whether the raw material has the fields by which a stage chooses its records."""
    return all(any(name in record.fields for record in records) for name in stage.where)


def _media_tokens(stage: Stage) -> int:
    assert stage.asks is not None
    audio = sum("audio" in name for name in stage.asks.shows)
    film = sum("video" in name for name in stage.asks.shows)
    others = len(stage.asks.shows) - audio - film
    return audio * SECONDS * AUDIO_TOKENS_A_SECOND + film * SECONDS * VIDEO_TOKENS_A_SECOND + others * IMAGE_TOKENS


def _price(model: Model | Unavailable | None, tokens: int, price_file: Path | None) -> float | None:
    if model is None:
        return None
    name, endpoint = (
        (priced_as(model.adapter), model.adapter.endpoint) if isinstance(model, Model) else (model.name, "")
    )
    usage = Usage(input_tokens=tokens, output_tokens=OUTPUT, audio_tokens=0)
    return load_prices(price_file, model.price).cost(name, endpoint, frozenset({"text"}), usage)


def _words(fields: Mapping[str, object]) -> str:
    return " ".join(value for value in fields.values() if isinstance(value, str))


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _estimate(folder: BuildFolder, stage: Stage, pilot: StageCounts | None, came: float | None) -> StageEstimate:
    before = pilot.came if pilot else 0
    if stage.kind != "ask":
        return StageEstimate(stage.name, stage.kind, came, before)
    counts = _journal_counts(folder, stage)
    share = came / before if came is not None and before else None
    if share is None or not counts.responses:
        return StageEstimate(stage.name, stage.kind, came, before, None, None, None, None, None)
    return StageEstimate(
        stage.name,
        stage.kind,
        came,
        before,
        counts.responses * share,
        counts.input_tokens * share,
        counts.output_tokens * share,
        None if counts.usd is None else counts.usd * share,
        counts.seconds * share,
    )


def _journal_counts(folder: BuildFolder, stage: Stage) -> _JournalCounts:
    """Return the sums over a stage's replies. A cached reply costs nothing; one without a price makes `usd` None."""
    counts = _JournalCounts()
    for path in sorted((folder.stage(stage.name) / "replies").glob("*.jsonl")):
        for response in Journal(path, Response):
            counts.responses += 1
            counts.seconds += response.seconds
            if response.usage:
                counts.input_tokens += response.usage.input_tokens or 0
                counts.output_tokens += response.usage.output_tokens or 0
            if response.cost_usd is None and not response.cached:
                counts.usd = None
            elif counts.usd is not None:
                counts.usd += response.cost_usd or 0
    return counts


def _share(pilot: StageCounts | None, came: float | None) -> float | None:
    """Return the share of the records to which the stage applies."""
    if pilot is None or came is None or not pilot.came + pilot.passed_by:
        return came if pilot is None or not pilot.passed_by else None
    return came * pilot.came / (pilot.came + pilot.passed_by)


def _estimate_remaining(pilot: StageCounts | None, came: float | None, concerned: float | None) -> float | None:
    """Return how many records go on after the stage."""
    if pilot is None or came is None or concerned is None:
        return None
    return came - concerned + (concerned * pilot.went / pilot.came if pilot.came else 0.0)
