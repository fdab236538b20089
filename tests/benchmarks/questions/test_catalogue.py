"""The catalogue of known sets: each on a small folder with exactly the released columns; the rules of their scorers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.test_items_released_columns import files, head, opened, written
from tests.benchmarks.questions.test_xlsx import embedded, wav
from triptych.api import new_benchmark
from triptych.benchmarks import known_benchmarks, known_sets, load_benchmark, own_questions
from triptych.benchmarks._questions.catalogue import mapped
from triptych.cli.main import main
from triptych.errors import DataError, SpecError
from triptych.protocols.protocol import Unit
from triptych.records import Item, Response

NAMES = [str(one["name"]) for one in known_sets()]
FOUR = ["Cooking", "Reading", "Sleeping", "Singing"]
MARKED = [f"{letter}. {text}" for letter, text in zip("ABCD", FOUR, strict=True)]
# Set: file, rows with the columns of the released file, media, and the target that the first row must have.
Example = tuple[str, Any, tuple[str, ...], str]
EXAMPLES: dict[str, Example] = {
    "omnibench": (
        "dataset/batch.jsonl",
        {
            "index": 0,
            "task type": "Action and Activity",
            "audio type": "speech",
            "question": "What?",
            "options": FOUR,
            "answer": "Reading",
            "audio_path": "mm_data/audio/1.mp3",
            "image_path": "mm_data/image/1.jpg",
            "audio content": "he reads",
            "image content": "a book",
        },
        ("mm_data/audio/1.mp3", "mm_data/image/1.jpg"),
        "B",
    ),
    "worldsense": (
        "worldsense.jsonl",
        {
            "index": 3,
            "video_path": "./videos/a.mp4",
            "question": "Why?",
            "candidates": str(MARKED),
            "answer": "C",
            "task_type": "Causal Reasoning",
            "audio_class": "Speech",
            "subtitle_path": "./subtitles/a.srt",
            "duration": 60.0,
        },
        ("videos/a.mp4",),
        "C",
    ),
    "daily_omni": (
        "qa.json",
        [
            {
                "Question": "Which?",
                "Choice": MARKED,
                "Answer": "B",
                "video_id": "Ec_l",
                "Type": "Event Sequence",
                "content_parent_category": "L",
                "content_fine_category": "S",
                "video_category": "Howto",
                "video_duration": "30s",
            }
        ],
        ("Videos/Ec_l/Ec_l.mp4",),
        "B",
    ),
    "omnivideobench": (
        "data.json",
        [
            {
                "video": "video_1",
                "video_type": "Vlog",
                "duration": "03:28",
                "questions": [
                    {
                        "question": "Which?",
                        "question_type": "reference reasoning",
                        "audio_type": "Speech",
                        "reasoning_steps": [{"modality": "vision", "evidence": "e", "inference": "i"}],
                        "answer": "Singing",
                        "options": [one.replace(". ", ".") for one in MARKED],
                        "correct_option": "D",
                    }
                ],
            }
        ],
        ("video_1.mp4",),
        "D",
    ),
    "jointavbench": (
        "jointavbench.json",
        [
            {
                "qid": "-CE_task1_0",
                "video_name": "-CE",
                "task": "STL",
                "question": "Which?",
                "correct_answer": "Reading",
                "explanation": "so",
                "options": FOUR,
                "video_url": "https://www.youtube.com/watch?v=-CE",
                "segment_timestamp": [653.4, 699.6],
            }
        ],
        ("-CE.mp4",),
        "B",
    ),
    "futureomni": (
        "futureomni_test.json",
        [
            {
                "id": 0,
                "question": "What next?",
                "options": [*MARKED, "E. Nothing"],
                "answer": "E",
                "original_video": "uu8c.mp4",
                "split_point": 227,
                "video_domain": "education",
                "audio_type": "Sound",
                "forecasting_pattern": "Routine",
            }
        ],
        ("videos/uu8c.mp4",),
        "E",
    ),
    "lvomnibench": (
        "lvomnibench.json",
        [{"video_id": "v1", "question": "Who?", "options": MARKED, "correct_option": "A"}],
        ("videos/v1.mp4",),
        "A",
    ),
    "omnigaia": (
        "test_metadata.json",
        [
            {
                "id": 1,
                "question": "How many?",
                "omni_modal_input": [{"type": "video", "id": "v", "path": "videos/5.mp4"}],
                "annotated_solution": ["s"],
                "sources": [{"type": "web"}],
                "answer": "790",
                "Level": "Easy",
            }
        ],
        ("videos/5.mp4",),
        "790",
    ),
    "videomme_v2": (
        "test.json",
        [
            {
                "video_id": "001",
                "question_id": "001-1",
                "question": "Which?",
                "options": "\n".join(f"{letter}. {n}" for n, letter in enumerate("ABCDEFGH")),
                "answer": "H",
                "group_type": "logic",
                "group_structure": "chain",
            }
        ],
        ("videos/001.mp4",),
        "H",
    ),
    "mmou": (
        "test.json",
        [
            {
                "question_id": "q1",
                "video_id": "abc",
                "video_url": "https://youtu.be/abc",
                "question": "Which?",
                "options": dict(zip("ABCD", FOUR, strict=True)),
                "correct_option_letter": "D",
                "start_time": "0:10",
                "end_time": "0:20",
                "domain": "Sports",
                "subdomain": "Golf",
            }
        ],
        ("abc.mp4",),
        "D",
    ),
    "av_speakerbench": (
        "test.json",
        [
            {
                "question_id": "1",
                "task_id": "t",
                "question": "Who speaks?",
                "choices": str(MARKED),
                "answer": "A",
                "audio_path": "a/1.wav",
                "visual_path": "v/1.mp4",
                "audio_visual_path": "av/1.mp4",
            }
        ],
        ("a/1.wav", "v/1.mp4", "av/1.mp4"),
        "A",
    ),
    "av_odyssey": (
        "test.jsonl",
        {
            "question_id": "1_2",
            "question_type_id": "1",
            "data_type": "image",
            "subfield": "Timbre",
            "question": "Which sound fits [img1]?",
            "options": ["[audio1]", "[audio2]"],
            "answer": "B",
            "image_path": ["i/1.png"],
            "audio_path": ["s/1.wav", "s/2.wav"],
            "video_path": [],
        },
        ("i/1.png", "s/1.wav", "s/2.wav"),
        "B",
    ),
    "mmar": (
        "MMAR-meta.jsonl",
        {
            "id": "q_1",
            "audio_path": "./audio/q.wav",
            "question": "What",
            "choices": FOUR,
            "answer": "Sleeping",
            "modality": "music",
            "category": "Cultural Layer",
            "sub-category": "P",
            "language": None,
            "source": "youtube",
            "url": "https://www.youtube.com/watch?v=q",
            "timestamp": "00:01:32,00:02:02",
            "thinking": "t",
            "cue": ["c"],
            "rubric": [{"name": "n", "scoring_point": "s", "note": "n", "choices": [0, 1]}],
        },
        ("audio/q.wav",),
        "C",
    ),
    "mmau": (
        "mmau-test-mini.json",
        [
            {
                "id": "3f",
                "audio_id": "./test-mini-audios/3f.wav",
                "question": "Which?",
                "choices": FOUR,
                "answer": "Singing",
                "dataset": "AudioSet",
                "task": "sound",
                "split": "test-mini",
                "category": "Reasoning",
                "sub-category": "S",
                "difficulty": "medium",
            }
        ],
        ("test-mini-audios/3f.wav",),
        "D",
    ),
    "mmsu": (
        "mmsu.jsonl",
        {
            "id": "x_1",
            "task_name": "accent",
            "audio_path": "a.wav",
            "question": "Which?",
            "choice_a": "US",
            "choice_b": "UK",
            "choice_c": "India",
            "choice_d": "Kenya",
            "answer_gt": "India",
            "category": "Perception",
            "sub-category": "Linguistics",
        },
        ("a.wav",),
        "C",
    ),
    "mmau_pro": (
        "test.json",
        [
            {
                "id": "1",
                "audio_path": ["data/1.wav", "data/2.wav"],
                "question": "Which?",
                "choices": FOUR,
                "answer": "Reading",
                "category": "multi",
                "task_identifier": "t",
                "kwargs": "{}",
            }
        ],
        ("data/1.wav", "data/2.wav"),
        "B",
    ),
    "air_bench": (
        "Foundation_meta.json",
        [
            {
                "path": "1.wav",
                "question": "Which?",
                "choice_a": "joy",
                "choice_b": "fear",
                "choice_c": "anger",
                "choice_d": None,
                "answer_gt": "fear",
                "task_name": "Emotion",
                "dataset_name": "iemocap",
                "uniq_id": 7,
            }
        ],
        ("Emotion_iemocap/1.wav",),
        "B",
    ),
    "voicebench": (
        "test.parquet",
        [{"audio": {"bytes": wav(), "path": "1.wav"}, "prompt": "Who wrote it?", "reference": "Ada"}],
        (),
        "Ada",
    ),
    "video_holmes": (
        "test_Video-Holmes.json",
        [
            {
                "video ID": "RS",
                "Question ID": 1,
                "Question Type": "SR",
                "Question": "Who?",
                "Options": dict(zip("ABCDEF", "uvwxyz", strict=True)),
                "Answer": "F",
            }
        ],
        ("videos_cropped/RS.mp4",),
        "F",
    ),
    "cg_av_counting": (
        "test.json",
        [
            {
                "index": 1,
                "video": "1.mp4",
                "question": "How many?",
                "answer": 12,
                "query_interval": [0, 5],
                "category": "event",
                "type": "t",
                "clue": [],
            }
        ],
        ("videos/1.mp4",),
        "12",
    ),
}


def folder_of(name: str, to: Path) -> Path:
    """A folder with one question of a set, as it was released."""
    file, rows, media, _ = EXAMPLES[name]
    for path in media:
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes(head(path))
    (to / file).parent.mkdir(parents=True, exist_ok=True)
    if file.endswith("parquet"):
        embedded(to / file, rows)
    else:
        (to / file).write_text(json.dumps(rows))
    return to


def test_at_least_eighteen_sets_are_known_and_all_are_tried() -> None:
    assert set(NAMES) == EXAMPLES.keys() and len(NAMES) >= 18
    assert not set(NAMES) & known_benchmarks().keys()


def answered(item: Item, reply: str) -> Response:
    return Response(item=item.id, condition="", repeat=0, status="answered", text=reply)


@pytest.mark.parametrize("name", NAMES)
def test_every_set_says_where_it_comes_from(name: str) -> None:
    from triptych.benchmarks._questions.catalogue import known_set

    known = known_set(name)
    assert known is not None and known.url.startswith("https://") and known.hindrance and known.media
    for figure in known.figures:
        assert figure.model and figure.basis and 0 < figure.value <= 100


def test_a_random_letter_is_not_drawn_but_expected(tmp_path: Path) -> None:
    """OmniBench's scorer draws one of four letters: 1/4 is expected, and draws spread a figure over n replies by
    sqrt(n * 3/16) / n."""
    bench = load_benchmark("omnibench")
    (item,) = bench.items(folder_of("omnibench", tmp_path))
    official = bench.protocols["official"]
    drawn, spread = official.score(Unit((item,), (answered(item, "I am not sure"),)))
    assert (drawn.numerator, drawn.extraction, spread.metric) == (0.25, None, "spread.draws")
    assert "draws one of 4 letters" in drawn.note and spread.numerator == pytest.approx(3 / 16)
    right, none = official.score(Unit((item,), (answered(item, "(B)"),)))
    assert (right.numerator, right.extraction, none.numerator) == (1.0, "B", 0.0)
    import numpy as np

    from triptych.protocols.protocol import Cell

    cell = Cell(task="omnibench/choice", metric="spread.draws", slice=())
    (figure,) = official.aggregate([cell], np.array([[16 * 3 / 16, 16.0]]))
    assert float(figure.value) == pytest.approx(100 * (16 * 3 / 16) ** 0.5 / 16)
    standard = bench.protocols["standard"].score(Unit((item,), (answered(item, "I am not sure"),)))
    assert [score.status for score in standard] == ["unparsed"]


def test_what_a_scorer_does_without_a_letter(tmp_path: Path) -> None:
    def of(name: str, reply: str) -> Any:
        (tmp_path / name).mkdir(exist_ok=True)
        bench = load_benchmark(name)
        (item,) = bench.items(folder_of(name, tmp_path / name))
        return bench.protocols["official"].score(Unit((item,), (answered(item, reply),)))[0]

    assert (of("mmsu", "it is India").numerator, of("mmsu", "it is India").denominator) == (0.0, 0.0), "left out"
    assert of("av_speakerbench", "hm").extraction == "A", "the first option"
    assert (of("video_holmes", "-").status, of("video_holmes", "-").denominator) == ("unparsed", 1.0)
    assert of("mmau", "Someone is singing.").numerator == 1.0 and of("mmau", "Singing, cooking").numerator == 0.0


def test_a_set_runs_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(*arguments: str) -> int:
        with pytest.raises(SystemExit) as end:
            main(list(arguments))
        return int(end.value.code or 0)

    monkeypatch.chdir(tmp_path)
    data = str(folder_of("mmar", tmp_path / "data"))
    assert ended("run", "mmar", "--data", data, "--model", "baseline/reference", "--json") == 0
    told = capsys.readouterr()
    assert "not proved against the authors' scorer" in told.err
    found = {(one["protocol"], one["metric"]): one["value"] for one in json.loads(told.out)["scores"]}
    assert found["standard", "acc"] == 100.0
    (run,) = (tmp_path / "runs/mmar").iterdir()
    for command in (("report", str(run)), ("score", str(run)), ("check", "mmar", "--data", data)):
        assert ended(*command) == 0, command
    assert ended("list", "benchmarks") == 0
    shown = capsys.readouterr().out
    assert "20 more by mapping, not proved against the authors' scorer" in shown and "YouTube" in shown
    assert ended("list", "benchmarks", "--json") == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["mmar"]["basis"] == "mapping" and "basis" not in rows["cmdar"]
    assert ended("list", "tasks", "omnibnch") == 2
    assert "did you mean 'omnibench'" in capsys.readouterr().err
    assert ended("list", "tasks", "somethingelse") == 2
    assert "questions of your own" in capsys.readouterr().err


def test_data_without_the_file_says_what_is_expected(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no question file of mmar here"):
        list(load_benchmark("mmar").items(tmp_path))
    with pytest.raises(SpecError):
        load_benchmark("../known/mmar")


def test_rows_of_a_release_that_cannot_be_asked_are_named_and_left_out(tmp_path: Path) -> None:
    """MMAR's file has four questions with an empty option (seen in 2026-11); the others are asked."""
    data = folder_of("mmar", tmp_path)
    row = EXAMPLES["mmar"][1]
    broken = {**row, "id": "q_2", "choices": ["Cooking", "", "Sleeping", "x"]}
    (data / "MMAR-meta.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (row, broken)))
    bench = load_benchmark("mmar")
    told: list[str] = []
    assert len(list(bench.items(data, report=lambda problem: told.append(problem.message)))) == 1
    assert told == ["option B is empty"]
    with pytest.raises(DataError, match="option B is empty"):
        list(bench.items(data))


def test_an_article_can_be_an_option(tmp_path: Path) -> None:
    """MMAU asks which word is said: an option is `a`, which is not the letter A."""
    data = folder_of("mmau", tmp_path)
    row = {**EXAMPLES["mmau"][1][0], "choices": ["twenty-one", "b", "the", "a"], "answer": "a"}
    (data / "mmau-test-mini.json").write_text(json.dumps([row]))
    (item,) = load_benchmark("mmau").items(data)
    assert item.target == "D"


def forecast(to: Path, **changes: Any) -> Path:
    """FutureOmni's folder with changed columns; None removes one."""
    folder = folder_of("futureomni", to)
    (row,) = EXAMPLES["futureomni"][1]
    changed = {key: value for key, value in {**row, **changes}.items() if value is not None}
    (folder / "futureomni_test.json").write_text(json.dumps([changed]))
    return folder


def test_what_the_user_maps_of_a_known_set_counts(tmp_path: Path) -> None:
    def bench(**stated: str) -> Any:
        return mapped("futureomni", stated)

    data = forecast(tmp_path, second_video="second.mp4", reviewed="A")
    (data / "videos/second.mp4").write_bytes(head("second.mp4"))
    with pytest.raises(SpecError, match="no column 'reviewd' for answer"):
        list(bench(answer="reviewd").items(data))
    (item,) = bench(answer="reviewed", media="original_video,second_video").items(data)
    assert item.target == "A"
    assert [path for _, path in files(item)] == ["videos/uu8c.mp4", "videos/second.mp4"]
    (item,) = bench(end="").items(data)
    assert [part.transform for part in item.parts if part.is_media] == [""]


def test_columns_that_a_known_sets_file_lacks_are_named(tmp_path: Path) -> None:
    bench = load_benchmark("futureomni")
    data = forecast(tmp_path, audio_type=None)
    (warning,) = [problem for problem in bench.check(data) if problem.kind == "missing-columns"]
    assert "audio_type" in warning.message and warning.where == str(data / "futureomni_test.json")
    assert any("doesn't have: audio_type" in line for line in bench.mapping_lines(data))  # type: ignore[attr-defined]


def test_a_film_whose_end_shows_the_answer_is_never_sent_whole_in_silence(tmp_path: Path) -> None:
    data = forecast(tmp_path, split_point=None, end_of_part=227)
    with pytest.raises(SpecError, match="no column 'split_point'") as refused:
        list(load_benchmark("futureomni").items(data))
    assert "--map end=COLUMN" in str(refused.value)
    for end, step in (("", ""), ("end_of_part", "part:from=0,to=227")):
        bench = mapped("futureomni", {"end": end})
        assert bench is not None
        (item,) = bench.items(data)
        assert [part.transform for part in item.parts if part.is_media] == [step]


def test_a_known_sets_check_names_its_file_and_keeps_its_mapping(tmp_path: Path) -> None:
    data = forecast(tmp_path, start_time=3, unused="x")
    found = list(load_benchmark("futureomni").check(data))
    assert {problem.where for problem in found} == {str(data / "futureomni_test.json")}
    assert not [problem for problem in found if problem.kind == "span"]


def test_released_layouts_of_known_sets(tmp_path: Path) -> None:
    ask = {"question": "Why?", "candidates": ["A. x", "B. y"], "answer": "B", "task_type": "t"}
    world = tmp_path / "world"
    (world / "videos").mkdir(parents=True)
    (world / "videos" / "v1.mp4").write_bytes(head("v1.mp4"))
    (world / "worldsense_qa.json").write_text(json.dumps({"v1": {"video_id": "v1", "task0": ask}}))
    bench = own_questions("worldsense", {})
    assert bench is not None
    (item,) = bench.items(world)
    assert item.id == "worldsense/v1/task0" and item.target == "B" and files(item) == [("video", "videos/v1.mp4")]
    daily = tmp_path / "daily"
    (daily / "Videos" / "v1").mkdir(parents=True)
    for name in ("v1_video.mp4", "v1_audio.wav"):
        (daily / "Videos" / "v1" / name).write_bytes(head(name))
    row = {"Question": "q", "Choice": ["A. x", "B. y"], "Answer": "B", "video_id": "v1", "Type": "t"}
    (daily / "qa.json").write_text(json.dumps([row]))
    bench = own_questions("daily_omni", {})
    assert bench is not None
    (item,) = bench.items(daily)
    assert files(item) == [("video", "Videos/v1/v1_video.mp4"), ("audio", "Videos/v1/v1_audio.wav")]
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "mine.csv").write_text("a\n1\n")
    bench = own_questions("omnibench", {})
    assert bench is not None
    with pytest.raises(DataError, match="no question file of omnibench") as error:
        bench.mapping_lines(tmp_path / "empty")  # type: ignore[attr-defined]
    assert "mine.csv" in str(error.value)


def test_no_new_benchmark_has_the_name_of_a_known_one(tmp_path: Path) -> None:
    file = written(tmp_path, "q.jsonl", [{"question": "q", "answer": "x"}])
    for name in ("xmodbench", "omnibench"):
        with pytest.raises(SpecError, match="has this name already"):
            new_benchmark(name, opened(file), to=tmp_path)
