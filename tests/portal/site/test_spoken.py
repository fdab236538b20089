"""Tests of `portal/site/spoken.py`: whether somebody's native language, in their own words, is that of a task."""

from __future__ import annotations

from triptych.portal.site.spoken import speaks


def test_each_native_language_of_a_person_counts() -> None:
    german = {"shows": {"language_name": "German"}}
    assert speaks("English and German", german) and speaks("中文、德语", german) and speaks("en, de", german)
    assert not speaks("English and French", german)
    assert not speaks("es-AR", {"shows": {"language": "ar"}}) and not speaks(
        "Français et anglais", german | {"shows": {"language": "et"}}
    )
