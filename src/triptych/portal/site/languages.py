"""Texts of pages in English and Chinese: `words/*.toml`, a table for each text with a line for each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from triptych.errors import SpecError

TEXTS_FOLDER = Path(__file__).parents[1] / "words"
LANGUAGES = {"en": "English", "zh": "中文"}
COOKIE = "triptych_language"
_PLURAL = re.compile(r"\{(\w+)\|([^|}]*)\|([^|}]*)\}")


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """Return all texts: name -> language -> text. Raises SpecError if a name is given twice."""
    texts_by_language: dict[str, Mapping[str, str]] = {}
    for path in sorted(TEXTS_FOLDER.glob("*.toml")):
        for name, texts in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if name in texts_by_language:
                raise SpecError(f"the text {name!r} is given twice", where=path)
            texts_by_language[name] = texts
    return texts_by_language


def say(language: str, name: str, /, **values: object) -> str:
    """Return a text with its values filled in. `{number|result|results}` in a text is the first word if the number is
    1.

    >>> say('zh', 'language'), say('en', 'withdrawn-export', target='a', at='b', number='1')
    ('语言', 'a, b: 1 result')
    """
    return _PLURAL.sub(
        lambda match: match[2] if str(values.get(match[1])) == "1" else match[3], words()[name][language]
    ).format(**values)


def reason_in(language: str, why: str) -> str:
    """Return the reason of a refusal, as an error states it in English, in a language; unchanged if it has no
    translation.

    >>> reason_in("zh", "the task is done already"), reason_in("en", "the task is done already")
    ('该任务已经完成', 'the task is done already')
    >>> reason_in("zh", "a comment, or the reason for skipping a task, has 1 to 2,000 characters")
    '评论或跳过任务的理由应为 1 至 2,000 个字符'
    """
    for pattern, texts in _reasons():
        if match := pattern.fullmatch(why):
            return texts[language].format(**match.groupdict())
    return why


@cache
def _reasons() -> Sequence[tuple[re.Pattern[str], Mapping[str, str]]]:
    """Return the translated reasons, each with a pattern of its English text that captures its values."""
    reasons = [texts for name, texts in words().items() if name.startswith("why-")]
    field = re.compile(r"\\\{(\w+)\\\}")
    return [(re.compile(field.sub(r"(?P<\1>.+)", re.escape(texts["en"]))), texts) for texts in reasons]


def choose_language(cookie: str, accepts: str, languages: Sequence[str]) -> str:
    """Return the language of a page: the one that was chosen, else the browser's first that is known."""
    from babel import negotiate_locale

    if cookie in languages:
        return cookie
    wanted = [piece.partition(";")[0].strip() for piece in accepts.split(",")[:20]]
    language = negotiate_locale([tag for tag in wanted if tag.replace("-", "").isalnum()], languages, sep="-")
    short = negotiate_locale([tag.partition("-")[0] for tag in wanted if tag], languages)
    return str(language or short or languages[0])


def guide_of(language: str, body: Mapping[str, Any]) -> tuple[str, str]:
    """Return the instructions of a task, in this language if they are there, and the language that they are in.

    >>> guide_of("zh", {"guide": "Listen.", "guides": {"zh": "请听。"}}), guide_of("zh", {"guide": "Listen."})
    (('请听。', 'zh'), ('Listen.', 'en'))
    """
    guide = body.get("guides", {}).get(language, "")
    return (str(guide), language) if guide else (str(body.get("guide", "")), "en")


def date(language: str, at: int | None) -> str:
    """Return a time of the database (milliseconds) in words; empty for None."""
    from babel.dates import format_datetime

    return "" if at is None else str(format_datetime(datetime.fromtimestamp(at / 1000, UTC), "medium", locale=language))


def day(language: str, at: int) -> str:
    """Return the day of a time of the database (UTC) in words."""
    from babel.dates import format_date

    return str(format_date(datetime.fromtimestamp(at / 1000, UTC).date(), "medium", locale=language))


def number(language: str, value: float) -> str:
    """Return a number as the language writes it, with at most two decimals."""
    from babel.numbers import format_decimal

    return str(format_decimal(round(value, 2), locale=language))
