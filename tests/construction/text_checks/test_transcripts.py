"""Tests of `construction/text_checks/transcripts.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.single_stage import decide_all
from triptych.construction.stages.describing import one_transcript_each
from triptych.construction.text_checks.transcripts import copied_fault, description_fault, transcript_fault


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("抱歉，这段录音我暂时听不了，没法为您转写其中的内容。", "apology"),
        ("不好意思，音频好像没有传过来，请您重新上传一次。", "apology"),
        ("对不起，我听不清楚，没办法把它写下来。", "apology"),
        ("非常抱歉，系统暂时不能识别这段声音。", "apology"),
        ("对不起，我听不到音频内容。", "apology"),
        ("未检测到语音内容。", "apology"),
        ("请上传音频文件，我将为您转写。", "apology"),
        ("I could not hear anything in this recording.", "apology"),
        ("No speech was detected.", "apology"),
        ("以下是音频的转写内容：你好，请问去哪里？", "not-the-text-alone"),
        ("Transcript: 你好，请问去哪里？", "not-the-text-alone"),
        ('{"text": "你好，请问去哪里？"}', "markup"),
        ("ご視聴ありがとうございました", "not-heard"),
        ("[music]", "no-words"),
        ("（掌声）", "no-words"),
        ("♪♪♪", "no-words"),
        ("谢谢大家观看。" * 40, "repeats-itself"),
        ("我们走吧 " * 20, "repeats-itself"),
        ("啊" * 60, "repeats-itself"),
        ("请不吝点赞 订阅 转发 打赏支持明镜与点点栏目", "not-heard"),
        ("字幕由Amara.org社区提供", "not-heard"),
        ("Thank you for watching!", "not-heard"),
        ("Where is my wallet? I left it on the table.", "wrong-language"),
        ("wǒ de qián bāo zài nǎ lǐ", "wrong-language"),
        ("[00:01:05] 你好。[00:01:07] 再见。", "time-stamp"),
        ("1\n00:00:01,000 --> 00:00:04,000\n你好", "time-stamp"),
        ("<|zh|><|transcribe|>你好，请问去哪里？", "markup"),
        ("Transcribe the Chinese audio into Chinese text.", "prompt-repeated"),
        ("请转写这段音频的内容。", "prompt-repeated"),
        ("你好" + "我今天去了学校然后又去了商店" * 3 + "".join(map(chr, range(0x4E00, 0x4E80))), "more-than-is-said"),
    ],
)
def test_faulty_transcripts(text: str, reason: str) -> None:
    fault = transcript_fault(text, "zh", 8.0)
    assert fault is not None and fault[0] == reason, fault


@pytest.mark.parametrize(
    "text",
    [
        "喂？我听不清你说什么，你大声点。",
        "对不起，我听不清楚，你再说一遍。",
        "快跑！快跑！快跑！着火了！",
        "对不起，我来晚了，没听见闹钟。",
        "喂？喂？听得到吗？信号不好。",
        "男：你好。（笑声）女：你好，谢谢大家来参加我的生日，感谢你们一直以来对我的照顾和支持。",
        "哈哈哈哈哈哈，太好笑了。",
        "我们三点十五分在 KTV 见，拜拜。",
        "不不不不不，我不去。",
    ],
)
def test_sound_transcripts(text: str) -> None:
    assert transcript_fault(text, "zh", 10.0) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("As an AI language model I cannot listen to audio files.", "apology"),
        ("Please describe the audio in detail.", "prompt-repeated"),
        ("请描述这段音频。", "prompt-repeated"),
        ("A man is talking in a quiet room.", "wrong-language"),
        ("无", "no-words"),
        ("背景有人说话。" * 20, "repeats-itself"),
    ],
)
def test_faulty_descriptions(text: str, reason: str) -> None:
    fault = description_fault(text, "zh")
    assert fault is not None and fault[0] == reason, fault
    assert description_fault("室内有人说话，语气平静。背景播放着BBC的新闻。", "zh") is None


def test_transcripts_of_two_recordings_and_descriptions_that_are_transcripts(tmp_path: Path) -> None:
    text = "医生，我的头很疼，昨天晚上没有睡好，请您看一看。"
    rows = [{"transcript": text}, {"transcript": "我们坐公共汽车去图书馆吧，外面下雨了。"}, {"transcript": f"{text}好"}]
    outcomes = decide_all(one_transcript_each, rows, tmp_path)
    assert [each.reason for each in outcomes] == ["", "", "same-transcript"]
    assert (copied_fault(text, text.replace("，", " ")) or ("",))[0] == "transcript-as-description"
    assert copied_fault("室内有人说话，一位病人对医生说他头疼。", text) is None
