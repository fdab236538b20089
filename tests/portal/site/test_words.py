"""Every text of the pages is there in both languages, is used, and fills in the same values."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

from triptych.portal.site.languages import LANGUAGES, words
from triptych.portal.site.rendering import HERE

SAID = re.compile(r'say\(\s*"([\w-]+)"[,)]|problem\([^"]*?, "([\w-]+)"')
PREFIXES = (  # completed by a variable
    "gender-",
    "link-is-",
    "age-",
    "role-",
    "job-",
    "reason-",
    "state-",
    "record-",
    "field-",
    "choice-",
    "agreement-",
    "survey-",
    "check-",
    "annotate-",
    "unsent-",
    "audit-",
    "remark-",
)


def test_every_text_is_in_every_language_with_the_same_values() -> None:
    for name, texts in words().items():
        assert texts.keys() == LANGUAGES.keys(), name
        fields = [{field for _, field, _, _ in Formatter().parse(text) if field is not None} for text in texts.values()]
        plain = [{field.partition("|")[0] for field in each} for each in fields]  # {number|result|results}
        assert plain[0] == plain[1], name
        assert all(text.strip() for text in texts.values()), name
        assert re.search("[\u4e00-\u9fff]", texts["zh"]) or len(texts["zh"]) < 8, name


def test_every_text_that_a_page_names_is_there_and_every_text_is_named() -> None:
    files = [p for p in Path(HERE).rglob("*") if p.suffix in (".html", ".py")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in files)
    named = set(re.findall(r"""say\(\s*"([\w-]+)"[,)]""", sources)) | set(
        re.findall(r'problem\([^"]*?, "([\w-]+)"', sources)
    )
    assert named <= words().keys(), named - words().keys()
    quoted = set(re.findall(r'"([a-z0-9-]+)"', sources))
    unused = {name for name in words() if name not in quoted and not name.startswith(PREFIXES)}
    assert not unused
