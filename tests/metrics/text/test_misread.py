"""Tests of `metrics/text/misread.py`: text that was read in another encoding."""

from __future__ import annotations

import pytest

from triptych.metrics.text.misread import misread

# What people write, in many languages, also with the signs that look like misread bytes
REAL = [
    "Größe der Äpfel – „Spaß“, »Fuß«, ›Gruß‹; die Straße (Maß²) à 3 €, 5×½",
    "« É… », À l’école, CAFÉ » et « MAÏS » ; 20 °C, l’été, où, ça, œuvre, CAFÉ\u00a0: « Ça ? »",
    "NÃO, SÃO, IRMÃ, a MAÇÃ”, “MAÇÃ”, «MANHÃ», LÃ…, AMANHÃ—disse, maçã, pão, Ângela, Â, Ã",
    "no sé…¿qué? “canapé”, ¿Qué? ¡Olé!, año, pingüino, 1.º, 2.ª, PERÚ”, CAFÉ™",
    "È così… perché “città”, più, «virtù», 3²",
    "På Åland: ÆØÅ, Ä–Ö, smørrebrød, “Å”, blåbærsyltetøy, Ø½, ø 5 mm",
    "Íslenska: þýðing, æði, Ísland, „það“",
    "Zażółć gęślą jaźń, „ŁÓDŹ”",
    "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "È…vero? “È”, È; Ä–Ö–Ü, Ă, ținut, Iași",
    "Ğ, İstanbul, ığdır, ÇÖŞ",
    "Tiếng Việt: Viện, ệ, Ấ, đường, “CÁ”",
    "Привет, «мир»; ещё",
    "Ελληνικά: «καλημέρα», ΐ",
    "العربية: «مرحبا»، ١٢٣",
    "فارسی: می\u200cخواهم، «کتاب‌ها»",
    "עברית: בְּרֵאשִׁית בָּרָא, ״שלום״",
    "हिन्दी: क्\u200dष, नमस्ते।",
    "ภาษาไทย สวัสดี",
    "ខ្មែរ\u200bភាសា",
    "中文：什么声音？联通，“你好”……锟铻",
    "古文：龘䶮𠀀，郎朗《琵琶行》",
    "日本語：テスト、「こんにちは」",
    "한국어: 안녕하세요",
    "👨‍👩‍👧‍👦 ❤️ 🏳️‍🌈",
    "“café”’s, résumé”…et, ‘naïve’",
    "ÀÁÂÃÄÅÆÇÈÉ äöüß ÄÖÜ °±²³ ½¼¾ ¡¢£¤¥",
    "x² ± 3·10⁻⁵ µm, 25 °C, §4, © 2024, Ω",
]


@pytest.mark.parametrize("text", REAL)
def test_real_text_is_not_misread(text: str) -> None:
    assert misread(text) is None


def as_single_bytes(text: str, encoding: str) -> str:
    """Return UTF-8 as programs misread it; bytes that Windows-1252 doesn't define are those of Latin-1."""
    return "".join(
        bytes([byte]).decode("latin-1" if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else encoding)
        for byte in text.encode()
    )


WORDS = """Größe schön Straße Äpfel Österreich it’s “yes” naïve Crème œuvre São não coração Ñandú año Čeština kůň żółć
    ciężki się İstanbul ığdır Việt đường Привет Ελλάδα مرحبا שלום नमस्ते สวัสดี 你好 日本語 한국어 😀 Ångström smørrebrød
    4×6 Edineț ținut Iași 20°C €5 …and ½cup"""


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
@pytest.mark.parametrize("word", WORDS.split())
def test_misread_words_are_found_and_mended(word: str, encoding: str) -> None:
    reading = misread(f"The word {as_single_bytes(word, encoding)} is here")
    assert reading is not None and reading.meant == word, reading
    assert "UTF-8 that was read as" in reading.how


@pytest.mark.parametrize(("text", "meant"), [("« %s »", "«\u00a0%s\u00a0»"), ("fichier à lire", "à")])
def test_french_spaces_and_prepositions(text: str, meant: str) -> None:
    reading = misread(as_single_bytes(text.replace("« ", "«\u00a0").replace(" »", "\u00a0»"), "cp1252"))
    assert reading is not None and reading.meant in (meant, meant.partition("%")[0])


def test_text_that_was_misread_twice_is_mended() -> None:
    reading = misread(as_single_bytes(as_single_bytes("Größe", "cp1252"), "cp1252"))
    assert reading is not None and reading.meant == "Größe"


@pytest.mark.parametrize("text", ["你好", "什么声音", "中国音乐", "这是什么动物？"])
def test_gbk_read_as_latin_1(text: str) -> None:
    reading = misread(text.removesuffix("？").encode("gbk").decode("latin-1"))
    assert reading is not None and reading.meant == text.removesuffix("？") and "GBK" in reading.how


@pytest.mark.parametrize(("text", "meant"), [("你好", "你好"), ("声音吗", "声音吗")])
def test_utf8_read_as_gbk(text: str, meant: str) -> None:
    reading = misread(text.encode().decode("gbk", errors="ignore"))
    assert reading is not None and meant.startswith(reading.meant) and "read as GBK" in reading.how


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("只在锟斤拷中，云深不知处", "\ufffd\ufffd"),
        ("床前明月光锛屾鏄", "，"),
        ("鈥檚 is mine", "’s"),
        ("ï»¿床前明月光", ""),
        ("He said â€ and left", ""),
        ("他去了烫烫烫烫屯屯", ""),
        ("屯屯屯屯他走了", ""),
    ],
)
def test_pieces_are_found_of_which_the_rest_is_lost(text: str, meant: str) -> None:
    reading = misread(text)
    assert reading is not None and reading.meant == meant, reading


@pytest.mark.parametrize(
    "text", ["“烫烫烫！”她喊道", "屯田屯兵", "他问：“烫烫烫？”", "Ça va, Zoë?", "10 €", "拷贝文件", "一斤"]
)
def test_words_that_look_like_pieces_are_real(text: str) -> None:
    assert misread(text) is None


def test_long_texts_take_linear_time() -> None:
    assert misread("Ã" * 300_000) is None and misread("é”…" * 100_000) is None and misread("Ö“ " * 100_000) is None
