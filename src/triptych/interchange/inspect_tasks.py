"""Our benchmarks as Inspect tasks: `inspect eval triptych/xmodbench --model openai/NAME -T limit=2`.

Inspect finds them by the entry point group `inspect_ai`. The questions, prompts and scorers are ours, the models and
the loop are Inspect's; `triptych import LOG` converts the log to a Run.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.dataset import Sample as InspectSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer
from inspect_ai.solver import TaskState, generate

from triptych.benchmarks import Benchmark, known_benchmarks, load_benchmark
from triptych.errors import SpecError
from triptych.experiment.plan import Plan
from triptych.experiment.planning import plan
from triptych.interchange.inspect_read import STOPS
from triptych.interchange.inspect_write import KEY
from triptych.media.convert import audio_to_wav
from triptych.media.payload import MediaReader
from triptych.protocols.protocol import Unit
from triptych.records import Item, Message, Part, Response
from triptych.scoring.apply import score_units
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.stored.units import group_units

Texts = str | list[str]


def make_task(benchmark: str, **what: Any) -> Task:
    """Return the benchmark as a Task; `what`: the keywords of `triptych.api.plan`, and `protocol`.

    Media are sent inside the messages, audio as WAV. Items of one Unit are separate samples and are joined for scoring.
    Raises SpecError and DataError as `plan` does.
    """
    protocol = what.pop("protocol", None)
    names, filters = _listed(what.pop("tasks", "")), read_filters(what.pop("filters", ""))
    arguments = {k: v for k, v in what.items() if v is not None}
    ready = plan(benchmark, "baseline/constant", tasks=names, filters=filters, **arguments)
    decoding = {k: v for k, v in ready.manifest.decoding.items() if k in GenerateConfig.model_fields}
    chosen = ready.benchmark.protocol(protocol or ready.benchmark.spec.protocols[0]).name
    return Task(
        dataset=MemoryDataset(list(_samples(ready)), name=f"triptych/{ready.benchmark.name}"),
        solver=generate(),
        scorer=protocol_scorer(ready.benchmark.name, chosen),
        metrics=[figures(ready.benchmark.name, chosen)],
        config=GenerateConfig(**decoding),
        version=ready.benchmark.spec.version,
        metadata={KEY: {"data": ready.manifest.data_sha256, "prompt": ready.manifest.prompt}},
    )


def _listed(words: Texts) -> list[str]:
    """Return `a,b` as a list; Inspect's command line may have split it already."""
    return [word for word in (words.split(",") if isinstance(words, str) else words) if word]


def read_filters(words: Texts) -> dict[str, list[str]]:
    """Return `direction=audio_text,direction=text_audio` as facet -> values. Raises SpecError if `=` is missing."""
    filters: dict[str, list[str]] = {}
    for pair in _listed(words):
        facet, equals, value = pair.partition("=")
        if not equals:
            raise SpecError("can't read the filters", expected="FACET=VALUE,…", got=words)
        filters.setdefault(facet.strip(), []).append(value.strip())
    return filters


def _samples(ready: Plan) -> Iterator[InspectSample]:
    media = MediaReader(ready.data)
    for request in ready.requests():
        item = request.item
        assert item is not None
        item_target = item.target
        target = "" if item_target is None else item_target if isinstance(item_target, str) else list(item_target)
        yield InspectSample(
            id=item.id,
            input=[_message(message, media) for message in request.messages],
            target=target,
            metadata={**item.facets, KEY: {"item": msgspec.to_builtins(item)}},
        )


def _message(message: Message, media: MediaReader) -> ChatMessage:
    content: list[Content] = [_content(part, media) for part in message.parts]
    return ChatMessageSystem(content=content) if message.role == "system" else ChatMessageUser(content=content)


def _content(part: Part, media: MediaReader) -> Content:
    if not part.is_media:
        return ContentText(text=part.text)
    payload = media.load(part)
    if part.kind == "audio" and payload.mime not in ("audio/wav", "audio/mpeg"):
        payload = audio_to_wav(payload)
    uri = f"data:{payload.mime};base64,{base64.b64encode(payload.data).decode()}"
    if part.kind == "image":
        return ContentImage(image=uri)
    if part.kind == "video":
        return ContentVideo(video=uri, format="mp4")
    return ContentAudio(audio=uri, format="mp3" if payload.mime == "audio/mpeg" else "wav")


def _task_of(name: str) -> Callable[..., Task]:
    """Return the function that Inspect lists for a benchmark."""

    def task_function(
        tasks: Texts = "",
        data: str | None = None,
        limit: int | None = None,
        filters: Texts = "",
        sample: str = "",
        prompt: str | None = None,
    ) -> Task:
        """`tasks`: comma-separated, as in `triptych list tasks`; `data`: default the mini set; `limit`: number of
        Instances of each task; `filters`: FACET=VALUE,… (`direction=audio_text`); `sample`, `prompt`: names of the
        benchmark's own."""
        return make_task(name, tasks=tasks, data=data, limit=limit, filters=filters, sample=sample, prompt=prompt)

    registered: Callable[..., Task] = task(name=name)(task_function)
    return registered


# Inspect looks for Tasks among the names of a module
globals().update({name: _task_of(name) for name in known_benchmarks()})


@metric
def figures(benchmark: str, protocol: str) -> Metric:
    """The protocol's own figures over all samples, by `TASK METRIC`; those without a value are left out."""

    def figures_of_scores(scores: list[SampleScore]) -> Mapping[str, float]:
        bench = load_benchmark(benchmark)
        rows = [(score.score.metadata or {})[KEY] for score in scores]
        items = {row["item"]["id"]: msgspec.convert(row["item"], Item) for row in rows}
        replies = [msgspec.convert(row["response"], Response) for row in rows]
        repeats = 1 + max((reply.repeat for reply in replies), default=0)
        units = group_units(items.values(), replies, repeats)
        chosen = bench.protocol(protocol)
        aggregates = aggregate_scores(score_units(units, chosen), chosen, bench.spec, replicates=0)
        return {f"{a.task} {a.metric}": a.value for a in aggregates if not a.slice and a.value is not None}

    return figures_of_scores


@scorer(metrics=[mean()])
def protocol_scorer(benchmark: str, protocol: str) -> Scorer:
    """Return a scorer by the benchmark's protocol. A sample without a score has its status as its value, since Inspect
    would leave NaN out of the denominators, and 0 would be false."""

    async def score(state: TaskState, _target: Target) -> Score:
        item = msgspec.convert(state.metadata[KEY]["item"], Item)
        response = _response(state, item)
        metadata = {KEY: {"item": msgspec.to_builtins(item), "response": msgspec.to_builtins(response)}}
        value, answer, note = _value(load_benchmark(benchmark), protocol, item, response)
        return Score(value=value, answer=answer, explanation=note, metadata=metadata)

    return score


def _value(
    bench: Benchmark, protocol: str, item: Item, response: Response
) -> tuple[float | str, str | None, str | None]:
    if item.unit_size > 1:
        return "part", None, "one of several Items of a Unit: see the figures"
    first = bench.protocol(protocol).score(Unit((item,), (response,)))[0]
    extraction = first.extraction
    answer = "; ".join(extraction) if isinstance(extraction, tuple) else extraction
    return (first.status if first.value is None else first.value), answer, first.note or first.status


def _response(state: TaskState, item: Item) -> Response:
    output = state.output
    if not output.choices:
        return Response(item.id, "", state.epoch - 1, "failed")
    status = STOPS.get(str(output.choices[0].stop_reason), "answered")
    return Response(item.id, "", state.epoch - 1, status, output.completion)
