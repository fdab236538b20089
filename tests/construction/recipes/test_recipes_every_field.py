"""The five recipes, each with people in every queue: every field is edited, records are refused, and people disagree.

The walk knows no recipe: it edits what the form of a queue lets people edit, each field of each kind of task, and looks
each edited text up in the released files and in the provenance.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.construction.people.test_reviews import mcga_up_to_inspection, reasons
from tests.construction.recipes import test_cmdar as cmdar_material
from tests.construction.recipes import test_mcga as mcga_material
from tests.construction.recipes import test_mcif as mcif_material
from tests.construction.recipes import test_recipes_reviews_end_to_end as end_to_end
from tests.construction.recipes import test_xmodbench as xmodbench_material
from tests.construction.recipes.test_mcif_checks import GENERAL, RULES
from triptych.construction.build import Built, build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.reviews import EDITS

pytestmark = pytest.mark.slow
config_of_cmdar, config_of_mcga, material = cmdar_material.config, mcga_material.config, mcif_material.material
pictures, speaker = end_to_end.pictures, xmodbench_material.speaker
Task = Mapping[str, Any]
Answer = Callable[[Task], Any]
# What people return in queues without a verdict: first what keeps a record, then what refuses it.
WITHOUT_VERDICT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "scenes": ({"take": "yes"}, {"take": "no", "why": "silent"}),
    "confirm-pairs": ({"related": "yes"}, {"related": "no"}),
    "inspect": ({"score": 5}, {"score": 1, "fault": "noise"}),
    "listen": ({"voice": "human", "sound": "good"}, {"voice": "synthetic"}),
    "review": ({"verdict": "approve"}, {"verdict": "reject", "why": "two of them fit"}),
}


class Walk:
    """People in every queue of a build. `edits`: field -> its new text for a Task, or queue and field."""

    def __init__(self, to: Path, edits: Mapping[str, Answer], texts: Mapping[str, Answer] | None = None) -> None:
        self.to, self.edits, self.texts = to, edits, texts or {}
        self.edited: dict[tuple[str, str], tuple[str, Any]] = {}  # record and field -> the last edit of it
        self.fields: set[tuple[str, str]] = set()  # queues and their edited fields
        self.refused: list[tuple[str, str]] = []
        self.queues: list[str] = []
        self.asked: set[tuple[str, str, str]] = set()
        self.disputed: list[str] = []

    def through(self, make: Callable[[], Built]) -> Built:
        """Build until nothing waits; each queue once."""
        done = make()
        while done.waiting:
            waiting = sorted(path.stem for path in (self.to / "tasks").glob("*.jsonl"))
            assert waiting, done.counts
            for queue in waiting:
                path = self.to / f"tasks/{queue}.jsonl"
                tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
                for task in tasks:  # a result that can't be used would leave its task open
                    line = BuildFolder(self.to).find(queue, task["id"])
                    assert (queue, task["id"], task["shown"]) not in self.asked, (
                        queue,
                        task["id"],
                        line and line.outcome.note,
                    )
                    self.asked.add((queue, task["id"], task["shown"]))
                self._work(queue, tasks, make)
            done = make()
        return done

    def _work(self, queue: str, tasks: Sequence[Task], make: Callable[[], Built]) -> None:
        again = queue in self.queues  # records that came later
        self.queues += [] if again else [queue]
        if queue in self.texts:
            self._say(queue, f"{queue}-1", {task["id"]: self.texts[queue](task) for task in tasks}, tasks)
            return
        form = tasks[0]["form"]
        if again:
            keep = {"verdict": "approve"} if "verdict" in form else WITHOUT_VERDICT[queue][0]
            self._say(queue, f"{queue}-1", {task["id"]: keep for task in tasks}, tasks)
            return
        if not set(EDITS) & set(next(iter(form.values()))):
            keep, refuse = WITHOUT_VERDICT[queue]
            plan = {task["id"]: keep for task in tasks}
            other = {tasks[0]["id"]: refuse}
        else:
            plan, refuse = self._edits(queue, tasks), {"verdict": form["verdict"][-1], "why": "not clear"}
            other = {next(id for id, values in plan.items() if len(values) > 1): {"verdict": "approve"}}
        if len(tasks) > 1:
            plan[tasks[-1]["id"]] = refuse
            self.refused.append((queue, tasks[-1]["id"]))
        self._say(queue, f"{queue}-1", plan, tasks)
        self._say(queue, f"{queue}-2", other, tasks)
        assert reasons(make(), queue)["pending: disagreement"] >= 1  # nothing of the record goes on before
        self.disputed.append(queue)
        self._say(queue, f"{queue}-3", {id: plan[id] for id in other}, tasks, settles=True)

    def _edits(self, queue: str, tasks: Sequence[Task]) -> dict[str, dict[str, Any]]:
        """Every editable field of each kind of task, spread over the tasks of the kind; the last task is left out."""
        plan: dict[str, dict[str, Any]] = {task["id"]: {"verdict": "approve"} for task in tasks}
        kinds: dict[str, list[Task]] = defaultdict(list)
        for task in tasks[:-1] or tasks:
            kinds[" ".join(str(task["shows"].get(name)) for name in ("task", "element", "subtask"))].append(task)
        form = tasks[0]["form"]
        edit = next(verdict for verdict in form["verdict"] if verdict in EDITS)
        for of_kind in kinds.values():
            for number, name in enumerate(name for name in form if name in of_kind[0]["shows"]):
                fits = [t for t in of_kind if t["shows"].get("type") != "NA"]
                fits = [t for t in fits if t["shows"][name] is not None and name not in (t["shows"].get("fixed") or {})]
                if not fits or name == "verdict":
                    continue
                task = fits[number % len(fits)]
                text = (self.edits.get(f"{queue}/{name}") or self.edits[name])(task)
                plan[task["id"]] |= {"verdict": edit, name: text}
                self.edited[task["id"], name] = (queue, text if name != "answer" else right_of(task, text))
                self.fields.add((queue, name))
        return plan

    def _say(self, queue: str, person: str, said: Mapping[str, Any], tasks: Sequence[Task], **more: Any) -> None:
        (self.to / "results").mkdir(exist_ok=True)
        with (self.to / f"results/{queue}.jsonl").open("a", encoding="utf-8") as file:
            for task in tasks:
                if task["id"] in said:
                    result = {"id": task["id"], "shown": task["shown"], "person": person, "values": said[task["id"]]}
                    file.write(json.dumps(result | more, ensure_ascii=False) + "\n")

    def look_up(self, rights: Sequence[set[str]] = (), changed: Callable[[str], str] = str) -> None:
        """Every edited text is in the released files, and its author in the provenance; nothing refused is there.

        `rights`: the texts of the correct options of each released question; `changed`: an edited text as it is
        released.
        """
        out = self.to / "out"
        suffixes = (".json", ".jsonl", ".xml")
        files = [p for p in sorted(out.rglob("*")) if p.suffix in suffixes and p.name != "provenance.jsonl"]
        everything = "\n".join(p.read_text(encoding="utf-8") for p in files)
        provenance = (out / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(self.edited) > 2
        refused = {id for _, id in self.refused}
        for (id, name), (queue, value) in self.edited.items():
            if id in refused:  # in a later queue
                continue
            if isinstance(value, set):  # correct options, whose texts a later edit may have changed
                assert any({bare(text) for text in value} == {bare(text) for text in own} for own in rights), (
                    id,
                    value,
                )
            else:
                for text in [value] if isinstance(value, str) else value:
                    assert changed(text) in everything, (queue, name, id, text)
            lines = [line for line in provenance if is_about(line, id)]
            people = (f'"{queue}-1"', f'"{queue}-3"')
            assert any(person in line for person in people for line in lines), (queue, name, id, lines[:1])
        for queue, id in self.refused:
            assert not [line for line in provenance if is_about(line, id)], (queue, id)


def is_about(line: str, id: str) -> bool:
    """Whether a line of the provenance is about a record that a task was about: a recording, a question, a talk."""
    return set(id.split("/")) <= set(str(json.loads(line)["id"]).split("/"))


def bare(text: str) -> str:
    return text.rstrip("哩。")


def right_of(task: Task, answer: str) -> Any:
    """The texts of the options that an edited answer names; the answer itself for a question without options."""
    options = task["shows"].get("options")
    return answer if not options else {options["ABCDEF".index(letter)] for letter in answer.split("\n")}


def option(task: Task) -> str:
    """A letter of another correct option, or as many letters as there are correct ones."""
    options, answer = task["shows"]["options"], task["shows"]["answer"]
    right = [text for text in options if text in answer]
    wrong = ["ABCDEF"[n] for n, text in enumerate(options) if text not in answer]
    return "\n".join(wrong[: len(right)])


def new_options(task: Task) -> list[str]:
    """Every option with other words at its end, so that each can be found."""
    return [f"{text.rstrip('。')}哩" for text in task["shows"]["options"]]


ZH: dict[str, Answer] = {
    "question": lambda task: f"请问{task['shows']['question'].rstrip('？?')}呢？",
    "options": new_options,
    "answer": lambda task: option(task) if task["shows"].get("options") else heard(task["shows"]["answer"]),
    "category": lambda task: next(c for c in task["shows"]["category_choices"] if c != task["shows"]["category"]),
    "reasoning": lambda task: {"review": "先听见钟声，后听见脚步声。"}.get(task["stage"], "先听见脚步声，后听见钟声。"),
}


def heard(answer: str) -> str:
    return "因为远处传来了三次钟声。" if "三次" not in answer else "因为近处传来了五次钟声。"


def test_cmdar(config_of_cmdar: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    text = "blind = false\nallow_guessable = true\n"
    config_of_cmdar.write_text(text + config_of_cmdar.read_text(encoding="utf-8"), encoding="utf-8")
    walk = Walk(to, ZH)
    done = walk.through(lambda: build("cmdar", config_of_cmdar, to))
    assert done.complete and done.written, done.counts
    assert walk.queues == ["scenes", "confirm-pairs", "review", "second-review"] == walk.disputed
    assert walk.fields == {(queue, name) for queue in ("review", "second-review") for name in ZH}
    rows = [row for name in ("main", "multi") for row in json.loads((to / f"out/MDAR-{name}.json").read_text("utf-8"))]
    walk.look_up([set(row["answer"]) if isinstance(row["answer"], list) else {row["answer"]} for row in rows])


def test_mcga(config_of_mcga: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    edits = ZH | {
        "review/answer": lambda task: option(task) if task["shows"]["options"] else answered(task),
        "gender": lambda task: "woman" if task["shows"]["gender"] == "man" else "man",
        "age": lambda task: "old",
        "sec_2": lambda task: "改过的整体情感，沉静而悠远。",
        "sec_3": lambda task: task["shows"]["sec_3"].replace("喜悦", "忧伤而平静"),
    }
    mcga_up_to_inspection(config_of_mcga, to)
    walk = Walk(to, edits)
    done = walk.through(lambda: build("mcga", config_of_mcga, to))
    assert done.complete and done.written, done.counts
    assert sorted(walk.queues) == ["inspect", "review", "review-sec"] == sorted(walk.disputed)
    fields = {("review", name) for name in ("question", "options", "answer")}
    assert walk.fields == fields | {("review-sec", name) for name in ("gender", "age", "sec_2", "sec_3")}
    for name, label in (("gender", ""), ("age", "老年")):  # sec_1 is a sentence made of both
        for key in [key for key in walk.edited if key[1] == name]:
            walk.edited[key] = (walk.edited[key][0], label or {"man": "男性", "woman": "女性"}[walk.edited[key][1]])
    rows = [json.loads(x) for p in (to / "out").glob("MCGA_s[ur]_*") for x in p.read_text("utf-8").splitlines()]
    rights = []
    for row in rows:
        name = "su" if "su" in row else "sr"
        lines = {line[0]: line[3:] for line in row[name].split("\n") if line[1:3] == ". "}
        rights.append({lines[row[f"{name}_a"]]})
    walk.look_up(rights, lambda text: json.dumps(text, ensure_ascii=False)[1:-1])
    media = [path.name for path in (to / "out/audio").iterdir()]
    (recording,) = [id for queue, id in walk.refused if queue == "inspect"]
    assert media and not [name for name in media if name.startswith(recording.replace("/", "-"))]


def answered(task: Task) -> str:
    if task["shows"]["task"] == "sqa":
        return "一部失传的诗集"
    things = ", ".join(mcga_material.THINGS[: len(task["shows"]["text"]) // 2])
    return f"A better translation of {task['id']}: {things}."


def test_mcs_bench(pictures: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    text = pictures.read_text(encoding="utf-8").replace("second_review = false", "second_review = true")
    pictures.write_text(text, encoding="utf-8")
    edits = ZH | {
        "question": lambda task: (
            "悦" if len(task["shows"]["question"]) == 1 else f"请问{task['shows']['question'][:-1]}呢？"
        ),
        "answer": lambda task: (
            option(task) if task["shows"].get("options") else f"{task['shows']['answer'][:-1]}，共四只。"
        ),
    }
    walk = Walk(to, edits)
    done = walk.through(lambda: build("mcs_bench", pictures, to))
    assert done.written, done.counts
    assert walk.queues == ["review", "second-review"] == walk.disputed
    assert walk.fields == {(queue, name) for queue in walk.queues for name in ("question", "options", "answer")}
    rights = []
    for row in end_to_end.released(to).values():
        options = dict(part.split("、", 1) for part in row["Question_Simplified"].split() if part[1:2] == "、")
        rights.append({options.get(row["Answer_Simplified"], row["Answer_Simplified"])})
    walk.look_up(rights, lambda text: end_to_end.written(text, "simplified"))


def test_xmodbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    to = tmp_path / "b"
    names = iter(["boat", "ship", "sword", "drum", "lamp", "coat", "tent", "kite", "vase", "harp"])
    wrong = ["She had a bike.", "She saw a boat.", "She lost a bicycle.", "She sold a bicycle."]
    own = [
        {"id": f"own{n}", "subtask": "recognition", "text": f"She had a bicycle {where}.", "wrong": "|".join(wrong)}
        for n, where in enumerate(("here", "there", "again"))
    ]
    meant = {"subtask": "translation", "wrong": "我很难过。|我很冷。|我很高。"}
    own[:0] = [
        {**meant, "id": f"to{n}", "text": text, "target_text": to}
        for n, (text, to) in enumerate({"I am proud.": "我很自豪。", "I am very proud.": "我非常自豪。"}.items())
    ]
    monkeypatch.setattr(xmodbench_material, "sentences", lambda: own)
    edits: dict[str, Answer] = {
        "review-texts/target_text": lambda task: "我感到自豪极了。",
        "wrong_options": lambda task: [
            "我很热。" if task["shows"]["subtask"] == "translation" else f"She took a {next(names)}.",
            *task["shows"]["wrong_options"][1:],
        ],
        "text": lambda task: f"{task['shows']['text']} of the old {next(names)}",
        "target_text": lambda task: f"{task['shows']['target_text']} of the old {next(names)}",
    }
    walk = Walk(to, edits)
    done = walk.through(lambda: end_to_end.photographs(tmp_path, monkeypatch))
    assert done.complete and done.written, done.counts
    assert set(walk.queues) == {"review-texts", "review-forms", "review"} == set(walk.disputed)
    assert walk.fields == {("review-texts", "target_text"), ("review-texts", "wrong_options"), ("review-forms", "text")}
    walk.look_up()


def test_mcif(material: Any, tmp_path: Path) -> None:
    to = tmp_path / "b"
    material.talks = material.talks[:3]
    material.questions = [row for row in material.questions if row["talk"] == "t1"]
    for row in (*material.talks, *material.questions):
        for name in [n for n in row if n.endswith("_de") or n.startswith("translation")]:
            del row[name]
    for talk in material.talks:
        del talk["transcript"]
        talk["voice"] = ""
    distribution = ", ".join(f"{name} = {count}" for name, count in RULES.items())
    config = material.config(
        'languages = ["en", "de"]',
        'drafts = ["transcripts", "translations"]',
        "native = true",
        "second_expert = true",
        "write = true",
        "abstract_first = true",
        f"distribution = {{ {distribution} }}",
        f"general = {json.dumps(GENERAL)}",
        roles=["recogniser", "translator"],
    )

    def lines_of(task: Task) -> str:
        return "\n".join(task["shows"]["draft"])

    texts: dict[str, Answer] = {
        "abstract-questions": lambda task: {"abstract_questions": ["How many swifts are there?"]},
        "write-questions": lambda task: {"questions": written()},
        "transcribe": lambda task: {
            "transcript": (material.base / f"{task['id'].split('/')[0]}.en").read_text(encoding="utf-8")
        },
        "post-edit": lambda task: {"text": lines_of(task)},
    }
    edits: dict[str, Answer] = {
        "question": lambda task: f"{task['shows']['question'].rstrip('?')}, exactly?",
        "answer": lambda task: f"{task['shows']['answer'].rstrip('.')}, as they say.",
        "type": lambda task: "AV" if task["shows"]["type"] == "A" else "A",
        "origin": lambda task: "Abstract" if task["shows"]["origin"] == "Transcript" else "Transcript",
        "begin": lambda task: f"{task['shows']['begin'] + 0.5:g}",
        "end": lambda task: f"{task['shows']['end'] - 0.25:g}",
        "target": lambda task: [with_another_word(task["shows"]["target"][0]), *task["shows"]["target"][1:]],
    }
    walk = Walk(to, edits, texts)
    done = walk.through(lambda: build("mcif", config, to))
    assert done.complete and done.written, [(each.stage, each.reasons) for each in done.counts if each.reasons]
    assert set(walk.queues) == {"listen", "abstract-questions", "write-questions", "second-expert", *PEOPLE_OF_LINES}
    assert set(walk.disputed) == {"listen", "second-expert", "supervise"}
    assert {name for _, name in walk.fields} == set(edits)
    for key in [key for key in walk.edited if key[1] in ("begin", "end")]:  # they choose the clip; no file has them
        walk.edited[key] = (walk.edited[key][0], [])
    walk.look_up()


PEOPLE_OF_LINES = ("transcribe", "post-edit", "supervise")


def with_another_word(line: str) -> str:
    """A translated line with one more word before its mark: after it, the line would count as cut off."""
    return f"{line.rstrip('.?!')}, genau{line[len(line.rstrip('.?!')) :]}"


def written() -> list[dict[str, Any]]:
    """Questions about a talk: a general one, the one that was written after the abstract, and two others."""
    times = {"type": "A", "begin": "10", "end": "14"}
    return [
        {**times, "question": GENERAL[0], "answer": "A university.", "origin": "General"},
        {**times, "question": "How many swifts are there?", "answer": "Nine swifts.", "origin": "Abstract"},
        {**times, "question": "What is counted?", "answer": "Swifts are.", "origin": "Transcript"},
        {**times, "question": "Who counts the birds?", "answer": "Two people.", "origin": "Transcript"},
    ]
