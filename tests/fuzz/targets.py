"""The readers of files that come from outside, each with files that are right: what is mutated.

A target may raise a TriptychError, in words; anything else that it raises is a fault. A target with several readers
gives each an `attempt`, so that a test can see that every one reads a right file.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import tarfile
import tempfile
import wave
import zipfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import msgspec
import numpy as np

import triptych
from tests.interchange import harness_folders as make
from triptych.benchmarks import Benchmark, load_benchmark
from triptych.errors import TriptychError
from triptych.records import Annotation, Item, Part, Response, media
from triptych.store.folder import RunFolder

BENCHMARKS = ("cmdar", "mcga", "mcif", "mcs_bench", "xmodbench")
QUESTIONS = (".json", ".jsonl", ".xml", ".txt")
MEDIA = {".ogg", ".opus", ".wav", ".mp3", ".flac", ".jpg", ".png", ".webp", ".mp4", ".webm", ".py"}
Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    """A reader: files that are right, files that it refuses, and how it reads."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    read: Read
    wrong: Sequence[bytes] = ()

    def __call__(self, data: bytes) -> None:
        """Read. Raises what is no TriptychError."""
        self.readers(data)

    def readers(self, data: bytes) -> tuple[set[str], dict[str, str]]:
        """Read; return the readers that took the file, and what the others said of it."""
        _TOOK.clear()
        _REFUSED.clear()
        with attempt(self.name):
            self.read(data)
        if len(_TOOK | _REFUSED.keys()) > 1:
            _TOOK.discard(self.name)  # it has readers of its own
        return set(_TOOK), dict(_REFUSED)


_TOOK: set[str] = set()
_REFUSED: dict[str, str] = {}


@contextmanager
def attempt(reader: object) -> Iterator[None]:
    """One of several readers of a file may refuse it."""
    try:
        yield
        _TOOK.add(str(reader))
    except TriptychError as error:
        _REFUSED[str(reader)] = str(error)


TARGETS: dict[str, Target] = {}


def target(name: str, seeds: Callable[[], Sequence[bytes]], wrong: Sequence[bytes] = ()) -> Callable[[Read], Read]:
    """Register a reader."""

    def register(read: Read) -> Read:
        TARGETS[name] = Target(name, cache(seeds), read, wrong)
        return read

    return register


@cache
def place() -> Path:
    """A folder of this process's own."""
    return Path(tempfile.mkdtemp(prefix="triptych-fuzz-"))


@cache
def a_run(benchmark: str = "cmdar/main") -> Path:
    """A small Run, scored."""
    folder = place() / f"run-{benchmark.replace('/', '-')}"
    triptych.run(benchmark, "baseline/random", out=folder, seed=1, limit=1)
    return folder


def written(name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = place() / "files" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


# --- Run folders -----------------------------------------------------------------------------------------------------


def in_a_run(name: str, data: bytes) -> RunFolder:
    """A Run with one file replaced."""
    folder = place() / "theirs"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(a_run(), folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(data)
    return RunFolder.open(folder)


def of_the_run(name: str) -> Callable[[], Sequence[bytes]]:
    return lambda: [(a_run() / name).read_bytes()]


def use(folder: RunFolder) -> None:
    """What a report does with a Run."""
    from triptych.scoring.notes.labels import label_of
    from triptych.scoring.runs import load_scores, score_run

    label_of(folder)
    for protocol in score_run(folder):
        load_scores(folder, protocol)
    for response in folder.history():
        _ = response.entry


def _run_file(name: str) -> None:
    @target(f"run {name}", of_the_run(name))
    def read(data: bytes) -> None:
        use(in_a_run(name, data))


for _name in ("manifest.json", "items.jsonl", "responses.jsonl"):
    _run_file(_name)


@target("run summary.json", of_the_run("summary.json"))
def _(data: bytes) -> None:
    from triptych.scoring.runs import load_summary

    load_summary(in_a_run("summary.json", data))


@target("run scores", of_the_run("scores/official.jsonl"))
def _(data: bytes) -> None:
    from triptych.scoring.runs import load_scores

    load_scores(in_a_run("scores/official.jsonl", data), "official")


def _verdicts() -> Sequence[bytes]:
    from triptych.judges.panel import Judge, Panel

    said = Response("i|quality", "straight", 0, "answered", "Score: 4")
    panel = msgspec.json.encode(Panel((Judge("openai/m", settings={"a": 1}),), 2, "median", {"a": "b"}))
    return [msgspec.json.encode(said) + b"\n", panel]


@target("run verdicts", _verdicts)
def _(data: bytes) -> None:
    from triptych.judges.panel import load_panel
    from triptych.scoring.notes.cost import cost_text
    from triptych.scoring.runs import score_run
    from triptych.store.journals.replies import ReplyJournal

    panel = _verdicts()[1]
    for name, content in (("journal", panel), ("panel", data)):
        folder = in_a_run("verdicts/panel.json", content)
        (folder.verdicts_path / "a.jsonl").write_bytes(data)
        with attempt(name):
            cost_text(ReplyJournal(folder.verdicts_path, "a"))
            score_run(folder)
            load_panel(folder.verdicts_path)


def _annotations() -> Sequence[bytes]:
    told = Annotation("a", note="hm", by="Wen", verdict="wrong")
    line = b'{"item":"a","repeat":0,"question":"q","reply":"r","labels":["A","B"],"named":["A"],"choice":null}\n'
    return [msgspec.json.encode(told) + b"\n", line]


@target("run annotations and queue", _annotations)
def _(data: bytes) -> None:
    from triptych.scoring.queue import read_queue
    from triptych.store.annotations import read_annotations

    with attempt("annotations"):
        read_annotations(written("annotations.jsonl", data))
    with attempt("queue"):
        read_queue(written("ambiguous.jsonl", data))


def _packed() -> Sequence[bytes]:
    from triptych.store.parquet.pack import pack

    folder = place() / "packed"
    shutil.copytree(a_run(), folder)
    pack(RunFolder.open(folder))
    return [(folder / "responses.parquet").read_bytes(), (folder / "items.parquet").read_bytes()]


@target("run packed", _packed)
def _(data: bytes) -> None:
    from triptych.store.parquet.records import read_parquet

    for kind in (Response, Item):
        with attempt(kind.__name__):
            list(read_parquet(written("a.parquet", data), kind))


# --- benchmarks: their data, results in the authors' formats, replies ------------------------------------------------


def _question_files(bench: Benchmark) -> list[Path]:
    return [path for path in bench.source_files(bench.mini) if path.suffix in QUESTIONS][:6]


@cache
def _mini(name: str) -> Path:
    """The mini set without its media."""
    bench = load_benchmark(name)
    to = place() / f"data-{name}"
    texts = [path for path in bench.mini.rglob("*") if path.is_file() and path.suffix not in MEDIA]
    for path in {*bench.source_files(bench.mini), *texts}:
        copy = to / path.relative_to(bench.mini)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return to


def _data(name: str) -> None:
    def seeds() -> Sequence[bytes]:
        return [path.read_bytes() for path in _question_files(load_benchmark(name))]

    @target(f"data {name}", seeds)
    def read(data: bytes) -> None:
        bench, root = load_benchmark(name), _mini(name)
        for path in _question_files(bench)[:2]:
            copy = root / path.relative_to(bench.mini)
            copy.write_bytes(data)
            try:
                with attempt("items"):
                    list(bench.items(root))
                with attempt("items with problems"):
                    list(bench.items(root, None, lambda problem: None))
                with attempt("check"):
                    list(bench.check(root))
            finally:
                shutil.copy(path, copy)


OWN_RESULTS = {  # of benchmarks whose format is read, but not written
    "cmdar": [
        (
            "main_results.json",
            msgspec.json.encode(
                [
                    {
                        "id": "1",
                        "audio_path": "a.wav",
                        "question": "问?",
                        "choice": ["甲", "乙", "丙", "丁"],
                        "answer": "甲",
                        "category": "SR",
                        "model_output": "甲",
                        "score": "Assistant 1: 8, Assistant 2: 7",
                    },
                    {
                        "id": "2",
                        "audio_path": "b.wav",
                        "question": "问?",
                        "choice": ["甲", "乙", "丙", "丁"],
                        "answer": "乙",
                        "category": "ER",
                        "model_output": ["丙"],
                    },
                ]
            ),
        )
    ],
    "xmodbench": [
        (
            "general_audio_text_results.json",
            msgspec.json.encode(
                {
                    "task_name": "perception/general_audio_text",
                    "score": 50.0,
                    "correct_count": 1,
                    "all_count": 2,
                    "results": {
                        "0": {"question": "Q", "response": "A", "answer": "A", "is_right": True},
                        "1": {"question": "Q", "response": "B", "answer": "C", "is_right": False},
                    },
                }
            ),
        ),
        (
            "mine.json",
            msgspec.json.encode(
                {
                    "session_id": "s1",
                    "score": {"correct": 1, "total": 1},
                    "questions": [
                        {
                            "source_file": "general_activities/general_activities_questions_audio_text.json",
                            "question_id": "general_0",
                            "user_answer": "A",
                            "correct_answer": "A",
                            "question_text": "Q",
                        }
                    ],
                }
            ),
        ),
    ],
}


@cache
def _results(name: str) -> list[tuple[str, bytes]]:
    """Files of results as the authors' code writes them: names and contents."""
    bench, to = load_benchmark(name), place() / f"results-{name}"
    if name in OWN_RESULTS:
        return OWN_RESULTS[name]
    items = list(bench.items(bench.mini))
    replies = [Response(item.id, "", 0, "answered", f"({item.labels[0]})" if item.labels else "好 a") for item in items]
    paths = bench.write_outputs(items, replies, to)
    return [(str(path.relative_to(to)), path.read_bytes()) for path in paths if path.is_file()][:6]


def _outputs(name: str) -> None:
    @target(f"results {name}", lambda: [data for _, data in _results(name)])
    def read(data: bytes) -> None:
        bench = load_benchmark(name)
        items = {item.id: item for item in bench.items(bench.mini)} if name == "mcif" else None  # its references
        for file, _ in _results(name)[:2]:
            path = written(f"results-{name}/{file}", data)
            for recover in (False, True) if name == "mcif" else (False,):  # others have nothing to recover
                with attempt(f"{file} {recover}"):
                    outputs = bench.outputs([path], items, recover=recover)
                    [outputs.responses[id_].entry for id_ in outputs.responses]


REPLIES = (
    "A",
    "The answer is (B).",
    "B. because A and C are wrong, not D",
    "答案是 C",
    "<think>A?</think>\n\\boxed{D}",
    "",
    '{"answer": "A"}',
    "1. 喜\n2. 怒",
    "平平仄仄平平仄",
    "Emotion: joy\nCause: rain\nSpeaker: a man",
    "A, B and D",
    "甲乙丙丁",
)


def _replies(name: str) -> None:
    @target(f"replies {name}", lambda: [reply.encode() for reply in REPLIES])
    def read(data: bytes) -> None:
        from triptych.scoring.stored.units import group_units

        bench, reply = load_benchmark(name), data.decode("utf-8", "replace")[:3000]
        items = _units_of(name)
        replies = [Response(item.id, "", 0, "answered", reply) for item in items]
        for unit in group_units(items, replies):
            for protocol in bench.protocols.values():
                protocol.score(unit)


@cache
def _units_of(name: str) -> list[Item]:
    """Few Items, of Tasks that differ."""
    bench, found = load_benchmark(name), dict[str, Item]()
    for item in bench.items(bench.mini):
        found.setdefault(item.task if name != "xmodbench" else item.task.split("/")[-1], item)
    units = {item.unit_id for item in list(found.values())[:4]}
    return [item for item in bench.items(bench.mini) if item.unit_id in units]


for _name in BENCHMARKS:
    _data(_name)
    _outputs(_name)
    _replies(_name)


def _unified() -> Sequence[bytes]:
    """Rows of XModBench's release of 2026-06."""
    options = {letter: {"modality": "Text", "input": letter.lower()} for letter in "ABCD"}
    rows = [
        {
            "index": number,
            "subtask": subtask,
            "question": "Which?",
            "category": subtask,
            "correct_answer": "A",
            "conditions": {"modality": "Audio", "input": "Data/a.wav"},
            "options": options,
        }
        for number, subtask in enumerate(("04_temporal/count", "01_perception/natures", "01_perception/instruments"))
    ]
    return [b"\n".join(map(msgspec.json.encode, rows))]


@target("data of xmodbench, 2026-06", _unified)
def _(data: bytes) -> None:
    bench, folder = load_benchmark("xmodbench"), place() / "unified"
    for name in ("data/audio_text", "data_lite/a2t"):
        (path := folder / f"{name}.jsonl").parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    list(bench.sample("lite", bench.items(folder, report=lambda problem: None), folder))
    list(bench.check(folder))


# --- archives and logs -----------------------------------------------------------------------------------------------


def _archives() -> Sequence[bytes]:
    made = []
    for mode in ("w", "w:gz", "w:xz"):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode=mode) as tar:  # type: ignore[call-overload]
            for name, content in _results("xmodbench")[:1]:
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
        made.append(buffer.getvalue())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _results("xmodbench")[:1]:
            archive.writestr(name, content)
    return [*made, buffer.getvalue()]


def _with_a_link() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "c.txt"
        tar.addfile(link)
    return buffer.getvalue()


@target("archives", _archives, [_with_a_link()])
def _(data: bytes) -> None:
    from triptych.releases.archives import is_archive, unpack

    path, to = written("a.archive", data), place() / "unpacked"
    shutil.rmtree(to, ignore_errors=True)
    if is_archive(path):
        unpack(path, to)
    _nothing_outside()


def _nothing_outside() -> None:
    """What an archive or a log wrote lies in its folder."""
    assert not (place() / "escaped").exists() and not Path("/tmp/escaped").exists()


@target("archive of results", _archives)
def _(data: bytes) -> None:
    from triptych.audit.results.systems import load_systems

    list(load_systems([written("results.tar", data)], "xmodbench", None))


def _inspect() -> Sequence[bytes]:
    from triptych.interchange.exports import export_run

    paths = export_run(RunFolder.open(a_run("mcga")), "inspect", place() / "inspect")
    whole = [path.read_bytes() for path in paths if path.is_file()]
    members = []
    for data in whole:
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as log:
                header = msgspec.json.decode(log.read("header.json"))
                samples = [msgspec.json.decode(log.read(n)) for n in log.namelist() if n.startswith("samples/")]
            members.append(msgspec.json.encode({**header, "samples": samples[:2]}))
    return [*whole, *members]


@target("log inspect", _inspect)
def _(data: bytes) -> None:
    from triptych.interchange.foreign import write_run
    from triptych.interchange.inspect_read import read_inspect

    for name in ("log.eval", "log.json"):
        shutil.rmtree(place() / "imported", ignore_errors=True)
        with attempt(name):
            write_run(read_inspect(written(name, data)), place() / "imported")


@cache
def _lmms_files() -> dict[str, bytes]:
    """One evaluation: a samples file and the results file next to it, under names of our own."""
    from triptych.interchange.exports import export_run

    found = {}
    for path in export_run(RunFolder.open(a_run("mcga")), "lmms", place() / "lmms"):
        kind = next((kind for kind in ("samples_mcga.jsonl", "results.json") if kind[:7] in path.name), None)
        if kind and path.is_file():
            found[f"20260101_000000_{kind}"] = path.read_bytes()
    return found


@target("log lmms", lambda: list(_lmms_files().values()))
def _(data: bytes) -> None:
    from triptych.interchange.foreign import write_run
    from triptych.interchange.harness_logs import read_harness, read_harness_folder

    for name in _lmms_files():
        paths = [written(f"lmms/{own}", data if own == name else right) for own, right in _lmms_files().items()]
        samples = next(path for path in paths if path.suffix == ".jsonl")
        for read, path in ((read_harness, samples), (read_harness_folder, samples.parent)):
            shutil.rmtree(place() / "imported", ignore_errors=True)
            with attempt(f"{read.__name__} {name}"):
                write_run(read(path), place() / "imported")


_OTHERS = {
    "evalscope": lambda folder: make.evalscope(folder, n=3, right=2),
    "vlmevalkit.xlsx": lambda folder: make.vlmevalkit(folder / "m_Toy.xlsx", n=3, right=2).parent,
    "vlmevalkit.tsv": lambda folder: make.vlmevalkit(folder / "m_Toy.tsv", n=3, right=2).parent,
    "helm": lambda folder: make.helm(folder, n=3, right=2),
    "opencompass": lambda folder: make.opencompass(folder, n=3, right=2),
}


@cache
def _other_files() -> Sequence[tuple[str, str, bytes]]:
    """(kind of log, file, content) of each file of the logs of other harnesses."""
    found = []
    for kind, maker in _OTHERS.items():
        folder = maker(place() / "others" / kind)
        found += [(kind, str(p.relative_to(folder)), p.read_bytes()) for p in folder.rglob("*") if p.is_file()]
    return found


@target("log others", lambda: [content for _, _, content in _other_files()])
def _(data: bytes) -> None:
    from triptych.interchange.foreign import write_run
    from triptych.interchange.logs import find_logs, read_log

    for kind, name, _ in _other_files():
        for other, near, content in _other_files():
            if other == kind:
                written(f"others/{kind}/{near}", data if near == name else content)
        shutil.rmtree(place() / "imported", ignore_errors=True)
        with attempt(f"{kind} {name}"):
            for log in find_logs(place() / "others" / kind):
                write_run(read_log(log), place() / "imported")


# --- media -----------------------------------------------------------------------------------------------------------


def _sounds() -> Sequence[bytes]:
    import soundfile

    wave = (0.1 * np.sin(np.arange(3200) / 5)).astype(np.float32)
    found = []
    for form, subtype in (("WAV", "PCM_16"), ("FLAC", "PCM_16"), ("OGG", "OPUS"), ("MP3", None), ("AIFF", None)):
        buffer = io.BytesIO()
        soundfile.write(buffer, wave, 16_000, format=form, subtype=subtype)
        found.append(buffer.getvalue())
    return found


@target("media sound", _sounds, [b"ffconcat version 1.0\nfile secret.wav\n"])
def _(data: bytes) -> None:
    from triptych.media.lengths import cut_sound, media_seconds, seconds_of
    from triptych.media.sound.coding import decode_sound, sound_track
    from triptych.web.waveform import waveform

    path = written("a.ogg", data)
    for number, read in enumerate(
        (
            lambda: decode_sound(data, max_samples=2_000_000),
            lambda: sound_track(data),
            lambda: cut_sound(data, 0.1, "a"),
            lambda: seconds_of(path),
            lambda: _known(media_seconds(path)),
            lambda: waveform(path),
        )
    ):
        with attempt(number):
            read()


def _known(seconds: float | None) -> None:
    if seconds is None:
        raise TriptychError("a length that is unknown")


def _pictures() -> Sequence[bytes]:
    from PIL import Image

    picture = Image.linear_gradient("L").convert("RGB").resize((24, 16))
    found = []
    for form in ("PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF", "AVIF", "PPM"):
        buffer = io.BytesIO()
        with suppress(KeyError):  # Pillow without AVIF
            picture.save(buffer, form)
            found.append(buffer.getvalue())
    return found


@target("media picture", _pictures)
def _(data: bytes) -> None:
    from triptych.media.pictures.changes import decode_picture, thumbnail
    from triptych.media.sniff import sniff

    sniff(data)
    decode_picture(data)
    thumbnail(data, 16, 70)


def _films() -> Sequence[bytes]:
    import av

    found = []
    for container, codec in (("mp4", "libx264"), ("matroska", "mpeg4"), ("avi", "mjpeg"), ("webm", "libvpx")):
        buffer = io.BytesIO()
        with suppress(ValueError), av.open(buffer, "w", format=container) as film:
            stream = film.add_stream(codec, rate=8)
            stream.width, stream.height = 32, 32
            stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
            for number in range(3):
                frame = av.VideoFrame.from_ndarray(np.full((32, 32, 3), 60 * number, np.uint8), format="rgb24")
                film.mux(stream.encode(frame))
            film.mux(stream.encode(None))
        found.append(buffer.getvalue())
    return [data for data in found if data]


@target("media video", _films)
def _(data: bytes) -> None:
    from triptych.media.films.changes import glimpse, mute
    from triptych.media.films.stills import stills

    for number, read in enumerate((lambda: stills(data), lambda: glimpse(data), lambda: mute(data))):
        with attempt(number):
            read()


STEPS = [b"grey|jpeg:quality=20", b"noise:seed=0|mp3:kbps=16", b"snr:db=3,seed=1", b"cut:seconds=0.1", b"opus:kbps=6"]


@target("media transforms", lambda: STEPS)
def _(data: bytes) -> None:
    from triptych.media.transform import transform

    steps = data.decode("utf-8", "replace")[:200]
    for kind, own in (("audio", _sounds()[0]), ("image", _pictures()[0])):
        with attempt(kind):
            transform(Part(kind, path="a", transform=steps), own, "0")  # type: ignore[arg-type]


PATHS = [b"../x.wav", b"/etc/passwd", b"https://example.org/a.wav", b"C:\\x", b"~/x"]


@target("media paths", lambda: [b"a/b.wav"], PATHS)
def _(data: bytes) -> None:
    from triptych.media.payload import MediaReader

    root = place() / "media"
    (root / "a").mkdir(parents=True, exist_ok=True)
    (root / "a/b.wav").write_bytes(b"RIFF")
    found = MediaReader(root).resolve(media("audio", data.decode("utf-8", "surrogateescape")))
    assert found.is_relative_to(root)


# --- texts that people write or that come with a benchmark -----------------------------------------------------------


def _shipped(pattern: str, most: int = 5) -> Callable[[], Sequence[bytes]]:
    root = Path(triptych.__file__).parent
    return lambda: [path.read_bytes() for path in sorted(root.glob(pattern))[:most]]


@target("toml spec", _shipped("benchmarks/*/spec.toml"))
def _(data: bytes) -> None:
    from triptych.benchmarks.spec_file import load_spec

    load_spec(written("spec.toml", data))


PROMPTS = b'[p]\ncontent = ["{question}", "{options}"]\nsystem = "x"\n'


@target("toml prompts", lambda: [PROMPTS], _shipped("benchmarks/mcif/prompts.toml")())
def _(data: bytes) -> None:
    from triptych.prompts.build import load_prompts

    load_prompts(written("prompts.toml", data))


@target("toml rubric", _shipped("judges/rubrics/*.toml"))
def _(data: bytes) -> None:
    from triptych.judges.rubric import load_rubric

    load_rubric.cache_clear()
    load_rubric(str(written("rubric.toml", data)))


@target("toml audit rules", _shipped("benchmarks/*/audit.toml"))
def _(data: bytes) -> None:
    from triptych.audit.tables.rules import load_claims, load_rules

    folder = written("rules/audit.toml", data).parent
    for load in (load_rules, load_claims):
        with attempt(load.__name__):
            load(folder)


@target("toml prices", _shipped("**/prices*.toml"))
def _(data: bytes) -> None:
    from triptych.running.prices import load_prices

    load_prices(written("prices.toml", data))


CONFIGURATION = b'[run]\nmodel = "baseline/random"\nlimit = 3\n[run.M]\na = 1\n[audit.data]\ndata = "x"\n'


@target("toml configuration", lambda: [CONFIGURATION])
def _(data: bytes) -> None:
    from triptych.cli.main import main

    with suppress(SystemExit):
        main(["list", "benchmarks", "--json", "--config", str(written("config.toml", data))])


@target(
    "ratings",
    lambda: [
        b"item,rater,value\na,b,3\nc,d,1.5\n",
        b'{"item":"a","rater":"b","value":2}\n',
        b"item,repeat,kind,by\na,0,perception,x\n",
        b'{"id":"a","source":"s","question":"q","reference":"r","reply":"a","human":3}\n',
        b"id,source,question,reference,reply,human\na,s,q,r,a,3\n",
    ],
)
def _(data: bytes) -> None:
    from triptych.analysis.errors.judging import read_corrections
    from triptych.analysis.raters.ratings import read_ratings
    from triptych.experiment.rated_replies import load_ratings
    from triptych.judges.rubric import known_rubrics, load_rubric

    rubric = load_rubric(next(iter(known_rubrics())))
    for name in ("ratings.csv", "ratings.jsonl"):
        path = written(name, data)
        for number, read in enumerate((read_ratings, read_corrections, lambda p: load_ratings(p, rubric))):
            with attempt(f"{name} {number}"):
                read(path)


@target("tables of texts", lambda: [b'{"a.png": "words", "b": "c"}'])
def _(data: bytes) -> None:
    from triptych.conditions.condition import find_condition
    from triptych.judges.panel import load_descriptions

    path = written("table.json", data)
    with attempt("condition"):
        find_condition(f"transcript:table={path}")
    load_descriptions(path)


CONDITIONS = [b"snr:db=3,seed=1", b"blind", b"mp3:16", b"shuffle:seed=2", b"transcript:from=data", b"circular"]


@target("conditions", lambda: CONDITIONS)
def _(data: bytes) -> None:
    from triptych.conditions.applying import apply_all
    from triptych.conditions.condition import find_condition

    wanted = data.decode("utf-8", "replace")[:200]
    if "=" not in wanted or not any(word in wanted for word in ("table", "run=", "noise=")):  # those open files
        condition = find_condition(wanted)
        for item in _units_of("xmodbench"):
            with attempt(item.task):
                apply_all(item, [condition])


# --- building benchmarks: configurations, raw material, what people return, build folders ----------------------------


MODELS = b'[models.maker]\nmodel = "openai/m"\nbase_url = "http://localhost:1/v1"\n[models.maker.decoding]\nseed = 1\n'
RECIPES = {
    "mcga": b'works = "works.csv"\nyear = 2026\n[stages.clip-text]\nmost_seconds = 25.0\n' + MODELS,
    "cmdar": b'recordings = "recordings.csv"\nseed = 3\n' + MODELS,
    "mcif": b'talks = "talks.csv"\nquestions = ["questions.csv"]\n' + MODELS.replace(b"maker", b"translator"),
    "mcs_bench": b'pictures = "pictures.jsonl"\nreview = false\n[tasks.T2]\nhow = "model"\nexamples = ["a"]\n' + MODELS,
}
MATERIAL = {
    "mcga": ("works.csv", "id,title,author,genre,dynasty,text,licence\n1,静夜思,李白,诗,唐,床前明月光,cc0-1.0\n"),
    "cmdar": ("recordings.csv", "id,path,title,genre,licence\nt1,talk.wav,a talk,drama,cc0-1.0\n"),
    "mcif": ("talks.csv", "id,path,speaker,abstract,licence\nt1,talk.wav,A B,an abstract,cc0-1.0\n"),
    "mcs_bench": (
        "pictures.jsonl",
        '{"id":"a","image":"a.png","task":"T1","answer":"x","licence":"cc0-1.0"}\n',
    ),
}

ASKED = b"talk,type,origin,question_en,answer_en\nt1,AV,general,Who?,A B\n"


@target("build configurations", lambda: [*RECIPES.values(), b'[ask]\ncontent = "Ask about {text}."\n'])
def _(data: bytes) -> None:
    from triptych.construction.asking.prompt import load_prompts
    from triptych.construction.build import read_config
    from triptych.construction.recipe import load_recipe

    path = written("recipe.toml", data)
    with attempt("prompts"):
        load_prompts(path)
    for name in RECIPES:
        with attempt(name):
            recipe = load_recipe(name)
            recipe.stages(read_config(recipe, path)[0].recipe)


@target("build raw material", lambda: [text.encode() for _, text in MATERIAL.values()])
def _(data: bytes) -> None:
    from triptych.construction.build import read_config
    from triptych.construction.engine.context import Context
    from triptych.construction.engine.hashes import FileHashes
    from triptych.construction.engine.media import MediaStore
    from triptych.construction.recipe import load_recipe

    to = place() / "build-of-material"
    to.mkdir(exist_ok=True)
    for name, (file, _) in MATERIAL.items():
        base = written(f"material-{name}/{file}", data).parent
        for medium, content in (("talk.wav", _sounds()[0]), ("a.png", _pictures()[0]), ("questions.csv", ASKED)):
            written(f"material-{name}/{medium}", content)
        with attempt(name):
            recipe = load_recipe(name)
            configuration, _ = read_config(recipe, written(f"material-{name}/recipe.toml", RECIPES[name]))
            list(recipe.start(configuration.recipe, base, Context({}, MediaStore(to), 0, base, FileHashes(to))))


TABLES = [b'id,path,text\na,b.wav,"one, two"\n', b"id\tpath\na\tb\n", b'{"id":"a","path":"b","n":[1]}\n']


@target("build tables", lambda: TABLES)
def _(data: bytes) -> None:
    from triptych.construction.tables import read_table

    for name in ("table.csv", "table.tsv", "table.jsonl"):
        with attempt(name):
            read_table(written(name, data), ["id", "path"])


def _sofa() -> Sequence[bytes]:
    from tests.media.spatial.sofa_files import write_sofa

    return [write_sofa(place() / "seed.sofa").read_bytes()]


@target("SOFA files", _sofa)
def _(data: bytes) -> None:
    # `read_sofa` does this in a process of its own: the HDF5 library hangs over a few damaged files.
    from triptych.media.spatial.sofa_fields import fields_of

    fields_of(written("head.sofa", data))


LISTS = {
    "vggsound": ("vggsound.csv", b'a,1,"people, marching",test\n'),
    "starss23": ("metadata_dev/dev-x/a.csv", b"0,1,0,10,-5,200\n1,1,0,12,-5,210\n"),
    "countix_av": ("CountixAV_val.csv", b"h,h,h,h,h,h\na,17,27,18.5,20.2,4.0\n"),
    "solos": ("solos_timestamps.json", b'{"Tuba": {"a": [[0, 25], [30, 50]]}}'),
}


@target("lists of data sets", lambda: [data for _, data in LISTS.values()])
def _(data: bytes) -> None:
    from triptych.construction.datasets import records

    for name, (file, _) in LISTS.items():
        path = written(f"sets/{name}/{file}", data)
        with attempt(name):
            list(records(name, path.parents[file.count("/")]))


FORM = {
    "verdict": ["accept", "reject"],
    "note": "text",
    "mark": "number",
    "labels": "list",
    "all": {"type": "object"},
}
RESULT = (
    b'{"id":"a","shown":"d","person":"P1","values":{"verdict":"accept","note":"n","mark":3.5,"labels":["x"],'
    b'"all":{}},"at":"2026-01-01","sources":["s"]}\n'
)


@target("build results of people", lambda: [RESULT, RESULT * 2])
def _(data: bytes) -> None:
    from triptych.construction.people.stage import check_result, results_of

    for results in results_of(written("results.jsonl", data)).values():
        for result in results:
            with attempt("form"):
                check_result(result, FORM)


@cache
def _a_build() -> Path:
    """A finished build of the tests' small recipe."""
    from tests.construction import toy
    from triptych.construction.build import build

    folder = place() / "build"
    build(
        toy.RECIPE, {"texts": {"a": "One thing. Another thing.", "b": "A third."}}, folder, only=["doubles"], ask=False
    )
    return folder


BUILD_FILES = ("build.json", "funnel.json", "hashes.jsonl", "withdrawn.json", "records")


def _build_files() -> Sequence[bytes]:
    folder = _a_build()
    files = [folder / "build.json", folder / "funnel.json", *sorted(folder.glob("stages/*/records.jsonl"))]
    return [path.read_bytes() for path in files if path.is_file()] + [b'["text:a"]']


@target("build folder", _build_files)
def _(data: bytes) -> None:
    for name in BUILD_FILES:
        folder = place() / "their-build"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(_a_build(), folder)
        places = sorted(folder.glob("stages/*/records.jsonl")) if name == "records" else [folder / name]
        for path in places:
            path.write_bytes(data)
        _use_build(folder)


def _use_build(path: Path) -> None:
    """What `build status` and `build why` do with a build."""
    from triptych.construction.engine.folder import BuildFolder
    from triptych.construction.release.provenance import life_of
    from triptych.construction.release.withdrawal import withdrawn

    folder = BuildFolder.open(path)
    for number, read in enumerate(
        (
            folder.manifest,
            folder.funnel,
            lambda: withdrawn(path),
            lambda: life_of(folder, "a/0"),
            lambda: [list(folder.lines(stage)) for stage in folder.stages()],
        )
    ):
        with attempt(number):
            read()


# --- the viewer, servers ---------------------------------------------------------------------------------------------


QUERIES = [
    b"protocol=official&metric=accuracy&task=x&status=answered&outcome=right&q=a+b&sort=score",
    b"f.family=x&annotated=yes&page=2",
    b"a=run&b=run",
]


@target("viewer queries", lambda: QUERIES)
def _(data: bytes) -> None:
    from triptych.viewer.index.files import open_index
    from triptych.viewer.index.query import Questions, read_filter

    index = _index()
    given = dict(parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=50))
    wanted = read_filter(given, index)
    questions = Questions(index)
    questions.page(wanted, 1)
    questions.counts(wanted)
    assert open_index is not None and wanted.query()


@cache
def _index() -> object:
    from triptych.viewer.index.files import open_index

    return open_index(RunFolder.open(a_run("xmodbench")), place() / "cache")


CHAT = (
    b'{"choices":[{"index":0,"message":{"content":"A","reasoning_content":"hm"},"finish_reason":"stop","logprobs":'
    b'{"content":[{"token":"A","logprob":-0.1}]}}],"usage":{"prompt_tokens":3,"completion_tokens":1,'
    b'"prompt_tokens_details":{"audio_tokens":1}},"model":"m"}'
)
STREAM = (
    b': hm\n\ndata: {"choices":[{"index":0,"delta":{"content":"A"}}],"model":"m"}\n\ndata: {"choices":'
    b'[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n'
    b"data: [DONE]\n\n"
)


class Pieces:
    """A body that comes in pieces."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    async def iter_any(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self.data), 61):
            yield self.data[start : start + 61]


@target("replies of servers", lambda: [CHAT, STREAM, b'{"error":{"message":"m","code":"c","type":"t"}}'])
def _(data: bytes) -> None:
    from triptych.models.openai.reply import read_error, read_reply
    from triptych.models.openai.stream import read_stream

    with attempt("reply"):
        read_reply(data)
    with attempt("stream"):
        asyncio.run(read_stream(Pieces(data)))
    with attempt("error"):
        read_error(400 + len(data) % 200, data, data[:20].decode("latin-1"))


def names(wanted: Iterable[str] = ()) -> Iterator[str]:
    """The targets asked for, or all."""
    wanted = set(wanted)
    yield from (name for name in TARGETS if not wanted or name in wanted)


def _xmod_log() -> Sequence[bytes]:
    score = {"family": "linguistic", "subtask": "translation", "config": "a2t", "correct": 1}
    rows = [
        {"doc_id": n, "target": "A", "filtered_resps": "A", "input": "Q", "xmod_bench_score": score} for n in (0, 1)
    ]
    return [b"\n".join(map(msgspec.json.encode, rows))]


@target("log of xmodbench in lmms-eval", _xmod_log)
def _(data: bytes) -> None:
    from triptych.interchange.exports import import_log
    from triptych.scoring.runs import score_run

    score_run(import_log(written("9_samples_xmod_bench_lite_a2t.jsonl", data), place() / "imported_xmod"))


def _workbook() -> bytes:
    return (Path(__file__).parents[1] / "fixtures/questions/openpyxl.xlsx").read_bytes()


def _embedded() -> bytes:
    import polars as pl

    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(bytes(160))
    row = {"question": "Who?", "choices": ["x", "y"], "answer": "A", "audio": {"bytes": sound.getvalue()}}
    out = io.BytesIO()
    pl.DataFrame([row, row]).write_parquet(out)
    return out.getvalue()


OWN = b'{"id":1,"question":"Who?","options":["x","y"],"answer":"B"}\n{"id":2,"question":"How many?","answer":3}\n'


@target("own questions", lambda: [OWN, b"question,A,B,answer\nWho?,x,y,A\n", b'[{"question":"When?","answer":[1,2]}]'])
def _(data: bytes) -> None:
    from triptych.benchmarks import own_questions

    for ending in ("jsonl", "csv", "json"):
        with attempt(ending):
            bench = own_questions(str(written(f"own/q.{ending}", data)))
            assert bench is not None
            list(bench.items(place() / "files/own"))


@target("own workbook", lambda: [_workbook()])
def _(data: bytes) -> None:
    from triptych.benchmarks import own_questions

    bench = own_questions(str(written("own/q.xlsx", data)))
    assert bench is not None
    list(bench.items(place() / "files/own"))


@target("own table with embedded files", lambda: [_embedded()])
def _(data: bytes) -> None:
    from triptych.benchmarks import own_questions

    bench = own_questions(str(written("own/q.parquet", data)))
    assert bench is not None
    list(bench.items(place() / "files/own"))
