"""The Runs that the viewer's tests look at."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

import triptych
from triptych.benchmarks import load_benchmark
from triptych.judges.panel import Judge, Panel
from triptych.judges.rubric import load_rubric
from triptych.records import Item, Part, Response, RunManifest, Score, Usage, text
from triptych.scoring.stored.files import ScoreFiles
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

RANDOM, KNOWING = "xmodbench~random", "xmodbench~knowing"
BENCHMARKS = ("mcga", "cmdar", "mcs_bench")  # and those below that tests look at closely
EVIL = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
HOSTILE_ID = f"evil/{EVIL}/../题 %2e%2e"


def make_all(root: Path) -> Path:
    """All of them, below `root`."""
    tasks = ["linguistic/translation", "perception/general"]
    tasks += [f"{task}/audiovision_text" for task in tasks]
    for name, model in (("random", "baseline/random"), ("knowing", "baseline/reference")):
        triptych.run("xmodbench", model, tasks=tasks, limit=4, seed=5, out=root / "xmodbench" / name)
    triptych.run("mcif/short/en", "baseline/reference", limit=1, out=root / "mcif")
    for name in BENCHMARKS:
        triptych.run(name, "baseline/reference", limit=1, out=root / name)
    triptych.run("cmdar/main", "baseline/random", limit=3, repeats=2, seed=1, out=root / "repeats")
    hostile(root / "hostile", root)
    return root


def manifest(**changes: object) -> RunManifest:
    """A manifest of a benchmark that isn't installed."""
    base = RunManifest(
        schema_version=1,
        benchmark="nowhere",
        benchmark_version="1",
        data="",
        data_sha256="",
        tasks=("t",),
        model="strange/<b>model</b>",
        revision="",
        model_settings={},
        conditions=(),
        prompt="p",
        decoding={},
        seed=0,
        repeats=1,
    )
    return msgspec.structs.replace(base, **changes)


def _told(data: Path, name: str) -> Part:
    """A picture with the hash of what lies there: it is the Run's, so all that is left to refuse it is what it is."""
    found = data / name
    return Part("image", path=name, sha256=hashlib.sha256(found.read_bytes()).hexdigest() if found.is_file() else "")


def hostile(path: Path, root: Path) -> None:
    """A Run in which everything that a stranger can write is meant badly."""
    data = path.parent / "hostile-data"
    data.mkdir()
    secret = root.parent / "secret.txt"
    secret.write_text("the secret", encoding="utf-8")
    (data / "page.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>", encoding="utf-8")
    (data / "page.png").write_text("<html><script>1</script></html>", encoding="utf-8")
    os.symlink(secret, data / "link.png")
    good = next((load_benchmark("xmodbench").mini / "media").rglob("*.jpg")).read_bytes()
    (data / "good.jpg").write_bytes(good)
    (data / f"{'x' * 20}'\"<b>.jpg").write_bytes(good)
    names = ("good.jpg", "page.svg", "page.png", "link.png", "../secret.txt", "/etc/passwd", f"{'x' * 20}'\"<b>.jpg")
    folder = RunFolder.create(
        path, manifest(data=str(data), benchmark=EVIL, conditions=(EVIL,), note=EVIL, decoding={EVIL: EVIL})
    )
    items = [
        Item(
            HOSTILE_ID,
            EVIL,
            (text(EVIL, "question"), *(_told(data, name) for name in names)),
            options=((text(EVIL),), (text("\u202egnp.exe"),)),
            labels=(EVIL, "B"),
            target=EVIL,
            facets={EVIL: EVIL, 'a"b': "c'd"},
            instance=EVIL,
        ),
        Item("plain", "t", (text("a plain question", "question"),), target="yes"),
    ]
    with folder.writer() as writer:
        for item in items:
            writer.add_item(item)
        writer.add_response(
            Response(
                HOSTILE_ID,
                folder.manifest.condition,
                0,
                "answered",
                EVIL,
                thinking=EVIL,
                finish_reason=EVIL,
                served_model=EVIL,
                usage=Usage(1, 2),
                time=EVIL,
            )
        )
    with ScoreFiles(folder, ["odd"]) as files:
        files.add("odd", [Score(HOSTILE_ID, EVIL, EVIL, "scored", 1, 1, extraction=EVIL, note=EVIL)])
    judged(folder)


def judged(folder: RunFolder) -> None:
    """What two judges said of the hostile Item: one verdict that can be read, one that can't."""
    rubric = load_rubric("error_kind")
    judge = Judge("openai/judge")
    Panel((judge,)).save(folder.verdicts_path)
    with ReplyJournal(folder.verdicts_path, judge.signature(rubric)).writer() as writer:
        writer.add_response(Response(HOSTILE_ID, "straight/1234", 0, "answered", f"{EVIL}\nVerdict: reasoning"))
    with ReplyJournal(folder.verdicts_path, "unknown-judge").writer() as writer:
        writer.add_response(Response(HOSTILE_ID, "swapped/1234", 3, "answered", EVIL))


__all__ = ["EVIL", "HOSTILE_ID", "KNOWING", "RANDOM", "make_all"]
