"""XModBench's subtasks from folders with the layouts, file names and lengths of the released data sets.

The layouts are those of the data sets' own pages: VGG-Sound (ID_SSSSSS.mp4 of 10 s, vggsound.csv), VGG-SS (vggss.json),
Countix-AV (clips of Kinetics of 10 s, a CSV of six columns), Solos (whole videos, spans in frames of 25 a second), URMP
(63 s; AuMix, AuSep, Vid), GTZAN (30.013 s at 22,050 Hz; covers by genre, as the authors of XModBench add them),
Landscapes (10 s); for the others see `released_layouts.py`. Sounds and pictures are computed.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.construction import released_layouts as layouts
from tests.construction.released_layouts import film, picture, wav
from triptych.api.build_verdict import verdict_on
from triptych.construction.build import Built, build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes._xmodbench_entries import clusters, formulas
from triptych.media.lengths import film_seconds, media_seconds
from triptych.media.sound.coding import decode_sound, encode_wav
from triptych.models import registry, speech
from triptych.models.adapter import Reply, SimpleAdapter
from triptych.records import Request

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("pyloudnorm", reason="pyloudnorm comes with the extra [build]")


CLASSES = [
    "dog barking",
    "cat purring",
    "owl hooting",
    "bull bellowing",
    "goat bleating",
    "fox barking",
    "cow lowing",
    "snake hissing",
    "lions roaring",
    "crow cawing",
    "pig oinking",
    "sheep bleating",
]


def vggsound(folder: Path) -> None:
    rows, boxes = [], []
    animals = [name for name in CLASSES if clusters().get(name) == "Animal sounds"]
    for n, label in enumerate(animals):
        video = f"{chr(97 + n)}bcDEF-_12{n % 10}"
        rows.append(f'{video},{30 + n},"{label}",test\n')
        boxes.append({"file": f"{video}_{30 + n:06}", "class": label, "bbox": [[0.1, 0.1, 0.9, 0.9]]})
        film(folder / f"{video}_{30 + n:06}.mp4", n, 10)
    (folder / "vggsound.csv").write_text("".join(rows), encoding="utf-8")
    (folder / "vggss.json").write_text(json.dumps(boxes), encoding="utf-8")


def countix(folder: Path) -> None:
    rows = ["video_id,kinetics_start,kinetics_end,repetition_start,repetition_end,count\n"]
    for n in range(24):
        video, start = f"vid{n:08}", 10 * n
        first, count = start + 1 + 0.1 * n, n % 12 + 2
        rows.append(f"{video},{start},{start + 10},{first},{first + 4 + 0.05 * count:.2f},{count}\n")
        film(folder / f"{video}_{start:06}_{start + 10:06}.mp4", 100 + n, 10)
    (folder / "CountixAV_val.csv").write_text("".join(rows), encoding="utf-8")


def solos(folder: Path) -> None:
    names = [
        "Violin",
        "Viola",
        "Cello",
        "DoubleBass",
        "Flute",
        "Oboe",
        "Clarinet",
        "Bassoon",
        "Saxophone",
        "Trumpet",
        "Horn",
        "Trombone",
        "Tuba",
    ]
    spans: dict[str, Any] = {}
    for n, name in enumerate(names):
        spans[name] = {f"solo{n:07}": [[25 * 5, 25 * 35]]}
        film(folder / name / f"solo{n:07}.mp4", 200 + n, 40)
    (folder / "solos_timestamps.json").write_text(json.dumps(spans), encoding="utf-8")


PIECES = (
    "01_Jupiter_vn_vc",
    "02_Sonata_vn_vn",
    "03_Dance_fl_cl",
    "08_Spring_fl_vn",
    "12_Spring_vn_vn_vc",
    "13_Hark_vn_vn_va",
    "14_Waltz_fl_fl_cl",
    "17_Nocturne_vn_fl_cl",
    "18_Nocturne_vn_fl_tpt",
    "20_Pavane_tpt_vn_vc",
    "24_Pirates_vn_vn_va_vc",
    "26_King_vn_vn_va_sax",
    "28_Fugue_fl_ob_cl_bn",
    "31_Slavonic_tpt_tpt_hn_tbn",
    "15_Surprise_tpt_hn_tbn",
    "21_Rejouissance_cl_tbn_tba",
    "22_Rejouissance_sax_tbn_tba",
    "23_Rejouissance_cl_tbn_hn",
    "16_Surprise_tpt_sax_tbn",
)


def urmp(folder: Path) -> None:
    """Four pieces of 63 s, as one that was released; the others are cut, which saves most of the time."""
    for n, piece in enumerate(PIECES):
        number, title, *players = piece.split("_")
        place, seconds = folder / "Dataset" / piece, 63 if n < 4 else 16
        film(place / f"Vid_{piece}.mp4", 300 + n, seconds, per_second=2)
        wav(place / f"AuMix_{piece}.wav", 300 + n, seconds, 16_000)
        for part, player in enumerate(players, 1):
            wav(place / f"AuSep_{part}_{player}_{number}_{title}.wav", 320 + 10 * n + part, seconds, 16_000)


GENRES = ("blues", "classical", "country", "disco", "hiphop", "jazz", "metal", "pop", "reggae", "rock")


def gtzan(folder: Path) -> None:
    for n in range(20):
        genre = GENRES[n % 10]
        wav(folder / f"genres_original/{genre}/{genre}.{n // 10:05}.wav", 400 + n, 30.013, 22_050)
        cover = folder / f"covers/{genre}/{n // 10 + 1:02}_Band-Album_199{n % 10}.jpg"
        cover.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture(400 + n)).save(cover, quality=95)


def landscapes(folder: Path) -> None:
    kinds = [
        "explosion",
        "fire_crackling",
        "raining",
        "splashing_water",
        "squishing_water",
        "thunder",
        "underwater_bubbling",
        "waterfall_burbling",
        "wind_noise",
    ]
    for n in range(18):
        film(folder / f"train/{kinds[n % 9]}_{100 + n}_1_1.mp4", 500 + n, 10)


LAYOUTS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "general": ("vggsound", vggsound, "LicenseRef-YouTube"),
    "finegrained": ("vggsound", vggsound, "LicenseRef-YouTube"),
    "natures": ("landscapes", landscapes, "LicenseRef-Landscapes"),
    "instruments": ("solos", solos, "LicenseRef-YouTube"),
    "instruments_comp": ("urmp", urmp, "LicenseRef-URMP"),
    "arrangements": ("urmp", urmp, "LicenseRef-URMP"),
    "count": ("countix_av", countix, "LicenseRef-YouTube"),
    "calculation": ("countix_av", countix, "LicenseRef-YouTube"),
    "music_genre_classification": ("gtzan", gtzan, "LicenseRef-GTZAN"),
    "order": ("vggsound", vggsound, "LicenseRef-YouTube"),
    "3D_movements": ("urbansas", layouts.urbansas, "LicenseRef-Urbansas"),
    "panaroma": ("starss23", layouts.starss23, "MIT"),
    "recognition": ("rendered_text", layouts.rendered_text, "LicenseRef-RenderedText"),
    "translation": ("rendered_text", layouts.rendered_text, "LicenseRef-RenderedText"),
    "emotion_classification": ("meld", layouts.meld, "LicenseRef-MELD"),
    "movie_matching": ("movie_trailers", layouts.movie_trailers, "LicenseRef-TMDB"),
    "singer_identification": ("pop_singers", layouts.pop_singers, "LicenseRef-YouTube"),
}
# Films are small here: their size isn't looked at, and writing them takes most of the time.
SMALL = {"width": 160, "height": 90, "per_second": 5}
STAGES: dict[str, dict[str, Any]] = {
    "order": {"compose": SMALL},
    "arrangements": {"compose": SMALL},
    "panaroma": {"turn-scene": SMALL},
    "3D_movements": {"track-box": SMALL},
}
MODELS = {role: {"model": f"scribe/{role}"} for role in ("maker", "translator")}
MORE: dict[str, dict[str, Any]] = {
    "recognition": {"vary": True, "models": MODELS, "allow_same_family": True},
    "translation": {"vary": True, "translate": True, "models": MODELS, "allow_same_family": True},
}
# Entries that the scripts leave out as well, by reason
LEFT_OUT = {
    "3D_movements": {},
    "recognition": {"dropped: too-few-words": 1},
    "translation": {"dropped: too-few-words": 1},
    "movie_matching": {"dropped: title-in-text": 1},
    "emotion_classification": {"dropped: unreadable-media": 6},
}


class Scribe(SimpleAdapter):
    """A stand-in for the models that translate and write wrong texts."""

    def __init__(self, name: str) -> None:
        super().__init__({})
        self.name, self.role = f"scribe/{name}", name

    async def respond(self, request: Request, prepared: Any) -> Reply:
        words = request.messages[-1].parts[-1].text or ""
        text = words.partition("Text: ")[2].partition("\n")[0]
        if self.role == "translator":
            return Reply(json.dumps({"translation": translated(text)}, ensure_ascii=False))
        chinese = "，" in text
        swaps = [("红", "蓝"), ("两", "三"), ("长", "短"), ("冷", "热"), ("静", "吵"), ("三", "四"), ("周一", "周五")]
        if not chinese:
            swaps = [
                ("two", "six"),
                ("red", "blue"),
                ("long", "short"),
                ("cold", "hot"),
                ("quiet", "noisy"),
                ("very", "rather"),
            ]
            swaps += [("Monday", "Friday"), ("house", "barn")]
        made = [text.replace(a, b) for a, b in swaps if a in text]
        return Reply(json.dumps({"texts": made[:3]}, ensure_ascii=False))


CHINESE = {
    "The painter": "那位画家",
    "Her brother": "她的哥哥",
    "My teacher": "我的老师",
    "An old sailor": "一位老水手",
    "The young doctor": "年轻的医生",
    "Our neighbour": "我们的邻居",
    "sold two red bicycles": "卖了两辆红色的自行车",
    "wrote a very long letter": "写了一封很长的信，共三页",
    "on a cold Monday morning in March": "在三月一个寒冷的周一早上",
    "near the quiet river behind the house": "在屋后安静的长河边",
}


def translated(text: str) -> str:
    who, did, when = (
        next(c for e, c in CHINESE.items() if e in text and e in group) for group in layouts.WORDS.values()
    )
    return f"{who}{when}，{did}。"


def make_scribe(name: str, settings: Any) -> Scribe:
    return Scribe(name)


make = make_scribe  # what the registry of adapters calls


def spoken(speaker: Any, text: str, voice: str) -> bytes:
    """A tone for each word (in Chinese: for each character), as WAV."""
    parts = text.split() if " " in text else list(text)
    tones = [layouts.sound(sum(map(ord, part + voice)), 0.18, 16_000) for part in parts]
    return encode_wav(np.concatenate(tones), 16_000)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a data set, which is made once."""
    root = tmp_path_factory.mktemp("sources")

    def folder(name: str) -> Path:
        place = root / name
        if not place.is_dir():
            place.mkdir()
            next(make for own, make, _ in LAYOUTS.values() if own == name)(place)
        return place

    return folder


@pytest.fixture(autouse=True)
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.ADAPTERS, "scribe", ("tests.construction.recipes.test_xmodbench_sources", ""))
    monkeypatch.setattr(speech.Speaker, "speak", spoken)


# Each of the others takes several seconds
FAST = ("finegrained",)


@pytest.mark.parametrize(
    "subtask", [name if name in FAST else pytest.param(name, marks=pytest.mark.slow) for name in LAYOUTS]
)
def test_a_released_layout_gives_a_sound_benchmark(
    subtask: str, made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = benchmark_of(subtask, made, tmp_path, monkeypatch)
    left_out = Counter[str]()
    for count in built.counts:
        left_out += Counter({name: n for name, n in count.reasons.items() if name.startswith("dropped")})
    assert built.complete and built.written >= 60, left_out
    verdict = verdict_on("xmodbench", built.folder / "out")
    assert verdict is not None and verdict.sound, verdict
    tasks = {
        record["item"].rpartition("/")[0]
        for record in map(json.loads, (built.folder / "out/samples.jsonl").read_text(encoding="utf-8").splitlines())
    }
    assert {f"{a}_{b}" for a in ("audio", "text", "vision") for b in ("audio", "text", "vision") if a != b} <= {
        task.rpartition("/")[2] for task in tasks
    }
    _is_as_the_authors_take_it(subtask, built.folder)
    if subtask in ("3D_movements", "count", "calculation"):
        _nearest_length_answers_no_more_than_chance(subtask, made, built)
    assert LEFT_OUT.get(subtask, {}).items() <= left_out.items(), left_out


def benchmark_of(subtask: str, made: Callable[[str], Path], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Built:
    """Build one subtask from the folder of its data set."""
    name, _, licence = LAYOUTS[subtask]
    monkeypatch.chdir(made(name).parent)
    allowed = {"licences": [licence.lower()]}
    config = {
        "datasets": [{"name": name, "folder": name, "subtask": subtask}],
        "name": "Sources",
        "stages": {
            "person-rights" if subtask == "singer_identification" else "rights": allowed,
            **STAGES.get(subtask, {}),
        },
        **MORE.get(subtask, {}),
    }
    return build("xmodbench", config, folder / "b")


def options_of(out: Path, direction: str) -> list[dict[str, Any]]:
    file = next(out.rglob(f"*_questions_{direction}.json"))
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def nearest_length(out: Path, direction: str) -> float:
    """The share of questions that the option of the nearest length answers; of equally near ones one is drawn."""
    right = 0.0
    rows = options_of(out, direction)
    for row in rows:
        own = media_seconds(out / row["conditions"]["input"]) or 0.0
        apart = {
            letter: round(abs((media_seconds(out / option["input"]) or 0.0) - own), 2)
            for letter, option in row["options"].items()
        }
        nearest = [letter for letter, value in apart.items() if value == min(apart.values())]
        right += (row["correct_answer"] in nearest) / len(nearest)
    return right / len(rows)


def lengths_of_spans(subtask: str, folder: Path, built: Path) -> float:
    """The share that the nearest length would answer if the released spans were taken as they are."""
    spans: dict[str, float] = {}
    if subtask in ("count", "calculation"):
        lines = (folder / "CountixAV_val.csv").read_text(encoding="utf-8").splitlines()[1:]
        for number, line in enumerate(lines):
            cells = line.split(",")
            spans[f"countix_av-val-{number:05}-{cells[0]}"] = float(cells[4]) - float(cells[3])
    else:
        lines = (folder / "annotations/audio_annotations.csv").read_text(encoding="utf-8").splitlines()[1:]
        for cells in (line.split(",") for line in lines):
            name = f"urbansas-{cells[1]}" + ("-0" if float(cells[5]) >= 0 else "")
            spans[name] = float(cells[6]) - float(cells[5]) if float(cells[5]) >= 0 else 4.0
    right, lines = 0.0, BuildFolder(built).lines("candidates")
    kept = [line for line in lines if line.outcome.decision == "kept"]
    for line in kept:
        own = spans[line.id]
        apart = [0.0, *(abs(spans[other] - own) for other in line.outcome.fields["distractors"])]
        right += (apart.index(min(apart)) == 0) / apart.count(min(apart))
    return right / len(kept)


def _nearest_length_answers_no_more_than_chance(subtask: str, made: Callable[[str], Path], built: Built) -> None:
    if subtask != "calculation":  # which asks for a clip of another length
        assert lengths_of_spans(subtask, made(LAYOUTS[subtask][0]), built.folder) > 0.8
    for direction in ("audio_vision", "vision_audio"):
        assert nearest_length(built.folder / "out", direction) == pytest.approx(0.25)
    for row in json.loads((built.folder / "out/guessing.json").read_bytes()):
        assert row["right"] <= row["most_by_chance"], row


def _is_as_the_authors_take_it(subtask: str, folder: Path) -> None:
    """The lengths: 2 s of perception, 30 s of music, the span of the repetitions to the next half second."""
    wanted = {"music_genre_classification": 30.0, "movie_matching": 30.0, "singer_identification": 30.0}.get(
        subtask, 2.0
    )
    wanted = {"3D_movements": 4.0, "panaroma": 2.2}.get(subtask, wanted)
    lengths = {"emotion_classification": (5.5, 6.0), "count": (4.5, 5.0), "calculation": (4.5, 5.0)}
    stages = {
        "arrangements": "compose",
        "order": "compose",
        "3D_movements": "movement-forms",
        "panaroma": "scene-forms",
    }
    stage = stages.get(subtask, "bring-forms")
    lines = [line.outcome.fields for line in BuildFolder(folder).lines(stage) if line.outcome.decision == "kept"]
    store = MediaStore(folder)
    for fields in lines:
        if subtask in ("recognition", "translation"):
            continue
        seconds = media_seconds(store.path(fields["audio"])) or 0.0
        if subtask == "order":
            parts = len(fields["text"].split(" → "))
            assert 3 <= parts <= 5 and seconds == pytest.approx(2 * parts + 0.1 * (parts - 1), abs=0.02)
        elif subtask in lengths:
            assert seconds in lengths[subtask]
        else:
            assert seconds == pytest.approx(wanted, abs=0.02)
        if subtask in ("count", "calculation", "3D_movements", "emotion_classification"):
            assert film_seconds(store.path(fields["vision"])) == pytest.approx(seconds, abs=0.25)
    checks = {
        "calculation": _calculated,
        "3D_movements": _moved,
        "order": _in_order,
        "translation": _in_two_languages,
        "emotion_classification": _another_clip,
    }
    if subtask in checks:
        checks[subtask](folder / "out")
    if subtask == "arrangements":
        assert {len(fields["text"].split(", ")) for fields in lines} == {3, 4}


def _calculated(out: Path) -> None:
    for row in options_of(out, "audio_text"):
        count = int(row["conditions"]["description"].split()[0])
        told = row["question"].partition("formula ")[2].partition("?")[0]
        result = int(row["options"][row["correct_answer"]]["input"].split()[0])
        assert (told, result) in formulas(count) and eval(told.replace("repetition count", str(count))) == result  # noqa: S307


def _moved(out: Path) -> None:
    """A vehicle in one direction: the same in the other, and another vehicle in both, are the wrong options."""
    rows = options_of(out, "audio_text")
    texts = [{option["input"] for option in row["options"].values()} for row in rows]
    assert any("No vehicle is in the street." in own for own in texts)
    for row, own in zip(rows, texts, strict=True):
        found = [re.fullmatch(r"A (\w+) (moving from .+)\.", text) for text in own]
        if row["options"][row["correct_answer"]]["input"].startswith("A "):
            assert Counter(each[1] for each in found if each).most_common()[0][1] == 2
            assert Counter(each[2] for each in found if each).most_common()[0][1] == 2


def _in_order(out: Path) -> None:
    for row in options_of(out, "vision_text"):
        events = [sorted(option["input"].split(" → ")) for option in row["options"].values()]
        assert all(own == events[0] for own in events) and len(set(events[0])) == len(events[0])


def _in_two_languages(out: Path) -> None:
    for row in options_of(out, "vision_text"):
        assert all("\u4e00" <= option["input"][0] <= "\u9fff" for option in row["options"].values())
    assert all(row["conditions"]["input"].isascii() for row in options_of(out, "text_audio"))


def _another_clip(out: Path) -> None:
    """The answer is another dialogue of the emotion, and the four emotions differ."""
    heard = {row["conditions"]["input"] for row in options_of(out, "audio_text")}
    for row in options_of(out, "vision_audio"):
        emotions = [option["description"] for option in row["options"].values()]
        assert len(set(emotions)) == 4 and "neutral" not in emotions
    assert len(heard) >= 10


def test_covers_are_never_the_label_drawn(
    made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    music = shutil.copytree(made("gtzan"), tmp_path / "gtzan")
    shutil.rmtree(music / "covers")
    monkeypatch.chdir(tmp_path)
    config = {
        "datasets": [{"name": "gtzan", "folder": "gtzan", "subtask": "music_genre_classification"}],
        "stages": {"rights": {"licences": ["licenseref-gtzan"]}},
    }
    built = build("xmodbench", config, tmp_path / "b", only=["whole-triplets"])
    assert built.counts[-1].reasons == {"dropped: no-vision": 20}


def test_a_row_names_the_span_that_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    film(tmp_path / "song.mp4", 1, 20)
    row = "subtask,id,text,category,video,begin,end\n"
    (tmp_path / "t.csv").write_text(
        row + "general,a,dog,dog,song.mp4,4,9\ngeneral,b,cat,cat,song.mp4,25,30\n", encoding="utf-8"
    )
    config = {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0"}}
    built = build("xmodbench", config, tmp_path / "b", only=["bring-forms"])
    first, late = BuildFolder(tmp_path / "b").lines("bring-forms")
    store = MediaStore(tmp_path / "b")
    assert media_seconds(store.path(first.outcome.fields["audio"])) == pytest.approx(2.0, abs=0.01)
    assert late.outcome.decision == "dropped" and "ends before the span begins" in late.outcome.note
    (tmp_path / "t.csv").write_text(row + "general,a,dog,dog,song.mp4,9,4\n", encoding="utf-8")
    with pytest.raises(Exception, match="a span ends before it begins"):
        build("xmodbench", config, tmp_path / "c", only=["bring-forms"])
    assert built.counts[-1].came == 2


def test_silent_recordings_and_blank_pictures_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "null.wav").write_bytes(encode_wav(np.zeros((16_000, 1), np.float32), 16_000))
    wav(tmp_path / "loud.wav", 1, 1, 16_000)
    Image.new("RGB", (64, 64), (255, 255, 255)).save(tmp_path / "white.png")
    Image.fromarray(picture(1)).save(tmp_path / "seen.png")
    rows = "id,subtask,text,category,audio,image\na,general,dog,dog,null.wav,seen.png\n"
    rows += "b,general,cat,cat,loud.wav,white.png\n"
    loud = decode_sound((tmp_path / "loud.wav").read_bytes()).samples
    (tmp_path / "offset.wav").write_bytes(encode_wav(0.4 * loud + np.float32(0.5), 16_000))
    rows += "c,general,owl,owl,loud.wav,seen.png\nd,general,hen,hen,offset.wav,seen.png\n"
    (tmp_path / "t.csv").write_text(rows, encoding="utf-8")
    build("xmodbench", {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0"}}, tmp_path / "b", only=["bring-forms"])
    told = [(x.outcome.decision, x.outcome.note) for x in BuildFolder(tmp_path / "b").lines("bring-forms")]
    assert [decision for decision, _ in told] == ["dropped", "dropped", "kept", "dropped"]
    assert "the recording is silent" in told[0][1] and "the picture has one even colour" in told[1][1]
    assert "the recording has a constant offset" in told[3][1]
