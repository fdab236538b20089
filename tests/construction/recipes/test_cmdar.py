"""The CMDAR recipe on a synthetic recording: from a table to files that our reader, check and audit accept."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.voices import syllables
from triptych import load_benchmark
from triptych.construction.build import build, withdraw
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes.cmdar import uneven
from triptych.construction.release.provenance import life_of
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.options import balance_keys
from triptych.construction.stages.quotas import quotas
from triptych.media.sound.coding import decode_sound, encode_wav
from triptych.models import registry
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request

pytest.importorskip("av", reason="PyAV comes with the extra [local]")


RATE, SECONDS = 16_000, 600
PLACES = ["车站", "厨房", "码头", "教室", "医院", "市场"]


class Model(SimpleAdapter):
    """All roles in one: what it says hangs on its role and the prompt."""

    asked: Counter[str] = Counter()  # noqa: RUF012
    heard: defaultdict[str, list[int]] = defaultdict(list)  # noqa: RUF012

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name, self.role = f"stand-in/{name}", name

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked[self.role] += 1
        words = request.messages[-1].parts[-1].text or ""
        if self.role in ("recogniser", "audio_describer"):
            path = request.media_parts[0].path or ""
            place = f"{PLACES[int(path[9], 16) % 6]}，{path[9:13]}"
            return Reply(f"这里是{place}" if self.role == "recogniser" else f"有人说话，声音像在{place}")
        self.heard[self.role].append(len(request.media_parts))
        if self.role == "validator":
            return Reply(json.dumps({"valid": True}))
        if self.role == "blind":
            return Reply(json.dumps({"chosen": [1]}))
        return Reply(json.dumps(self.written(words), ensure_ascii=False))

    def written(self, words: str) -> dict[str, Any]:
        if "distractor options" in words:
            return {"distractors": ["因为下雨了", "因为有人喊", "因为灯灭了"]}
        if "open-ended" in words:
            return {"question": "他为什么走开？", "category": "事件推理类", "answer": "因为听见了钟声。"}
        if "audio segments" in words:
            options = [
                {
                    "text": f"情况{n}发生了",
                    "right": n in (1, 3),
                    "needs": ("both", "first", "both", "second", "both")[n - 1],
                }
                for n in range(1, 6)
            ]
            return {"question": "两段录音说明了什么？", "category": "连续场景推理任务", "options": options}
        questions = [
            {"question": "他们为什么停下？", "category": "社交意图推理任务", "answer": "因为到站了"},
            {"question": "视频里为什么有钟声？", "category": "场景定位任务", "answer": "因为下课了"},
            {"question": "什么先发生？", "category": "没有这一类", "answer": "钟声响起"},
        ]
        return {"questions": questions}


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_cmdar", ""))
    Model.asked.clear()
    Model.heard.clear()
    (tmp_path / "talk.wav").write_bytes(encode_wav(syllables(SECONDS).reshape(-1, 1), RATE))
    (tmp_path / "broken.wav").write_bytes(b"RIFF but no sound at all")
    table = "id,path,title,genre,licence\nt1,talk.wav,a talk,drama,cc0-1.0\nt2,broken.wav,damaged,drama,cc0-1.0\n"
    (tmp_path / "recordings.csv").write_text(table, encoding="utf-8")
    roles = ["recogniser", "audio_describer", "maker", "validator", "blind"]
    models = "".join(f'[models.{role}]\nmodel = "stand-in/{role}"\n' for role in roles)
    file = tmp_path / "recipe.toml"
    file.write_text(f'recordings = "recordings.csv"\n{models}', encoding="utf-8")
    return file


def answer(folder: Path, stage: str, values: dict[str, Any], person: str = "E1") -> int:
    """People return the same for every open task of a stage; how many there were."""
    path = folder / f"tasks/{stage}.jsonl"
    tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    (folder / "results").mkdir(exist_ok=True)
    with (folder / f"results/{stage}.jsonl").open("a", encoding="utf-8") as file:
        for task in tasks:
            result = {"id": task["id"], "shown": task["shown"], "person": person, "values": values}
            file.write(json.dumps(result, ensure_ascii=False) + "\n")
    return len(tasks)


def test_from_a_recording_to_questions(config: Path, tmp_path: Path) -> None:
    to = tmp_path / "build"
    first = build("cmdar", config, to)
    counts = {each.stage: each for each in first.counts}
    assert counts["clips"].reasons == {"dropped: unreadable-media": 1} or "too-short" in str(counts["clips"].reasons)
    assert answer(to, "scenes", {"take": "yes"}) == 5
    build("cmdar", config, to)
    assert Model.asked["recogniser"] == Model.asked["audio_describer"] == 5
    assert answer(to, "confirm-pairs", {"related": "yes"}) == 4
    build("cmdar", config, to)
    for stage, expert in (("review", "E1"), ("second-review", "E2")):
        assert answer(to, stage, {"verdict": "approve", "timestamps": "3-9"}, expert)
        done = build("cmdar", config, to)
    assert done.complete
    counts = {each.stage: each for each in done.counts}
    assert counts["screen-question"].reasons == {"dropped: screened-word": 5}
    assert set(Model.heard["maker"]) == {1, 2} and set(Model.heard["validator"]) == {1, 2}  # pairs have two recordings
    assert set(Model.heard["blind"]) == {0}
    known = [json.loads(line) for line in (to / "out/questions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(known) == 14 and {each["timestamps"] for each in known} == {"3-9"}
    assert {each["genre"] for each in known} == {"drama"}
    films = json.loads((to / "out/films.json").read_text(encoding="utf-8"))
    assert films == {"genres": {"drama": 1}, "films": 1}  # as the paper's Table 5
    assert "drama 1; 1 in all" in (to / "out/README.md").read_text(encoding="utf-8")

    rows = {
        task: json.loads((to / f"out/MDAR-{task}.json").read_text(encoding="utf-8"))
        for task in ("main", "multi", "open")
    }
    # the maker writes the right option first, and a model without media always says 1: no question is lost for that
    assert (len(rows["main"]), len(rows["multi"]), len(rows["open"])) == (5, 4, 5)
    assert all(row["answer"] in row["chosens"] and len(row["chosens"]) == 4 for row in rows["main"])
    assert all(set(row["answer"]) <= set(row["chosens"]) and len(row["answer"]) == 2 for row in rows["multi"])
    life = life_of(BuildFolder(to), f"cmdar/main/{rows['main'][0]['id']}")
    at = life.steps[[s.stage for s in life.steps].index("clips")].wrote["audio"].at
    begin, end = map(float, at.removeprefix("seconds=").split("-"))
    sound = decode_sound((to / "out" / rows["main"][0]["audio_path"]).read_bytes())
    assert sound.seconds == pytest.approx(end - begin, abs=0.02) and 20 <= end - begin <= 40

    bench = load_benchmark("cmdar")
    items = list(bench.items(to / "out"))
    assert Counter(item.task for item in items)["cmdar/open"] == 5
    samples = [json.loads(line) for line in (to / "out/samples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [sample["item"] for sample in samples] == [item.id for item in items]
    made = {json.loads(line)["id"] for line in (to / "out/provenance.jsonl").read_text(encoding="utf-8").splitlines()}
    assert {sample["record"] for sample in samples} == made


@pytest.mark.parametrize(
    ("needs", "spread"),
    [
        (["first", "second"], True),
        (["both", "first"], True),
        (["first", "first"], False),
        (["first", "second", "both"], True),
        (["both", "both", "first"], False),
        (["first", "second", "both", "both"], True),
        (["first", "second", "second", "second"], False),
        (["first"], True),
    ],
)
def test_wrong_options_are_spread_over_the_recordings(needs: list[str], spread: bool) -> None:
    assert bool(uneven(needs)) is not spread


def question(number: int, category: str, answer: int = 0) -> Values:
    options = [sha256(f"{number} {n}".encode()).hexdigest()[:6] for n in range(4)]  # nothing orders the correct one
    fields = {"task": "main", "category": category, "question": f"问{number}", "options": options, "answers": [answer]}
    return Values(quotas, f"q{number:02}", fields | {"blind_right": number % 4 == 0, "stratum": "AB"[number % 2]})


def test_a_question_that_gives_answers_away_is_replaced(tmp_path: Path) -> None:
    own = quotas.with_(most={"main/一": 40})
    context = Context(own.parameters, MediaStore(tmp_path), 0, tmp_path)
    records = []
    for number in range(120):  # a model without media knows the answer to most of the first questions
        values = question(number, "一")
        records.append(Values(quotas, values.id, {**values, "blind_right": number % 2 == 0}))
    outcomes = own.run(records, context)
    held = [v for v, o in zip(records, outcomes, strict=True) if o.decision == "kept"]
    reasons = Counter(o.reason for o in outcomes if o.decision == "dropped")
    assert len(held) == 40 and reasons["guessable-replaced"] > 0
    asked = [Values(unguessable, v.id, dict(v)) for v in held]
    placed = balance_keys.run(sorted(asked, key=lambda v: v.id), context)
    asked = [
        Values(unguessable, v.id, {**v, **o.fields})
        for v, o in zip(sorted(asked, key=lambda v: v.id), placed, strict=True)
    ]
    ended = unguessable.run(asked, Context(unguessable.parameters, MediaStore(tmp_path), 0, tmp_path))
    assert all(o.decision == "kept" for o in ended)  # the stage after the quotas has nothing to leave out


def test_all_clips_without_people_and_no_pairs(config: Path, tmp_path: Path) -> None:
    text = 'choose = "all"\nreview = false\nsecond_review = false\ntasks = ["open"]\n' + config.read_text(
        encoding="utf-8"
    )
    config.write_text(text, encoding="utf-8")
    done = build("cmdar", config, tmp_path / "b")
    assert done.complete and done.written == 5


def test_clips_that_may_not_be_passed_on_leave_as_source_and_span_alone(config: Path, tmp_path: Path) -> None:
    text = 'choose = "all"\nreview = false\nsecond_review = false\nconfirm_pairs = false\n' + config.read_text(
        encoding="utf-8"
    )
    config.write_text(text + '[stages.rights]\nreference_only = ["cc0-1.0"]\n', encoding="utf-8")
    done = build("cmdar", config, tmp_path / "b")
    assert done.written
    out = tmp_path / "b/out"
    assert not list((out / "audio").iterdir())
    listed = {
        row["file"]: row for row in map(json.loads, (out / "media.jsonl").read_text(encoding="utf-8").splitlines())
    }
    for row in json.loads((out / "MDAR-multi.json").read_text(encoding="utf-8")):
        for name in (row["audio_path_1"], row["audio_path_2"]):
            assert listed[name]["source"] == "talk.wav" and not listed[name]["passed_on"]
            assert 20 <= listed[name]["end"] - listed[name]["begin"] <= 40


def test_recordings_that_are_clips_already_stay_as_they_are_and_pair_by_story(config: Path, tmp_path: Path) -> None:
    for number in (1, 2, 3):
        sound = syllables(5, number)
        (tmp_path / f"part{number}.wav").write_bytes(encode_wav(sound.reshape(-1, 1), RATE))
    rows = ["id,path,story,licence", "a,part1.wav,tale,cc0-1.0", "b,part2.wav,tale,cc0-1.0", "c,part3.wav,,cc0-1.0"]
    (tmp_path / "recordings.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    no = 'choose = "all"\nconfirm_pairs = false\nreview = false\nsecond_review = false\nin_audio = false\n'
    config.write_text(no + config.read_text(encoding="utf-8") + '[stages.clips]\nhow = "whole"\n', encoding="utf-8")
    built = build("cmdar", config, tmp_path / "b")
    assert built.complete and "in-audio" not in {each.stage for each in built.counts}
    (row,) = json.loads((tmp_path / "b/out/MDAR-multi.json").read_text(encoding="utf-8"))
    for name, part in (("audio_path_1", "part1.wav"), ("audio_path_2", "part2.wav")):
        assert (tmp_path / "b/out" / row[name]).read_bytes() == (tmp_path / part).read_bytes()
    assert "No model checked" in (tmp_path / "b/out/README.md").read_text(encoding="utf-8")


def test_nothing_that_was_written_about_a_pair_stays_after_one_of_its_films_is_withdrawn(
    config: Path, tmp_path: Path
) -> None:
    rows = ["id,path,story,licence"]
    for name, number in (("a", 1), ("b", 2)):
        (tmp_path / f"part{number}.wav").write_bytes(encode_wav(syllables(5, number).reshape(-1, 1), RATE))
        rows.append(f"{name},part{number}.wav,{'tale' if name == 'a' else 'Tale '},cc0-1.0")
    (tmp_path / "recordings.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    no = 'choose = "all"\nconfirm_pairs = false\nsecond_review = false\nin_audio = false\ntasks = ["multi"]\n'
    config.write_text(no + config.read_text(encoding="utf-8") + '[stages.clips]\nhow = "whole"\n', encoding="utf-8")
    build("cmdar", config, tmp_path / "b")
    edit = {"verdict": "edit", "question": "关于走丢的小狗，两段录音说明了什么？"}
    assert answer(tmp_path / "b", "review", edit) == 1
    assert build("cmdar", config, tmp_path / "b").written == 1

    def files_with(word: str) -> list[str]:
        files = [path for path in (tmp_path / "b").rglob("*") if path.is_file()]
        return [str(path) for path in files if word.encode() in path.read_bytes()]

    assert files_with("走丢的小狗") and files_with("情况3发生了")
    withdraw("cmdar", config, tmp_path / "b", ["film:b"])
    assert not files_with("走丢的小狗") and not files_with("情况3发生了")


def test_files_that_are_no_recordings_are_dropped_with_that_reason(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/text.ogg").write_text("not sound", encoding="utf-8")
    (tmp_path / "in/empty.wav").write_bytes(b"")
    (tmp_path / "in/noise.mp4").write_bytes(bytes(range(256)) * 400)
    config = tmp_path / "own.toml"
    config.write_text('recordings = "in"\ncommon = { licence = "cc0-1.0" }\nchoose = "all"\n', encoding="utf-8")
    built = build("cmdar", config, tmp_path / "b", only=["clips"])
    assert built.counts[-1].reasons == {"dropped: unreadable-media": 3}


class Careless(Model):
    """A maker whose replies hold faulty questions: all of them at first, one after it was told."""

    told: list[str] = []  # noqa: RUF012

    def written(self, words: str) -> dict[str, Any]:
        if "three questions" not in words and "Your last reply" not in words:
            return super().written(words)
        sound = {"question": "他们为什么停下？", "category": "社交意图推理任务", "answer": "因为到站了"}
        if "Your last reply" in words:
            self.told.append(words)
            again = {"question": "请问他们为何停下呢？", "category": "社交意图推理任务", "answer": "因为到站了"}
            letter = {"question": "谁先开口说话？", "category": "人物身份关联任务", "answer": "B"}
            return {"questions": [sound, again, letter]}
        english = {"question": "Why do they stop?", "category": "社交意图推理任务", "answer": "因为到站了"}
        both = {"question": "他们在哪里？", "category": "场景定位任务、时间推理任务", "answer": "车站"}
        return {"questions": [english, sound | {"answer": "略"}, both, sound]}


def make_careless(name: str, settings: Mapping[str, Any]) -> Model:
    return Careless(name) if name == "maker" else Model(name)


def test_each_question_of_a_reply_has_an_outcome_of_its_own(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.construction.recipes.test_cmdar.make", make_careless)
    Careless.told.clear()
    no = 'choose = "all"\nreview = false\nsecond_review = false\nin_audio = false\ntasks = ["main"]\n'
    config.write_text(no + config.read_text(encoding="utf-8"), encoding="utf-8")
    to = tmp_path / "b"
    counts = {each.stage: each for each in build("cmdar", config, to).counts}
    assert counts["main"].decisions == {"kept": 5} and counts["main"].went == 15
    assert counts["each-question"].reasons == {
        "dropped: answer-is-a-letter": 5,
        "dropped: repeated-question": 5,
    }
    first = Careless.told[0]  # what its maker was told of each faulty question
    for part in ("1: wrong-language", "2: no-answer", "3: unknown-category"):
        assert f"question {part}" in first
    assert "question 4" not in first  # three of the four are asked for, and this is the only sound one
    clip = next(iter(BuildFolder(to).lines("clips"))).outcome.children[0].suffix
    life = life_of(BuildFolder(to), f"t1/{clip}/main/2")
    assert life.steps[-1].stage == "each-question" and life.steps[-1].reason == "answer-is-a-letter"
