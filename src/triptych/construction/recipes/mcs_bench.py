"""MCS-Bench: pictures of Chinese classical studies, with questions for any of the 45 tasks.

After sections 2.2 and B.4 of the paper: pictures with their metadata; questions written by people, by a model from
accurate text, by description, keywords and expansion, or converted from existing data; deduplication of pictures and of
questions with their picture; filtering; standard instructions and Chinese punctuation; both scripts; a check that text
and picture match.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from rapidfuzz.distance import Levenshtein

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.recipe import Recipe, Start
from triptych.construction.recipes import _mcs_bench_material as material
from triptych.construction.recipes._mcs_bench_material import SourceConfig, TaskConfig
from triptych.construction.record import Outcome, Record, dropped, kept, revised
from triptych.construction.release.card import About
from triptych.construction.release.media import FileNames, refuse_reference_only
from triptych.construction.release.samples import Sample, write_samples
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.duplicates import near_duplicates
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.judging import picture_judged, safe
from triptych.construction.stages.options import balance_keys, options
from triptych.construction.stages.pictures import duplicate_pictures, picture, picture_vector
from triptych.construction.stages.reviewing import people_of, review_stage
from triptych.construction.stages.rights import rights
from triptych.construction.stages.validation import validated
from triptych.construction.text_checks.absent_references import quotation_fault, reference_fault, sentence_fault
from triptych.construction.text_checks.answers import no_information
from triptych.construction.text_checks.makers.excuses import excuse_fault, is_one_character
from triptych.construction.text_checks.options.choices import Limits, choice_fault, comparable_text
from triptych.construction.text_checks.punctuation import doubled_fault, pair_fault
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import (
    Fault,
    answer_fault,
    asked_fault,
    characters,
    in_language,
    plain_meaning,
    wording_fault,
)
from triptych.errors import SpecError

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))
BENCHMARK = Path(__file__).parents[2] / "benchmarks/mcs_bench"
ROLES = {
    "maker": "writes questions, answers, keywords, expansions, summaries",
    "validator": "matches picture and text",
    "judge": "looks for irrelevant pictures and unsafe questions",
}


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The recipe's configuration.

    pictures   a table: id, image (a path), task (T1 to T45); question, answer, wrong (options, separated by |), text
               (its accurate words), description, pages (collected HTML or text files, separated by |); licence,
               author_died; every other column is metadata for makers
    datasets   data sets in their released layouts, `[[datasets]]`, in addition to the table or in place of it
    tasks      how each task's questions are made, and by which model, `[tasks.T9]`
    judge      whether the model `judge` drops irrelevant or unclear pictures and unsafe questions
    vectors    whether pictures are also compared by vectors, with the weights of [stages.picture-vector]
    look       whether the model `maker` receives the picture; false for a model that takes text alone
    """

    pictures: str = ""
    datasets: tuple[SourceConfig, ...] = ()
    year: int = 0
    name: str = "MCS-Bench-like"
    licence: str = "cc-by-4.0"
    url: str = ""
    tasks: dict[str, TaskConfig] = {}
    match: bool = True
    review: bool = True
    second_review: bool = True
    judge: bool = False
    vectors: bool = False
    look: bool = True


class Written(msgspec.Struct):
    answer: str
    question: str = ""
    wrong: list[str] = []


class Keywords(msgspec.Struct):
    keywords: list[str]


class Expanded(msgspec.Struct):
    answer: str


_WALL = re.compile(
    r"安全验证|人机验证|滑动验证|验证码|检查您的浏览器|浏览器(?:版本过低|不支持)|(?:启用|开启|打开) ?javascript"
    r"|请(?:先)?登[录陆]|登[录陆]后(?:查看|继续|阅读|可见)"
    r"|访问(?:过于频繁|被拒绝|受限|异常)|(?:页面|网页|文章|内容)(?:不存在|未找到|已(?:被)?删除|加载失败|无法访问)"
    r"|正在(?:跳转|加载)|网络异常|系统维护|此内容因违规|付费(?:后|阅读)"
    r"|enable (?:javascript|cookies)|captcha|are you (?:a )?(?:human|robot)|just a moment|checking your browser"
    r"|access denied|forbidden"
    r"|page not found|not found on this server|\b(?:403|404|429|500|502|503)\b.{0,30}(?:error|forbidden|found"
    r"|gateway|unavailable)|cloudflare|subscribe to (?:read|continue)|log ?in to",
    re.IGNORECASE,
)
MAX_WALL = 400  # characters of a page that may be a check or an error alone


def is_wall(text: str) -> bool:
    """Return whether a page shows a check of its reader or an error in place of what was to be read.

    >>> is_wall("正在检查您的浏览器…… 请完成安全验证"), is_wall("《兰亭序》，东晋王羲之书。")
    (True, False)
    """
    return len(text.strip()) <= MAX_WALL and bool(_WALL.search(text))


class ReadPages(Parameters, frozen=True):
    """Parameters of `read-pages`."""

    most_characters: Annotated[int, Meta(ge=1, description="greatest number of characters of all pages together")] = (
        20_000
    )
    least_characters: Annotated[int, Meta(ge=0, description="a record whose pages have fewer is dropped")] = 40


@stage("read-pages", version=2, reads=["pages"], writes=["collected"], parameters=ReadPages)
def read_pages(values: Values, context: Context[ReadPages]) -> Outcome:
    """Join the texts of the collected pages. A paragraph that several pages have is taken once.

    If they are longer than `most_characters`, each page gives its beginning, up to its share; the record is then
    `revised`. Pages with less than `least_characters` in all hold nothing to be summarised.
    """
    wanted, seen = context.parameters, set[str]()
    texts = []
    for page in values["pages"]:
        if is_wall(page["text"]):
            continue
        lines = [line for line in page["text"].split("\n") if line not in seen]
        seen |= set(lines)
        texts.append((page["file"], "\n".join(lines)))
    length = sum(len(text) for _, text in texts)
    if not texts or length < wanted.least_characters:
        walls = (
            f"; {len(values['pages']) - len(texts)} hold a check or an error"
            if len(texts) < len(values["pages"])
            else ""
        )
        return dropped("pages-empty", f"{length} characters in {len(values['pages'])} pages{walls}")
    share = wanted.most_characters // len(texts)
    rest = wanted.most_characters - sum(min(len(text), share) for _, text in texts)
    shown = []
    for name, text in texts:
        more = min(max(0, len(text) - share), rest)
        rest -= more
        shown.append(f"【{name}】\n{text[: min(len(text), share) + more]}")
    collected = "\n\n".join(each for each, (_, text) in zip(shown, texts, strict=True) if text)
    if length > wanted.most_characters:
        return revised("pages-cut", {"collected": collected}, f"{length} characters; {wanted.most_characters} are read")
    return kept(collected=collected)


@stage("choices", version=1, reads=["answer", "wrong?", "format"], writes=["options", "answers"])
def choices(values: Values, context: Context) -> Outcome:
    """Write the options of a multiple-choice task, the answer first; a later stage draws their order."""
    if values["format"] != "MCQ":
        return kept()
    if not values["wrong"]:
        return dropped("no-wrong-options")
    return kept(options=[values["answer"], *values["wrong"]], answers=[0])


@reads_shortened
def answer_fault_of(task: str, question: str, answer: str, text: str | None = None) -> Fault | None:
    """Return what is wrong with an answer by what its task and question ask for.

    `text`: the accurate words of the picture. It is compared with an answer that adds punctuation to them (T3); another
    answer in words (T2) is a translation into modern Chinese, and an explanation of a character (T29) names it.

    >>> answer_fault_of("T3", "", "王曰：叟！", "王曰叟不远千里而来")[0]
    'answer-changes-text'
    """
    if fault := answer_fault(question, answer):
        return fault
    if not in_language(answer, "zh") and sum(map(str.isalpha, answer)) >= MIN_LETTERS:
        return "wrong-language", f"the answer is not in Chinese: {answer[:40]!r}"
    if fault := _fault_by_task(task, question, answer, text or ""):
        return fault
    if task == "T3" and text and characters(answer) != characters(text):
        return "answer-changes-text", "it must have all characters of the text, unchanged, and punctuation"
    meaning = plain_meaning(answer)
    if task == "T2" and (
        meaning == plain_meaning(text or "") or (len(meaning) >= MIN_LETTERS and not _MODERN.search(answer))
    ):
        return "not-translated", "translate the whole text into modern Chinese"
    if task == "T2" and (left := untranslated_sentences(answer, text or "")):
        return "not-translated", f"translate the whole text into modern Chinese: {left[:30]!r} is left as it was"
    if task == "T29" and question.strip() not in answer and plain_meaning(question) not in meaning:
        return "answer-of-another-word", f"the answer doesn't mention {question.strip()[:20]!r}"
    return None


READING = ("T1", "T8", "T26", "T30", "T37")  # tasks whose answer is what is written on the picture
_PART_LABEL = re.compile(
    r"(?:^|(?<=[\s。；;，,）)]))[(（【\[]?(?:第\s*[一二三四五六七八九十百\d]+\s*(?:列|行|栏|欄|页|頁|段|竖行|横行"
    r"|列字|区|枚|方|印)"
    r"|(?:右|左|上|下|中)(?:起|侧|边|首|上角|下角|半部分?|半页|栏|方)?(?:第?[一二三四五六七八九十\d]+)?(?:列|行|栏"
    r"|页|文字)?"
    r"|标题|標題|正文|落款|款识|款識|题款|題款|印章|印文|钤印|鈐印|版心|夹注|眉批|页眉|页脚|页码|頁碼|图注|作者"
    r"|朝代|识别结果|識別結果|文字内容|原文|释文|釋文"
    r"|line|column|row|page|title|text|seal)\s*\d*\s*[)）】\]]?\s*[:：]",
    re.IGNORECASE,
)
_OF_SEVERAL = re.compile(r"或者?|还是|抑或|疑为|可能|也许|大概|应该?是|[/／|｜、，,;；~～]|\bor\b|[(（].+[)）]|[?？]")
_ONE_CHARACTER = re.compile(r"\W*\w{1,3}\W*")
_SEPARATED = re.compile(r"[、，,;；\n]+")


def _fault_by_task(task: str, question: str, answer: str, text: str) -> Fault | None:
    """Return what is wrong with an answer of the tasks that ask for one character, what is written, or entities."""
    if task == "T28":
        if match := _OF_SEVERAL.search(answer):
            return "answer-not-as-asked", f"the question asks for one character: {answer[:20]!r} ({match[0]!r})"
        if not _ONE_CHARACTER.fullmatch(answer):
            return "answer-not-as-asked", f"the question asks for the character alone: {answer[:20]!r}"
    if task in READING and (match := _PART_LABEL.search(answer)) and match[0].strip() not in text:
        return "not-the-text-alone", f"write what is on the picture, without {match[0].strip()[:20]!r}"
    if task == "T3":
        # the page may begin or end within a quotation
        return pair_fault(answer, part=True) or doubled_fault(answer)
    if task == "T4":
        return _fault_of_entities([each.strip() for each in _SEPARATED.split(answer) if each.strip()], text)
    if task == "T5" and text and characters(question) not in characters(text):
        return "quotation-not-in-text", f"the text doesn't have {question.strip()[:20]!r}"
    if task == "T6" and text and (fault := quotation_fault(question, text)):
        return fault
    return None


def _fault_of_entities(entities: Sequence[str], text: str) -> Fault | None:
    """Return the fault that an entity is listed twice, or that the text lacks it."""
    plain = [characters(each) for each in entities]
    if twice := next((each for n, each in enumerate(entities) if plain[n] in plain[:n]), None):
        return "repeats-itself", f"{twice[:20]!r} is listed twice"
    text_characters = characters(text)
    if text_characters and (
        absent := next((each for each, bare in zip(entities, plain, strict=True) if bare not in text_characters), None)
    ):
        return "entity-not-in-text", f"the text doesn't have {absent[:20]!r}"
    return None


# Marks of classical Chinese that modern prose doesn't have, and words that classical Chinese hardly has
_CLASSICAL = re.compile(r"者[，,]|也(?:[。，！；]|$)|之(?:[，。！；]|$)|[矣焉哉耶曰吾汝]|乎[？。！，]|闻于|拜为|[遂乃]")
_MODERN_CLAUSE = re.compile(r"[他我你您是在被就都和说把对但很会能让给没]|因为|所以|可以|已经|什么|怎么|不是|一个")
MIN_UNTRANSLATED = 12  # characters of a translation that are as in the original


@reads_shortened
def untranslated_sentences(translation: str, text: str = "") -> str:
    """Return the sentences of a translation into modern Chinese that are classical still; empty if there are none.

    Quotations may stay. With the text itself, a run of its characters is looked for; else, sentences without any word
    of modern Chinese that have two classical ones or more.

    >>> untranslated_sentences("廉颇是赵国优秀的将领。大破之，取阳晋，拜为上卿，以勇气闻于诸侯。蔺相如者，赵人也。")
    '大破之，取阳晋，拜为上卿，以勇气闻于诸侯。蔺相如者，赵人也。'
    """
    bare = _IN_QUOTES.sub("", translation)
    if text:
        for sentence in re.findall(r"[^。！？；]+[。！？；]?", bare):
            plain = characters(sentence)
            if len(plain) >= MIN_UNTRANSLATED and plain in characters(text):
                return str(sentence).strip()
    run = ""
    for clause in [*re.findall(r"[^，,：:。！？；]+[，,：:。！？；]?", bare), "的"]:
        if not _MODERN.search(clause) and not _MODERN_CLAUSE.search(clause):
            run += clause
        elif len(characters(run)) >= MIN_UNTRANSLATED and len(_CLASSICAL.findall(run)) > 1:
            return run.strip()
        else:
            run = ""
    return ""


_IN_QUOTES = re.compile(r"“[^”]*”|「[^」]*」|《[^》]*》|‘[^’]*’")
_ALTERNATIVES = re.compile("还是|或|哪|\\bor\\b|吗")


@reads_shortened
def answer_in_question(question: str, answer: str) -> Fault | None:
    """Return the fault that a question has its whole answer, unless it offers several.

    >>> answer_in_question("图像中戴斗笠的人头上戴着什么？", "斗笠")[0], answer_in_question("是两人还是三人？", "两人")
    ('answer-in-question', None)
    """
    bare = plain_meaning(answer)
    if len(bare) < 2 or bare not in plain_meaning(question) or _ALTERNATIVES.search(question):
        return None
    return "answer-in-question", f"{answer[:40]!r} is in the question"


LENGTH_RATIO = 3.0  # of a correct option to the mean wrong one: names and titles differ more than sentences
MIN_LETTERS = 20  # of an answer whose language is judged
# Words of modern Chinese that longer texts can't do without
_MODERN = re.compile("[的了吗呢们这那個个着過过還还啊吧她它]")


@stage("wording", version=7, reads=["task", "question", "answer", "wrong?", "true_text?"], writes=[])
def wording(values: Values, context: Context) -> Outcome:
    """Drop a question whose texts hold what doesn't belong there: markup, invisible or damaged characters, numbers of
    notes, an apology, an answer that is marked as correct."""
    options = [values["answer"], *(values["wrong"] or ())]
    fault = wording_fault(values["question"], options if values["wrong"] else [], values["answer"])
    for text in values["wrong"] or ():
        fault = fault or pair_fault(text) or doubled_fault(text)
    fault = fault or answer_fault_of(values["task"], values["question"], values["answer"], values["true_text"])
    fault = fault or _fault_of_question(values["question"], choice=bool(values["wrong"]))
    if not fault and not values["wrong"]:
        fault = answer_in_question(values["question"], values["answer"])
        fault = fault or no_information(values["answer"]) or says_nothing(values["answer"])
        is_character = is_one_character(values["question"], values["answer"])
        if (
            values["task"] not in (*READING, "T3", "T4") and not is_character
        ):  # what is written on a picture may say anything
            fault = fault or excuse_fault(values["answer"], quoted=_is_whole_translation(values))
    return dropped(*fault) if fault else kept()


def _is_whole_translation(values: Values) -> bool:
    """Return whether an answer is a translation (T2) at least as long as its source, in which people may decline."""
    source = comparable_text(values["true_text"] or "")
    return values["task"] == "T2" and 0 < len(source) <= len(comparable_text(values["answer"]))


def _fault_of_question(question: str, *, choice: bool) -> Fault | None:
    """Return the fault that a question refers to what isn't there, or asks twice."""
    return reference_fault(question, pictures=1) or sentence_fault(question, one=choice)


_ANY_PICTURE = re.compile(
    r"\W*(?:这|该|本|此)?(?:[张幅]|是)?(?:图|画|照片|作品)?(?:像|片|面)?(?:中|里|上|内)?(?:所)?(?:显示|描绘|画|展示"
    r"|呈现)?(?:的|了|着)?(?:是|有|为|存在|包含)?(?:一|某)?(?:些|[张幅个种件])?"
    r"(?:图|画|画作|图画|图片|图像|照片|作品|东西|物体|物品|内容|文字|景物|场景|艺术品|文物)\W*"
)


@reads_shortened
def says_nothing(answer: str) -> Fault | None:
    """Return the fault that an answer would fit every picture.

    >>> says_nothing("图像中有一幅画。")[0], says_nothing("图像中有一只猴子。")
    ('no-answer', None)
    """
    return ("no-answer", f"{answer[:40]!r} fits every picture") if _ANY_PICTURE.fullmatch(answer) else None


class PairText(Parameters, frozen=True):
    """Parameters of `pair-text`."""

    least_characters: Annotated[
        int, Meta(ge=0, description="a pair of fewer characters is compared only about the same picture")
    ] = 20


@stage(
    "pair-text",
    version=2,
    reads=["task", "question", "answer", "picture_cluster"],
    writes=["text", "alike_within"],
    parameters=PairText,
)
def pair_text(values: Values, context: Context[PairText]) -> Outcome:
    """Write the text for deduplication: question and answer together, compared within the task.

    A pair of less than `least_characters` (a constant question, a character as its answer) isn't a duplicate because
    other pictures have the same: such pairs are compared among questions about one picture.
    """
    text = f"{values['question']}\n{values['answer']}"
    long = len(text) - 1 >= context.parameters.least_characters
    return kept(text=text, alike_within=f"task:{values['task']}" if long else values["picture_cluster"])


class OneQuestionEach(Parameters, frozen=True):
    """Parameters of `one-question-each`."""

    min_pictures: Annotated[
        int, Meta(ge=2, description="pictures with one question and one answer, from which these say nothing about any")
    ] = 3
    min_characters: Annotated[
        int, Meta(ge=1, description="a shorter answer (a number, a name) may belong to many pictures")
    ] = 8


@stage(
    "one-question-each",
    version=2,
    kind="whole",
    reads=["task", "question", "answer", "wrong?", "picture_cluster"],
    writes=[],
    parameters=OneQuestionEach,
)
def one_question_each(records: Sequence[Values], context: Context[OneQuestionEach]) -> list[Outcome]:
    """Drop a question that another row asks about the same picture, whatever its answer is, and one that is asked, with
    the same whole answer, about many pictures."""
    wanted = context.parameters
    first_ids: dict[tuple[str, str], str] = {}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for values in records:
        if len(characters(values["answer"])) >= wanted.min_characters and values["question"].strip():
            texts = values["task"], plain_meaning(values["question"]), plain_meaning(values["answer"])
            alike.setdefault(texts, []).append(values.id)
    too_many = {id: ids[0] for ids in alike.values() if len(ids) >= wanted.min_pictures for id in ids[1:]}
    of_picture: dict[
        tuple[str, str], list[tuple[str, str]]
    ] = {}  # ids and answers where the task's question is its own
    outcomes = []
    for values in records:
        question = values["question"].strip()
        key = values["picture_cluster"], f"{values['task']}: {plain_meaning(question)}"
        earlier = first_ids.setdefault(key, values.id) if question or values["wrong"] else values.id
        if not question and not values["wrong"] and not has_own_part(values["task"]):
            described = of_picture.setdefault((values["picture_cluster"], values["task"]), [])
            earlier = next((id for id, answer in described if _nearly_equal(answer, values["answer"])), values.id)
            described.append((values.id, values["answer"]))
        if earlier != values.id:
            outcomes.append(dropped("repeated-question", f"{earlier} asks it already about this picture"))
        elif values.id in too_many:
            text = f"{too_many[values.id]} has the same question and answer about another picture"
            outcomes.append(dropped("repeated-question", f"{text}: they fit every picture"))
        else:
            outcomes.append(kept())
    return outcomes


def _nearly_equal(one: str, other: str) -> bool:
    """Return whether two answers to one question say nearly the same."""
    return Levenshtein.normalized_similarity(plain_meaning(one), plain_meaning(other)) >= MIN_ALIKE


MIN_ALIKE = 0.6  # share of equal characters of two answers that are one


@stage(
    "standard-question",
    version=3,
    reads=["task", "question", "options?", "answers?", "answer"],
    writes=["question_simplified", "question_traditional", "answer_simplified", "answer_traditional"],
)
def standard_question(values: Values, context: Context) -> Outcome:
    """Write the task's standard instruction with the question's own part, Chinese punctuation, and both scripts.

    A text that is written in traditional characters is released as it is; only its simplified form is converted. A
    question whose instruction needs a part of its own (a question, a word, a title) and has none is dropped.
    """
    letters = "ABCDE"
    if not values["question"].strip() and has_own_part(values["task"]):
        return dropped("empty-question", f"{values['task']} needs a question, word or title of its own")
    made = dict[str, str]()
    for script in ("simplified", "traditional"):
        options = [written(option, script) for option in values["options"] or ()]
        listed = " ".join(f"{letter}、{option}" for letter, option in zip(letters, options, strict=False))
        text = written(values["question"], script)
        parts = {"question": text, "word": text, "options": listed}
        template = written(instructions()[values["task"]], script)
        question = _SLOT.sub(partial(_slot_text, parts=parts), template) or text
        if values["options"] is not None and listed not in question:
            question = f"{question}\n{listed}"
        answer = letters[values["answers"][0]] if values["options"] is not None else values["answer"]
        made |= {f"question_{script}": question, f"answer_{script}": written(answer, script)}
    return kept(made)


_SLOT = re.compile(r"\{(\w+)\}")


def _slot_text(slot: re.Match[str], parts: Mapping[str, str]) -> str:
    """Return a question's own part for a slot of the instruction; an unknown slot holds the question itself."""
    return parts.get(slot[1], parts["question"])


@reads_shortened
def has_own_part(task: str) -> bool:
    """Return whether the questions of a task have words of their own besides options."""
    slots = set(re.findall(r"\{(\w+)\}", instructions()[task]))
    return not instructions()[task] or bool(slots - {"options"})


_CHINESE = "\u3400-\u9fff\uf900-\ufaff\u3000-\u303f\uff00-\uffef“”‘’…—"
_HALF_WIDTH = re.compile(
    rf"(?<=[{_CHINESE}])(?:(?<!\s)\s*|(?<=\s))[,?!;:]\s*|[,?!;:](?=\s*[{_CHINESE}])|(?<=[{_CHINESE}])\.(?!\.)(?=\s|$|[{_CHINESE}])|"
    rf"(?<=[{_CHINESE}])\(|\((?=[{_CHINESE}])|(?<=[{_CHINESE}])\)|\)(?=[{_CHINESE}])"
)
_MARKS = {",": "，", "?": "？", "!": "！", ";": "；", ":": "：", "(": "（", ")": "）", ".": "。"}


def chinese_marks(text: str) -> str:
    """Return a text with full-width marks next to Chinese characters; numbers and Latin words keep theirs.

    >>> chinese_marks("王曰:叟,不远千里(1,000 li)而来.")
    '王曰：叟，不远千里（1,000 li）而来。'
    """
    if not re.search(r"\d\"", text):
        text = re.sub(r'"([^"\n]*)"', _quoted, text)
    closed = re.sub(rf"(?<=[{_CHINESE}])\(([^()]*)\)", r"（\1）", text)
    return _HALF_WIDTH.sub(lambda mark: _MARKS[mark[0].strip()] + ("\n" if "\n" in mark[0] else ""), closed)


def _quoted(match: re.Match[str]) -> str:
    """Return a quotation in Chinese marks if it or a character next to it is Chinese."""
    around = match.string[max(0, match.start() - 1) : match.start()] + match.string[match.end() : match.end() + 1]
    return f"“{match[1]}”" if re.search(f"[{_CHINESE}]", match[1] + around) else match[0]


# 云 that means "to say", which traditional characters don't write 雲
_SAYS = re.compile(
    r"(?<=》)云(?![朵彩海雾霧烟层層天中间間])|(?<=[\u3400-\u9fff])云(?=\s*[：:]?\s*[“「『\"])"
    r"|(?<=[诗书古经语赋谚传人])云(?=[，：:])"
)


def _traditional(text: str) -> str:
    made = str(_converter("s2t").convert(text))
    if len(made) != len(text):
        return made
    characters_made = list(made)
    for match in _SAYS.finditer(text):
        characters_made[match.start()] = "云"
    return "".join(characters_made)


def written(text: str, script: str) -> str:
    """Return a text in `simplified` or `traditional` characters; one that holds traditional ones is it already.

    >>> written("余聞之。皇后在里中", "traditional"), written("论语", "traditional")
    ('余聞之。皇后在里中', '論語')
    >>> written("《诗》云：白云", "traditional")
    '《詩》云：白雲'
    """
    marked = chinese_marks(text)
    simplified = str(_converter("t2s").convert(marked))
    if script == "simplified":
        return simplified
    return marked if simplified != marked else _traditional(marked)


@stage("fixed-words", version=1, reads=["task"], writes=["fixed"])
def fixed_words(values: Values, context: Context) -> Outcome:
    """Tell reviewers that the question of a task with standard words can't be edited."""
    task = values["task"]
    return kept() if has_own_part(task) else kept(fixed={"question": f"{task} asks: {instructions()[task]}"})


def stages(config: Config) -> list[Stage]:
    """Return the stages, in order."""
    if unknown := sorted(config.tasks.keys() - formats().keys()):
        raise SpecError(f"no task {unknown[0]!r}", expected="T1 to T45")
    choice = [task for task, form in formats().items() if form == "MCQ"]
    made = [
        rights.with_(year=config.year),
        picture.with_(least_side_of=dict.fromkeys(material.CHARACTERS, 16)),
        *([picture_judged] if config.judge else []),
        *([picture_vector] if config.vectors else []),
        duplicate_pictures.with_(least_cosine=0.95),
        *(_shown(each) if config.look and each.asks else each for each in _made_by_models(config)),
        wording,
        choices,
        pair_text,
        near_duplicates.with_(least=0.95, edits=0.0),
        one_question_each,
        options.with_(least=3, most=5, length_ratio=LENGTH_RATIO).only(task=choice),
    ]
    if config.judge:
        made.append(safe)
    if config.match:
        asks = ["question", "answer"]
        judged = validated("match", PROMPTS["match"], asks, ["validator"])
        made.append(_shown(judged))
    if config.review or config.second_review:
        made.append(fixed_words)
    made += [
        _review(name) for name, wanted in (("review", config.review), ("second-review", config.second_review)) if wanted
    ]
    made += [balance_keys.only(task=choice), unguessable.only(task=choice), standard_question]
    return [each for each in made if each.where.get("task") != ()]  # an empty selection: no task is made this way


def _made_by_models(config: Config) -> list[Stage]:
    """Return the stages in which models write, for each role that the tasks name."""

    def tasks_made_by(how: str) -> list[str]:
        return [task for task, task_rows in config.tasks.items() if task_rows.how == how]

    made = [] if not tasks_made_by("pages") else [read_pages.only(task=tasks_made_by("pages"))]
    title = ["title", "instruction"]
    for name, reply, decide, writes, reads, how in (
        ("write", Written, _written, ["question", "answer", "wrong"], ["format", *title], "model"),
        ("summarise", Expanded, _expanded, ["question", "answer"], ["collected", *title], "pages"),
        ("keywords", Keywords, _keywords, ["keywords"], ["description"], "description"),
        ("expand", Expanded, _expanded, ["question", "answer"], ["description", "keywords", *title], "description"),
    ):
        more = ["examples", "true_text?", "task"] if name == "write" else []
        for role in dict.fromkeys(config.tasks[task].maker for task in tasks_made_by(how)):
            tasks = [task for task in tasks_made_by(how) if config.tasks[task].maker == role]
            asking = Ask(PROMPTS[name], decide, reply, (role,), settings={"temperature": 0}, repaired=True)
            called = name if role == "maker" else f"{name}-{role}"
            about = f"The model {role} writes {', '.join(writes)}."
            stage_of_task = ask(
                called, asking, version=9, reads=["metadata", *more, *reads], writes=writes, about=about
            )
            made.append(stage_of_task.only(task=tasks))
    return made


def roles(config: Config) -> dict[str, str]:
    """Return the roles that the tasks name in addition to `maker`."""
    named: dict[str, list[str]] = {}
    for task, task_rows in config.tasks.items():
        if task_rows.maker in ("validator", "judge"):
            raise SpecError("a role that judges can't be the maker", where=f"[tasks.{task}]", got=task_rows.maker)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", task_rows.maker):
            raise SpecError(
                "not a valid name of a maker's role",
                where=f"[tasks.{task}]",
                got=task_rows.maker,
                expected="a-z, 0-9 and _",
            )
        named.setdefault(task_rows.maker, []).append(task)
    return {role: f"writes {', '.join(tasks)}" for role, tasks in named.items() if role != "maker"}


# Faults after appendix B.4: of picture, question, answer, safety, and the match of text and picture.
FAULTS = [
    "picture irrelevant",
    "picture blurred or damaged",
    "question not standard",
    "question wrong",
    "answer wrong",
    "answer incomplete",
    "unsafe",
    "no match of text and picture",
]


def _review(name: str) -> Stage:
    """Return a review of all fields of a question, by the faults of appendix B.4."""
    return review_stage(
        name,
        {"question": "text", "options": "list", "answer": "text"},
        {"faults": {"type": "array", "items": {"enum": FAULTS}}, "why": "text"},
        "Is the question in standard words and accurate, the answer correct and complete, and nothing unsafe in "
        "either? Remove or revise what isn't; remove what doesn't belong to the picture. Another answer to a question "
        "with options is a letter or the text of an option.",
        reads=["image", "task", "question", "options?", "answers?", "answer", "fixed?", "true_text?"]
        + (["reviewed_by?"] if name == "second-review" else []),
        shows=("image", "task", "question", "options", "answer", "fixed"),
        verdicts=("approve", "revise", "remove"),
        guides={
            "zh": "题目用语是否规范、准确，答案是否正确、完整，两者是否都没有不安全内容？不符合的请修改或删除；"
            "与图片不符的请删除。选择题若答案有误，请填写正确选项的字母或文本。"
        },
        about="People approve, revise or remove each question.",
        checks=partial(_question_checks, second=name == "second-review"),
    )


def _question_checks(values: Values, *, second: bool) -> dict[str, Any]:
    """Return the checks of an edit, which are those of a maker's texts; the second reviewer is another person."""
    return {
        "languages": dict.fromkeys(("question", "options"), "zh"),
        "length_ratio": LENGTH_RATIO,
        "check": "picture-answer",
        "true_text": values["true_text"],
        "distinct": {} if values["fixed"] else {"question": values["image"]},
        "sees": {"pictures": 1},
        **({"not_by": [values["reviewed_by"]]} if second and values["reviewed_by"] else {}),
    }


def answer_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with an edited answer by what its task and question ask for."""
    if values.get("options") is None and "answer" in checks["changed"]:
        question, answer = str(values["question"]), str(values["answer"])
        if fault := answer_fault_of(values["task"], question, answer, checks["true_text"]):
            yield f"answer: {fault[0]}: {fault[1]}"


REVIEW = people_of(_review("review"))


@cache
def formats() -> dict[str, str]:
    """Return MCQ or QA for each task (the paper's Table 14)."""
    spec = tomllib.loads((BENCHMARK / "spec.toml").read_text(encoding="utf-8"))
    return {task["id"]: task["facets"]["format"] for task in spec["tasks"]}


@cache
def titles() -> dict[str, str]:
    """Return the tasks' names."""
    spec = tomllib.loads((BENCHMARK / "spec.toml").read_text(encoding="utf-8"))
    return {task["id"]: task["title"] for task in spec["tasks"]}


@cache
def instructions() -> dict[str, str]:
    """Return the standard instruction of each task; empty if it has no fixed words."""
    document = tomllib.loads((BENCHMARK / "instructions.toml").read_text(encoding="utf-8"))
    return {task: str(document.get(task, {}).get("text", "")) for task in formats()}


@cache
def _converter(name: str) -> Any:
    from opencc import OpenCC

    return OpenCC(name)


def _shown(made: Stage) -> Stage:
    """Return the stage with the picture before its text, for the model or person that is asked."""
    assert made.asks is not None
    return replace(made, asks=replace(made.asks, shows=("image",)), reads=(*made.reads, "image"))


def _written(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    (reply,) = replies.values()
    answer, wrong = reply.answer.strip(), [text.strip() for text in reply.wrong]
    if not answer:
        return dropped("no-answer", "the answer is empty")
    if not reply.question.strip() and has_own_part(values["task"]):
        return dropped("empty-question", "write the question that belongs to this picture")
    options = [answer, *wrong] if values["format"] == "MCQ" else []
    if options and (fault := choice_fault(reply.question, options, [0], Limits(3, 5, length_ratio=LENGTH_RATIO))):
        return dropped(*fault)
    if fault := wording_fault(reply.question, options, answer) or asked_fault(reply.question, "zh"):
        return dropped(*fault)
    if fault := answer_fault_of(values["task"], reply.question, answer, values["true_text"]):
        return dropped(*fault)
    if fault := _fault_of_question(reply.question, choice=bool(options)):
        return dropped(*fault)
    if not options and (fault := no_information(answer) or says_nothing(answer)):
        return dropped(*fault)
    if again := _example(values["examples"], answer):
        return dropped("example-repeated", f"{again[:40]!r} is from the examples: write about this picture")
    return kept(question=reply.question.strip(), answer=answer, wrong=wrong)


MIN_EXAMPLE = 8  # characters of an answer that is not by chance that of an example


def _example(examples: str, *texts: str) -> str:
    """Return a text that the prompt's examples have word for word; empty if none is from there."""
    all_examples = characters(examples)
    return next(
        (each for each in texts if len(characters(each)) >= MIN_EXAMPLE and characters(each) in all_examples), ""
    )


def _keywords(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    (reply,) = replies.values()
    keywords = [word.strip() for word in reply.keywords if word.strip()]
    return kept(keywords="、".join(keywords)) if keywords else dropped("no-keywords")


def _expanded(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    (reply,) = replies.values()
    answer = reply.answer.strip()
    if not answer:
        return dropped("no-answer", "the answer is empty")
    fault = wording_fault("", [], answer)
    return dropped(*fault) if fault else kept(question="", answer=answer)


def start(config: Config, base: Path, context: Context) -> Iterator[Start]:
    """Yield the rows of the table and the entries of the data sets, each with the SHA-256 of its picture."""
    fixed = {
        task: {
            "format": form,
            "title": titles()[task],
            "instruction": instructions()[task] or "（没有固定的提问）",
        }
        for task, form in formats().items()
    }
    yield from material.start(config, base, context, fixed)


def write(config: Config, records: Sequence[Record], out: Path, context: Context) -> None:
    """Write `MCS-Bench.json` and `images/`, as released; IDs count from 1, by task. `samples.jsonl` lists the record
    of each question."""
    (out / "images").mkdir()
    names = FileNames()
    samples = []
    ordered = sorted(records, key=lambda record: (int(record.fields["task"][1:]), record.id))
    rows = []
    for number, record in enumerate(ordered, 1):
        values = record.fields
        refuse_reference_only(record.id, values, "a picture")
        target = out / "images" / f"{values['image'].rpartition('/')[2][:16]}.jpg"
        names.claim_name(target.name, values["image"])
        if not target.exists():
            context.media.release(values["image"], target)
        samples.append(Sample(f"mcs_bench/{values['task']}/{number}", record.id))
        rows.append(
            {
                "ID": number,
                "Task_ID": int(values["task"][1:]),
                "Image": f"images/{target.name}",
                "Question_Simplified": values["question_simplified"],
                "Answer_Simplified": values["answer_simplified"],
                "Question_Traditional": values["question_traditional"],
                "Answer_Traditional": values["answer_traditional"],
            }
        )
    (out / "MCS-Bench.json").write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
    write_samples(out, samples)


def describe_output(config: Config, out: Path) -> About:
    """Return the content of the data card."""
    return About(
        config.name,
        "Questions about pictures of Chinese classical studies, in the format of MCS-Bench.",
        config.licence,
        ("zh",),
        {"default": {"test": "MCS-Bench.json"}},
        url=config.url,
    )


RECIPE = Recipe(
    "mcs_bench",
    1,
    "Pictures of Chinese classical studies become questions of any of 45 tasks.",
    Config,
    start,
    stages,
    write,
    ROLES,
    describe_output,
    roles_of=roles,
    parted_by="task",
    merged=(duplicate_pictures.with_(least_cosine=0.95), pair_text, near_duplicates.with_(least=0.95, edits=0.0)),
    examples=[
        {
            "pictures": "pictures.csv",
            "tasks": {"T2": {"how": "model"}, "T17": {"how": "pages"}, "T20": {"how": "description"}},
            "judge": True,
            "vectors": True,
        }
    ],
)
