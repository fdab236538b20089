"""The writer of each recipe, given two records that are about two things: what is in the files of each afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.construction.released_layouts import picture, sound
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipe import load_recipe
from triptych.construction.record import Record
from triptych.media.sound.coding import encode_wav

LEAST: dict[str, dict[str, Any]] = {
    "mcga": {"works": "w.csv", "year": 2026},
    "cmdar": {"recordings": "r.csv"},
    "mcs_bench": {"pictures": "p.csv"},
    "mcif": {"talks": "t.csv", "languages": ["en"]},
    "xmodbench": {"triplets": ["t.csv"]},
}


def written(recipe: str, ids: tuple[str, str], root: Path) -> list[tuple[bytes, bytes]]:
    """Return, for each of two ids, its medium and the medium that the output has for it.

    Raises DataError if the writer refuses the ids.
    """
    import msgspec

    known, out = load_recipe(recipe), root / "out"
    out.mkdir()
    store = MediaStore(root)
    media = [_medium(recipe, number) for number in range(2)]
    records = []
    for number, (id, data) in enumerate(zip(ids, media, strict=True)):
        value = store.put(data, "jpg" if recipe == "mcs_bench" else "wav")
        records += _RECORDS[recipe](id, value, number)
    known.write(msgspec.convert(LEAST[recipe], known.config), records, out, Context({}, store, base=root))
    return [(data, (out / _file(recipe, id, out)).read_bytes()) for id, data in zip(ids, media, strict=True)]


def _medium(recipe: str, number: int) -> bytes:
    if recipe == "mcs_bench":
        from PIL import Image

        from triptych.media.pictures.changes import encode_picture

        return encode_picture(Image.fromarray(picture(number)), "JPEG", 85)
    return encode_wav(np.asarray(sound(number, 0.2, 16_000)), 16_000)


def _mcga(id: str, value: str, number: int) -> list[Record]:
    fields = {"task": "asr", "split": "test", "clip": id, "recording": id, "audio": value}
    return [Record(f"{id}/asr", {**fields, "genre": "诗", "dynasty": "唐", "text": "床前明月光"}, (f"work:{id}",))]


def _cmdar(id: str, value: str, number: int) -> list[Record]:
    fields: dict[str, Any] = {"task": "open", "audio": value, "begin": 0.0, "end": 0.2, "film": id, "options": []}
    fields |= {"question": "他为什么停下？", "answers": [], "answer": "因为下雨。", "category": "事件推理类"}
    return [Record(id, fields, (f"film:{id}",))]


def _mcs_bench(id: str, value: str, number: int) -> list[Record]:
    texts = {f"{part}_{script}": id for part in ("question", "answer") for script in ("simplified", "traditional")}
    return [Record(id, {"task": "T7", "image": value, **texts}, (f"picture:{id}",))]


def _mcif(id: str, value: str, number: int) -> list[Record]:
    fields: dict[str, Any] = {"talk": id, "element": "talk", "language": "en", "number": number + 1, "audio": value}
    fields |= {"summary_only": False, "target": [id], "seconds": 0.2, "file": f"{number}.wav", "source": [id]}
    segment = {"talk": id, "element": "segment", "clip_begin": 0.0, "clip_end": 0.2, "clip_audio": value}
    return [
        Record(f"{id}/en", fields, (f"talk:{id}",)),
        Record(f"{id}/0", fields | segment, (f"talk:{id}",)),
    ]


def _xmodbench(id: str, value: str, number: int) -> list[Record]:
    wrong = [{"text": f"{id} {n}", "audio": None, "vision": None} for n in range(3)]
    candidates = [{"text": id, "audio": value, "vision": None}, *wrong]
    fields: dict[str, Any] = {"task": "perception/general/audio_text", "instance": id, "direction": "audio_text"}
    fields |= {"question": "Which text shows the same thing as this recording?", "context": value, "answer": id}
    fields |= {"options": [form["text"] for form in candidates], "answers": [0], "text": id, "candidates": candidates}
    return [Record(f"{id}/audio_text", fields, (f"triplet:{id}",))]


_RECORDS = {"mcga": _mcga, "cmdar": _cmdar, "mcs_bench": _mcs_bench, "mcif": _mcif, "xmodbench": _xmodbench}


def _file(recipe: str, id: str, out: Path) -> str:
    """The file that the output names for a thing."""
    if recipe == "mcga":
        rows = [json.loads(x) for x in (out / "MCGA_asr_test.jsonl").read_text(encoding="utf-8").splitlines()]
        return str(next(row["audio"] for row in rows if row["id"] == id.replace("/", "-")))
    if recipe == "mcif":
        lines = [json.loads(x) for x in (out / "media.jsonl").read_text(encoding="utf-8").splitlines()]
        return str(next(line["file"] for line in lines if line["talk"] == id and "LONG" in line["file"]))
    samples = {
        line["record"]: line["item"]
        for line in map(json.loads, (out / "samples.jsonl").read_text(encoding="utf-8").splitlines())
        if "audiovision" not in line["item"]
    }
    number = int(samples[id if recipe != "xmodbench" else f"{id}/audio_text"].rpartition("/")[2])
    if recipe == "cmdar":
        return str(_rows(out / "MDAR-open.json")[number]["audio_path"])
    if recipe == "mcs_bench":
        return str(_rows(out / "MCS-Bench.json")[number - 1]["Image"])
    return str(_rows(next(out.rglob("*_audio_text.json")))[number]["conditions"]["input"])


def _rows(path: Path) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found
