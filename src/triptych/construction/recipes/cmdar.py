"""CMDAR: reasoning over recordings. Films or long recordings become questions with one, several or open answers.

After section 3.2 and appendices D and E of the paper: clips of 20 to 40 seconds; people choose scenes; speech
recognition, and descriptions of sound and picture; questions, distractors and reasoning chains by a model; questions
must be answerable from the recording; experts review twice; categories are balanced.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from triptych.benchmarks.cmdar.rows import CATEGORIES as GROUPS
from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask, People, Result
from triptych.construction.asking.stage import Repaired, ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.people.stage import ask_people
from triptych.construction.recipe import Recipe, Start, without_file
from triptych.construction.record import Child, Maker, Outcome, Record, dropped, kept, split
from triptych.construction.release.card import About
from triptych.construction.release.media import ReleasedMedia
from triptych.construction.release.samples import Sample, write_samples
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.clips import clip_sound, clips, one_sound_each, pairs
from triptych.construction.stages.describing import describe_audio, describe_video, one_transcript_each, transcribe
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.judging import options_judged, pair_judged, safe
from triptych.construction.stages.options import balance_keys, options
from triptych.construction.stages.quotas import quotas
from triptych.construction.stages.reviewing import people_of, review_stage
from triptych.construction.stages.rights import rights
from triptych.construction.stages.speakers import speakers, voices
from triptych.construction.stages.talks import SOUNDS, VIDEOS
from triptych.construction.stages.validation import validated
from triptych.construction.tables import read_table
from triptych.construction.text_checks.absent_references import quotation_fault, time_fault
from triptych.construction.text_checks.answers import (
    answer_fault,
    number_asked_for,
    options_fault,
    question_fault,
    same_question,
    script_fault,
)
from triptych.construction.text_checks.options.choices import Choice, Limits, choice_fault, comparable_text
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import Fault, text_fault, wording_fault
from triptych.errors import DataError, MediaError

LANGUAGE = "zh"
MAX_QUESTIONS = 3  # of a clip, as the prompt asks for
PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))
Task = Literal["main", "multi", "open"]
CATEGORIES: dict[str, tuple[str, ...]] = {
    "main": (
        "人物身份关联任务",
        "社交意图推理任务",
        "事件因果推理任务",
        "事件顺序推理任务",
        "场景定位任务",
        "场景变化（切换）推理任务",
        "场景要素识别",
        "异常检测与安全任务",
        "时间推理任务",
    ),
    "multi": ("情节发展推理任务", "连续场景推理任务", "多角色互动推理任务"),
    "open": ("人物关系与社交推理类", "事件推理类", "场景理解类", "异常检测与安全任务", "时间推理任务"),
}
# Appendix E: no mention of a video or a description. `描述` as a verb ("best describes") names none.
BANNED = ("视频", "video", "Video", "description", "Description")
_DESCRIPTION = re.compile(
    r"(?:音频|视频|画面|文字|录音|声音|给出的?|提供的?)描述(?:中|里|提到|显示|表明|指出|可知|来看|[，,。；;）)]|$)"
    r"|(?:根据|结合|依据|按照|基于|见|参考|参照)(?:上述|以上|给出的?|提供的?|音频|视频|画面|文字|录音)?描述"
)
# A video that is part of what happens
_VIDEO_IN_SCENE = re.compile(
    r"(?:短|告别|监控|演示|宣传)视频|视频(?:博客|网站|平台|通话|会议|电话|聊天|创作|博主|剪辑|直播)"
)
PLAYABLE = (*SOUNDS, *VIDEOS)
TEXTS = ("transcript", "audio_description")
OTHER = ("transcript_other", "audio_description_other", "video_description_other?")
LENGTH_RATIO = 2.0  # greatest ratio of the length of a correct option to that of the wrong ones
TIMES = ("begin?", "end?", "begin_other?", "end_other?")  # of the recordings in their films, in seconds
SHOWN = ("task", "question", "options", "answer", "category", "category_choices", "reasoning", "audio", "audio_other")


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The recipe's configuration.

    recordings   a table: id, path; optionally title, genre, licence, consent, author_died, source; `story`: recordings
                 with the same story belong together, and their clips may become pairs; or a folder, whose recordings
                 and films are taken in the order of their names
    common       columns that apply to all recordings: { licence = "cc-by-4.0" }
    choose       `people` choose complex, changing scenes; `all` takes every clip
    describe_video  whether a model describes the pictures too (films)
    speakers     whether speakers are found, with the weights of [stages.voices]; the clips of a pair then share one
    tasks        which of main, multi, open are made
    confirm_pairs, in_audio, review, second_review, blind: which of these steps are carried out
    judge        whether the model `judge` checks safety, options and questions about pairs
    listen       whether `maker` and `validator` receive the recording (and the film, with describe_video); false for
                 models that take text alone, which then see only the transcript and the descriptions
    """

    recordings: str
    common: dict[str, str] = {}
    year: int = 0
    name: str = "CMDAR-like"
    licence: str = "cc-by-4.0"
    url: str = ""
    tasks: tuple[Task, ...] = ("main", "multi", "open")
    choose: Literal["people", "all"] = "people"
    describe_video: bool = False
    speakers: bool = False
    confirm_pairs: bool = True
    in_audio: bool = True
    review: bool = True
    second_review: bool = True
    blind: bool = True
    judge: bool = False
    listen: bool = True


class Question(msgspec.Struct):
    question: str
    category: str
    answer: str
    reasoning: str = ""


class Three(msgspec.Struct):
    questions: list[Question]


class Distractors(msgspec.Struct):
    distractors: list[str]


class Option(msgspec.Struct):
    text: str
    right: bool
    needs: Literal["first", "second", "both"]


class Several(msgspec.Struct):
    question: str
    category: str
    options: list[Option]
    reasoning: str = ""


class Chosen(msgspec.Struct):
    chosen: list[int]


class Screened(Parameters, frozen=True):
    """Parameters of `screen-question`."""

    words: Annotated[
        tuple[str, ...], Meta(description="words that no part of a question may contain, in this spelling")
    ] = BANNED


class Categories(Repaired, frozen=True, kw_only=True):
    """Parameters of stages in which the maker writes questions of the categories of a task."""

    categories: Annotated[str, Meta(min_length=1, description="the categories, as the prompt lists them")]


class Spread(Categories, frozen=True):
    """Parameters of `multi`."""

    spread: Annotated[
        Literal["even", "two"],
        Meta(
            description="what the wrong options are about: as many about each recording as about both, to within one "
            "(even), or not all about the same recording (two)"
        ),
    ] = "even"


@stage(
    "screen-question",
    version=2,
    reads=["question", "options?", "answer?"],
    writes=[],
    parameters=Screened,
)
def screen_question(values: Values, context: Context) -> Outcome:
    """Drop a question that contains a forbidden word in any part (appendix E: "video", "description"), or that
    mentions a description of the recording."""
    texts = [values["question"], *(values["options"] or []), str(values["answer"] or "")]
    texts = [_VIDEO_IN_SCENE.sub("", text) for text in texts]
    word = next((w for w in context.parameters["words"] if any(w in text for text in texts)), None)
    word = word or next((match[0] for text in texts if (match := _DESCRIPTION.search(text))), None)
    return dropped("screened-word", word) if word else kept()


@stage(
    "answer-text", version=2, reads=["task", "options?", "answers?", "answer?"], writes=["answer", "category_choices"]
)
def answer_text(values: Values, context: Context) -> Outcome:
    """The correct options as text, and the categories of the task, for models and people who judge the question."""
    labels = list(CATEGORIES[values["task"]])
    if values["options"] is None:
        return kept(answer=values["answer"], category_choices=labels)
    answer = Choice(tuple(values["options"]), tuple(values["answers"])).text
    return kept(answer=answer, category_choices=labels)


def stages(config: Config) -> list[Stage]:
    """Return the stages, in order."""
    made = [rights.with_(year=config.year), clips.with_(video=config.describe_video), clip_sound, one_sound_each]
    if config.choose == "people":
        about = "People choose scenes that are complex and change."
        made.append(ask_people("scenes", SCENES, version=1, reads=["audio", "clip", "begin", "end"], about=about))
    described = (describe_audio, *([describe_video] if config.describe_video else []))
    made += [transcribe.with_(language=LANGUAGE), one_transcript_each]
    made += [each.with_(language=LANGUAGE) for each in described]
    if config.speakers:
        made += [voices, speakers]
    alone = tuple(task for task in ("main", "open") if task in config.tasks)
    made.append(pairs.with_(alone=alone, **({} if "multi" in config.tasks else {"most_per_film": -1})))
    if config.confirm_pairs and "multi" in config.tasks:
        reads = ["audio", "audio_other", "pair"]
        about = "People confirm that two recordings belong together."
        made.append(ask_people("confirm-pairs", PAIRS, version=1, reads=reads, about=about).only(task=["multi"]))
    made += [
        *(
            _with_recordings(each, config)
            for each in (
                _written(
                    "main",
                    Three,
                    _read_questions,
                    ["question", "category", "answer", "reasoning", "question_fault"],
                    parts=_faulty_questions,
                ),
                each_question.only(task=["main"]),
                _stage_of(
                    "distractors",
                    "main",
                    Distractors,
                    _with_distractors,
                    ["options", "answers"],
                    ["question", "answer"],
                ),
                _written(
                    "multi",
                    Several,
                    _read_multi_question,
                    ["question", "category", "options", "answers", "reasoning"],
                    OTHER,
                    Spread,
                ),
                _written("open", Question, _open, ["question", "category", "answer", "reasoning"]),
            )
        ),
        screen_question,
        options.named("options-main").only(task=["main"]),
        options.with_(least=4, most=6, least_right=2, most_right=4).named("options-multi").only(task=["multi"]),
        answer_text,
        one_question_each,
    ]
    if config.in_audio:
        reads = [*TEXTS, "question", "options?", "answer"]
        made.append(_with_recordings(validated("in-audio", PROMPTS["in-audio"], reads, ["validator"]), config))
    if config.judge:
        choice = {"task": ["main", "multi"]}
        made += [safe, options_judged.only(**choice), pair_judged.only(task=["multi"])]
    choices = {"task": ["main", "multi"]}
    made += [
        _review(name) for name, wanted in (("review", config.review), ("second-review", config.second_review)) if wanted
    ]
    if config.review or config.second_review:
        made.append(screen_question.named("screen-edited"))
    if config.blind:
        # After the review, whose edits change what is asked. The maker puts the correct option first: a model that
        # prefers a position must not seem to know the answer.
        made += [balance_keys.named("shuffle").only(**choices), _BLIND.only(**choices)]
    groups = {f"{task}/{name}": f"{task}/{GROUPS[name]}" for task, names in CATEGORIES.items() for name in names}
    made += [quotas.with_(groups=groups), balance_keys.only(**choices), unguessable.only(**choices)]
    return [each for each in made if not each.where.get("task") or set(each.where["task"]) & set(config.tasks)]


def _chosen(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    form_values = results[0].values
    return kept() if form_values.get("take") == "yes" else dropped("scene-not-chosen", str(form_values.get("why", "")))


def _confirmed(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    return kept() if results[0].values.get("related") == "yes" else dropped("pair-not-related")


SCENES = People(
    {"take": ["yes", "no"], "why": "text"},
    "Take scenes that are complex and change: several people, events or sounds that overlap. Leave out what is simple, "
    "silent or unclear.",
    decide=_chosen,
    guides={"zh": "请选取复杂且富于变化的场景：有多个人物、事件或声音交叠。简单、无声或听不清的场景不选。"},
)
PAIRS = People(
    {"related": ["yes", "no"]},
    "Do both recordings belong together: the same people, or one story that goes on?",
    decide=_confirmed,
    guides={"zh": "两段录音是否相关：是同样的人物，或是同一故事的延续？"},
)


# Criteria of appendix E that a question can fail; the earlier names are the first seven.
CRITERIA = [
    "grammar",
    "ambiguous",
    "off topic",
    "not in the audio",
    "wrong answer",
    "harmful",
    "other",
    "illogical",
    "unnatural",
    "names a video or a description",
    "reasoning",
    "too short an answer",
    "structure of the answer",
    "answer to another question",
    "contradicts a related question",
]


def _review(name: str) -> Stage:
    """Return a review of all fields of a question, by the criteria of appendix E.

    It comes before options are shuffled, so that it stays valid when other questions come or go.
    """
    return review_stage(
        name,
        {"question": "text", "options": "list", "answer": "text", "category": "text", "reasoning": "text"},
        {"timestamps": "spans", "criterion": {"type": "array", "items": {"enum": CRITERIA}}, "why": "text"},
        "Listen, and hold the question against the criteria of appendix E: correct and unambiguous language; the "
        "question is about the audio; the answer follows from it and from nothing else; no mention of a video or a "
        "description; related questions agree. Note the timestamps that the answer rests on. Every text can be edited; "
        "another answer is a letter or the text of an option, for several options one a line.",
        reads=[
            "task",
            "question",
            "options?",
            "answers?",
            "answer",
            "category",
            "category_choices",
            "reasoning?",
            "audio",
            "audio_other?",
            *TIMES,
            *(["reviewed_by?"] if name == "second-review" else []),
        ],
        shows=SHOWN,
        keeps=("timestamps",),
        guides={
            "zh": "请听录音，并对照附录 E 的标准检查题目：语言正确且无歧义；题目与音频有关；答案只能由音频得出；"
            "不提及视频或描述；相关题目互相一致。请记下答案所依据的时间段。各项文本均可修改；"
            "若答案有误，请填写正确选项的字母或文本，多个选项每行一个。"
        },
        about="An expert approves, edits or rejects each question.",
        checks=partial(_question_checks, second=name == "second-review"),
    )


def _question_checks(values: Values, *, second: bool) -> dict[str, Any]:
    """Return the checks of an expert's edit, which are those of the maker's texts; the second expert is another one."""
    ends = [(values[begin], values[end]) for begin, end in (("begin", "end"), ("begin_other", "end_other"))]
    lengths = [round(end - begin, 3) for begin, end in ends if begin is not None and end is not None]
    recordings = "+".join(filter(None, (values["audio"], values["audio_other"])))
    return {
        "languages": dict.fromkeys(("question", "options", "answer", "reasoning"), "zh"),
        "length_ratio": LENGTH_RATIO,
        "words": {name: list(BANNED) for name in ("question", "options", "answer")},
        "distinct": {"question": recordings},
        "sees": {"sound": True},
        **({"right": [2, 4]} if values["task"] == "multi" else {}),
        **({"seconds": max(lengths)} if lengths else {}),
        **({"not_by": [values["reviewed_by"]]} if second and values["reviewed_by"] else {}),
    }


REVIEW = people_of(_review("review"))


def _written(
    task: str,
    reply: type,
    decide: Any,
    writes: Sequence[str],
    more: Sequence[str] = (),
    parameters: type[Categories] = Categories,
    parts: Any = None,
) -> Stage:
    typed = parameters(categories="、".join(CATEGORIES[task]))
    return _stage_of(task, task, reply, decide, writes, more, typed, parts)


def _stage_of(
    name: str,
    task: str,
    reply: type,
    decide: Any,
    writes: Sequence[str],
    more: Sequence[str] = (),
    parameters: Repaired | None = None,
    parts: Any = None,
) -> Stage:
    """Return a stage in which the maker writes questions of one task."""
    asking = Ask(PROMPTS[name], decide, reply, settings={"temperature": 0}, repaired=True, parts=parts)
    other = () if "transcript_other" in more else ("transcript_other?",)
    reads = [*TEXTS, "video_description?", *TIMES, *other, *more]
    about = f"The maker writes {name}."
    made = ask(name, asking, version=10, reads=reads, writes=writes, about=about, parameters=parameters)
    return made.only(task=[task])


def _with_recordings(made: Stage, config: Config) -> Stage:
    """Return the stage with the recording, its pair's and the film before its prompt, if models listen."""
    if not config.listen or made.asks is None:
        return made
    shows = ("audio", "audio_other", *(("video",) if config.describe_video else ()))
    reads = (*made.reads, "audio", *(f"{name}?" for name in shows[1:]))
    return replace(made, asks=replace(made.asks, shows=shows), reads=reads)


def _category(text: str, task: str) -> str | None:
    """Return the category as the files name it, without any surrounding text; None for none of them, or for several."""
    bare = text.strip()
    named = [name for name in CATEGORIES[task] if name in bare] or [
        name for name in CATEGORIES[task] if len(bare) > 1 and bare in name
    ]
    return named[0] if len(named) == 1 else None


def _guessed(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    return kept(blind_right=sorted(number - 1 for number in replies["blind"].chosen) == sorted(values["answers"]))


_BLIND = ask(
    "blind",
    Ask(PROMPTS["blind"], _guessed, Chosen, ("blind",), settings={"temperature": 0}, hides=("answers",)),
    version=1,
    reads=["question", "options", "answers"],
    writes=["blind_right"],
    about="A model answers without media.",
)


def _reference_fault(values: Values, question: str, *texts: str) -> Fault | None:
    """Return the fault that a question or an answer names a time after the end of the recordings, or that the question
    quotes what nobody says there."""
    ends = [(values[begin], values[end]) for begin, end in (("begin", "end"), ("begin_other", "end_other"))]
    lengths = [end - begin for begin, end in ends if begin is not None and end is not None]
    for text in (question, *texts):
        if lengths and (fault := time_fault(text, max(lengths))):
            return fault
    transcripts = f"{values['transcript']}\n{values['transcript_other'] or ''}"
    return quotation_fault(question, transcripts, exact=False)


def _faults_of_questions(questions: Sequence[Question], values: Values) -> list[Fault | None]:
    """Return the fault of each question of a reply, None for a sound one; the first of two alike is sound."""
    faults: list[Fault | None] = []
    sound: list[Question] = []
    for each in questions:
        fault = _fault_of_question(each) or script_fault([each.question, each.answer], values["transcript"])
        fault = fault or _reference_fault(values, each.question, each.answer)
        if fault is None and len(sound) == MAX_QUESTIONS:
            fault = "more-questions-than-asked-for", f"{len(questions)} questions: write {MAX_QUESTIONS}"
        if fault is None and (other := next((q for q in sound if _is_again(q, each)), None)):
            fault = "repeated-question", f"it asks the same as {other.question.strip()[:40]!r}"
        if fault is None:
            sound.append(each)
        faults.append(fault)
    return faults


def _is_again(one: Question, other: Question) -> bool:
    return same_question(one.question, other.question, one.answer, other.answer)


def _fault_of_question(each: Question) -> Fault | None:
    """Return the first fault of a question with one correct option, before there are wrong ones."""
    if not comparable_text(each.question):
        return "no-question", "the question is empty"
    if not comparable_text(each.answer):
        return "no-answer", "the answer is empty"
    if fault := wording_fault(each.question, [], each.answer, each.reasoning):
        return fault
    if _category(each.category, "main") is None:
        return "unknown-category", f"{each.category.strip()[:40]!r}: the category must be one of {_listed('main')}"
    fault = question_fault(each.question, LANGUAGE, sound=True)
    return fault or options_fault(each.question, [each.answer], LANGUAGE)


def _listed(task: str) -> str:
    return "、".join(CATEGORIES[task])


def _faulty_questions(reply: Three, values: Values) -> list[str]:
    faults = _faults_of_questions(reply.questions, values)
    return [f"question {n}: {fault[0]}: {fault[1]}" for n, fault in enumerate(faults, 1) if fault]


def _read_questions(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """Make a record of each question of the reply; `each-question` drops those with a fault."""
    questions = replies["maker"].questions
    if not questions:
        return dropped("no-question", f"write {MAX_QUESTIONS} questions")
    children = []
    for number, (each, fault) in enumerate(zip(questions, _faults_of_questions(questions, values), strict=True)):
        fields: dict[str, Any] = {
            "question": each.question.strip(),
            "category": _category(each.category, "main") or each.category.strip(),
            "answer": each.answer.strip(),
            "reasoning": each.reasoning,
        }
        children.append(Child(str(number), fields | ({"question_fault": list(fault)} if fault else {})))
    return split(children)


@stage("each-question", version=1, reads=["question_fault?"], writes=[])
def each_question(values: Values, context: Context) -> Outcome:
    """Drop each question of a reply that is still faulty after its maker was asked again, with its own reason."""
    return dropped(*values["question_fault"]) if values["question_fault"] else kept()


@stage("one-question-each", version=2, kind="whole", reads=["clip", "clip_other?", "question", "answer"], writes=[])
def one_question_each(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Drop a question that asks the same as another one about the same clip, or pair of clips."""
    of: dict[tuple[str, str], list[Values]] = {}
    outcomes = []
    for values in records:
        earlier = of.setdefault((values["clip"], values["clip_other"] or ""), [])
        texts = values["question"], values["answer"]
        again = next((v for v in earlier if same_question(v["question"], texts[0], v["answer"], texts[1])), None)
        if again is None:
            earlier.append(values)
        outcomes.append(dropped("repeated-question", f"{again.id} asks it already") if again else kept())
    return outcomes


def _with_distractors(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    options = [values["answer"], *(d.strip() for d in replies["maker"].distractors)]
    limits = Limits(4, 4, length_ratio=LENGTH_RATIO, in_question=False)
    fault = choice_fault(values["question"], options, [0], limits) or wording_fault(values["question"], options)
    fault = fault or options_fault(values["question"], options, LANGUAGE)
    if fault := fault or script_fault(options, values["transcript"]):
        return dropped(*fault)
    return kept(options=options, answers=[0])


def _read_multi_question(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    category = _category(reply.category, "multi")
    if category is None:
        return dropped("unknown-category", f"the category must be one of {_listed('multi')}")
    if not any(option.needs == "both" for option in reply.options):
        return dropped("no-option-needs-both", "one option at least must need both recordings")
    needs = [option.needs for option in reply.options if not option.right]
    if uneven_fault := uneven(needs) if context.parameters["spread"] == "even" else of_one_recording(needs):
        return dropped("distractors-not-spread", uneven_fault)
    answers = [index for index, option in enumerate(reply.options) if option.right]
    texts, limits = [o.text.strip() for o in reply.options], Limits(4, 6, 2, 4, LENGTH_RATIO)
    fault = choice_fault(reply.question, texts, answers, limits) or wording_fault(reply.question, texts)
    fault = fault or question_fault(reply.question, LANGUAGE, "several", sound=True)
    fault = fault or options_fault(reply.question, texts, LANGUAGE) or text_fault(reply.reasoning)
    fault = fault or _reference_fault(values, reply.question, *texts)
    if fault := fault or script_fault([reply.question, *texts], values["transcript"]):
        return dropped(*fault)
    if (wanted := number_asked_for(reply.question)) and wanted != len(answers):
        return dropped("number-of-right-options", f"the question asks for {wanted}, and {len(answers)} are right")
    return kept(
        question=reply.question.strip(),
        category=category,
        options=[o.text.strip() for o in reply.options],
        answers=answers,
        reasoning=reply.reasoning,
    )


@reads_shortened
def uneven(needs: Sequence[str]) -> str:
    """Return what is wrong with the spread of wrong options over the first recording, the second, and both; empty if
    their numbers differ by one at most.

    >>> uneven(["first", "first", "both"])
    'spread the wrong options evenly over the first recording, the second and both: 2, 0 and 1'
    """
    counts = [needs.count(name) for name in ("first", "second", "both")]
    if max(counts) - min(counts) <= 1:
        return ""
    text = "spread the wrong options evenly over the first recording, the second and both: "
    return text + "{}, {} and {}".format(*counts)


@reads_shortened
def of_one_recording(needs: Sequence[str]) -> str:
    """Return what is wrong if all wrong options are about one recording alone; empty otherwise."""
    about = set(needs)
    if about not in ({"first"}, {"second"}):
        return ""
    return f"spread the wrong options over both recordings: all are about the {about.pop()}"


def _open(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    reply = replies["maker"]
    category = _category(reply.category, "open")
    if category is None:
        return dropped("unknown-category", f"the category must be one of {_listed('open')}")
    if not reply.question.strip() or not reply.answer.strip():
        return dropped("empty-text", "the question or the answer is empty")
    fault = wording_fault(reply.question, [], reply.answer, reply.reasoning)
    fault = fault or question_fault(reply.question, LANGUAGE, "open", sound=True)
    fault = fault or _reference_fault(values, reply.question, reply.answer)
    fault = fault or answer_fault(reply.question, reply.answer, LANGUAGE)
    if fault := fault or script_fault([reply.question, reply.answer], values["transcript"]):
        return dropped(*fault)
    return kept(
        question=reply.question.strip(), category=category, answer=reply.answer.strip(), reasoning=reply.reasoning
    )


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    """Yield the recordings of the table, each with the SHA-256 of its file."""
    for number, cells in enumerate(_rows(base, config.recordings), 1):
        row = {**config.common, **{name: value for name, value in cells.items() if value not in (None, "")}}
        died = str(row.get("author_died") or "")
        fields = {
            "film": str(row["path"]),
            "stratum": row.get("genre"),
            "author_died": int(died) if died.removeprefix("-").isdecimal() else None,
            **{name: row.get(name) for name in ("title", "licence", "consent", "story")},
        }
        unusable = None
        try:
            fields["film_sha256"] = context.sha256(row["path"])
        except MediaError as error:
            unusable = without_file(error)
        stated_fields = {name: value for name, value in fields.items() if value not in (None, "")}
        maker = Maker("source", str(row.get("source") or config.recordings), f"row={number}")
        yield Start(
            Record(str(row["id"]), stated_fields, (f"film:{row['id']}",)), dict.fromkeys(stated_fields, maker), unusable
        )


def _rows(base: Path, recordings: str) -> list[dict[str, Any]]:
    """Return the rows of the table; for a folder one row per recording or film, ordered by name."""
    location = base / recordings
    if not location.is_dir():
        return read_table(location, ["id", "path"])
    names = [path.name for path in sorted(location.iterdir()) if path.suffix.lower().lstrip(".") in PLAYABLE]
    if not names:
        raise DataError("the folder holds no recordings", where=location, expected=", ".join(PLAYABLE))
    return [{"id": name.rpartition(".")[0], "path": f"{recordings.rstrip('/')}/{name}"} for name in names]


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    """Write `MDAR-main.json`, `MDAR-multi.json`, `MDAR-open.json` and `audio/`, as released.

    `media.jsonl` lists the source and time span of each clip, `samples.jsonl` the record of each question,
    `questions.jsonl` its genre, the timestamps that its answer rests on, and the reasoning, and `films.json` the films
    by genre. Clips that may not be passed on are only in the first list.
    """
    media = ReleasedMedia(out, context, "audio")
    samples, questions = [], list[dict[str, Any]]()
    for task in config.tasks:
        matching_records = [record for record in records if record.fields["task"] == task]
        rows = [_row(task, f"{number:04}", record.fields, media) for number, record in enumerate(matching_records)]
        encoded = msgspec.json.format(msgspec.json.encode(rows), indent=1)
        (out / f"MDAR-{task}.json").write_bytes(encoded + b"\n")
        samples += [Sample(f"cmdar/{task}/{row['id']}", r.id) for row, r in zip(rows, matching_records, strict=True)]
        questions += [
            _facts_of(f"cmdar/{task}/{row['id']}", r.fields) for row, r in zip(rows, matching_records, strict=True)
        ]
    (out / "films.json").write_bytes(msgspec.json.encode(films_of(records)) + b"\n")
    lines = b"".join(msgspec.json.encode(each) + b"\n" for each in questions if len(each) > 1)
    if lines:
        (out / "questions.jsonl").write_bytes(lines)
    media.save()
    write_samples(out, samples)


def films_of(records: Sequence[Record]) -> dict[str, Any]:
    """Return the number of films by genre, as the paper's Table 5: each film once, `Other` for one without a genre."""
    genre = {record.fields["film"]: str(record.fields.get("stratum") or "Other") for record in records}
    counts = Counter(genre.values())
    return {"genres": {name: counts[name] for name in sorted(counts)}, "films": len(genre)}


def _facts_of(item: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a question besides its row: genre, the timestamps that its answer rests on, reasoning."""
    facts = {
        "genre": values.get("stratum"),
        "timestamps": values.get("timestamps"),
        "reasoning": values.get("reasoning"),
    }
    return {"item": item} | {name: value for name, value in facts.items() if value}


def _row(task: str, id: str, values: Mapping[str, Any], media: ReleasedMedia) -> dict[str, Any]:
    row: dict[str, Any] = {"id": id}
    if task == "multi":
        row |= {"audio_path_1": _audio(values, "", media), "audio_path_2": _audio(values, "_other", media)}
    else:
        row["audio_path"] = _audio(values, "", media)
    row["question"] = values["question"]
    if task != "open":
        row["chosens"] = values["options"]
    right = [values["options"][number] for number in values["answers"]] if task != "open" else []
    row["answer"] = values["answer"] if task == "open" else right if task == "multi" else right[0]
    return row | {"category": values["category"]}


def _audio(values: Mapping[str, Any], which: str, media: ReleasedMedia) -> str:
    audio, begin, end = (values[f"{name}{which}"] for name in ("audio", "begin", "end"))
    return media.put(audio, values["film"], begin, end, pass_on=values.get("pass_on", True))


def describe_output(config: Config, out: Path) -> About:
    """Return the content of the data card."""
    notes = ["Clips of films may be under copyright: each record's `rights` states the ground on which it is used."]
    if not config.in_audio:
        notes.append("No model checked that the questions can be answered from the recordings.")
    if not (config.review and config.second_review):
        notes.append("The questions had no review by experts." if not config.review else "No second expert reviewed.")
    films = msgspec.json.decode((out / "films.json").read_bytes())
    listed = ", ".join(f"{name} {count}" for name, count in films["genres"].items())
    notes.append(f"Films or recordings by genre: {listed or 'none'}; {films['films']} in all.")
    return About(
        config.name,
        "Reasoning over Chinese recordings: questions with one correct option of four, several of four to six over two "
        "recordings, and open ones; in the format of CMDAR.",
        config.licence,
        ("zh",),
        {task: {"test": f"MDAR-{task}.json"} for task in config.tasks},
        url=config.url,
        notes=tuple(notes),
    )


RECIPE = Recipe(
    "cmdar",
    1,
    "Reasoning over recordings: films or long recordings become questions.",
    Config,
    start,
    stages,
    write,
    {
        "recogniser": "transcribes clips",
        "audio_describer": "describes what is heard",
        "video_describer": "describes what is seen",
        "maker": "writes questions and distractors",
        "validator": "checks that questions can be answered from the recording",
        "blind": "answers without media",
        "judge": "checks safety, options, and questions about pairs",
    },
    describe_output,
    examples=[{"recordings": "recordings.csv", "describe_video": True, "speakers": True, "judge": True}],
)
