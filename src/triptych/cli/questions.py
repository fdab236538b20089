"""Question files on the command line: opened, and shown as the model will get them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.cli.arguments import pairs, say

if TYPE_CHECKING:
    from triptych.benchmarks import Benchmark
    from triptych.records import Item

SAMPLES = 3


def questions_of(
    benchmark: str, benchmarks: Path | None, mapped: Iterable[str] | None, instance: str
) -> str | Benchmark:
    """Return the benchmark of a question file; any other name unchanged. `benchmarks`: a folder that may hold it.

    Raises SpecError if `--map` or `--instance` is given for another benchmark.
    """
    from triptych.benchmarks import own_questions
    from triptych.errors import SpecError

    stated: dict[str, str] = {}
    for role, column in pairs(mapped or (), "--map"):
        if role in stated:
            raise SpecError(f"--map {role} is given twice", got=f"{stated[role]}; {column}", fix="give one")
        stated[role] = column
    stated |= {"instance": instance} if instance else {}
    within = benchmarks / benchmark if benchmarks else None
    name = str(within) if within and (within / "benchmark.toml").is_file() else benchmark
    if (questions_file := own_questions(name, stated)) is not None:
        return questions_file
    if stated:
        raise SpecError("--map and --instance are for files of questions", got=benchmark)
    return benchmark


def show_questions(bench: Benchmark, data: str | None) -> None:
    """Print what was recognised, and the first Items as the model will get them, to standard error."""
    from triptych.experiment.data import data_folder

    folder, _ = data_folder(bench, data)
    lines = bench.mapping_lines(folder)
    say(f"{bench.name}: the columns of {next(iter(bench.source_files(folder)), folder).name}")
    for line in lines:
        say(f"  {line}")
    bench.require_sound(folder)
    for item in islice(bench.items(folder), SAMPLES):
        say("")
        for line in rendered(bench, item):
            say(f"  {line}")
    say("")


def rendered(bench: Benchmark, item: Item) -> list[str]:
    """Return the lines of an Item, as it is sent with the usual prompt, and its reference answer."""
    from triptych.prompts.build import build_request

    task = next(task for task in bench.spec.tasks if bench.spec.full_id(task) == item.task)
    prompt = bench.spec.prompts[(*task.prompts, bench.spec.prompt)[0]]
    lines = [f"--- {item.id} ({task.title.lower()})"]
    for message in build_request(item, prompt, settings={}).messages:
        lines += [
            line for p in message.parts for line in ([f"[{p.kind}: {p.path}]"] if p.is_media else p.text.splitlines())
        ]
    lines += [f"--- reference: {'; '.join(item.targets)}"] if item.targets else []
    lines += [f"--- {name}: {' '.join(words.split())}" for name, words in item.hidden.items()]
    return [line if len(line) <= 200 else f"{line[:200]}…" for line in lines]
