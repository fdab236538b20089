"""Faults of the questions, options and answers that a maker writes about a recording, beyond their wording.

A fault is a reason and words for its maker, as in `triptych.construction.text_checks.wording`.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from triptych.construction.text_checks.absent_references import reference_fault, sentence_fault
from triptych.construction.text_checks.makers.excuses import excuse_fault, is_one_character, quotes
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.punctuation import doubled_fault, pair_fault
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import EMOJI, Fault, asked_fault, in_language, plain_meaning, simplified

_IDEOGRAPH = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LED_IN = re.compile(
    r"^\W{0,3}(?:(?:参考|标准|正确|示例|最终|我的)?(?:答案|回答|解答|答复|结论)(?:是|为|如下|示例)?[\]】）)]?\s*[:："
    r"]|[答解]\s*[:：]"
    r"|(?:reference |model |sample |correct |final )?(?:answer|response|a)\s*[:：]"
    r"|(?:解析|思路|思考过程|reasoning|explanation)\s*[:：])|^\s*[\[【（(]\s*(?:参考|标准)?(?:答案|答|回答|解析)\s*["
    r"\]】）)]",
    re.IGNORECASE,
)
_QUESTION_LED_IN = re.compile(
    r"^\W{0,3}(?:第?\s*[\d一二三四五六七八九十]+\s*题|问题?|题目|题干|提问|q(?:uestion)?)\s*[\d一二三四五六七八九十]"
    r"*\s*[:：.．、]"
    r"|^\s*[(（]?\d{1,2}\s*[.．、)）]\s*(?=\D)|[(（\[]\s*(?:本题|共)?\s*\d{1,3}\s*(?:分|points?|marks?)\s*[)）\]]",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(
    r"\W*(?:(?:此处|此题|本题|答案|过程)?(?:省|从|已)?略|(?:答案)?(?:详|参|请)?见(?:上|前|下)(?:文|述|面|题|一题)?"
    r"|同(?:上|前)(?:文|题|一题|述)?|如(?:上|前)(?:所述)?|待(?:定|补充?|填写?|续|确认)"
    r"|无?(?:标准|固定|唯一)?答案(?:暂)?(?:无|缺|缺失|待定|略|未提供)|暂?无(?:标准|固定|唯一)?答案"
    r"|n\s*[/.]\s*a\.?|null|nil|nan|undefined|tbd|todo|see (?:above|below|text|the text|previous answer|transcript)"
    r"|same as (?:above|before)|(?:as )?above|ditto|no answer|not (?:applicable|available|provided)|omitted)\W*",
    re.IGNORECASE,
)
_SHORT_OF_AN_ANSWER = re.compile(
    r"\W*(?:(?:暂|皆|均)?无|没有|未知|不详|不明|空|有|是的?|不是|对|错|可以|none|unknown|yes|no|ok)\W*", re.IGNORECASE
)
_EMPTY_OPTION = re.compile(r"\W*(?:空白?|blank|empty)\W*", re.IGNORECASE)
_LEFT_OPEN = re.compile(
    r"言之(?:有理|成理)|答案不(?:唯一|固定|止一个)|(?:合理|有理|通顺|符合题意)(?:皆|均)?即?可(?=\W*$|[，,。])"
    r"|无(?:标准|固定|统一|唯一)答案|自由(?:发挥|作答)|(?:开放|主观)(?:性|式)?(?:答案|题目|题(?=\W|$))"
    r"|\b(?:answers?|responses?) (?:may|will|can) vary"
    r"|\bany reasonable answer|[A-H](?:\s*[、,，/和或]\s*[A-H])+\s*(?:均|都|皆)可",
    re.IGNORECASE,
)
_LETTER = re.compile(r"\W*(?:选?(?:项|择|答案)?\s*[A-Ha-h](?:\s*选?项)?|option [A-H])\W*", re.IGNORECASE)
_CUT = re.compile(r"[，、：；,:;（(《“‘「『【\[—-]\s*$")
_OUTSIDE = re.compile(r"https?://\S+|www\.\S+|[(（\[【]\s*(?:来源|出处|参考文献|source)\s*[:：].{0,40}", re.IGNORECASE)
_GLOSS = re.compile(r"[(（]\s*[A-Za-z][A-Za-z ,.'’-]{3,}\s*[)）]|[(（]\s*[a-zà-ǜ]+(?:\s[a-zà-ǜ]+)+\s*[)）]")
_HOW_MANY = re.compile(
    r"哪([二两三四五六])(?:项|个|种|条|点)(?!人|说话|角色)|选(?:择|出)?([二两三四五六])(?:项|个)(?:选项|答案|正确)?"
)
_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"")
_DANGLING = re.compile(r"(?:因为|由于|所以|因此|但是?|而且|并且|以及|或者|如果|虽然|例如|比如|和|与|的是)\s*$")
_PAIRS = {"（": "）", "(": ")", "《": "》", "“": "”", "「": "」", "『": "』", "【": "】", "[": "]"}
_REQUEST = re.compile(
    r"[?？]|[哪谁几吗呢何孰啥]|什么|怎|多少|是否|是不是|有没有|能否|可否|请|推断|推测|判断|分析|说明|解释|描述"
    r"|指出|选出|比较|概括"
    r"|\b(?:who|what|where|when|why|how|which|whose|is|are|do|does|did|can|could|name|describe|explain)\b",
    re.IGNORECASE,
)
# In a question with one correct option, or with several
_OF_ANOTHER_KIND = {
    "one": re.compile(
        r"[(（\[【]\s*(?:多选|不定项|可多选|multiple answers?|select all)|可以?(?:选择)?多选|选出所有|select all",
        re.IGNORECASE,
    ),
    "several": re.compile(
        r"[(（\[【]\s*(?:单选|single choice)|(?:只有|仅有)一(?:项|个)(?:选项)?(?:是)?正确", re.IGNORECASE
    ),
    "open": re.compile(
        r"(?:以下|下列)(?:哪|选项|四个|几个|各项|说法中)|(?:哪|那)(?:个|些|一?项)选项|which of the following"
        r"|[(（\[【]\s*(?:多选|单选)",
        re.IGNORECASE,
    ),
}
_WEAK = re.compile(r"已经|[的地得了着呢吧啊呀嘛哦]")


@reads_shortened
def question_fault(question: str, language: str, kind: str = "one", *, sound: bool = False) -> Fault | None:
    """Return the first fault of a maker's question; None if there is none.

    kind: `one` correct option, `several`, or `open`, for which there are no options. sound: whether who answers hears
    recordings alone, and sees no picture and no transcript.

    >>> question_fault("问题1：他为什么停下？", "zh")[0], question_fault("这题太简单，换一道。", "zh")[0]
    ('not-the-text-alone', 'not-a-question')
    """
    bare = question.strip()
    if not comparable_text(bare):
        return "no-question", "the question is empty"
    if fault := asked_fault(question, language):
        return fault
    if led := _QUESTION_LED_IN.search(bare):
        return "not-the-text-alone", f"write the question alone, without {led[0].strip()[:20]!r}"
    if _CUT.search(bare) or (open_mark := _unclosed(bare)):
        mark = bare[-1] if _CUT.search(bare) else open_mark
        return "question-cut-off", f"{mark!r} is followed by nothing: write the whole question"
    if not _REQUEST.search(bare):
        return "not-a-question", f"{bare[:40]!r} asks nothing"
    if outside := _OUTSIDE.search(bare):
        return "refers-elsewhere", f"{outside[0][:40]!r} isn't in the recording"
    if other := _OF_ANOTHER_KIND[kind].search(bare):
        return "question-of-another-kind", f"{other[0]!r}: {_KINDS[kind]}"
    if twice := _said_twice(bare):
        return "repeats-itself", f"{twice[:40]!r} is in it twice"
    if fault := reference_fault(bare, sound=sound) or sentence_fault(bare, one=kind != "open"):
        return fault
    return pair_fault(bare) or doubled_fault(bare) or _emoji_fault(bare)


_KINDS = {
    "one": "exactly one option is correct",
    "several": "several options are correct",
    "open": "an open question has no options",
}


@reads_shortened
def answer_fault(question: str, answer: str, language: str) -> Fault | None:
    """Return the first fault of the answer to an open question; None if there is none.

    >>> answer_fault("他为什么停下？", "参考答案：到站了。", "zh")[0], answer_fault("他为什么停下？", "略", "zh")[0]
    ('not-the-text-alone', 'no-answer')
    """
    bare = answer.strip()
    if not comparable_text(bare):
        return "empty-text", "the answer is empty"
    if led := _LED_IN.search(bare):
        return "not-the-text-alone", f"write the answer alone, without {led[0].strip()[:20]!r}"
    one_character = is_one_character(question, bare)
    if (_SAYS_NOTHING.fullmatch(bare) or _SHORT_OF_AN_ANSWER.fullmatch(bare)) and not one_character:
        return "no-answer", f"{bare[:40]!r} answers nothing: write the answer itself"
    if left := _LEFT_OPEN.search(bare):
        return "no-answer", f"{left[0]!r} leaves the answer open: write one answer that is correct"
    if not one_character and (fault := excuse_fault(bare, quoted=quotes(question))):
        return fault
    if _LETTER.fullmatch(bare):
        return "answer-is-a-letter", f"{bare[:10]!r}: write the answer's text"
    if outside := _OUTSIDE.search(bare):
        return "refers-elsewhere", f"{outside[0][:40]!r} isn't in the recording"
    stem, answered = comparable_text(question), comparable_text(bare)
    if stem and (stem == answered or (stem in answered and len(answered) < len(stem) + 6)):
        return "answer-is-the-question", f"{bare[:40]!r} repeats the question"
    if not in_language(_unquoted(bare), language, 0.4):
        return "wrong-language", f"{bare[:40]!r} is not in the language {language}"
    if _cut_off(bare):
        return "answer-cut-off", f"it ends in {bare[-10:]!r}: write the whole answer"
    if twice := _said_twice(bare):
        return "repeats-itself", f"{twice[:40]!r} is in it twice"
    if fault := no_information(bare) or sentence_fault(bare, one=False):
        return fault
    return pair_fault(bare) or doubled_fault(bare) or _emoji_fault(bare)


# Answers of a model that doesn't find any; an answer may say why something isn't certain
_NOT_IN_IT = re.compile(
    r"^\W*(?:很遗憾[，,]?|抱歉[，,]?)?(?:在|从)?(?:这[段首篇幅张个]|该|本|上述|所给|给出的?|提供的?|现有的?|此)?(?:文"
    r"[本中]?|原文|文章|材料|诗[词歌]?|图[像片]?|画面|画作|音频|录音|对话|内容|信息|资料|背景|上下文)"
    r"(?:内容|信息|本身)?(?:里|中|上)?[，,]?(?:并|均|都|也)?(?:没有|没|未|无)(?:有)?(?:明确|直接|具体|清楚|详细"
    r"|充分|足够)?(?:地)?(?:提到|提及|提供|说明|给出|涉及|显示|交代|记载|体现|指出|包含|写到|谈到|描述)"
    r"|^\W*(?:根据|从|凭|仅凭|由|依据|通过|仅从)[^。！？]{0,16}(?:，|,)?(?:我)?(?:还)?(?:无法|不能|难以|无从|没办法"
    r"|沒辦法|無法)(?:确定|判断|得知|推断|知道|回答|得出|看出|判定|辨别|確定|判斷)"
    r"|^\W*(?:此题|本题|该题|这个?问题)?(?:我)?(?:无法|不能|难以|无从|無法)(?:确定|判断|得知|推断|知道|回答|作答"
    r"|辨认|识别|確定|判斷)\W*$"
    r"|^\W*(?:信息|材料|资料|线索|內容|内容|證據|证据)(?:不足|不够|有限|太少|缺失)[，,。].{0,12}(?:无法|不能|难以|無法)"
    r"|\b(?:the (?:text|passage|image|picture|audio|recording|dialogue|conversation|context|poem) (?:does not"
    r"|doesn['’]t|"
    r"did not|didn['’]t) (?:\w+ )?(?:mention|say|state|provide|specify|contain|show|indicate))"
    r"|^\W*(?:it (?:is|'s) (?:not possible|impossible|unclear)|(?:cannot|can['’]t) be (?:determined|answered|inferred)"
    r"|not (?:mentioned|specified|stated|enough information)|there is (?:not enough|insufficient) information)",
    re.IGNORECASE,
)


@reads_shortened
def no_information(answer: str) -> Fault | None:
    """Return the fault that an answer says only that the material doesn't have it; None if it answers.

    >>> no_information("文中没有提到这一点，因此无法判断。")[0], no_information("君子并没有因为别人不了解自己而生气。")
    ('no-answer', None)
    """
    match = _NOT_IN_IT.search(answer)
    return ("no-answer", f"{match[0].strip()[:40]!r} answers nothing: write the answer itself") if match else None


@reads_shortened
def options_fault(question: str, options: Sequence[str], language: str) -> Fault | None:
    """Return the first fault of a question's options, whichever is correct; None if there is none."""
    return next(_options_faults(question, options, language), None)


def _options_faults(question: str, options: Sequence[str], language: str) -> Iterator[Fault]:
    characters = len(options) > 1 and all(len(comparable_text(option)) == 1 for option in options)
    for option in options:
        bare = option.strip()
        if not characters and (_SAYS_NOTHING.fullmatch(bare) or _EMPTY_OPTION.fullmatch(bare)):
            yield "no-answer", f"the option {bare[:40]!r} answers nothing"
        if _LETTER.fullmatch(bare) and (len(options) == 1 or not all(_LETTER.fullmatch(o.strip()) for o in options)):
            yield "answer-is-a-letter", f"{bare[:10]!r}: write the option's text"
        if led := _LED_IN.search(bare):
            yield "not-the-text-alone", f"write the option alone, without {led[0].strip()[:20]!r}"
        if outside := _OUTSIDE.search(bare):
            yield "refers-elsewhere", f"{outside[0][:40]!r} isn't in the recording"
        if comparable_text(question) and comparable_text(bare) == comparable_text(question):
            yield "answer-is-the-question", f"the option {bare[:40]!r} repeats the question"
    if foreign := another_language(options, language):
        yield "wrong-language", f"the option {foreign[:40]!r} is not in the language {language}"
    if glossed := _glossed_alone(options):
        yield "option-marked", f"{glossed[:40]!r} alone has an explanation in another language"
    for check in (pair_fault, doubled_fault, _emoji_fault):
        yield from filter(None, map(check, options))
    if pair := _paraphrased(options):
        yield "same-option-twice", f"{pair[0][:40]!r} and {pair[1][:40]!r} say the same"


@reads_shortened
def another_language(options: Sequence[str], language: str) -> str:
    """Return an option in another language than most of the others; empty if there is none. Names and titles may be in
    Latin letters.

    >>> another_language(["因为到站了", "because of the rain", "因为有人喊"], "zh")
    'because of the rain'
    """
    if primary(language) != "zh":
        return next((option for option in options if not in_language(option, language, 0.0)), "")
    if 2 * sum(bool(_IDEOGRAPH.search(option)) for option in options) <= len(options):
        return ""
    for option in options:
        letters = [c for c in option if c.isalpha()]
        words = re.findall(r"[A-Za-z\u00c0-\u024f'’]{2,}", option)
        if _IDEOGRAPH.search(option):
            if not in_language(_unquoted(option), language, 0.0):  # kana among ideographs
                return option
        elif (
            len(words) > 2
            or (len(words) > 1 and option.strip()[0].islower())
            or (len(letters) > 1 and not any(c.isascii() or "\u00c0" <= c <= "\u024f" for c in letters))
        ):
            return option
    return ""


@reads_shortened
def script_fault(texts: Sequence[str], source: str) -> Fault | None:
    """Return the fault that a text is in traditional characters while what it is about is in simplified ones.

    >>> script_fault(["他應該馬上關門"], "请你马上关门")[0], script_fault(["他應該馬上關門"], "請你馬上關門")
    ('traditional-characters', None)
    """
    if not _IDEOGRAPH.search(source) or traditional(source):
        return None
    unconverted = next((text for text in texts if traditional(text)), "")
    return ("traditional-characters", f"write {unconverted[:40]!r} in simplified characters") if unconverted else None


def _unquoted(text: str) -> str:
    """Return a text without what it quotes, which may be in any language; all of it if it quotes everything."""
    rest = _QUOTED.sub("", text)
    return rest if comparable_text(rest) else text


def traditional(text: str) -> str:
    """Return what of a text is in traditional characters, if it is not in simplified ones at all; empty otherwise.

    >>> traditional("他應該馬上關門")
    '應該馬關門'
    """
    if (convert := simplified()) is None:
        return ""
    changed = "".join(a for a, b in zip(text, convert.convert(text), strict=False) if a != b)
    return changed if len(changed) >= max(2, 0.1 * len(_IDEOGRAPH.findall(text))) else ""


def _glossed_alone(options: Sequence[str]) -> str:
    """Return an option among Chinese ones that alone has words in Latin letters in brackets; empty if there is none."""
    glossed = [option for option in options if _GLOSS.search(option)]
    return glossed[0] if len(glossed) == 1 and len(options) > 2 and _IDEOGRAPH.search(glossed[0]) else ""


@reads_shortened
def number_asked_for(question: str) -> int:
    """Return how many options a question asks for (哪两项, 选出三个); 0 if it doesn't say.

    >>> number_asked_for("以下哪两项推断合理？"), number_asked_for("以下哪些推断合理？")
    (2, 0)
    """
    match = _HOW_MANY.search(question)
    return "零一二三四五六".find((match[1] or match[2]).replace("两", "二")) if match else 0


def _paraphrased(options: Sequence[str]) -> tuple[str, str] | None:
    """Return two options that differ in particles alone."""
    seen: dict[str, str] = {}
    for option in options:
        bare = _WEAK.sub("", plain_meaning(option))
        if len(bare) >= 4 and bare in seen:
            return seen[bare], option
        seen[bare] = option
    return None


def _emoji_fault(text: str) -> Fault | None:
    match = EMOJI.search(text)
    return ("emoji", f"it holds {match[0]!r}") if match else None


def _unclosed(text: str) -> str:
    """Return an opening bracket or quotation mark that isn't closed; empty if there is none."""
    return next((a for a, b in _PAIRS.items() if text.count(a) > text.count(b)), "")


def _cut_off(text: str) -> bool:
    """Return whether a text of several sentences ends in the middle of one."""
    if _CUT.search(text) or _DANGLING.search(text):
        return True
    return len(re.findall(r"[。！？!?]", text)) > 1 and bool(_IDEOGRAPH.match(text[-1]))


def _said_twice(text: str) -> str:
    """Return a sentence of a text that is in it twice, one after the other; empty if there is none."""
    parts = [part.strip() for part in re.split(r"[。！？!?\n；;]+", text) if len(comparable_text(part)) >= 4]
    return next((a for a, b in itertools.pairwise(parts) if comparable_text(a) == comparable_text(b)), "")


# Words that a question about a recording may begin with or contain without asking for anything else
_FILLERS = re.compile(
    r"请问|请|根据|结合|综合|通过|基于|依据|从|由|来看|听|可以|能够|能|推断|判断|推测|分析|得知|看出|听出|知道"
    r"|以下|下列|这一?[段个]|该|此|本|上述|以上|所有"
    r"|音频|录音|对话|声音|片段|内容|信息|线索|背景音?|的|中|里|内|最?有?(?:可能|大可能)(?:性)?|大概|大致|应该"
    r"|究竟|到底|是|呢|吗|吧|啊|呀|一下|你|认为|觉得"
)
_QUESTION_WORDS = (
    (r"什么(?:地方|地点|场所|位置)|哪个?(?:地方|地点|场所)|何处|何地|哪儿|地点(?:是|为)?(?:哪里|什么)?", "哪里"),
    (r"为何|为啥|什么(?:原因|缘故)|(?:的)?原因(?:是|为)?什么|怎么会|出于什么(?:原因|目的)?", "为什么"),
    (r"什么(?:时候|时间|时刻)|何时|哪个?时(?:候|间|段)|几点", "何时"),
    (r"什么人|哪一?(?:个|位)人?|何人", "谁"),
    (r"怎么样|怎样|如何|怎么", "怎样"),
    (r"哪些|哪种|哪一?项|哪类|啥|何种", "什么"),
    (r"之间|二者|两者|双方|两个?人|两位(?:说话(?:人|者))?|说话(?:人|者)(?:们)?|他们|她们", "人"),
    (r"场景|环境|情境|情景", "场景"),
    (r"发生于|发生在", "发生"),
    (r"响起|响了", "响"),
)


@reads_shortened
def asked_meaning(question: str) -> str:
    """Return what a question asks, without what doesn't change it, to compare questions about one recording.

    >>> asked_meaning("请问这段对话最可能发生在什么地方？") == asked_meaning("对话发生在哪里呢？")
    True
    """
    text = unicodedata.normalize("NFKC", question).casefold()
    if (convert := simplified()) is not None:
        text = convert.convert(text)
    for pattern, word in _QUESTION_WORDS:
        text = re.sub(pattern, word, text)
    return plain_meaning(_FILLERS.sub("", text)) or plain_meaning(question)


_TELLING = re.compile(r"[0-9一二三四五六七八九十两男女父母先后前首末终始起不没无未左右上下大小多少早晚内外]|[a-z]+|第")


def _shared(a: str, b: str) -> float:
    """Return the share of characters that two questions have in common, in any order, without words of asking."""
    one, other = (
        Counter(re.sub(r"哪里|为什么|何时|谁|怎样|什么|出|来源|原因|响?起", "", text) or text) for text in (a, b)
    )
    return 2 * (one & other).total() / max(1, one.total() + other.total())


SAME_ANSWER = 85  # likeness in percent of a short answer and the part of a longer one that says the same


@reads_shortened
def same_question(a: str, b: str, answer_a: str = "", answer_b: str = "") -> bool:
    """Return whether two questions about one recording are one: they ask the same in nearly the same words, or have the
    same answer and similar words.

    >>> same_question("男子为什么停下来？", "女子为什么停下来？"), same_question("他为什么停下来？", "他为何停下来呢？")
    (False, True)
    """
    first, second = asked_meaning(a), asked_meaning(b)
    if first == second:
        return True
    if sorted(_TELLING.findall(first)) != sorted(_TELLING.findall(second)):
        return False
    likeness = Levenshtein.normalized_similarity(first, second)
    if min(len(first), len(second)) >= 10 and likeness >= 0.9:
        return True
    answered, other = plain_meaning(answer_a), plain_meaning(answer_b)
    if not answered or not other:
        return False
    one_answer = answered == other or (
        min(len(answered), len(other)) >= 6 and fuzz.partial_ratio(answered, other) >= SAME_ANSWER
    )
    return one_answer and max(likeness, _shared(first, second)) >= 0.6
