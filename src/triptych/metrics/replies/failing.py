"""Signs that a reply fails for another reason than knowledge: it declines, repeats itself, or describes the medium.

The rules are for English, Chinese, German and Italian. They look at the beginning of a reply, since a model that
declines says so first. "I can't hear any birds" is an observation, not a refusal.
"""

from __future__ import annotations

import re
from collections import Counter

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_BEGINNING = 240
_REFUSALS = lazy_pattern(
    r"""
    ^\W*(?:i['’]?m|i\s+am|we['’]?re)\s+(?:\w+\s+)?(?:sorry|afraid|unable|not\s+able)
    | \b(?:i|we)\s+do(?:\s+not|n['’]t)\s+have\s+(?:the\s+)?(?:ability|access|capab)
    | \b(?:i|we)\s+(?:\w+\s+)?(?:can(?:no|['’])t|can\s+not|could\s*n['’]t)
      \s*(?:\w+\s+)?(?:to\s+)?(?:help|assist|answer|provide|process|listen|access|analy[sz]e|view|watch|open|play|
      transcribe|translate|comply|fulfil|(?:hear|see)\s+(?:the|this|your|audio|images?|videos?)\b)
    | \bas\s+an?\s+(?:ai|(?:large\s+)?language\s+model|text[- ]based)
    | \bunable\s+to\s+(?:help|assist|answer|process|listen|hear|access|analy[sz]e|view|see|transcribe|provide)
    | (?:抱歉|对不起|對不起|很遗憾|不好意思).{0,24}?(?:无法|無法|不能|没法|没有办法|做不到|不支持|没有听|未能)
    | (?:我|暂时|目前|作为.{0,12}).{0,6}(?:无法|無法|不能|没有能力|没有办法)(?:直接)?
      (?:听|收听|播放|访问|查看|看到|打开|处理|分析|识别|提供|回答|协助|帮助|获取)
    | 作为(?:一个|一名)?(?:AI|ＡＩ|人工智能|文本模型|大?语言模型)
    | \b(?:es\s+tut\s+mir\s+leid|entschuldigung|leider)\b.{0,40}?\b(?:kann|können|konnte)\b.{0,60}?\bnicht\b
    | \bich\s+(?:kann|bin)\b.{0,40}?\bnicht\s+(?:helfen|hören|zugreifen|beantworten|in\s+der\s+lage|
      transkribieren|übersetzen|verarbeiten)
    | \b(?:mi\s+dispiace|spiacente|purtroppo)\b.{0,40}?\bnon\b
    | \bnon\s+(?:posso|sono\s+in\s+grado\s+di|riesco\s+a)\s+
      (?:aiut|ascolt|acced|rispond|fornir|trascriv|tradur|elabor|vedere|analizz)
    | \bals\s+(?:ki|sprachmodell) | \b(?:come|in\s+quanto)\s+(?:ia|modello\s+linguistico|intelligenza\s+artificiale)
    """,
    re.I | re.X | re.S,
)
_DESCRIBES = lazy_pattern(
    r"""
    ^\W*(?:
      (?:the|this|in\s+(?:the|this))\s+(?:\w+\s+)?
        (?:audio|recording|clip|speaker|image|picture|photo|video|poem|passage|text)\b
      | here(?:['’]s|\s+is|\s+are)\s+(?:a|an|the)\s+(?:description|summary|analysis)
      | (?:这|該|该|此|图中|圖中|音频|錄音|录音|视频|图片|图像)
        (?:段|张|張|首|幅|个|中|里|是|的|展示|描述|显示|內容|内容)
      | (?:die|diese[rs]?|das|in\s+(?:der|dem|diesem))\s+(?:aufnahme|audio|video|bild|sprecher\w*|vortrag|text)\b
      | (?:l['’]|la|il|questo|questa|quest['’]|nel|nella)\s*
        (?:audio|registrazione|video|immagine|testo|relatore|relatrice)\b
    )""",
    re.I | re.X,
)
MAX_PERIOD, MIN_TURNS, MIN_COVERED = 400, 4, 0.3
MIN_GRAMS, MIN_DISTINCT = 60, 0.25


def declines(reply: str) -> bool:
    """Return whether a reply declines to answer, judged by its first 240 characters.

    Example:
        >>> declines("I'm sorry, I can't listen to audio."), declines("I can't hear any birds.")
        (True, False)
    """
    return bool(_REFUSALS.search(reply[:_BEGINNING]))


def describes(reply: str) -> bool:
    """Return whether a reply begins by describing the medium ("The audio …") instead of giving its content.

    Example:
        >>> describes("The audio contains a poem."), describes("A poem.")
        (True, False)
    """
    return bool(_DESCRIBES.search(reply[:_BEGINNING]))


def repeats_itself(reply: str) -> bool:
    """Return whether a reply has run into a loop.

    Either it ends with a piece of at most 400 characters at least four times in a row, and these make up at least 30%
    of the reply and 40 characters; or it has at least 60 runs of four words (in Chinese, characters), of which fewer
    than 25% are distinct.

    Example:
        >>> repeats_itself("It is a dog. " * 20), repeats_itself("It is a dog.")
        (True, False)
    """
    text = " ".join(reply.split())
    return _loops(text) or _collapsed(text)


def _loops(text: str) -> bool:
    min_length = max(40, int(len(text) * MIN_COVERED))
    for period in range(1, min(MAX_PERIOD, len(text) // MIN_TURNS) + 1):
        same = 0  # number of last characters equal to those one period earlier
        while same < len(text) - period and text[-1 - same] == text[-1 - same - period]:
            same += 1
        covered = same + period
        if covered >= MIN_TURNS * period and covered >= min_length:
            return True
    return False


def _collapsed(text: str) -> bool:
    words = re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text)
    grams = Counter(zip(words, words[1:], words[2:], words[3:], strict=False))
    total = sum(grams.values())
    return total >= MIN_GRAMS and len(grams) / total < MIN_DISTINCT
