"""The words of `triptych build`: counts, estimates, the history of a record, and how a build ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.cli.arguments import say, tell

if TYPE_CHECKING:
    from triptych.construction.build import Built
    from triptych.construction.engine.folder import StageCounts
    from triptych.construction.merge import Merged
    from triptych.construction.release.provenance import Life
    from triptych.construction.report.estimate import StageEstimate
    from triptych.construction.report.preview import PreviewedRequest
    from triptych.construction.report.reasons import EmptiedPart
    from triptych.records.provenance import Maker


def describe_counts(counts: StageCounts) -> str:
    """Describe a stage in at most two lines: the counts, and the most frequent reasons."""
    decided = ", ".join(f"{n:,} {decision}" for decision, n in counts.decisions.items()) or "nothing came in"
    after = (
        f" -> {counts.went:,}" if counts.went != sum(counts.decisions.get(d, 0) for d in ("kept", "revised")) else ""
    )
    reasons = [f"{reason} {n:,}" for reason, n in counts.reasons.items()]
    more = f"; and {len(reasons) - 5} more reasons" if len(reasons) > 5 else ""
    line = f"{counts.stage:20} {counts.came:>9,} in: {decided}{after}"
    return "\n".join([line, *([f"{'':20} {'; '.join(reasons[:5])}{more}"] if reasons else [])])


def show_estimate(records: int, stages: list[StageEstimate]) -> None:
    """Print an estimate as a table, with the rules that it is based on."""

    def shown(value: float | None, form: str) -> str:
        return "unknown" if value is None else format(value, form)

    by_prompts = any(each.basis == "prompts" for each in stages)
    basis = (
        "there is no pilot: the rest follows from the prompts"
        if by_prompts
        else ("the rest is projected from the means of the records built so far")
    )
    tell(f"{records:,} records of raw material; {basis}")
    tell(f"{'stage':20} {'records':>10} {'pilot':>8} {'Requests':>10} {'tokens':>12} {'USD':>9} {'answer hours':>13}")
    for each in stages:
        tokens = None if each.input_tokens is None else each.input_tokens + (each.output_tokens or 0)
        hours = None if each.seconds is None else each.seconds / 3600
        tell(
            f"{each.stage:20} {shown(each.came, ',.0f'):>10} {each.pilot:>8,} {shown(each.requests, ',.0f'):>10} "
            f"{shown(tokens, ',.0f'):>12} {_usd(each.usd):>9} {shown(hours, ',.1f'):>13}"
        )
    if any(each.requests is None for each in stages):
        say("unknown: no record has reached this stage; build a pilot first (--limit 20)")
    if by_prompts:
        from triptych.construction.report.estimate import RULES

        say("a pilot (--limit 20) gives better figures. Assumed: " + "; ".join(RULES))


def _usd(value: float | None) -> str:
    """Return an amount in US dollars; one that isn't nothing is never shown as 0.00."""
    return "unknown" if value is None else "< 0.01" if 0 < value < 0.005 else f"{value:,.2f}"


def show_life(life: Life) -> None:
    """Print each step of a record, with the makers of the fields that it wrote."""
    tell(f"{life.id}: made of {', '.join(life.sources) or 'no named source'}")
    for step in life.steps:
        text = f": {step.reason}" if step.reason else ""
        text += f" ({step.note})" if step.note else ""
        tell(f"{step.stage:20} {step.decision}{text}" + (f"  {step.id}" if step.id != life.id else ""))
        for field, maker in step.wrote.items():
            tell(f"{'':20}   {field} = {_shorten(step.values.get(field))}  [{_maker_text(maker)}]")
        if step.by and step.by not in step.wrote.values():
            tell(f"{'':20}   decided by {_maker_text(step.by)}")


def _maker_text(maker: Maker) -> str:
    return " ".join(filter(None, (maker.kind, maker.name, maker.at, maker.prompt)))


def _shorten(value: Any) -> str:
    import json

    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 70 else text[:69] + "…"


def document(built: Built) -> dict[str, Any]:
    """Return a finished or interrupted build for `--json`."""
    return {
        "folder": str(built.folder),
        "stages": built.counts,
        "written": built.written,
        "waiting": built.waiting,
        "complete": built.complete,
        "interrupted": built.interrupted,
        "stopped": built.stopped,
        "refused": built.refused,
        "verdict": built.verdict,
        "emptied": built.emptied,
    }


def page_of(folder: Path) -> Path | None:
    """Write the page of a build; None if the packages that it needs are missing."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.report.page import write_report
    from triptych.errors import SpecError

    try:
        return write_report(BuildFolder.open(folder))
    except SpecError as error:
        say(f"no page of the build was written: {error.problem}" + (f" ({error.fix})" if error.fix else ""))
        return None


def print_end(built: Built, page: Path | None, *, pilot: bool = False, emptied: bool = False) -> int:
    """Print how a build ended, and return the exit code. `emptied`: an output without records is what was asked for."""
    if built.interrupted:
        say("interrupted; the same command resumes")
        return 130
    if built.stopped:
        say(f"stopped: {built.stopped}")
        return 1
    for how in built.refused:
        say(f"guessable: {how}")
    if built.refused:
        say("no benchmark was written, since it can be guessed; add material, another seed, or allow_guessable = true")
        return 1
    if built.counts and not built.counts[0].came + built.counts[0].passed_by:
        say("the raw material has no rows: its tables are empty, or all sources are withdrawn")
    for each in built.counts:
        if waits := _waits(each, built.folder):
            say(waits)
    if pilot:
        say("no benchmark was written: --limit and --only build a part")
    elif built.written or not built.waiting:
        say(f"{built.written:,} records written to {built.folder / 'out'}")
    else:
        say(f"no record is finished yet, so {built.folder / 'out'} has no questions")
    if page:
        say(f"funnel, statistics and samples: {page}")
    nothing = not (pilot or built.written or built.waiting or emptied)
    if nothing:
        say(
            f"nothing is left of the raw material{_losses(built.counts)}; `triptych build status {built.folder} "
            "--reason REASON` lists the records of a reason"
        )
    if not pilot:
        _say_unused(built.folder)
    sound = _say_verdict(built)
    for part in built.emptied:
        say(emptied_part(part, built.folder))
    return int(bool(built.waiting) or nothing or bool(built.emptied and not emptied) or not sound)


def emptied_part(part: EmptiedPart, folder: Path) -> str:
    """Say that a part of the benchmark has no record left, why, and what to do."""
    reasons = "; ".join(f"{reason} {number:,}" for reason, number in part.reasons[:3]) or "no reason is recorded"
    reason = part.reasons[0][0].partition(": ")[2] if part.reasons else "REASON"
    return (
        f"NOTHING IS LEFT of {part.name}: all {part.rows:,} rows were dropped ({reasons}). `triptych build status "
        f"{folder} --reason {reason}` lists them; add or correct rows, or remove {part.name} from the raw material"
    )


def merged_end(merged: Merged) -> int:
    """Print how a merge ended, and return the exit code."""
    for name, records in merged.builds.items():
        say(f"{name}: {records:,} records")
    for each in merged.counts:
        if each.reasons:
            say(describe_counts(each))
    for how in merged.refused:
        say(f"guessable: {how}")
    if merged.refused:
        say("no benchmark was written, since it can be guessed; add a build, or build one of these with another seed")
        return 1
    say(f"{merged.written:,} records written to {merged.folder / 'out'}")
    return int(not _say_verdict(merged))


def _say_unused(folder: Path) -> None:
    """Say how many results of people aren't used, with the command that lists them."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.people.unused import unused_results

    counts = Counter((each.stage, each.why) for each in unused_results(BuildFolder(folder)))
    if counts:
        named = "; ".join(f"{stage} {number:,} ({why})" for (stage, why), number in counts.items())
        say(f"results of people that aren't used: {named}; `triptych build status {folder} --unused` lists them")


def _losses(counts: Sequence[StageCounts]) -> str:
    """The most frequent reasons for which records were dropped, with their stages."""
    loss_lines = [
        (n, f"{each.stage}: {reason.removeprefix('dropped: ')} {n:,}")
        for each in counts
        for reason, n in each.reasons.items()
        if reason.startswith("dropped: ")
    ]
    named = "; ".join(words for _, words in sorted(loss_lines, key=lambda pair: -pair[0])[:3])
    return f" ({named})" if named else ""


def _say_verdict(built: Built | Merged) -> bool:
    """Print what `check` and `audit data` found; returns False if there are errors or severe findings."""
    if built.verdict is None:
        return True
    say(f"check: {built.verdict.check}")
    if built.verdict.audit:
        say(f"audit: {built.verdict.audit}")
    for fault in built.verdict.faults:
        say(f"  {fault}")
    return built.verdict.sound


def show_reasons(lines: Sequence[tuple[str, str, str, str]]) -> None:
    """Print (stage, id, reason, note) of records, one per line."""
    for stage, id, reason, note in lines:
        tell(f"{stage}  {id}  {reason}" + (f"  ({note})" if note else ""))


def show_preview(shown: Sequence[PreviewedRequest]) -> None:
    """Print what a stage would send about each record, in full."""
    for number, each in enumerate(shown, 1):
        tell(f"--- {number} of {len(shown)}: {each.record}, {each.role} ({each.model})")
        for text in each.texts:
            tell(text)
        for name in each.media:
            tell(f"[{name}]")
        for what, values in (("form", each.form), ("decoding", each.decoding)):
            if values:
                tell(f"{what}: {', '.join(f'{name} = {value}' for name, value in values.items())}")
    say(f"{len(shown)} shown; nothing was asked")


def rerecording_text(folder: Path) -> str:
    """Say how recordings that were sent back are made again; empty if there are none."""
    from triptych.construction.people.stage import Task
    from triptych.store.journals.journal import Journal

    for path in sorted((folder / "tasks").glob("*.jsonl")):
        if number := sum(bool(task.again) for task in Journal(path, Task)):
            stage = path.stem
            return (
                f"{stage}: {number:,} to be recorded again: `triptych build tasks {folder} {stage} --to {stage}.csv` "
                f"lists them with the other open tasks, `triptych build results {folder} {stage} {stage}.csv "
                "--person NAME` takes in the new recordings; then run the build again"
            )
    return ""


def _waits(counts: StageCounts, folder: Path) -> str:
    """Say why a stage holds records, and the commands that go on; empty if it holds none."""
    waiting, failed = counts.decisions.get("pending", 0), counts.decisions.get("failed", 0)
    if not waiting + failed:
        return ""
    why = ", ".join(
        f"{reason.partition(': ')[2]} {n:,}"
        for reason, n in counts.reasons.items()
        if reason.startswith(("pending: ", "failed: "))
    )
    held = [f"{n:,} {word}" for n, word in ((waiting, "waiting"), (failed, "failed")) if n]
    text = f"{counts.stage}: {' and '.join(held)} ({why})"
    if waiting and (folder / "tasks" / f"{counts.stage}.jsonl").is_file():
        sheet = f"{counts.stage}.csv"
        return (
            f"{text}; people are needed: `triptych build tasks {folder} {counts.stage} --to {sheet}` writes their "
            f"tasks, `triptych build results {folder} {counts.stage} {sheet} --person NAME` takes in what they "
            "return; then run this command again"
        )
    if "pending: record-again" in counts.reasons and (again := rerecording_text(folder)):
        return f"{text}; {again}"
    return f"{text}; `triptych build why {folder} ID` shows the reason of one; run this command again"
