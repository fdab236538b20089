"""One row of a samples file of lm-eval or lmms-eval: a reply, or log-likelihoods, and its scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from triptych.interchange.foreign import ForeignSample
from triptych.interchange.inspect_write import KEY
from triptych.interchange.likelihoods import Likelihoods, likelihoods_of
from triptych.records import Usage

# Fields of a row that aren't scores, if the row has no list of its metrics (`metrics`)
_NO_SCORES = {
    "doc_id",
    "doc",
    "target",
    "arguments",
    "resps",
    "filtered_resps",
    "filter",
    "metrics",
    "doc_hash",
    "prompt_hash",
    "target_hash",
    "input",
    "input_media",
    "token_counts",
    "idx",
    "index",
    "status",
    "bypass",
    KEY,
}


_NOTHING_READ = "[invalid]"  # what lm-eval's filters return if their expression isn't found


def of_lm_eval(row: Mapping[str, Any]) -> bool:
    """Return whether lm-eval wrote the row: lmms-eval writes `input` in place of the arguments and the document. (Up to
    version 0.4 it also wrote hashes of prompt and target, as lm-eval does.)"""
    return "input" not in row and ("prompt_hash" in row or isinstance(row.get("arguments"), dict))


def read_row(row: Mapping[str, Any], where: str, task: str, filter_: Any) -> ForeignSample:
    """Return the sample in a row.

    The reply is the model's; what a filter extracted from it is `read`. If the model was asked for log-likelihoods, the
    reply is the most likely option (its letter), and the numbers are kept.
    """
    likelihoods = likelihoods_of(row)
    return _compared_sample(row, task, filter_, likelihoods) if likelihoods else _replied(row, task, filter_)


def _replied(row: Mapping[str, Any], task: str, filter_: Any) -> ForeignSample:
    replies = row.get("filtered_resps", row.get("resps"))
    raw = list(_texts(row.get("resps", replies)))
    reply, read = (raw[0] if raw else None), _parsed(row) or next(_texts(replies), None)
    return ForeignSample(
        **_common(row, task, filter_),
        question=_question(row),
        target=(str(row.get("target", "")),),
        reply="" if reply is None else reply,
        status="failed" if reply is None else "answered",
        error="the log has no reply",
        read=read if read not in (reply, _NOTHING_READ) else None,
        more=tuple((f"reply:{number}", text) for number, text in enumerate(raw[1:], 2)),
    )


def _parsed(row: Mapping[str, Any]) -> str | None:
    """Return the answer that a task of lmms-eval read out of the reply, if the row tells it."""
    for value in row.values():
        if isinstance(value, dict):
            for name in ("parsed_pred", "prediction", "model_prediction"):
                if isinstance(content := value.get(name), str) and ("score" in value or name != "prediction"):
                    return content
    return None


def _compared_sample(row: Mapping[str, Any], task: str, filter_: Any, likelihoods: Likelihoods) -> ForeignSample:
    """Return a sample whose options were compared by log-likelihood."""
    return ForeignSample(
        **_common(row, task, filter_),
        question=likelihoods.question or _question(row),
        target=likelihoods.target,
        choices=likelihoods.choices,
        labels=likelihoods.labels,
        reply=likelihoods.reply,
        more=likelihoods.fields,
    )


def _common(row: Mapping[str, Any], task: str, filter_: Any) -> dict[str, Any]:
    counted = row.get("token_counts") or []
    usage = counted[0] if isinstance(counted, list) and counted and isinstance(counted[0], dict) else {}
    return {
        "id": str(row["doc_id"]),
        "usage": Usage(usage.get("input_tokens"), usage.get("output_tokens")) if usage else None,
        "scores": dict(_scores(row)),
        "ours": row.get(KEY),
        "task": task,
        "filter": str(filter_ or ""),
        "facts": {name: value for name, value in row.items() if isinstance(value, dict) and name not in _NO_SCORES},
    }


def _texts(replies: Any) -> Iterator[str]:
    """Yield the replies inside lists: one list per request, one per repeat."""
    if isinstance(replies, list):
        for reply in replies:
            yield from _texts(reply)
    elif replies is not None:
        yield str(replies)


def _scores(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the row's scores: those that it lists, otherwise every number in a field that is not known otherwise."""
    listed = row.get("metrics")
    names = listed if isinstance(listed, list) else [name for name in row if name not in _NO_SCORES]
    for name in names:
        if isinstance(name, str) and name != "bypass" and (value := score_of(row.get(name))) is not None:
            yield name, value


def score_of(value: Any) -> float | None:
    """Return a number, or that of an object with a `score` or `overall`, as in many tasks of lmms-eval; None for
    anything else."""
    score = value.get("score", value.get("overall")) if isinstance(value, dict) else value
    return float(score) if isinstance(score, bool | int | float) and math.isfinite(score) else None


def _question(row: Mapping[str, Any]) -> str:
    """Return the prompt: `input`, or the first argument of the first request."""
    input_text = row.get("input")
    if input_text is None:
        input_text = row.get("arguments")
    input_text = _first(input_text)
    if isinstance(input_text, dict):  # lm-eval: {"gen_args_0": {"arg_0": prompt, …}}
        first = next(iter(input_text.values()), "")
        input_text = _first(first.get("arg_0", "")) if isinstance(first, dict) else first
    return str(input_text or "")


def _first(value: Any) -> Any:
    while isinstance(value, list | tuple):
        value = value[0] if value else ""
    return value
