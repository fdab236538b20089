"""`triptych demo`: run, score and report the built-in mini sets on this computer, without API keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from triptych.api import RunResult
    from triptych.store.folder import RunFolder

HELP = "Evaluate a small model cascade on the built-in mini sets on this computer, without API keys. Resumable."

# The selection from each benchmark, so that two cores need under five minutes once the weights are present: this many
# Instances of each task. A headline figure is over 24 questions or more (CMDAR's `main`, MCS-Bench's choice questions,
# XModBench's average); MCGA's and MCIF's mini sets have no figure over so many that is cheap, and show that they run.
# `max_tokens` stops a small model that would otherwise generate for minutes.
SIX = ("audio_text", "audio_vision", "text_audio", "text_vision", "vision_audio", "vision_text")
SUBTASKS = ("general", "count", "recognition", "translation")
CHOICES = ("T5", "T7", "T10", "T12", "T14", "T18", "T20", "T24", "T31", "T33", "T36", "T40", "T42")
SAMPLE: dict[str, dict[str, Any]] = {
    "xmodbench": {"limit": 2, "filters": {"subtask": SUBTASKS, "direction": SIX}},
    "cmdar": {"tasks": ("main",)},
    "mcga": {"limit": 1, "tasks": ("asr", "su", "lu")},
    "mcs_bench": {"limit": 2, "tasks": CHOICES},
    "mcif": {"limit": 1, "tasks": ("short/en/ASR",), "filters": {"modality": ("audio",)}},
}
SHORT = {"mcga": {"max_tokens": 64}, "mcs_bench": {"max_tokens": 96}, "mcif": {"max_tokens": 96}}
# (model, Condition): the cascade, the same without any media, and what guessing gives.
LINEUP = (("local/cascade", ""), ("local/cascade", "blind"), ("baseline/random", ""))


def command(
    full: Annotated[bool, typer.Option("--full", help="run all Items of the mini sets instead of a sample")] = False,
    light: Annotated[bool, typer.Option("--light", help="the smallest language model, English only")] = False,
    large: Annotated[bool, typer.Option("--large", help="a larger language model, much better in Chinese")] = False,
    to: Annotated[Path, typer.Option(help="folder for the Run folders")] = Path("runs/demo"),
    fetch: Annotated[
        bool, typer.Option(help="download missing weights; with --no-fetch, missing weights are an error")
    ] = True,
) -> int:
    """See HELP."""
    from triptych.cli.arguments import say
    from triptych.errors import SpecError
    from triptych.models.local.llm import keep_models

    if light and large:
        raise SpecError("--light can't be combined with --large")
    size = "light" if light else "large" if large else ""
    settings: dict[str, Any] = {size: "true"} if size else {}
    _fetch_weights(settings, fetch)
    failed = 0
    folders: list[RunFolder] = []
    with keep_models():  # loaded once for all Runs
        for benchmark in SAMPLE:
            results: dict[str, RunResult] = {}
            for model, condition in LINEUP:
                label = f"{model} ({condition})" if condition else model
                say(f"\n{benchmark}: {label}")
                result = _run(benchmark, model, condition, settings, full, to, size)
                if result.outcome.interrupted:
                    say("interrupted; `triptych demo` resumes")
                    return 130
                if result.outcome.stopped:
                    say(f"stopped: {result.outcome.stopped}")
                    return 2
                failed += result.outcome.counts.get("failed", 0)
                results[label] = result
                folders.append(result.folder)
            _show(benchmark, results)
    _report(folders, to)
    _print_next_steps(to, full)
    return 1 if failed else 0


def _fetch_weights(settings: dict[str, Any], fetch: bool) -> None:
    from triptych.models.local import ensure_weights

    ensure_weights(settings, fetch=fetch)


def _run(
    benchmark: str, model: str, condition: str, settings: dict[str, Any], full: bool, to: Path, size: str
) -> RunResult:
    """Carry out one Run, in a folder whose name the next session finds again."""
    from triptych import api
    from triptych.running.loop import RunOptions

    local = model.startswith("local/")
    name = "-".join(filter(None, [model.replace("/", "-"), size if local else "", condition]))
    return api.run(
        benchmark,
        model,
        conditions=[condition] if condition else [],
        settings={**settings, **SHORT.get(benchmark, {})} if local else {"seed": "0"},
        out=to / benchmark / ("full" if full else "sample") / name,
        options=RunOptions(concurrency=4, timeout_s=600, progress=True),
        **({} if full else SAMPLE[benchmark]),
    )


def _show(benchmark: str, results: dict[str, RunResult]) -> None:
    from triptych.benchmarks import load_benchmark
    from triptych.reports.report import show_scores

    folders = {label: result.folder for label, result in results.items()}
    show_scores(load_benchmark(benchmark), {label: result.scores for label, result in results.items()}, folders)


def _report(folders: list[RunFolder], to: Path) -> None:
    """Write one HTML report on all Runs, or print which packages it needs."""
    from triptych.cli.arguments import say
    from triptych.reports.report import html_lacks, write_report

    if lacking := html_lacks():
        say(f"no HTML report: it needs {lacking}; pip install 'triptych[report]'")
        return
    (path,) = write_report(folders, to=to, formats=["html"])
    print(f"\nThe report, with figures, the Items behind every number, and replies to listen to: {path.resolve()}")


def _print_next_steps(to: Path, full: bool) -> None:
    """Print what to try next."""
    lines = [
        "What you saw: a small cascade (OCR, speech recognition, a half-billion-parameter language model) on mini",
        "sets. Scores close to `blind` (no media) or to guessing are not evidence of ability. Try next:",
        "" if full else "  triptych demo --full                                   all of the mini sets",
        f"  triptych report {to}/xmodbench/{'full' if full else 'sample'}/* --with-published",
        "                                                         with the published rows of the paper's models",
        "  triptych run xmodbench --model openai/NAME --model-base-url URL   any OpenAI-compatible endpoint",
        "  triptych run cmdar --data DIR --model …                the released benchmark instead of the mini set",
        "  triptych doctor                                        what is installed, what is missing",
    ]
    print("\n" + "\n".join(line for line in lines if line))
