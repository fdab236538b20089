"""Who read a clip: gender, age and major of the reader, as facets.

The released rows have no fields for them, but the persona of `sec_1` names gender and age, by the bands that the
authors' prompt defines. Sets of other makers may have the fields `speaker`, `gender`, `age` and `major` in their rows.
"""

from __future__ import annotations

from typing import Any

_WOMAN, _MAN = "woman", "man"
_GENDERS = {
    **dict.fromkeys(("woman", "female", "f", "女", "女性", "女声"), _WOMAN),
    **dict.fromkeys(("man", "male", "m", "男", "男性", "男声"), _MAN),
}
AGES = {"青少年": "child", "少年": "child", "儿童": "child", "青年": "young", "中年": "middle-aged", "老年": "old"}
_BANDS = ((18, "child"), (40, "young"), (60, "middle-aged"))  # below 18, up to 40, up to 60 years


def facets_of(speaker: Any, gender: Any, age: Any, major: Any, persona: str | None) -> dict[str, str]:
    """Return the facets `speaker`, `gender`, `age` and `major`, as far as they are known; fields go before the persona.

    Example:
        >>> facets_of(None, None, None, None, "一位女性，青年。")
        {'gender': 'woman', 'age': 'young'}
    """
    fields = {
        "speaker": _words(speaker),
        "gender": _gender(_words(gender)) or _gender_in(persona or ""),
        "age": _age(age) or _age_in(persona or ""),
        "major": _words(major),
    }
    return {name: value for name, value in fields.items() if value}


def _words(value: Any) -> str:
    plain = isinstance(value, str | int) and not isinstance(value, bool)
    return " ".join(str(value).split()) if plain else ""


def _gender(word: str) -> str:
    return _GENDERS.get(word.casefold(), word)


def _gender_in(persona: str) -> str:
    """Return the gender that a persona names; empty if it names none or both."""
    named = {_MAN: "男" in persona, _WOMAN: "女" in persona}
    return next((gender for gender, there in named.items() if there), "") if sum(named.values()) == 1 else ""


def _age(value: Any) -> str:
    """Return the band of a number of years, or the word for a band; other words stay as they are."""
    word = _words(value)
    if not word.isdecimal() or len(word) > 3:
        return AGES.get(word, word)
    years = int(word)
    return next((band for end, band in _BANDS if years < end or (years == end and end > 18)), "old")


def _age_in(persona: str) -> str:
    """Return the band that a persona names; empty if it names none or several."""
    bands = {band for word, band in AGES.items() if word in persona}
    return bands.pop() if len(bands) == 1 else ""
