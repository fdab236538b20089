"""Facts that a translation states otherwise than its source: units, currencies, fractions, months, opposites, decimals.

Each fact has words in English, German, Italian and Chinese. A fault is an exchange: the source has one fact of a kind
that the translation lacks, and the translation has another one of that kind that the source lacks. A fact that is only
missing may be said in other words.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from triptych.construction.text_checks.numerals import CHINESE_NUMBER, MAX_DIGITS, chinese_number, numbers_in
from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.translation.clock import clock_fault

Fault = tuple[str, str]
LANGUAGES = ("en", "de", "it", "zh")

# kind -> fact -> words in English, German, Italian and Chinese, as regular expressions
_FACTS: dict[str, dict[str, tuple[str, str, str, str]]] = {
    "unit": {
        "second": (
            r"seconds\b|(?<!\d{3})(?<!the \d)(?<!['’]\d)(?<!0s and \d)(?<!0s or \d)(?<!0s to \d)(?<!0s, \d)\d[ -]?s\b"
            r"|(?:per|[a-z]-)second\b|\b(?:one|(?<![\d.,])1) second\b",
            r"sekunde",
            r"\bsecondi\b|al secondo|(?:\d|\bogni) secondo\b",
            "秒",
        ),
        "minute": (r"\bminutes?\b", r"\bminute", r"\bminut[oi]\b", "分钟"),
        "hour": (
            r"\bhours?\b",
            r"stunde|stündig",
            r"\bore\b|\w['’]ora\b|(?:\d|\b(?:una|ogni|mezza)) ?ora\b|\borari",
            "小时|钟头",
        ),
        "day": (r"\bdays?\b|daily|week ?days?\b", r"\btag(?:e[ns]?|s)?\b|täglich|tägig", r"giorn|quotidian", "[天日]"),
        "week": (r"\bweek(?! ?days?\b)", r"woche|wöchig|wöchentlich", r"settiman", "周|星期|礼拜"),
        "month": (r"\bmonth", r"monat", r"\bmes[ei]\b|mensil", "月"),
        "year": (
            r"\byears?\b|annual|yearly",
            r"jahr|jährig|jährlich",
            r"\bann[oi]\b|annual|annu[oi]|\bannat",
            "年|岁",
        ),
        "decade": (r"\bdecade", r"jahrzehnt", r"decenni", "十年(?!代)"),
    },
    "measure": {
        "meter": (
            r"\bmet(?:er|re)s?\b|\d ?m\b",
            r"\bmetern?\b|\d ?m\b",
            r"\bmetr[oi]\b|\d ?m\b",
            "(?<![厘毫千玉纳])米",
        ),
        "kilometer": (r"kilomet|\d ?km\b", r"kilomet|\d ?km\b", r"chilometr|\d ?km\b", "公里|千米"),
        "centimeter": (r"centimet|\d ?cm\b", r"zentimet|\d ?cm\b", r"centimetr|\d ?cm\b", "厘米"),
        "millimeter": (r"millimet|\d ?mm\b", r"millimet|\d ?mm\b", r"millimetr|\d ?mm\b", "毫米"),
        "foot": (r"\bfeet\b|\d[ -]foot\b", r"\d ?fuß\b|\bfuß\b", r"\bpiedi\b", "英尺"),
        "inch": (r"\binch(?:es)?\b", r"\bzoll\b", r"\bpollic[ei]\b", "英寸"),
        "mile": (r"\bmiles?\b", r"\bmeilen?\b", r"\bmiglia\b", "英里"),
    },
    "weight": {
        "kilogram": (
            r"kilogram|\d ?kg\b|\bkilos?\b",
            r"kilogramm|\d ?kg\b|\bkilo\b",
            r"chilogramm|\d ?kg\b|\bchil[oi]\b",
            "公斤|千克",
        ),
        "gram": (r"\bgrams?\b", r"\bgramm\b", r"\bgramm[oi]\b", "(?<!千)克(?![服拉罗里])"),
        "ton": (r"\bton(?:ne)?s\b", r"\btonnen?\b", r"\btonnellat[ae]\b", "吨"),
        "pound": (r"\bpounds\b", r"\bpfund\b", r"\blibbre\b", "磅"),
    },
    "currency": {
        "dollar": (r"\bdollars?\b|\$ ?\d", r"dollar|\$", r"dollar|\$", r"美元|美金|\$"),
        "euro": (r"\beuros?\b|€", r"\beuros?\b|€", r"\beuro\b|€", "欧元|€"),
        "pound": (r"\bpounds sterling\b|£", r"pfund|£", r"sterlin|£", "英镑|£"),
        "yen": (r"\byen\b", r"\byen\b", r"\byen\b", "日元"),
        "yuan": (r"\byuan\b|\brmb\b|renminbi", r"\byuan\b|renminbi", r"\byuan\b|renminbi", "人民币"),
        "cent": (r"\bcents\b", r"\bcents?\b", r"\bcentesim[oi]\b", "美分|欧分"),
    },
    "time of the day": {
        "morning": (
            r"\bmorning|\d ?a\.?m\.?\b",
            r"\bmorgens\b|\bam morgen\b|vormittag",
            r"mattin",
            "早上|早晨|上午|凌晨|清晨|早安",
        ),
        "noon": (r"\bnoon\b|midday", r"\bmittags?\b", r"mezzogiorno", "中午|正午"),
        "afternoon": (r"\bafternoon|\d ?p\.?m\.?\b", r"nachmittag", r"pomerigg", "下午"),
        "evening": (
            r"\bevening|\d ?p\.?m\.?\b",
            r"abends?\b",
            r"\bser[ae]\b|\bserat",
            "晚上|傍晚|[昨今明当那一二三四五六日天]晚",
        ),
        "night": (
            r"\bnight",
            r"\bnachts?\b|nächt|(?:gestern|heute|morgen|tag|woch) ?abend",
            r"\bnott[ei]\b|notturn|\b(?:ieri|questa|domani|\w+dì|sabato|domenica) sera\b|stasera",
            "夜|凌晨|晚上|[昨今明当那一二三四五六日天]晚",
        ),
    },
    "part or place in an order": {
        "1": (
            r"\bfirst|(?<!\d)1st\b",
            r"\berst|zuerst|zunächst|anfangs|\b1\.",
            r"\bprim[aoie]\b|innanzi|anzitutto|inizi",
            "第一|首先|首次|先|初|第1",
        ),
        "2": (
            r"(?<!per )(?<!one )\bsecond\b(?! of)|(?<!\d)2nd\b",
            r"\bzweit|\b2\.",
            r"\bil secondo\b|\bseconda\b|in secondo",
            "第二|其次|第2|次",
        ),
        "3": (r"\bthirds?\b|(?<!\d)3rd\b", r"\bdritt", r"\bterz[oaie]\b", "第三|第3|三分之|分之三"),
        "4": (
            r"\bfourths?\b|quarter|(?<!\d)4th\b",
            r"\bviert|quartal",
            r"\bquart[oaie]\b|trimestr",
            "第四|第4|四分之|分之四|季度|刻",
        ),
        "5": (r"\bfifths?\b|(?<!\d)5th\b", r"\bfünft", r"\bquint[oaie]\b", "第五|第5|五分之|分之五"),
        "6": (r"\bsixths?\b|(?<!\d)6th\b", r"\bsechst", r"\bsest[oaie]\b", "第六|第6|六分之|分之六"),
        "7": (r"\bsevenths?\b|(?<!\d)7th\b", r"\bsiebt(?:e|el)", r"\bsettim[oaie]\b", "第七|第7|七分之|分之七"),
        "8": (r"\beighths?\b|(?<!\d)8th\b", r"\bacht(?:e|el)", r"\bottav[oaie]\b", "第八|第8|八分之|分之八"),
        "10": (r"\btenths?\b|(?<!\d)10th\b", r"\bzehnt(?:e|el)", r"\bdecim[oaie]\b", "第十|第10|十分之"),
    },
    "first or last": {
        "first": (
            r"\bfirst",
            r"\berst|zuerst|zunächst|anfang|\b1\.",
            r"\bprim[aoie]\b|innanzi|anzitutto|inizi",
            "第一|首|先|初|开始|一",
        ),
        "last": (
            r"\blast\b",
            r"letzt|schließ|final|\bend",
            r"ultim|infin|final|conclu|scors",
            "最后|最终|上|去|昨|末|尾",
        ),
    },
    "fraction": {
        "half": (r"\bhalf\b|halves|\bhalv", r"hälfte|halb", r"metà|mezz", "半|二分之一"),
        "third": (r"\b(?:one|a|two)[- ]thirds?\b", r"drittel", r"\bterz[oi]\b", "三分之|分之三"),
        "quarter": (
            r"\bquarters?\b|\b(?:one|a|three)[- ]fourths?\b",
            r"viertel",
            r"\bquart[oi]\b",
            "四分之|分之四|刻|季",
        ),
        "fifth": (r"\b(?:one|a|two|three|four)[- ]fifths?\b", r"fünftel", r"\bquint[oi]\b", "五分之|分之五"),
        "tenth": (r"\b(?:one|a)[- ]tenth\b", r"zehntel", r"\bdecim[oi]\b", "十分之|一成"),
    },
    "month": {
        "January": (r"(?-i:\bJanuary\b)", r"\bjanuar\b|\bjänner\b", r"\bgennaio\b", "(?<![十0-9])(?:一|0?1)月"),
        "February": (r"(?-i:\bFebruary\b)", r"\bfebruar\b", r"\bfebbraio\b", "(?<![十0-9])(?:二|0?2)月"),
        "March": (r"(?-i:(?<=[a-z] )March\b)", r"\bmärz\b", r"\bmarzo\b", "(?<![0-9])(?:三|0?3)月"),
        "April": (r"(?-i:\bApril\b)", r"\bapril\b", r"\baprile\b", "(?<![0-9])(?:四|0?4)月"),
        "May": (r"(?-i:(?<=[a-z] )May\b)", r"\bmai\b", r"\bmaggio\b", "(?<![0-9])(?:五|0?5)月"),
        "June": (r"(?-i:\bJune\b)", r"\bjuni\b", r"\bgiugno\b", "(?<![0-9])(?:六|0?6)月"),
        "July": (r"(?-i:\bJuly\b)", r"\bjuli\b", r"\bluglio\b", "(?<![0-9])(?:七|0?7)月"),
        "August": (r"(?-i:\bAugust\b)", r"\baugust\b", r"\bagosto\b", "(?<![0-9])(?:八|0?8)月"),
        "September": (r"(?-i:\bSeptember\b)", r"\bseptember\b", r"\bsettembre\b", "(?<![0-9])(?:九|0?9)月"),
        "October": (r"(?-i:\bOctober\b)", r"\boktober\b", r"\bottobre\b", "(?:十|10)月"),
        "November": (r"(?-i:\bNovember\b)", r"\bnovember\b", r"\bnovembre\b", "(?:十一|11)月"),
        "December": (r"(?-i:\bDecember\b)", r"\bdezember\b", r"\bdicembre\b", "(?:十二|12)月"),
    },
    "weekday": {
        "Monday": (r"\bmonday", r"\bmontag", r"\blunedì", "(?:周|星期|礼拜)一"),
        "Tuesday": (r"\btuesday", r"\bdienstag", r"\bmartedì", "(?:周|星期|礼拜)二"),
        "Wednesday": (r"\bwednesday", r"\bmittwoch", r"\bmercoledì", "(?:周|星期|礼拜)三"),
        "Thursday": (r"\bthursday", r"\bdonnerstag", r"\bgiovedì", "(?:周|星期|礼拜)四"),
        "Friday": (r"\bfriday", r"\bfreitag", r"\bvenerdì", "(?:周|星期|礼拜)五"),
        "Saturday": (r"\bsaturday", r"\bsamstag|\bsonnabend", r"\bsabato", "(?:周|星期|礼拜)六"),
        "Sunday": (r"\bsunday", r"\bsonntag", r"\bdomenic", "(?:周|星期|礼拜)[日天]"),
    },
    "direction": {
        "north": (r"\bnorth", r"\bnord|nördlich", r"\bnord\b|settentrional", "北"),
        "south": (r"\bsouth", r"\bsüd", r"\bsud\b|meridional", "南"),
        "east": (r"\beast(?:ern)?\b", r"\bost(?:en)?\b|östlich", r"\best\b|oriental", "东"),
        "west": (r"\bwest(?:ern)?\b", r"\bwest(?:en)?\b|westlich", r"\bovest\b|occidental", "西(?!班牙|红柿)"),
        "left": (r"\b(?:on|to) (?:the|your) left\b|left[- ]?(?:hand|side)", r"\blinks\b|\blinke", r"sinistr", "左"),
        "right": (
            r"\b(?:on|to) (?:the|your) right\b|right[- ]?(?:hand|side)",
            r"\brechts\b|\brechte[nrs]? (?:seite|hand|spalte|bild)",
            r"\bdestr[ao]",
            "右",
        ),
    },
    "comparison": {
        "faster": (r"\bfaster\b", r"\bschneller", r"più (?:veloc|rapid)", "更快|快"),
        "slower": (r"\bslower\b", r"\blangsamer", r"più lent", "更慢|慢"),
        "cheaper": (r"\bcheaper\b", r"\b(?:billiger|günstiger|preiswerter)", r"più (?:economic|convenient)", "更便宜"),
        "dearer": (r"\bmore expensive\b|\bcostlier\b", r"\bteurer", r"più (?:car[oaie]|costos)", "更贵|更昂贵"),
        "longer": (r"\blonger\b", r"\blänger", r"più lung|a lungo", "更长|长|不再"),
        "shorter": (r"\bshorter\b", r"\bkürzer", r"più (?:brev|cort)", "更短|短"),
        "older": (r"\bolder\b", r"\bälter", r"più (?:vecchi|anzian)", "更老|更旧|年长"),
        "younger": (r"\byounger\b|\bnewer\b", r"\bjünger|\bneuer", r"più (?:giovan|nuov|recent)", "更年轻|更新"),
        "louder": (r"\blouder\b", r"\blauter\b", r"più forte", "更响|更大声"),
        "quieter": (r"\bquieter\b", r"\bleiser\b", r"più (?:silenzios|piano)", "更安静|更轻|更小声"),
        "heavier": (r"\bheavier\b", r"\bschwerer\b", r"più pesant", "更重"),
        "lighter": (r"\blighter\b", r"\bleichter\b", r"più legger", "更轻"),
    },
    "change": {
        "more": (
            r"\bincreas(?:e|es|ed|ing)\b|\b(?:rises|rose|risen|grew)\b",
            r"erhöh|zunahme|\bzunimmt|\bnimmt .{0,40}\bzu\b|steig|vergrößer|wächst|gestiegen|zugenommen",
            r"aument|cresc|increment",
            "增加|增长|提高|提升|上升|增大|升高",
        ),
        "less": (
            r"\bdecreas(?:e|es|ed|ing)\b|\breduc(?:e|es|ed|ing|tion)\b|\bdeclin(?:e|es|ed|ing)\b",
            r"verring|reduzier|abnahme|\babnimmt|\bnimmt .{0,40}\bab\b|sink|senk|verminder|gesunken"
            r"|abgenommen|reduktion|kürz",
            r"diminu|ridu[crz]|\bcal[aio]|decresc|abbass",
            "减少|降低|下降|减小|缩",
        ),
    },
    "factor": {
        "twice": (
            r"\btwice\b|\bdoubl|\btwo times\b|\btwofold\b",
            r"doppelt|zweimal|verdoppel|zweifach",
            r"doppi|due volte|raddoppi",
            "两倍|二倍|一倍|加倍|翻倍|翻番|两次|两遍|双",
        ),
        "half": (r"\bhalf\b|\bhalv", r"hälfte|halb", r"metà|mezz|dimezz", "半"),
        "three times": (
            r"\bthree times\b|\btripl|\bthrice\b|\bthreefold\b",
            r"dreifach|dreimal|verdreifach",
            r"\btripl|tre volte",
            "三倍|两倍|三次|三遍",
        ),
    },
    "quantity": {
        "all": (
            r"^\W*(?:all|every|each)\b",
            r"^\W*(?:all|jede|sämtlich)",
            r"^\W*(?:tutt|ogn)",
            "^\\W*(?:所有|全部|每|一切)",
        ),
        "none": (
            r"^\W*(?:none|no|nobody|nothing)\b",
            r"^\W*(?:kein|niemand|nichts)",
            r"^\W*(?:nessun|niente|nulla)",
            "^\\W*(?:没有|无人|毫无)",
        ),
        "some": (
            r"^\W*(?:some|few|several)\b",
            r"^\W*(?:einige|manche|mehrere|wenige)",
            r"^\W*(?:alcun|poch|divers|qualch)",
            "^\\W*(?:一些|有些|少数|几)",
        ),
    },
    "yes or no": {
        "yes": (r"^\W*yes\b", r"^\W*ja\b", r"^\W*sì\b", r"^\W*(?:是|对|有[，。]|会[，。]|能[，。]|可以)"),
        "no": (r"^\W*no\b[,.!;]", r"^\W*nein\b", r"^\W*no\b[,.!;]", "^\\W*(?:不|没|否|无)"),
    },
}
_OPPOSITES = ("comparison", "change", "quantity", "factor")  # a negation turns them round
NEGATIONS = {
    "en": re.compile(
        r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|hardly|unless|fails?|lacks?)\b|n['’]t\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"nicht|\bkein|\bnie(?:mals|mand)?\b|\bohne\b|\bweder\b|\bkaum\b|\bun(?!d\b|s\b|ser|ter|gef)\w|\bnein\b",
        re.IGNORECASE,
    ),
    "it": re.compile(
        r"\b(?:non|no|mai|nessun\w*|niente|nulla|né|neanche|nemmeno|neppure|senza|manca\w*)\b", re.IGNORECASE
    ),
    "zh": re.compile("[不没無无未非莫勿别否]|缺乏|缺少"),
}


@reads_shortened
def fact_faults(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield the facts of an English line that its translation states otherwise.

    >>> list(fact_faults("Er nimmt zehn Minuten auf.", "It records for ten seconds.", "de"))
    [('fact-changed', "unit: second in the source, minute here: 'Er nimmt zehn Minuten auf.'")]
    """
    language = primary(language)
    if language not in LANGUAGES:
        return
    here, there = unicodedata.normalize("NFKC", line), unicodedata.normalize("NFKC", original)
    negated = bool(NEGATIONS["en"].search(there) or NEGATIONS[language].search(here))
    for kind in _FACTS:
        if negated and kind in _OPPOSITES:
            continue
        source, target = _facts(kind, there, "en"), _facts(kind, here, language)
        if kind == "unit" and same_length(here, there, language):
            continue
        if source - target and target - source:
            missing, new = sorted(source - target)[0], sorted(target - source)[0]
            yield "fact-changed", f"{kind}: {missing} in the source, {new} here: {line[:60]!r}"
    if wrong := clock_fault(here, there, language):
        yield "fact-changed", f"time of the clock: {wrong}: {line[:60]!r}"
    yield from _denial(here, there, language)
    yield from _percent(line, here, there, language)
    if (
        (wrong := _decimals(here, there, language))
        or (wrong := _scaled(here, there, language))
        or (wrong := _magnitude(here, there, language))
    ):
        yield "numbers-differ", wrong


_LENGTHS = (
    ("minute", "second", 60),
    ("hour", "minute", 60),
    ("day", "hour", 24),
    ("week", "day", 7),
    ("year", "month", 12),
    ("decade", "year", 10),
)
_HALF = re.compile(r"\bhalf\b|halb|\bmezz|半", re.IGNORECASE)


@reads_shortened
def same_length(here: str, there: str, language: str) -> bool:
    """Return whether a line states the length of time of its English source in another unit: seven days, a week.

    >>> same_length("Es dauert sieben Tage.", "It takes a week.", "de")
    True
    >>> same_length("Es dauert zwei Tage.", "It takes two weeks.", "de")
    False
    """
    if (language := primary(language)) not in LANGUAGES:
        return False
    source, target = _facts("unit", there, "en"), _facts("unit", here, language)
    for long, short, factor in _LENGTHS:
        if ({long}, {short}) == (source - target, target - source):
            amounts, counted, counts = numbers_in(here, language), there, numbers_in(there, "en")
        elif ({short}, {long}) == (source - target, target - source):
            amounts, counted, counts = numbers_in(there, "en"), here, numbers_in(here, language)
        else:
            continue
        half = _HALF.search(counted) is not None
        return bool(amounts & {count * factor // (2 if half else 1) for count in counts or {1}})
    return False


def _facts(kind: str, text: str, language: str) -> set[str]:
    return {fact for fact, pattern in _patterns(kind, language).items() if pattern.search(text)}


@cache
def _patterns(kind: str, language: str) -> Mapping[str, re.Pattern[str]]:
    return {fact: re.compile(words[LANGUAGES.index(language)], re.IGNORECASE) for fact, words in _FACTS[kind].items()}


# Words of a source that deny something, and what in a translation may stand for them
_DENIES = re.compile(
    r"\b(?:not(?! (?:least|only))|never|none|nobody|nothing|neither|nor)\b|n['’]t\b|\bno (?!matter|longer|doubt)",
    re.IGNORECASE,
)
# Denials that a translation may turn round: `nobody but` (only), `can't wait`, `nothing changed` (as before)
_TURNED = re.compile(
    r"\b(?:nobody|nothing|none|no one) (?:but|except)\b|\bcan(?:['’]t|not) wait\b"
    r"|(?:\bnothing|\bnot|n['’]t) (?:\w+ )?chang(?:e[ds]?|ing)\b|\bsecond to none\b"
    r"|\bwhy (?:don['’]t|not)\b|(?:\bnot|n['’]t) (?:\w+ )?(?:bad|hard|difficult|uncommon|unusual|unlike)\b",
    re.IGNORECASE,
)
_DENIED = {
    "de": r"nicht|\bkein|\bnie|\bohne\b|weder|kaum|\bun(?!d\b|s\b|ser|ter|gef)\w|nein|statt|außer|fehl"
    r"|mangel|anders|unabhängig|wenig|schwer|sonst|leider|verzicht"
    r"|vermeid|schlecht|verborgen|verweiger|abgelehn|hinaus|übersehen|nirgend|[a-zäöü]{3}los\b"
    r"|scheiter|egal|trotz|erst\b|verhinder|dennoch",
    "it": r"\bnon\b|\bno\b|\bmai\b|nessun|niente|nulla|\bné\b|neanche|nemmeno|neppure|senza|manca"
    r"|\bim[bmp]\w|\bin(?!\b|vi|form|segn|ter|tr|dic|fatti|contr|cl|iz)\w"
    r"|\bs(?:cor|con|for|gra|va)\w|invece|piuttosto|oltre|poc[oah]|diffic|\brar|anzi\b|tranne|\bdis|evit",
    "zh": "[不没無无未非莫勿别否差弱]|缺|而是|除|难|少|存在|避免|防",
}
_ONLY = {"de": r"\bnur\b|lediglich|\baber|sondern", "it": r"\bsol[oi]|\bma\b|bensì", "zh": "仅|只|但"}
# In a source: what a translation may express by a negation
_NEARLY_DENIES = re.compile(
    r"\b(?:not?|never|none|nobody|nothing|neither|nor|without|cannot|hardly|unless|fail\w*|lack\w*"
    r"|only|but|instead|rather"
    r"|different\w*|other\w*|otherwise|except|few\w*|little|un\w+|in\w+|im\w+|dis\w+|non\w*|ir\w+"
    r"|il\w+|miss\w*|avoid\w*|prevent\w*|hard\w*"
    r"|difficult\w*|challeng\w*|limit\w*|beyond|despite|regardless|against|zero|absence|away|still"
    r"|yet|before|until|if|whether|might"
    r"|independent\w*|ignor\w*|exclu\w*|stop\w*|less|least|rare\w*|seldom|barely|free\w*|any\w*"
    r"|mis\w+|all|too|than|out|poor\w*|bad\w*"
    r"|wrong|remain\w*|contrast|while|however|although|sorry|mere\w*|just|exceed\w*|solely|or|mixed"
    r"|gone|vanish\w*|disappear\w*|extinct|dead|died|empty|ceas\w*|over|former\w*|closed?"
    r"|forward|right|far|drop\w*|lose\w*|lost"
    r"|wait|mind|matter|good|well|problem\w*|doubt\w*|resist\w*|refus\w*|reject\w*|den(?:y|ie)\w*|\w+less)\b"
    r"|n['’]t\b|-free|-less",
    re.IGNORECASE,
)
_ADDED = {
    "de": re.compile(
        r"\bnicht(?! (?:wahr|selten|unbedingt|weniger|zuletzt|wenig\w*|ohne|un\w+)\b)\b|\bkein(?!e Seltenheit)"
        r"|\bniemals\b|\bniemand",
        re.IGNORECASE,
    ),
    "it": re.compile(r"\bnon(?! (?:vedi|di rado|solo|poc\w+|meno|in\w+)\b)\b|\bnessun|\bmai\b", re.IGNORECASE),
    "zh": re.compile("不(?![同仅只断过管论少免禁停安到堪])|没有|并非|无法|从未"),
}
MAX_WORDS = 20  # of a source whose negation is looked at: in longer ones it may be said by other means


def _denial(here: str, there: str, language: str) -> Iterator[Fault]:
    """Yield whether a short sentence lost its negation or has one that the source hasn't."""
    if len(there.split()) > MAX_WORDS or language not in _DENIED:
        return
    may = (
        _DENIED[language] if re.search(r"\b(?:only|just|mere|but)", there) else f"{_DENIED[language]}|{_ONLY[language]}"
    )
    if _DENIES.search(there) and not _TURNED.search(there) and not re.search(may, here, re.IGNORECASE):
        yield "negation-changed", f"the source denies something, this doesn't: {here[:60]!r}"
    elif (added := _ADDED[language].search(here)) and not _NEARLY_DENIES.search(there):
        yield "negation-changed", f"{added[0]!r} denies something, the source doesn't: {here[:60]!r}"


_PERCENT = {
    "en": r"percent|per ?cent|%|pct|out of (?:100|a hundred)",
    "de": r"prozent|%|von (?:100|hundert)",
    "it": r"per ?cento|percentual|%|su (?:100|cento)",
    "zh": "百分|%|成|个百分点",
}
_PERMILLE = re.compile(r"per mille|promille|‰|千分", re.IGNORECASE)


def _percent(line: str, here: str, there: str, language: str) -> Iterator[Fault]:
    """Yield whether a number of percent became a plain number, or the other way round, or one of thousandths."""
    source, target = (
        bool(re.search(_PERCENT[each], text, re.IGNORECASE)) for each, text in (("en", there), (language, here))
    )
    if bool(_PERMILLE.search(here)) and not _PERMILLE.search(there):
        yield "fact-changed", f"thousandths, not so in the source: {line[:60]!r}"
    if source == target:
        return
    numbers = re.findall(r"\d+(?:[.,]\d+)?(?=\s*(?:%|percent|per ?cent|Prozent|per ?cento))", there if source else here)
    values = numbers_in(" ".join(numbers), "en" if source else language)
    if values & numbers_in(here if source else there, language if source else "en"):
        yield "fact-changed", f"{'no percentage, ' if source else 'a percentage, not '}as in the source: {line[:60]!r}"


_NUMBER = re.compile(r"(?<![A-Za-z0-9.,])\d+(?:[.,]\d+)*(?![A-Za-z0-9]|[.,]\d)")


def _decimals(here: str, there: str, language: str) -> str:
    """Return how a decimal number has its mark at another digit, or none; empty if it hasn't."""
    point, other = (",", ".") if language in ("de", "it") else (".", ",")
    target: set[tuple[str, int]] = set()
    for each in _NUMBER.findall(here):
        target |= _read(each, point, other)
        if language in ("de", "it") and re.fullmatch(r"\d+\.\d{1,2}|\d+\.\d{4,}", each):
            target |= _read(each, ".", ",")  # written as in English
    digits = {value for value, _ in target}
    for each in _NUMBER.findall(there):
        for value, places in _read(each, ".", ","):
            if value in digits and (value, places) not in target and len(value) > 1:
                return f"{each} in the source, its digits have the mark at another place here: {here[:60]!r}"
    return ""


def _read(text: str, point: str, group: str) -> set[tuple[str, int]]:
    """Return the digits of a number without leading zeros, and how many of them are decimals."""
    bare = text.replace(group, "")
    if bare.count(point) > 1:
        return set()
    integer, _, rest = bare.partition(point)
    return {((integer + rest).lstrip("0"), len(rest))}


_SCALE = {
    "en": {"million": 10**6, "billion": 10**9, "trillion": 10**12},
    "de": {"million": 10**6, "mio": 10**6, "milliarde": 10**9, "mrd": 10**9, "billion": 10**12},
    "it": {"milion": 10**6, "miliard": 10**9, "bilion": 10**12, "mila miliardi": 10**12},
}
_SCALED = re.compile(
    r"(\d+(?:[.,]\d+)?)[ -](mila miliardi|million|milion|mio|milliarde|miliard|mrd|billion|bilion|trillion)",
    re.IGNORECASE,
)
_SCALED_ZH = re.compile(r"(\d+(?:\.\d+)?)\s*([十百千]?[万亿])")
_ZH = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8}


def _scaled(here: str, there: str, language: str) -> str:
    """Return how a number of millions or more is another one; empty if it isn't."""
    source, target = _scaled_in(there, "en"), _scaled_in(here, language)
    if len(source) == len(target) == 1 and source != target:
        a, b = source.pop(), target.pop()
        if abs(a - b) > 0.06 * max(a, b):
            return f"{a:,.0f} in the source, {b:,.0f} here: {here[:60]!r}"
    return ""


def _magnitude(here: str, there: str, language: str) -> str:
    """Return how a great number has another number of zeros; empty if it hasn't.

    >>> _magnitude("2.5万页", "two hundred and fifty thousand pages", "zh")
    '250,000 in the source, 25,000 here'
    """
    source = {float(number) for number in numbers_in(there, "en")} | _scaled_in(there, "en")
    target = {float(number) for number in numbers_in(here, language)} | _scaled_in(here, language)
    if _HALF.search(here) or _HALF.search(there):
        return ""
    for value in sorted(source):
        if value < MIN_GREAT or any(abs(value - each) <= 0.06 * value for each in target):
            continue
        for each in sorted(target - source):
            zeros = math.log10(each / value) if each >= MIN_GREAT else 0.0
            if 1 <= round(abs(zeros)) <= 3 and abs(zeros - round(zeros)) < 1e-6:
                return f"{value:,.0f} in the source, {each:,.0f} here"
    return ""


MIN_GREAT = 1_000  # from which a number has zeros that may be lost


def _scaled_in(text: str, language: str) -> set[float]:
    if language == "zh":
        words = {float(chinese_number(each)) for each in CHINESE_NUMBER.findall(text) if re.search("[万亿]", each)}
        read = {
            float(number[:MAX_DIGITS]) * (_ZH[scale[0]] * _ZH[scale[-1]] if len(scale) > 1 else _ZH[scale])
            for number, scale in _SCALED_ZH.findall(text)
        }
        return read | {value for value in words if value >= 10**5}
    point = "." if language == "en" else ","
    return {
        float(number[:MAX_DIGITS].replace("," if point == "." else ".", "").replace(",", ".") or 0)
        * _SCALE[language].get(scale.casefold(), 1)
        for number, scale in _SCALED.findall(text)
    }
