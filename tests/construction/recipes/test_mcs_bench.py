"""Image stages, and the MCS-Bench recipe on drawn pictures: to files that our reader accepts."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

import triptych
from tests.construction.single_stage import context
from triptych import load_benchmark
from triptych.construction.build import build
from triptych.construction.engine.context import Context, Values
from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Outcome
from triptych.construction.stages.pictures import duplicate_pictures, picture
from triptych.models import registry
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request

MINI = Path(triptych.__file__).parent / "benchmarks/mcs_bench/mini/images"


def drawn(seed: int, size: tuple[int, int] = (320, 240)) -> Image.Image:
    """Lines and boxes, another picture for each seed."""
    image = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(image)
    for n in range(12):
        x, y = (seed * 97 + n * 53) % size[0], (seed * 61 + n * 31) % size[1]
        pen.rectangle((x, y, x + 20 + seed * 7 % 50, y + 15 + n), fill=(seed * 40 % 255, n * 20, 90))
    return image


def looked(tmp_path: Path, image: Image.Image | bytes, **parameters: Any) -> Outcome:
    """What the stage `picture` decides about a file."""
    data = image if isinstance(image, bytes) else _encoded(image)
    (tmp_path / "p.png").write_bytes(data)
    own = picture.with_(**parameters)
    fields = {"image_file": "p.png", "image_sha256": hashlib.sha256(data).hexdigest(), "task": "T1"}
    outcome: Outcome = own.run(Values(own, "r", fields), Context(own.parameters, MediaStore(tmp_path), 0, tmp_path))
    return outcome


def _encoded(image: Image.Image, **how: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, how.pop("format", "PNG"), **how)
    return buffer.getvalue()


def test_a_picture_becomes_a_jpeg_within_the_limit_of_its_task_without_metadata(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = "somebody's name"
    outcome = looked(tmp_path, _encoded(drawn(1, (2000, 1000)), format="JPEG", exif=exif))
    made = Image.open(tmp_path / outcome.fields["image"])
    assert made.format == "JPEG" and not made.getexif()
    assert made.width < made.height and made.width / made.height == pytest.approx(0.5, abs=0.01)
    assert 0.98 * 1_003_500 < made.width * made.height <= 1_003_500 and outcome.decision == "revised"


def test_a_jpeg_that_needs_no_change_stays_as_it_is(tmp_path: Path) -> None:
    plain = _encoded(drawn(1), format="JPEG", quality=60, progressive=True)
    outcome = looked(tmp_path, plain)
    assert outcome.decision == "kept" and (tmp_path / outcome.fields["image"]).read_bytes() == plain
    grey = _encoded(drawn(1).convert("L"), format="JPEG")
    noted, appended = _encoded(drawn(1), format="JPEG", comment=b"by somebody"), plain + b"hidden"
    for data in (noted, appended, grey, _encoded(drawn(1))):
        outcome = looked(tmp_path, data)
        made = (tmp_path / outcome.fields["image"]).read_bytes()
        assert outcome.reason == "standardised" and b"somebody" not in made and not made.endswith(b"hidden")


@pytest.mark.parametrize(
    ("image", "reason", "parameters"),
    [
        (b"no picture", "unreadable-picture", {}),
        (_encoded(drawn(1))[:300], "unreadable-picture", {}),
        (Image.new("RGB", (64, 64), "white"), "blank-picture", {}),
        (drawn(1, (320, 20)), "picture-too-small", {}),
        (drawn(1).filter(ImageFilter.GaussianBlur(12)), "blurred-picture", {"least_sharpness": 20.0}),
        (drawn(1), "standardised", {"least_sharpness": 20.0}),
    ],
)
def test_damaged_blank_and_blurred_pictures_are_dropped(
    tmp_path: Path, image: Any, reason: str, parameters: dict[str, Any]
) -> None:
    assert looked(tmp_path, image, **parameters).reason == reason


def clusters(tmp_path: Path, pictures: Sequence[Image.Image]) -> list[int]:
    """The number of the first picture that each picture is nearly the same as."""
    store = MediaStore(tmp_path)
    rows = [{"image": store.put(_encoded(p, format="JPEG", quality=80), "jpg"), "task": "T1"} for p in pictures]
    values = [Values(duplicate_pictures, f"r{n}", row) for n, row in enumerate(rows)]
    outcomes = duplicate_pictures.run(values, context(duplicate_pictures, tmp_path))
    return [int(outcome.fields["picture_cluster"].removeprefix("T1:r")) for outcome in outcomes]


def test_a_copy_may_be_turned_mirrored_framed_or_so_bright_that_parts_are_white(tmp_path: Path) -> None:
    one = Image.open(sorted(MINI.glob("*.jpg"))[0]).convert("RGB")
    copies = [
        *(one.rotate(angle, expand=True) for angle in (90, 180, 270)),
        ImageOps.mirror(one),
        ImageOps.mirror(one).rotate(90, expand=True),
        ImageOps.expand(one, 40, "white"),
        one.point(lambda v: min(255, int(1.6 * v))),
    ]
    assert clusters(tmp_path, [one, drawn(2), *copies]) == [0, 1, *[0] * len(copies)]


def test_covers_of_one_colour_with_different_words_are_different_pictures(tmp_path: Path) -> None:
    draw = np.random.default_rng(5)
    covers = []
    for words in ("spring", "yellow", "harbour", "mirrors", "winter", "orchids"):
        cover = Image.new("RGB", (500, 500), tuple(int(v) for v in draw.integers(20, 235, 3)))
        ImageDraw.Draw(cover).text((60, 200), words, fill="white", font=ImageFont.load_default(70))
        covers.append(cover)
    assert clusters(tmp_path, covers) == [0, 1, 2, 3, 4, 5]


class Model(SimpleAdapter):
    """Writes, extracts keywords, expands and matches."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name = f"stand-in/{name}"

    async def respond(self, request: Request, prepared: Any) -> Reply:
        words = request.messages[-1].parts[-1].text or ""
        if "是否相符" in words:
            assert request.media_parts, "the picture is not sent"
            return Reply(json.dumps({"valid": "不符" not in words, "reason": "no"}))
        if "提取" in words:
            return Reply(json.dumps({"keywords": ["山", "水"]}))
        if "扩展" in words:
            return Reply(json.dumps({"answer": "这幅画描绘了山水。"}))
        return Reply(json.dumps({"question": "", "answer": "学习并且按时温习。", "wrong": []}))


def make(name: str, settings: Mapping[str, Any]) -> Model:
    return Model(name)


def test_from_pictures_to_questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    monkeypatch.setitem(registry.ADAPTERS, "stand-in", ("tests.construction.recipes.test_mcs_bench", ""))
    (tmp_path / "images").mkdir()
    for seed in range(6):
        drawn(seed).save(tmp_path / f"images/{seed}.png")
    rows = [
        {"id": "a", "image": "images/0.png", "task": "T1", "answer": "學而時習之", "licence": "cc0-1.0"},
        {"id": "b", "image": "images/1.png", "task": "T2", "text": "學而時習之", "licence": "cc0-1.0", "title": "論語"},
        {"id": "c", "image": "images/2.png", "task": "T17", "description": "山和水", "licence": "cc0-1.0"},
        {
            "id": "d",
            "image": "images/3.png",
            "task": "T7",
            "answer": "论语",
            "wrong": ["史记", "庄子", "孟子"],
            "licence": "cc0-1.0",
        },
        {
            "id": "e",
            "image": "images/3.png",
            "task": "T7",
            "answer": "论语",
            "wrong": ["史记", "庄子", "孟子"],
            "licence": "cc0-1.0",
        },
        {"id": "f", "image": "images/4.png", "task": "T1", "answer": "不符的文字", "licence": "cc0-1.0"},
        {"id": "g", "image": "images/5.png", "task": "T1", "answer": "没有来源"},
    ]
    (tmp_path / "pictures.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(
        'pictures = "pictures.jsonl"\nreview = false\nsecond_review = false\n'
        '[tasks.T2]\nhow = "model"\nexamples = ["例：……"]\n[tasks.T17]\nhow = "description"\n'
        '[models.maker]\nmodel = "stand-in/maker"\n[models.validator]\nmodel = "stand-in/validator"\n',
        encoding="utf-8",
    )
    built = build("mcs_bench", tmp_path / "recipe.toml", tmp_path / "b")
    reasons = {each.stage: each.reasons for each in built.counts}
    assert reasons["rights"] == {"dropped: rights-unknown": 1}
    assert reasons["near-duplicates"] == {"dropped: near-duplicate": 1}
    assert reasons["match"] == {"dropped: not-valid": 1}
    made = json.loads((tmp_path / "b/out/MCS-Bench.json").read_text(encoding="utf-8"))
    assert [(row["ID"], row["Task_ID"]) for row in made] == [(1, 1), (2, 2), (3, 7), (4, 17)]
    assert made[0]["Answer_Simplified"] == "学而时习之" and made[0]["Answer_Traditional"] == "學而時習之"
    choice = made[2]
    letter = choice["Answer_Simplified"]
    assert f"{letter}、论语" in choice["Question_Simplified"] and "論語" in choice["Question_Traditional"]
    items = list(load_benchmark("mcs_bench").items(tmp_path / "b/out"))
    samples = [json.loads(x) for x in (tmp_path / "b/out/samples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {x["item"]: x["record"] for x in samples} == {i.id: r for i, r in zip(items, "abdc", strict=True)}
    assert len(items) == 4 and all((tmp_path / "b/out" / row["Image"]).is_file() for row in made)
