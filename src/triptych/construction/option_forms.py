"""Forms of options that say more than their text: letters, marks, options about others, and stems that list them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from triptych.construction.choices import same

# Letters and numbers that lists begin with, each in its order
_ORDERS = (
    "ABCDEFGH",
    "abcdefgh",
    "甲乙丙丁戊己庚辛",
    "子丑寅卯辰巳午未",
    "一二三四五六七八",
    "ⅠⅡⅢⅣⅤⅥⅦⅧ",
    "ⅰⅱⅲⅳⅴⅵⅶⅷ",
    "ⒶⒷⒸⒹⒺⒻⒼⒽ",
    "ⓐⓑⓒⓓⓔⓕⓖⓗ",
    "🄰🄱🄲🄳🄴🄵🄶🄷",
    "🅐🅑🅒🅓🅔🅕🅖🅗",
    "🅰🅱🅲🅳🅴🅵🅶🅷",
    "🄐🄑🄒🄓🄔🄕🄖🄗",
    "⒜⒝⒞⒟⒠⒡⒢⒣",
    "㈠㈡㈢㈣㈤㈥㈦㈧",
    "㊀㊁㊂㊃㊄㊅㊆㊇",
    "①②③④⑤⑥⑦⑧",
    "⑴⑵⑶⑷⑸⑹⑺⑻",
    "⒈⒉⒊⒋⒌⒍⒎⒏",
    "❶❷❸❹❺❻❼❽",
    "12345678",
    "αβγδεζηθ",
    "абвгдежз",
    "АБВГДЕЖЗ",
    "アイウエオカキク",
    "イロハニホヘトチ",
    "가나다라마바사아",
    "ㄱㄴㄷㄹㅁㅂㅅㅇ",
)
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_SIGNS = "".join(_ORDERS[5:20])  # signs that are never a part of a text
_TOKEN = rf"(?:[ivx]{{1,4}}|[IVX]{{1,4}}|[{''.join(_ORDERS)}])"
_LED = re.compile(
    rf"^\s*(?:[(（\[【〔]\s*({_TOKEN})\s*[)）\]】〕]|({_TOKEN})\s*(?:[)）\]】、º]|[.．:：](?!(?<=\d[.．:：])\d)|°(?![CFＣＦ]))|([{_SIGNS}])|([A-H甲乙丙丁子丑寅卯])\s)\s*(?=\S)"
)
# At the end, in brackets or after a dash: `… – (A)`, `…【甲】`
_ENDED_BY = re.compile(
    rf"(?<=\S)\s*(?:[–—-]+\s*)?[(（\[【〔]\s*({_TOKEN})\s*[)）\]】〕]\W*$|(?<=\S)\s+[–—|]+\s*({_TOKEN})\W*$|([{_SIGNS}])\W*$"
)
_IN_LINE = re.compile(
    rf"(?:[(（\[【]\s*({_TOKEN})\s*[)）\]】]|(?<![\w.])({_TOKEN})\s*[)）.．、:：]|([{_SIGNS}]))\s*(?=\S)"
)


def own_letters(options: Sequence[str]) -> str:
    """Return the first of options that all begin or end with letters or numbers of one list; empty if they don't.

    >>> own_letters(["子、孟子", "丑、论语", "寅、史记"]), own_letters(["1 bell", "2 bells", "3 bells"])
    ('子、孟子', '')
    >>> own_letters(["It rains – (B)", "It snows – (A)"])
    'It rains – (B)'
    """
    if len(options) < 2:
        return ""
    for pattern in (_LED.match, _ENDED_BY.search):
        marks = [_led_by(pattern(option)) for option in options]
        if _in_one_list([mark for mark in marks if mark], len(options)):
            return options[0]
    return ""


def _led_by(match: re.Match[str] | None) -> str:
    return next((mark for mark in match.groups() if mark), "") if match else ""


def _in_one_list(marks: Sequence[str], number: int) -> bool:
    """Return whether marks are the first ones of one list, each once."""
    if len(marks) != number:
        return False
    if sorted(mark.casefold() for mark in marks) == sorted(_ROMAN[:number]):
        return True
    return any(set(marks) == set(order[:number]) for order in _ORDERS)


def listed_in_stem(question: str, options: Sequence[str]) -> bool:
    """Return whether a question ends with options of its own, each with a number, on lines of their own or in one.

    A list of statements to which the options refer by number (`①②`) isn't one.

    >>> listed_in_stem("诗人把月光当成了什么？\\n（1）霜\\n（2）雪\\n（3）水？", ["霜", "雪", "水"])
    True
    >>> listed_in_stem("下列说法正确的是：①甲 ②乙 ③丙", ["①②", "②③", "①③"])
    False
    """
    if options and all(
        re.fullmatch(rf"[\s,，、;；→>\-和与及and]*(?:{_TOKEN}[\s,，、;；→>\-和与及.and]*)+", o) for o in options
    ):
        return False
    lines = [line for line in question.split("\n") if line.strip()]
    led = [_led_by(_LED.match(line)) for line in lines]
    count = 0
    while count < len(led) - 1 and led[-1 - count]:
        count += 1
    on_lines = any(_in_one_list(led[-number:], number) for number in range(2, count + 1))
    return on_lines or _listed_in_line(question, options)


def _listed_in_line(question: str, options: Sequence[str]) -> bool:
    """Return whether a list of three entries or more follows a question mark or a colon, and holds an option."""
    matches = list(_IN_LINE.finditer(question))
    for number in range(min(8, len(matches)), 2, -1):
        last = matches[-number:]
        if not _in_one_list([_led_by(match) for match in last], number):
            continue
        before = question[: last[0].start()].rstrip()
        ends = [match.start() for match in last[1:]] + [len(question)]
        entries = {same(question[match.end() : end]) for match, end in zip(last, ends, strict=True)}
        return before[-1:] in tuple("？?：:。") and bool(entries & {same(option) for option in options})
    return False


_ONE = (
    r"(?i:(?:选项|答案|第|options?|answers?|choices?|antwort(?:en)?|réponses?|opci[oó]n(?:es)?|opzion[ei]|risposte?)\s"
    r"*)?[(（]?(?:[A-H]|(?<=[(（])[a-h](?=[)）])|[①-⑨ⅠⅡⅢⅣ]|[甲乙丙丁]|[1-6]|[一二三四五六](?=项|、|和|与|两))[)）]?(?:\s*(?:项"
    r"|选项|号))?"
)
_AND = (
    r"\s*(?:、|,|，|/|&|\+|和|与|及|以及|或|或者|跟|同|と|や|と|または|와|과|및|또는|\band\b|\bor\b|\bnor\b|\bund\b|\boder\b|\bnoch\b"
    r"|\bals auch\b|\bet\b|\bou\b|\bni\b|\be\b|\bo\b|\by\b|\bu\b|\bné\b|\ben\b|\bof\b|и|или)\s*"
)
_LIST = rf"{_ONE}(?:(?i:{_AND}){_ONE})+"
_BEFORE = (
    r"(?i:(?:both|either|neither|only|sowohl|weder|beide|nur|à la fois|soit|tanto|sia|né"
    r"|以上|上述|只有|仅|同时|既是|选)\s*)"
)
_AFTER = (
    r"(?i:\s*(?:这|那|中的)?(?:[两二三2-3]|兩)?(?:项|者|个|种|選項|选项|答案|说法)?\s*(?:都|均|皆|全|同时|同樣|之一|任一|任选)\s*.{0,8}"
    r"|\s*(?:这|那)?[两二三兩](?:项|者|个|种|选项|答案)|\s*(?:的|の)(?:两者|両方|組合|组合|どちらも).{0,6}"
    r"|\s*(?:对|正确|错|不对|成立|为真)"
    r"|\s*(?:are|is|both|only|together|apply|sind|beide|sono|entrambe|son|ambas|sont|toutes les deux|両方|모두"
    r"|둘\s?다).{0,30})"
)
_CERTAIN = re.compile(rf"\W*(?:{_BEFORE}{_LIST}{_AFTER}?|{_LIST}{_AFTER})\W*")
_BARE = re.compile(rf"\W*{_LIST}\W*")
_PAIR = re.compile(
    r"\W*(?:(?:这|以上|上述)?(?:[两二三](?:者|项|个|种)(?:说法|选项|答案|情况)?)(?:都|皆|均|全|兼|同时)(?:不|没)?(?:是|对|有|可|可能|可以|正确|错误?"
    r"|符合|无|非|成立|行|选|具备)?的?"
    r"|(?:二|两|三)者(?:之一|兼有|兼具|任一|都不|均不)\w{0,2}"
    r"|both(?: of them)?|neither(?: of them)?|either(?: one| of them)?|les deux|aucun(?:e)? des deux|ambas"
    r"|ambos|ninguna de las dos|entrambe|entrambi|nessuna delle due"
    r"|beide|keine von beiden|両方|どちらも|둘\s?다)\W*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:alle|keine)(?:s|r)? (?:der )?(?:oben|genannten|obigen|vorherigen)|\b(?:toutes|aucune)(?: de)?s? "
    r"(?:les )?(?:réponses )?(?:ci-dessus|"
    r"précédentes)|\baucune des réponses\b|\b(?:todas|ninguna)(?: de)? las anteriores|\b(?:todas|nenhuma)(?: d)?"
    r"\s?as anteriores"
    r"|\b(?:tutte|nessuna)(?: delle| le)? precedenti|\balle bovenstaande|\bgeen van bovenstaande|上記(?:の)?(?:すべて"
    r"|全て|いずれ)|以上(?:の)?すべて"
    r"|위의?\s?(?:모두|모든)|\b(?:все|ничего из|ни одно из) (?:вышеперечисленн|перечисленн)\w+",
    re.IGNORECASE,
)

_GROUP = (
    r"(?:(?:上述|以上|前述|上列|前列|所列|所述)(?:的)?(?:[几数一二两三四五2-5])?(?:者|项|个|种|条|点)?"
    r"|(?:其余|其他|其它|另外|剩余|剩下|余下|前面|上面|前|后)(?:的)?[几数二两三四五2-5](?:者|项|种|条|点|个(?!人|字))"
    r"|(?:其余|其他|其它|另外|剩余|剩下|余下|前面|上面)(?:的)?(?=情形|选项|答案|说法|各项))"
    r"(?:的)?(?:情形|情况|选项|答案|说法|各项|描述|原因|可能|解释|理由|选择|推断|判断|推测)?"
)
# An option that is only about a group of options, whatever it says of them
_OF_A_GROUP = re.compile(
    rf"\W*(?:{_GROUP}(?:兼而有之|兼有|兼具|兼备|并存|(?:都|均|皆|全|俱|悉|一概|一律|未|没|无一|不|任一|任意一|任何一)[^，。]{{0,6}}|之一"
    r"|的(?:综合|结合|组合|总和))"
    rf"|(?:兼有|兼具|兼备|同时具备|综合|包括|包含|不同于|不属于)(?:了)?{_GROUP}"
    r"|(?:each|every one|any(?: one)?|all|none|some|most|several|not one|no one|a (?:combination|mixture|mix)|more than"
    r" one|one or more|two or more) of (?:the )?(?:these|those|above|others?|rest|preceding|foregoing|former"
    r"|(?:other |above |listed |given )?(?:options|choices|answers|alternatives))"
    r"|没有(?:任何)?一(?:个|项|种)(?:选项|答案)?(?:是)?(?:对|正确|符合|成立)的?"
    r"|(?:all|none|any|both) (?:two|three|four) of (?:them|these|the above)"
    r"|(?:none|nothing) (?:apply|applies|fits|(?:is|are) (?:correct|right|true))"
    r"|(?:neither|either|every|no) (?:option|choice|answer|alternative)s?|(?:the )?(?:rest|others?) (?:combined"
    r"|together))\W*",
    re.IGNORECASE,
)
# These may also answer a question that names what they are about
_OF_ALL = re.compile(
    r"\W*(?:(?:皆|均|俱|全|悉|一概|一律|都)(?:非|否|是|无|无此事|不是|不成立|成立|不符合?|不选|未发生|未提及|未出现)"
    r"|兼而有之|无一(?:正确|是|符合|成立)|neither(?: one)?|each"
    r"|the (?:first|last|other|previous|preceding) (?:two|three|four)(?: (?:options|answers|choices))?)\W*",
    re.IGNORECASE,
)
_TO_SIMPLIFIED = str.maketrans(
    "無對並發現選項與餘後餘個說條點種總綜結組斷測釋擇", "无对并发现选项与余后余个说条点种总综结组断测释择"
)


def about_others(question: str, options: Sequence[str]) -> str:
    """Return an option that is about other options, by their letters or numbers or as a whole; empty if there is none.

    >>> about_others("他在做什么？", ["读书", "采菊", "饮酒", "B与C两项"])
    'B与C两项'
    >>> about_others("谁认识谁？", ["甲和乙", "乙和丙", "甲和丙"])
    ''
    """
    if len(options) < 2:
        options = [*options, ""]
    texts = [unicodedata.normalize("NFKC", option) for option in options]
    bare = [bool(_BARE.fullmatch(text)) for text in texts]
    for option, text, in_full in zip(options, texts, bare, strict=True):
        plain = text.translate(_TO_SIMPLIFIED)
        if _ALL.search(text) or _OF_A_GROUP.fullmatch(plain):
            return option
        if _CERTAIN.fullmatch(text) and sum(map(bool, map(_CERTAIN.fullmatch, texts))) < max(2, len(options) - 1):
            letters = re.findall(r"[A-H甲乙丙丁①-⑨]", text)
            if not any(re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", question) for letter in letters):
                return option
        if in_full and sum(bare) == 1 and not _names_one(text, texts, question):
            return option
        if (
            len(options) > 2
            and (_PAIR.fullmatch(text) or _OF_ALL.fullmatch(plain))
            and not re.search(r"还是|或|[两二三]者|两[个种人]|\b(?:or|both|two|which of)\b", question)
        ):
            return option
    return ""


def _names_one(text: str, texts: Sequence[str], question: str) -> bool:
    """Return whether letters or numbers of an option are also in the question, or alone in another option."""
    marks = re.findall(r"(?<![A-Za-z])[A-Ha-h](?![A-Za-z])|[甲乙丙丁①-⑨ⅠⅡⅢⅣ]|\d+|[一二三四五六]", text)
    others = [question, *(other for other in texts if other != text)]
    return any(re.search(rf"(?<![A-Za-z\d]){mark}(?![A-Za-z\d])", other) for mark in marks for other in others) or (
        any(mark.isdigit() for mark in marks) and any(re.search(r"\d", other) for other in others[1:])
    )


# Signs before and after an option that aren't punctuation or units
_HEAD_MARK = re.compile(r"^\s*[^\w\s\"'“”‘’「」『』《》〈〉()（）\[\]【】…—–\-+.,，。!！?？$￥€£~～·¿¡]")
_TAIL_MARK = re.compile(
    r"(?:[^\w\s\"'“”‘’「」『』《》〈〉()（）\[\]【】…—–\-+.,，。!！?？;；、%％°℃:：~～·♯♭″′#]|(?<![A-Ga-g])#|[，、,;；:：])\s*$"
)
_WRAPPED = re.compile(r"\s*(?:“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|【[^】]*】|\[[^\]]*\]|（[^）]*）|\([^)]*\))\s*")
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")  # bold, italic and other letters for formulas


def marked_alone(options: Sequence[str]) -> str:
    """Return an option that alone, of three or more, begins or ends with a sign, is quoted, or is in bold letters;
    empty if there is none.

    >>> marked_alone(["孟子→", "论语", "史记"]), marked_alone(["「孟子」", "论语", "史记"])
    ('孟子→', '「孟子」')
    """
    return next(_marked_alone(options), "") if len(options) > 2 else ""


def _marked_alone(options: Sequence[str]) -> Iterator[str]:
    for has in (_HEAD_MARK.search, _TAIL_MARK.search, _WRAPPED.fullmatch, _STYLED.search):
        marked = [option for option in options if has(option)]
        if len(marked) == 1:
            yield marked[0]
