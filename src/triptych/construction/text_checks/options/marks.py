"""Forms of options that say more than their text: letters, marks, options about others, and stems that list them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from triptych.construction.text_checks.options.choices import comparable_text
from triptych.construction.text_checks.shortened import reads_shortened

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
# More orders, of which any entries that follow each other count, if a sign separates them from the text
_MORE_ORDERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "abcdefghijklmnopqrstuvwxyz",
    "αβγδεζηθικλμνξοπρστυφχψω",
    "абвгдежзийклмнопрстуфхцчшщ",
    "甲乙丙丁戊己庚辛壬癸",
    "子丑寅卯辰巳午未申酉戌亥",
    "一二三四五六七八九十",
    "壹贰叁肆伍陆柒捌玖拾",
    "春夏秋冬",
    "天地玄黄宇宙洪荒",
    "元亨利贞",
    "仁义礼智信",
    "金木水火土",
)
_IN_TURN = ("首先 其次 再次 最后", "首先 其次 再者 最后", "第一 第二 第三 第四 第五 第六")
_NUMERALS = "一二三四五六七八九十百千"
_LOOK_ALIKE = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХ", "ABEZHIKMNOPTYXABEKMHOPCTYX")
_SIGNS = "".join(_ORDERS[5:20])  # signs that are never a part of a text
_TOKEN = rf"(?:[ivx]{{1,4}}|[IVX]{{1,4}}|[{''.join(_ORDERS)}])"
_OF_A_KEY = r"(?:flat|sharp|natural|major|minor)\b"  # of music: `A minor`
_LED = re.compile(
    rf"^\s*(?:[(（\[【〔]\s*({_TOKEN})\s*[)）\]】〕]|({_TOKEN})\s*(?:[)）\]】、º]|[.．:：](?!(?<=\d[.．:：])\d)"
    rf"|°(?![CFＣＦ]))|([{_SIGNS}])|([A-H甲乙丙丁子丑寅卯])\s(?!\s*{_OF_A_KEY}))\s*(?=\S)"
)
# At the end, in brackets or after a dash: `… – (A)`, `…【甲】`
_ENDED_BY = re.compile(
    rf"(?<=\S)\s*(?:[–—-]+\s*)?[(（\[【〔]\s*({_TOKEN})\s*[)）\]】〕]\W*$|(?<=\S)\s+[–—|]+\s*({_TOKEN})\W*$|([{_SIGNS}])\W*$"
)
_IN_LINE = re.compile(
    rf"(?:[(（\[【]\s*({_TOKEN})\s*[)）\]】]|(?<![\w.])({_TOKEN})\s*[)）.．、:：]|([{_SIGNS}]))\s*(?=\S)"
)


@reads_shortened
def own_letters(options: Sequence[str]) -> str:
    """Return the first of options that all begin or end with letters or numbers of one list; empty if they don't.

    >>> own_letters(["子、孟子", "丑、论语", "寅、史记"]), own_letters(["1 bell", "2 bells", "3 bells"])
    ('子、孟子', '')
    >>> own_letters(["It rains – (B)", "It snows – (A)"])
    'It rains – (B)'
    """
    if len(options) < 2 or all(re.match(rf"\s*[{_NUMERALS}]、[{_NUMERALS}]", option) for option in options):
        return ""  # 一、二班
    for pattern in (_LED.match, _ENDED_BY.search):
        marks = [_led_by(pattern(option)) for option in options]
        alike = pattern == _ENDED_BY.search and len({_ENDED_BY.sub("", option) for option in options}) < len(options)
        if not alike and _in_one_list([mark for mark in marks if mark], len(options)):  # alike: parts of one work
            return options[0]
    return _enumerated(options)


_MORE_TOKEN = (
    rf"(?:\d{{1,2}}|〇[一二三四五六七八九]|[A-Za-z]|[α-ωΑ-Ω]|[а-яА-Я]|[{''.join(_MORE_ORDERS[4:])}]"
    rf"|{'|'.join(sorted({w for turn in _IN_TURN for w in turn.split()}))})"
)
_OPEN, _CLOSE = r"[(（\[【〔「『“\"'<＜〈《{｛〖]", r"[)）\]】〕」』”\"'>＞〉》}｝〗]"
_ENUMERATED = re.compile(
    rf"\s*(?P<head>(?:选项?|答案|项|其|No\.?|Nr\.?|Q|option|choice|answer|#|[-*•]){{0,2}}\s*{_OPEN}?)\s*"
    rf"(?P<mark>{_MORE_TOKEN})(?P<sign>(?:项|选项|个)?\s*{_CLOSE}?\s*(?:[.．、:：)）|｜/／—–~～>＞=＝·・,，;；º-]"
    r"|->|=>|→)*)(?P<gap>\s*)"
    r"(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_AT_END = re.compile(
    rf"(?P<rest>.*\S)\s*(?P<head>{_OPEN})\s*(?P<mark>{_MORE_TOKEN})\s*(?P<sign>{_CLOSE})\W*", re.DOTALL
)
_COUNTED = re.compile(  # what a number may count, or precede
    r"[个名位只条头匹棵株朵把张座艘辆件本支枝根颗粒幅首所尊枚次遍回场种类样点分秒时天日周月年岁代世级楼层号路班组行列页章节元角块毛斤两里米厘公度成倍折半多几来人口家户门封杯碗盘瓶双对副套群伙批队男女大小十百千万亿]"
    r"|[a-z]|[-\d.,:%％℃°]"
)


def _enumerated(options: Sequence[str]) -> str:
    """Return the first of three options or more that begin, or end, with entries of one list that follow each other,
    with the same signs around them; empty if they don't.

    Numbers that count (`1只猫`) and letters of names (`A座`) aren't entries.
    """
    texts = [unicodedata.normalize("NFKC", option) for option in options]
    for pattern in (_ENUMERATED, _AT_END):
        matches = [match for text in texts if (match := pattern.fullmatch(text.strip()))]
        if len(matches) < max(3, len(options) - 1):
            continue
        if len({(match["head"].strip().casefold(), match["sign"].strip()) for match in matches}) > 1:
            continue
        rests = [match["rest"].strip() for match in matches]
        if len(set(rests)) < len(rests) or len({rest[:1] + rest[-1:] for rest in rests}) == 1:
            continue
        marks = [match["mark"] for match in matches]
        if any(re.match(_OF_A_KEY, rest) for rest in rests):
            continue
        if _follow(marks) and _is_separate(matches[0], marks, rests):
            return next(option for option, text in zip(options, texts, strict=True) if pattern.fullmatch(text.strip()))
    return ""


def _follow(marks: Sequence[str]) -> bool:
    """Return whether marks are entries of one list that follow each other, in any order."""
    if all(mark.isdecimal() for mark in marks):
        numbers = sorted(map(int, marks))
        return numbers == list(range(numbers[0], numbers[0] + len(marks)))
    alike = [mark.lstrip("〇").translate(_LOOK_ALIKE) for mark in marks]
    for named in (marks, [mark.lower() for mark in marks], alike, [mark.upper() for mark in alike]):
        if any("".join(sorted(named, key=order.find)) in order for order in _MORE_ORDERS):
            return True
    return any(set(marks) == set(turn.split()[: len(marks)]) for turn in _IN_TURN)


def _is_separate(match: re.Match[str], marks: Sequence[str], rests: Sequence[str]) -> bool:
    """Return whether marks are separate from the text, so that they aren't a part of it."""
    if match.re is _AT_END:
        return True
    signs = match["head"].strip() + match["sign"].strip()
    gap = match["gap"] or match["sign"][-1:].isspace()
    if all(mark.isdecimal() for mark in marks):
        counted = any(_COUNTED.match(rest) for rest in rests)
        if len(marks[0]) > 1 and marks[0][0] == "0" and not counted:
            return True
        return bool(signs or gap) and not counted
    if signs or gap:
        comma = signs in (",", "，") and not marks[0].isascii()
        return marks[0].isascii() or (bool(signs) and not comma and not any(rest[0] in _NUMERALS for rest in rests))
    in_turn = any(marks[0] in turn.split() for turn in _IN_TURN) and not any(map(_COUNTED.match, rests))
    letters = all(mark.isascii() for mark in marks) and {mark.casefold() for mark in marks} == set(
        "abcdefgh"[: len(marks)]
    )
    return in_turn or (letters and all(re.match(r"[\u3400-\u9fff]", rest) for rest in rests))


def _led_by(match: re.Match[str] | None) -> str:
    return next((mark for mark in match.groups() if mark), "") if match else ""


def _in_one_list(marks: Sequence[str], number: int) -> bool:
    """Return whether marks are the first ones of one list, each once."""
    if len(marks) != number:
        return False
    if sorted(mark.casefold() for mark in marks) == sorted(_ROMAN[:number]):
        return True
    return any(set(marks) == set(order[:number]) for order in _ORDERS)


@reads_shortened
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
        entries = {comparable_text(question[match.end() : end]) for match, end in zip(last, ends, strict=True)}
        return before[-1:] in tuple("？?：:。") and bool(entries & {comparable_text(option) for option in options})
    return False


_ONE = (
    r"(?i:(?:选项|答案|第|options?|answers?|choices?|antwort(?:en)?|réponses?|opci[oó]n(?:es)?|opzion[ei]|risposte?)\s"
    r"*)?[(（]?(?:[A-H]|(?<=[(（])[a-h](?=[)）])|[①-⑨ⅠⅡⅢⅣ]|[甲乙丙丁]|[1-6]|[一二三四五六](?=项|、|和|与"
    r"|两))[)）]?(?:\s*(?:项"
    r"|选项|号))?"
)
_AND = (
    r"\s*(?:、|,|，|/|&|\+|和|与|及|以及|或|或者|跟|同|と|や|と|または|와|과|및|또는|\band\b|\bor\b|\bnor\b|\bund\b"
    r"|\boder\b|\bnoch\b"
    r"|\bals auch\b|\bet\b|\bou\b|\bni\b|\be\b|\bo\b|\by\b|\bu\b|\bné\b|\ben\b|\bof\b|и|или)\s*"
)
_LIST = rf"{_ONE}(?:(?i:{_AND}){_ONE})+"
_BEFORE = (
    r"(?i:(?:both|either|neither|only|sowohl|weder|beide|nur|à la fois|soit|tanto|sia|né"
    r"|以上|上述|只有|仅|同时|既是|选)\s*)"
)
_AFTER = (
    r"(?i:\s*(?:这|那|中的)?(?:[两二三2-3]|兩)?(?:项|者|个|种|選項|选项|答案|说法)?\s*(?:都|均|皆|全|同时|同樣|之一"
    r"|任一|任选)\s*.{0,8}"
    r"|\s*(?:这|那)?[两二三兩](?:项|者|个|种|选项|答案)|\s*(?:的|の)(?:两者|両方|組合|组合|どちらも).{0,6}"
    r"|\s*(?:对|正确|错|不对|成立|为真)"
    r"|\s*(?:are|is|both|only|together|apply|sind|beide|sono|entrambe|son|ambas|sont|toutes les deux|両方|모두"
    r"|둘\s?다).{0,30})"
)
_CERTAIN = re.compile(rf"\W*(?:{_BEFORE}{_LIST}{_AFTER}?|{_LIST}{_AFTER})\W*")
_BARE = re.compile(rf"\W*{_LIST}\W*")
_PAIR = re.compile(
    r"\W*(?:(?:这|以上|上述)?(?:[两二三](?:者|项|个|种)(?:说法|选项|答案|情况)?)(?:都|皆|均|全|兼|同时)(?:不"
    r"|没)?(?:是|对|有|可|可能|可以|正确|错误?"
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
    rf"\W*(?:{_GROUP}(?:兼而有之|兼有|兼具|兼备|并存|(?:都|均|皆|全|俱|悉|一概|一律|未|没|无一|不|任一|任意一"
    rf"|任何一)[^，。]{{0,6}}|之一"
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
# About the options by that word, about one of them by its letter or number, or about what is none of them
_OF_OPTIONS = re.compile(
    r"\W*(?:(?:没有|无|所有|全部|一切|各|每个?|任[何一意](?:一)?(?:个|项)?|哪个|此中|其中|诸)的?(?:正确|对"
    r"|错误)?的?(?:选项|答案|正解)[^，。]{0,6}"
    r"|(?:此中|其中)?(?:无|没有)(?:正解|正确选项|正确答案|正确的选项)|选项[^，。]{0,2}(?:均|都|皆|全)[^，。]{1,5}"
    r"|(?:全选|都选|全不选|都不选|综上(?:所述)?)"
    r"|(?:甲|乙|丙|丁){2,4}(?:都|均|皆|俱)?(?:可|对|错|是|非|误|不?对|不?是)|所有(?:以上|上述)|(?:以上|上述)(?:所有"
    r"|一切|全部|种种)|(?:上述|以上)[两二三四五几](?:点|条|方面)"
    r"|(?:同|与|和|跟)(?:选项|第)?\s*[A-H甲乙丙丁一二三四](?:项|个|条)?(?:选项)?(?:相同|一样|一致|同)?"
    r"|(?:选项|答案)[A-H甲乙丙丁一二三四](?:和|与|或|及|、)(?:选项|答案)?[A-H甲乙丙丁一二三四]"
    r"|第[一二三四]个?(?:项)?(?:和|与|或|及|、)第[一二三四]个?(?:项)?"
    r"|(?:多种|多个|几种|各种)(?:原因|因素|可能|情况)|全都?(?:是|有|对)|随便(?:哪|一)(?:个|项)"
    r"|(?:其他|其它|别的|另外的|另有)(?:的)?(?:原因|情况|可能|选项|答案|理由|因素|隐情)?|(?:以上|前面"
    r"|上面)[^，。]{0,8}(?:同时存在|同时成立|都有|都对|并存|都提到)"
    r"|(?:some|any)thing else|(?:an)?other(?: (?:reason|option|answer|choice)s?)?|same as (?:option )?[A-H])\W*",
    re.IGNORECASE,
)
# These may also answer a question that names what they are about
_OF_ALL = re.compile(
    r"\W*(?:(?:皆|均|俱|全|悉|一概|一律|都)(?:非|否|是|无|无此事|不是|不成立|成立|不符合?|不选|未发生|未提及|未出现)"
    r"|兼而有之|无一(?:正确|是|符合|成立)|(?:全|都|皆|均)(?:部)?(?:都)?(?:有|有可能|可能|可|可以|选|行|不行|不可"
    r"|正确|是对的|是错的|不是)"
    r"|(?:[二两三四五几多]|所有|每)个?(?:种)?(?:原因|可能|情况|理由|说法|答案|因素|方面)(?:性)?(?:都|均|皆)?(?:有"
    r"|存在|对|成立|可能|可以|不对)"
    r"|(?:不止|不只)一(?:个|种)(?:原因|可能|情况|理由)?|(?:任何|任意|任选|随便|哪)[一哪]?[个项种](?:都|均|皆)(?:行"
    r"|可以?|对|不对|不行|不可)"
    r"|(?:没有?|无)一?(?:个|项)?(?:是)?对的?|没有(?:正确|对)的|[二两三四五](?:选|择)一(?:都|均|皆)?(?:可以?|行)"
    r"|[二两三]者居其?一|(?:诸|各|几|每)(?:项|条)(?:均|都|皆)?(?:误|错|不?符合?|不?对|不?成立|不?正确)"
    r"|neither(?: one)?|each"
    r"|the (?:first|last|other|previous|preceding) (?:two|three|four)(?: (?:options|answers|choices))?)\W*",
    re.IGNORECASE,
)
_TO_SIMPLIFIED = str.maketrans(
    "無對並發現選項與餘後餘個說條點種總綜結組斷測釋擇沒況誤錯兩這該",
    "无对并发现选项与余后余个说条点种总综结组断测释择没况误错两这该",
)


@reads_shortened
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
        if (
            _ALL.search(text)
            or _OF_A_GROUP.fullmatch(plain)
            or (
                _OF_OPTIONS.fullmatch(plain)
                and not any("第" in other for other in texts if "第" in text and other != text)
            )
        ):
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
            and not re.search(
                r"态度|意见|要求|怎么说|说什么|说了什么|表示|回答|反应|还是|或|[两二三]者|两[个种人]|\b(?:or|both"
                r"|two|which of)\b",
                question,
            )
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
    r"(?:[^\w\s\"'“”‘’「」『』《》〈〉()（）\[\]【】…—–\-+.,，。!！?？;；、%％°℃:：~～·♯♭″′#]|(?<![A-Ga-g])#"
    r"|[，、,;；:：])\s*$"
)
_WRAPPED = re.compile(r"\s*(?:“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"|【[^】]*】|\[[^\]]*\]|（[^）]*）|\([^)]*\))\s*")
_STYLED = re.compile("[\U0001d400-\U0001d7ff]")  # bold, italic and other letters for formulas


@reads_shortened
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
