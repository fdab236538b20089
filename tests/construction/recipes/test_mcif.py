"""The MCIF recipe on the mini set's own talks: to files that our reader, check and runs accept."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tools.mini import mcif_set

import triptych
from tests.construction.stages.test_annotation import LABELS
from tests.construction.stages.test_talks import film, spoken
from triptych import load_benchmark
from triptych.benchmarks.mcif.names import LANGUAGES
from triptych.benchmarks.mcif.samples import Reference, Source, read_references, read_sources
from triptych.cli.build_messages import print_end
from triptych.construction.build import build, withdraw
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes.mcif import RECIPE, Config, without_fillers
from triptych.construction.release.provenance import life_of
from triptych.construction.report.statistics import records_of
from triptych.construction.tables import read_table
from triptych.construction.text_checks.numerals import numbers_in
from triptych.errors import DataError, SpecError
from triptych.media.sound.coding import decode_sound
from triptych.models import registry
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request
from triptych.running.loop import RunOptions

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
HOSTILE = 'Is <b>"5 < 6"</b> & so on ]]> <!-- {QUESTION} ü 中\x0b?'
ANY_LENGTH = "[stages.clean-transcript]\nwording = false"  # a few words for a talk
TIMES = [("0:01", "0:04"), ("10", "14.5"), ("20", "25"), ("", "")]


WORDS = {
    "German": [
        "und",
        "der",
        "mit",
        "auf",
        "dem",
        "das",
        "wir",
        "eine",
        "zu",
        "haben",
        "von",
        "sie",
        "über",
        "ist",
        "den",
    ],
    "Italian": [
        "e",
        "il",
        "con",
        "di",
        "una",
        "che",
        "per",
        "sono",
        "della",
        "nel",
        "questo",
        "anche",
        "da",
        "come",
        "la",
    ],
    "Mandarin Chinese (simplified)": list("的是在我们有他这了和也就对能会"),
}


CODES = {"German": "de", "Italian": "it", "Mandarin Chinese (simplified)": "zh"}


@cache
def known() -> dict[tuple[str, str], str]:
    """The mini set's own translations: line and language -> translation."""
    made = {}
    for code in CODES.values():
        for row in read_table(mcif_set.FOLDER / "talks.tsv", ["id"]):
            pairs = [[(mcif_set.FOLDER / f"{row['id']}.{x}").read_text("utf-8").splitlines() for x in ("en", code)]]
            pairs.append([[row["abstract"]], [row[f"abstract_{code}"]]])
            made |= {(a, code): b for one, other in pairs for a, b in zip(one, other, strict=True)}
        for row in read_table(mcif_set.FOLDER / "questions.tsv", ["talk"]):
            made |= {(row[f"{name}_en"], code): row[f"{name}_{code}"] for name in ("question", "answer")}
    return made


def translated(line: str, language: str) -> str:
    """A translation of the mini set, or a text in the language, as long as the line, with its names and numbers."""
    if (line, CODES[language]) in known():
        return known()[line, CODES[language]]
    draw = random.Random(line)
    words = [{"German": "Für", "Italian": "È"}.get(language, "这"), *draw.sample(WORDS[language], 1)]
    while len(words) < len(line.split()):
        words.append(draw.choice([word for word in WORDS[language] if word not in words[-2:]]))
    space = "" if language.startswith("Mandarin") else " "
    return (
        space.join([*words, *re.findall(r"(?<=\w )[A-Z][a-z]+", line), *map(str, sorted(numbers_in(line, "en")))])
        + line[-1:]
    )


class Model(SimpleAdapter):
    """Recognises and translates: one sentence for each clip, each line in words of the language."""

    asked: Counter[str] = Counter()  # noqa: RUF012

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name, self.role = f"stand-in/{name}", name

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked[self.role] += 1
        words = request.messages[-1].parts[-1].text or ""
        if self.role == "recogniser":
            path = request.media_parts[0].path or ""
            return Reply(f"Um, this is clip {path[9:13]}.\n\nAnd, uh, it goes on.")
        lines = json.loads(words[words.index("[") : words.rindex("]\n") + 1])
        name = words.partition("English into ")[2].partition(".")[0]
        return Reply(json.dumps({"lines": [translated(line, name) for line in lines]}, ensure_ascii=False))


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


def table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, delimiter="\t", restval="")
        writer.writeheader()
        writer.writerows(rows)


RAW = mcif_set.FOLDER


def talk_row(base: Path, row: Mapping[str, Any]) -> dict[str, Any]:
    """A talk of the mini set as raw material; it is divided at its pauses."""
    name = row["id"]
    for suffix in ("ogg", "mp4", *LANGUAGES):
        shutil.copyfile(RAW / f"{name}.{suffix}", base / f"{name}.{suffix}")
    own = {key: value for key, value in row.items() if key not in ("segments", "source")}
    return own | {"speaker": f"Speaker {name[1:]}", "licence": "cc-by-4.0", "voice": "human", "summary_only": ""}


def question_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for number, row in enumerate(rows):
        begin, end = TIMES[number % 4]
        made.append({**row, **({"begin": begin, "end": end} if row["type"] != "NA" else {})})
    return made


class Material:
    """The mini set's three talks as tables, which a test changes before it writes them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.talks = [talk_row(base, row) for row in read_table(RAW / "talks.tsv", ["id"])]
        self.questions = question_rows(read_table(RAW / "questions.tsv", ["talk"]))

    def config(self, *lines: str, roles: Sequence[str] = ()) -> Path:
        table(self.base / "talks.tsv", self.talks)
        table(self.base / "questions.tsv", self.questions)
        models = [f'[models.{role}]\nmodel = "stand-in/{role}"' for role in roles]
        common = ['talks = "talks.tsv"', 'questions = ["questions.tsv"]', 'detector = "level"']
        common += lines if any(line.startswith("guideline") for line in lines) else ["guideline = false", *lines]
        path = self.base / "recipe.toml"
        path.write_text("\n".join([*common, *models]), encoding="utf-8")
        return path


@pytest.fixture
def material(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Material:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcif", ""))
    Model.asked.clear()
    base = tmp_path / "raw"
    base.mkdir()
    return Material(base)


def answer(folder: Path, stage: str, values: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """A person returns something for every open task of a stage; how many there were."""
    path = folder / f"tasks/{stage}.jsonl"
    tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    (folder / "results").mkdir(exist_ok=True)
    with (folder / f"results/{stage}.jsonl").open("a", encoding="utf-8") as file:
        for task in tasks:
            result = {"id": task["id"], "shown": task["shown"], "person": "E1", "values": values(task)}
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
    return len(tasks)


def sources(out: Path, track: str, language: str, prompts: str = "fixed") -> tuple[Source, ...]:
    (block,) = read_sources(out / f"MCIF1.0.IF.{track}.{language}.src.{prompts}prompts.xml")
    return block.samples


def references(out: Path, track: str, language: str) -> tuple[Reference, ...]:
    (block,) = read_references(out / f"MCIF1.0.IF.{track}.{language}.ref.xml")
    return block.samples


def test_complete_material_becomes_a_release_without_people_or_models(material: Material, tmp_path: Path) -> None:
    material.talks[2]["summary_only"] = "yes"
    material.questions = [row for row in material.questions if row["talk"] != "t3"]
    material.questions[0]["question_en"] = HOSTILE
    done = build(
        "mcif",
        material.config("[stages.question-form]\nwording = false", "[stages.parallel-lines]\nwording = false"),
        tmp_path / "b",
    )
    out = tmp_path / "b/out"
    assert done.complete, done.counts
    assert Counter(r.kind for r in references(out, "long", "de")) == {"TRANS": 2, "QA": 8, "SUM": 3}
    assert Counter(r.kind for r in references(out, "short", "en")) == {"ASR": 2, "QA": 8}
    problems = list(load_benchmark("mcif").check(out))
    assert {p.kind for p in problems} <= {"count"}, problems
    found = Counter(item.task for item in load_benchmark("mcif").items(out))
    assert found["mcif/long/zh/SUM"] == 3 * 4 * 2  # talks, modalities, prompt sets
    by_iid = {r.iid: r for r in references(out, "long", "en")}
    hostile = next(s for s in sources(out, "long", "en") if s.id == by_iid["QA_1_1"].ids[0])
    assert hostile.instruction.endswith('Is <b>"5 < 6"</b> & so on ]]> <!-- {QUESTION} ü 中 ?')
    assert {r.text for r in references(out, "long", "it") if r.qa_type == "NA"} == {"Non è possibile rispondere."}
    assert by_iid["ASR_1"].text == " ".join((material.base / "t1.en").read_text("utf-8").splitlines())


def test_talks_that_people_have_divided_in_opus(material: Material, tmp_path: Path) -> None:
    spans = [(0.0, 9.0), (9.5, 20.0), (21.0, 30.0)]
    rows = [{"begin": f"{a}", "end": f"0:{b:04.1f}"} for a, b in spans]
    table(material.base / "t1.segments.tsv", rows)
    table(material.base / "wrong.tsv", [{"begin": 5, "end": 9}, {"begin": 8, "end": 12}])
    material.talks = material.talks[:2]
    material.questions = [row for row in material.questions if row["talk"] in ("t1", "t2")]
    material.talks[0] |= {"segments": "t1.segments.tsv", "voice": "synthetic"}
    material.talks[1] |= {"segments": "wrong.tsv"}
    stages = '[stages.natural-voice]\nsynthetic = "keep"\n[stages.talk-sound]\nconvert = false\n'
    config = material.config(stages + '[stages.talk-clip]\nsound = "ogg"')
    counts = {each.stage: each for each in build("mcif", config, tmp_path / "b").counts}
    assert counts["segments"].reasons == {"dropped: segment-impossible": 1}
    out = tmp_path / "b/out"
    (talk,) = (r for r in references(out, "short", "en") if r.kind == "ASR")
    sounds = [decode_sound((out / "SHORT_AUDIOS" / name).read_bytes()) for name in talk.files["audio"].split(",")]
    assert [sound.seconds for sound in sounds] == pytest.approx([b - a for a, b in spans], abs=0.02)
    assert {sound.rate for sound in sounds} == {48_000}
    (long,) = (out / "LONG_AUDIOS").iterdir()
    assert long.suffix == ".ogg" and long.read_bytes() == (material.base / "t1.ogg").read_bytes()
    item = next(i for i in load_benchmark("mcif").items(out) if i.task == "mcif/short/de/QA")
    assert life_of(BuildFolder(tmp_path / "b"), item.id).id.startswith("t1/q0")


def test_a_run_of_the_references_is_complete(material: Material, tmp_path: Path) -> None:
    build("mcif", material.config("people = false"), tmp_path / "b")
    for task in ("short/en/ASR", "short/de/TRANS", "long/en/QA"):
        result = triptych.run(
            f"mcif/{task}",
            "baseline/reference",
            data=tmp_path / "b/out",
            out=tmp_path / task,
            scored=task == "short/en/ASR",
        )
        planned = result.folder.manifest.planned
        assert planned and result.outcome.counts == {"answered": planned}, task
        if task == "short/en/ASR":
            (figure,) = [f for f in result.scores["official"] if f.task == "mcif/short/en/ASR" and not f.slice][:1]
            assert figure.value == 0


def test_people_correct_drafts_and_are_asked_again_where_they_left_fillers(material: Material, tmp_path: Path) -> None:
    material.talks = material.talks[:2]
    material.questions = [row for row in material.questions if row["talk"] in ("t1", "t2")]
    del material.talks[1]["transcript"]
    for row in (material.talks[1], *material.questions):
        for name in [n for n in row if n.endswith("_de") or (n.startswith("translation") and row is material.talks[1])]:
            del row[name]
    material.talks[1]["voice"] = ""
    roles = ["recogniser", "translator"]
    config, to = material.config('drafts = ["transcripts", "translations"]', ANY_LENGTH, roles=roles), tmp_path / "b"
    assert build("mcif", config, to).waiting == 1 + 4  # a voice to listen to, and the first talk's questions in German
    assert answer(to, "listen", lambda task: {"voice": "human", "sound": "good"}) == 1
    build("mcif", config, to)
    segments = Model.asked["recogniser"]
    task = json.loads((to / "tasks/transcribe.jsonl").read_text(encoding="utf-8"))
    draft = task["shows"]["draft"]
    assert segments > 1 and draft.count("\n") == 2 * segments - 1 and draft.startswith("This is clip")
    assert answer(to, "transcribe", lambda task: {"transcript": "Hello, um, all.\nGoodbye."}) == 1
    waits = {c.stage: c.reasons for c in build("mcif", config, to).counts}
    assert waits["transcribe"] == {"pending: disfluencies-left": 1}
    assert answer(to, "transcribe", lambda task: {"transcript": "Hello, all.\n\nGoodbye."}) == 1
    build("mcif", config, to)
    assert Model.asked["recogniser"] == segments
    assert answer(to, "post-edit", lambda task: {"text": "only one line"}) == 1 + 8 + 3
    waits = {c.stage: c.reasons for c in build("mcif", config, to).counts}
    assert "pending: line-count" in waits["post-edit"]
    answer(to, "post-edit", lambda task: {"text": "\n".join(task["shows"]["draft"])})
    done = build("mcif", config, to)
    assert done.complete, done.counts
    by_iid = {r.iid: r for r in references(to / "out", "long", "de")}
    assert by_iid["TRANS_2"].text == "\n".join(translated(line, "German") for line in ("Hello, all.", "Goodbye."))
    assert by_iid["TRANS_2"].transcript == "Hello, all.\nGoodbye."
    assert {p.kind for p in load_benchmark("mcif").check(to / "out")} <= {"count", "language"}
    rows = [json.loads(line) for line in (to / "out/provenance.jsonl").read_text(encoding="utf-8").splitlines()]
    made = {row["id"]: row["makers"] for row in rows}
    assert made["t2/talk/de"]["target"]["kind"] == made["t2/talk/de"]["transcript"]["kind"] == "person"
    assert made["t1/talk/it"]["target"] == {"kind": "source", "name": "t1.it"}
    clip = made["t1/q01/it"]["clip_video"]
    assert (clip["kind"], clip["name"]) == ("source", "t1.mp4") and clip["at"].startswith("seconds=")
    assert made["t1/q01/it"]["texts"] == {"kind": "source", "name": "questions.tsv", "at": "row=1"}
    life = life_of(BuildFolder(to), "t2/talk/de")
    assert life.steps[-1].stage == "complete" and set(life.sources) == {"talk:t2", "speaker:Speaker 2"}


def test_without_people_drafts_are_taken_and_the_card_says_so(material: Material, tmp_path: Path) -> None:
    material.talks, material.questions = material.talks[:1], []
    for name in ("translation_it", "abstract_it", "transcript"):
        del material.talks[0][name]
    (material.base / "t1.de").unlink()
    for name in ("translation_de", "translation_zh"):
        del material.talks[0][name]
    roles = ["recogniser", "translator"]
    config = material.config('drafts = ["transcripts", "translations"]', "people = false", ANY_LENGTH, roles=roles)
    assert build("mcif", config, tmp_path / "b").complete
    assert "No person corrected" in (tmp_path / "b/out/README.md").read_text(encoding="utf-8")
    (trans,) = (r for r in references(tmp_path / "b/out", "short", "it") if r.kind == "TRANS")
    assert trans.text.split("\n")[1] == translated("And it goes on.", "Italian")


def test_drafts_that_are_none_are_told(material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def respond(self: Model, request: Request, prepared: Any) -> Reply:
        words = request.messages[-1].parts[-1].text or ""
        if self.role == "recogniser":
            Model.asked["recogniser"] += 1
            return Reply("[No speech]" if Model.asked["recogniser"] == 1 else "One two three.\nFour five six.")
        return Reply(json.dumps({"lines": json.loads(words[words.index("[") : words.rindex("]\n") + 1])}))

    monkeypatch.setattr(Model, "respond", respond)
    material.talks, material.questions = material.talks[:1], material.questions[:1]
    del material.talks[0]["transcript"], material.talks[0]["translation_de"], material.questions[0]["answer_de"]
    del material.questions[0]["question_de"]
    material.questions[0] |= {"question_en": "Which score?", "answer_en": "BLEU."}
    roles = ["recogniser", "translator"]
    config = material.config('drafts = ["transcripts", "translations"]', "people = false", ANY_LENGTH, roles=roles)
    reasons = {c.stage: c.reasons for c in build("mcif", config, tmp_path / "b").counts}
    assert reasons["join-drafts"] == {"revised: segments-without-draft": 1}
    assert reasons["take-translation"] == {"dropped: left-in-english": 1}  # a short answer may be the same


@pytest.mark.parametrize("people", ["false", "true"])
def test_a_segment_without_draft_drops_its_talk_until_the_draft_or_a_transcript_is_there(
    material: Material, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, people: str
) -> None:
    respond, down = Model.respond, [True]

    async def partly(self: Model, request: Request, prepared: Any) -> Reply:
        reply = await respond(self, request, prepared)
        return reply if Model.asked["recogniser"] > 1 or not down[0] else Reply("", "failed")

    monkeypatch.setattr(Model, "respond", partly)
    material.talks, material.questions = material.talks[:2], []
    named = material.talks[0].pop("transcript")
    config = material.config('drafts = ["transcripts"]', f"people = {people}", roles=["recogniser"])
    to, options = tmp_path / "b", RunOptions(retries=0, concurrency=1)
    first = build("mcif", config, to, options=options)
    reasons = {c.stage: c.reasons for c in first.counts}
    assert reasons["draft-transcript"] == {"failed: no-reply": 1} and first.waiting == 1
    assert reasons["join-drafts"] == {"dropped: draft-incomplete": 1}
    assert "give the transcript in the table" in life_of(BuildFolder(to), "t1/talk").steps[-1].note
    assert len([r for r in references(to / "out", "long", "en") if r.kind == "ASR"]) == 1
    material.talks[0]["transcript"] = named
    assert build("mcif", material.config('drafts = ["transcripts"]', roles=["recogniser"]), to).complete
    del material.talks[0]["transcript"]
    down[0] = False
    config = material.config('drafts = ["transcripts"]', f"people = {people}", roles=["recogniser"])
    again = {c.stage: c.decisions for c in build("mcif", config, to, options=options).counts}
    assert "dropped" not in again["join-drafts"] and not again["draft-transcript"].get("failed")


def test_what_is_lacking_is_told_and_costs_nothing_else(material: Material, tmp_path: Path) -> None:
    (material.base / "t1.de").write_text("one line only", encoding="utf-8")
    del material.questions[4]["question_zh"], material.questions[4]["answer_zh"]
    material.talks[2]["licence"] = ""
    done = build("mcif", material.config("people = false"), tmp_path / "b")
    reasons = {c.stage: c.reasons for c in done.counts}
    assert reasons["rights"] == {"dropped: rights-unknown": 1}
    assert reasons["parallel-lines"] == {"dropped: line-count": 1}
    assert reasons["take-translation"] == {"dropped: not-translated": 1}
    assert reasons["complete"]["dropped: talk-incomplete"] and reasons["complete"]["dropped: not-in-all-languages"] == 3
    kept = Counter(r.kind for r in references(tmp_path / "b/out", "long", "zh"))
    assert kept == {"TRANS": 1, "QA": 3, "SUM": 1}


def drawn_up(base: Path, name: str, labels: Sequence[tuple[str, str]], **more: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A film of bursts of noise, its row, and a question for each label (origin, type)."""
    film(base / f"{name}.mp4", spoken((6, 1), (5, 0.5), (7, 1), (4, 0.5), seed=ord(name)))
    (base / f"{name}.en").write_text("One.\nTwo.", encoding="utf-8")
    row = {
        "id": name,
        "path": f"{name}.mp4",
        "speaker": f"Speaker {name}",
        "abstract": f"This is what we have to say about {name}, in a few words.",
        "transcript": f"{name}.en",
        "licence": "cc-by-4.0",
        **more,
    }
    questions = []
    for number, (origin, kind) in enumerate(labels):
        words = f"What is {number}?" if origin == "General" else f"What is {number} of {name}?"
        answer = {} if kind == "NA" else {"answer_en": "It is that. No more.", "begin": number, "end": number + 2}
        questions.append({"talk": name, "type": kind, "origin": origin, "question_en": words, **answer})
    return row, questions


def test_films_whose_questions_follow_the_guideline_and_films_whose_dont(material: Material, tmp_path: Path) -> None:
    made = [
        drawn_up(material.base, "a", LABELS),
        drawn_up(material.base, "b", LABELS[1:]),
        drawn_up(material.base, "c", [], summary_only="yes"),
        drawn_up(material.base, "d", [*LABELS, ("Transcript", "AV")]),
    ]
    made[3][1][3]["answer_en"] = "One. Two. Three."
    material.talks, material.questions = [row for row, _ in made], [q for _, own in made for q in own]
    config = material.config('languages = ["en"]', "guideline = true", "people = false", ANY_LENGTH)
    done = build("mcif", config, tmp_path / "b")
    reasons = {c.stage: c.reasons for c in done.counts}
    assert done.complete and reasons["question-form"] == {"dropped: answer-too-long": 1}
    lost = {reason: count for reason, count in reasons["guideline"].items() if count}
    assert lost.keys() == {"dropped: too-few-questions", "dropped: too-few-abstract"}
    out = tmp_path / "b/out"
    found = Counter(r.iid.split("_")[1] for r in references(out, "long", "en"))
    assert found == {"1": 1 + 1 + 10, "3": 1} and not list(out.glob("*.de.*"))
    life = life_of(BuildFolder(tmp_path / "b"), "b/q01").steps[-1]
    assert [fault.partition(":")[0] for fault in life.note.split("; ")] == [
        "too-few-questions",
        "too-few-general",
        "too-few-audio",
        "too-few-audio-video",
        "general-questions-differ",
    ]
    assert {p.kind for p in load_benchmark("mcif").check(out)} == {"not-in-this-set"}
    films = {path.read_bytes() for path in material.base.glob("*.mp4")}
    assert {path.read_bytes() for path in (out / "LONG_VIDEOS").iterdir()} < films  # as they were


def test_a_damaged_file_and_a_repeated_speaker_end_alone(material: Material, tmp_path: Path) -> None:
    (material.base / "t1.ogg").write_bytes(b"OggS but no sound at all")
    material.talks[2]["speaker"] = "speaker  2"
    done = build("mcif", material.config(), tmp_path / "b")
    reasons = {c.stage: c.reasons for c in done.counts}
    assert reasons["talk-sound"] == {"dropped: unreadable-media": 1}
    assert reasons["one-speaker"] == {"dropped: repeated-speaker": 1}
    assert len(references(tmp_path / "b/out", "long", "en")) == 1 + 4 + 1


def test_a_speaker_who_withdraws_is_in_no_file(material: Material, tmp_path: Path) -> None:
    config = material.config()
    build("mcif", config, tmp_path / "b")
    withdraw("mcif", config, tmp_path / "b", ["speaker:Speaker 1"])
    out = tmp_path / "b/out"
    assert {r.iid for r in references(out, "long", "en") if r.kind == "ASR"} == {"ASR_2", "ASR_3"}
    assert len(list((out / "LONG_VIDEOS").iterdir())) == 2


def test_a_talk_without_abstract_has_no_summary_and_one_without_its_file_fails(
    material: Material, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    material.talks[0]["abstract"] = ""
    held = (material.base / "t2.de").read_bytes()
    (material.base / "t2.de").unlink()
    config, to = material.config("people = false"), tmp_path / "b"
    done = build("mcif", config, to)
    reasons = {c.stage: c.reasons for c in done.counts}
    assert reasons["material"] == {"failed: unreadable-file": 1} and done.waiting == 1
    assert reasons["languages"] == {"dropped: no-content": 1}
    assert {r.iid for r in references(to / "out", "long", "de") if r.kind == "SUM"} == {"SUM_3"}
    assert {r.iid for r in references(to / "out", "long", "de") if r.kind == "TRANS"} == {"TRANS_1", "TRANS_3"}
    (step,) = life_of(BuildFolder(to), "t2").steps
    assert step.decision == "failed"
    assert step.note == "media file not found: t2.de; put the file there, or change the row"
    assert len(records_of(BuildFolder(to))) == done.written
    assert print_end(done, None) == 1
    assert "material: 1 failed (unreadable-file 1)" in " ".join(capfd.readouterr().err.split())
    (material.base / "t2.de").write_bytes(held)
    again = build("mcif", config, to)
    assert again.complete and again.counts[0].stage == "rights"
    assert Counter(r.kind for r in references(to / "out", "long", "de")) == {"TRANS": 3, "QA": 12, "SUM": 2}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda m: m.questions[0].update(talk="t9"), "a question is about a talk that isn't in the table"),
        (lambda m: m.talks[0].update(id="a/b"), "a talk's id may contain letters"),
        (lambda m: m.talks[0].update(summary_only="perhaps"), "summary_only must be yes or no"),
        (lambda m: m.talks[0].update(author_died="long ago"), "author_died must be a year"),
        (lambda m: (m.base / "t1.en").write_bytes(b"\xff\xfe"), "the text isn't UTF-8"),
    ],
)
def test_wrong_tables_are_refused(material: Material, tmp_path: Path, change: Any, told: str) -> None:
    change(material)
    with pytest.raises(DataError, match=told):
        build("mcif", material.config(), tmp_path / "b")


def test_every_stage_describes_itself_and_each_role_is_asked(material: Material) -> None:
    config = Config("talks.tsv", drafts=("transcripts", "translations"))
    made = [*RECIPE.stages(config), *RECIPE.stages(msgspec.structs.replace(config, people=False))]
    assert all(each.about.endswith(".") and "\n" not in each.about for each in made)
    assert {role for each in made if each.asks for role in each.asks.roles} == set(RECIPE.roles)
    assert not any(each.asks for each in RECIPE.stages(Config("talks.tsv")))


def test_a_configuration_without_english_is_refused(material: Material, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="must contain en"):
        build("mcif", material.config('languages = ["de"]'), tmp_path / "b")
    with pytest.raises(SpecError, match="version"):
        build("mcif", material.config('version = "../1"'), tmp_path / "b")


@pytest.mark.parametrize(
    ("said", "clean"),
    [
        ("Um, this is it.", "This is it."),
        ("So, uh, we go.", "So we go."),
        ("We uh-um go on um.", "We go on."),
        ("Uh.", ""),
        ("An umbrella, her summer and ER-1 in Erm's error.", "An umbrella, her summer and ER-1 in Erm's error."),
        ("Nothing here.\nHmm, well.", "Nothing here.\nWell."),
    ],
)
def test_fillers_are_taken_out(said: str, clean: str) -> None:
    assert without_fillers(said) == clean
