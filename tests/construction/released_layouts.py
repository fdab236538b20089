"""Folders in the released layouts of the data sets that XModBench is made of, with their file names, sizes and lengths.

The layouts are those of the data sets' own pages and loaders, and of the scripts in XingruiWang/XModBench. Contents are
computed: each picture and each sound differs from every other one.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from PIL import Image

from triptych.media.sound.coding import encode_wav


def picture(number: int, width: int = 160, height: int = 90) -> Any:
    """A picture of blocks that no other number has."""
    blocks = np.random.default_rng(number).integers(0, 255, (9, 16, 3), np.uint8)
    across, down = -(-width // 16), -(-height // 9)
    return blocks.repeat(down, axis=0).repeat(across, axis=1)[:height, :width].copy()


def sound(number: int, seconds: float, rate: int, channels: int = 1) -> Any:
    """A chord that no other number has, loudest in the middle."""
    draw, at = np.random.default_rng(number), np.arange(rate) / rate
    second = sum(np.sin(2 * np.pi * f * at + f) for f in draw.integers(150, 2000, 4))  # whole hertz: it can repeat
    tones = np.resize(second, round(seconds * rate))
    mono = (0.1 * tones * (0.2 + np.sin(np.linspace(0, np.pi, len(tones))))).astype(np.float32).reshape(-1, 1)
    return np.repeat(mono, channels, axis=1)


def film(
    path: Path,
    number: int,
    seconds: float,
    per_second: int = 5,
    size: tuple[int, int] = (160, 90),
    *,
    heard: bool = True,
) -> None:
    """A film of a picture that a bar crosses, with sound at 8,000 Hz: encoding it takes most of the tests' time. At the
    usual bit rate, which is above what AAC allows at 8,000 Hz, encoding the sound takes five times as long."""
    from triptych.media.scenes import films

    class Track(films._Track):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.stream.bit_rate = 24_000

    still, frames = picture(number, *size), []
    for place in range(round(seconds * per_second)):
        shown = still.copy()
        left = (place * 7) % (size[0] - 10)
        shown[:, left : left + 8] = 255
        frames.append(shown)
    path.parent.mkdir(parents=True, exist_ok=True)
    form = films.Form(*size, per_second, 8_000, 1 if heard else 0)
    with mock.patch.object(films, "_Track", Track):
        films.write_film(path, frames, form, [sound(number, seconds, 8_000)] if heard else ())


def wav(path: Path, number: int, seconds: float, rate: int, channels: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode_wav(sound(number, seconds, rate, channels), rate))


def photograph(path: Path, number: int, width: int, height: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(picture(number, width, height)).save(path)


def table(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([heading, *rows])


STREETS = [
    # vehicle, first and last left edge in pixels, span in which it is heard
    (kind, left, right, 0.4 + 0.2 * n, 9.9 - 0.2 * n)
    for n, (kind, left, right) in enumerate(
        (kind, *edges)
        for kind in ("car", "bus", "motorbike", "truck")
        for edges in ((20, 1100), (1100, 20), (60, 1000), (1000, 60))
    )
]


def urbansas(folder: Path) -> None:
    """Clips of 10 s: 48 kHz in stereo, 1280 x 720 at 2 pictures a second; one vehicle in each, or none."""
    from triptych.media.scenes.films import Form, write_film

    heard, seen = [], []
    for n, (kind, left, right, begin, end) in enumerate([*STREETS, *[("", 0, 0, -1, -1)] * 3]):
        name = f"magallanes0308_{n:02}_24"
        wav(folder / f"audio/{name}.wav", 700 + n, 10, 48_000, 2)
        frames = []
        for step in range(20):
            shown, at = picture(700 + n, 1280, 720), step / 2
            if kind:
                x = int(left + (right - left) * step / 19)
                shown[300:420, x : x + 160] = 30 * (n % 8)
                if begin <= at <= end:
                    seen.append([len(seen), step, 0, x, 300, 160, 120, 0, 1, kind, name, "Barcelona", "x1", at, 0])
            frames.append(shown)
        if kind:
            heard.append([len(heard), name, 0, kind, 0, round(begin, 2), round(end, 2)])
        else:
            heard.append([len(heard), name, -1, -1, 0, -1, -1])
            seen.append([len(seen), -1, -1, -1, -1, -1, -1, -1, -1, -1, name, "Barcelona", "x1", -1, 0])
        path = folder / f"video/video_2fps/{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_film(path, iter(frames), Form(1280, 720, 2, channels=0))
    columns = "filename,class_id,label,non_identifiable_vehicle_sound,start,end"
    table(folder / "annotations/audio_annotations.csv", ["", *columns.split(",")], heard)
    columns = "frame_id,track_id,x,y,w,h,class_id,visibility,label,filename,city,location_id,time,night"
    table(folder / "annotations/video_annotations.csv", ["", *columns.split(",")], seen)


def starss23(folder: Path) -> None:
    """Recordings of 30 s: 24 kHz in four channels, panoramas of 1920 x 960, an event every 100 ms in the list."""
    from triptych.media.spatial.ambisonics import encode

    for n, (split, name) in enumerate(
        (("dev-test-tau", "fold4_room16_mix001"), ("dev-train-sony", "fold3_room21_mix002"))
    ):
        rows, field = [], 0.01 * np.random.default_rng(n).standard_normal((30 * 24_000, 4)).astype(np.float32)
        for event in range(7):
            azimuth = (-150, -120, -60, -30, 30, 60, 120)[event] + (0, 10)[n]
            begin, kind = 10 + 40 * event, (0, 1, 3, 8, 11, 12, 4)[event]
            rows += [(frame, kind, 0, azimuth, 10 * event - 30, 150 + 20 * event) for frame in range(begin, begin + 22)]
            heard = encode(sound(800 + 10 * n + event, 2.2, 24_000)[:, 0], azimuth=azimuth, elevation=10 * event - 30)
            field[begin * 2400 : begin * 2400 + len(heard)] += heard
        path = folder / f"metadata_dev/{split}/{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{','.join(map(str, row))}\n" for row in rows), encoding="utf-8")
        for kind in ("foa", "mic"):
            path = folder / f"{kind}_dev/{split}/{name}.wav"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encode_wav(field, 24_000))
        film(folder / f"video_dev/{split}/{name}.mp4", 800 + n, 30, 2, (1920, 960), heard=False)


WORDS = {
    "who": ["The painter", "Her brother", "My teacher", "An old sailor", "The young doctor", "Our neighbour"],
    "did": ["sold two red bicycles", "wrote a very long letter"],
    "when": ["on a cold Monday morning in March", "near the quiet river behind the house"],
}


def sentences() -> list[str]:
    return [f"{who} {did} {when}." for who in WORDS["who"] for did in WORDS["did"] for when in WORDS["when"]]


def rendered_text(folder: Path) -> None:
    """Pictures of 1024 x 1024 with a JSON file each, in folders of shards; some hold fewer than ten words."""
    for n, text in enumerate([*sentences()[:14], "Too short a text."]):
        key = f"{n // 8:06}/{n // 8:06}{n:06}"
        words = text.split()
        lines = [" ".join(words[at : at + 5]) for at in range(0, len(words), 5)]
        boxes = [[[40, 90 * k], [900, 90 * k], [900, 90 * k + 80], [40, 90 * k + 80]] for k in range(len(lines))]
        photograph(folder / f"{key}.png", 850 + n, 1024, 1024)
        annotation = {"ocr_annotation": {"text": lines, "bounding_boxes": boxes}}
        (folder / f"{key}.json").write_text(json.dumps(annotation), encoding="utf-8")


MELD_COLUMNS = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime"
EMOTIONS = ("anger", "disgust", "fear", "sadness", "surprise", "joy", "neutral")


def meld(folder: Path) -> None:
    """Utterances of the test split: 1280 x 720, 3 to 8 s; those under 5 s are too short for the benchmark."""
    rows = []
    for n in range(35):
        emotion, seconds = EMOTIONS[n % 7], (3.1, 5.1, 5.3, 5.2, 5.4)[n // 7] + 0.01 * (n % 7)
        begin, end = 60 * 16 + 59 + n, 60 * 16 + 59 + n + seconds
        times = [f"0:{int(at // 60):02}:{int(at % 60):02},{round(at % 1 * 1000) % 1000:03}" for at in (begin, end)]
        mood = "positive" if emotion == "joy" else "neutral" if emotion == "neutral" else "negative"
        said = f"{sentences()[n % 24][:-1]}, number {n}!"
        rows.append([n + 1, said, "Joey", emotion, mood, n // 7, n % 7, 3, 19, *times])
        path = folder / f"output_repeated_splits_test/dia{n // 7}_utt{n % 7}.mp4"
        film(path, 900 + n, seconds, 10, (1280, 720) if n == 7 else (320, 180))
    table(folder / "test_sent_emo.csv", MELD_COLUMNS.split(","), rows)


PLOTS = ("A ship is lost at sea", "Two sisters open a bakery", "A robot learns to sing", "A village hides a secret")
GENRES = ("Drama", "Comedy", "Action")


def movie_trailers(folder: Path) -> None:
    """Twelve films, a poster of 500 x 750 and 30 s of each trailer; one plot names its title, one film has no plot."""
    rows = []
    for n in range(14):
        id, title = 1_300_116 + n, f"Title {chr(65 + n)}{'rst' * (n % 3 + 1)}"
        plot = f"{PLOTS[n % 4]}, and the {('first', 'second', 'third', 'last')[n // 4]} night changes everything."
        plot = "" if n == 13 else f"{title} is a thief." if n == 12 else plot
        rows.append(
            [id, title, title, plot, "2025-03-01", f"['{GENRES[n % 3]}', 'Thriller']", 9.5, f"posters/{id}.jpg"]
        )
        wav(folder / f"dialogue_clips/movie_{id}_trailer_0.wav", 950 + n, 30, 16_000)
        photograph(folder / f"posters/{id}.jpg", 950 + n, 500, 750)
    columns = "id,title,original_title,overview,release_date,genres,popularity,poster_path"
    table(folder / "movie_academic_dataset.csv", columns.split(","), rows)


SINGERS = ("Ariana_Grande", "Bad_Bunny", "David_Tao", "Eason_Chan", "G.E.M.")


def pop_singers(folder: Path) -> None:
    """Five singers, three songs of 60 s or more and two photographs each, with the lists of both."""
    for n, name in enumerate(SINGERS):
        place = folder / name
        for k in range(3):
            wav(place / f"audio/{name}_song_{k + 1}.wav", 970 + 5 * n + k, 60 + 7 * k, 16_000)
        wav(place / f"audio/{name}_song_1_seg00.wav", 970 + 5 * n, 8, 16_000)
        for k in range(2):
            photograph(place / f"images/{k + 1:04}.jpg", 970 + 5 * n + k, 800, 600)
        meta = {
            "name": name.replace("_", " "),
            "region": "US" if n < 2 else "Asia",
            "genre": "pop",
            "timestamp": "2025",
        }
        (place / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
        rows = [[f"/data/{name}/images/{k + 1:04}.jpg", "CC BY-SA 4.0", "A. Person"] for k in range(2)]
        table(place / "images.csv", ["file", "license", "artist"], rows)
