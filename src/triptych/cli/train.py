"""`triptych train`: examples for trainers, and LoRA adapters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.options import Json

if TYPE_CHECKING:
    from triptych.training.examples import Chosen
    from triptych.training.lora import TrainingRecord
    from triptych.training.tuning import Evaluated

HELP = "Fine-tune on a benchmark's training split: export it for a trainer, or train a LoRA adapter and evaluate it."
app: typer.Typer = typer.Typer(
    help=HELP,
    short_help="Fine-tune on a training split: export, LoRA.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Bench = Annotated[str, typer.Argument(help="BENCH or BENCH/TASK")]
_Tasks = Annotated[list[str] | None, typer.Argument(help="further tasks of the same benchmark")]
_Data = Annotated[Path, typer.Option(help="data folder with the training split")]
_Split = Annotated[str, typer.Option(help="split that is trained on; empty: all of --data, which requires --test")]
_Test = Annotated[Path | None, typer.Option(help="folder with the test data [the other splits of --data]")]
_Filter = Annotated[
    list[str] | None, typer.Option("--filter", help="facet=value: only questions with it; may be repeated")
]
_Prompt = Annotated[str | None, typer.Option(help="a prompt of the benchmark, FILE.toml or FILE.toml#NAME")]
_Condition = Annotated[list[str] | None, typer.Option(help="a change to the Items (`triptych list conditions`)")]
_Limit = Annotated[int | None, typer.Option(help="number of whole Instances per task [all]")]
_Drop = Annotated[bool, typer.Option("--drop-leaks", help="leave out examples that are in the test data")]


@app.command(
    "export",
    help="Write a training split for ms-swift, LLaMA-Factory, or as messages, with copies of its media.",
    short_help="Write a training split for another trainer.",
)
def export(
    benchmark: _Bench,
    data: _Data,
    to: Annotated[Path, typer.Option(help="folder to write to")],
    tasks: _Tasks = None,
    format_: Annotated[str, typer.Option("--format", help="ms-swift, llama-factory or messages")] = "ms-swift",
    split: _Split = "train",
    test: _Test = None,
    filter_: _Filter = None,
    prompt: _Prompt = None,
    condition: _Condition = None,
    limit: _Limit = None,
    drop_leaks: _Drop = False,
) -> int:
    """See the help."""
    from triptych.cli.arguments import filters_of, say, say_written
    from triptych.training.examples import choose_examples
    from triptych.training.export import export as write

    chosen = choose_examples(
        benchmark,
        data=data,
        tasks=tasks or (),
        split=split,
        test=test,
        filters=filters_of(filter_),
        prompt=prompt,
        conditions=condition or (),
        limit=limit,
        drop_leaks=drop_leaks,
    )
    _show_chosen(chosen)
    for path in write(chosen, format_, to, f"{chosen.ready.benchmark.name}_{split or 'all'}"):
        say_written([path])
    say(f"licence of the data: {chosen.ready.benchmark.spec.licence}")
    return 0


@app.command(
    "lora",
    help="Train a LoRA adapter for hf/ID on a training split; compare the model before and after on the test split. "
    "The same command resumes an interrupted training.",
    short_help="Train a LoRA adapter and evaluate it.",
)
def lora(
    benchmark: _Bench,
    data: _Data,
    model: Annotated[str, typer.Option(help="hf/ID, hf/FOLDER, or a name of the catalogue")],
    to: Annotated[Path, typer.Option(help="folder of the training, its adapter and its Runs")],
    tasks: _Tasks = None,
    split: _Split = "train",
    test: _Test = None,
    test_split: Annotated[str, typer.Option(help="split of the test data that is evaluated; empty: all")] = "test",
    filter_: _Filter = None,
    prompt: _Prompt = None,
    condition: _Condition = None,
    limit: _Limit = None,
    drop_leaks: _Drop = False,
    setting: Annotated[list[str] | None, typer.Option("-M", help="key=value: a setting of hf/ID")] = None,
    rank: Annotated[int, typer.Option(help="rank of the adapter")] = 8,
    alpha: Annotated[int, typer.Option(help="scale of the adapter: alpha / rank")] = 32,
    dropout: Annotated[float, typer.Option(help="dropout of the adapter")] = 0.0,
    learning_rate: Annotated[float, typer.Option(help="highest learning rate of AdamW")] = 1e-4,
    warmup: Annotated[float, typer.Option(help="share of the steps over which the rate rises")] = 0.05,
    epochs: Annotated[int, typer.Option(help="number of times each example is seen")] = 3,
    batch: Annotated[int, typer.Option(help="examples per device and pass")] = 8,
    accumulation: Annotated[int, typer.Option(help="passes per step of the optimizer")] = 4,
    dtype: Annotated[str, typer.Option(help="bfloat16 or float32 [bfloat16 on a GPU]")] = "",
    device: Annotated[str, typer.Option(help="device [a GPU if there is one]")] = "",
    seed: Annotated[int, typer.Option(help="seed of the order and of the adapter's first weights")] = 0,
    save_every: Annotated[int, typer.Option(help="steps between two checkpoints")] = 50,
    merged: Annotated[bool, typer.Option("--merge", help="also write the model with the adapter merged")] = False,
    no_evaluation: Annotated[bool, typer.Option("--no-evaluation", help="only train")] = False,
    emit: Annotated[str, typer.Option(help="print the command of ms-swift or the configuration of llama-factory")] = "",
    json: Json = False,
) -> int:
    """See the help."""
    from triptych.cli.arguments import filters_of, say, settings_of
    from triptych.running.loop import RunOptions
    from triptych.training.examples import choose_examples
    from triptych.training.settings import LoraSettings
    from triptych.training.tuning import evaluate, in_process, local_name, tune

    settings = LoraSettings(
        rank=rank,
        alpha=alpha,
        dropout=dropout,
        learning_rate=learning_rate,
        warmup=warmup,
        epochs=epochs,
        batch=batch,
        accumulation=accumulation,
        dtype=dtype,
        device=device,
        seed=seed,
        save_every=save_every,
    )
    if emit:
        return _emit(emit, model, settings, to)
    model = in_process(model)
    local_name(model)  # refused before the data are read
    how: dict[str, Any] = {
        "tasks": tasks or (),
        "filters": filters_of(filter_),
        "prompt": prompt,
        "conditions": condition or (),
    }
    chosen = choose_examples(benchmark, data=data, split=split, test=test, limit=limit, drop_leaks=drop_leaks, **how)
    if _first():
        _show_chosen(chosen)
    model_settings = settings_of(setting, "-M")
    record = tune(model, chosen, to, settings, model_settings=model_settings, merged=merged, say=_say)
    if not _first():
        return 0
    say(f"adapter: {to / 'adapter'} ({record.weights:,} weights in {record.layers:,} layers)")
    if no_evaluation:
        return 0
    options = RunOptions(concurrency=64, timeout_s=None, progress=True)
    used = {**({"device": device} if device else {}), **({"dtype": dtype} if dtype else {}), **model_settings}
    evaluation = evaluate(
        benchmark, model, to, data=test or data, split=test_split, settings=used, options=options, **how
    )
    return _show(evaluation, record, json)


def _emit(trainer: str, model: str, settings: Any, to: Path) -> int:
    """Print the same training as another trainer's command or configuration."""
    from triptych.cli.arguments import tell
    from triptych.errors import SpecError
    from triptych.models.catalogue import find_model
    from triptych.training.commands import llama_factory_config, swift_command

    row = find_model(model)
    name = row.id if row is not None and row.id else model.removeprefix("hf/")
    if trainer == "ms-swift":
        tell(swift_command(name, "TRAIN.jsonl", settings, str(to)))
    elif trainer == "llama-factory":
        tell(llama_factory_config(name, "DATASET", settings, str(to)).rstrip())
    else:
        raise SpecError(f"no trainer {trainer!r}", expected="ms-swift or llama-factory", where="--emit")
    return 0


def _show_chosen(chosen: Chosen) -> None:
    from triptych.cli.arguments import say

    say(f"{len(chosen.examples):,} examples; compared with {chosen.tested:,} questions of the test data")
    if chosen.leaking:
        say(f"{chosen.leaking:,} examples are in the test data and are left out")
    if chosen.left_out:
        say(f"{chosen.left_out:,} questions have no reference answer and are left out")
    if chosen.unread:
        data = chosen.ready.data
        check = f"triptych check {chosen.ready.benchmark.name} --data {data}"
        say(f"{chosen.unread:,} rows of the data can't be read and were not compared; `{check}` lists them")


def _say(step: int, steps: int, loss: float) -> None:
    from triptych.cli.arguments import say

    if _first() and (step == steps or step % max(1, steps // 20) == 0):
        say(f"step {step:,} of {steps:,}: loss {loss:.4f}")


def _first() -> bool:
    """Whether this is the first of the processes that `accelerate launch` started."""
    import os

    return os.environ.get("RANK", "0") == "0"


def _show(evaluated: Evaluated, record: TrainingRecord, json: bool) -> int:
    """Print the comparison, and the benchmark's tables with the rows of both Runs."""
    from triptych import api
    from triptych.cli.arguments import print_json
    from triptych.reports.terminal.compared import show_comparison

    folders = [result.folder.path for result in evaluated.runs]
    if json:
        import msgspec

        print_json(
            {
                "training": msgspec.to_builtins(record),
                "runs": [str(path) for path in folders],
                "comparison": msgspec.to_builtins(evaluated.comparison),
            }
        )
    else:
        api.report(folders)
        show_comparison(evaluated.comparison)
    failed = any(result.outcome.counts.get("failed") for result in evaluated.runs)
    return 1 if failed or not evaluated.comparison.shared else 0
