"""The recipe `xmodbench`: triplets become an audited benchmark in six directions, in the released format."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PIL import Image

from tests.construction import planted
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.origins import origin_of
from triptych.benchmarks.xmodbench.names import DIRECTIONS
from triptych.cli.main import main
from triptych.construction.build import MATERIAL, build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.recipes._xmodbench_release import question_file
from triptych.construction.recipes.xmodbench import subtasks
from triptych.construction.stages.triplet_media import loudest_part
from triptych.errors import DataError
from triptych.models import speech

VERBS = ("bought", "found", "lost", "sold")
PLACES = ("on Monday", "near the river", "last winter", "at the station", "before lunch")


def said(text: str) -> bytes:
    """A tone whose pitch depends on the text, as WAV."""
    buffer = io.BytesIO()
    pitch = 200 + sum(map(ord, text)) % 500
    soundfile.write(buffer, 0.3 * np.sin(2 * np.pi * pitch * np.arange(12_000) / 16_000), 16_000, format="WAV")
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech.Speaker, "speak", lambda self, text, voice: said(text + voice))


def table(folder: Path, rows: list[dict[str, Any]]) -> None:
    """Write `t.csv`."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    with (folder / "t.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(rows)


def sentences() -> list[dict[str, Any]]:
    return [
        {"id": f"s{p}{v}", "subtask": "recognition", "text": f"She {verb} a bicycle {place}.", "group": place}
        for p, place in enumerate(PLACES)
        for v, verb in enumerate(VERBS)
    ]


def config(**more: Any) -> dict[str, Any]:
    return {"triplets": ["t.csv"], "common": {"licence": "cc0-1.0", "language": "en"}, "licence": "cc0-1.0", **more}


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[dict[str, Any]], **more: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    table(tmp_path, rows)
    built = build("xmodbench", config(**more), tmp_path / "b")
    assert built.complete, built.refused or built.counts
    return tmp_path / "b/out"


def by_instance(out: Path, subtask: str = "recognition") -> dict[int, dict[str, dict[str, Any]]]:
    found: dict[int, dict[str, dict[str, Any]]] = defaultdict(dict)
    for direction in DIRECTIONS:
        for index, row in enumerate(json.loads((out / question_file(subtasks()[subtask], direction)).read_bytes())):
            found[index][direction] = row
    return found


def test_an_instance_has_the_same_distractors_in_six_directions_and_is_sound(tmp_path, monkeypatch):
    out = made(tmp_path, monkeypatch, sentences(), lite=5)
    for row_by_direction in by_instance(out).values():
        shown = {
            frozenset(option.get("description", option["input"]) for option in row["options"].values())
            for row in row_by_direction.values()
        }
        assert len(shown) == 1 and len(next(iter(shown))) == 4
        for row in row_by_direction.values():
            key, stem = row["options"][row["correct_answer"]], row["conditions"]
            assert key.get("description", key["input"]) == stem.get("description", stem["input"])
    bench = load_benchmark("xmodbench")
    assert [problem for problem in bench.check(out) if problem.severity == "error"] == []
    items = list(bench.items(out))
    assert sum(1 for item in items if item.id.count("audiovision")) == 20
    chosen = (out / "lite.txt").read_text().splitlines()
    assert len(chosen) == 30 and set(chosen) <= {item.id for item in items}
    assert all(origin_of(out, item.id) for item in items)


def test_positions_are_balanced_and_independent_between_directions(tmp_path, monkeypatch):
    out = made(tmp_path, monkeypatch, sentences())
    rows = by_instance(out)
    for direction in DIRECTIONS:
        assert set(Counter(own[direction]["correct_answer"] for own in rows.values()).values()) == {5}
    assert sum(len({row["correct_answer"] for row in own.values()}) > 1 for own in rows.values()) > 15


def test_a_shared_position_is_the_papers_option(tmp_path, monkeypatch):
    rows = by_instance(made(tmp_path, monkeypatch, sentences(), positions="shared"))
    assert all(len({row["correct_answer"] for row in own.values()}) == 1 for own in rows.values())
    assert set(Counter(own["audio_text"]["correct_answer"] for own in rows.values()).values()) == {5}
    for own in rows.values():
        orders = {tuple(o.get("description", o["input"]) for o in row["options"].values()) for row in own.values()}
        assert len(orders) == 1


def test_no_name_of_a_medium_and_no_metadata_gives_the_target_away(tmp_path, monkeypatch):
    out = made(tmp_path, monkeypatch, sentences())
    names = {path.name for path in (out / "media").iterdir()}
    assert all(len(name.partition(".")[0]) == 16 for name in names) and len(names) == 40
    for path in (out / "media").glob("*.jpg"):
        with Image.open(path) as image:
            assert not image.getexif() and set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    for path in (out / "media").glob("*.wav"):
        assert not soundfile.info(path).extra_info.count("bext") and soundfile.info(path).samplerate == 24_000


def test_wrong_texts_make_all_four_candidates_alike(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.wav").write_bytes(said("a recording"))
    rows = [
        {
            "id": "a",
            "subtask": "recognition",
            "text": "He has two red cars.",
            "audio": "own.wav",
            "wrong": "He has two blue cars.|He has six red cars.|She has two red cars.|They sold everything in May.",
        },
        {"id": "b", "subtask": "recognition", "text": "It is far.", "wrong": "It was far."},
    ]
    table(tmp_path, rows)
    built = build("xmodbench", config(allow_guessable=True), tmp_path / "b")
    (counts,) = (count for count in built.counts if count.stage == "changed-words")
    assert counts.decisions == {"revised": 1, "dropped": 1}
    (own,) = by_instance(tmp_path / "b/out").values()
    options = own["vision_audio"]["options"].values()
    heard = own["audio_text"]["conditions"]["input"]
    assert heard not in {option["input"] for option in options}, "the target's recording is spoken like the others"
    assert {o["input"] for o in own["audio_text"]["options"].values()} == {
        "He has two red cars.",
        "He has two blue cars.",
        "He has six red cars.",
        "She has two red cars.",
    }


def test_a_character_that_no_font_has_drops_the_record_with_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, [{**row, "text": row["text"].replace("a", "\U00010600")} for row in sentences()[:4]])
    build("xmodbench", config(), tmp_path / "b", only=["draw-text"])
    (line, *_) = [json.loads(x) for x in next((tmp_path / "b/stages").glob("*draw-text*/records.jsonl")).open("rb")]
    assert line["outcome"]["reason"] == "cannot-be-drawn" and "U+10600" in line["outcome"]["note"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"subtask": "recognitoin", "text": "x"}, "no such subtask"),
        ({"subtask": "recognition", "text": "x"}, "distractors from a group"),
        ({"subtask": "count", "text": "x", "group": "g", "relation": "is {wrong}"}, "relation can't be used"),
        ({"subtask": "general", "text": "x"}, "needs a category"),
        ({"subtask": "instruments", "text": "x", "category": "kazoo"}, "no such category"),
        ({"subtask": "finegrained", "text": "x", "category": "dog", "group": "Pets"}, "no such group"),
    ],
)
def test_wrong_rows_are_refused_with_their_place(tmp_path, monkeypatch, row, message):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, [{"id": "a", **row}])
    with pytest.raises(DataError, match=message) as error:
        build("xmodbench", config(), tmp_path / "b")
    assert "row 1" in str(error.value)


def test_singers_need_a_licence_or_their_consent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rights = ({}, {"consent": "form 3"}, {"licence": "cc-by-4.0"})
    rows = [
        {"id": f"{n}", "subtask": "singer_identification", "text": f"Singer {n}", "category": f"{n}", **own}
        for n, own in enumerate(rights)
    ]
    table(tmp_path, rows)
    built = build("xmodbench", {"triplets": ["t.csv"], "songs": [1, 5]}, tmp_path / "b", only=["person-rights"])
    assert built.counts[-1].decisions == {"kept": 2, "dropped": 1}


@pytest.mark.parametrize(("number", "kept"), [(2, False), (3, True), (5, True), (6, False)])
def test_a_singer_has_three_to_five_songs(tmp_path, monkeypatch, number, kept):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": f"{n}", "subtask": "singer_identification", "text": f"A biography, {n}", "category": "Ada"}
        for n in range(number)
    ]
    table(tmp_path, rows)
    build("xmodbench", config(), tmp_path / "b", only=["person-rights"])
    outcomes = [line.outcome for line in BuildFolder(tmp_path / "b").lines(MATERIAL)]
    assert {o.decision for o in outcomes} == {"kept" if kept else "dropped"} and len(outcomes) == number
    assert kept or {o.reason for o in outcomes} == {"number-of-songs"}


def test_a_plot_does_not_name_its_title(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plots = ("A girl falls down a hole.", "In alice IN Wonderland, a girl falls down a hole.")
    rows = [
        {"id": f"{n}", "subtask": "movie_matching", "text": text, "category": "Alice in Wonderland"}
        for n, text in enumerate(plots)
    ]
    table(tmp_path, rows)
    build("xmodbench", config(), tmp_path / "b", only=["rights"])
    kept, left_out = (line.outcome for line in BuildFolder(tmp_path / "b").lines(MATERIAL))
    assert kept.decision == "kept" and (left_out.decision, left_out.reason) == ("dropped", "title-in-text")


@pytest.mark.parametrize(("pictures", "decision"), [(32, "dropped"), (40, "kept"), (248, "dropped")])
def test_films_of_feelings_have_five_to_thirty_seconds(tmp_path, monkeypatch, pictures, decision):
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    from tools.mini.encode import write_mp4

    monkeypatch.chdir(tmp_path)
    write_mp4(
        tmp_path / "f.mp4",
        [Image.linear_gradient("L").resize((32, 32)).rotate(n % 4 * 90).convert("RGB") for n in range(pictures)],
    )
    row = {"id": "a", "subtask": "emotion_classification", "text": "joy", "category": "joy", "video": "f.mp4"}
    table(tmp_path, [row])
    build("xmodbench", config(), tmp_path / "b", only=["bring-forms"])
    (line,) = BuildFolder(tmp_path / "b").lines("bring-forms")
    assert line.outcome.decision == decision, line.outcome


def test_a_muted_film_shows_its_transcript(tmp_path, monkeypatch):
    pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    from tools.mini.encode import write_mp4

    from triptych.media.films.stills import stills
    from triptych.media.lengths import probed

    monkeypatch.chdir(tmp_path)
    write_mp4(
        tmp_path / "f.mp4",
        [Image.linear_gradient("L").rotate(n % 4 * 90).resize((160, 90)).convert("RGB") for n in range(40)],
    )
    row = {
        "id": "a",
        "subtask": "emotion_classification",
        "text": "joy",
        "category": "joy",
        "video": "f.mp4",
        "transcript": "What a day! 太好了",
    }
    table(tmp_path, [row])
    build("xmodbench", config(), tmp_path / "b", only=["bring-forms"])
    (line,) = BuildFolder(tmp_path / "b").lines("bring-forms")
    film = tmp_path / "b" / line.outcome.fields["vision"]
    found, (picture,) = probed(film), stills(film.read_bytes(), 1, film)
    assert found["width"] == 160 and found["height"] > 90 and "audio_codec" not in found
    assert abs(found["seconds"] - 5) < 0.05
    assert abs(int(picture[:90].mean()) - 128) < 4 and picture[90:].min() < 20 and picture[90:].max() > 200


def test_a_data_set_in_its_released_layout_gives_triplets(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for genre in ("blues", "jazz", "rock", "pop", "disco"):
        path = tmp_path / f"music/genres_original/{genre}/{genre}.00000.wav"
        path.parent.mkdir(parents=True)
        path.write_bytes(said(genre))
        cover = tmp_path / f"music/covers/{genre}/01_Band-Album.jpg"
        cover.parent.mkdir(parents=True)
        cells = np.random.default_rng(sum(map(ord, genre))).integers(0, 255, (6, 6, 3)).astype(np.uint8)
        Image.fromarray(cells).resize((64, 64), Image.Resampling.BICUBIC).save(cover)
    own = {"name": "gtzan", "folder": "music", "subtask": "music_genre_classification"}
    allowed = {"stages": {"rights": {"licences": ["licenseref-gtzan"]}}}
    built = build("xmodbench", {"datasets": [own], **allowed}, tmp_path / "b", only=["candidates"])
    assert built.counts[-1].decisions == {"kept": 5}


def test_media_that_are_ready_are_taken_as_they_are(tmp_path, monkeypatch):
    rows, files = [], []
    for number in range(4):
        Image.new("RGB", (80, 60), (60 * number, 0, 0)).save(tmp_path / f"{number}.jpg", quality=30)
        (tmp_path / f"{number}.wav").write_bytes(said(f"{number}" * 3))
        files += [(tmp_path / f"{number}.{end}").read_bytes() for end in ("jpg", "wav")]
        own = {"text": f"Text {number}.", "audio": f"{number}.wav", "image": f"{number}.jpg"}
        relation = "is like this {context}"
        rows.append({"id": f"{number}", "subtask": "recognition", "group": "g", "relation": relation, **own})
    stages = {"bring-forms": {"convert": False}}
    out = made(tmp_path, monkeypatch, rows, stages=stages)
    assert {path.read_bytes() for path in (out / "media").iterdir()} == set(files)
    (one, *_) = json.loads((out / question_file(subtasks()["recognition"], "audio_text")).read_bytes())
    assert one["question"].startswith("Which text is like this recording?")
    makers = json.loads((out / "provenance.jsonl").read_text().splitlines()[0])["makers"]
    assert makers["audio"]["name"] == "bring-forms", "stages that change nothing are not the makers"


def test_the_loudest_part_is_found():
    samples = np.zeros((1000, 2), np.float32)
    samples[700:800, 1] = 0.5
    assert 600 < loudest_part(samples, 150) <= 700
    assert loudest_part(samples, 1000) == 0


def test_the_seventeen_subtasks_write_to_the_released_files():
    tasks = {task.id: task.files for task in load_benchmark("xmodbench").spec.tasks}
    assert len(subtasks()) == 17
    for name, rules in subtasks().items():
        for direction in DIRECTIONS:
            assert tasks[f"{rules['family']}/{name}/{direction}"] == (question_file(rules, direction),)


def test_a_killed_build_goes_on_and_makes_each_medium_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(tmp_path, sentences())
    calls: list[str] = []

    def counted(self: object, text: str, voice: str) -> bytes:
        calls.append(text)
        if len(calls) == 8:
            raise KeyboardInterrupt
        return said(text + voice)

    monkeypatch.setattr(speech.Speaker, "speak", counted)
    with pytest.raises(KeyboardInterrupt):
        build("xmodbench", config(), tmp_path / "b")
    assert build("xmodbench", config(), tmp_path / "b").complete
    assert len(calls) == 21 and len(set(calls)) == 20


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"transcript": "I'm sorry, but I can't stay."}, None),
        ({"text": "I'm sorry, but I can't stay."}, None),
        ({"text": "Unfortunately, I am late.", "subtask": "translation", "target_text": "可惜我迟到了。"}, None),
        ({"transcript": "I cannot listen to audio files."}, "apology"),
        ({"text": "I'm sorry, but I cannot listen to audio files."}, "apology"),
        ({"text": "I'm sorry, but I can't stay.", "subtask": "general"}, "apology"),
        ({"target_text": "抱歉，我无法翻译。"}, "apology"),
        ({"text": "He <b>ran</b>."}, "markup"),
    ],
)
def test_people_in_recordings_may_apologise(more, reason):
    outcome = planted.row(**more)
    assert (outcome and outcome.reason) == reason


def test_a_subtask_that_lost_all_of_its_rows_is_said_last_and_by_the_exit_code(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    lost = [{"id": f"n{n}", "subtask": "natures", "text": f"scene {n}", "category": f"scene {n}"} for n in range(5)]
    table(tmp_path, [*sentences(), *lost])
    text = 'triplets = ["t.csv"]\nlicence = "cc0-1.0"\ncommon = { licence = "cc0-1.0", language = "en" }\n'
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["build", "xmodbench", "--config", "c.toml", "--to", "b", "--json"])
    out, err = capfd.readouterr()
    assert ended.value.code == 1
    assert err.splitlines()[-1].startswith("NOTHING IS LEFT of natures: all 5 rows were dropped (whole-triplets: no-")
    reasons = [["whole-triplets: no-audio", 5]]
    assert json.loads(out)["emptied"] == [{"name": "natures", "rows": 5, "reasons": reasons}]
    with pytest.raises(SystemExit) as ended:
        main(["build", "status", "b"])
    assert ended.value.code == 1 and "NOTHING IS LEFT of natures" in capfd.readouterr().out
    if (page := tmp_path / "b/report.html").exists():
        assert "Nothing is left of <code>natures</code>" in page.read_text(encoding="utf-8")
