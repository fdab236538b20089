"""Faults of texts that people and models write, and the cleaning of raw material.

A fault is a pair: a short code that becomes the reason of a dropped record, and words for its maker, who is
asked again.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from triptych.construction.text_checks.makers.chatter import chatter_fault, unread_fault
from triptych.construction.text_checks.makers.refusals import declines
from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.options.marks import about_others, listed_in_stem, marked_alone, own_letters
from triptych.construction.text_checks.options.quantities import with_plain_quantities
from triptych.construction.text_checks.options.synonyms import with_one_word_each
from triptych.construction.text_checks.punctuation import doubled_fault, pair_fault
from triptych.construction.text_checks.scripts import letters_of, primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.metrics.text.misread import misread

Fault = tuple[str, str]

# Characters that nobody sees: zero-width and bidirectional marks, variation selectors, fillers, tags
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Pictures, apart from signs of notes (♭, ♯) and of sexes
EMOJI = re.compile(
    "[\U0001f300-\U0001faff\u2600-\u263f\u2641\u2643-\u2668\u2670-\u26ff\u2702-\u2712\u2728-\u27bf\U0001f1e6-\U0001f1ff]"
)
REPLACED = "\ufffd"  # replaces bytes that could not be decoded
_ESCAPED = re.compile(
    r"\\[nrt](?![A-Za-z])|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|(?:%[0-9A-F]{2}){3}|\[[^\]\n]{1,80}\]\(https?://"
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
MARKUP = re.compile(
    r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]{0,200})?/?>|<!--|\*\*[^*\n]+\*\*|```|(?m:^[ \t]{0,3}#{1,6}[ \t]+\S)"
    r"|(?m:^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|[-:| \t]*$)"
)
# Lists in Markdown: two lines that begin with marks, numbers with words in bold excepted, which MARKUP has
_LISTED = re.compile(r"^[ \t]*[-*+•·‣▪–][ \t]+\S.*(?:\n\s*)+[ \t]*[-*+•·‣▪–][ \t]+\S", re.MULTILINE)
# Numbers of notes, and what encyclopedias write in brackets or as superscripts: `[note 2]`, `[citation needed]`
_DOUBTED = (
    r"(?:citation|page|clarification) needed|better source needed|failed verification|dubious(?:\s?[–-]\s?discuss)?|"
    r"original research\??|(?:according to |by )whom\??|beleg fehlt|quelle fehlt|senza fonte|citazione necessaria|"
    r"réf(?:érence|\.) nécessaire|cita requerida|(?:来源|來源)(?:请求|請求)|需要引用|查证请求"
)
_NOTED = (
    r"(?:notes?|nb|n|fn|footnote|anm\.?|anmerkung|nota|注|註|参|參)\s?\d{1,3}|(?:注|註)[一二三四五六七八九十]{1,2}|"
    r"edit(?: source)?|(?:when|who|where|which)\?|(?:quelltext )?bearbeiten|modifica|modifier|editar|编辑|編輯|哪个\?"
)
NOTE = re.compile(
    r"\[\d{1,3}\]|［\d{1,3}］|〔[一二三四五六七八九十百\d]{1,3}〕|【\d{1,3}】"
    rf"|[\[［【〔]\s*(?:{_NOTED}|{_DOUBTED})\s*[\]］】〕]|[(（]\s*(?:{_DOUBTED})\s*[)）]"
    r"|(?<=[.,;:!?。，；：！？)）”’»])(?-i:\[[a-z]\])|(?<=[.,;:!?。，；：！？)）”’»])[¹²³⁰⁴-⁹]{1,3}"
    r"|(?<=(?-i:[a-zäöüßàèéìòù]{4}))[¹²³⁰⁴-⁹]{1,3}(?=[\s.,;:!?]|$)|(?<=[\u3400-\u9fff])(?<![米里方])[¹²³⁰⁴-⁹]{1,3}"
    r"|(?<=[^\W\d_])[†‡](?=[\s.,;:!?]|$)|(?<=[.!?。！？])[†‡*]+(?=\s|$)",
    re.IGNORECASE,
)
_APOLOGY = re.compile(
    r"^\W{0,3}(?:(?:i'?m|i am|we are|we'?re)?\s*(?:very |so |really )?sorry\b.{0,40}?"
    r"(?:\bbut\b|can'?t|can not|cannot|unable)"
    r"|(?:my )?apologies\b.{0,30}?(?:\bbut\b|can'?t|cannot|unable|for)|i apologi[sz]e\b"
    r"|unfortunately,?\s+(?:i|we)\s+(?:can|could|am|are)\b"
    r"|i(?: am|'m)? (?:can(?:not|'?t)|not able to|unable to|won'?t) "
    r"(?:help(?! but\b|\s+\w+ing\b)|assist|translate|provide|comply|fulfil|generate|access)"
    r"|as an? (?:ai|(?:large )?language model)\b"
    r"|(?:es tut mir (?:sehr )?leid|entschuldigung|leider),?.{0,30}?\b(?:ich|aber)\b.{0,40}?\b(?:kann|nicht)\b"
    r"|(?:mi dispiace|purtroppo|spiacente),?.{0,20}?\bnon (?:posso|riesco|sono in grado)\b"
    r"|(?:非常|很|十分)?(?:抱歉|對不起|对不起|不好意思|遗憾(?!(?:无法|不能)(?!.{0,8}(?:翻|译|提供|回答|作答|描述|识别|分析"
    r"|处理|判断|满足|完成|帮|协助|访问|生成|看|听|读|打开|给出|转写))))[，,：:。]?(?:但|我|作为|無法|无法|不能)"
    r"|作为(?:一个|一名|一款)?(?:ai|人工智能|语言模型|大语言模型|大模型)"
    r"|我(?:无法|不能|没办法)(?:翻译|提供|回答|完成|帮助|协助|生成|访问|满足))",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"^\W{0,3}(?:sure|certainly|of course|here(?:'s| is| are)|okay|ok)\b[^.\n]{0,60}[:：]"
    r"|^\W{0,3}(?:translation|übersetzung|traduzione|traducción|译文|翻译|answer|antwort|risposta|答案)\s*[:：]"
    r"|^(?:好的|当然|没问题)[，,！!。]",
    re.IGNORECASE,
)
_NOTE_AT_END = re.compile(
    r"(?:^|\n)\s*+[(（\[【*]*+\s*+(?:translator'?s?'?\s+)?(?:notes?|n\.b\.|anmerkung|anm\.[^:：\n]{0,20}|nota"
    r"|n\.d\.t\.?|译者注|译注|注释|注)"
    r"\s*[:：][^\n]*\s*$"
    r"|[(（\[]\s*(?:anm\.|anmerkung|translator|n\.d\.t|nota del|译者?注|译注|直译|意译|字面意思|literally\b)"
    r"[^)）\]\n]*[)）\]]",
    re.IGNORECASE,
)
_NUMBERED_LINE = re.compile(r"^\s*[(（]?(?:\d{1,3}|[一二三四五六七八九十]{1,3})\s*[.)）．、:：]\s*\S")
# A text that stands for one that is still to be written, or that says that one was left out
_PLACEHOLDER = re.compile(
    r"^\W*(?:(?:错误|干扰|备选|正确)?(?:选项|答案|干扰项)\s*[一二三四五六A-F1-6]"
    r"|(?:wrong |correct |right )?(?:option|choice|answer|distractor)\s*[A-F1-6]"
    r"|待补充?|待定|待填|此处(?:省略|略)|to be (?:added|determined|written)"
    r"|todo|tbd|placeholder|lorem ipsum.*|(?-i:x{3,}|X{3,}))\W*$"
    r"|^\s*[\[(（【<][^\])）】>\n]*(?:omitted|omission|truncated"
    r"|not (?:provided|available|shown)"
    r"|省略|从略|略去|未提供)[^\[(（【<\n]*[\])）】>]\s*$",
    re.IGNORECASE,
)
# A time of day (8:30), a score (2:1) and a decimal number don't begin with a number of their own, nor does a choice of
# statements (①③)
_LETTERED = re.compile(
    r"^\s*[(（\[【]?([A-Ha-h]|[1-9](?![.．:：]\d)|[①-⑨])\s*[)）\]】.．、:：]\s*(?=\S)"
    r"|^\s*([①-⑨])\s*(?=[^\s①-⑨、,，和与及])"
)
_STEM_MARK = re.compile(
    r"^\s*[(（\[【]?([甲乙丙丁戊己]|[一二三四五六](?!、[一二三四五六七八九十]))\s*[)）\]】.．、:：]\s*(?=\S)"
    r"|^\s*其([一二三四五六])\s*[,，:：]"
)
_OWN_NUMBER = re.compile(
    r"^\s*(?:(?:选项|第|option|choice)\s*([A-H一二三四五六1-9])\s*(?:项|个)?\s*[:：.．、]|([IVX]{1,4}"
    r"|[ivx]{1,4})\s*[.．、)）:：]\s*"
    r"|([\u2776-\u2793\u24f5-\u24fe\U0001f110-\U0001f189]))",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:[A-Z]\.\s?)+[A-Z][\w'’-]+(?:\s(?:[A-Z][\w'’-]+|[a-z]{2,3}))*")  # J. Adams, L. van Beethoven
_STARRED = re.compile("^\\s*[★☆※◎●▲◆■✪⭐👍👉]+|[★☆※◎●▲◆■✪⭐👍👈]+\\s*$")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){2,}[A-Z]?")  # G.E.M.
_MARKED = re.compile(
    r"[(（\[【〔]\s*(?:本题|此题|此项|该项|这项|这个|即|为|是|最|完全)?(?:正确|正解|标准答案)(?:的?(?:答案|选项"
    r"|项))?\s*[)）\]】〕]|"
    r"[(（\[【]\s*(?:correct|right|(?:die )?(?:richtige|korrekte|falsche) antwort|richtig|korrekt"
    r"|risposta (?:corretta|esatta|giusta)|corrett[oa]|(?:la )?bonne réponse|réponse correcte|respuesta correcta"
    r"|resposta (?:certa|correta)|juiste antwoord)\s*[)）\]】][\s.。]*$|"
    r"[(（\[【<〈\-—*]\s*(?:正确(?:答案|选项)?|正解|对|错误?(?:选项)?|干扰项|不正确|correct(?:\s+(?:answer"
    r"|option))?|right(?:\s+answer)?|"
    r"true|false|wrong|incorrect|answer|distractor)\s*[)）\]】>〉*]?\s*$|^\s*[(（\[【<]\s*(?:正确(?:答案|选项)?"
    r"|正解|错误?(?:选项)?|干扰项|"
    r"correct|right|wrong|answer|distractor)\s*[)）\]】>]|^\s*(?:正确|错误|干扰)(?:答案|选项|项)?\s*[:：]"
    r"|[(（\[]\s*[√×]\s*[)）\]]|[✓✔√☑✅❌✗✘]|正确答案|correct\s+answer",
    re.IGNORECASE,
)
# A maker's own field in an option: `【both】`, `[第一段]`, `(needs: first)`
_TAG = re.compile(
    r"^\W*[(（\[【〔{<《「]\s*(?:needs?\s*[:：=]\s*)?(?:both|first|second|right|wrong|true|false|distractors?"
    r"|answer|option"
    r"|第?[一二12]?(?:段|个)?(?:录音|音频|片段|对话)[一二12]?|(?:第[一二12]|两)段|两者|前者|后者|干扰|正确|错误|单"
    r"|双|text|audio ?[12]?|clip ?[12]?)\s*[)）\]】〕}>》」]"
    r"|[(（\[【〔{<]\s*(?:needs?\s*[:：=]\s*)?(?:both|first|second)\s*[)）\]】〕}>]\W*$",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"[(（\[【〔]\s*(?:温馨|友情|小|答题|解题)?(?:提示|线索|暗示|参考|hint|tip|clue|spoiler)\s*[:：为是]|(?:^"
    r"|[？?。！!\s])(?:温馨|友情|答题|解题)?(?:提示|线索|hint|tip|clue)\s*[:：]",
    re.IGNORECASE,
)
_ANNOTATED = re.compile(
    r"[〔［\[(（【]\s*(?:编者|编辑|译者|笔者|校者|引者|整理者|原|今|谨|editor'?s?|translator'?s?)?\s*(?:按语?|案"
    r"|附?注释?|校注?|补注|译注|批注|note)\s*[:：，,][^〕］\])）】]*[〕］\])）】]",
    re.IGNORECASE,
)


@reads_shortened
def annotation(text: str) -> str:
    """Return a remark of an editor or translator in brackets within a text; empty if there is none.

    >>> annotation("老先生〔按：叟，译作老先生〕，您来了。"), annotation("按：这里不通")
    ('〔按：叟，译作老先生〕', '')
    """
    match = _ANNOTATED.search(text)
    return match[0] if match else ""


_VERDICT = (
    r"(?:(?:此|该|本|这)?(?:项|条|个|句)?(?:不对|不正确|错(?:误|解|了)?|误|假|对|正|真|非)(?:项|答案)?|(?:不是|不选"
    r"|排除|去掉|淘汰|应排除)(?:此项|答案)?"
    r"|干扰项?|迷惑项|编造|虚构|捏造|无中生有|张冠李戴|偷换概念|以偏概全|因果倒置|曲解(?:文意|原意)?|(?:不)?(?:符合"
    r"|合)(?:题意|原文|文意|录音)"
    r"|(?:录音|音频|文中|原文|诗中|图中|对话|材料|文章)(?:中|里)?(?:并)?(?:未|没有?|无)(?:有|提及|提到|说|涉及|体现"
    r"|此[事意])?|(?:未|没有?)(?:提及|提到|涉及|体现)"
    r"|[TFxX×✗✘√○]|must be wrong|not (?:it|this one|correct|true|mentioned)|distractors?|fake|made up)"
)
# In brackets before or behind an option: whether it is right
_JUDGED = re.compile(
    rf"[(（\[【〔{{｛<〈]\s*{_VERDICT}\s*[)）\]】〕}}｝>〉]\W*$"
    rf"|^\W*[(（\[【〔{{｛<〈]\s*{_VERDICT}\s*[)）\]】〕}}｝>〉]|[→⇒@#]\s*(?:正确|错误?|对|right|wrong)\W*$"
    r"|^\s*(?:true|false|right|wrong)\s*[—–:：-]|\S\s*[:：=＝/／|｜—]\s*(?:对|错误?|正确|不对|是正解|√|×|✓|✗|true"
    r"|false|right|wrong|correct|[TF])\W*$",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"(?:前|上)(?:面|述)?(?:的)?[二三四两几23](?:项|个选项|个答案|者|种说法)"
    r"|(?:其他|其它|其余|另外)(?:[二三四两几23])?(?:项|个?选项|个?答案)"
    r"|\b(?:all|none) (?:the|of the) (?:above|others?|other options)\b"
    r"|\bthe (?:first|other|previous|last) (?:two|three|four) (?:options|answers|are|above)\b|"
    r"以上(?:[一二三四五两几]项|选项|答案|所有|全部|各项|几项|皆|都|均|全|说法)|上述(?:选项|各项|都|皆|均|全|三项"
    r"|两项|说法都)|(?:全|都|皆|均)(?:对|错|正确|不对|不是|不正确)$|"
    r"(?:all|none|both|any|neither|two)\s+of\s+(?:the\s+)?(?:above|these|those|options|them)\b|"
    r"(?-i:(?<![A-Za-z])[A-H]\s*(?:和|与|及|\band\b|\bor\b|或|、)\s*[A-H](?![A-Za-z]))\s*(?:都|均|皆|are)"
    r"|cannot\s+be\s+determined\s+from\s+the\s+options",
    re.IGNORECASE,
)
_KEY_IN_STEM = re.compile(
    r"（\s*[A-H]\s*）[\s？?。.]*$|[？?]\s*\(\s*[A-H]\s*\)\s*$|[(（]\s+[A-H]\s+[)）]|"
    r"(?:正确)?(?:答案|选项|选择?)\s*(?:是|为|应为|应是)?\s*[:：]?\s*[(（]?\s*[A-H]\b|\b(?:answer|key"
    r"|correct\s+option)\s*(?:is)?\s*[:：]?\s*[(]?[A-H]\b[).]?\s*$",
    re.IGNORECASE,
)
_ORDINAL = (
    r"(?:第\s*[一二三四五六七八1-8]\s*(?:个|项|条|種|种)?(?:选项|選項|答案)?|(?:首|末|尾)(?:项|項|个|個)|(?:最后"
    r"|最末|头|最後)一?(?:个|個|项|項)"
    r"|[A-Ha-h](?![\w'’])|[①-⑧]|[甲乙丙丁](?:项|項)?|[(（]?[1-8][)）]?(?![\d\w]))"
)
_ENGLISH_ORDINAL = (
    r"(?:the )?(?:[A-Ha-h](?![\w'’])|[1-8](?:st|nd|rd|th)?(?!\w)|first|second|third|fourth|fifth|last"
    r"|[①-⑧]|[ivIV]{1,3}(?!\w))(?: (?:one|option|choice|answer))?"
)
_LEADS_TO = r"(?:\s*(?:[:：=→⇒➔➜>＞~～-]+|——?)\s*|\s+)"
_SAID_OF_KEY = (
    r"(?:(?:本|此|该|這|这)?(?:题|題)?(?:应|應|应该|應該|请|請|当|當|宜|须|只能|故|答案)?(?:选|選)(?:择|擇"
    rf"|取)?\s*[:：]?\s*{_ORDINAL}"
    r"(?:为宜|即可|為宜)?"
    rf"|{_ORDINAL}\s*(?:选项)?(?:为|是|才是|即|系|為)(?:正(?:确|解|答|选|確)?(?:的|答案|选项)?|对的|答案|對的)"
    rf"|{_ORDINAL}(?:才|最)?(?:对|正确|對|正確)"
    r"|(?:正解|正答|正选|正確答案|正确答案|标准答案|参考答案|答案|正确选项|正确项|正确的|答)(?:是|为|為|见|在|即"
    rf"|就是|{_LEADS_TO})\s*[(（\[]?{_ORDINAL}"
    r"|(?:ans(?:wer)?|key|correct(?: (?:answer|option|choice|one))?|right (?:answer"
    rf"|option|choice|one)|right(?=\s*[:：=→])|solution|lösung"
    rf"|antwort|soluzione|réponse|respuesta|risposta)(?:\s+is\s+|\s+ist\s+|{_LEADS_TO})[(（\[]?{_ENGLISH_ORDINAL}"
    r"|(?:choose|pick|select|tick) (?:the )?(?:[A-H](?!\w)|first|second|third|fourth|last|[1-4](?:st|nd|rd|th))"
    r"(?: (?:one|option|choice|answer))?)"
)
# In brackets, or as the last sentence of the question
_KEY_STATED = re.compile(
    rf"[(（\[【〔〈<]\s*{_SAID_OF_KEY}[。.!！\s]*[)）\]】〕〉>]|(?:^|(?<=[？?。.！!；;，,)）\n]))\s*+(?:the "
    rf"|(?:提示|备注|注|hint|note)\s*[:：]\s*)?{_SAID_OF_KEY}"
    r"[)）\]。.！!\s]*$|\s(?:ans(?:wer)?|key|correct|solution|lösung|antwort|soluzione|réponse|respuesta|risposta"
    r"|正解|答案)"
    r"\s*[:：=→]+\s*[(（\[]?(?:[A-Ha-h]|[1-8①-⑧])[)）\]]?\W*$|(?<=[？?。.])\s*(?:[→⇒➔➜√✓]+\s*(?:[A-H]|[1-8①-⑧])"
    r"|[【\[]\s*[A-H]\s*[】\]])\W*$",
    re.IGNORECASE,
)
_LIST_IN_STEM = re.compile(
    r"(?:^|[\s(（。？?：:；;，,])A\s*[.．、:：)）].{1,200}?(?:[\s(（。；;，,]|^|\S)B\s*[.．、:：)）]", re.DOTALL
)
_LETTERS_IN_STEM = re.compile(
    r"A\s*[、,，/]\s*B\s*[、,，/]\s*C(?:\s*[、,，/]\s*[D-H])*\s*"
    r"(?:[二三四五六]?个?(?:选项|项|答案)?(?:中|里|之中)|.{0,6}(?:选出|选择))"
    r"|(?:选出|选择|请选|填写|填|回答|写出|给出|写下|标出).{0,8}(?:选项的?字母|字母|序号|编号|代号)"
    r"|(?:选出|选择|请选|填写|填|回答|写出|给出)\s*A\s*[/／|、，,]\s*B"
    r"|\b(?:answer|respond|reply|choose|select)\b.{0,30}?(?:\bA\s*,\s*B\b|\b(?:one|the|a|single) letter\b"
    r"|\bletter of\b)",
    re.IGNORECASE,
)
# Brackets, or what follows the question, with words about a key alone: `（答案见A项）`, `【A】`, `（最短的那个）`
_KEY_WORD = (
    r"(?:标准答案|参考答案|正确|标答|正解|正答|答案|选项|推荐|建议|提示|注意|最合适|合适|符合|对应|排除|首选|选择?"
    r"|参考|为佳|为准|为宜"
    r"|[见为是即对错均都全不除外非应宜佳项個个的那在从左右数排列前后面者其余它他]"
    r"|key|ans(?:wer)?|correct|right|choose|pick|hint|option|is|the|[√✓✔☑☞→⇒=:：、,，/;；.\s])"
)
_KEY_PLACE = (
    r"(?:[A-H①-⑧ⅠⅡⅢⅣ㈠-㈧⑴-⑻甲乙丙丁]|第\s*[一二三四五六1-6]\s*(?:个|项|条|種|种)?|[首末尾](?:项|个)"
    r"|最[短长前后末]的?(?:那|一)*(?:个|项)?|[1-6](?!\d))"
)
_KEY_ALONE = (
    rf"{_KEY_WORD}*+{_KEY_PLACE}(?:{_KEY_WORD}|{_KEY_PLACE})*+"  # possessive: else their parts are tried in all ways
)
_KEY_BESIDE = re.compile(
    rf"^\s*[(（\[【〔〈<{{｛*]\s*{_KEY_ALONE}\s*[)）\]】〕〉>}}｝*]|^\s*[A-H]\s*[、.．:：)）]\s*(?![A-H])(?=\S)"
    rf"|[(（\[【〔〈<{{｛*]\s*(?!第?\s*[一二三四五六1-6]\s*[个项]?\s*[)）\]】])(?:{_KEY_ALONE})\s*[)）\]】〕〉>}}｝*][\s？?。.]*$"
    rf"|(?<=[？?])\s*[(（\[【〔〈<{{｛*]?\s*{_KEY_ALONE}\s*[)）\]】〕〉>}}｝*]?[\s。.!！]*$",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"\W*(?:我?(?:不知道|不晓得)|(?:没有|无)(?:正确)?答案|i (?:don'?t|do not) know|no idea)\W*", re.IGNORECASE
)
_DOESNT_KNOW = re.compile(
    r"\W*(?:(?:以上|上述|都|均|皆|我)?(?:无法|不能|难以|没法|无从|未能|無法)(?:判断|确定|得知|推断|知道|回答|辨别"
    r"|看出|听出|分辨|判斷|確定)"
    r"|(?:还)?不(?:能)?确定|说不(?:清楚?|准|好)|不清楚|不好说|信息(?:不足|不够)|[看听]不(?:出来?|清楚?)|未知|弃权"
    r"|不选|暂无"
    r"|(?:这?段?(?:录音|音频|文中|原文|诗|图|对话|材料|题目|文))?(?:中|里)?(?:并)?(?:未|没有?)(?:提及|提到|说明?"
    r"|交代|涉及)"
    r"|can(?:no|['’])t (?:be determined|tell|say)|cannot be determined|not (?:mentioned|stated|given|sure)|unclear"
    r"|unknown)\W*",
    re.IGNORECASE,
)
# Questions whose answer may be that somebody doesn't know
_ABOUT_KNOWING = re.compile(
    r"还是|"
    r"知道|清楚|确定|知情|态度|怎么说|回答|是否|吗|看[见到清]|听[见到清]|[能会]不[能会]|\bknow|\bsure|\bsay"
)
# Does somebody know: `不知道` is one of the two answers
_ASKS_WHO_KNOWS = re.compile(r"知道[^，。]*吗|知不知道|是否知道|\bdo(?:es)? \w+ know\b|\bdid \w+ know\b", re.IGNORECASE)
_EXPLAINED = re.compile(
    r"[(（\[]\s*(?:因为|由于|理由|原因|解释|解析|说明|because|since\b|reason|explanation)", re.IGNORECASE
)
_DYNASTY = re.compile(
    "(夏|商|周|西周|东周|秦|汉|西汉|东汉|晋|西晋|东晋|隋|唐|宋|北宋|南宋|辽|金|元|明|清)(?:代|朝|王朝|时期|时代)"
)
_PARTICLES = re.compile(
    r"[的了着]|(?:呢|啊|呀|啦|喔|哦|哟|嘛|哩|哇)(?=\W*$|[，。！？,.!?；;])|\b(?:the|a|an)\b", re.IGNORECASE
)
# Contractions
_CONTRACTED = (
    (re.compile(r"\bcan['’]t\b"), "cannot"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"\bshan['’]t\b"), "shall not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\bcan not\b"), "cannot"),
    (re.compile(r"['’]re\b"), " are"),
    (re.compile(r"['’]ve\b"), " have"),
    (re.compile(r"['’]ll\b"), " will"),
    (re.compile(r"\bi['’]m\b"), "i am"),
    (re.compile(r"\blet['’]s\b"), "let us"),
    (re.compile(r"\b(it|he|she|that|this|there|here|what|who|where|how|when)['’]s\b"), r"\1 is"),
    (re.compile(r"您"), "你"),
)


def clean(text: str) -> str:
    """Return raw material without what doesn't belong to it: composed Unicode (NFC), entities resolved, no control or
    invisible characters, no numbers of notes.

    >>> clean("关关\\u3164雎鸠[1]&nbsp;，在河之洲")
    '关关雎鸠 ，在河之洲'
    """
    text = unicodedata.normalize("NFC", _resolved(text))
    text = INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " "))
    text = NOTE.sub("", text)
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs", "Co", "Cn"))


def _resolved(text: str) -> str:
    """Return a text with its entities resolved, also those that were escaped twice."""
    for _ in range(3):
        made = _ENTITY.sub(lambda value: html.unescape(value[0]), text)
        if made == text:
            return text
        text = made
    return text


@reads_shortened
def text_fault(text: str) -> Fault | None:
    """Return what is wrong with a text that a person or a model wrote; None if nothing is.

    >>> text_fault("He <b>ran</b>.")
    ('markup', "'<b>'")
    """
    if REPLACED in text:
        return "damaged-characters", "it holds U+FFFD, which stands for bytes that could not be decoded"
    if wrong := misread(text):
        return "damaged-characters", f"it was read in another encoding than it was written in: {wrong.signs!r}"
    if invisible_match := INVISIBLE.search(text):
        return "invisible-characters", f"it holds U+{ord(invisible_match[0]):04X}, which nobody sees"
    if bad := next((c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn")), None):
        return "invisible-characters", f"it holds U+{ord(bad):04X}, which is not a character"
    if invisible_match := MARKUP.search(text):
        return "markup", repr(invisible_match[0][:40])
    if invisible_match := _ESCAPED.search(text):
        return "markup", repr(invisible_match[0][:40])
    if (invisible_match := _ENTITY.search(text)) and html.unescape(invisible_match[0]) != invisible_match[0]:
        return "markup", repr(invisible_match[0])
    if invisible_match := NOTE.search(text):
        return "note-number", repr(invisible_match[0])
    if _APOLOGY.search(text) or declines(text):
        return "apology", f"it declines: {text.strip()[:60]!r}"
    if _PLACEHOLDER.search(text):
        return "placeholder", f"{text.strip()[:60]!r} stands for a text that is missing"
    if (bare := text.strip()) and all(unicodedata.category(c)[0] in "PZ" for c in bare if not c.isspace()):
        return "no-words", f"it holds only punctuation: {bare[:20]!r}"
    if _doubled(bare := comparable_text(text)):
        return "repeats-itself", f"it contains the same text twice: {bare[:40]!r}"
    return None


def _doubled(bare: str) -> bool:
    """Return whether a text is a shorter text, of 12 letters at least, several times."""
    period = (bare + bare).find(bare, 1)
    return 12 <= period < len(bare)


_DEAF = re.compile(
    r"(?:(?:can ?not|can'?t|unable to|not able to|don'?t have the ability to) (?:\w+ ){0,3}?(?:hear|listen|process|"
    r"access|transcribe|view|watch|see)\b.{0,40}\b(?:audio|recording|file|video|media)"
    r"|as an? (?:ai (?:language )?(?:model|assistant)|(?:large )?language model)\b"
    r"|(?:无法|不能|没有办法|不具备)(?:直接)?(?:听取|收听|听|播放|处理|访问|识别|转写|查看|观看).{0,12}(?:音频|录音"
    r"|文件|视频|图片)"
    r"|作为(?:一个|一名|一款)?(?:(?:ai|人工智能)(?:语言)?(?:模型|助手)|(?:大)?语言模型|大模型))",
    re.IGNORECASE,
)


# Words of a maker that asks for a file or declines, and of people who speak about a recording that they can't hear
_OF_A_MAKER = re.compile(
    r"\b(?:upload|attach|provide|re-?send|transcri|language model|\bas an? ai|text[- ]based|assist you|help you with)"
    r"|上传|附上?件|提供|发送|发给|转写|转录|听写|识别|语言模型|人工智能|作为(?:一[个名款])?ai",
    re.IGNORECASE,
)
# Words about a room in which something is played, and about who speaks too quietly
_IN_A_ROOM = re.compile(
    r"\b(?:turn (?:it|that|this|the \w+) (?:up|on|down)|speak up|louder|volume|say (?:that|it) again"
    r"|play (?:it|that) again|is (?:it|this|that) (?:on|muted|plugged)|on mute|back row"
    r"|closer to the mic\w*|over (?:here|there|this|the) ?\w*)"
    r"|(?:调|开|放|说|讲)(?:得)?(?:大|响|高|慢)(?:一)?点|大点?声|音量|再(?:放|说|讲|播|听)一?[遍次下]|后排|投影",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"^\W*(?:(?:hello|hi|hey|sorry|excuse me|um+|uh+|oh|well|so|no|yes|but|and|then),? )*(?:we|you|they|he|she|people"
    r"|those|everybody|nobody|the (?:people|audience|others|students))\b"
    r"|\b(?:can|could|would|will|did|do|are|is|have)"
    r" (?:you|we|anyone|anybody|somebody|someone|it|he|she|they|that|this)\b"
    r"[^.!?]{0,200}\?"
    r"|^\W*+[喂哎诶嗨嘿啊哦呃嗯那但可，,、\s]*+(?:我们|咱们?|(?:你们?|您)(?!好)|他们?|她们?|大家|孩子们?|同学们?)"
    r"|[吗呢吧嘛啊呀][？?！!。]|怎么(?:办|回事)"
    r"|谁(?:的|把|在|能|知道|弄|关|调|来|有)",
    re.IGNORECASE,
)
# Words of a maker that are also said in a room: an apology of one's own, and requests to send a file or to go on
_ASKS_FOR_ANOTHER = re.compile(
    r"\b(?:(?:sorry|apologi[sz]e\w*|apologies|unfortunately|regret)\b[^.!?]{0,12}\b(?:i|we)\b"
    r"|(?:re-?)?share|paste|describe|try again|check (?:the|your) (?:audio|recording|file|link|format)|let me know"
    r"|would you (?:like|prefer)|do you (?:want|need) me"
    r"|(?:other|another|different|new) (?:audio|recording|file|version|format)"
    r"|(?:audio|recording)(?: file)? (?:that )?you(?:'ve| have)? \w+(?:ed|nt|ve|en)\b"
    r"|(?:i|we)(?: am|'m| are|'re)?(?: currently| still)? (?:unable to|not able to|can ?not|can't|couldn't|could not)"
    r" (?:\w+ )?(?:process|analy[sz]e|handle|interpret|listen to)\b)"
    r"|(?:抱歉|对不起|不好意思|遗憾)[^。！？]{0,4}我|分享|重新(?:录|发|传|给|选|提交)|再(?:发|传)|描述|处理|分析|解析"
    r"|[您你]的(?:这段)?(?:音频|录音|语音|文件|视频)|[该此]段?(?:音频|录音|语音|文件|视频)"
    r"|检查(?:一下)?(?:音频|录音|文件|格式)|[为帮给]您|请问",
    re.IGNORECASE,
)


def said_to_somebody(text: str) -> bool:
    """Return whether somebody in a recording may say that a recording can't be heard: it asks to turn it up, is said of
    others, or asks somebody a question, and nothing asks for a file or is about transcribing.

    >>> said_to_somebody("We can't hear the recording, can you turn it up?")
    True
    >>> said_to_somebody("I can't hear the audio. Could you upload it again?")
    False
    >>> said_to_somebody("I'm sorry, can you please share the audio again?")
    False
    """
    if _OF_A_MAKER.search(text):
        return False
    return bool(_IN_A_ROOM.search(text) or (_OF_OTHERS.search(text) and not _ASKS_FOR_ANOTHER.search(text)))


@reads_shortened
def transcript_fault(text: str) -> Fault | None:
    """Return what is wrong with a transcript: damaged characters, or a model that says that it can't hear. People in
    recordings may say that they are sorry.

    >>> transcript_fault("I'm sorry, but I cannot listen to audio files.")[0], transcript_fault("抱歉，我不能来了。")
    ('apology', None)
    """
    if REPLACED in text or misread(text):
        return text_fault(text)
    if said_to_somebody(text):
        return None
    return ("apology", f"it declines: {text.strip()[:60]!r}") if _DEAF.search(text) else None


_LABEL = re.compile(
    r"^\s*(?:question|frage|domanda|问题|问|提问|answer|antwort|risposta|回答|答案|答|[qa]|abstract|summary"
    r"|zusammenfassung"
    r"|riassunto|摘要)\s*\d{0,3}\s*[:：]",
    re.IGNORECASE,
)


@reads_shortened
def label_fault(text: str) -> Fault | None:
    """Return the fault that a question, an answer or an abstract begins with a label.

    >>> label_fault("Question 2: How many?"), label_fault("Abstract methods: which are there?")
    (('not-the-text-alone', "write the text without 'Question 2:'"), None)
    """
    label = _LABEL.match(text)
    return ("not-the-text-alone", f"write the text without {label[0].strip()!r}") if label else None


@reads_shortened
def translation_fault(text: str, source: str = "") -> Fault | None:
    """Return what is wrong with a translation: as `text_fault`, words around it, or a sentence that repeats."""
    if fault := text_fault(text):
        return fault
    if wrapped_match := _WRAPPED.search(text):
        return "not-the-text-alone", f"write only the translation, without {wrapped_match[0].strip()[:40]!r}"
    sentences = [
        comparable_text(each) for each in re.split(r"[.!?。！？\n;；]+", text) if len(comparable_text(each)) > 12
    ]
    source_parts = [
        comparable_text(each) for each in re.split(r"[，。！？、：:,\n;；.!?]+", source) if comparable_text(each)
    ]
    if len(set(sentences)) < len(sentences) and len(set(source_parts)) == len(source_parts):
        return "repeats-itself", "a sentence of it occurs twice"
    # somebody who is translated may say the same as a model about itself: "Feel free to ask", "Here is my answer"
    if (fault := chatter_fault(text)) and not _SAYS_THE_SAME.search(source) and chatter_fault(source) is None:
        return fault
    if wrapped_match := _NOTE_AT_END.search(text):
        return "not-the-text-alone", f"write only the translation, without {wrapped_match[0].strip()[:40]!r}"
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and all(map(_NUMBERED_LINE.match, lines)) and not _NUMBERED_LINE.match(source):
        return "not-the-text-alone", f"write the lines without numbers: {lines[0].strip()[:40]!r}"
    if (length := extent(source)) >= MIN_EXTENT and extent(text) < MIN_SHARE * length:
        return "translation-too-short", "translate the whole text: a part of it is missing"
    return None


_SAYS_THE_SAME = re.compile(
    r"question|contact|e-?mail|reach|feel free|thank|welcome|note|hope|here|answer|point|mark|refer|words|sure|let me"
    r"|frage|domand|grazie|danke",
    re.IGNORECASE,
)
MIN_EXTENT = 45  # of a source whose translation must not be much shorter: 15 ideographs, or 45 letters
MIN_SHARE = 0.5  # of the source's extent; sound translations have 0.9 to 2


def extent(text: str) -> int:
    """Return how long a text is in Latin letters; an ideograph says as much as three."""
    return sum(
        3 if "\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" or c >= "\U00020000" else 1
        for c in comparable_text(text)
    )


@reads_shortened
def option_faults(question: str, options: Sequence[str]) -> Iterator[Fault]:
    """Yield what is wrong with the wording of a question and its options, whichever is correct."""
    if other := about_others(question, options):
        yield "option-refers-to-others", f"{other[:40]!r} is about the other options"
    if listed_in_stem(question, options):
        yield "options-in-question", "the question ends with a list of options: write it without them"
    lettered_options = [option for option in options if not about_others("", [option])]
    if lettered := own_letters(lettered_options) or _own_letter(lettered_options):
        yield "option-letters", f"an option begins with a letter or number of its own: {lettered[:40]!r}"
    for option in options:
        if question.strip() and (
            (_NO_ANSWER.fullmatch(option) and not _ASKS_WHO_KNOWS.search(question))
            or (_DOESNT_KNOW.fullmatch(option) and not _ABOUT_KNOWING.search(question))
        ):
            yield "option-is-no-answer", f"{option[:40]!r} doesn't answer the question"
        if key_match := _EXPLAINED.search(option):
            yield "option-explained", f"an option says why it is right or wrong: {option[:40]!r}"
        if key_match := _MARKED.search(option):
            yield "option-marked", f"an option says whether it is right: {key_match[0]!r} in {option[:40]!r}"
        elif key_match := _JUDGED.search(option):
            yield "option-marked", f"an option says whether it is right: {key_match[0].strip()!r} in {option[:40]!r}"
        if key_match := _STARRED.search(option):
            yield "option-marked", f"an option has a mark of its own: {key_match[0]!r} in {option[:40]!r}"
        if key_match := _REFERS.search(option):
            yield "option-refers-to-others", f"{option[:40]!r} is about the other options"
    if tag := next((match for option in options if (match := _TAG.search(option))), None):
        yield "not-the-text-alone", f"write the options without {tag[0].strip()!r}"
    if marked := marked_alone(options):
        yield "option-marked", f"{marked[:40]!r} alone has a sign or quotation marks that the others lack"
    if pair := _twins(options):
        yield "same-option-twice", f"{pair[0][:40]!r} and {pair[1][:40]!r} say the same"
    if mixed := _mixed_scripts(options):
        yield "scripts-mixed", f"{mixed[:40]!r} is in traditional characters, others are in simplified ones"
    if key_match := _KEY_IN_STEM.search(question):
        yield "answer-in-question", f"the question names a letter: {key_match[0].strip()!r}"
    elif (key_match := _KEY_STATED.search(question)) or (
        len(options) > 2 and (key_match := _KEY_BESIDE.search(question))
    ):
        yield "answer-in-question", f"the question says which option is right: {key_match[0].strip()[:40]!r}"
    if key_match := _LETTERS_IN_STEM.search(question):
        yield (
            "letters-in-question",
            f"the question asks for a letter: {key_match[0].strip()[:40]!r}; options get letters later",
        )
    if _LIST_IN_STEM.search(question) or _own_options(question, options):
        yield "options-in-question", "the question lists its options"


def _is_said(text: str, fault: Fault, question: str, options: Sequence[str]) -> bool:
    """Return whether an apology is what somebody in a recording may say: an option that isn't about a maker's task."""
    is_option = bool(question.strip()) and len(options) > 1 and text in options
    return is_option and fault[0] == "apology" and not (declines(text) or _DEAF.search(text))


@reads_shortened
def wording_fault(question: str, options: Sequence[str], *more: str) -> Fault | None:
    """Return the first fault of a question's texts; None if there is none. `more`: its other texts (an answer)."""
    for text in (question, *options, *more):
        if (fault := text_fault(text) or chatter_fault(text)) and not _is_said(text, fault, question, options):
            return fault
    if hint := _HINT.search(question):
        return "answer-in-question", f"the question gives a hint: {question[hint.start() :].strip()[:40]!r}"
    for text in (*options, *more):
        if fault := unread_fault(text):
            return fault
        if remark := annotation(text):
            return "not-the-text-alone", f"write the text alone, without {remark[:40]!r}"
        if listed := _LISTED.search(text):
            return "markup", f"write sentences without the marks of a list: {listed[0].strip()[:40]!r}"
    for text in (question, *options) if question.strip() else ():
        if fault := pair_fault(text) or doubled_fault(text):
            return fault
    if marked := next((text for text in more if _MARKED.search(text)), None):
        return "answer-marked", f"the answer says that it is right: {marked[-40:]!r}"
    if len(options) == 0 and more and listed_in_stem(question, more):
        return "options-in-question", "the question ends with a list of options: write it without them"
    return next(option_faults(question, options), None)


_DIGITS_WANTED = re.compile(
    r"(?:阿拉伯)数字(?:回答|作答|表示|填)?|\b(?:arabic numerals?|(?:in|with|as) digits)\b", re.IGNORECASE
)


@reads_shortened
def answer_fault(question: str, answer: str) -> Fault | None:
    """Return what is wrong with an answer to a question that says how it must be answered.

    >>> answer_fault("画中有几只鸟？请直接回答阿拉伯数字。", "五只")
    ('answer-not-as-asked', "the question asks for digits: '五只'")
    """
    if _DIGITS_WANTED.search(question) and not re.fullmatch(r"[\d\s.,:/%+-]+", answer.strip()):
        return "answer-not-as-asked", f"the question asks for digits: {answer.strip()[:40]!r}"
    return None


_ASKS = re.compile("[哪谁几吗呢何孰]|什么|怎|多少|是否|是不是|有没有")


@reads_shortened
def asked_fault(question: str, language: str) -> Fault | None:
    """Return what is wrong with a question of a maker: another language, or a question that was cut off.

    >>> asked_fault("这首诗选自哪一部", "zh")[0], asked_fault("这首诗选自哪一部书？", "zh")
    ('question-cut-off', None)
    """
    if not in_language(question, language):
        return "wrong-language", f"{question.strip()[:40]!r} is not in the language {language}"
    if _ASKS.search(question) and question.strip()[-1:].isalpha():
        return "question-cut-off", "it has no mark at its end: write the whole question, with a question mark"
    return None


@reads_shortened
def plain_meaning(text: str) -> str:
    """Return a text in simplified characters, with numbers as digits, durations in seconds, one word for synonyms, and
    no particles or measure words, to compare options.

    >>> plain_meaning("三個人") == plain_meaning("3个人"), plain_meaning("半个小时") == plain_meaning("三十分钟")
    (True, True)
    >>> plain_meaning("一名医生") == plain_meaning("一位大夫"), plain_meaning("I'm here") == plain_meaning("I am here")
    (True, True)
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    if (convert := simplified()) is not None:
        text = convert.convert(text)
    for pattern, words in _CONTRACTED:
        text = pattern.sub(words, text)
    text = with_one_word_each(text)
    if dynasty := _DYNASTY.fullmatch(text.strip()):
        text = dynasty[1]
    text = with_plain_quantities(text)
    bare = comparable_text(_PARTICLES.sub("", text))
    return bare if len(bare) > 3 else comparable_text(text)


def characters(text: str) -> str:
    """Return only the letters and digits of a text, in simplified characters.

    >>> characters("三十，五人。") == characters("三十五人")
    True
    """
    convert = simplified()
    return comparable_text(text if convert is None else convert.convert(text))


@lru_cache(maxsize=1)
def simplified() -> Any:
    """Return a converter from traditional to simplified characters; None without the package opencc."""
    if find_spec("opencc") is None:
        return None
    from opencc import OpenCC

    return OpenCC("t2s")


def _mixed_scripts(options: Sequence[str]) -> str:
    """Return an option in traditional characters, two at least, among others in simplified ones; empty if there is
    none."""
    if (convert := simplified()) is None or len(options) < 2:
        return ""
    changed = [sum(a != b for a, b in zip(text, convert.convert(text), strict=False)) for text in options]
    if max(changed) < 2 or all(changed):
        return ""
    others = "".join(text for text, count in zip(options, changed, strict=True) if not count)
    return options[changed.index(max(changed))] if _traditional().convert(others) != others else ""


@lru_cache(maxsize=1)
def _traditional() -> Any:
    from opencc import OpenCC

    return OpenCC("s2t")


def _own_letter(options: Sequence[str]) -> str | None:
    """Return an option that begins with a letter or number of its own; initials of names are none."""
    numbered = {option: mark for option in options if (mark := _numbered(option))}
    if len(numbered) > 1 and len(set(numbered.values())) == len(numbered):
        return next(iter(numbered))
    if lettered := _lettered(options):
        return lettered
    return _lettered([unicodedata.normalize("NFKC", option) for option in options])


def _numbered(option: str) -> str:
    """Return the number with which an option begins, also a compatibility character (`Ⅰ、`); empty without one."""
    match = _OWN_NUMBER.match(option) or _OWN_NUMBER.match(unicodedata.normalize("NFKC", option))
    return match[0].strip() if match else ""


def _lettered(options: Sequence[str]) -> str | None:
    marks = [match[1] or match[2] for option in options if (match := _STEM_MARK.match(option))]
    if len(marks) > 1 and len(set(marks)) == len(marks) and len(marks) >= len(options) - 1:
        return next(option for option in options if _STEM_MARK.match(option))
    lettered = [(index, option) for index, option in enumerate(options) if _LETTERED.match(option)]
    firsts = {option.lstrip("([（【 \t")[:1] for _, option in lettered}
    if len(firsts) == 1 and len(lettered) == len(options) > 1:
        return None  # each option is a list that begins with its first entry: `1. a bell; 2. a whistle`
    initials = all(_NAME.fullmatch(option.strip()) or _INITIALS.fullmatch(option.strip()) for _, option in lettered)
    in_order = len(lettered) > 1 and all(ord(option.strip()[0]) - 65 == position for position, option in lettered)
    return lettered[0][1] if lettered and (in_order or not initials) else None


def _twins(options: Sequence[str]) -> tuple[str, str] | None:
    seen: dict[str, str] = {}
    for option in options:
        meaning = plain_meaning(option)
        if meaning and meaning in seen:
            return seen[meaning], option
        seen[meaning] = option
    return None


def _own_options(question: str, options: Sequence[str]) -> bool:
    """Return whether the end of a question holds most of its options, one after the other."""
    stem, plain = comparable_text(question), [comparable_text(option) for option in options]
    places = [stem.rfind(option_text) for option_text in plain if len(option_text) > 1]
    positions = sorted(position for position in places if position >= 0)
    if _enumerated_in(question, options):
        return True
    if len(positions) < max(3, len(plain) - 1):
        return False
    return len(stem) - positions[0] <= sum(map(len, plain)) + 3 * len(plain)


_BETWEEN_OPTIONS = r"(?:[\W_]|还是|抑或|或者?|以及|[和与及是]|[A-Ha-h](?![a-z])|[甲乙丙丁1-9]|\b(?:or|and)\b){0,8}?"


def _enumerated_in(question: str, options: Sequence[str]) -> bool:
    """Return whether a question lists three options or more (all but one at least), with marks alone between."""
    texts = [unicodedata.normalize("NFKC", option).strip().strip("。.！!；;") for option in options]
    if len(texts) < 3 or not all(texts):
        return False
    one = "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
    min_options = max(3, len(texts) - 1)
    listed = re.compile(rf"(?:{one})(?:{_BETWEEN_OPTIONS}(?:{one})){{{min_options - 1},}}", re.IGNORECASE)
    for match in listed.finditer(unicodedata.normalize("NFKC", question)):
        if len(set(re.findall(one, match[0], re.IGNORECASE))) >= min_options:
            return True
    return False


# Common words of languages with Latin letters, none of which says anything by itself
_COMMON = {
    "en": "the of and to in is it that was for on are with as his they at be this from or had by but what all were we "
    "when your can said there an each which she do how their if will up other about out many then them these so some "
    "her would him has look who no not my you he i a me",
    "fr": "le la les un une des du de et est au aux que qui dans ce cette il elle ne pas pour par sur se son sa ses "
    "avec nous vous ils sont mais ou où si leur plus je mon ma mes en à l d qu c s n j",
    "de": "der die das ein eine einen einem einer und ist nicht zu den dem des mit von auf für im es sich als auch an "
    "werden aus er sie wir ihr ich hat dass wie bei oder nach um noch nur war so über zum zur",
    "it": "il lo la gli le un una uno e è di del della dei delle che non per con si da nel nella sono al alla come ma "
    "più anche se io mi ti ci vi suo sua questo i dal l",
    "es": "el la los las un una unos y es de del que no en por con se su sus para como al lo más pero yo mi tu está "
    "son este esta ha le me sin sobre",
    "pt": "o a os as um uma e é de do da dos das que não em no na por com se seu sua para como ao mais mas eu meu são "
    "este esta foi nos",
    "nl": "de het een en is niet van in op te dat die zijn met voor er aan ook als maar om hij zij ik wij je uit naar "
    "bij nog was",
}


@lru_cache
def common_words(language: str) -> frozenset[str]:
    """Return common words of a language with Latin letters; none for another one."""
    return frozenset(_COMMON.get(primary(language), "").split())


_SYLLABLE = (
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ing|ong|iao|ian|uai|uan|van|ai|ei|ao|ou|an"
    r"|en|er|"
    r"in|un|ia|ie|iu|ua|uo|ui|ue|ve|a|o|e|i|u|v))"
)
PINYIN_WORD = re.compile(rf"{_SYLLABLE}{{1,4}}")
MIN_COMMON = 0.25  # share of common words from which on a text is in its language, and not pinyin
_KANA = re.compile(r"[\u3041-\u30ff]")


def _another_latin_language(text: str, language: str) -> bool:
    """Return whether the common words of another language, or syllables of pinyin, are most of a text's."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))
    spelled = re.findall(r"[a-z]+", bare)
    words = re.findall(r"[^\W\d_]+", text.casefold())
    counts = {name: sum(map(common_words(name).__contains__, words)) for name in _COMMON}
    mine = counts.pop(language, None)
    if mine is None:
        return False
    pinyin = sum(map(bool, map(PINYIN_WORD.fullmatch, spelled)))
    if len(spelled) >= 8 and pinyin > 0.85 * len(spelled) and mine < MIN_COMMON * len(words):
        return True  # many Italian words could be pinyin, too: `Ci sono compiti per i quali mancano i dati`
    max_count = max(counts.values())
    if max_count >= max(5, 3 * mine, 0.15 * len(words)):
        return True
    plain = [word for word in _PARTICLE.sub(r"\1", text).split() if word.islower()]
    if mine > 0.1 * len(words) or len(plain) < 2:
        return False
    if mine == 0 and (max_count := _most_common(plain, language)) >= max(2, 0.4 * len(plain)):
        return True
    identified = _identified(text) if min(len(words), len(plain) + 1) >= MIN_IDENTIFIED_WORDS else None
    return identified is not None and identified != language


def _most_common(words: Sequence[str], language_words: str) -> int:
    """Return how many words are common ones of one other language."""
    bare = [re.sub(r"[\W_]", "", word) for word in words]
    return max(sum(map(common_words(name).__contains__, bare)) for name in _COMMON if name != language_words)


# Small words between the capitalised ones of a name: `Zamudio y Avendaño`
_PARTICLE = re.compile(
    r"([A-ZÀ-Þ][\w'’-]*)\s(?:de|del|della|di|da|y|von|van|der|den|la|le|el|du|dos|zu|and|und|of|the)(?:\s(?:la|der"
    r"|los))?"
    r"(?=\s[A-ZÀ-Þ])"
)


# Languages with Latin letters that are distinguished; more of them would be mistaken for terms and names
_LATIN_LANGUAGES = (
    "en",
    "de",
    "fr",
    "it",
    "es",
    "pt",
    "nl",
    "sv",
    "da",
    "pl",
    "cs",
    "ro",
    "hu",
    "fi",
    "tr",
    "id",
    "vi",
)
MIN_IDENTIFIED_WORDS = 4  # words of a text whose language is identified
_SURE = 0.99  # probability of a language that is identified


def _identified(text: str) -> str | None:
    """Return the language of a text with Latin letters, if it is sure; None without the package py3langid."""
    if (identifier := _identifier()) is None:
        return None
    language, probability = identifier.classify(text)
    return str(language) if probability >= _SURE else None


@lru_cache(maxsize=1)
def _identifier() -> Any:
    if find_spec("py3langid") is None:
        return None
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(_LATIN_LANGUAGES))
    if getattr(identifier, "_full_model", None) is not None:
        identifier._full_model = None  # the tables of all languages take 14 MB, and only `set_languages` reads them
    return identifier


@reads_shortened
def in_language(text: str, language: str, min_share: float = 0.5) -> bool:
    """Return whether at least this share of a text's letters, and one at least, are of the script in which the language
    is written.

    A text without letters is in every language, and every text in one that isn't stated (`""`); an ideograph counts as
    two letters. Among languages with Latin letters, a text is in another one if it has at least five of that one's
    common words, and three times as many as of its own; a short one, if it has none of its own and the package
    py3langid is sure. Pinyin is none of them. With `min_share` 0, as for talks that quote other languages, this isn't
    checked. A Chinese text has no kana, apart from single ones.

    Example:
        >>> in_language("我很自豪。", "zh"), in_language("I am proud.", "zh"), in_language("他在IBM工作", "zh")
        (True, False, True)
        >>> in_language("他发表时用的笔名是Esta或Nabby。", "zh"), in_language("我喜欢 coffee very much。", "zh")
        (True, False)
        >>> in_language("Le soleil se couche à l'ouest, et la lune est au bout du monde.", "en")
        False
    """
    letters = [character for character in text if character.isalpha()]
    if not language.strip():
        return True
    short = primary(language)
    pattern = letters_of(language)
    written = sum(bool(pattern.match(character)) for character in letters)
    if short == "zh" and len(_KANA.findall(text)) > max(3, 0.1 * len(letters)):
        return False
    if min_share and short in _COMMON and _another_latin_language(text, short):
        return False
    if short in ("zh", "ja", "ko"):
        return not letters or 2 * written >= max(1, min_share * (len(letters) + written))
    return not letters or written >= max(1, min_share * len(letters))
