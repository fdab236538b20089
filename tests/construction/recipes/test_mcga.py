"""The MCGA recipe on poems in the public domain: from the table of works to files that our reader and checks accept."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.voices import syllables
from triptych import load_benchmark
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.release.provenance import life_of
from triptych.errors import DataError
from triptych.media.sound.coding import encode_wav
from triptych.models import registry
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request

pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")

WORKS = """id,title,author,author_died,genre,dynasty,text
guanju,关雎,佚名,-500,诗,先秦,关关雎鸠，在河之洲。窈窕淑女，君子好逑。参差荇菜，左右流之。窈窕淑女，寤寐求之。
chunxiao,春晓,孟浩然,740,诗,唐,春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。
denggao,登鹳雀楼,王之涣,742,诗,唐,白日依山尽，黄河入海流。欲穷千里目，更上一层楼。
rumengling,如梦令,李清照,1155,词,宋,常记溪亭日暮，沉醉不知归路。兴尽晚回舟，误入藕花深处。争渡，争渡，惊起一滩鸥鹭。
modern,近作,某人,1990,诗,清,这是一首不能使用的近人作品，它太新了。
"""
HEARD: dict[str, str] = {}


THINGS = [
    "moon",
    "river",
    "mountain",
    "spring",
    "bird",
    "flower",
    "wind",
    "rain",
    "night",
    "morning",
    "autumn",
    "cloud",
    "boat",
    "wine",
    "friend",
    "road",
    "gate",
    "lamp",
    "snow",
    "dream",
    "horse",
    "sword",
    "spring",
    "willow",
    "bridge",
    "bell",
    "star",
    "frost",
    "window",
    "garden",
]


class Model(SimpleAdapter):
    """A maker, validators and recognisers in one: what it says hangs on its name and on the prompt."""

    asked: Counter[str] = Counter()  # noqa: RUF012

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = f"stand-in/{name}"
        self.role = name

    async def respond(self, request: Request, prepared: Any) -> Reply:
        self.asked[self.role] += 1
        if self.role.startswith("asr"):
            return Reply(HEARD.get(request.media_parts[0].path or "", ""))
        words = request.messages[-1].parts[-1].text or ""
        clip = re.search(r"选段：\n(.*?)\n", words)
        first = clip[1][:2] if clip else ""
        if self.role.startswith("validator"):
            return Reply(json.dumps({"valid": "黄河" not in words or self.role != "validator_b", "reason": "in doubt"}))
        if "英文" in words:
            things = " and the ".join(THINGS[: 2 + len(clip[1]) // 4 if clip else 2])  # about as long as the text
            return Reply(json.dumps({"translation": f"A line of {len(words)} about the {things}."}))
        if "情感说明" in words:
            parts = [part for part in re.split("[，。！？]", clip[1]) if part] if clip else []
            sentences = [{"text": part, "emotion": "喜悦"} for part in parts]
            return Reply(json.dumps({"overall": "平静。", "sentences": sentences}))
        wrong = ["骏马", "高山", "明月"]
        return Reply(
            "```json\n" + json.dumps({"question": "开头写的是什么？", "right": first, "wrong": wrong}) + "\n```"
        )


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcga", ""))
    Model.asked.clear()
    HEARD.clear()
    (tmp_path / "works.csv").write_text(WORKS, encoding="utf-8")
    roles = ["maker", "validator_a", "validator_b", "validator_c", "asr_a", "asr_b"]
    models = "".join(f'[models.{role}]\nmodel = "stand-in/{role}"\n' for role in roles)
    file = tmp_path / "recipe.toml"
    file.write_text(f'works = "works.csv"\nyear = 2026\n{models}', encoding="utf-8")
    return file


READERS = {  # what people say of themselves, if they are asked
    "P1": {"age": "young", "years": "18-25", "major": "汉语言文学"},
    "P2": {"age": "young", "years": "31-40"},
}


def record_everything(folder: Path, tone: float = 440.0) -> None:
    """Two people return a recording for every open task; what recognisers hear in it is the text."""
    results = folder / "results"
    results.mkdir(exist_ok=True)
    with (results / "record.jsonl").open("a", encoding="utf-8") as file:
        for number, line in enumerate((folder / "tasks/record.jsonl").read_text(encoding="utf-8").splitlines()):
            task = json.loads(line)
            for gender, person in (("man", "P1"), ("woman", "P2")):
                name = f"{number}-{gender}.wav"
                sound = syllables(6, seed=round(tone) + 2 * number + (gender == "man"))
                (results / name).write_bytes(encode_wav(sound.reshape(-1, 1), 16_000))
                values = {"audio": name, "gender": gender, **READERS[person]}
                file.write(
                    json.dumps({"id": task["id"], "shown": task["shown"], "person": person, "values": values}) + "\n"
                )


def hear(folder: Path, misread: str = "") -> None:
    """From now on recognisers know every recording; one text is misread."""
    stages = BuildFolder(folder)
    for line in stages.lines("record"):
        text = next(iter(c for c in [TEXTS.get(line.id.rsplit("/", 1)[0], "")]))
        for child in line.outcome.children:
            HEARD[child.fields["audio"]] = "完全不同的一段话而已" if misread and misread in text else text
    for line in stages.lines("recording"):
        if line.outcome.fields:
            text = TEXTS.get("/".join(line.id.split("/")[:2]), "")
            HEARD[line.outcome.fields["audio"]] = "完全不同的一段话而已" if misread and misread in text else text


TEXTS: dict[str, str] = {}


def review_everything(folder: Path, **values: Any) -> None:
    """R1 approves every recording, question and caption, or says `values` of the questions."""
    own = {"inspect": {"score": 4}, "review": values or {"verdict": "approve"}, "review-sec": {"verdict": "approve"}}
    for stage, said in own.items():
        path = folder / f"tasks/{stage}.jsonl"
        tasks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
        with (folder / f"results/{stage}.jsonl").open("a", encoding="utf-8") as file:
            for task in tasks:
                result = {"id": task["id"], "shown": task["shown"], "person": "R1", "values": said}
                file.write(json.dumps(result, ensure_ascii=False) + "\n")


def test_the_whole_circle(config: Path, tmp_path: Path) -> None:
    to = tmp_path / "build"
    first = build("mcga", config, to)
    reasons = {each.stage: each.reasons for each in first.counts}
    assert reasons["rights"] == {"dropped: author-died-too-recently": 1}
    assert first.waiting and not first.complete
    tasks = [json.loads(line) for line in (to / "tasks/record.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({task["id"] for task in tasks}) == len(tasks) == 4  # one a clip, not one a question
    assert tasks[0]["shows"]["pinyin"][0] == "guān"
    TEXTS.update({task["id"]: task["shows"]["text"] for task in tasks})

    record_everything(to)
    build("mcga", config, to, ask=False)  # takes the recordings in
    hear(to)
    asked = Model.asked["maker"]
    second = build("mcga", config, to)
    counts = {each.stage: each for each in second.counts}
    assert counts["double-asr"].decisions.keys() == {"kept"}
    assert Model.asked["asr_a"] == 8  # one a recording, however many tasks it serves
    assert Model.asked["maker"] == asked + 8  # captions alone: one a recording
    review_everything(to)
    build("mcga", config, to)
    review_everything(to)  # questions are reviewed after recordings
    done = build("mcga", config, to)
    assert done.complete and done.written
    readers = json.loads((to / "out/readers.json").read_text(encoding="utf-8"))
    assert readers["readers"] == 2 and readers["gender"] == {"man": 1, "woman": 1}
    assert readers["major"] == {"not stated": 1, "汉语言文学": 1} and readers["years"] == {"18-25": 1, "31-40": 1}
    card = (to / "out/README.md").read_text(encoding="utf-8")
    assert "Readers: 2. gender: man 1, woman 1; age of the voice: young 2; age in years: 18-25 1, 31-40 1" in card
    assert "P1" not in card  # counts, no people
    splits = {p.stem.split("_")[2] for p in (to / "out").glob("MCGA_*.jsonl")}
    assert splits <= {"train", "val", "test"}

    rows = [
        json.loads(x) for p in (to / "out").glob("MCGA_*.jsonl") for x in p.read_text(encoding="utf-8").splitlines()
    ]
    assert all((to / "out" / row["audio"]).is_file() for row in rows)
    by_work = {}
    for row in rows:
        by_work.setdefault(row["id"].split("-")[0], set()).add(row["split"])
    assert all(len(found) == 1 for found in by_work.values())
    assert all(re.search(r"^[A-D]\. ", row["su"], re.M) and row["su_a"] in "ABCD" for row in rows if "su" in row)
    assert not [row for row in rows if "黄河" in row["asr"] and "su" in row]  # one of three validators was in doubt
    samples = {
        line["item"]: line["record"]
        for line in map(json.loads, (to / "out/samples.jsonl").read_text(encoding="utf-8").splitlines())
    }
    life = life_of(BuildFolder(to), next(item for item in samples if item.startswith("mcga/lu/")))
    assert any(source.startswith("speaker:P") for source in life.sources)

    bench = load_benchmark("mcga")
    merged = tmp_path / "as-test"  # the released split is test: our reader takes files of any split
    shutil.copytree(to / "out", merged)
    items = list(bench.items(merged))
    assert {item.id for item in items} == samples.keys()


def test_a_misread_clip_is_rejected(config: Path, tmp_path: Path) -> None:
    to = tmp_path / "build"
    build("mcga", config, to)
    tasks = [json.loads(line) for line in (to / "tasks/record.jsonl").read_text(encoding="utf-8").splitlines()]
    TEXTS.update({task["id"]: task["shows"]["text"] for task in tasks})
    record_everything(to)
    build("mcga", config, to, ask=False)
    hear(to, misread="溪亭")
    built = build("mcga", config, to)
    counts = {each.stage: each for each in built.counts}
    assert counts["double-asr"].reasons["dropped: misread"] > 0
    assert "pending" not in counts["double-asr"].decisions


def test_texts_that_may_not_be_passed_on_are_refused_in_words(tmp_path: Path) -> None:
    works = WORKS.replace("text\n", "text,licence\n", 1).splitlines()
    rows = [works[0], *(f"{row},some-site" for row in works[1:3])]
    (tmp_path / "works.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    settings = 'works = "works.csv"\nyear = 2026\ntasks = ["asr"]\nrecord = false\nreview = false\n'
    (tmp_path / "r.toml").write_text(settings + '[stages.rights]\nreference_only = ["some-site"]\n', encoding="utf-8")
    with pytest.raises(DataError, match="licence does not allow"):
        build("mcga", tmp_path / "r.toml", tmp_path / "b")
    assert not (tmp_path / "b/out").exists()


def test_one_reader_a_clip_whose_file_stays_as_it_is(config: Path, tmp_path: Path) -> None:
    rows = WORKS.splitlines()
    (tmp_path / "works.csv").write_text("\n".join([rows[0], rows[1], rows[3]]) + "\n", encoding="utf-8")
    own = 'readers = "one"\ndouble_asr = false\nvalidate = false\nreview = false\ntasks = ["asr", "sec"]\n'
    more = "[stages.recording]\nconvert = false\n[stages.split]\nshares = { test = 1.0 }\n"
    config.write_text(own + config.read_text(encoding="utf-8") + more, encoding="utf-8")
    to = tmp_path / "build"
    build("mcga", config, to)
    sounds = [encode_wav(syllables(6, n, 48_000).reshape(-1, 1), 48_000) for n in range(2)]
    (to / "results").mkdir()
    with (to / "results/record.jsonl").open("w", encoding="utf-8") as file:
        for n, line in enumerate((to / "tasks/record.jsonl").read_text(encoding="utf-8").splitlines()):
            task = json.loads(line)
            (to / f"results/{n}.wav").write_bytes(sounds[n])
            assert "people" not in task and "One man" not in task["guide"]
            values = {"audio": f"{n}.wav", "gender": "woman", "age": "young"}
            file.write(json.dumps({"id": task["id"], "shown": task["shown"], "person": "P1", "values": values}) + "\n")
    assert build("mcga", config, to).complete
    rows = [json.loads(x) for x in (to / "out/MCGA_sec_test.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["audio"] for row in rows] == ["audio/guanju-000.wav", "audio/denggao-000.wav"]
    assert {row["sec_1"] for row in rows} == {"一位女性，青年。"} and rows[0]["id"] == "guanju-000"
    assert (to / "out" / rows[0]["audio"]).read_bytes() == sounds[0]
    card = (to / "out/README.md").read_text(encoding="utf-8")
    assert "no model validated" in card and "No recogniser checked" in card


def test_all_impossible_rows_of_the_table_are_named_at_once(config: Path, tmp_path: Path) -> None:
    rows = (
        WORKS.replace("孟浩然,740", "孟浩然,someday").replace("王之涣,742", "王之涣,742?").replace("rumengling,", ",")
    )
    (tmp_path / "works.csv").write_text(rows, encoding="utf-8")
    with pytest.raises(DataError) as refused:
        build("mcga", config, tmp_path / "b")
    assert all(text in str(refused.value) for text in ("row 2", "someday", "row 3", "742?", "row 4", "no 'id'"))
