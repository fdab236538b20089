"""Words that mean the same, so that two options in different words are known to say one thing.

The list holds words that options of such questions often use: feelings, people, places, amounts, times. It isn't a
dictionary: a judge (`options_judged`, `also_right`) finds what it doesn't have.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

# One group per line, the word that stands for all of them first.
CHINESE = """
高兴 快乐 喜悦 欢喜 开心 欣喜 愉快 欢乐 喜乐
悲伤 伤心 难过 悲哀 哀伤 悲痛 忧伤 伤感
愤怒 生气 恼怒 气愤 恼火 发怒
害怕 恐惧 畏惧 惧怕 惊恐
惊讶 惊奇 吃惊 诧异 惊诧
担心 担忧 忧虑 忧心
忘 忘记 遗忘
思念 想念 怀念 挂念
孤独 孤单 孤寂
宁静 安静 平静 寂静
美丽 漂亮 好看
聪明 聪慧 智慧
勇敢 英勇 勇猛
父亲 爸爸 爹
母亲 妈妈 娘亲
妻子 老婆
丈夫 老公
男人 男子
女人 女子
孩子 小孩 儿童
医生 大夫 医师
老师 教师
警察 警员 民警
司机 驾驶员
朋友 友人
夫妻 夫妇
同事 同僚
老人 老年人
商店 店铺
饭店 餐馆 餐厅 饭馆
机场 飞机场
家里 家中
结束 末尾 终了
立刻 马上 立即 即刻
经常 常常 时常
全部 所有 全都
许多 很多 大量
汽车 轿车 小汽车
自行车 单车 脚踏车
下雨 落雨
因为 由于
所以 因此 因而
争吵 吵架 争执 口角
帮助 帮忙 协助
告诉 告知
离开 走开 离去
回家 返家
卖 出售 售卖
中午 正午 晌午
工作 上班
买 购买
昨天 昨日
今天 今日
明天 明日
早晨 清晨 早上 晨间
晚上 夜晚 夜里
电脑 计算机
公交车 公共汽车
出租车 计程车
西红柿 番茄
土豆 马铃薯
厕所 卫生间 洗手间
照片 相片
奶奶 祖母
爷爷 祖父
疲倦 疲惫 疲劳 很累
迅速 快速 飞快
晚点 误点
丢失 遗失
生病 患病
邻居 街坊
街道 大街 马路
房子 房屋 屋子
睡觉 入睡
吃饭 用餐 进餐
走路 步行 徒步
便宜 廉价
洗澡 沐浴
散步 漫步
休息 歇息
聊天 闲聊
打电话 拨电话
有趣 有意思
困难 艰难
开始 起始 着手
"""
ENGLISH = """
happy glad joyful cheerful happiness joy
sad unhappy sorrowful sadness sorrow
angry furious mad anger
afraid scared frightened fearful
surprised astonished amazed
calm peaceful tranquil
fast quick rapid
big large
small little
begin start commence
end finish conclude
child kid
noon midday
autumn autumnal
mother mom mum mama mommy
father dad papa daddy
grandmother grandma granny
grandfather grandpa granddad
television tv telly
telephone phone
refrigerator fridge
holiday vacation
rubbish trash garbage
elevator lift
biscuit cookie
repair fix mend
lawyer attorney
everybody everyone
somebody someone
anybody anyone
nobody noone
tired weary exhausted
hungry famished
quickly rapidly swiftly
often frequently
almost nearly
perhaps maybe
aeroplane airplane plane
doctor physician
teacher schoolteacher
car automobile auto
film movie
picture image
photo photograph
sofa couch
shop store
ill sick
buy purchase
help assist
choose select
"""
# Words of labels: sounds, things that make them, scenes. Only labels are compared by these. The sounds are those of
# the class names of AudioSet, VGGSound, ESC-50 and UrbanSound8K.
LABELS = """
sea ocean
wave surf breaker
bird songbird
dog canine hound puppy doggy
cat feline kitten kitty
cow cattle
rooster cock cockerel
baby infant toddler
child kid youngster
man male
woman female
people crowd audience spectator person human
plane airplane aeroplane aircraft
helicopter chopper
motorcycle motorbike
truck lorry
bicycle bike
train locomotive
subway metro underground
boat ship
road street
forest wood
stone rock
stream brook creek
storm tempest
thunderstorm thunder
fire bonfire campfire flame
rain rainfall raindrop raining
bell chime
phone telephone
talk speak speech talking
shout yell holler
scream shriek screech
walk stroll footstep
laugh laughter giggle chuckle snigger snicker chortle cackle
cry weep sob
clap applause applaud clapping
burp belch burping eructation
fart flatulence
sneeze sneezing
hiccup hiccough
bark woof yap yip arf bowwow
meow miaow mew caterwaul
moo low
neigh whinny
baa bleat
croak ribbit
chirp tweet twitter cheep
crowing cockadoodledoo
gunshot gunfire
drum drumkit
violin fiddle
cello violoncello
timpani tympani kettledrum
saxophone sax
ukulele uke
steelpan steeldrum
doublebass contrabass uprightbass
harmonica mouthorgan
vacuumcleaner hoover
faucet watertap
knock rap
explosion detonation
sheep lamb ewe
pig hog swine
horse pony stallion mare
chicken hen
kettle teakettle
church chapel
bee honeybee
mosquito gnat
gun rifle pistol
guitar acousticguitar
typing keyboarding
siren
"""
# Several words that are one
_PHRASES = (
    (r"bow[- ]?wow", "bowwow"),
    (r"cock[- ]a[- ]doodle[- ]doo", "cockadoodledoo"),
    (r"belly laugh(?:ing|ter|s)?", "laugh"),
    (
        r"(?:car|vehicle|automobile|auto)(?:'s)? "
        r"(?:horns?(?: (?:honk|blow|beep|sound)(?:s|ing)?)?|(?:honk|beep)(?:s|ing)?)",
        "carhorn",
    ),
    (r"(?:honk|beep|toot)ing (?:of )?(?:a |the )?(?:cars?|vehicles?|automobiles?)(?: horns?)?", "carhorn"),
    (r"(?:police|ambulance|emergency vehicle) sirens?", "siren"),
    (r"(?:telephone|phone) (?:bells?|ring(?:s|ing)?|ringtones?)", "ringtone"),
    (r"rain ?drops?(?: falling)?", "rain"),
    (r"washing machines?|laundry machines?", "washingmachine"),
    (r"(?:hair|blow) ?dryers?", "hairdryer"),
    (r"alarm clocks?", "alarmclock"),
    (r"(?:motor|engine) ?boats?|speed ?boats?", "motorboat"),
    (r"gun ?shots?|gun ?fire", "gunshot"),
    (r"steel drums?", "steeldrum"),
    (r"double bass(?:es)?", "doublebass"),
    (r"upright bass(?:es)?", "uprightbass"),
    (r"mouth organ", "mouthorgan"),
    (r"drum (?:kit|set)s?", "drumkit"),
    (r"door ?bells?", "doorbell"),
    (r"chain ?saw", "chainsaw"),
    (r"lawn ?mow(?:ing|ers?)", "lawnmower"),
    (r"vacuum(?:ing| cleaners?(?: cleaning floors)?)", "vacuumcleaner"),
    (r"water taps?|tap water", "watertap"),
    (r"tick[- ]?tock", "tick"),
    (r"(?:typing on (?:a )?(?:computer )?keyboard|(?:computer )?keyboard typing)", "keyboardtyping"),
    (r"foot steps?", "footstep"),
)
_ONE_PHRASE = tuple((re.compile(rf"\b{pattern}\b"), word) for pattern, word in _PHRASES)
# Sounds that only one thing makes, unless another one is named: `barking` is a dog's, `a fox barking` isn't
_MAKERS = """
people: clap laugh cough sneeze snore hiccup burp fart whisper
dog: bark
cat: meow purr
cow: moo
horse: neigh
pig: oink
duck: quack
frog: croak
owl: hoot
turkey: gobble
rooster: crowing
chicken: crowing
fire: crackle
wind: blow
bell: ring toll
clock: tick
"""
# Kinds of things and sounds: a label that names only the kind is right for it as well
KINDS = """
animal: pet farmanimal wildanimal bird fish insect frog toad snake whale dolphin sheep wolf fox lion tiger bear
animal: elephant monkey ape bat mouse rat seal turtle deer elk chipmunk squirrel coyote cheetah alligator
animal: growl roar howl
pet: dog cat hamster rabbit parrot
farmanimal: cow horse pig sheep goat chicken rooster turkey duck goose donkey
bird: chicken rooster turkey duck goose owl crow pigeon dove eagle gull seagull parrot canary woodpecker swallow sparrow
bird: penguin peacock cuckoo magpie pheasant mynah nightingale blackbird robin chirp
insect: bee mosquito fly cricket cicada wasp grasshopper
vehicle: car truck bus motorcycle bicycle train tram subway plane helicopter boat ambulance van scooter skateboard
vehicle: tractor
vehicle: racecar policecar firetruck taxi snowmobile
aircraft: plane helicopter jet drone
person: male female child baby people
people: male female child baby talk laugh cry whisper clap cough sneez snor
weather: rain thunderstorm storm wind hail snow thunder blizzard
water: rain stream river waterfall sea rapids splash drip
alarm: siren smokedetector buzzer carhorn
siren: ambulance policecar firetruck
tool: hammer saw drill chainsaw lawnmower sander screwdriver
instrument: stringinstrument windinstrument keyboardinstrument percussion
music: instrument stringinstrument windinstrument brass woodwind keyboardinstrument percussion orchestra choir sing
stringinstrument: violin viola cello doublebass guitar harp banjo mandolin ukulele sitar lute zither erhu guzheng
windinstrument: brass woodwind harmonica bagpipe didgeridoo shofar accordion
brass: trumpet trombone tuba horn cornet bugle euphonium
woodwind: flute oboe clarinet bassoon saxophone piccolo recorder
keyboardinstrument: piano organ harpsichord synthesizer accordion keyboard
percussion: drum timpani cymbal xylophone marimba vibraphone glockenspiel tambourine maraca gong bongo tabla steelpan
"""
_KIND_NAMES = (
    (r"(?:domestic(?:ated)? animals?|pets?)", "pet"),
    (r"(?:farm animals?|livestock)", "farmanimal"),
    (r"(?:wild animals?|wildlife)", "wildanimal"),
    (r"(?:string(?:ed)?|bowed) instruments?|strings", "stringinstrument"),
    (r"wind instruments?", "windinstrument"),
    (r"brass(?: instruments?)?", "brass"),
    (r"woodwinds?(?: instruments?)?", "woodwind"),
    (r"keyboard instruments?", "keyboardinstrument"),
    (r"percussion(?: instruments?)?", "percussion"),
    (r"musical instruments?", "instrument"),
    (r"(?:race|racing) cars?", "racecar"),
    (r"police cars?", "policecar"),
    (r"fire (?:trucks?|engines?)", "firetruck"),
    (r"smoke (?:detectors?|alarms?)", "smokedetector"),
    (r"(?:natural )?weather", "weather"),
)
_ONE_KIND = tuple((re.compile(rf"\b{pattern}\b"), word) for pattern, word in _KIND_NAMES)
# British spellings and the American ones that stand for them
_SPELLINGS = """
colour/color grey/gray centre/center theatre/theater plough/plow ploughing/plowing tyre/tire tyres/tires
harbour/harbor neighbour/neighbor rumour/rumor humour/humor labour/labor armour/armor vapour/vapor
organise/organize organising/organizing whisky/whiskey pyjamas/pajamas storey/story kerb/curb cheque/check
moustache/mustache sceptic/skeptic travelling/traveling travelled/traveled signalling/signaling
favourite/favorite fibre/fiber metre/meter litre/liter catalogue/catalog dialogue/dialog draught/draft
jewellery/jewelry aluminium/aluminum mould/mold axe/ax yoghurt/yogurt doughnut/donut programme/program
practising/practicing tumour/tumor odour/odor splendour/splendor
"""
_AMERICAN = dict(pair.split("/") for pair in _SPELLINGS.split())
_BY_ITSELF = frozenset(("fire", "wind", "bell"))  # things that are named without what they do
_NO_MEANING = frozenset(("sound", "nois"))  # stems
_LINKS = frozenset(("of", "at", "in", "on", "by", "near", "from"))
_EMPTY = frozenset(("a", "an", "the", "some", "somebody", "someone", "is", "are", "being", "very"))
_SEVERAL = re.compile(r"[^\w\s'’().-]|\b(?:and|then|or|to|left|right)\b|\d")


def label_meaning(label: str) -> str:
    """Return a label in words that are the same for synonyms, plurals, forms of verbs, the maker of a sound that only
    it makes, and for `waves at the sea` and `sea waves`.

    >>> label_meaning("waves at the sea") == label_meaning("Ocean wave"), label_meaning("a storm of birds")
    (True, 'bird storm')
    >>> label_meaning("people clapping") == label_meaning("audience applause"), label_meaning("a fox barking")
    (True, 'bark fox')
    """
    plain = unicodedata.normalize("NFKC", label).casefold().replace("_", " ")
    parts = {_meaning(part) for part in plain.split(",") if part.strip()}
    return parts.pop() if len(parts) == 1 else _meaning(plain)


def overlapping(a: str, b: str) -> bool:
    """Return whether one of two labels is right for what the other one names: they differ only in spelling, or
    one is more general.

    >>> overlapping("an animal", "a barking dog"), overlapping("lawn-mower", "lawnmowers")
    (True, True)
    >>> overlapping("a dog barking", "a cat"), overlapping("violin", "violin and flute")
    (False, False)
    """
    one, other = _senses(a), _senses(b)
    if any(x.joined == y.joined or _misspelt(x.words, y.words) for x in one for y in other):
        return True
    return any(x.general <= y.all or y.general <= x.all for x in one for y in other if x.general and y.general)


@dataclass(frozen=True)
class _Sense:
    """A label, or one of its parts between commas: its words, the same in one, its meaning, and that with its kinds."""

    words: tuple[str, ...]
    joined: str
    general: frozenset[str]
    all: frozenset[str]


@lru_cache(maxsize=65_536)
def _senses(label: str) -> tuple[_Sense, ...]:
    plain = unicodedata.normalize("NFKC", label).casefold().replace("_", " ").replace("-", " ")
    several = any(_SEVERAL.search(part) for part in plain.split(","))
    made = []
    for part in [plain] if several else plain.split(","):
        bare = " ".join(_AMERICAN.get(word, word) for word in re.findall(r"[^\W_]+", part))
        words = tuple(word for word in bare.split() if word not in _EMPTY)
        if not words:
            continue
        for pattern, word in _ONE_KIND:
            bare = pattern.sub(word, bare)
        general = frozenset() if several else frozenset(_meaning(bare).split()) - _LINKS
        made.append(_Sense(words, "".join(map(_stem, words)), general, _with_kinds(general)))
    return tuple(made)


def _misspelt(a: Sequence[str], b: Sequence[str]) -> bool:
    """Return whether labels differ in one letter of one long word, or in two letters that changed places."""
    if len(a) != len(b):
        return False
    apart = [(x, y) for x, y in zip(a, b, strict=True) if x != y]
    if len(apart) != 1:
        return False
    ((x, y),) = apart
    return (
        min(len(x), len(y)) >= MIN_MISSPELT and x[0] == y[0] and x.isalpha() and y.isalpha() and OSA.distance(x, y) == 1
    )


MIN_MISSPELT = 6  # letters of a word that may be misspelt: shorter words differ in one letter for real


def _with_kinds(words: frozenset[str]) -> frozenset[str]:
    """Return words with everything that they are a kind of, and the makers of sounds."""
    made, left = set(words), list(words)
    while left:
        for kind in _kinds().get(left.pop(), ()):
            if kind not in made:
                made.add(kind)
                left.append(kind)
    return frozenset(made)


@lru_cache(maxsize=1)
def _kinds() -> dict[str, frozenset[str]]:
    kinds: dict[str, set[str]] = {}
    for line in KINDS.strip().splitlines():
        kind, members = line.split(": ")
        for member in members.split():
            kinds.setdefault(_label(member), set()).add(_label(kind))
    for maker, sounds in _makers().items():
        for sound in sounds:
            kinds.setdefault(sound, set()).add(maker)
    return {name: frozenset(each) for name, each in kinds.items()}


def _meaning(plain: str) -> str:
    for pattern, word in _ONE_PHRASE:
        plain = pattern.sub(word, plain)
    text = with_one_word_each(plain)
    words = [_labels().get(_stem(word), _stem(word)) for word in re.findall(r"[-+−]?\d+|[^\W_]+#?", text)]
    words = [word for word in words if word not in _EMPTY]
    if _SEVERAL.search(plain):
        return " ".join(words)
    if sum(word in _LINKS for word in words) == 1:
        at = next(number for number, word in enumerate(words) if word in _LINKS)
        if 0 < at < len(words) - 1:
            words = words[at + 1 :] + words[:at]
    if len(words) > 1:
        words = [word for word in words if word not in _NO_MEANING] or words
    if "bell" in words:
        words = [word for word in words if word not in ("ring", "toll")]
    if len(words) > 1 and re.match(r"(?:someone |people )?playing\b", plain):
        words = words[words.index(_stem("playing")) + 1 :] or words
    return " ".join(sorted(_without_maker(words)) if len(words) == 2 else words)


def _without_maker(words: list[str]) -> list[str]:
    """Return the sound alone if one of two words is its maker; a thing alone if it is known without its sound."""
    for maker, sound in (words, words[::-1]):
        if sound in _makers().get(maker, ()):
            return [maker] if maker in _BY_ITSELF else [sound]
    return words


@lru_cache(maxsize=1)
def _makers() -> dict[str, frozenset[str]]:
    lines = (line.split(": ") for line in _MAKERS.strip().splitlines())
    return {_label(maker): frozenset(map(_label, sounds.split())) for maker, sounds in lines}


def _label(word: str) -> str:
    return _labels().get(_stem(word), _stem(word))


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    """Return a word without the endings of plurals and of `-ing`: `sneezes`, `sneezing` and `sneeze` are one."""
    word = _singular(word)
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


@lru_cache(maxsize=1)
def _labels() -> dict[str, str]:
    return {_stem(word): group[0] for group in map(str.split, LABELS.strip().splitlines()) for word in group}


@lru_cache(maxsize=1)
def _chinese() -> tuple[re.Pattern[str], dict[str, str]]:
    first = {word: group[0] for group in map(str.split, CHINESE.strip().splitlines()) for word in group}
    longest = sorted(first, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))), first


@lru_cache(maxsize=1)
def _english() -> dict[str, str]:
    return {word: group[0] for group in map(str.split, ENGLISH.strip().splitlines()) for word in group}


def with_one_word_each(text: str) -> str:
    """Return a text, simplified and in lower case, with each word of the list replaced by the first of its group.

    >>> with_one_word_each("他很快乐") == with_one_word_each("他很开心"), with_one_word_each("a large car")
    (True, 'a big car')
    """
    pattern, first = _chinese()
    made = pattern.sub(lambda word: first[word[0]], text)
    return re.sub(r"[a-z]+", lambda word: _english_word(word[0]), made)


def _english_word(word: str) -> str:
    """Return the word that stands for a word, also for its plural."""
    if word in _english():
        return _english()[word]
    singular = word[:-1] if word.endswith("s") else ""
    return f"{_english()[singular]}s" if singular in _english() else word
