"""From a training split to an adapter, and the comparison of the model before and after on the test split."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from triptych.analysis.comparing.comparison import Comparison, compare_runs
from triptych.analysis.observed import observe
from triptych.errors import SpecError
from triptych.experiment.execution import RunResult, execute_plan
from triptych.experiment.planning import plan
from triptych.media.payload import MediaReader
from triptych.models.adapter import take_settings
from triptych.models.catalogue import find_model
from triptych.models.hf.adapter import hf_packing
from triptych.models.hf.engine import Engine
from triptych.models.hf.loading import identity_of, load, source_of
from triptych.models.hf.settings import SETTINGS
from triptych.models.packing.packing import Packing
from triptych.records.packages import need
from triptych.running.loop import RunOptions
from triptych.training.collate import Collator
from triptych.training.examples import SPLIT, Chosen
from triptych.training.lora import ADAPTER, Say, TrainingRecord, fine_tune, merge, read_record
from triptych.training.settings import LoraSettings

MERGED = "merged"
NEEDED = ("torch", "transformers", "peft", "accelerate")
OURS = ("dtype", "device")  # settings of the training that the model is loaded with


def tune(
    model: str,
    chosen: Chosen,
    to: Path,
    settings: LoraSettings,
    *,
    model_settings: Mapping[str, Any] | None = None,
    merged: bool = False,
    say: Say = lambda step, steps, loss: None,
) -> TrainingRecord:
    """Train an adapter for `hf/NAME` on the examples, in the folder `to`; `merged`: also write the merged model.

    Raises SpecError for a model that is not of this process, or for a folder with another training.
    """
    name = local_name(model)
    for package in NEEDED:  # all of one extra, so that they are not missed one after the other
        need(package, "fine-tuning", "train")
    values = {key: getattr(settings, key) for key in OURS}
    if (
        not values["device"]
        and "LOCAL_RANK" in os.environ
        and need("torch", "fine-tuning", "train").cuda.is_available()
    ):
        values["device"] = f"cuda:{os.environ['LOCAL_RANK']}"  # started by `accelerate launch`
    taken = take_settings("hf", {**values, **(model_settings or {})}, SETTINGS)
    identity = identity_of_training(name, chosen, settings, taken)
    before = read_record(to)
    if before is not None and before.identity == identity and before.done and not merged:
        return before
    loaded, processor = load(source_of(name)[0], taken)
    engine = Engine(loaded, processor)
    collate = Collator(engine, MediaReader(chosen.ready.data, extra=chosen.ready.extra_files), packing_of(name, taken))
    record = fine_tune(loaded, chosen.examples, collate, to, settings, identity, say)
    if merged and not (to / MERGED).exists():
        loaded, processor = load(source_of(name)[0], taken)
        tuned = need("peft", "merging", "train").PeftModel.from_pretrained(loaded, to / ADAPTER)
        merge(tuned, processor, to / MERGED)
    return record


def in_process(model: str) -> str:
    """Return `hf/ID` for a name of the catalogue; any other name unchanged.

    Raises SpecError for a model of the catalogue that has no class in transformers.

    Example:
        >>> in_process("qwen2.5-omni-7b"), in_process("hf/some/model")
        ('hf/Qwen/Qwen2.5-Omni-7B', 'hf/some/model')
    """
    row = find_model(model)
    if row is None:
        return model
    if "hf" not in row.way:
        raise SpecError(
            f"{row.key} can't be fine-tuned here: transformers has no class for it",
            expected="hf/ID or hf/FOLDER",
            got=f"a model that is asked by {', '.join(row.way)}",
            fix="export the examples for another trainer: triptych train export",
        )
    return f"hf/{row.id}"


def local_name(model: str) -> str:
    """Return NAME of `hf/NAME`. Raises SpecError for any other model."""
    adapter, _, name = model.partition("/")
    if adapter != "hf" or not name:
        raise SpecError(
            "only a model in this process can be fine-tuned here",
            got=model,
            expected="hf/ID or hf/FOLDER",
            fix="export the examples for another trainer: triptych train export",
        )
    return name


def packing_of(name: str, taken: Mapping[str, Any]) -> Packing:
    """Return how media are shown to the model while it is trained: as when it is asked."""
    return hf_packing(name, source_of(name)[1], taken)


def identity_of_training(name: str, chosen: Chosen, settings: LoraSettings, taken: Mapping[str, Any]) -> str:
    """Return a hash of everything that the adapter depends on."""
    weights = identity_of(source_of(name)[1]) or name
    examples = [[one.request.key("", "", {}), one.answer] for one in chosen.examples]
    parts = [weights, chosen.ready.manifest.data_sha256, settings, examples, packing_of(name, taken).text]
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]


@dataclass(frozen=True)
class Evaluated:
    """The Runs before and after fine-tuning, and their paired comparison: after minus before."""

    runs: tuple[RunResult, RunResult]
    comparison: Comparison


def evaluate(
    benchmark: str,
    model: str,
    to: Path,
    *,
    data: Path | str,
    tasks: Sequence[str] = (),
    split: str = "test",
    filters: Mapping[str, Iterable[str]] | None = None,
    prompt: str | None = None,
    conditions: Sequence[str] = (),
    limit: int | None = None,
    settings: Mapping[str, Any] | None = None,
    options: RunOptions | None = None,
) -> Evaluated:
    """Run the model without and with the adapter in `to` on the test data, and compare them question by question.

    The Runs are in the folders `before` and `after`; those that are complete are not asked again.
    """
    wanted = {**(filters or {}), **({SPLIT: [split]} if split else {})}
    short = Path(local_name(model)).name
    results = []
    for label, name, model_settings in (
        ("before", short, {}),
        ("after", f"{short} + LoRA", {"adapter": str(to / ADAPTER)}),
    ):
        ready = plan(
            benchmark,
            model,
            data=data,
            tasks=tasks,
            filters=wanted,
            prompt=prompt,
            conditions=conditions,
            limit=limit,
            settings={**(settings or {}), **model_settings},
            name=name,
        )
        results.append(execute_plan(ready, out=to / label, options=options))
    before, after = results
    return Evaluated((before, after), compare_runs(observe([after.folder, before.folder], None)))
