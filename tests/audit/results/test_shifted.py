"""Replies stored under the questions before or after their own; and clean replies, which are never accused of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

import pytest

from triptych import audit_run
from triptych.audit.results import shifted
from triptych.audit.results.shifted import MAX_LAG
from triptych.interchange.foreign import ForeignLog, ForeignSample, write_run
from triptych.records import Finding

NOUNS = ["dog", "horn", "rain", "door", "bell", "wind", "train", "glass"]
SENTENCES = {
    "en": "the {0} is heard before the {1} in street {2}",
    "zh": "在第{2}条街上先听到{0}再听到{1}",
}


def choices(count: int, rng: random.Random, *, same: bool = False) -> list[tuple[str, list[str], str]]:
    """Questions with four options each (the same ones in all questions if `same`), and their letters."""
    rows = []
    for n in range(count):
        options = [f"the {noun} in street {17 * n + 3}" for noun in rng.sample(NOUNS, 4)] if not same else NOUNS[:4]
        rows.append((f"What is heard in clip {n}?", options, rng.choice("ABCD")))
    return rows


def audited(folder: Path, rows: Sequence[tuple[str, list[str], str]], replies: Sequence[str | None]) -> list[Finding]:
    folder.mkdir(exist_ok=True)
    questions, predictions = folder / "q.csv", folder / "p.csv"
    lines = [",".join([str(n), question, *options, key]) for n, (question, options, key) in enumerate(rows)]
    letters = ["A", "B", "C", "D"][: len(rows[0][1])]
    questions.write_text("\n".join([",".join(["id", "question", *letters, "answer"]), *lines]), encoding="utf-8")
    given = [f'{n},"{reply}"' for n, reply in enumerate(replies) if reply is not None]
    random.Random(3).shuffle(given)  # the order of the questions counts, not that of the predictions
    predictions.write_text("\n".join(["id,reply", *given]), encoding="utf-8")
    return [f for f in audit_run([predictions], benchmark=str(questions)) if f.kind == "shifted"]


def moved(replies: Sequence[str | None], lag: int) -> list[str | None]:
    """Replies stored under the question `lag` earlier: reply n belongs to question n + lag."""
    return [replies[n + lag] if 0 <= n + lag < len(replies) else None for n in range(len(replies))]


def answered(rows: Sequence[tuple[str, list[str], str]], rng: random.Random, form: str, accuracy: float) -> list[str]:
    replies = []
    for _, options, key in rows:
        letter = key if rng.random() < accuracy else rng.choice("ABCD")
        replies.append(form.format(letter=letter, text=options["ABCD".index(letter)]))
    return replies


@pytest.mark.parametrize("read", [True, False])
def test_one_task_of_an_imported_log_is_examined_by_itself(tmp_path: Path, read: bool) -> None:
    """`read`: the log says what the harness extracted; HELM's doesn't, so the reply is read again."""
    rng = random.Random(5)
    samples = []
    for task in ("law", "business", "physics"):
        letters = rng.choices("ABCD", k=300)
        replies = [letter if rng.random() < 0.7 else rng.choice("ABCD") for letter in letters]
        stored = replies[-1:] + replies[:-1] if task == "law" else replies
        for n, (letter, reply) in enumerate(zip(letters, stored, strict=True)):
            more = {"read": reply} if read else {}
            score = {"acc": float(reply == letter)}
            samples.append(
                ForeignSample(f"id{n}", f"{task} {n}?", (letter,), reply=reply, scores=score, task=task, **more)
            )
    log = ForeignLog("lab-harness", "exam", "m-1", Path("log.json"), samples)
    (one,) = [f for f in audit_run([write_run(log, tmp_path / "run").path]) if f.kind == "shifted"]
    assert "the question 1 earlier" in one.message and one.rows == ("imported/law",)


@pytest.mark.parametrize("lag", [1, -1, 2, -3])
@pytest.mark.parametrize("form", ["{letter}", "{letter}. {text}", "I hear {text}."])
def test_shifted_replies_are_found(tmp_path: Path, form: str, lag: int) -> None:
    rng = random.Random(lag)
    rows = choices(120, rng)
    replies = answered(rows, rng, form, 0.75)
    assert audited(tmp_path / "clean", rows, replies) == []
    (one,) = audited(tmp_path / "moved", rows, moved(replies, lag))
    assert one.severity == "severe"
    assert f"the question {abs(lag)} {'later' if lag > 0 else 'earlier'}, not with their own" in one.message


@pytest.mark.parametrize("accuracy", [0.0, 0.25])
def test_words_of_another_question_are_found_whatever_the_accuracy(tmp_path: Path, accuracy: float) -> None:
    rng = random.Random(4)
    rows = choices(100, rng)
    (one,) = audited(tmp_path, rows, moved(answered(rows, rng, "{letter}. {text}", accuracy), -1))
    assert "the words of the replies agree with the question 1 earlier" in one.message


@pytest.mark.parametrize("language", SENTENCES)
def test_shifted_replies_to_open_questions_are_found(tmp_path: Path, language: str) -> None:
    rng = random.Random(5)
    texts = [SENTENCES[language].format(*rng.sample(NOUNS, 2), 31 * n) for n in range(60)]
    questions, clean, shifted_by_one = (tmp_path / name for name in ("q.csv", "clean.csv", "moved.csv"))
    questions.write_text(
        "\n".join(["id,question,answer", *(f"{n},What is said in {n}?,{t}" for n, t in enumerate(texts))])
    )
    said = [text.replace("the", "a").replace("听", "聽") + "!" for text in texts]
    clean.write_text("\n".join(["id,reply", *(f"{n},{text}" for n, text in enumerate(said))]))
    shifted_by_one.write_text("\n".join(["id,reply", *(f"{n + 1},{text}" for n, text in enumerate(said[:-1]))]))
    assert not [f for f in audit_run([clean], benchmark=str(questions)) if f.kind == "shifted"]
    (one,) = [f for f in audit_run([shifted_by_one], benchmark=str(questions)) if f.kind == "shifted"]
    assert "the replies agree with the question 1 earlier" in one.message


def test_replies_that_ignore_the_question_are_not_shifted(tmp_path: Path) -> None:
    """Always one letter, letters in turn, references in order of length: agreement may rise from lag to lag."""
    rng = random.Random(6)
    rows = choices(200, rng, same=True)
    assert audited(tmp_path, rows, ["A"] * 200) == []
    assert audited(tmp_path, rows, list(islice(cycle("ABCD"), 200))) == []
    ordered = sorted(rows, key=lambda row: row[2])
    assert audited(tmp_path, ordered, answered(ordered, rng, "{letter}", 0.9)) == []


@pytest.mark.parametrize(
    ("letters", "lag"), [("AB", 1), ("ABCD", 1), ("ABCD", 3), ("ABBA", 2)], ids=["wrong", "next", "third", "pairs"]
)
def test_references_that_repeat_tell_nothing_about_a_shift(tmp_path: Path, letters: str, lag: int) -> None:
    """All wrong, letters counted from the wrong one: with references in turn, they agree with another question."""
    keys = [letters[n % len(letters)] for n in range(81)]
    replies = [letters[(n + lag) % len(letters)] for n in range(81)]
    rows = [(f"What is heard in clip {n}?", NOUNS[: len(set(letters))], key) for n, key in enumerate(keys)]
    assert audited(tmp_path, rows, replies) == []


def test_open_references_that_repeat_tell_nothing_about_a_shift(tmp_path: Path) -> None:
    questions, predictions = tmp_path / "q.csv", tmp_path / "p.csv"
    lines = [f"{n},Is a bell heard in clip {n}?,{('yes', 'no')[n % 2]}" for n in range(60)]
    questions.write_text("\n".join(["id,question,answer", *lines]))
    predictions.write_text("\n".join(["id,reply", *(f"{n},{('no', 'yes')[n % 2]}" for n in range(60))]))
    assert not [f for f in audit_run([predictions], benchmark=str(questions)) if f.kind == "shifted"]


def keys_and_answers(rng: random.Random) -> tuple[list[str], list[str]]:
    """A clean Run: keys in various orders, answers of various accuracy and habit."""
    letters = "ABCDE"[: rng.choice([2, 3, 4, 5])]
    count, accuracy = rng.choice([25, 60, 200]), rng.choice([0.0, 0.25, 0.5, 0.8])
    keys = rng.choices(letters, k=count)
    order = rng.choice(["drawn", "sorted", "cycle"])
    keys = sorted(keys) if order == "sorted" else list(islice(cycle(letters), count)) if order == "cycle" else keys
    habit = rng.choice(["drawn", "one", "runs", "in turn" if order != "cycle" else "drawn"])
    answers: list[str] = []
    for index, key in enumerate(keys):
        other = {"drawn": rng.choice(letters), "one": letters[0], "in turn": letters[index % len(letters)]}.get(habit)
        other = other or (answers[-1] if answers and rng.random() < 0.7 else rng.choice(letters))
        answers.append(key if rng.random() < accuracy else other)
    return keys, answers


@pytest.mark.parametrize("level", [0.2, 0.05, 0.01])
def test_the_probability_of_accusing_clean_replies_is_at_most_the_stated_one(level: float) -> None:
    """Of clean Runs with 6 lags each, the share of lags with odds under a level is at most that level."""
    rng, under, runs = random.Random(7), 0, 200
    for _ in range(runs):
        keys, answers = keys_and_answers(rng)
        agreement = shifted.matching(answers, keys)
        odds = [shifted.odds_of(agreement, lag) for lag in range(-MAX_LAG, MAX_LAG + 1) if lag]
        under += sum(value < level for value in odds)
    assert under <= level * 2 * MAX_LAG * runs
    assert under > 0 or level < 0.2  # the simulation reaches the tail
