"""A recording that a later stage sends back is asked for again in the build folder, and taken from its reader without
more words; who wrote a question in place of a model can't review it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.construction import toy
from triptych.cli.main import main
from triptych.construction.asking.questions import Ask, People, Result
from triptych.construction.build import Built, build
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.sheets import open_tasks, take_sheet, write_sheet
from triptych.construction.people.stage import ask_people
from triptych.construction.recipe import Recipe, Start
from triptych.construction.record import Outcome, Record, dropped, kept, pending
from triptych.construction.stage import Stage, stage
from triptych.errors import DataError


class Config(msgspec.Struct):
    lines: dict[str, str]


@stage("one-each", version=1, reads=["audio"], writes=[], kind="whole")
def one_each(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Send back recordings that several records have."""
    audio = [values["audio"] for values in records]
    return [pending("record-again", "the same recording twice") if audio.count(a) > 1 else kept() for a in audio]


def _stages(config: Config) -> list[Stage]:
    asks = People({"audio": "media"}, "Read the line aloud", agree=False)
    return [ask_people("record", asks, version=1, reads=["line"], writes=["audio"]), one_each]


def _start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    yield from (Start(Record(id, {"line": line}), {}) for id, line in config.lines.items())


RECIPE = Recipe("read", 1, "for tests", Config, _start, _stages, lambda *_: None, {})


def _go(to: Path) -> Built:
    return build(RECIPE, {"lines": {"a": "Spring", "b": "Autumn", "c": "Winter"}}, to)


def _read(to: Path, sheet: Path, recordings: dict[str, str]) -> Any:
    folder = BuildFolder.open(to)
    write_sheet(open_tasks(folder, "record"), sheet)
    rows = list(csv.DictReader(sheet.read_text(encoding="utf-8-sig").splitlines()))
    column = next(name for name in rows[0] if name.startswith("your audio"))
    for row in rows:
        row[column] = recordings.get(row["id"], "")
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return take_sheet(folder, "record", sheet, "R1")


def _open(to: Path) -> dict[str, str]:
    return {task.id: task.again for task in open_tasks(BuildFolder.open(to), "record")}


def test_recordings_that_are_sent_back_are_open_tasks_until_they_are_made_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to, sheet = tmp_path / "build", tmp_path / "record.csv"
    assert _go(to).waiting == 3 and _open(to) == {"a": "", "b": "", "c": ""}
    (to / "results").mkdir(exist_ok=True)
    for name, content in (("one.wav", b"one"), ("copy.wav", b"one"), ("three.wav", b"three"), ("two.wav", b"two")):
        (to / "results" / name).write_bytes(content)
    assert _read(to, sheet, {"a": "one.wav", "b": "copy.wav", "c": "three.wav"}).results == 3
    assert _go(to).waiting == 2
    assert _open(to) == dict.fromkeys("ab", "the same recording twice")
    with pytest.raises(SystemExit) as ended:
        main(["build", "status", str(to)])
    assert ended.value.code == 1
    shown = capsys.readouterr()
    assert "build tasks" in shown.out + shown.err and "recorded again" in shown.out + shown.err
    taken = _read(to, sheet, {"b": "two.wav"})
    assert taken.results == 1 and not taken.faults, "the reader need not say that this replaces what was sent back"
    built = _go(to)
    assert built.complete
    with pytest.raises(DataError, match="no open tasks"):
        _open(to)


def test_a_reader_who_was_not_asked_again_says_that_a_recording_replaces_another(tmp_path: Path) -> None:
    to, sheet = tmp_path / "build", tmp_path / "record.csv"
    _go(to)
    (to / "results").mkdir(exist_ok=True)
    for name in ("one.wav", "two.wav"):
        (to / "results" / name).write_bytes(name.encode())
    _read(to, sheet, {"a": "one.wav"})
    again = _read(to, sheet, {"a": "two.wav"})
    assert not again.results and "--replace" in again.faults[0]


def _decide(replies: Any, values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    return kept(question=reply.question, answer=reply.answer)


def _verdict(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    return kept() if results[0].values["verdict"] == "approve" else dropped("rejected")


def _reviewed(config: toy.Config) -> list[Stage]:
    asking = Ask(toy.Prompt("question", config.prompt), _decide, toy.Question)
    form = {"verdict": ["approve", "reject"]}
    return [
        *toy.stages(config)[:2],
        toy.ask("question", asking, version=1, reads=["text"], writes=["question", "answer"]),
        ask_people(
            "check",
            People(form, decide=_verdict, shows=("question", "answer")),
            version=1,
            reads=["question", "answer"],
        ),
        ask_people("sound", People(form, decide=_verdict, shows=("text",)), version=1, reads=["text"]),
    ]


def test_who_wrote_a_question_in_place_of_a_model_cannot_review_it(tmp_path: Path) -> None:
    recipe = Recipe("toy", 1, "", toy.Config, toy.start, _reviewed, lambda *_: None, {"maker": ""})
    config = {"texts": {"a": "Cats sleep. Dogs bark."}, "models": {"maker": {"model": "human/authors"}}}

    def give(stage: str, person: str, **values: Any) -> Built:
        (tmp_path / "results").mkdir(exist_ok=True)
        with (tmp_path / f"results/{stage}.jsonl").open("a", encoding="utf-8") as file:
            for line in (tmp_path / f"tasks/{stage}.jsonl").read_text(encoding="utf-8").splitlines():
                task = json.loads(line)
                result = {"id": task["id"], "shown": task["shown"], "person": person, "values": values}
                file.write(json.dumps(result) + "\n")
        return build(recipe, config, tmp_path)

    build(recipe, config, tmp_path)
    built = give("question", "P1", question="Who?", answer="they")
    number = built.counts[-2].decisions["pending"]
    assert number and all(t.checks["not_by"] == ["P1"] for t in open_tasks(BuildFolder.open(tmp_path), "check"))
    built = give("check", "p1.", verdict="approve")
    assert built.counts[-2].reasons == {"pending: result-refused": number}
    built = give("check", "P2", verdict="approve")
    assert built.counts[-2].decisions["kept"] == number
    assert not any(t.checks for t in open_tasks(BuildFolder.open(tmp_path), "sound")), "P1 wrote nothing that it shows"
    assert give("sound", "P1", verdict="approve").complete
