"""XModBench's subtasks from folders with the layouts, file names and lengths of the released data sets.

The layouts are those of the data sets' own pages: VGG-Sound (ID_SSSSSS.mp4 of 10 s, vggsound.csv), VGG-SS (vggss.json),
Countix-AV (clips of Kinetics of 10 s, a CSV of six columns), Solos (whole videos, spans in frames of 25 a second), URMP
(63 s; AuMix, AuSep, Vid), GTZAN (30.013 s at 22,050 Hz; covers by genre, as the authors of XModBench add them),
Landscapes (10 s). Sounds and pictures are computed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.engine.media import MediaStore
from triptych.construction.recipes._xmodbench_entries import clusters, formulas
from triptych.construction.release.verdict import verdict_on
from triptych.media.lengths import film_seconds, media_seconds
from triptych.media.sound import encode_wav

pytest.importorskip("av", reason="PyAV comes with the extra [local]")
pytest.importorskip("pyloudnorm", reason="pyloudnorm comes with the extra [build]")


def picture(number: int) -> Any:
    """A picture of blocks that no other number has, 160 x 90."""
    blocks = np.random.default_rng(number).integers(0, 255, (9, 16, 3), np.uint8)
    return blocks.repeat(10, axis=0).repeat(10, axis=1)


def sound(number: int, seconds: float, rate: int) -> Any:
    """A chord that no other number has, loudest in the middle."""
    draw, at = np.random.default_rng(number), np.arange(rate) / rate
    second = sum(np.sin(2 * np.pi * f * at + f) for f in draw.integers(150, 2000, 4))  # whole hertz: it can repeat
    tones = np.resize(second, round(seconds * rate))
    return (0.1 * tones * (0.2 + np.sin(np.linspace(0, np.pi, len(tones))))).astype(np.float32).reshape(-1, 1)


def film(path: Path, number: int, seconds: float, per_second: int = 5) -> None:
    """A film of a picture that a bar crosses, with sound at 8,000 Hz: encoding it takes most of the test's time."""
    from triptych.media.scenes.films import Form, write_film

    still, frames = picture(number), []
    for place in range(round(seconds * per_second)):
        shown = still.copy()
        shown[:, (place * 7) % 150 : (place * 7) % 150 + 8] = 255
        frames.append(shown)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_film(path, frames, Form(160, 90, per_second, 8_000, 1), [sound(number, seconds, 8_000)])


def wav(path: Path, number: int, seconds: float, rate: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_wav(sound(number, seconds, rate), rate))


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
        rows.append(f"{video},{start},{start + 10},{first},{first + 6},{count}\n")
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
    for n, piece in enumerate(PIECES):
        number, title, *players = piece.split("_")
        place = folder / "Dataset" / piece
        film(place / f"Vid_{piece}.mp4", 300 + n, 63, per_second=2)
        wav(place / f"AuMix_{piece}.wav", 300 + n, 63, 16_000)
        for part, player in enumerate(players, 1):
            wav(place / f"AuSep_{part}_{player}_{number}_{title}.wav", 320 + 10 * n + part, 63, 16_000)


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
}


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


@pytest.mark.parametrize("subtask", LAYOUTS)
def test_a_released_layout_gives_a_sound_benchmark(
    subtask: str, made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, licence = LAYOUTS[subtask]
    monkeypatch.chdir(made(name).parent)
    config = {
        "datasets": [{"name": name, "folder": name, "subtask": subtask}],
        "name": "Sources",
        "stages": {"rights": {"licences": [licence.lower()]}},
    }
    built = build("xmodbench", config, tmp_path / "b")
    assert built.complete and built.written >= 60, [(c.stage, c.reasons) for c in built.counts if c.reasons]
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


def _is_as_the_authors_take_it(subtask: str, folder: Path) -> None:
    """The lengths: 2 s of perception's recordings, 30 s of music, the six seconds of the repetitions."""
    wanted = {"music_genre_classification": 30.0, "count": 6.0, "calculation": 6.0}.get(subtask, 2.0)
    stage = "compose" if subtask == "arrangements" else "bring-forms"
    lines = [line.outcome.fields for line in BuildFolder(folder).lines(stage) if line.outcome.decision == "kept"]
    store = MediaStore(folder)
    for fields in lines:
        assert media_seconds(store.path(fields["audio"])) == pytest.approx(wanted, abs=0.02)
        if subtask in ("count", "calculation"):
            assert film_seconds(store.path(fields["vision"])) == pytest.approx(wanted, abs=0.25)
    if subtask == "calculation":
        rows = json.loads(next((folder / "out").rglob("*_audio_text.json")).read_text(encoding="utf-8"))
        for row in rows:
            count = int(row["conditions"]["description"].split()[0])
            told = row["question"].partition("formula ")[2].partition("?")[0]
            result = int(row["options"][row["correct_answer"]]["input"].split()[0])
            assert (told, result) in formulas(count) and eval(told.replace("repetition count", str(count))) == result  # noqa: S307
    if subtask == "arrangements":
        assert {len(fields["text"].split(", ")) for fields in lines} == {3, 4}


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
    (tmp_path / "t.csv").write_text(rows + "c,general,owl,owl,loud.wav,seen.png\n", encoding="utf-8")
    build("xmodbench", {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0"}}, tmp_path / "b", only=["bring-forms"])
    told = [(x.outcome.decision, x.outcome.note) for x in BuildFolder(tmp_path / "b").lines("bring-forms")]
    assert [decision for decision, _ in told] == ["dropped", "dropped", "kept"]
    assert "the recording is silent" in told[0][1] and "the picture has one even colour" in told[1][1]


def test_the_clusters_are_the_eight_of_the_benchmark() -> None:
    assert len(clusters()) == 265 and len(set(clusters().values())) == 8
    assert clusters()["dog barking"] == "Animal sounds" and clusters()["ambulance siren"] == "Urban sounds"
    assert clusters()["playing violin, fiddle"] == "Musical instruments" and "rapping" not in clusters()
