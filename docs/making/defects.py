"""Seed defects in the questions of the mini sets, and count what each check of a build finds.

    python docs/making/defects.py [--model ADAPTER/NAME] [--list]

One hundred questions are made faulty, twenty in each of five ways, and the checks of `triptych build` run over them as
they do in a recipe. For each way the checks see a whole set, in which the other questions are sound: what they drop of
those is a false alarm. Twenty more questions are biased so that no single one is at fault, but the set can be guessed.

The validators are simulated: each decides correctly with the stated probability, independently of the others, and is
shown one question at a time. `--model` adds a real one. `--list` prints the faulty questions.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from triptych.construction.asking.prompt import Prompt
from triptych.construction.asking.stage import Model
from triptych.construction.engine.context import Context
from triptych.construction.engine.engine import Engine
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.construction.record import Record
from triptych.construction.stage import Stage
from triptych.construction.stages.duplicates import near_duplicates
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.options import options
from triptych.construction.stages.splits import split_records
from triptych.construction.stages.validation import validated
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.models.registry import load_adapter
from triptych.records import Request
from triptych.running.loop import RunOptions

MINI = Path(__file__).resolve().parents[2] / "src/triptych/benchmarks"
EACH = 20
ACCURACIES = (0.7, 0.9)
PROMPT = Prompt(
    "defects",
    """{text}

问题：{question}
选项：{options}
标准答案：{answer}

请判断这道选择题是否有效：标准答案是否正确，是否只有一个选项正确，问题本身是否没有说出答案。
格式：{"valid": true 或 false, "reason": "…"}。只输出一个 JSON 对象，不要输出其他内容。""",
)
# The right options of some questions in other words: to a person the same, to a comparison of texts another option.
OTHER_WORDS = {
    "医院": "看病的地方",
    "医生和病人": "看病的人和给他看病的大夫",
    "因为火车马上要开了": "因为列车就快出发了",
    "火车站": "乘火车的地方",
    "厨房里冒烟了": "做饭的屋子起了烟",
    "为了庆祝生日": "因为有人今天过生日",
    "掌声": "鼓掌的声音",
    "半个小时": "三十分钟",
    "母亲和孩子": "妈妈和儿子",
    "饭店服务员": "餐馆里端菜的人",
    "因为有人受伤了": "因为伤了人",
    "深夜": "半夜三更",
}


@dataclass(frozen=True)
class Question:
    """A question with its options; `faulty`: what was done to it shows in the question itself."""

    id: str
    question: str
    options: tuple[str, ...]
    answer: int
    text: str = ""
    keys: tuple[str, ...] = ()
    seeded: bool = False
    faulty: bool = False

    def record(self) -> Record:
        """The question as the stages read it."""
        fields = {
            "question": self.question,
            "options": list(self.options),
            "answers": [self.answer],
            "answer": self.options[self.answer],
            "text": self.text,
            "keep_together": list(self.keys),
        }
        return Record(self.id, fields)


def sound() -> list[Question]:
    """The questions of CMDAR's (main) and MCGA's (SU, SR) mini sets that the checks of options let through."""
    found = [*_cmdar(), *_mcga()]
    kept = _left(options, found)
    return [question for question in found if question.id in kept]


def seeded(kind: str, questions: Sequence[Question]) -> list[Question]:
    """The whole set with twenty defects of a kind; the order is drawn, the same each time."""
    draw = Random(kind)
    return SEEDS[kind](draw.sample(list(questions), len(questions)), draw)


def wrong_answer(questions: list[Question], draw: Random) -> list[Question]:
    """Another option is marked as right."""

    def spoiled(own: Question) -> Question:
        wrong = draw.choice([place for place in range(len(own.options)) if place != own.answer])
        return replace(own, answer=wrong, seeded=True, faulty=True)

    return _first(questions, spoiled)


def two_right(questions: list[Question], draw: Random) -> list[Question]:
    """A wrong option becomes the right one in other marks and widths, or in other words."""
    worded = [q for q in questions if q.options[q.answer] in OTHER_WORDS][: EACH // 2]
    marked = [q for q in questions if q not in worded][: EACH - len(worded)]
    rest = [q for q in questions if q not in worded and q not in marked]

    def spoiled(own: Question) -> Question:
        right = own.options[own.answer]
        again = OTHER_WORDS[right] if own in worded else f"“{right}”。"
        place = draw.choice([p for p in range(len(own.options)) if p != own.answer])
        changed = tuple(again if p == place else option for p, option in enumerate(own.options))
        return replace(own, options=changed, seeded=True, faulty=True)

    return [*map(spoiled, [*worded, *marked]), *rest]


def answer_inside(questions: list[Question], draw: Random) -> list[Question]:
    """The question says its answer."""

    def spoiled(own: Question) -> Question:
        return replace(own, question=f"{own.question}（{own.options[own.answer]}）", seeded=True, faulty=True)

    return _first(questions, spoiled)


def duplicate(questions: list[Question], draw: Random) -> list[Question]:
    """A copy joins the set: as it is, with other marks, with a word more, or with its options in another order."""
    copies = []
    for number, own in enumerate(questions[:EACH]):
        said = (own.question, own.question.replace("？", " ?"), f"请问，{own.question}", own.question)[number % 4]
        order = draw.sample(range(len(own.options)), len(own.options)) if number % 4 == 3 else range(len(own.options))
        copies.append(
            replace(
                own,
                id=f"{own.id}-copy",
                question=said,
                options=tuple(own.options[p] for p in order),
                answer=list(order).index(own.answer),
                seeded=True,
            )
        )
    return [*questions, *copies]


def leak(questions: list[Question], draw: Random) -> list[Question]:
    """Twenty pairs of questions share a work, a speaker, a film, or a cluster of near-duplicates."""
    made = [replace(own, keys=(f"own:{own.id}",)) for own in questions]
    for number in range(EACH):
        kind = ("work", "speaker", "film", "cluster")[number % 4]
        for place in (2 * number, 2 * number + 1):
            own = made[place]
            made[place] = replace(own, keys=(*own.keys, f"{kind}:{number}"), seeded=place % 2 == 1)
    return made


def one_place(questions: list[Question], draw: Random) -> list[Question]:
    """The right option moves to the first place."""

    def moved(own: Question) -> Question:
        rest = [option for place, option in enumerate(own.options) if place != own.answer]
        return replace(own, options=(own.options[own.answer], *rest), answer=0, seeded=True)

    return _first([q for q in questions if q.answer] + [q for q in questions if not q.answer], moved)


SEEDS: dict[str, Callable[[list[Question], Random], list[Question]]] = {
    "wrong answer": wrong_answer,
    "two right options": two_right,
    "answer in the question": answer_inside,
    "duplicate": duplicate,
    "leak between splits": leak,
    "right option at one place": one_place,
}
OVER_THE_SET = ("right option at one place",)  # in addition to the hundred
BY_CODE = ("options", "near-duplicates", "split", "unguessable")


class StandIn(SimpleAdapter):
    """A validator that decides correctly with a given probability, drawn for each model and question."""

    def __init__(self, number: int, accuracy: float, faulty: frozenset[str]) -> None:
        super().__init__({})
        self.name, self.accuracy, self.faulty = f"stand-in/{number}-{accuracy:g}", accuracy, faulty

    async def respond(self, request: Request, prepared: Any) -> Reply:
        drawn = int(hashlib.sha256(f"{self.name} {request.id}".encode()).hexdigest()[:8], 16) / 16**8
        valid = (request.id not in self.faulty) == (drawn < self.accuracy)
        return Reply(json.dumps({"valid": valid, "reason": "drawn"}))


Check = Callable[[Sequence[Question]], frozenset[str]]


def checks(model: str = "") -> dict[str, Check]:
    """Each check: its name, and a function that returns the ids of the questions that it finds."""
    found: dict[str, Check] = {
        "options": lambda own: _dropped(options, own),
        "near-duplicates": lambda own: _dropped(near_duplicates, own, text=_all_words),
        "split": _kept_together,
        "unguessable": lambda own: _dropped(unguessable, own),
    }
    for accuracy in ACCURACIES:
        for need in (3, 2):
            found[f"{need}/3 {accuracy:.0%}"] = _trio(accuracy, need)
    if model:
        found[model] = lambda own: _dropped(_stage(("validator",), 1), own, {"validator": load_adapter(model, {})})
    return found


def table(model: str = "") -> Iterator[str]:
    """The table, line by line: found of seeded by kind, and what was dropped of the sound ones."""
    base, own = sound(), checks(model)
    sets = {kind: seeded(kind, base) for kind in SEEDS}
    found = {
        (kind, name): check(questions)
        for kind, questions in sets.items()
        for name, check in own.items()
        if name in BY_CODE or any(q.faulty for q in questions)
    }
    width = max(map(len, SEEDS)) + 1
    yield _row("", {name: name for name in own}, own, width)
    totals = dict.fromkeys(own, 0)
    for kind, questions in sets.items():
        wanted = {q.id for q in questions if q.seeded}
        cells = {name: len(found[kind, name] & wanted) for name in own if (kind, name) in found}
        if kind in OVER_THE_SET:
            yield _row("of 100", totals, own, width)
            yield _row("false alarms, %", {name: _alarms(name, sets, found) for name in own}, own, width)
            yield ""
        totals = {name: totals[name] + cells.get(name, 0) for name in own}
        yield _row(kind, cells, own, width)


def _alarms(name: str, sets: Mapping[str, Sequence[Question]], found: Mapping[tuple[str, str], frozenset[str]]) -> str:
    """The share of sound questions that a check drops, over the sets that it looks at."""
    looked_at = [kind for kind in sets if (kind, name) in found and kind not in OVER_THE_SET]
    fine = [q.id in found[kind, name] for kind in looked_at for q in sets[kind] if not q.seeded]
    return f"{100 * sum(fine) / len(fine):.1f}"


def apart() -> int:
    """How many of the twenty pairs are divided between two splits if each question is assigned by itself."""
    questions = seeded("leak between splits", sound())
    went = {r.id: r.fields["split"] for r in _passed(split_records, [replace(q, keys=()) for q in questions])}
    return sum(went[fellows[0].id] != went[fellows[1].id] for fellows in _fellows(questions))


def _row(kind: str, cells: Mapping[str, object], names: Iterable[str], width: int) -> str:
    """A line of the table; `-` for a check that does not look at this kind."""
    return f"{kind:{width}}" + "".join(f"{cells.get(name, '-'):>{max(len(name), 5) + 2}}" for name in names)


def _first(questions: list[Question], change: Callable[[Question], Question]) -> list[Question]:
    return [*map(change, questions[:EACH]), *questions[EACH:]]


def _all_words(own: Question) -> str:
    return own.question + "".join(sorted(own.options))


def _trio(accuracy: float, need: int) -> Check:
    roles = ("validator_a", "validator_b", "validator_c")

    def check(own: Sequence[Question]) -> frozenset[str]:
        faulty = frozenset(q.id for q in own if q.faulty)
        models = {role: StandIn(number, accuracy, faulty) for number, role in enumerate(roles)}
        return _dropped(_stage(roles, need), own, models)

    return check


def _stage(roles: Sequence[str], need: int) -> Stage:
    return validated("validate", PROMPT, ["text", "question", "options", "answer"], roles, at_least=need)


def _kept_together(own: Sequence[Question]) -> frozenset[str]:
    """The seeded questions whose fellow went to the same split."""
    went = {record.id: record.fields["split"] for record in _passed(split_records, own)}
    together = [pair for pair in _fellows(own) if len({went[q.id] for q in pair}) == 1]
    return frozenset(q.id for pair in together for q in pair if q.seeded)


def _fellows(own: Sequence[Question]) -> list[list[Question]]:
    """The pairs that share something."""
    keys = [key for q in own if q.seeded for key in q.keys[1:]]
    return [[q for q in own if key in q.keys] for key in keys]


def _left(stage: Stage, own: Sequence[Question]) -> frozenset[str]:
    return frozenset(record.id for record in _passed(stage, own))


def _dropped(
    stage: Stage,
    own: Sequence[Question],
    models: Mapping[str, Any] | None = None,
    text: Callable[[Question], str] | None = None,
) -> frozenset[str]:
    shown = [replace(q, text=text(q)) for q in own] if text else own
    return frozenset(q.id for q in own) - {record.id for record in _passed(stage, shown, models or {})}


def _passed(stage: Stage, own: Sequence[Question], models: Mapping[str, Any] | None = None) -> Sequence[Record]:
    """The records that a build with this one stage keeps."""
    with tempfile.TemporaryDirectory(prefix="triptych-defects-") as folder:
        asked = {role: Model(role, adapter) for role, adapter in (models or {}).items()}
        context = Context(Parameters(), MediaStore(Path(folder)), 0)
        engine = Engine(BuildFolder(Path(folder)), context, asked, RunOptions())
        return engine.run([stage], [q.record() for q in own]).records


def _cmdar() -> Iterator[Question]:
    for row in json.loads((MINI / "cmdar/mini/MDAR-main.json").read_bytes()):
        yield Question(
            f"cmdar-{row['id']}", row["question"], tuple(row["chosens"]), row["chosens"].index(row["answer"])
        )


def _mcga() -> Iterator[Question]:
    for task in ("su", "sr"):
        for line in (MINI / f"mcga/mini/MCGA_{task}_test.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            shown = unicodedata.normalize("NFC", row[task])
            stem = re.split(r"\n[A-D]\. ", shown)[0].removeprefix("问题：").strip()
            choices = re.findall(r"^[A-D]\. (.+)$", shown, re.M)
            yield Question(f"mcga-{task}-{row['id']}", stem, tuple(choices), "ABCD".index(row[f"{task}_a"]), row["asr"])


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Recall of each check of a build on seeded defects.")
    parser.add_argument("--model", default="", help="a real validator in addition to the simulated ones")
    parser.add_argument("--list", action="store_true", help="print the faulty questions instead")
    given = parser.parse_args(arguments)
    if given.list:
        base = sound()
        for kind in SEEDS:
            for own in (q for q in seeded(kind, base) if q.seeded):
                print(kind, own.id, own.question, "/".join(own.options), own.options[own.answer], own.keys, sep="\t")
        return 0
    for line in table(given.model):
        print(line.rstrip(), flush=True)
    print(f"\nWithout `split`, {apart()} of the 20 pairs would be divided between two splits.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
