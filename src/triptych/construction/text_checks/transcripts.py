"""Faults of transcripts and descriptions that models write about recordings."""

from __future__ import annotations

import re
from collections import Counter

from rapidfuzz.distance import Levenshtein

from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.makers.excuses import excuse_fault
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import Fault, in_language, said_to_somebody, text_fault
from triptych.construction.text_checks.wording import transcript_fault as declined

_BRACKETED = re.compile(r"(?<![\[(（【<〈])[\[(（【<〈♪♫*]+[^\])）】>〉♪♫*\n]{0,60}[\])）】>〉♪♫*]+|[♪♫]+")
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?"
_SECONDS = r"\d{1,4}\.\d{1,3}\s*(?:s|秒)?"
_STAMP = re.compile(
    rf"(?<!\d){_TIME}[.,]\d{{2,3}}(?!\d)|[\[(【<]\s*{_TIME}\s*(?:(?:-->?|–|~|到)\s*{_TIME})?\s*[\])】>]|-->"
    rf"|[\[(【<]\s*{_SECONDS}\s*(?:-->?|–|~|,|→)\s*{_SECONDS}\s*[\])】>]|^\s*{_TIME}\s",
    re.MULTILINE,
)
_TOKEN = re.compile(
    r"<\|[^|<>\n]{1,30}\|>|\{\\[a-z]+\d?[^}]*\}|^WEBVTT|</?[a-zA-Z][^<>\n]{0,60}>|&[a-z]{2,8};|```|\\n|^#{1,4} "
    r"|\*\*[^*\n]+\*\*",
    re.MULTILINE,
)
# What recognisers write over silence and music: the ends of the subtitles that they were trained on
_SUBTITLES = re.compile(
    r"(?:感谢|谢谢)(?:大家|您|你们?)?的?(?:观看|收看|收听)|请不吝点赞|点赞.{0,4}订阅|订阅.{0,4}(?:转发|打赏|点赞)"
    r"|明镜(?:与|和|需要)|字幕(?:由|by|志愿者|制作|提供|组)|amara\.org|中文字幕"
    r"|(?:thanks?|thank you)(?: (?:you|all|so much|very much))* for (?:watching|listening)|subtitles? by"
    r"|please subscribe|ご視聴ありがとう",
    re.IGNORECASE,
)
_MEDIUM = r"(?:音频|录音|语音(?:文件|内容)|文件|附件|视频)"
_ASKED_FOR = re.compile(
    r"^\W*(?:(?:please )?(?:transcribe|describe|listen to)\b"
    rf"|(?:请|将|把)?(?:转写|转录|听写|描述|识别)(?:这段|该|此|以下|下面|上述)?(?:的)?{_MEDIUM})"
    r"|reply with the transcript|describe nothing that can'?t be (?:heard|seen)",
    re.IGNORECASE,
)
_DEAF = re.compile(
    r"(?:听不(?:到|见|了|清楚?)|(?:没有?|未)(?:收到|听到|检测到|识别到|提供|上传|附上|找到)|看不(?:到|见)"
    rf"|(?:无法|不能|难以)(?:转写|转录|识别|描述|获取|打开|分析|感知)).{{0,10}}{_MEDIUM}"
    rf"|{_MEDIUM}.{{0,12}}(?:听不(?:到|见|了|清)|没有?传(?:过来|上来)|没有?上传)"
    r"|(?:没有?|无)(?:法|办法)(?:为您|给您|替您|帮您)?(?:转写|转录|听写|把它写下)|请(?:您)?重新上传"
    rf"|(?:暂时|目前)(?:不能|无法|没法)(?:识别|处理|收听)(?:这段|该|此)?(?:声音|{_MEDIUM})"
    rf"|(?:请|麻烦您?)(?:重新)?(?:上传|提供|发送).{{0,8}}{_MEDIUM}|未检测到(?:任何)?语音"
    rf"|^\W*(?:(?:未能?|没能|没有)(?:识别|检测)到?(?:任何|有效)?(?:的)?(?:语音|人声)|{_MEDIUM}(?:似乎|好像)?(?:为空"
    r"|是空的|没有(?:上传|加载)成功|加载失败|已损坏)"
    r"|(?:语音)?(?:转写|转录|识别|听写)(?:失败|出错|超时)|(?:作为|我是)(?:一个)?(?:AI|人工智能|语言模型)|我(?:没有"
    r"|不具备)(?:听觉|听力|听[^，。]{0,6}能力)|没有可供(?:转写|分析|识别)的)"
    r"|\b(?:no audio|no speech|no (?:audio )?file|nothing) (?:was |is |has been )?"
    r"(?:detected|provided|attached|received|found|heard|uploaded)"
    r"|\b(?:upload|provide|attach|share) (?:the|an?|your) (?:audio|recording|file|video)"
    r"|\b(?:couldn'?t|could not|can(?:no|')t|unable to) (?:hear|transcribe|understand|make out|access|process|describe)"
    r"\b.{0,30}\b(?:audio|recording|speech|file|video|anything)",
    re.IGNORECASE,
)
_LED_IN = re.compile(
    r"^\W*(?:(?:以下|下面|这)是.{0,16}(?:转写|转录|文字|内容|字幕|听写)[^。\n]{0,8}[:：]"
    r"|(?:转写|转录|听写|识别)(?:结果|内容|文本|如下)?\s*[:：]"
    r"|(?:here(?:'s| is) )?(?:the )?transcript(?:ion)?(?: of (?:the )?\w+)?\s*[:：]"
    r"|(?:好的|当然|sure|certainly)[，,！!].{0,30}[:：])",
    re.IGNORECASE,
)
MAX_SYLLABLES_PER_SECOND = 12.0  # ideographs, or syllables at three letters each: nobody speaks faster


@reads_shortened
def transcript_fault(text: str, language: str = "", seconds: float = 0.0) -> Fault | None:
    """Return what is wrong with a transcript of a recording; None if nothing is. People in it may be sorry, and may say
    things several times.

    language: in which most of it must be (empty: any). seconds: length of the recording (0: unknown).

    >>> transcript_fault("谢谢大家观看。" * 40)[0], transcript_fault("[music]")[0]
    ('repeats-itself', 'no-words')
    """
    if fault := declined(text):
        return fault
    if _DEAF.search(text) and not said_to_somebody(text):
        return "apology", f"it declines: {text.strip()[:60]!r}"
    if _ASKED_FOR.search(text):
        return "prompt-repeated", f"it repeats what was asked: {text.strip()[:60]!r}"
    if led := _LED_IN.search(text):
        return "not-the-text-alone", f"write the transcript alone, without {led[0].strip()[:30]!r}"
    if re.fullmatch(r"\s*[\[{].*[\]}]\s*", text, re.DOTALL) and '":' in text.replace(" ", ""):
        return "markup", f"it is JSON: {text.strip()[:40]!r}"
    if mark := _STAMP.search(text):
        return "time-stamp", f"write what is said without times: {mark[0].strip()!r}"
    if mark := _TOKEN.search(text):
        return "markup", repr(mark[0].strip()[:40])
    bare = comparable_text(_BRACKETED.sub(" ", text))
    if not bare:
        return "no-words", f"it holds no word that is said: {text.strip()[:40]!r}"
    if again := repeated(text):
        return "repeats-itself", f"it says {again[:30]!r} again and again"
    if (match := _SUBTITLES.search(text)) and len(bare) < 3 * len(comparable_text(match[0])) + 12:
        return "not-heard", f"recognisers write this where nobody speaks: {text.strip()[:40]!r}"
    if language and not in_language(_BRACKETED.sub(" ", text), language):
        return "wrong-language", f"{text.strip()[:40]!r} is not in the language {language}"
    if seconds and _syllables(text) > MAX_SYLLABLES_PER_SECOND * seconds + 10:
        return "more-than-is-said", f"{_syllables(text):.0f} syllables in {seconds:.1f} s"
    return None


@reads_shortened
def description_fault(text: str, language: str = "") -> Fault | None:
    """Return what is wrong with a description of a recording or film; None if nothing is.

    >>> description_fault("Please describe the audio in detail.")[0]
    'prompt-repeated'
    """
    if fault := text_fault(text) or chatter_fault(text):
        return fault
    if _DEAF.search(text) or (fault := declined(text)):
        return fault or ("apology", f"it declines: {text.strip()[:60]!r}")
    if _ASKED_FOR.search(text):
        return "prompt-repeated", f"it repeats what was asked: {text.strip()[:60]!r}"
    if fault := excuse_fault(text):
        return fault
    if again := repeated(text):
        return "repeats-itself", f"it says {again[:30]!r} again and again"
    if len(comparable_text(text)) < 4:
        return "no-words", f"it describes nothing: {text.strip()!r}"
    if language and not in_language(text, language, 0.4):
        return "wrong-language", f"{text.strip()[:40]!r} is not in the language {language}"
    return None


@reads_shortened
def copied_fault(description: str, transcript: str) -> Fault | None:
    """Return the fault that a description of a recording is what is said in it, word for word; None if it is not.

    >>> copied_fault("我们去图书馆吧，外面下雨了。", "我们去图书馆吧！外面下雨了。")[0]
    'transcript-as-description'
    """
    described, spoken = comparable_text(description), comparable_text(transcript)
    if min(len(described), len(spoken)) < 8:
        return None
    if (spoken in described and len(spoken) > 0.8 * len(described)) or described in spoken:
        return "transcript-as-description", "it is what is said, word for word: describe what is heard"
    if Levenshtein.normalized_similarity(described, spoken) >= 0.85:
        return "transcript-as-description", "it is nearly what is said, word for word: describe what is heard"
    return None


@reads_shortened
def repeated(text: str) -> str:
    """Return what a text says again and again, as recognisers do that got stuck; empty if nothing.

    >>> repeated("快跑！快跑！快跑！"), repeated("我们走吧。" * 12)
    ('', '我们走吧')
    """
    parts = [comparable_text(part) for part in re.split(r"[，。！？、；：,.!?;:\s]+", text) if comparable_text(part)]
    if len(parts) > 7:
        part, count = Counter(parts).most_common(1)[0]
        if count >= (8 if len(part) > 1 else 20) and count >= 0.6 * len(parts):
            return part
    bare = comparable_text(text)[:5_000]
    for size in range(1, min(60, len(bare) // 4) + 1):
        min_count = 30 if size == 1 else 12 if size < 4 else 6
        match = re.search(rf"(.{{{size}}})\1{{{min_count - 1},}}", bare)
        if match and len(match[0]) >= 0.5 * len(bare):
            return match[1]
    return ""


def _syllables(text: str) -> float:
    ideographs = len(re.findall(r"[\u3400-\u9fff]", text))
    return ideographs + sum(c.isalpha() and c < "\u0250" for c in text) / 3
