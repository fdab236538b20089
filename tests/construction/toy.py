"""A small recipe with a stage of every kind, and a model that counts what it is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from triptych.construction.asking.prompt import Prompt
from triptych.construction.asking.questions import Ask, People
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.people.stage import ask_people
from triptych.construction.recipe import Recipe, Start
from triptych.construction.record import Child, Maker, Outcome, Record, dropped, kept, split
from triptych.construction.stage import Stage, stage
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request


class Config(msgspec.Struct, forbid_unknown_fields=True):
    texts: dict[str, str]
    prompt: str = "Ask something about: {text}"
    people: bool = False


class Question(msgspec.Struct):
    question: str
    answer: str


@stage("sentences", version=1, reads=["whole"], writes=["text"], least=2)
def sentences(values: Values, context: Context) -> Outcome:
    """A text becomes its sentences."""
    found = [s.strip() for s in values["whole"].split(".") if len(s.strip()) >= context.parameters["least"]]
    return split([Child(str(n), {"text": s}) for n, s in enumerate(found)])


@stage("doubles", version=1, reads=["text"], writes=[], kind="whole")
def doubles(records: Sequence[Values], context: Context) -> list[Outcome]:
    """A sentence that stood before is left out."""
    seen: dict[str, str] = {}
    outcomes = []
    for values in records:
        first = seen.setdefault(values["text"], values.id)
        outcomes.append(kept() if first == values.id else dropped("duplicate", f"the same as {first}"))
    return outcomes


def decide(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    if reply.answer not in values["text"]:
        return dropped("not-in-text", reply.answer)
    return kept(question=reply.question, answer=reply.answer)


def stages(config: Config) -> list[Stage]:
    asking = Ask(Prompt("question", config.prompt), decide, Question)
    made = [sentences, doubles, ask("question", asking, version=1, reads=["text"], writes=["question", "answer"])]
    if config.people:
        made.append(
            ask_people(
                "review", People({"verdict": ["good", "bad"]}, decide=review), version=1, reads=["question", "answer"]
            )
        )
    return made


def review(results: Sequence[Any], values: Values, context: Context) -> Outcome:
    return kept() if results[0].values["verdict"] == "good" else dropped("rejected")


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    for name, whole in config.texts.items():
        yield Start(Record(name, {"whole": whole}, (f"text:{name}",)), {"whole": Maker("source", name)})


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    rows = [{"id": r.id, "question": r.fields["question"], "answer": r.fields["answer"]} for r in records]
    (out / "questions.json").write_text(json.dumps(rows), encoding="utf-8")


RECIPE = Recipe("toy", 1, "for tests", Config, start, stages, write, {"maker": "writes questions"})


class Counting(SimpleAdapter):
    """Asks for the first word of the text; says nonsense where the text begins with "Bad"."""

    name = "toy/counting"
    asked: list[Request] = []  # noqa: RUF012

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked.append(request)
        words = request.messages[-1].parts[-1].text or ""
        again = words.startswith("Your last reply")
        text = (request.messages[0].parts[-1].text or "").rpartition(": ")[2]
        if text.startswith("Bad") or (text.startswith("Late") and not again):
            return Reply("no JSON at all")
        return Reply(json.dumps({"question": f"What comes first in {text!r}?", "answer": text.split()[0]}))


def make(name: str, settings: Mapping[str, Any]) -> Counting:
    """What the registry of adapters calls."""
    return Counting(settings)


TEXTS = {
    "a": "One fish swims. Two fish swim. One fish swims",
    "b": "Bad weather comes. Late trains stop. x",
    "c": "Two fish swim. Ten birds fly",
}


def config(**more: Any) -> dict[str, Any]:
    return {"texts": TEXTS, "models": {"maker": {"model": "toy/counting"}}, **more}


def output(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted((folder / "out").rglob("*")) if p.is_file()
    }


def asked_about(asked: list[Any]) -> list[str]:
    return [request.id for request in asked]


def questions(folder: Path) -> list[str]:
    return [row["id"] for row in json.loads((folder / "out/questions.json").read_text())]


ASKED = len({sentence.strip() for text in TEXTS.values() for sentence in text.split(".")}) - 1  # without "x"
