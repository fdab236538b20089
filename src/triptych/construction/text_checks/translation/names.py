"""Names that a translation lost or exchanged: of speakers, of models and data sets, and of places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from triptych.construction.text_checks.scripts import in_latin, primary
from triptych.construction.text_checks.shortened import reads_shortened

Fault = tuple[str, str]
_NAME = r"[A-Z][\w'’-]+"
_INTRODUCED = re.compile(rf"\b(?:[Mm]y name is|I am|I['’]m|[Tt]his is) ({_NAME}) ({_NAME})")
# A name in capitals, or with one inside or a digit behind: BERT, DrBERT, GPT2, WordNet
_TERM = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z0-9]*[A-Z][A-Za-z0-9]*[A-Z0-9])[A-Za-z][A-Za-z0-9]+(?![A-Za-z0-9])")
_LOCATION = re.compile(rf"(?<=[a-z,] )(?:in|at|from|near) ({_NAME})(?! ?[A-Z(\[])(?=[\s.,;:!?]|$)")
_LATIN = re.compile(r"[A-Z][A-Za-z\u00c0-\u024f'’-]{2,}")
# Abbreviations that other languages have of their own, or write out
_TRANSLATED = frozenset(
    [
        "ai",
        "ki",
        "ia",
        "phd",
        "tv",
        "us",
        "usa",
        "uk",
        "eu",
        "un",
        "qr",
        "nlp",
        "llm",
        "llms",
        "mt",
        "asr",
        "qa",
        "ml",
        "dna",
        "rna",
        "hiv",
        "cv",
        "it",
        "pc",
        "pcs",
        "ceo",
        "faq",
        "gpu",
        "cpu",
        "nato",
        "who",
        "un",
        "sql",
        "iq",
        "id",
        "ids",
        "ok",
        "hr",
        "pr",
        "rl",
        "gdp",
        "vat",
        "inaudible",
        "unintelligible",
    ]
)
# Places and languages whose names differ between languages, by their ends, and some by name
_EXONYM = re.compile(
    r"(?:an|ans|ish|ese|ian|ic|ch|any|ia|ium|land|lands|ina|aly|ain|ance|rica|rope|key|key|zil|pt|ypt"
    r"|co|many|way|den|nce|el|oon|ork)$"
    r"|^(?:Asia|Japan|Korea|Cuba|Rome|Munich|Cologne|Vienna|Geneva|Zurich|Milan|Turin|Venice|Naples"
    r"|Prague|Warsaw|Moscow|Beijing"
    r"|Athens|Brussels|Lisbon|Nice|Copenhagen|Edinburgh|Hague|Nuremberg|London|Paris|Seoul|Tokyo|Singapore"
    r"|Iran|Iraq|Peru|Chile"
    r"|Azerbaijan|Greek|Dutch|Hindi|Urdu|Thai|Danish|Section|Table|Figure|Chapter|Wikipedia|English"
    r"|Earth|God|Internet|Web"
    r"|January|February|March|April|May|June|July|August|September|October|November|December|\w+day)$"
)


# Cities whose names differ between the languages: in English, German, Italian and Chinese
_CITIES = """
Lisbon Lissabon Lisbona 里斯本
Madrid Madrid Madrid 马德里
Rome Rom Roma 罗马
Milan Mailand Milano 米兰
Turin Turin Torino 都灵
Venice Venedig Venezia 威尼斯
Naples Neapel Napoli 那不勒斯
Florence Florenz Firenze 佛罗伦萨
Genoa Genua Genova 热那亚
Munich München Monaco 慕尼黑
Cologne Köln Colonia 科隆
Nuremberg Nürnberg Norimberga 纽伦堡
Berlin Berlin Berlino 柏林
Hamburg Hamburg Amburgo 汉堡
Frankfurt Frankfurt Francoforte 法兰克福
Dresden Dresden Dresda 德累斯顿
Leipzig Leipzig Lipsia 莱比锡
Stuttgart Stuttgart Stoccarda 斯图加特
Vienna Wien Vienna 维也纳
Salzburg Salzburg Salisburgo 萨尔茨堡
Geneva Genf Ginevra 日内瓦
Zurich Zürich Zurigo 苏黎世
Basel Basel Basilea 巴塞尔
Paris Paris Parigi 巴黎
Lyon Lyon Lione 里昂
Strasbourg Straßburg Strasburgo 斯特拉斯堡
Padua Padua Padova 帕多瓦
Leuven Löwen Lovanio 鲁汶
Liège Lüttich Liegi 列日市
Bruges Brügge Bruges 布鲁日
Aachen Aachen Aquisgrana 亚琛
Mainz Mainz Magonza 美因茨
Regensburg Regensburg Ratisbona 雷根斯堡
Trier Trier Treviri 特里尔
Bern Bern Berna 伯尔尼
Lucerne Luzern Lucerna 卢塞恩
Nanjing Nanjing Nanchino 南京
Algiers Algier Algeri 阿尔及尔
Mecca Mekka Mecca 麦加
Marseille Marseille Marsiglia 马赛
Brussels Brüssel Bruxelles 布鲁塞尔
Antwerp Antwerpen Anversa 安特卫普
Ghent Gent Gand 根特
Amsterdam Amsterdam Amsterdam 阿姆斯特丹
London London Londra 伦敦
Edinburgh Edinburgh Edimburgo 爱丁堡
Dublin Dublin Dublino 都柏林
Copenhagen Kopenhagen Copenaghen 哥本哈根
Stockholm Stockholm Stoccolma 斯德哥尔摩
Gothenburg Göteborg Göteborg 哥德堡
Oslo Oslo Oslo 奥斯陆
Helsinki Helsinki Helsinki 赫尔辛基
Warsaw Warschau Varsavia 华沙
Kraków Krakau Cracovia 克拉科夫
Krakow Krakau Cracovia 克拉科夫
Gdańsk Danzig Danzica 格但斯克
Wrocław Breslau Breslavia 弗罗茨瓦夫
Prague Prag Praga 布拉格
Budapest Budapest Budapest 布达佩斯
Bucharest Bukarest Bucarest 布加勒斯特
Belgrade Belgrad Belgrado 贝尔格莱德
Zagreb Zagreb Zagabria 萨格勒布
Ljubljana Ljubljana Lubiana 卢布尔雅那
Sofia Sofia Sofia 索非亚
Athens Athen Atene 雅典
Thessaloniki Thessaloniki Salonicco 塞萨洛尼基
Istanbul Istanbul Istanbul 伊斯坦布尔
Moscow Moskau Mosca 莫斯科
Kyiv Kiew Kiev 基辅
Kiev Kiew Kiev 基辅
Barcelona Barcelona Barcellona 巴塞罗那
Seville Sevilla Siviglia 塞维利亚
Valencia Valencia Valencia 巴伦西亚
Porto Porto Porto 波尔图
Cairo Kairo Cairo 开罗
Jerusalem Jerusalem Gerusalemme 耶路撒冷
Tehran Teheran Teheran 德黑兰
Baghdad Bagdad Baghdad 巴格达
Damascus Damaskus Damasco 大马士革
Delhi Delhi Delhi 德里
Mumbai Mumbai Mumbai 孟买
Beijing Peking Pechino 北京
Shanghai Shanghai Shanghai 上海
Tokyo Tokio Tokyo 东京
Kyoto Kyoto Kyoto 京都
Seoul Seoul Seul 首尔
Singapore Singapur Singapore 新加坡
Sydney Sydney Sydney 悉尼
Toronto Toronto Toronto 多伦多
Montreal Montreal Montreal 蒙特利尔
Boston Boston Boston 波士顿
Chicago Chicago Chicago 芝加哥
Washington Washington Washington 华盛顿
Philadelphia Philadelphia Filadelfia 费城
Nairobi Nairobi Nairobi 内罗毕
Lagos Lagos Lagos 拉各斯
Havana Havanna Avana 哈瓦那
"""
_CITY_ROWS = tuple(tuple(line.split()) for line in _CITIES.strip().splitlines())
_CITY_LANGUAGES = ("en", "de", "it", "zh")


def _cities_in(text: str, language: str) -> frozenset[str]:
    """Return the cities of a text, by their Chinese names."""
    column = _CITY_LANGUAGES.index(language)
    if language == "zh":
        bare = text.replace("罗马尼亚", "").replace("马德里", "Madrid")
        return frozenset(row[3] for row in _CITY_ROWS if row[3] in bare) | (
            {"马德里"} if bare != text and "马德里" in text else set()
        )
    words = set(re.findall(r"[^\W\d_]+", unicodedata.normalize("NFC", text)))
    return frozenset(row[3] for row in _CITY_ROWS if {row[column], row[column] + "s", row[column] + "er"} & words)


def _exchanged_city(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield whether a translation names another city than its source."""
    if language not in _CITY_LANGUAGES:
        return
    there, here = _cities_in(original, "en"), _cities_in(line, language)
    if there - here and here - there:
        names = [
            next(row[column] for row in _CITY_ROWS if row[3] == min(each))
            for each, column in ((there - here, 0), (here - there, _CITY_LANGUAGES.index(language)))
        ]
        yield "name-changed", f"{names[0]} in the source, {names[1]} here: {line[:60]!r}"


def _is_translated_city(name: str, line: str, language: str) -> bool:
    """Return whether a city of the source is in the line by its name in that language."""
    row = next((row for row in _CITY_ROWS if row[0] == name), None)
    return row is not None and (language not in _CITY_LANGUAGES or row[3] in _cities_in(line, language))


@reads_shortened
def name_faults(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield the names of an English line that its translation lost or exchanged.

    >>> list(name_faults("Unten sehen wir GPT.", "Below we see BERT.", "de"))
    [('name-changed', "BERT in the source, GPT here: 'Unten sehen wir GPT.'")]
    """
    language = primary(language)
    if language != "zh" and not in_latin(line):
        return  # names may be in other letters
    here, there = _folded(line), _folded(original)
    yield from _introduced(line, original, language)
    yield from _exchanged_city(line, original, language)
    yield from _names_lost(line, original, language)
    missing = [name for name in _TERM.findall(original) if _stem(name) not in here and _folded(name) not in _TRANSLATED]
    new = [name for name in _TERM.findall(line) if _stem(name) not in there and _folded(name) not in _TRANSLATED]
    if missing and new:
        yield "name-changed", f"{missing[0]} in the source, {new[0]} here: {line[:60]!r}"
    elif missing and len(missing[0].rstrip("s")) > 3 and not missing[0][0].islower():
        yield "name-lost", f"{missing[0]} is not in {line[:60]!r}"
    if language == "zh":
        words = [_folded(word) for word in re.findall(r"[A-Za-z\u00c0-\u024f'’-]+", original)]
        unknown = [
            n for n in _LATIN.findall(line) if not _is_among(_folded(n), words) and _folded(n) not in _TRANSLATED
        ]
        if unknown and not new:
            yield "name-changed", f"{unknown[0]} is not in the source: {line[:60]!r}"
    elif language in ("de", "it"):
        for name in _LOCATION.findall(original):
            if (
                not _EXONYM.search(name)
                and not _is_translated_city(name, line, language)
                and not _is_among(_folded(name), re.findall(r"[\w'’-]+", here))
            ):
                yield "name-lost", f"{name} is not in {line[:60]!r}"


def _names_lost(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield whether a short text, such as an answer, lost all of its names."""
    words = original.split()
    if not 1 < len(words) <= MAX_SHORT:
        return
    names = [
        name
        for word in words[1:]
        if _NAMED.match(name := word.strip(".,;:!?()\"'“”«»„"))
        and not _EXONYM.search(name)
        and not _is_translated_city(name, line, language)
    ]
    here = re.findall(r"[\w'’-]+", _folded(line)) if language != "zh" else [_folded(n) for n in _LATIN.findall(line)]
    if language == "zh" and not here:
        return  # in other characters
    if names and not any(_is_among(_folded(name), here) for name in names):
        yield "name-lost", f"{' '.join(names)} is not in {line[:60]!r}"


_NAMED = re.compile(
    r"[A-Z][a-z]{3,}$(?<!University)(?<!Department)(?<!Institute)(?<!School)(?<!Professor)(?<!College)(?<!Hospital)(?<!Models)(?<!Language)"
)
MAX_SHORT = 5  # words of a text all of whose names are looked for

_CALLED = re.compile(r"[·・]|我是|我叫|我名|名叫|名字|本人|叫做|来自|这里是|我的名|大家好，我|我，")


def _introduced(line: str, original: str, language: str) -> Iterator[Fault]:
    """Yield whether a speaker's introduction lost a part of the name; in Chinese it may be in other characters."""
    if (match := _INTRODUCED.search(original)) is None:
        return
    if language == "zh":
        if not _CALLED.search(line) and not any(_stem(part) in _folded(line) for part in match.groups()):
            yield "name-lost", f"{match[1]} {match[2]} is not in {line[:40]!r}, nor another name"
        return
    words = re.findall(r"[\w'’-]+", _folded(line))
    parts = [part for part in match.groups() if len(part) > 2]
    if missing := [part for part in parts if not _is_among(_folded(part), words)]:
        yield "name-lost", f"{' '.join(missing)} is not in {line[:40]!r}"


def _is_among(name: str, words: list[str]) -> bool:
    """Return whether a name is among words, also with an ending (`Annas`, `Anna-Maria`) or as the start of one."""
    bare = re.sub(r"['’]s$", "", name)
    return any(
        word.startswith(bare[: max(4, len(bare) - 1)])
        or bare in word
        or (len(word) > 3 and word in bare)
        or Levenshtein.normalized_similarity(bare, word) >= MIN_LIKENESS
        for word in words
    )


MIN_LIKENESS = 0.8  # of two spellings of one name


def _stem(name: str) -> str:
    folded = _folded(name)
    return folded.rstrip("s") if len(folded) > 3 else folded


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
