"""Words that most English translations of a classical text keep, so that one of another text, or none at all, is known.

The list holds concrete words (things, seasons, people, colours) and what translators make of them. It isn't a
dictionary: a sound translation has many of the words that its text has in this list, never all.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from triptych.construction.text_checks.shortened import reads_shortened
from triptych.construction.text_checks.wording import simplified

# A word of the text, then beginnings of English words that translate it
_WORDS = """
月 moon month lunar
日 sun day daily date today light noon dusk dawn
风 wind breeze gale storm blow
雨 rain shower drizzl
雪 snow white
霜 frost rime white
露 dew
云 cloud
山 mountain hill mount peak range slope
水 water river stream lake wave flow sea rill
江 river yangtze yangtse yangzi jiang stream
河 river stream yellow
海 sea ocean
湖 lake
花 flower blossom bloom petal floral peony
草 grass herb weed green
木 tree wood forest
树 tree wood branch
林 wood forest grove tree
松 pine
竹 bamboo
柳 willow
梅 plum
桃 peach
菊 chrysanthemum aster
莲 lotus lil
荷 lotus lil
叶 leaf leaves foliage
鸟 bird fowl
雁 goose geese
鱼 fish carp
马 horse steed mare pony ride riding rode mount colt
牛 ox cow bull herd cattle
羊 sheep goat ram herd lamb flock
犬 dog hound
鸡 cock hen rooster chicken fowl
虎 tiger
龙 dragon
猿 ape gibbon monkey
蝉 cicada
燕 swallow
酒 wine drink drunk ale liquor cup goblet
茶 tea
琴 zither lute qin lyre string harp
剑 sword
刀 knife sword blade
弓 bow
箭 arrow
舟 boat ship vessel skiff sail
船 boat ship vessel barge sail
车 cart carriage coach chariot wheel
门 gate door
窗 window casement
楼 tower storey story pavilion house loft building chamber
城 city wall town citadel
桥 bridge
路 road path way route journey street track
道 way road path dao tao say said spoke doctrine
井 well
田 field farm land
园 garden orchard home
村 village hamlet cottage
家 home house famil household
国 country kingdom state nation land realm
天 sky heaven day celestial
地 ground earth land place
星 star
夜 night evening dark midnight
晨 dawn morning
朝 morning dawn dynasty court
晚 evening late night dusk
暮 evening dusk sunset twilight late
春 spring vernal
夏 summer xia
秋 autumn fall qiu
冬 winter
年 year age old annual
古 ancient old antiquit past ago
今 now today present this modern
人 man men people person human one friend who folk mortal
女 girl woman women maid daughter lad female
妻 wife
子 master son child
父 father
母 mother
兄 brother elder
弟 brother younger
君 lord king you sir gentleman ruler sovereign prince thee thou
王 king wang prince royal
臣 minister servant subject official
将 general command going will lead
兵 soldier arm weapon troop war
军 army troop soldier general camp militar
民 people folk common
友 friend companion
客 guest visitor travel foreign
僧 monk priest
佛 buddha
仙 immortal fairy fairies sage
神 god spirit divin soul deit holy
鬼 ghost spirit demon
白 white pale bai bright
红 red crimson rosy pink scarlet vermilion
青 green blue azure qing
绿 green verdan
黄 yellow huang golden
黑 black dark
金 gold metal
玉 jade jewel gem
石 stone rock
火 fire flame burn
烟 smoke mist haze
雷 thunder
冰 ice icy frozen
泪 tear weep wept
心 heart mind feel
头 head hair
手 hand arm
目 eye look sight
耳 ear
面 face
发 hair
足 foot feet
骨 bone
血 blood
口 mouth
衣 cloth robe garment coat gown dress sleeve
书 book letter writ read
诗 poem poet verse song ode poetry
歌 song sing sang
舞 dance
笑 laugh smil
哭 weep cry wept cried
梦 dream
醉 drunk drink wine tips
死 die death dead
生 life live birth born grow
老 old age elder
病 sick ill disease
寒 cold chill wint
冷 cold chill cool
热 hot heat warm
暖 warm
香 fragran scent incense perfum sweet
声 sound voice noise tone cry cries song hear
影 shadow shade reflect image
千 thousand many
万 myriad thousand all ten countless
大 great big large grand vast
小 small little tiny
高 high tall lofty
长 long length
深 deep depth
远 far distan remote away
东 east
西 west
南 south
北 north
中 middle in among mid amid within central
上 on above up over top upon
下 down below under beneath fall
前 before front ahead former
后 after behind later rear
新 new fresh
旧 old former
明 bright clear light ming tomorrow brilliant
清 clear pure clean cool limpid qing
空 empty void sky vacant vain hollow
独 alone lone solitary only single
愁 sorrow sad grief worr melanchol gloom troubl
悲 sad sorrow grie mourn
喜 happy joy delight glad
怒 anger angry rage fur
爱 love
思 think thought long miss yearn
恨 hate regret resent
怨 resent complain grie bitter
忧 worr sorrow grie troubl anxi care
乐 joy happy music delight pleas
苦 bitter suffer hard
美 beaut fair handsome
贫 poor povert
富 rich wealth
贵 noble rank honour honor precious value
学 learn stud
礼 rite ritual courtes propriet ceremon
仁 benevolen humane kind good virtue
义 right just duty dut
德 virtue moral power
圣 sage holy saint
见 see saw seen view sight meet appear sight
闻 hear heard smell
望 look gaze watch hope full
行 walk go travel journey action line act
归 return home back
来 come came coming
去 go gone went leave left
飞 fly flies flying flew flight
落 fall fell drop down
流 flow stream drift current
开 open bloom blossom
问 ask question inquir
知 know knew aware tell
言 say said word speak speech spoke
食 eat food feed
饮 drink
坐 sit sat seat
卧 lying reclin repos
眠 sleep slept slumber
耕 plough plow till farm
战 war battle fight fought
杀 kill slay slew slain
"""
MIN_WORDS = 6  # of the list in a text, from which a translation is judged by their share
MIN_WORDS_OF_NONE = 4  # of the list in a text, from which a translation without any of them isn't its own


@lru_cache(maxsize=1)
def _english() -> dict[str, re.Pattern[str]]:
    rows = (line.split() for line in _WORDS.strip().splitlines())
    return {row[0]: re.compile(rf"\b(?:{'|'.join(row[1:])})", re.IGNORECASE) for row in rows}


@reads_shortened
def shared_words(source: str, translation: str) -> tuple[int, int]:
    """Return how many words of the list a classical text has, each once, and how many of them its translation has.

    >>> shared_words("床前明月光，疑是地上霜。", "Before my bed, the moonlight: is it the frost upon the ground?")
    (6, 5)
    """
    words, text = _known_characters(source), unicodedata.normalize("NFKC", translation)
    return len(words), sum(bool(_english()[word].search(text)) for word in words)


def _known_characters(source: str) -> set[str]:
    converter = simplified()
    return _english().keys() & set(source if converter is None else converter.convert(source))


@reads_shortened
def translated_words(source: str, translation: str) -> list[str]:
    """Return words of a text that its translation lacks, if it has so few of them that it translates another text, or
    none; empty for a sound one.

    >>> translated_words("床前明月光，疑是地上霜。", "Kindly consult a published edition in place of this.")
    ['上', '前', '地', '明', '月', '霜']
    """
    number, shared = shared_words(source, translation)
    few = shared < MIN_SHARED * number if number >= MIN_WORDS else number >= MIN_WORDS_OF_NONE and not shared
    return (
        sorted(
            _known_characters(source)
            - {word for word in _known_characters(source) if _english()[word].search(translation)}
        )
        if few
        else []
    )


MIN_SHARED = 0.25  # of the words of a text in the list; of 213 published translations the least share is a third
