"""Chinese words: jieba's own, whatever the length of the text."""

from __future__ import annotations

import pytest

from triptych.metrics.text import chinese

pytest.importorskip("jieba")
import pytest

from triptych.metrics.text.chinese import half_width, installed_converter, to_simplified, word_characters, words


@pytest.mark.parametrize("text", ["的", "々", "春眠不觉晓，"])
def test_a_reply_in_a_loop_is_divided_in_linear_time(text: str) -> None:
    long = text * 100_000  # jieba itself copies a path of this length at every character: minutes
    assert "".join(chinese.words(long)) == long


def test_full_width_digits_and_letters_alone_are_narrowed() -> None:
    assert half_width("ＡＺａｚ０９，。！＄") == "AZaz09，。！＄"


def test_word_characters_keep_letters_and_digits_of_any_script() -> None:
    assert word_characters("天 地，a_1。\n①～") == "天地a_1①"


def test_the_two_converters_differ_on_words() -> None:
    pytest.importorskip("opencc", reason="opencc (extra zh) is not installed")
    pytest.importorskip("zhconv", reason="zhconv (extra zh) is not installed")
    assert to_simplified("滑鼠裏覺", "opencc") == "滑鼠里觉"
    assert to_simplified("滑鼠裏覺", "zhconv") == "鼠标里觉"
    assert installed_converter() == "zhconv"
    assert installed_converter("opencc") == "opencc"


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    from triptych.errors import SpecError
    from triptych.metrics.text import chinese

    monkeypatch.setattr(chinese, "find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r"zhconv.*\n.*triptych\[zh\]"):
        to_simplified("覺", "zhconv")
    with pytest.raises(SpecError, match=r"triptych\[zh\]"):
        installed_converter()


def test_words_lose_nothing() -> None:
    pytest.importorskip("jieba", reason="jieba (extra zh) is not installed")
    assert words("我来到北京清华大学") == ["我", "来到", "北京", "清华大学"]
    assert "".join(words("学而时习之， 不亦说乎？")) == "学而时习之， 不亦说乎？"
