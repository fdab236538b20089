"""MCS-Bench from its own sources: data sets in their released layouts, a maker for each task, collected pages, people
who see the pictures, duplicates within a task, and builds that are merged."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from tests.construction.recipes.test_mcs_bench import drawn
from triptych import load_benchmark
from triptych.api.build_verdict import verdict_on
from triptych.construction.build import Built, build
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipe import load_recipe
from triptych.construction.recipes._mcs_bench_material import page_text
from triptych.construction.recipes.mcs_bench import pair_text, read_pages
from triptych.errors import DataError, SpecError
from triptych.models import registry
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request

pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
pytest.importorskip("opencc", reason="OpenCC comes with the extra [zh]")


LINES = ["子曰學而時習之不亦說乎有朋自遠方來", "不亦樂乎人不知而不慍不亦君子乎", "有子曰其為人也孝弟而好犯上者鮮矣"]
ASKED: dict[str, list[str]] = {}  # role -> texts of the Requests


class Model(SimpleAdapter):
    """Answers as the task needs; remembers what it was asked."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = f"stand-in/{name}"

    async def respond(self, request: Request, prepared: Any) -> Reply:
        words = request.messages[-1].parts[-1].text or ""
        ASKED.setdefault(self.name, []).append(words)
        assert request.media_parts, "the picture is not sent"
        if "整合" in words:
            return Reply(json.dumps({"answer": "此画作于宋代，描绘江山与渔舟，笔法细腻，设色明丽，为传世名作。"}))
        page = words.partition("准确的文字内容：")[2].splitlines()[0]
        translated = f"这段话“{page}”说的是学习的道理。"
        answer = f"{page}。" if "添加标点" in words else page[:2] if "命名实体" in words else translated
        return Reply(json.dumps({"question": "", "answer": answer, "wrong": []}))


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcs_bench_sources", ""))
    ASKED.clear()


def page(seed: int) -> Image.Image:
    """A page of the size of a scan, with columns of strokes."""
    draw, image = random.Random(seed), Image.new("L", (700, 900), 235)
    pen = ImageDraw.Draw(image)
    for x in range(40, 680, 60):
        for y in range(40, 860, 45):
            at = [(x + draw.randint(0, 40), y + draw.randint(0, 35)) for _ in range(4)]
            pen.line(at, fill=20, width=4)
    return image


def glyph(seed: int, size: tuple[int, int]) -> Image.Image:
    """An oracle bone character as HUST-OBC has them: a few strokes in black on white, 30 to 200 pixels."""
    draw, image = random.Random(seed), Image.new("1", size, 1)
    pen = ImageDraw.Draw(image)
    for _ in range(5):
        at = [(draw.randint(2, size[0] - 3), draw.randint(2, size[1] - 3)) for _ in range(3)]
        pen.line(at, fill=0, width=max(2, min(size) // 20))
    return image


def put(image: Image.Image, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


def laid_out(root: Path) -> None:
    """All four data sets in their layouts, with sizes as in the paper's Table 5."""
    for number in range(6):
        for subset in ("regular", "hard"):
            place = root / f"M5HisDoc/M5HisDoc_{subset}"
            put(page(number if subset == "regular" else number + 50), place / f"images/p{number}.jpg")
            (place / "label_textline").mkdir(exist_ok=True)
            lines = [f"{x},20,{x + 40},880,{LINES[(number + x) % 3]}{number}" for x in (600, 500, 400)]
            (place / f"label_textline/p{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "M5HisDoc/split_test.txt").write_text("p0.jpg\np3.jpg\n")
    pages = {f"{n:04}": {"lines": [{"text": f"子曰：「{LINES[n % 3]}，{n}。」"}]} for n in range(4)}
    book = root / "HisDoc1B/annos/論語.json"
    book.parent.mkdir(parents=True)
    book.write_text(json.dumps({"title": "論語", "pages": pages}), encoding="utf-8")
    for number, name in enumerate(pages):
        put(page(number + 100), root / f"HisDoc1B/images/論語/{name}.jpg")
    characters = {f"{n:04}": c for n, c in enumerate("帝丰人大天王日月山水", 1)}
    hust = root / "HUST-OBC/deciphered"
    for number, key in enumerate(characters):
        for copy, size in enumerate([(26, 48), (150, 190), (90, 100)]):
            put(glyph(number * 10 + copy, size), hust / f"{key}/X_{key}_{copy}_2.png")
    (hust / "ID_to_chinese.json").write_text(json.dumps(characters), encoding="utf-8")
    evobc = root / "EVOBC/Data/EVOBC"
    for number, era in enumerate(["OBC", "BI", "SS", "OBC"]):
        put(glyph(number + 900, (80, 100)), evobc / f"0000{number}/0000{number}_Book_{era}_1_{number}.jpg")
    keys = {f"0000{n}": c for n, c in enumerate("車馬魚鳥")}
    (root / "EVOBC/Key&Value.json").write_text(json.dumps(keys), encoding="utf-8")


CONFIG = """
year = 2026
match = false
review = false
second_review = false
[stages.rights]
licences = ["cc-by-nc-nd-4.0", "LicenseRef-HUST-OBC", "LicenseRef-EVOBC", "cc0-1.0"]
"""
SOURCES = """
[[datasets]]
name = "m5hisdoc"
folder = "M5HisDoc"
tasks = ["T1", "T2"]
subsets = ["regular"]
most = 5
[[datasets]]
name = "hisdoc1b"
folder = "HisDoc1B"
tasks = ["T3"]
[[datasets]]
name = "hust_obc"
folder = "HUST-OBC"
tasks = ["T28"]
most = 15
[[datasets]]
name = "evobc"
folder = "EVOBC"
tasks = ["T28"]
[tasks.T2]
how = "model"
maker = "tonggu"
[models.tonggu]
model = "stand-in/tonggu"
"""


def released(to: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((to / "out/MCS-Bench.json").read_text(encoding="utf-8"))
    return rows


def reasons(built: Built) -> dict[str, dict[str, int]]:
    return {each.stage: each.reasons for each in built.counts if each.reasons}


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("sets")
    laid_out(root)
    (root / "sets.toml").write_text(CONFIG + SOURCES, encoding="utf-8")
    return root


def test_the_papers_data_sets_become_questions(sets: Path, tmp_path: Path) -> None:
    built = build("mcs_bench", sets / "sets.toml", tmp_path / "b", examine=verdict_on)
    assert built.complete and built.written == 5 + 5 + 4 + 15 + 2, reasons(built)
    assert built.verdict is not None and not [f for f in built.verdict.faults if "error" in f], built.verdict
    rows = released(tmp_path / "b")
    by_task: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_task.setdefault(row["Task_ID"], []).append(row)
    assert by_task[1][0]["Question_Simplified"].startswith("按古代阅读顺序识别")
    assert by_task[1][0]["Answer_Traditional"].count("\n") == 2 and "說" in by_task[1][0]["Answer_Traditional"]
    assert "子曰：「" in by_task[3][0]["Answer_Traditional"]  # HisDoc1B has punctuation
    known = set("帝丰人大天王日月山水车鸟")
    assert {row["Answer_Simplified"] for row in by_task[28]} <= known and len(by_task[28]) == 17
    assert len({row["Answer_Simplified"] for row in by_task[28]}) == 12  # spread over the characters; two of EVOBC
    smallest = min(w * h for w, h in (Image.open(tmp_path / "b/out" / r["Image"]).size for r in by_task[28]))
    assert smallest == 26 * 48  # as in the paper: 1,248 pixels
    assert len(ASKED["stand-in/tonggu"]) == 5 and "學而時習之" in "".join(ASKED["stand-in/tonggu"])
    assert len(list(load_benchmark("mcs_bench").items(tmp_path / "b/out"))) == len(rows)
    lines = (tmp_path / "b/out/provenance.jsonl").read_text(encoding="utf-8").splitlines()
    told = {line["id"]: line for line in map(json.loads, lines)}
    page_sources = next(line["sources"] for id, line in told.items() if id.startswith("m5hisdoc-T2-regular/"))
    assert any(source.startswith("m5hisdoc:p") for source in page_sources)


def test_a_data_set_without_an_entry_for_a_task_is_refused(sets: Path, tmp_path: Path) -> None:
    for name, folder, task, told in (
        ("evobc", "EVOBC", "T1", "no entry for T1"),
        ("m5hisdoc", "M5HisDoc", "T28", "no entry for T28"),
        ("m5hisdoc", "M5HisDoc", "T3", "the row has no answer"),
    ):
        config = sets / "one.toml"
        config.write_text(
            f'{CONFIG}\n[[datasets]]\nname = "{name}"\nfolder = "{folder}"\ntasks = ["{task}"]\n', encoding="utf-8"
        )
        with pytest.raises(DataError, match=told):
            build("mcs_bench", config, tmp_path / task)


# Makers, pages, people


def table(root: Path, rows: list[dict[str, Any]], more: str) -> Path:
    for number, row in enumerate(rows):
        row.setdefault("image", f"{number}.png")
        row.setdefault("licence", "cc0-1.0")
        if not (root / row["image"]).exists():
            drawn(number).save(root / row["image"])
    (root / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (root / "own.toml").write_text('pictures = "rows.jsonl"\n' + CONFIG + more, encoding="utf-8")
    return root / "own.toml"


def test_each_task_has_a_maker_of_its_own(tmp_path: Path) -> None:
    rows = [{"id": t, "task": t, "text": f"{LINES[n]}"} for n, t in enumerate(("T2", "T3", "T4"))]
    makers = {"T2": "tonggu", "T3": "tonggu", "T4": "ernie"}
    tasks = "".join(f'[tasks.{task}]\nhow = "model"\nmaker = "{role}"\n' for task, role in makers.items())
    models = "".join(f'[models.{role}]\nmodel = "stand-in/{role}"\n' for role in ("tonggu", "ernie"))
    built = build("mcs_bench", table(tmp_path, rows, tasks + models), tmp_path / "b")
    assert built.written == 3 and {name: len(texts) for name, texts in ASKED.items()} == {
        "stand-in/tonggu": 2,
        "stand-in/ernie": 1,
    }
    assert [c.came for c in built.counts if c.stage in ("write-tonggu", "write-ernie")] == [2, 1]
    card = (tmp_path / "b/out/README.md").read_text(encoding="utf-8")
    assert "stand-in/tonggu" in card and "stand-in/ernie" in card
    with pytest.raises(SpecError, match="has no role 'ernie4'"):
        build("mcs_bench", table(tmp_path, rows, tasks + models.replace("ernie]", "ernie4]")), tmp_path / "c")
    config = (
        tasks
        + models.replace("stand-in/ernie", "stand-in/qwen2.5-32b")
        + '[models.validator]\nmodel = "stand-in/qwen3"\n'
    )
    with pytest.raises(SpecError, match="own family"):
        build("mcs_bench", table(tmp_path, rows, config), tmp_path / "d")
    with pytest.raises(SpecError, match="a role that judges can't be the maker"):
        build("mcs_bench", table(tmp_path, rows, '[tasks.T2]\nhow = "model"\nmaker = "judge"\n'), tmp_path / "e")


def test_collected_pages_are_summarised(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.html").write_text(
        "<html><head><title>x</title><style>p{}</style></head><body><nav><a>首页</a></nav><p>《千里江山图》为北宋<b>王希孟</b>"
        "所作。</p><p>绢本设色，纵五十一点五厘米。</p><script>alert('页')</script></body></html>",
        encoding="utf-8",
    )
    (tmp_path / "pages/b.txt").write_text(
        "绢本设色，纵五十一点五厘米。\n现藏故宫博物院，是青绿山水的代表。\n", encoding="utf-8"
    )
    rows: list[dict[str, Any]] = [
        {"id": "a", "task": "T17", "pages": "pages/a.html|pages/b.txt", "title": "千里江山图"}
    ]
    more = '[tasks.T17]\nhow = "pages"\nmaker = "qwen"\n[models.qwen]\nmodel = "stand-in/qwen"\n'
    built = build("mcs_bench", table(tmp_path, rows, more), tmp_path / "b")
    assert built.written == 1 and "渔舟" in released(tmp_path / "b")[0]["Answer_Simplified"]
    (asked,) = ASKED["stand-in/qwen"]
    assert "北宋王希孟所作" in asked and "首页" not in asked and "alert" not in asked
    assert asked.count("绢本设色") == 1 and "【pages/b.txt】" in asked
    sources = json.loads((tmp_path / "b/out/provenance.jsonl").read_text(encoding="utf-8"))["sources"]
    assert "page:pages/a.html" in sources  # a page can be withdrawn
    for pages in ("pages/none.html", "../x.txt"):  # like a row with a missing picture, it fails alone
        rows[0]["pages"] = pages
        built = build("mcs_bench", table(tmp_path, rows, more), tmp_path / "c")
        assert built.counts[0].reasons == {"failed: unreadable-file": 1} and built.waiting == 1
    rows[0]["pages"] = ""
    with pytest.raises(DataError, match="no collected pages"):
        build("mcs_bench", table(tmp_path, rows, more), tmp_path / "c")


def test_long_and_empty_pages(tmp_path: Path) -> None:
    def read(*texts: str, **parameters: Any) -> Any:
        own = read_pages.with_(**parameters)
        pages = [{"file": f"{n}.txt", "text": text} for n, text in enumerate(texts)]
        return own.run(Values(own, "r", {"pages": pages}), Context(own.parameters, MediaStore(tmp_path), 0, tmp_path))

    assert read("短").reason == "pages-empty"
    long = read("甲" * 300, "乙" * 50, most_characters=200)
    assert long.reason == "pages-cut" and long.fields["collected"].count("甲") == 150
    assert long.fields["collected"].count("乙") == 50 and "350 characters" in long.note
    assert page_text("<p>一<p>二<br>三<form>x</form>", html=True) == "一\n二\n三"


def test_people_who_write_see_the_picture(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("绢本设色，纵五十一点五厘米。" * 5, encoding="utf-8")
    rows = [
        {"id": "a", "task": "T2", "text": LINES[0]},
        {"id": "b", "task": "T17", "description": "山和水"},
        {"id": "c", "task": "T15", "pages": "p.txt"},
        {"id": "d", "task": "T21", "question": "画中有几只鸟？", "answer": "三只"},
    ]
    how = {"T2": "model", "T17": "description", "T15": "pages"}
    tasks = "".join(f'[tasks.{task}]\nhow = "{name}"\n' for task, name in how.items())
    config = table(
        tmp_path, rows, tasks + '[models.maker]\nmodel = "human/writer"\n[models.validator]\nmodel = "human/v"\n'
    )
    config.write_text(config.read_text(encoding="utf-8").replace("match = false\nreview = false", "match = true"))
    build("mcs_bench", config, tmp_path / "b")
    for stage in ("write", "summarise", "keywords", "match"):
        lines = (tmp_path / f"b/tasks/{stage}.jsonl").read_text(encoding="utf-8").splitlines()
        assert lines and all(".jpg" in json.dumps(json.loads(line)) for line in lines), stage
    config.write_text(config.read_text(encoding="utf-8").replace("match = true", "match = false"))
    build("mcs_bench", config, tmp_path / "b")
    (task,) = map(json.loads, (tmp_path / "b/tasks/review.jsonl").read_text(encoding="utf-8").splitlines())
    assert task["shows"]["image"].endswith(".jpg") and task["shows"]["answer"] == "三只"


# Duplicates


def test_thresholds_are_the_papers(tmp_path: Path) -> None:
    recipe = load_recipe("mcs_bench")
    stages = {stage.name: stage for stage in recipe.stages(recipe.config())}
    assert stages["duplicate-pictures"].parameters["least_cosine"] == 0.95
    assert stages["near-duplicates"].parameters["least"] == 0.95


def test_identical_pairs_are_dropped_within_a_task(tmp_path: Path) -> None:
    long = "此图绘江南山水，层峦叠嶂，烟波浩渺，渔舟点点，设色明丽。"
    rows: list[dict[str, Any]] = [
        {"id": "a", "task": "T25", "answer": long},
        {"id": "b", "task": "T25", "answer": long},  # another picture, the same description
        {"id": "c", "task": "T38", "answer": long},  # another task
        {"id": "d", "task": "T28", "answer": "帝"},
        {"id": "e", "task": "T28", "answer": "帝"},  # a short answer may be that of many pictures
        {"id": "f", "task": "T28", "answer": "帝", "image": "4.png"},  # the same question about one picture
        {"id": "g", "task": "T21", "question": "画中有几只鸟？", "answer": "三只", "image": "0.png"},
        {"id": "h", "task": "T21", "question": "画中有几个人？", "answer": "三个", "image": "0.png"},
    ]
    built = build("mcs_bench", table(tmp_path, rows, ""), tmp_path / "b")
    dropped = {
        line.id for line in BuildFolder(tmp_path / "b").lines("near-duplicates") if line.outcome.decision == "dropped"
    }
    assert dropped == {"b", "f"} and built.written == 6
    assert pair_text.parameters["least_characters"] == 20
