"""The page of what people and makers are asked, from the forms and replies of the recipes: run as a script, it writes
`docs/building-people.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

PAGE = Path(__file__).parents[1] / "building-people.md"
HEAD = Path(__file__).with_name("people_head.txt").read_text(encoding="utf-8")
TITLES = {"mcga": "MCGA", "cmdar": "CMDAR", "mcs_bench": "MCS-Bench", "mcif": "MCIF", "xmodbench": "XModBench"}
# Answers of people in stages that don't begin with a verdict on a question, to show what follows from it.
ANSWERS: dict[str, Sequence[Mapping[str, Any]]] = {
    "record": [{"audio": "p1.wav", "gender": "man"}],
    "inspect": [{"score": 5}, {"score": 1, "fault": "noise"}],
    "gender": [{"gender": "man"}, {"gender": "woman"}],
    "scenes": [{"take": "yes"}, {"take": "no"}],
    "confirm-pairs": [{"related": "yes"}, {"related": "no"}],
    "listen": [{"voice": "human"}, {"voice": "human", "sound": "poor"}, {"voice": "synthetic"}],
    "abstract-questions": [{"abstract_questions": ["Why?", "How?", "Where?"]}, {"abstract_questions": ["Why?"]}],
    "transcribe": [{"transcript": "We count."}, {"transcript": "Um, we count."}],
    "post-edit": [
        {"text": "Wir zählen."},
        {"text": "Wir zählen.\nJa."},
        {"text": "Wir zählen.", "source_fault": "a word is missing"},
    ],
    "review": [{"verdict": "approve"}, {"verdict": "reject", "also_right": ["3"]}, {"verdict": "reject", "why": "…"}],
}
# Values of a record of which the outcomes above are computed.
RECORD: dict[str, Any] = {
    "gender": "man",
    "clip": "c",
    "source": ["We count."],
    "language": "de",
    "text": "…",
    "question": "…",
    "answer": "…",
    "target": ["…"],
    "target_text": "…",
    "wrong_options": ["…"],
    "sec_2": "…",
}


def reference() -> str:
    """The page: for each recipe the stages that ask people, then those that ask models."""
    from triptych.construction.recipe import load_recipe

    lines = [HEAD]
    for name, title in TITLES.items():
        recipe = load_recipe(name)
        stages = recipe.every_stage()
        lines += [f"## {title}", ""]
        for stage in (each for each in stages if each.tasks is not None):
            lines += people(stage)
        lines += [f"### Replies of models ({title})", "", "| stage | role | reply |", "|---|---|---|"]
        for stage in (each for each in stages if each.asks is not None):
            roles = ", ".join(f"`{role}`" for role in stage.asks.roles)
            lines.append(f"| `{stage.name}` | {roles} | {reply(stage.asks.reply)} |")
        lines.append("")
    lines.append("Code: `src/triptych/construction/people`, `src/triptych/construction/asking`.")
    return "\n".join(lines) + "\n"


def people(stage: Any) -> Iterator[str]:
    """The section of a stage that asks people."""
    asks = stage.tasks
    yield from (f"### `{stage.name}`", "")
    where = "; ".join(f"`{name}` {' or '.join(map(str, values))}" for name, values in stage.where.items())
    about = [stage.about, f"Asked about records with {where}." if where else ""]
    if any(about):
        yield from (" ".join(filter(None, about)), "")
    yield from (f"> {asks.guide}", "")
    shown = [name for name in (asks.shows or [each.rstrip("?") for each in stage.reads]) if name not in asks.helps]
    number = f" by {asks.people} people" if asks.people > 1 else ""
    each = f"value of `{asks.per}`" if asks.per else "record"
    yield f"Done{number} for each {each}. Shown: {', '.join(f'`{name}`' for name in shown)}."
    yield from ("", "| column of the sheet | kind | changes |", "|---|---|---|")
    for name, kind in asks.form.items():
        yield f"| `{heading(stage, name, shown)}` | {kind_of(kind)} | {changes(name, kind, asks.form, shown)} |"
    if outcomes := list(outcomes_of(stage)):
        yield from ("", "| returned | outcome |", "|---|---|")
        yield from (f"| {given} | {outcome} |" for given, outcome in outcomes)
    yield ""


def heading(stage: Any, name: str, shown: Sequence[str]) -> str:
    """The heading of a column, as `triptych build tasks` writes it."""
    from triptych.construction.people.sheets import heading_of
    from triptych.construction.people.stage import Task

    task = Task("", "", stage.name, dict(stage.tasks.form), dict.fromkeys(shown, ""))
    return heading_of(task, name).replace("|", "\\|")


def kind_of(kind: Any) -> str:
    """Return the kind of value in a cell."""
    from triptych.construction.people.stage import multiple_choices, scale_of

    if multiple_choices(kind) is not None:
        return "any of several words"
    if scale_of(kind) is not None:
        return "score"
    if isinstance(kind, list | tuple):
        return "one of several words"
    if isinstance(kind, Mapping):
        return f"JSON: `{skeleton(kind, kind.get('$defs', {}))}`"
    return {"media": "file", "spans": "times"}.get(kind, kind)


def changes(name: str, kind: Any, form: Mapping[str, Any], shown: Sequence[str]) -> str:
    """The shown value that a field edits, or what it is for."""
    if name == next(iter(form)):
        return "must be filled in"
    edits = kind in ("text", "list") or isinstance(kind, list | tuple)
    return f"`{name}`, with the verdict {edit_of(form)}" if edits and name in shown and edit_of(form) else ""


def edit_of(form: Mapping[str, Any]) -> str:
    """The verdict that takes edits; empty if the form has none."""
    from triptych.construction.people.reviews import EDITS

    kinds = next(iter(form.values()))
    return next((f"`{kind}`" for kind in kinds if kind in EDITS), "") if isinstance(kinds, list | tuple) else ""


def outcomes_of(stage: Any) -> Iterator[tuple[str, str]]:
    """Yield answers of people with the outcome of each, computed by the stage itself."""
    from triptych.construction.asking.questions import Result
    from triptych.construction.engine.context import Context, Values
    from triptych.construction.engine.media import MediaStore

    form = stage.tasks.form
    verdicts = list(form.get("verdict", ()))
    if edit_of(form):
        text = next(name for name, kind in form.items() if kind in ("text", "list") and name in RECORD)
        new = ["… …"] if form[text] == "list" else "… …"
        answers: Sequence[Mapping[str, Any]] = [
            {"verdict": verdicts[0]},
            {"verdict": verdicts[1], text: new},
            {"verdict": verdicts[2], "why": "…"},
        ]
    else:
        answers = ANSWERS.get(stage.name.removesuffix("-again"), ())
    values = Values(stage, "r", {each.rstrip("?"): RECORD.get(each.rstrip("?")) for each in stage.reads})
    context = Context(stage.parameters, MediaStore(Path("/nonexistent")))
    for answer in answers:
        outcome = stage.run([Result("r", "s", "R1", dict(answer))], values, context)
        given = ", ".join(f"`{name}`: {msgspec.json.encode(value).decode()}" for name, value in answer.items())
        reason = f" (`{outcome.reason}`)" if outcome.reason else ""
        fields = [name for name in outcome.fields if name in stage.writes]
        written = f", writes {', '.join(f'`{name}`' for name in fields)}" if fields else ""
        yield given, f"{outcome.decision}{reason}{written}"


def reply(kind: type | None) -> str:
    """The JSON that a model must return, with its types in place of values."""
    from triptych.construction.asking.reading import schema_of

    if kind is None:
        return "the text alone"
    schema = schema_of(kind)
    return f"`{skeleton(schema, schema.get('$defs', {}))}`"


def skeleton(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """A JSON schema as a short example: `{"question": text, "wrong": [text, …]}`."""
    if "$ref" in schema:
        return skeleton(known[str(schema["$ref"]).rpartition("/")[2]], known)
    if "enum" in schema:
        return " or ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(skeleton(each, known) for each in schema["anyOf"]))
    if schema.get("type") == "object":
        required = schema.get("required", ())
        parts = [
            f'"{name}"{"" if name in required else "?"}: {skeleton(each, known)}'
            for name, each in schema.get("properties", {}).items()
        ]
        return "{" + ", ".join(parts) + "}"
    if schema.get("type") == "array":
        return f"[{skeleton(schema.get('items', {}), known)}, …]"
    return {"string": "text", "number": "number", "integer": "whole number", "boolean": "true or false"}.get(
        str(schema.get("type")), "null" if schema.get("type") == "null" else "any"
    )


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
