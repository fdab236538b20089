"""Questions that state their own reference answer, in many forms and languages; and stems that only look so."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from triptych import audit_data
from triptych.records import Finding

SOUNDS = ["a dog barking", "a car horn", "rain on a roof", "a door slamming", "a bell", "wind"]
LETTERS = "ABCD"
Write = Callable[[str, list[str], str], str]  # the question with its statement, from question, options and letter


def audited(
    folder: Path, write: Write, *, count: int = 40, seed: int = 1, keys: str = LETTERS, only: int | None = None
) -> list[Finding]:
    rng, rows = random.Random(seed), []
    for n in range(count):
        options, key = rng.sample(SOUNDS, 4), rng.choice(keys)
        question = f"What is heard in clip {n}?"
        if only is None or n < only:
            question = write(question, options, key)
        rows.append({"id": n, "question": question, **dict(zip(LETTERS, options, strict=True)), "answer": key})
    path = folder / "q.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return [f for f in audit_data(str(path)) if f.kind == "leak"]


FORMS = [
    "{question} (correct answer: {key})",
    "{question} The right answer is {key}.",
    "{question}\nAnswer: ({key})",
    "{question} ANSWER={key}",
    "{question} [Key: {key}]",
    "{question} {key} is correct.",
    "{question} The correct option is **{key}**",
    "{question} Answer: {text}",
    "{question} ({key})",
    "下列哪种声音出现？（{key}）",
    "{question}（答案：{key}）",
    "{question}正确答案是{key}。",
    "{question}【答案】{key}",
    "{question} 正解は{key}です",
    "{question} 정답: {key}",
    "{question} Richtige Antwort: {key}",
    "{question} La respuesta correcta: {key}",
    "{question} Réponse : {key}",
    "{question} La risposta è {key}",
    "{question} Resposta: {key}",
    "{question} Ответ: {key}",
    "{question} उत्तर: {key}",
    "{question} الإجابة: {key}",
    "Correct answer: {key}. {question}",
]


@pytest.mark.parametrize("form", FORMS)
def test_a_stated_answer_is_found(tmp_path: Path, form: str) -> None:
    def write(question: str, options: list[str], key: str) -> str:
        return form.format(question=question, key=key, text=options[LETTERS.index(key)])

    (one,) = audited(tmp_path, write)
    assert one.severity == "severe"
    assert "40 of 40 questions state their reference answer" in one.message


@pytest.mark.parametrize("mark", ["{} ✓", "{} (correct)", "{}（正确）"])
def test_a_marked_option_is_found(tmp_path: Path, mark: str) -> None:
    def write(question: str, options: list[str], key: str) -> str:
        options[LETTERS.index(key)] = mark.format(options[LETTERS.index(key)])
        return question

    (one,) = audited(tmp_path, write)
    assert "40 of 40 questions state their reference answer" in one.message


def test_a_few_stated_answers_are_a_warning(tmp_path: Path) -> None:
    (one,) = audited(tmp_path, lambda question, options, key: f"{question} The right answer is {key}.", only=3)
    assert (one.severity, one.rows) == ("warning", ("own-q/0", "own-q/1", "own-q/2"))
    assert "3 of 40 questions state" in one.message


def test_an_open_question_that_states_its_answer_is_found(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    cities = ["Paris", "Rome", "Berlin", "Madrid", "Vienna", "Oslo"]
    rows = [{"id": n, "question": f"Which city? (Answer: {city})", "answer": city} for n, city in enumerate(cities)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (one,) = [f for f in audit_data(str(path)) if f.kind == "leak"]
    assert one.severity == "severe" and "6 of 6 questions" in one.message


CLEAN = [
    "{question}",
    "{question}\nAnswer:",
    "{question} Answer with A, B, C or D.",
    "{question} The answer is one of (A) (B) (C) (D).",
    "Example: What is heard? A. rain B. a dog. Answer: B. {question}",
    "{question} 请选出正确答案。A项还是B项？",
    "{question} Answer: {other}",
    "Key of D major, plan B (B). {question}",
    "{question} Which answers are right?",
]


@pytest.mark.parametrize("form", CLEAN)
@pytest.mark.parametrize("keys", [LETTERS, "BBBBD"])
def test_other_questions_are_not_accused(tmp_path: Path, form: str, keys: str) -> None:
    rng = random.Random(5)

    def write(question: str, options: list[str], key: str) -> str:
        return form.format(question=question, other=rng.choice(keys))

    assert audited(tmp_path, write, count=60, seed=9, keys=keys) == []


@pytest.mark.parametrize("count", [4, 9, 60])
def test_a_letter_that_every_question_mentions_is_no_answer_if_it_is_always_correct(tmp_path: Path, count: int) -> None:
    """Files in which the correct option always comes first, with an example or a speaker (A) in every question."""
    for form in ("Example: 1+1? Answer: A. {question}", "{question} What does speaker (A) say?"):
        write: Write = lambda question, options, key, form=form: form.format(question=question)  # noqa: E731
        assert audited(tmp_path, write, count=count, keys="A") == []


def test_a_root_is_no_check_mark(tmp_path: Path) -> None:
    def write(question: str, options: list[str], key: str) -> str:
        options[:] = ["7", "14", "49", "98"]
        options[LETTERS.index(key)] = "7√2"
        return question

    assert audited(tmp_path, write) == []


EXAMPLES = {
    "one": "Question: Is snow white? Answer: yes\nQuestion: {question}\nAnswer:",
    "two": "Question: Is snow white? Answer: yes\nQuestion: Is snow black? Answer: no\nQuestion: {question}\nAnswer:",
}


def open_questions(folder: Path, forms: list[str], answers: list[str]) -> list[Finding]:
    path = folder / "q.jsonl"
    rows = [
        {"id": n, "question": form.format(question=f"Is a bell heard in clip {n}?", answer=answer), "answer": answer}
        for n, (form, answer) in enumerate(zip(forms, answers, strict=True))
    ]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return [f for f in audit_data(str(path)) if f.kind == "leak"]


@pytest.mark.parametrize("form", EXAMPLES)
@pytest.mark.parametrize("answers", [["yes", "no"], ["yes", "yes", "no"], ["yes"]])
@pytest.mark.parametrize("only", [1, 40])
def test_examples_in_open_questions_are_no_stated_answers(
    tmp_path: Path, form: str, answers: list[str], only: int
) -> None:
    forms = [EXAMPLES[form]] * only + ["{question}"] * (40 - only)
    drawn = ["yes", *random.Random(4).choices(answers, k=39)]
    assert open_questions(tmp_path, forms, drawn) == []


def test_stated_answers_of_two_kinds_are_found_in_open_questions(tmp_path: Path) -> None:
    (one,) = open_questions(tmp_path, ["{question} (answer: {answer})"] * 40, ["yes", "no"] * 20)
    assert one.severity == "severe" and "40 of 40 questions" in one.message


def test_one_open_question_that_states_its_answer_is_found(tmp_path: Path) -> None:
    names = [f"Straße {n}" for n in range(40)]
    (one,) = open_questions(tmp_path, ["{question} Answer: {answer}"] + ["{question}"] * 39, names)
    assert one.severity == "severe" and one.rows == ("own-q/0",)
