"""Tests of `construction/recipes/_xmodbench_labels.py`."""

from __future__ import annotations

from triptych.construction.recipes._xmodbench_labels import label_fault, translated_fault


def test_ids_are_no_labels() -> None:
    assert all(label_fault(text) for text in ("dog.n.01", "n02084071", "label_12", "class: dog"))
    assert not any(label_fault(text) for text in ("a dog", "Q&A", "n-gram", "U2"))


def test_translations_of_xmodbench_are_compared_with_their_sentences() -> None:
    source = "The train to the old bridge was late again today."
    for text, reason in (
        ("猫在厨房里喝牛奶。", "another-sentence"),
        ("去旧桥的 train 今天又 late 了。", "left-in-english"),
        ("去舊橋的火车今天又晚点了。", "scripts-mixed"),
        ("很遗憾，这句话超出了我的翻译范围。", "apology"),
    ):
        assert (fault := translated_fault(text, source, "zh")) is not None and fault[0] == reason, fault
    assert translated_fault("去旧桥的火车今天又晚点了。", source, "zh") is None
    assert (translated_fault("桥有二十公里长。", "The bridge is twenty miles long.", "zh") or ("",))[
        0
    ] == "fact-changed"
