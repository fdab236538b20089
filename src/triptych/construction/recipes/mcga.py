"""MCGA: spoken classical Chinese. A table of works becomes recordings with six tasks.

After the paper's section 3: texts in the public domain are cleaned and cut into clips of at most 30 seconds; a model
writes question-answer pairs with the whole work as context; three models validate them; a man and a woman record each
clip, all clips of a work by the same two; two recognisers check the recordings; people review validation and test.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from triptych.benchmarks.mcga.names import DYNASTIES, GENRES, SPEECH_FORM, SPLITS
from triptych.construction.asking.prompt import Prompt, load_prompts
from triptych.construction.asking.questions import Ask, People, Result
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.people.stage import ask_people
from triptych.construction.recipe import Recipe, Start
from triptych.construction.record import Child, Maker, Outcome, Record, dropped, kept, revised, split
from triptych.construction.release.card import About
from triptych.construction.release.media import FileNames, refuse_reference_only
from triptych.construction.release.samples import Sample, write_samples
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.duplicates import near_duplicates
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.options import balance_keys, options
from triptych.construction.stages.recording import (
    ABOUT_READERS,
    age_fault,
    double_asr,
    one_clip_each,
    recording,
    same_pace,
    same_reader,
    take,
    takes,
)
from triptych.construction.stages.reviewing import people_of, review_stage
from triptych.construction.stages.rights import rights
from triptych.construction.stages.splits import split_records
from triptych.construction.stages.text import clean_text, clip_text, one_translation_each, pinyin
from triptych.construction.stages.validation import validated
from triptych.construction.tables import RowFaults, read_table
from triptych.construction.text_checks.absent_references import quotation_fault
from triptych.construction.text_checks.answers import options_fault, question_fault, same_question, script_fault
from triptych.construction.text_checks.classical.translations import other_date, pinyin_line, retelling, versions
from triptych.construction.text_checks.classical.words import translated_words
from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.makers.excuses import excuse_fault
from triptych.construction.text_checks.options.choices import Choice as Chosen
from triptych.construction.text_checks.options.choices import Limits, choice_fault, comparable_text
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import (
    EMOJI,
    in_language,
    plain_meaning,
    text_fault,
    translation_fault,
    wording_fault,
)
from triptych.errors import DataError

LANGUAGE = "zh"  # of questions, options and emotions
Task = Literal["asr", "s2tt", "sec", "sqa", "su", "sr"]
TASKS: tuple[Task, ...] = ("asr", "s2tt", "sec", "sqa", "su", "sr")
NAMES = ("title", "author", "genre", "dynasty", "text", "licence", "pinyin")
METADATA = {
    "title": "这段作品的题目是什么？",
    "author": "这个作品的作者是谁？",
    "dynasty": "这个作品所属的朝代是什么？",
    "genre": "这个作品的体裁是什么？",
}
LENGTH_RATIO = 2.0  # greatest ratio of the length of a correct option to that of the wrong ones
CONTENT = ("title", "author", "dynasty", "genre", "work_text", "text")
PERSONS = {"man": "男性", "woman": "女性"}
AGES = {"child": "儿童", "young": "青年", "middle-aged": "中年", "old": "老年"}
VALIDATORS = ("validator_a", "validator_b", "validator_c")
REVIEWED = ("val", "test")
HUB_NAMES = {"val": "validation"}  # names of splits that the Hugging Face Hub expects, where they are others

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The recipe's configuration.

    works             a table: id, title, author, genre, dynasty, text; optionally author_died, pinyin, licence, source
    year              the year in which rights are judged
    tasks             which of the six are made
    record            whether people record the clips; without it only the tasks about texts are written
    readers           `both`: a man and a woman read each clip, the same two for all clips of a work; `one`: one person
    double_asr        whether two recognisers check the recordings
    validate          whether three models validate the questions
    review            whether people review the questions of `val` and `test`
    at_least          how many of the three validators must agree
    least_score       the lowest score (1 to 5) of a recording of `val` and `test` that is released
    """

    works: str
    year: int
    name: str = "MCGA-like"
    licence: str = "cc-by-4.0"
    url: str = ""
    tasks: tuple[Task, ...] = TASKS
    record: bool = True
    readers: Literal["both", "one"] = "both"
    double_asr: bool = True
    validate: bool = True
    review: bool = True
    at_least: int = 3
    test_per_genre: int = 0
    least_score: int = 3


class Translation(msgspec.Struct):
    translation: str


class Emotion(msgspec.Struct):
    text: str
    emotion: str


class Caption(msgspec.Struct):
    overall: str
    sentences: list[Emotion]


class Choice(msgspec.Struct):
    question: str
    right: str
    wrong: list[str]


@stage(
    "work",
    version=1,
    reads=["text"],
    writes=["work", "work_text"],
)
def work(values: Values, context: Context) -> Outcome:
    """Keep the whole text: models that write questions see it, whichever clip they ask about."""
    return kept(work=values.id, work_text=values["text"])


class Tasks(Parameters, frozen=True):
    """Parameters of `tasks`."""

    tasks: Annotated[tuple[Task, ...], Meta(min_length=1, description="tasks that are made of each clip")] = TASKS


@stage("tasks", version=1, reads=["text"], writes=["task", "clip"], parameters=Tasks)
def tasks(values: Values, context: Context) -> Outcome:
    """Split a clip into one record per task."""
    return split([Child(task, {"task": task}) for task in context.parameters["tasks"]], {"clip": values.id})


@stage(
    "sqa",
    version=1,
    reads=["title", "author", "dynasty", "genre"],
    writes=["question", "answer", "shown"],
)
def sqa(values: Values, context: Context) -> Outcome:
    """Write a question that the metadata answers: title, author, dynasty or genre, drawn by the seed."""
    metadata = [name for name in METADATA if values[name] and values[name] not in ("佚名", "无名氏")]
    if not metadata:
        return dropped("no-metadata")
    name = context.random("sqa", values.id).choice(metadata)
    return kept(question=METADATA[name], answer=values[name], shown=f"{METADATA[name]} {values[name]}")


@stage(
    "one-question-each", version=3, kind="whole", reads=["work", "clip", "question", "options?", "answers?"], writes=[]
)
def one_question_each(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Drop a question that asks the same as another one about the same clip, or, with the same options, about another
    clip of the work."""
    of: dict[str, list[Values]] = {}
    of_work: dict[tuple[str, str, frozenset[str]], Values] = {}
    outcomes = []
    for values in records:
        earlier = of.setdefault(values["clip"], [])
        again = next((each for each in earlier if _asks_again(each, values)), None)
        if again is None and values["options"]:
            texts = frozenset(map(plain_meaning, values["options"]))
            first = of_work.setdefault((values["work"], plain_meaning(values["question"]), texts), values)
            again = None if first.id == values.id else first
        if again is None:
            earlier.append(values)
        outcomes.append(dropped("repeated-question", f"{again.id} asks it already") if again else kept())
    return outcomes


def _asks_again(one: Values, other: Values) -> bool:
    answers = [each["options"][each["answers"][0]] if each["options"] else "" for each in (one, other)]
    return same_question(one["question"], other["question"], *answers)


@stage("letters", version=1, reads=["question", "options", "answers"], writes=["question", "answer"])
def letters(values: Values, context: Context) -> Outcome:
    """Write the question with its lettered options as one text, as in the released files."""
    lines = [f"{letter}. {option}" for letter, option in zip("ABCD", values["options"], strict=True)]
    return kept(
        question="\n".join([f"问题：{values['question']}", *lines, "答案："]), answer="ABCD"[values["answers"][0]]
    )


def stages(config: Config) -> list[Stage]:
    """Return the stages, in order."""
    made = [
        rights.with_(year=config.year),
        clean_text,
        work,
        clip_text,
        near_duplicates,
        pinyin,
        tasks.with_(tasks=tuple(config.tasks)),
        sqa.only(task=["sqa"]),
        _stage_of("s2tt", PROMPTS["s2tt"], Translation, _translated, ["answer", "shown"]),
        one_translation_each.only(task=["s2tt"]),
        _stage_of("su", PROMPTS["su"], Choice, _chosen, ["question", "options", "answers", "shown"]),
        _stage_of("sr", PROMPTS["sr"], Choice, _chosen, ["question", "options", "answers", "shown"]),
        options.only(task=["su", "sr"]),
        one_question_each.only(task=["su", "sr"]),
    ]
    if config.validate:
        made.append(trio_of("validate", config).only(task=["s2tt", "su", "sr"]))
    made += [balance_keys.only(task=["su", "sr"]), unguessable.only(task=["su", "sr"])]
    if config.record:
        made += [
            ask_people(
                "record",
                RECORD if config.readers == "both" else RECORD_ONE,
                version=6,
                reads=["clip", "title", "author", "text", "pinyin"],
                writes=["audio", "gender", *ABOUT_READERS, "speaker", "recording"],
                about="People read each clip aloud and record it.",
            ),
            recording,
            one_clip_each,
            same_pace,
            *([GENDER] if config.review else []),
            same_reader,
            *([double_asr()] if config.double_asr else []),
            _stage_of("sec", PROMPTS["sec"], Caption, _captioned, ["sec_2", "sec_3", "shown"], ["gender"]),
        ]
        if config.validate:
            made.append(trio_of("validate-sec", config).only(task=["sec"]))
    equal = {"equal_in": "test", "equal_count": config.test_per_genre} if config.test_per_genre else {}
    made += [group_clips_of_work, split_records.with_(names=SPLITS, **equal)]
    if config.review:
        if config.record:
            made.append(inspect.with_(least_score=config.least_score).only(split=REVIEWED))
        choice = {"task": ["su", "sr"], "split": REVIEWED}
        made += [ask_once.only(split=REVIEWED), review_order.only(**choice), answer_shown.only(**choice)]
        made += [
            _review("review").only(split=REVIEWED, task=["s2tt", "sqa", "su", "sr"]),
            _review_captions().only(split=REVIEWED, task=["sec"]),
            balance_keys.named("balance-reviewed").only(**choice),
        ]
    if config.record or config.review:  # these drop questions, and chance's band is narrower for fewer
        made.append(unguessable.named("still-unguessable").only(task=["su", "sr"]))
    made.append(letters.only(task=["su", "sr"]))
    return [each for each in made if not each.where.get("task") or set(each.where["task"]) & set(config.tasks)]


@stage("together", version=1, reads=["work", "genre"], writes=["keep_together", "stratum"])
def group_clips_of_work(values: Values, context: Context) -> Outcome:
    """Put all clips of a work into one split, with similar genres in all splits."""
    return kept(keep_together=[f"work:{values['work']}"], stratum=values["genre"])


RECORD = People(
    {"audio": "media", "gender": ["man", "woman"], "age": [*AGES], "years": "text", "major": "text"},
    "Read the text aloud in a tone that matches its emotion, in a quiet room, in at most 30 seconds. The pinyin of "
    "every character is given. One man and one woman record each clip, and the same two all clips of a work.",
    people=2,
    decide=takes,
    shows=("title", "author", "text", "pinyin"),
    per="clip",
    checks=lambda values: {"check": "reader"},
    guides={
        "zh": "请在安静的环境中，以符合文本情感的语气朗读，时长不超过 30 秒。每个字均标有拼音。"
        "每个片段由一位男士和一位女士分别录制，同一作品的所有片段由同样的两人录制。"
    },
)
RECORD_ONE = replace(
    RECORD,
    guide=RECORD.guide.partition(" One man")[0],
    people=1,
    decide=take,
    guides={"zh": RECORD.guides["zh"].partition("每个片段")[0]},
)


def _inspected(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Keep a recording that a person finds good enough; the score holds for all tasks that use it."""
    form_values, least_score = results[0].values, context.parameters["least_score"]
    if form_values["score"] < least_score:
        parts = [
            f"{form_values['score']} of 5, at least {least_score}",
            *(str(form_values[n]) for n in ("fault", "why") if form_values.get(n)),
        ]
        return dropped("recording-rejected", "; ".join(parts))
    return kept(score=form_values["score"], inspected_by=results[0].person)


class Inspection(Parameters, frozen=True):
    """Parameters of `inspect`."""

    least_score: Annotated[int, Meta(ge=0, le=5, description="lowest score, of 5, of a recording that is used")] = 3


inspect: Stage = ask_people(
    "inspect",
    People(
        {
            "score": {"type": "integer", "minimum": 1, "maximum": 5},
            "fault": ["pronunciation", "noise", "wrong text", "other"],
            "why": "text",
        },
        "Listen while you read the text, and score the recording from 1 (unusable) to 5 (clean, every word correct). A "
        "recording with a pronunciation error or background noise gets 1 or 2, and isn't used. Your score holds for "
        "all questions about this recording.",
        decide=_inspected,
        shows=("title", "author", "text", "pinyin", "audio"),
        per="recording",
        aside=("score",),
        checks=lambda values: {"not_by": [values["speaker"]] if values["speaker"] else []},
        guides={
            "zh": "请边听录音边对照文本，并为录音打分：1 表示无法使用，5 表示清晰且每个字都正确。"
            "有读音错误或背景噪声的录音请打 1 或 2 分，将不予采用。您的打分适用于该录音的所有题目。"
        },
    ),
    version=3,
    reads=["title", "author", "text", "pinyin", "audio", "recording", "speaker?"],
    writes=["score", "inspected_by"],
    about="People listen to each recording of `val` and `test` once, for all of its tasks.",
    parameters=Inspection,
)


def _gender_by_readers(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    gender = results[0].values["gender"]
    if gender == values["gender"]:
        return kept(gender_doubtful=False)
    return revised("gender-corrected", {"gender": gender, "gender_doubtful": False}, f"stated: {values['gender']}")


GENDER = ask_people(
    "gender",
    People(
        {"gender": ["man", "woman"], "why": "text"},
        "The pitch of this voice isn't usual for the gender that its reader stated. Listen: who reads?",
        decide=_gender_by_readers,
        shows=("audio", "gender", "pitch_hz"),
        per="recording",
        aside=("why",),
        guides={"zh": "该录音的音高与朗读者所填性别不太相符。请听录音：朗读者是男性还是女性？"},
    ),
    version=1,
    reads=["audio", "gender", "pitch_hz", "recording"],
    writes=["gender", "gender_doubtful"],
    about="People listen to recordings whose pitch doesn't fit the stated gender.",
).only(gender_doubtful=[True])


@stage("review-order", version=1, reads=["options", "answers", "asked_about"], writes=["options", "answers"])
def review_order(values: Values, context: Context) -> Outcome:
    """Put the options into an order drawn for this question alone, so that a review of it stays valid whatever happens
    to other questions."""
    places = sorted(range(len(values["options"])), key=lambda index: values["options"][index])
    context.random("review-order", values["asked_about"]).shuffle(places)
    answers = [number for number, position in enumerate(places) if position in values["answers"]]
    return kept(options=[values["options"][index] for index in places], answers=answers)


@stage("answer-shown", version=1, reads=["options", "answers"], writes=["answer"])
def answer_shown(values: Values, context: Context) -> Outcome:
    """The correct option as text, for people who review the question."""
    return kept(answer=Chosen(tuple(values["options"]), tuple(values["answers"])).text)


@stage("ask-once", version=1, reads=["task", "clip", "recording?"], writes=["asked_about"])
def ask_once(values: Values, context: Context) -> Outcome:
    """Name what a review is about: a question that is read by several people is reviewed once, a caption of a recording
    for each recording."""
    of = values["recording"] if values["task"] == "sec" else None
    return kept(asked_about=f"{of or values['clip']}/{values['task']}")


def _review(name: str) -> Stage:
    """Return the review of questions, answers and options; recordings are inspected by themselves."""
    return review_stage(
        name,
        {"question": "text", "options": "list", "answer": "text"},
        {"fault": ["answer", "ambiguous", "language", "other"], "why": "text"},
        "Read the text and the question. Is the answer correct, are the other options wrong, and is a translation true "
        "to the text? Approve, edit or reject. Another answer to a question with options is a letter or the text of an "
        "option.",
        reads=["task", "text", "question?", "options?", "answers?", "answer", "asked_about"],
        shows=("task", "text", "question", "options", "answer"),
        per="asked_about",
        guides={
            "zh": "请阅读文本与题目：答案是否正确，其他选项是否错误，译文是否忠实？然后选择通过、修改或退回。"
            "选择题若答案有误，请填写正确选项的字母或文本。"
        },
        about="People approve, edit or reject the questions of `val` and `test`, each once for all of its recordings.",
        checks=_question_checks,
    )


CLASSICAL = {"check": "classical-translation"}


def _question_checks(values: Values) -> dict[str, Any]:
    """Return the checks of an edited question or translation, which are those of the maker's texts."""
    if values["task"] == "s2tt":
        return {
            "languages": {"answer": "en"},
            "sources": {"answer": "text"},
            "distinct": {"answer": "s2tt"},
            **CLASSICAL,
        }
    languages = dict.fromkeys(("question", "options", "answer"), "zh")
    return {"languages": languages, "length_ratio": LENGTH_RATIO, "distinct": {"question": values["text"]}}


REVIEW = people_of(_review("review"))


def _review_captions() -> Stage:
    """Return the review of captions of emotions, about the recording that they describe."""
    return review_stage(
        "review-sec",
        {"gender": [*PERSONS], "age": [*AGES], "sec_2": "text", "sec_3": "text"},
        {"fault": ["persona", "emotion", "sentence missing", "another text", "other"], "why": "text"},
        "Listen and read the caption: gender and age of the voice (sec_1), the emotion of the whole (sec_2), and each "
        "sentence of the text with its emotion (sec_3: `sentence|emotion`, one a line). Approve, edit or reject.",
        reads=["text", "sec_2", "sec_3", "gender", "age?", "audio", "asked_about"],
        shows=("text", "gender", "age", "sec_2", "sec_3", "audio"),
        per="asked_about",
        guides={
            "zh": "请听录音并阅读说明：朗读者的性别与年龄（sec_1）、整体情感（sec_2），"
            "以及逐句情感（sec_3：每行“句子|情感”）。请选择通过、修改或退回。"
        },
        checks=lambda values: {"check": "caption"},
        about="People approve, edit or reject the captions of `val` and `test`.",
    )


def caption_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a caption after an edit."""
    lines = [line.rpartition("|") for line in str(values["sec_3"]).split("\n") if line.strip()]
    read = [(text.strip(), emotion.strip()) for text, _, emotion in lines]
    if fault := caption_fault(values["text"], str(values["sec_2"]), read):
        yield f"sec_2 and sec_3: {fault[0]}: {fault[1]}"


def trio_of(name: str, config: Config) -> Stage:
    """Return the stage in which three models validate what was written about a clip."""
    reads = [*CONTENT, "task", "shown"]
    return validated(name, PROMPTS["validate"], reads, VALIDATORS, at_least=config.at_least)


def _stage_of(
    task: str, prompt: Prompt, reply: type, decide: Any, writes: Sequence[str], more: Sequence[str] = ()
) -> Stage:
    """Return a stage in which the maker writes one task's content."""
    reads = [*CONTENT, *more]
    asking = Ask(prompt, decide, reply, settings={"temperature": 0}, repaired=True)
    made = ask(task, asking, version=10, reads=reads, writes=writes, about=f"The maker writes {task}.")
    return made.only(task=[task])


def _translated(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    text = replies["maker"].translation.strip()
    if fault := _translation_fault(text, values["text"]):
        return dropped(*fault)
    return kept(answer=text, shown=text)


def _translation_fault(text: str, source: str) -> tuple[str, str] | None:
    """Return what is wrong with an English translation of a classical text; None if nothing is."""
    if fault := text_fault(text):
        return fault
    if not text:
        return "not-translated", "translate the whole text into English"
    if left := re.findall("[\u3400-\u9fff]+", text):
        return "not-translated", f"translate the whole text into English, {left[0][:20]!r} too"
    if label := versions(text):
        return "not-the-text-alone", f"write one translation, without {label!r}"
    if fault := translation_fault(text, source):
        return fault
    if not in_language(text, "en"):
        return "wrong-language", "translate the text into English"
    if telling := retelling(text):
        return "not-translated", f"translate what the text says; {telling!r} is about the text"
    if spelled := pinyin_line(text):
        return "not-translated", f"translate the whole text into English, {spelled[:30]!r} too"
    if lacking := translated_words(source, text):
        return "translation-of-another-text", f"translate this text: nothing stands for {'、'.join(lacking[:6])}"
    return other_date(source, text)


def translation_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a translation after an edit."""
    if "answer" in checks["changed"] and (fault := _translation_fault(str(values["answer"]).strip(), values["text"])):
        yield f"answer: {fault[0]}: {fault[1]}"


def reader_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with what a reader says about themselves."""
    if fault := age_fault(values.get("years")):
        yield fault


def _chosen(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    made = [reply.right.strip(), *(wrong.strip() for wrong in reply.wrong)]
    limits = Limits(4, 4, length_ratio=LENGTH_RATIO)
    if not reply.question.strip():
        return dropped("no-question", "the question is empty")
    if fault := choice_fault(reply.question, made, [0], limits) or wording_fault(reply.question, made):
        return dropped(*fault)
    fault = question_fault(reply.question, LANGUAGE) or options_fault(reply.question, made, LANGUAGE)
    if fault := fault or script_fault([reply.question, *made], values["text"]):
        return dropped(*fault)
    if fault := quoted_line_fault(reply.question, f"{values['title']}\n{values['work_text']}"):
        return dropped(*fault)
    shown = f"{reply.question}\n正确：{made[0]}\n错误：{'；'.join(made[1:])}"
    return kept(question=reply.question.strip(), options=made, answers=[0], shown=shown)


@reads_shortened
def quoted_line_fault(question: str, work: str) -> tuple[str, str] | None:
    """Return the fault that a question quotes a line of the work that the work lacks; None if there is none.

    Only quotations that the question calls a line or a passage count: terms are in quotation marks too, and so are
    lines of other works to which it is compared.

    >>> quoted_line_fault("“青青子衿，悠悠我心”一句中的“子”指谁？", "关关雎鸠，在河之洲。")[0]
    'quotation-not-in-text'
    >>> quoted_line_fault("这首诗如何“借景抒情”？", "关关雎鸠，在河之洲。")
    """
    if _OF_ANOTHER_WORK.search(question):
        return None
    return next(filter(None, (quotation_fault(match[1], work) for match in _QUOTED_LINE.finditer(question))), None)


_OF_ANOTHER_WORK = re.compile(
    r"相比|比较|比較|类似|類似|相似|异曲同工|異曲同工|化用|出自|典故|联想|聯想|令人想起|另一|其他|不同于"
)
_QUOTED_LINE = re.compile(
    r"(“[^“”]+”|「[^「」]+」|『[^『』]+』)\s*(?=(?:这|這|此|该|該)?(?:一|两|兩|二|三|四|几|幾)?(?:句|联|聯|诗句"
    r"|詩句|词句|詞句)"
    r"|(?:之)?[中里裡](?:的|，|,|“|「))"
)


def _captioned(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    lines = [(each.text.strip(), each.emotion.strip()) for each in reply.sentences]
    if fault := caption_fault(values["text"], reply.overall.strip(), lines):
        return dropped(*fault)
    listed = "\n".join(f"{text}|{emotion}" for text, emotion in lines)
    return kept(sec_2=reply.overall.strip(), sec_3=listed, shown=f"{reply.overall.strip()}\n{listed}")


def caption_fault(text: str, overall: str, lines: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the first fault of a caption: its sentences must be those of the text, all of them and in order.

    >>> caption_fault("去日苦多。", "悲凉。", [("床前明月光", "思念")])
    ('caption-of-another-text', "'床前明月光' isn't the next part of the text")
    """
    if not overall or not lines or any(not (text and emotion) or "\n" in text + emotion for text, emotion in lines):
        return "malformed-caption", "it needs an emotion of the whole, and of each sentence in a line of its own"
    rest = comparable_text(text)
    for sentence, emotion in lines:
        if not comparable_text(sentence) or not rest.startswith(comparable_text(sentence)):
            return "caption-of-another-text", f"{sentence[:40]!r} isn't the next part of the text"
        rest = rest[len(comparable_text(sentence)) :]
        if comparable_text(emotion) == comparable_text(sentence):
            return "no-answer", f"{emotion[:40]!r} is the sentence, not its emotion"
        if fault := _emotion_fault(emotion):
            return fault
    if rest:
        return "caption-incomplete", f"there is no emotion for {rest[:40]!r}"
    return _emotion_fault(overall)


# Words in place of an emotion
_NO_EMOTION = re.compile(
    r"\W*(?:(?:情[感绪]|语气)?[:：]?(?:无法|不能|难以|未能|没法)?(?:判断|确定|识别|分辨|辨别)不?[出了清]?|(?:听|看"
    r"|说|分辨|判断)不(?:出来?|清楚?|准)"
    r"|不(?:清楚|明|详|确定|知道)|未知|没有?(?:明显)?(?:的)?(?:情[感绪]|感情)|情[感绪]|感情|待定|其他|emotions?"
    r"|none|unknown|unclear)\W*",
    re.IGNORECASE,
)
_POINTS_ELSEWHERE = re.compile(r"\W*(?:同[上前]|如[上前]|见[上前]|略|无|n/?a|same as above|see above)\W*", re.I)

# A probability, share or number of points behind an emotion
_SCORED = re.compile(
    r"[(（\[【]\s*\d+(?:\.\d+)?\s*[%％分/]?\d*\s*[)）\]】]|\d+(?:\.\d+)?\s*[%％]|[:：=]\s*\d+(?:\.\d+)?|\d\.\d+"
    r"|\d\s*[分级星]\b"
)


def _emotion_fault(text: str) -> tuple[str, str] | None:
    """Return what is wrong with an emotion in words; None if nothing is."""
    if _POINTS_ELSEWHERE.fullmatch(text):
        return "no-answer", f"{text.strip()!r} names no emotion"
    if fault := text_fault(text):
        return fault
    if _NO_EMOTION.fullmatch(text):
        return "no-answer", f"{text.strip()[:20]!r} names no emotion"
    if emoji := EMOJI.search(text):
        return "emoji", f"write the emotion in words, without {emoji[0]!r}"
    if fault := excuse_fault(text) or chatter_fault(text):
        return fault
    if scored := _SCORED.search(text):
        return "not-the-text-alone", f"write the emotion in words, without {scored[0].strip()!r}"
    if not in_language(text, LANGUAGE):
        return "wrong-language", f"{text.strip()[:40]!r} is not in the language {LANGUAGE}"
    return None


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    """Yield the works of the table."""
    path = base / config.works
    faults = RowFaults()
    columns = ["title", "author", "genre", "dynasty", "text"]
    for number, row in enumerate(read_table(path, ["id"], columns, faults), 1):
        died, year = row.get("author_died"), None
        with faults.row():
            try:
                year = int(died) if died not in (None, "") else None
            except ValueError:
                raise DataError("author_died must be a year", where=f"{path}, row {number}", got=died) from None
            if row and (row.get("dynasty") in GENRES or row.get("genre") in DYNASTIES):
                raise DataError(
                    "genre and dynasty are exchanged",
                    where=f"{path}, row {number}",
                    got=f"genre {row.get('genre')!r}, dynasty {row.get('dynasty')!r}",
                    expected=f"a genre such as {', '.join(GENRES)}",
                )
        if not row:
            continue
        fields: dict[str, Any] = {name: row.get(name) or None for name in NAMES}
        fields |= {"author_died": year}
        maker = Maker("source", row.get("source") or config.works, f"row={number}")
        stated_fields = {name: value for name, value in fields.items() if value is not None}
        yield Start(Record(str(row["id"]), stated_fields, (f"work:{row['id']}",)), dict.fromkeys(stated_fields, maker))
    faults.check()


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    """Write `MCGA_TASK_SPLIT.jsonl` and `audio/`, as released; `samples.jsonl` lists the record of each question."""
    (out / "audio").mkdir()
    names = FileNames()
    samples, recordings = [], dict[str, Any]()
    for task in config.tasks:
        for name in SPLITS:
            matching_records = [r for r in records if (r.fields["task"], r.fields["split"]) == (task, name)]
            rows = [_row(record, out, context, names) for record in matching_records]
            for r, row in zip(matching_records, rows, strict=True):
                if "audio" in row:  # a caption's reviewer may have corrected who reads
                    facts = _recording(row["audio"], r)
                    recordings[row["audio"]] = facts if task == "sec" else recordings.get(row["audio"], facts)
            if rows:
                lines = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
                (out / f"MCGA_{task}_{name}.jsonl").write_bytes(lines)
            samples += [
                Sample(item, r.id) for r, row in zip(matching_records, rows, strict=True) for item in _items(task, row)
            ]
    write_samples(out, samples)
    if readers := readers_of(records):
        (out / "readers.json").write_bytes(msgspec.json.format(msgspec.json.encode(readers), indent=1) + b"\n")
    if any("score" in each for each in recordings.values()):
        lines = b"".join(msgspec.json.encode(recordings[name]) + b"\n" for name in sorted(recordings))
        (out / "recordings.jsonl").write_bytes(lines)


def readers_of(records: Sequence[Record]) -> dict[str, Any]:
    """Return how many people read, by gender, age of the voice, age in years and major, each person once; empty if
    nobody recorded. What a person said most often counts; `not stated` if they said nothing."""
    readers: dict[str, dict[str, Counter[str]]] = {}
    for record in records:
        values = record.fields
        if not (values.get("speaker") and values.get("audio")):
            continue
        speaker_counts = readers.setdefault(values["speaker"], {name: Counter() for name in ("gender", *ABOUT_READERS)})
        for name, counts in speaker_counts.items():
            if values.get(name):
                counts[str(values[name]).strip()] += 1
    if not readers:
        return {}
    made: dict[str, Any] = {"readers": len(readers)}
    for name in ("gender", *ABOUT_READERS):
        usual = (
            counts_of_reader[name].most_common(1)[0][0] if counts_of_reader[name] else "not stated"
            for counts_of_reader in readers.values()
        )
        made[name] = dict(sorted(Counter(usual).items()))
    return made


def _recording(audio: str, record: Record) -> dict[str, Any]:
    """Return what is known of a recording: length, level, score of the person who inspected it, error rates."""
    values = record.fields
    facts = {name: values.get(name) for name in ("gender", "age", "seconds", "level_db", "score", "cer")}
    return {"audio": audio, "split": values["split"], **{n: v for n, v in facts.items() if v is not None}}


def _items(task: Task, row: Mapping[str, Any]) -> list[str]:
    """Return the Items of a row: in speech, and in its text form if the task has one."""
    name = row["audio"].rpartition(".")[0] if "audio" in row else row["id"]
    return [f"mcga/{form}/{name}" for form in (task, *(f for f, speech in SPEECH_FORM.items() if speech == task))]


def _row(record: Record, out: Path, context: Context, names: FileNames) -> dict[str, Any]:
    """Return a row; its id is `WORK-CLIP`, as released, so that a clip's work is known."""
    values, task = record.fields, record.fields["task"]
    refuse_reference_only(record.id, values, "the text of a work")
    row = {"id": names.claim_name(values["clip"].replace("/", "-"), values["clip"])}
    if "audio" in values:
        name = f"{values['recording'].replace('/', '-')}.{values['audio'].rpartition('.')[2]}"
        row["audio"] = names.claim_name(f"audio/{name}", values["audio"])
        if not (out / row["audio"]).exists():
            context.media.release(values["audio"], out / row["audio"])
    row |= {"split": values["split"], "genre": values["genre"], "dynasty": values["dynasty"], "asr": values["text"]}
    columns: dict[str, dict[str, Any]] = {
        "asr": {},
        "s2tt": {"s2tt": values.get("answer")},
        "sec": {"sec_1": _persona(values), "sec_2": values.get("sec_2"), "sec_3": values.get("sec_3")},
    }
    return row | columns.get(task, {task: values.get("question"), f"{task}_a": values.get("answer")})


def _persona(values: Mapping[str, Any]) -> str:
    """Return `一位女性，青年。`; without the age if it isn't known."""
    if "gender" not in values:
        return ""
    age = f"，{AGES[values['age']]}" if values.get("age") else ""
    return f"一位{PERSONS[values['gender']]}{age}。"


def describe_output(config: Config, out: Path) -> About:
    """Return the content of the data card."""
    tables: dict[str, dict[str, str]] = {}
    for path in sorted(out.glob("MCGA_*_*.jsonl")):
        _, task, name = path.stem.split("_")
        tables.setdefault(task, {})[HUB_NAMES.get(name, name)] = path.name
    return About(
        config.name,
        "Classical Chinese literature read aloud in Mandarin, with up to six tasks: recognition, translation, emotion, "
        "and questions about metadata, meaning and reasoning; in the format of MCGA.",
        config.licence,
        ("zh", "en"),
        tables,
        url=config.url,
        notes=(*_notes(config), *_describe_readers(out)),
    )


def _describe_readers(out: Path) -> Iterator[str]:
    """Yield who the readers are, in numbers."""
    path = out / "readers.json"
    if not path.is_file():
        return
    readers = msgspec.json.decode(path.read_bytes())
    names = {"gender": "gender", "age": "age of the voice", "years": "age in years", "major": "major"}
    texts = [
        f"{heading}: " + ", ".join(f"{value} {count}" for value, count in readers[name].items())
        for name, heading in names.items()
        if set(readers[name]) != {"not stated"}
    ]
    yield f"Readers: {readers['readers']}. " + "; ".join(texts) + "."


def _notes(config: Config) -> Iterator[str]:
    yield (
        "Answers to sqa come from the works' metadata; the other tasks were written by the maker"
        + (" and validated by models." if config.validate else ", and no model validated them.")
    )
    if config.record and config.review:
        yield (
            "`recordings.jsonl` has the length, level and error rate of each recording, and for val and test the score "
            f"(1 to 5) that a listener gave; those below {config.least_score} are left out."
        )
    yield "sec_1 holds the reader's gender, and the age if the reader stated it."
    if config.record and not config.double_asr:
        yield "No recogniser checked the recordings."
    if not config.review:
        yield "Nobody reviewed the questions of val and test."


RECIPE = Recipe(
    "mcga",
    1,
    "Spoken classical Chinese: works become clips, recordings and six tasks.",
    Config,
    start,
    stages,
    write,
    {
        "maker": "writes translations, captions and questions",
        "validator_a": "validates",
        "validator_b": "validates",
        "validator_c": "validates",
        "asr_a": "transcribes recordings",
        "asr_b": "transcribes recordings",
    },
    describe_output,
    examples=[{"works": "works.csv", "year": 2026}],
)
