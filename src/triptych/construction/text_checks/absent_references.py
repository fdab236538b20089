"""Questions that refer to what isn't there: another picture, a picture or transcript of a recording, the question
before, underlined words, words that the text lacks; two questions in one; a word twice.

A fault is a reason and words for its maker, as in `triptych.construction.text_checks.wording`.
"""

from __future__ import annotations

import re
import unicodedata

from rapidfuzz import fuzz

from triptych.construction.text_checks.doubled_words import doubled_word
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.shortened import reads_shortened

Fault = tuple[str, str]

_EARLIER = re.compile(
    r"(?:上|前|下)(?:面|述)?(?:的)?[一1两二]?(?:道|个|小)?(?:小)?(?:题|題|问(?!候|好)|問題|问题)(?!目?[是为：:])(?:的"
    r"|中|里|所|，|,|干|目|、|和|与|提到|答案)"
    r"|(?:第\s*[\d一二三四五六七八九十]+\s*(?:小)?[题題问])(?:的(?!时候|时)|中|里|，|,|和|与|所)"
    r"|\b(?:the )?(?:previous|preceding|above|last|next|first) question\b|\bquestion \d\b|\byour (?:previous|last"
    r"|earlier)"
    r" answer\b|(?:承接|接着|接)(?:上|前)(?:题|问|一题)"
    r"|(?:上|前)(?:题|一题|一问|一小题)(?:答案|选)",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"[画劃划][\s]?(?:波浪)?[线線横橫](?!条|性|描|画|图|像|师)(?:的|部分|句|处|處|词|字|语|内容|成分)|下[划劃画][线線"
    r"]|加[点點](?:的)?(?:字|词|詞|句|部分|语)|加粗(?:的|字|部分)?"
    r"|(?:标|標|涂|划|画)(?:红|紅|黑|黄)(?:的|字|部分|处)|(?:斜体|黑体|粗体|红色)(?:字|部分|词|的词|的字)|(?:波浪"
    r"|横|橫)[线線](?:上|处|處|部分|的)|(?:下|上|左|右)表(?:中|所)"
    r"|(?:文中|句中|下列)?括号(?:里|中|内)(?:的|应|填)|(?:填|补)(?:入|在|全)?(?:空格|横线|空白处|括号)|阅读(?:下面"
    r"|下列|以下|上面|上文)"
    r"|\b(?:underlined?|bold(?:ed|face)?|highlighted|italici[sz]ed) (?:word|phrase|sentence|part|line|text|passage)s?"
    r"|\b(?:the )?(?:passage|paragraph|table|chart) (?:below|above)\b|\b(?:in|of) the (?:gaps?|brackets)\b",
    re.IGNORECASE,
)
_PICTURE_OF_SOUND = re.compile(
    r"(?<!动)画面(?!感)|(?:镜头|鏡頭)(?:中|里|裡|切|一转|显示|拍|下)|字幕(?!组)|(?:影片|片子)(?:中|里"
    r"|裡|显示)"
    r"|(?:图|圖)(?:中|片中|像中|上|片里|像里)(?!书)|(?:如|见)(?:上|下)?(?:图|圖)(?![书書腾騰章形])|(?:这|该|本"
    r"|此)(?:张|幅)(?:图"
    r"|画|照片|图片)|截图|屏幕截图"
    r"|\b(?:in|on|of) the (?:image|picture|photo|screenshot|frame|footage)\b|\bon[- ]screen\b|\b(?:subtitle|caption)"
    r"s?\b"
)
# A picture or film that is part of what happens, or that the sound is to belong to
_IN_THE_SCENE = re.compile(
    r"如果|假如|假设|制作|拍摄|拍张?照|配乐|配音|背景音乐|看(?:的|着|了)?(?:电影|影片|视频|照片)|\bif\b"
)
_TRANSCRIPT = re.compile(
    r"(?:转写|轉寫|转录|轉錄|听写)(?:的)?(?:文本|文字|内容|结果|稿|中|里|显示)|(?:录音|音频|语音|对话)(?:的)?(?:文字"
    r"稿|文本|文稿|稿|转写|转录|脚本)"
    r"|文字稿|(?:根据|依据|从|按照|结合|由|在)(?:上述|以上|给出的?|提供的?|该|这段)?(?:文本|原文|上文|下文|文段"
    r"|选文|台词本)(?:内容|信息)?(?:可知|中|里|，|,|来看|看|判断|推断)"
    r"|(?:文本|原文|选文|文段|上文)(?:中|里)(?!学|国)|\b(?:transcript|transcription|asr output|the (?:given|provided"
    r") text)s?\b",
    re.IGNORECASE,
)
_SPEAKER_LABEL = re.compile(
    r"\bSPEAKER[_\s-]?\d{1,2}(?!\d)|\bSPK[_-]?\d+|(?<![A-Za-z])(?:S|spk)\d{1,2}(?![\w级年])|说话人\s?(?:[0-9]{1,2}"
    r"|[A-F])(?![A-Za-z])",
    re.IGNORECASE,
)
_OTHER_PICTURE = re.compile(
    r"第\s*[二三四五六七八九2-9两]\s*(?:幅|张|張|个|個)?(?:图|圖|画(?!家|师|派)|畫(?!家)|照片|作品|图片)|(?:左"
    r"|右|上|前|后)(?:侧|边|面|方)?(?:的)?(?:那)?(?:一)?(?:幅|张)?(?:图|圖)(?!案|书|腾|章|形|层)"
    r"|(?<!地)(?<!插)(?<!草)图\s*(?:[二三四五六2-9]|[B-FＢ-Ｆ](?![A-Za-z]))(?!维|楼)|[两兩二三四](?:幅|张|張)(?:图"
    r"|圖|画|畫|照片|作品)|(?:另|另外|其他|下|上|前|后)一?(?:幅|张|張)(?:图|圖|画|畫|照片|作品)"
    r"|这(?:些|几[幅张])(?:图|画|照片|图片|作品)|(?:各|每)(?:幅|张)(?:图|画|照片)"
    r"|\b(?:second|third|other|next|previous|left|right|both|two|three) (?:images?|pictures?|photos?|paintings?"
    r"|figures?)\b|\b(?:figure|image|picture|fig\.) ?(?:[2-9]|[B-F])\b|\bthese (?:images|pictures|paintings)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^“”]{1,60})”|「([^「」]{1,60})」|『([^『』]{1,60})』|\"([^\"]{1,60})\"|‘([^‘’]{1,60})’")
_IDEOGRAPHS = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_TWICE = re.compile(r"(?<![\u3400-\u9fff])([\u3400-\u9fff]{3,8})\1(?![\u3400-\u9fff]{0,2}地)")
_TWICE_ENGLISH = re.compile(
    r"\b(the|an?|of|to|in|was|and|for|on|at|by|with|what|why|who|where|how|does|did|are|he|she|they|from|which"
    r"|when)\s+\1\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[哪谁誰几幾何孰啥]|什么|什麼|怎|多少|为何|是否|是不是|有没有|能否|可否|吗|嗎|呢"
    r"|\b(?:who|what|where|when|why|how|which|whose|is|are|do|does|did|can|could)\b",
    re.IGNORECASE,
)
# A second sentence that goes on with the first: "这暗示了什么？"
_REFERS_BACK = re.compile(
    r"[这那此该其]|由此|说明|暗示|揭示|表明|意味|反映|还是|选择|选出|下列|以下|[他她它](?=[的们为最说想会在])"
    r"|\b(?:this|that|it|these)\b"
)
_TIME = re.compile(
    r"(?:第|在|到|从|約|约)?\s*(\d{1,4}|[零一二三四五六七八九十百两]{1,6})\s*(?:分钟?|分鐘|min(?:ute)?s?)\s*(?:(?:零"
    r"|又)?\s*(\d{1,2}|[零一二三四五六七八九十]{1,3})\s*(?:秒|s(?:ec(?:ond)?s?)?))?(?=处|時|时|的?(?:位置|地方)"
    r"|左右|附近|后|前|开始|到|至|之间|内)"
    r"|第\s*(\d{1,4}(?:\.\d+)?|[一二三四五六七八九十百两零]{1,6})\s*秒(?!钟?内)|(?<![\d:：.])"
    r"(\d{1,2})[:：](\d{2})(?![\d:：])"
    r"|\bat (?:the )?(\d{1,4})(?:st|nd|rd|th)?[- ]?(?:seconds?|s)\b|\b(\d{1,4})(?:st|nd|rd|th)[- ]second\b"
    r"|\bafter (\d{1,4}) seconds\b"
    r"|(?:在|到|从)\s*(\d{1,4}(?:\.\d+)?)\s*(?:秒|s)(?=处|时|左右|附近|到|至|的|开始|后|前)",
    re.IGNORECASE,
)


@reads_shortened
def reference_fault(question: str, *, sound: bool = False, pictures: int = 0) -> Fault | None:
    """Return the fault that a question refers to what isn't there; None if there is none.

    sound: whether the question is about recordings alone, without pictures and without a transcript. pictures: how many
    pictures it is about (0: not known).

    >>> reference_fault("结合上一题的答案，他为什么走？")[0], reference_fault("画面中有几个人？", sound=True)[0]
    ('refers-elsewhere', 'refers-elsewhere')
    >>> reference_fault("第二幅图中的人戴着什么？", pictures=1)[0], reference_fault("图中的人面朝左吗？", pictures=1)
    ('refers-elsewhere', None)
    """
    text = unicodedata.normalize("NFC", question)
    if match := _EARLIER.search(text):
        return "refers-elsewhere", f"{match[0].strip()[:30]!r}: each question stands alone, without another one"
    if match := _PRINTED.search(text):
        return "refers-elsewhere", f"{match[0].strip()[:30]!r}: nothing is underlined, printed or left out here"
    if sound:
        if (match := _PICTURE_OF_SOUND.search(text)) and not _IN_THE_SCENE.search(text):
            return "refers-elsewhere", f"{match[0].strip()[:30]!r}: who answers hears the recording, and sees nothing"
        if match := _TRANSCRIPT.search(text):
            return "refers-elsewhere", f"{match[0].strip()[:30]!r}: who answers has no text of what is said"
        if match := _SPEAKER_LABEL.search(text):
            return "refers-elsewhere", f"{match[0].strip()[:30]!r}: who answers hears no names of this kind"
    if pictures == 1 and (match := _OTHER_PICTURE.search(text)):
        return "refers-elsewhere", f"{match[0].strip()[:30]!r}: there is one picture"
    return None


@reads_shortened
def sentence_fault(question: str, *, one: bool = True) -> Fault | None:
    """Return the fault that a word of a question is written twice, or, with `one`, that it asks two questions.

    >>> sentence_fault("男子为什么为什么要叫救护车？")[0], sentence_fault("这是哪里？敲门的人是谁？")[0]
    ('repeats-itself', 'two-questions')
    """
    bare = _QUOTED.sub("“”", question)
    match = _TWICE.search(bare) or _TWICE_ENGLISH.search(bare)
    if twice := match[0] if match else doubled_word(bare, "zh"):
        return "repeats-itself", f"a word is written twice: {twice[:20]!r}"
    if one:
        parts = [part for part in re.split(r"[？?]+", bare) if comparable_text(part)]
        questions = [part for part in parts if _ASKS.search(part)]
        again = any(_REFERS_BACK.search(part) for part in parts[1:])
        # one question about each of two: 谁先开口？谁后开口？
        again = again or (len(questions) == 2 and len(questions[0]) < 12 and fuzz.ratio(*questions) >= 70)
        if len(questions) > 1 and len(re.findall(r"[？?]", bare)) > 1 and not again:
            return (
                "two-questions",
                f"ask one question: {questions[0].strip()[-20:]!r} and {questions[1].strip()[:20]!r}",
            )
    return None


@reads_shortened
def quotation_fault(question: str, text: str, *, exact: bool = True, min_characters: int = 2) -> Fault | None:
    """Return the fault that a question quotes words that the text it is about lacks; None if it has them all.

    exact: whether `text` has every character; otherwise (a transcript) a quotation of four characters or more counts
    if not even half of it is there. min_characters: characters of the shortest quotation that is looked for.

    >>> quotation_fault("“青青子衿”中的“子”指谁？", "关关雎鸠，在河之洲。窈窕淑女，君子好逑。")[0]
    'quotation-not-in-text'
    >>> quotation_fault("“君子好逑”是什么意思？", "关关雎鸠，在河之洲。窈窕淑女，君子好逑。")
    """
    from triptych.construction.text_checks.wording import characters

    text_characters = characters(text)
    if not text_characters:
        return None
    for match in _QUOTED.finditer(question):
        quoted = next(filter(None, match.groups()), "")
        if _is_the_question(quoted, question[: match.start()] + question[match.end() :]):
            if fault := quotation_fault(quoted, text, exact=exact, min_characters=min_characters):
                return fault
            continue
        parts = [characters(part) for part in re.split(r"…+|\.{3,}|——", quoted)]
        for part in parts:
            if len(part) < (min_characters if exact else max(4, min_characters)) or not _IDEOGRAPHS.search(part):
                continue
            missing = part not in text_characters if exact else fuzz.partial_ratio(part, text_characters) < 50
            if missing:
                return "quotation-not-in-text", f"the text doesn't have {quoted[:30]!r}"
    return None


def _is_the_question(quoted: str, rest: str) -> bool:
    """Return whether quotation marks enclose the question itself: the words outside them ask nothing."""
    return bool(_ASKS.search(quoted)) and not _ASKS.search(rest) and not re.search(r"[？?]|含义|意思|意义", rest)


@reads_shortened
def time_fault(text: str, seconds: float) -> Fault | None:
    """Return the fault that a text names a time after the end of the recording; None if it names none.

    >>> time_fault("在第75秒可以听到什么声音？", 10.4)[0], time_fault("第5秒时谁在说话？", 10.4)
    ('time-beyond-recording', None)
    """
    if seconds <= 0:
        return None
    for match in _TIME.finditer(text):
        value = _seconds(match)
        if value is not None and value > seconds + 1:
            return "time-beyond-recording", f"{match[0].strip()!r}: the recording has {seconds:.1f} s"
    return None


def _seconds(match: re.Match[str]) -> float | None:
    minutes, rest, second, hours, _, *others = match.groups()
    if minutes is not None:
        return _number(minutes) * 60 + (_number(rest) if rest else 0)
    if hours is not None:
        return None  # 8:30 is the time of a day more often than a place in a recording
    single = next(filter(None, (second, *others)), None)
    return _number(single) if single else None


def _number(text: str) -> float:
    from triptych.construction.text_checks.numerals import chinese_number

    return float(text) if text[0].isdigit() else float(chinese_number(text))
