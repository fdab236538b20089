"""Questions of the recipe `xmodbench` to models and people: captions, wrong texts, clearness, wordings."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from triptych.benchmarks.xmodbench.names import LETTERS
from triptych.construction.asking.prompt import Prompt, load_prompts
from triptych.construction.asking.questions import Ask, Decide, People, Result
from triptych.construction.asking.stage import ask
from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.people.stage import ask_people
from triptych.construction.recipes._xmodbench_items import released_prompt, without_context
from triptych.construction.recipes._xmodbench_labels import label_fault, translated_fault
from triptych.construction.record import Outcome, dropped, kept, revised
from triptych.construction.stage import Stage, stage
from triptych.construction.stages.reviewing import review_stage
from triptych.construction.stages.six import NUMBER
from triptych.construction.stages.triplets import FORMS
from triptych.construction.text_checks.options.homophones import sounding_apart, sounds_alike_fault
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import in_language, plain_meaning, text_fault, wording_fault
from triptych.metrics.choice import read_letter

PROMPTS = load_prompts(Path(__file__).with_name("xmodbench.toml"))
_OPTIONAL = tuple(f"{name}?" for name in FORMS)


class Caption(msgspec.Struct):
    caption: str


class Texts(msgspec.Struct):
    texts: list[str]


class Clear(msgspec.Struct):
    clear: bool
    matches: bool
    reason: str = ""


class AlsoRight(msgspec.Struct):
    also_right: list[int]
    reason: str = ""


class Wordings(msgspec.Struct):
    wordings: list[str]


class Same(msgspec.Struct):
    same: list[int]


def _stage_of(
    name: str,
    role: str,
    reply: type,
    decide: Decide,
    reads: Sequence[str],
    writes: Sequence[str] = (),
    shows: Sequence[str] = (),
    per: str = "",
    repaired: bool = False,
    parameters: type[Parameters] | None = None,
) -> Stage:
    asking = Ask(PROMPTS[name], decide, reply, (role,), tuple(shows), {"temperature": 0}, per, repaired=repaired)
    about = (decide.__doc__ or "").split("\n")[0]
    version = 3 if repaired else 1
    return ask(name, asking, version=version, reads=reads, writes=writes, about=about, parameters=parameters)


def _captioned(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A model names what has no text; the text is marked as made."""
    text = replies["captioner"].caption.strip()
    if fault := text_fault(text) or (label_fault(text) if text else None):
        return dropped(*fault)
    return kept(text=text, made=sorted({*(values["made"] or ()), "text"})) if text else dropped("no-caption")


def _caption(modality: str) -> Stage:
    asking = Ask(
        PROMPTS["caption"], _captioned, Caption, ("captioner",), (modality,), {"temperature": 0}, repaired=True
    )
    reads = [modality, "made?"]
    made = ask(
        f"caption-{modality}",
        asking,
        version=6,
        reads=reads,
        writes=["text", "made"],
        about="A model names what has no text; the text is marked as made.",
    )
    return made.only(caption_of=[modality])


caption_picture, caption_sound = _caption("vision"), _caption("audio")


def _varied(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A model writes three wrong texts that differ in one or two words."""
    full_text = values["target_text"]
    texts = [text.strip() for text in replies["maker"].texts if text.strip()]
    taken = {plain_meaning(full_text)}
    if fault := wording_fault("", texts):
        return dropped(*fault)
    for text in texts:
        if plain_meaning(text) in taken:
            return dropped("option-doubled", f"{text!r} says the same as the text or as another wrong text")
        taken.add(plain_meaning(text))
    if len(texts) < 3:
        return dropped("too-few-wrong-texts", f"{len(texts)} of 3")
    if fault := sounds_alike_fault(full_text, texts, 3):
        return dropped(*fault)
    apart = sounding_apart(full_text, texts)
    return kept(wrong=[{"text": text, "audio": None, "vision": None, "made": ["text"]} for text in apart[:3]])


vary = _stage_of("vary", "maker", Texts, _varied, ["target_text"], ["wrong"], repaired=True)


class Translation(msgspec.Struct):
    translation: str


def _translated(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A model translates the text; its translation is what is asked for."""
    text = replies["translator"].translation.strip()
    if fault := translated_fault(text, values["text"] or "", values["target_language"]):
        return dropped(*fault)
    if not in_language(text, values["target_language"]):
        return dropped("wrong-language", f"the translation is not in the language {values['target_language']}")
    form = {"text": text, "audio": None, "vision": None, "made": ["text"]}
    return kept(target=form, target_text=text)


def _translate() -> Stage:
    asking = Ask(PROMPTS["translate"], _translated, Translation, ("translator",), (), {"temperature": 0}, repaired=True)
    return ask(
        "translate",
        asking,
        version=7,
        reads=["text", "target_language"],
        writes=["target", "target_text"],
        about=(_translated.__doc__ or "").split("\n")[0],
    )


translate = _translate()


@stage("languages", version=3, reads=["text?", "language?", "target_language?", "target?", "wrong?"], writes=["wrong"])
def languages(values: Values, context: Context) -> Outcome:
    """Drop a translation of which stem or target isn't in its language, and leave out wrong texts that aren't.

    Scripts distinguish languages: Chinese, Japanese, Korean, Russian, Arabic and others against languages
    with Latin letters.
    """
    stem, to = values["language"] or "en", values["target_language"] or values["language"] or "en"
    target = values["target"] or {}
    for text, language in ((values["text"], stem), (target.get("text"), to)):
        if text and not in_language(text, language):
            return dropped("wrong-language", f"{text[:60]!r} is not in the language {language}")
    wrong = [form for form in values["wrong"] or () if not form["text"] or in_language(form["text"], to)]
    return kept() if len(wrong) == len(values["wrong"] or ()) else revised("wrong-language", {"wrong": wrong})


@reads_shortened
def changed_count(text: str, other: str) -> int:
    """Return how many words (in Chinese: characters) differ between two texts; case and punctuation don't count.

    A word that is replaced counts once, one that is inserted or left out once.
    """
    a, b = (re.findall(r"[\u3400-\u9fff]|[^\W_]+(?:['’][^\W_]+)*", each.casefold()) for each in (text, other))
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for op, i1, i2, j1, j2 in matcher.get_opcodes() if op != "equal")


class ChangedWords(Parameters, frozen=True):
    """Parameters of `changed-words`."""

    most: Annotated[int, Meta(ge=1, description="greatest number of words in which a wrong text differs")] = 2
    most_characters: Annotated[
        int, Meta(ge=1, description="greatest number of characters in which a wrong Chinese text differs")
    ] = 4


@stage("changed-words", version=1, reads=["target_text", "wrong"], writes=["wrong"], parameters=ChangedWords)
def changed_words(values: Values, context: Context) -> Outcome:
    """Keep wrong texts that differ from the text in one or two words (in Chinese: at most four characters).

    If fewer than three are left, the record is dropped.
    """
    chinese = bool(re.search(r"[\u3400-\u9fff]", values["target_text"]))
    limit = context.parameters["most_characters" if chinese else "most"]
    near = [form for form in values["wrong"] if 1 <= changed_count(values["target_text"], form["text"]) <= limit]
    if len(near) < 3:
        return dropped("too-few-near-texts", f"{len(near)} of {len(values['wrong'])}")
    return kept() if len(near) == len(values["wrong"]) else revised("far-texts-removed", {"wrong": near})


_AGAIN = {"vision": "redraw", "audio": "respeak"}


def _judge_clarity(modality: str) -> Decide:
    def decide(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
        """A judge finds the form clear and fitting by itself; what was made is made once more, and the rest dropped."""
        judgement, flag, again = replies["judge"], _AGAIN[modality], f"retest_{modality}"
        if judgement.clear and judgement.matches:
            return kept()
        reason = f"unclear-{modality}" if not judgement.clear else f"{modality}-does-not-match"
        if modality in (values["made"] or ()) and not values[again]:
            return revised(reason, {flag: True, again: True}, judgement.reason[:200])
        return dropped(reason, judgement.reason[:200])

    return decide


clear_vision, clear_audio = (
    _stage_of(
        f"clear-{modality}",
        "judge",
        Clear,
        _judge_clarity(modality),
        ["text", modality, "made?", f"retest_{modality}?"],
        [_AGAIN[modality], f"retest_{modality}"],
        [modality],
    )
    for modality in ("vision", "audio")
)


@stage(
    "candidate-texts",
    version=1,
    reads=["candidates", "relation"],
    writes=["answer_text", "wrong_texts", "relation_text"],
)
def candidate_texts(values: Values, context: Context) -> Outcome:
    """The candidates in words, for a judge."""
    texts = [form["text"] for form in values["candidates"]]
    return kept(
        answer_text=texts[0],
        wrong_texts="; ".join(f"{n}. {text}" for n, text in enumerate(texts[1:], 1)),
        relation_text=values["relation"].format(context="one"),
    )


def _replace_correct_distractors(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge finds distractors that are correct as well; they are replaced once, and the Instance judged again."""
    judgement = replies["judge"]
    if not judgement.also_right:
        return kept(retest=False)
    unfit = sorted({number + 1 for number in judgement.also_right if 1 <= number < NUMBER})
    if values["retest"] or not unfit:
        return dropped("second-right-candidate", judgement.reason[:200])
    return revised("second-right-candidate", {"unfit": unfit}, judgement.reason[:200])


def _also_right_stage() -> Stage:
    asking = Ask(
        PROMPTS["also-right"],
        _replace_correct_distractors,
        AlsoRight,
        ("judge",),
        (),
        {"temperature": 0},
        hides=("retest",),
    )
    return ask(
        "also-right",
        asking,
        version=2,
        reads=["text", "answer_text", "wrong_texts", "relation_text", "retest?"],
        writes=["unfit", "retest"],
        about=(_replace_correct_distractors.__doc__ or "").split("\n")[0],
    )


also_right = _also_right_stage()


@stage(
    "option-texts",
    version=1,
    reads=["text?", "target?", "wrong", "target_language?"],
    writes=["wrong_options", "fixed"],
)
def option_texts(values: Values, context: Context) -> Outcome:
    """List the wrong texts of a row for reviewers, and say which texts can't be edited."""
    target, fixed = values["target"] or {}, {}
    if modalities := [name for name in ("audio", "vision") if target.get(name)]:
        fixed["target_text"] = f"the {' and the '.join(modalities)} of the table have it: correct the table"
    elif not values["target_language"]:
        fixed["target_text"] = "this row asks for its own text: correct the table"
    return kept(wrong_options=[form["text"] for form in values["wrong"]], fixed=fixed)


def option_faults(values: Mapping[str, Any], checks: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the texts of a row after an edit: their number, or two that say the same."""
    wrong, shown = list(values["wrong_options"]), checks["number"]
    if len(wrong) != shown:
        yield f"wrong_options: {len(wrong)} wrong options; there must be {shown}, one for each that was shown"
    texts = [str(values["target_text"]), *map(str, wrong)]
    for number, text in enumerate(texts):
        if plain_meaning(text) in map(plain_meaning, texts[:number]):
            yield f"wrong_options: {text!r} says the same as another option"


def _option_checks(values: Values) -> dict[str, Any]:
    language = values["target_language"] or values["language"] or "en"
    return {
        "languages": dict.fromkeys(("target_text", "wrong_options"), language),
        "check": "option-texts",
        "number": len(values["wrong_options"]),
    }


def _form_checks(values: Values) -> dict[str, Any]:
    to = values["target_language"] or values["language"]
    languages = {"text": values["language"], "target_text": to}
    return {"languages": {name: language for name, language in languages.items() if language}}


review_texts = review_stage(
    "review-texts",
    {"target_text": "text", "wrong_options": "list"},
    {"fault": ["wrong option correct", "wrong option absurd", "translation", "language", "other"], "why": "text"},
    "The right answer is `target_text`. Is it right, and is each of the wrong options wrong and yet near? Edit any of "
    "them by itself: speech and pictures are made of these texts afterwards. Reject the row if it can't be mended.",
    reads=["subtask", "text?", "target_text", "wrong_options", "fixed?", "language?", "target_language?"],
    guides={
        "zh": "正确答案是 target_text。它是否正确？每个错误选项是否确实错误，又与正确答案相近？"
        "可以逐个修改；语音和图片将根据修改后的文字制作。无法修改时请退回。"
    },
    checks=_option_checks,
    about="People edit the right text and each wrong text of a row, before speech and pictures are made of them.",
)


@stage(
    "edited-options",
    version=1,
    reads=["target?", "target_text", "wrong", "wrong_options"],
    writes=["target", "wrong"],
)
def edited_options(values: Values, context: Context) -> Outcome:
    """Write edited texts into the forms of the target and of the wrong answers."""
    wrong = [dict(form) for form in values["wrong"]]
    for form, text in zip(wrong, values["wrong_options"], strict=True):
        form["text"] = text
    target = {**(values["target"] or {}), "text": values["target_text"]}
    changed = {"wrong": wrong} if wrong != [dict(form) for form in values["wrong"]] else {}
    return kept(changed | ({"target": target} if target != values["target"] else {}))


FORM_FAULTS = ["text", "audio", "vision", "forms differ", "language", "unsafe", "other"]


@stage("fixed-texts", version=1, reads=["target?", "made?"], writes=["fixed"])
def fixed_texts(values: Values, context: Context) -> Outcome:
    """Tell reviewers which texts can't be edited: speech and pictures that were made of them would say the old one."""
    fixed = {} if values["target"] else {"target_text": "this row asks for its own text: edit `text`"}
    for name, made in (("text", values["made"]), ("target_text", (values["target"] or {}).get("made"))):
        if forms := sorted({"audio", "vision"} & set(made or ())):
            text = f"the {' and the '.join(forms)} of this row were made of it: reject the row, or correct the table"
            fixed.setdefault(name, text)
    return kept(fixed=fixed) if fixed else kept()


review_forms = review_stage(
    "review-forms",
    {"text": "text", "target_text": "text"},
    {"fault": FORM_FAULTS, "why": "text"},
    "Look at, listen to and read each form of this row by itself, and of its target if it has one. Is each clear, and "
    "do they say the same? Approve, edit a text, or reject the row: it is then used in no question, neither as the "
    "answer nor as a distractor.",
    reads=["subtask", "text", "target_text?", "audio", "vision", "target?", "fixed?", "language?", "target_language?"],
    shows=("subtask", "text", "target_text", "audio", "vision", "target", "fixed"),
    checks=_form_checks,
    guides={
        "zh": "请分别看、听、读该行的每种形式；如有目标内容，也请检查。是否清楚？各形式是否表达相同的内容？"
        "请选择通过、修改文本或退回；退回的内容不会用于任何题目，既不作答案，也不作干扰项。"
    },
    about="People look at the forms of each row once, before it becomes an answer or a distractor.",
)


@stage("edited-forms", version=1, reads=["text", "target_text?", "target?"], writes=["target", "target_text"])
def edited_forms(values: Values, context: Context) -> Outcome:
    """Write edited texts into all forms that hold them."""
    if not values["target"]:
        return kept() if values["target_text"] == values["text"] else kept(target_text=values["text"])
    if values["target"].get("text") == values["target_text"]:
        return kept()
    return kept(target={**values["target"], "text": values["target_text"]})


def _reviewed(results: Sequence[Result], values: Values, context: Context) -> Outcome:
    """People approve an Instance, name candidates that are correct too, which are replaced once, or drop it."""
    values_, person = results[0].values, results[0].person
    if values_.get("verdict") != "reject":
        return kept(reviewed_by=person)
    named = sorted(map(str, values_.get("also_right") or ()))
    parts = [*(f"candidate {letter} is correct too" for letter in named), values_.get("why")]
    note = "; ".join(str(each) for each in parts if each)
    if named and not values["replaced"]:
        return revised("rejected-in-review", {"unfit": [ord(letter) - 64 for letter in named], "replaced": True}, note)
    return dropped("rejected-in-review", note)


review = ask_people(
    "review",
    People(
        {
            "verdict": ["approve", "reject"],
            "also_right": {"type": "array", "items": {"enum": ["B", "C", "D"]}},
            "why": "text",
        },
        "Candidate A, the first one, is the answer. Is it correct in each form, and is none of the others (B, C, D) "
        "correct as well? "
        "Reject the question otherwise, and name the candidates that are correct too: they are replaced by others, and "
        "you are asked once more. If you name none, the question is dropped.",
        decide=_reviewed,
        shows=("subtask", "text", "audio", "vision", "candidates"),
        guides={
            "zh": "第一个候选项（A）是答案。它的每种形式是否都正确？其余候选项（B、C、D）是否都不正确？"
            "否则请退回该题，并注明哪些候选项也是正确的：它们将被替换，然后再请您检查一次；若未注明，该题将被删除。"
        },
    ),
    version=4,
    reads=["subtask", "text", "audio", "vision", "candidates", "replaced?"],
    writes=["reviewed_by", "unfit", "replaced"],
    about="People approve each Instance with its candidates, or name those that are correct too, which are replaced.",
)


class WordingCount(Parameters, frozen=True):
    """Parameters of `word-template` and `wordings`."""

    wordings: Annotated[int, Meta(ge=1, description="number of wordings of a question besides the standard one")] = 3


@stage("word-template", version=1, reads=["question"], writes=["template", "wording_count"], parameters=WordingCount)
def word_template(values: Values, context: Context) -> Outcome:
    """Keep the question in standard words as the template of its direction."""
    return kept(template=values["question"], wording_count=context.parameters["wordings"])


def _worded(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A model writes other wordings of a direction's question."""
    drafts = [text.strip() for text in replies["maker"].wordings if text.strip().endswith("?")]
    return kept(drafts=drafts[: context.parameters["wordings"]])


wordings = _stage_of(
    "wordings", "maker", Wordings, _worded, ["task", "template"], ["drafts"], per="task", parameters=WordingCount
)


def _keep_same_wordings(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A judge keeps the wordings that ask exactly the same."""
    same_options = {number - 1 for number in replies["judge"].same}
    return kept(drafts=[text for index, text in enumerate(values["drafts"]) if index in same_options])


same_question = _stage_of(
    "same-question", "judge", Same, _keep_same_wordings, ["task", "template", "drafts"], ["drafts"], per="task"
)


@stage("choose-wording", version=1, reads=["template", "drafts", "instance"], writes=["question"])
def choose_wording(values: Values, context: Context) -> Outcome:
    """Draw one of the wordings for the question, the standard one among them."""
    return kept(question=context.random("wording", values.id).choice([values["template"], *values["drafts"]]))


def _guessed(replies: Mapping[str, Any], values: Values, context: Context) -> Outcome:
    """A model answers without the context; whether it is right is noted, unless it doesn't take the candidates."""
    reply = replies["blind"]
    if reply is None:
        return kept()
    return kept(blind_right=read_letter(reply, LETTERS) == LETTERS[values["answers"][0]])


def blind_stage() -> Stage:
    """The stage in which a model answers without the context, from what a Run would send."""
    name, template = released_prompt()
    prompt = Prompt(f"xmodbench/{name}", "\n".join((*template.content, *template.option)), template.system)
    asking = Ask(
        prompt,
        _guessed,
        None,
        ("blind",),
        (),
        {"temperature": 0},
        hides=("answers", "context"),
        writes=lambda values, _: without_context(values),
        needed=False,
    )
    reads = ["task", "instance", "direction", "vision_kind", "question", "context", "options", "answers"]
    return ask(
        "blind",
        asking,
        version=8,
        reads=reads,
        writes=["blind_right"],
        about="A model answers without the context; whether it is right is noted.",
    )
