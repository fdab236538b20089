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

from triptych.construction.text_checks.shortened import reads_shortened

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
妻子 老婆 太太 夫人 爱人 媳妇
丈夫 老公
男人 男子
女人 女子
孩子 小孩 儿童
医生 大夫 医师
老师 教师
警察 警员 民警 公安
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
立刻 马上 立即 即刻 即将 就要 快要
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
番茄 西红柿 洋柿子
土豆 马铃薯 洋芋
红薯 地瓜 番薯 甘薯
玉米 苞米 玉蜀黍 苞谷
花生 落花生
菠萝 凤梨
酸奶 优格 酸牛奶
馄饨 抄手 云吞
冰棍 冰棒 雪糕
方便面 泡面 快餐面
炒鸡蛋 炒蛋
米饭 白饭
早饭 早餐 早点
午饭 午餐 中饭
晚饭 晚餐
卷心菜 包菜 圆白菜
香菜 芫荽
火车 列车
地铁 轨道交通 捷运
公交车 公共汽车 巴士 公车
出租车 计程车 的士
电动车 电瓶车 电动自行车
摩托车 机车
卡车 货车
飞机 客机 航班
轮船 船只 客轮
电脑 计算机
手机 移动电话
电视 电视机
冰箱 电冰箱
空调 冷气机
洗衣机 洗衣设备
照相机 相机
收音机 无线电
电话 通话
电灯 灯泡
钢笔 自来水笔
雨伞 伞
钱包 皮夹 皮夹子
行李 行囊 行装
衣服 衣裳 衣物 服装
裤子 长裤
鞋子 鞋
帽子 帽
药物 药品
医院 病院
船夫 艄公 船家
渔夫 渔翁 渔人
学校 校园 学堂
图书馆 藏书楼
电影院 影院 影城
超市 超级市场
公园 园林
厨房 灶房
卧室 卧房 睡房
客厅 起居室
厕所 洗手间 卫生间 盥洗室 茅房
办公室 写字间
宾馆 旅馆 酒店 旅店 客栈
理发店 发廊 美发店
银行 储蓄所
邮局 邮政局
派出所 警察局 公安局
工厂 厂房
教室 课堂
村庄 村子 村落
城市 都市 城镇
奶奶 祖母
爷爷 祖父
外婆 姥姥 外祖母
外公 姥爷 外祖父
哥哥 兄长
弟弟 胞弟
姐姐 家姐
儿子 犬子
女儿 闺女
丈人 岳父
丈母娘 岳母
邻居 街坊 邻里
顾客 客人 主顾
服务员 侍者 服务生
老板 店主 掌柜
员工 职员 雇员
同学 同窗
学生 学子
校长 学校领导
护士 护理人员
律师 辩护人
工人 劳工
农民 农夫 庄稼人
士兵 战士 兵士
小偷 窃贼 贼 盗贼
骗子 行骗者
婴儿 宝宝 娃娃
青年 年轻人
姑娘 女孩 女孩子 少女
小伙子 男孩 男孩子 少年
出发 动身 启程 起程 上路
到达 抵达 到
迟到 晚到 来晚
等待 等候 守候
寻找 找寻 搜寻 找
购买 买
出售 售卖 贩卖 卖
丢失 遗失 丢 弄丢
偷 偷窃 盗窃
修理 维修 修
打扫 清扫 清洁
休息 歇息
睡觉 入睡 就寝
起床 起身
吃饭 用餐 进餐
喝水 饮水
说话 讲话 交谈
聊天 闲聊 谈天
询问 打听 问
回答 答复 应答
讨论 商讨 商量 商议
同意 赞同 赞成 答应
反对 不赞成
拒绝 回绝 谢绝
邀请 约请
道歉 认错 赔礼
感谢 道谢 致谢
批评 责备 指责 责怪
表扬 称赞 夸奖 赞扬 赞美
鼓励 勉励
安慰 抚慰 宽慰
劝告 劝说 规劝
欺骗 哄骗 蒙骗
威胁 恐吓
嘲笑 讥笑 讥讽 讽刺
羡慕 艳羡
嫉妒 妒忌
后悔 懊悔 悔恨
失望 沮丧 灰心
紧张 不安 焦虑 焦急 着急
激动 兴奋
疲惫 疲倦 劳累 疲劳 很累
困惑 迷惑 疑惑 不解
骄傲 自豪
满意 满足
尴尬 难为情
害羞 羞涩 腼腆
冷漠 冷淡
热情 热忱
生病 患病 得病
受伤 负伤
死亡 去世 逝世 身亡
结婚 成亲 成婚
离婚 离异
怀孕 有喜
毕业 结业
辞职 离职
搬家 迁居
旅行 旅游 出游
开会 举行会议
考试 测验 考核
学习 读书
工作 上班
比赛 竞赛
游戏 玩耍
唱歌 歌唱
跳舞 舞蹈
散步 漫步
跑步 奔跑
爬山 登山
开车 驾车 驾驶
停止 终止 中止
开始 起初 起始 着手
继续 接着
增加 增多
减少 降低
打开 开启
关闭 关上
破碎 打碎 打破
燃烧 着火 起火 失火
爆炸 炸裂
地震 震灾
洪水 水灾
下雪 落雪
刮风 起风
打雷 雷鸣
炎热 酷热
寒冷 严寒
肮脏 污秽
美味 好吃 可口
昂贵 贵 价高
便宜 廉价
困难 艰难
容易 简单
重要 要紧
危险 凶险
安全 平安
富有 富裕 有钱
贫穷 贫困 穷困
肥胖 胖
苗条 瘦 纤瘦
年老 年迈 衰老
迅速 快速 飞快
缓慢 慢
偶尔 有时
突然 忽然 骤然
一直 始终
几乎 差不多
大约 大概 约莫
昨天 昨日
今天 今日
明天 明日
早晨 早上 清晨 清早 晨间
中午 正午 晌午
傍晚 黄昏
夜晚 夜里 晚上 夜间
半夜 深夜 午夜
星期 礼拜
月亮 月儿 明月
太阳 日头
星星 繁星
故乡 家乡 老家
战争 战事 战火
粮食 米粮
美酒 佳酿
思乡 怀乡
归隐 隐居 退隐
照片 相片
晚点 误点
街道 大街 马路
房子 房屋 屋子
走路 步行 徒步
洗澡 沐浴
打电话 拨电话
有趣 有意思
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
plane airplane aeroplane
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
    (r"cock[- ]?a[- ]?doodle[- ]?doo|crowing", "cockadoodledoo"),  # not `crow`, the bird
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
    (r"battle cr(?:y|ies)", "battlecry"),
    (r"wind ?chimes?", "windchime"),
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
bird: chirp
turkey: gobble
rooster: cockadoodledoo
chicken: cockadoodledoo
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
bird: penguin peacock cuckoo magpie pheasant mynah nightingale blackbird robin warbler finch
insect: bee mosquito fly cricket cicada wasp grasshopper
vehicle: car truck bus motorcycle bicycle train tram subway plane helicopter boat ambulance van scooter skateboard
vehicle: tractor
vehicle: racecar policecar firetruck taxi snowmobile
aircraft: plane helicopter jet drone
person: male female child baby people
people: male female child baby talk laugh cry whisper clap cough sneez snor crowdnoise
crowdnoise: cheer boo babble chant
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
    (r"^(?:people |a |the )?crowds?(?: of people| noises?| sounds?)?$", "crowdnoise"),  # not all that people do
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
_COMMA = re.compile("[,、]")
_SEVERAL = re.compile(r"[^\w\s'’().-]|\b(?:and|then|or|to|left|right)\b|\d")


@reads_shortened
def label_meaning(label: str) -> str:
    """Return a label in words that are the same for synonyms, plurals, forms of verbs, the maker of a sound that only
    it makes, and for `waves at the sea` and `sea waves`.

    >>> label_meaning("waves at the sea") == label_meaning("Ocean wave"), label_meaning("a storm of birds")
    (True, 'bird storm')
    >>> label_meaning("people clapping") == label_meaning("audience applause"), label_meaning("a fox barking")
    (True, 'bark fox')
    """
    plain = unicodedata.normalize("NFKC", label).casefold().replace("_", " ")
    parts = {_normalise_meaning(part) for part in _COMMA.split(plain) if part.strip()}
    return parts.pop() if len(parts) == 1 else _normalise_meaning(plain)


@reads_shortened
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
    several = any(_SEVERAL.search(part) for part in _COMMA.split(plain))
    made = []
    parts = [re.findall(r"[^\W_]+", part) for part in ([plain] if several else _COMMA.split(plain))]
    for number, part in enumerate(parts):
        if (
            number
            and len(part) == 1
            and len(parts[0]) > 1
            and all(each[-1].endswith("ing") for each in (part, parts[0]))
        ):
            part = [*parts[0][:-1], *part]  # `bird chirping, tweeting`: a bird's tweeting
        bare = " ".join(_AMERICAN.get(word, word) for word in part)
        words = tuple(word for word in bare.split() if word not in _EMPTY)
        if not words:
            continue
        for pattern, word in _ONE_KIND:
            bare = pattern.sub(word, bare)
        general = frozenset() if several else frozenset(_normalise_meaning(bare).split()) - _LINKS
        named = {_label(word) for word in words}
        general |= {maker for maker, sounds in _makers().items() if maker in named and general & sounds}
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
    """Return words with everything that they are a kind of, and the maker of a sound, if no other one is named."""
    made, left = set(words), list(words)
    alone = len(words - _HOW_IT_SOUNDS) < 2
    while left:
        word = left.pop()
        for kind in _kinds().get(word, ()):
            if kind not in made and (alone or kind in words or word not in _makers().get(kind, ())):
                made.add(kind)
                left.append(kind)
    return frozenset(made)


_HOW_IT_SOUNDS = frozenset(("loud", "soft", "quiet", "faint", "distant", "heavy", "light", "single", "many", "several"))


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


def _normalise_meaning(plain: str) -> str:
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
    word = _to_singular(word)
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def _to_singular(word: str) -> str:
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
