"""Texts of releases, editions, makers and people that were refused although they are sound, or passed although they
aren't."""

from __future__ import annotations

import pytest

from triptych.construction.recipes._xmodbench_labels import label_fault
from triptych.construction.text_checks.answers import answer_fault, options_fault
from triptych.construction.text_checks.classical.editions import without_notes
from triptych.construction.text_checks.classical.translations import retelling
from triptych.construction.text_checks.makers.excuses import excuse_fault
from triptych.construction.text_checks.options.synonyms import label_meaning, overlapping
from triptych.construction.text_checks.talks.spoken import spoken_fault
from triptych.construction.text_checks.transcripts import transcript_fault

# Rules that are followed by nothing, and texts for an empty one: of models' services
NOTHING = (
    *("由于相关政策的限制", "因相关法律法规的要求。", "根据有关规定", "受平台政策限制", "由于版权问题", "由于政策原因"),
    *(
        "按照相关法律法规",
        "依据国家有关政策",
        "出于安全原因",
        "基于相关政策",
        "空",
        "空。",
        "（空）",
        "【空】",
        "空白",
        "暂无",
        "略",
    ),
)
# Answers with such a rule or character, as CMDAR's open answers and MCS-Bench's captions have them
ANSWERS = (
    *("由于航空管制，航班延误了", "因为政策放宽了", "按照规定他必须先登记", "空城", "空山", "空调坏了", "略胜一筹"),
    *("由于相关政策的限制，店铺改到郊区经营", "根据有关规定他被罚了两百元", "出于安全原因，游客被劝离"),
    "由于版权到期，画作进入公有领域",
)


@pytest.mark.parametrize("question", ["画中有什么？", "大夫怎么说？"])
def test_a_rule_alone_or_an_empty_text_answers_nothing(question: str) -> None:
    assert not [answer for answer in NOTHING if answer_fault(question, answer, "zh") is None]
    assert not [answer for answer in NOTHING if excuse_fault(answer, quoted=True) is None]


def test_answers_with_a_rule_or_such_a_character_answer() -> None:
    assert not [answer for answer in ANSWERS if excuse_fault(answer) or answer_fault("他为什么改期？", answer, "zh")]


def test_a_character_that_was_asked_for_may_mean_empty() -> None:
    assert answer_fault("诗眼是哪一个字？", "空", "zh") is None
    assert options_fault("诗眼是哪一个字？", ["空", "静", "闲", "落"], "zh") is None
    assert options_fault("印章上缺的是哪个字？", ["无", "略", "空", "山"], "zh") is None
    found = options_fault("他手里拿着什么？", ["空", "杯子", "书", "笔"], "zh")
    assert found and found[0] == "no-answer"


# Lines of films, lessons and meetings
SAID = (
    "We can't hear the recording, can you turn it up?",
    "I can't hear the audio, is it on?",
    "You can't hear the recording from the back row.",
    "Sorry, they couldn't understand the speech at the conference.",
    "Hello? I can't hear anything over this noise, speak up!",
    "She was unable to access the file, so we printed it.",
    "Could you play that again? I couldn't make out anything.",
    "He can't see the video because his glasses are at home.",
    "I cannot open the file, did you change the password?",
    "我们听不到录音，你把音量调大一点好吗？",
    "喂，这段录音我听不清，你再放一遍吧。",
    "后排的同学听不见录音，麻烦大点声。",
    "我看不到视频，是不是谁把投影关了？",
    "他们没收到录音，怎么办呢？",
    "We couldn't hear the recording, did you bring the speaker?",
    "Sorry, I can't hear the audio, can you turn the volume up?",
    "大家听不到录音，谁把音箱关了？",
    "对不起，我听不清录音，能大点声吗？",
)
DEAF = (
    "I can't hear the audio. Could you upload it again?",
    "I'm sorry, but I cannot listen to audio files.",
    "I'm unable to transcribe the recording.",
    "No audio was provided.",
    "I cannot process audio files, please provide a transcript.",
    "Sorry, I can't access the audio file you mentioned.",
    "I could not hear any speech in the audio.",
    "Unfortunately, I can't hear the recording.",
    "I'm a text-based model and can't hear the audio, can you type it?",
    "对不起，我听不到音频，请重新上传。",
    "我无法听取音频文件，您能提供文字吗？",
    "抱歉，这段录音我听不清，无法为您转写。",
    "未检测到任何语音。",
    "没有收到音频，请您发送文件。",
    "抱歉，我无法播放这段录音。",
    # With `we`, `you` and a question, as people say it
    "I'm sorry, can you please share the audio again?",
    "We are unable to process this audio.",
    "I'm sorry, but I can't hear any audio. Is it empty?",
    "Sorry, we cannot hear the audio.",
    "I'm unable to listen to the audio. Would you like me to try again?",
    "I can't hear the audio. Could you check the file?",
    "We cannot access the audio file you shared.",
    "很抱歉，我听不到这段音频，您能告诉我内容吗？",
    "我听不到音频内容，可以再发一次吗？",
    "您好，我听不到音频里的声音。",
    "你好，我无法播放音频，请您检查文件。",
    "我们无法处理该音频。",
)


def test_people_who_cannot_hear_a_recording_are_transcribed_and_models_that_cannot_are_not() -> None:
    assert not [text for text in SAID if transcript_fault(text) or spoken_fault(text)]
    assert not [text for text in DEAF if transcript_fault(text) is None]


def test_deeds_of_a_poet_are_no_retelling() -> None:
    for text in (
        "The poet begins to drink",
        "The poet opens the gate and sees snow.",
        "The author ends his days in the hills.",
        "The speaker shows his sword to the guest.",
        "The writer starts weeping.",
        "The poet means to go home.",
    ):
        assert not retelling(text), text
    for text in (
        "The poet begins to describe the river.",
        "The poet begins by describing the moon.",
        "The poem ends with the moon.",
        "The poet shows grief at parting.",
        "The poem means that time passes.",
        "The passage tells of a fisherman.",
    ):
        assert retelling(text), text


def test_pages_that_a_sentence_names_stay_and_those_of_an_edition_go() -> None:
    for text in (
        "他翻到第12页，看见一幅画。",
        "书的第12页写着：“春眠不觉晓”。",
        "这首诗见于第 12 页。",
        "从第3页至第5页是序言。",
        "《东坡集》第12页载有此诗。",
        "请看第7页的插图。",
        "他撕下了第3页。",
        "手稿第12页上有两方印。",
        "全书共第1页到第30页。",
        "第12页的批语是朱笔。",
    ):
        assert without_notes(text) == text
    for text, expected in (
        ("春眠不觉晓，第12页处处闻啼鸟。", "春眠不觉晓，处处闻啼鸟。"),
        ("举头望明月，（第12页）低头思故乡。", "举头望明月，低头思故乡。"),
        ("床前明月光，第 12 页 共 30 页疑是地上霜。", "床前明月光，疑是地上霜。"),
        ("欲穷千里目，P. 12更上一层楼。", "欲穷千里目，更上一层楼。"),
        ("独钓寒江雪。第9页", "独钓寒江雪。"),
        ("第4页空山不见人", "空山不见人"),
    ):
        assert without_notes(text) == expected


# Class names of VGGSound
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("people crowd", "people clapping"),
        ("people crowd", "baby crying"),
        ("people crowd", "people nose blowing"),
        ("cricket chirping", "bird chirping, tweeting"),
        ("chipmunk chirping", "bird chirping, tweeting"),
        ("dog barking", "fox barking"),
        ("dog barking", "sea lion barking"),
        ("dog bow-wow", "chinchilla barking"),
        ("people battle cry", "people sobbing"),
        ("wind noise", "people nose blowing"),
        ("wind noise", "wind chime"),
    ],
)
def test_labels_of_different_sounds_may_be_in_one_question(one: str, other: str) -> None:
    assert not overlapping(one, other) and not overlapping(other, one)
    assert not label_fault(one) and not label_fault(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("people crowd", "people cheering"),
        ("people crowd", "people babbling"),
        ("barking", "fox barking"),
        ("dog barking", "dog bow-wow"),
        ("a dog", "dog barking"),
        ("people clapping", "audience applause"),
        ("loud barking", "a dog"),
        ("chirping", "cricket chirping"),
        ("bird chirping, tweeting", "warbler chirping"),
        ("baby laughter", "people giggling"),
        ("an animal", "fox barking"),
    ],
)
def test_labels_that_are_right_for_one_sound_are_not(one: str, other: str) -> None:
    assert overlapping(one, other) and overlapping(other, one)


def test_the_meanings_of_labels_remain() -> None:
    assert label_meaning("people clapping") == label_meaning("audience applause")
    assert label_meaning("bird chirping") == label_meaning("chirping")


def test_something_else_is_a_placeholder_like_other() -> None:
    for label in ("something else", "Anything else", "other", "none of these"):
        assert (label_fault(label) or ("",))[0] == "placeholder"
