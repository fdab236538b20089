"""Question files on the command line: opened, and shown as the model will get them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.cli.arguments import pairs, say

if TYPE_CHECKING:
    from triptych.benchmarks import Benchmark
    from triptych.records import Request

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
        folder = next((one for one in (Path(benchmark), within) if one and one.is_dir()), None)
        path = folder if folder is None or folder.is_absolute() else f"./{folder}"
        fix = f"a folder of questions: {path}" if path else "give the path of a file, or of a folder (./NAME)"
        raise SpecError("--map and --instance are for files of questions", got=benchmark, fix=fix)
    return benchmark


def show_questions(
    bench: Benchmark, data: str | None, *, prompt: str | None = None, conditions: Iterable[str] = (), seed: int = 0
) -> None:
    """Print what was recognised, and the first Items as the model will get them, to standard error."""
    from triptych.conditions.condition import find_condition
    from triptych.experiment.data import data_folder
    from triptych.experiment.prompts import chosen_prompts
    from triptych.running.plan import make_requests

    folder, _ = data_folder(bench, data)
    lines = bench.mapping_lines(folder)
    say(f"{bench.name}: the columns of {next(iter(bench.source_files(folder)), folder).name}")
    for line in lines:
        say(f"  {line}")
    bench.require_sound(folder)
    prompts, prompt_of, _ = chosen_prompts(bench, bench.spec.tasks, prompt)
    applied = tuple(find_condition(name, seed=seed) for name in conditions)
    for item in islice(bench.items(folder), SAMPLES):
        say("")
        requests = make_requests([item], conditions=applied, prompts=prompts, prompt_of=prompt_of, settings={})
        for line in rendered(bench, next(requests)):
            say(f"  {line}")
    say("")


def rendered(bench: Benchmark, request: Request) -> list[str]:
    """Return the lines of a Request: the messages, and the Item's id and reference answer, which are not sent."""
    item = request.item
    assert item is not None  # it is a question
    task = next(task for task in bench.spec.tasks if bench.spec.full_id(task) == item.task)
    lines = [f"--- {item.id} ({task.title.lower()})"]
    lines += [f"--- not as it will be asked: {request.unaskable.why}"] if request.unaskable else []
    for message in request.messages:
        lines += [
            line for p in message.parts for line in ([f"[{p.kind}: {p.path}]"] if p.is_media else p.text.splitlines())
        ]
    lines += [f"--- reference: {'; '.join(item.targets)}"] if item.targets else []
    lines += [f"--- {name}: {' '.join(words.split())}" for name, words in item.hidden.items()]
    return [line if len(line) <= 200 else f"{line[:200]}…" for line in lines]
