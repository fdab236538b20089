"""Every text of the pages is there in both languages, is used, and fills in the same values."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

from triptych.portal.site.languages import LANGUAGES, reason_in, words
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
    "why-",
)
# what people's requests reach; errors of commands and of tables that administrators upload state details in English
ANSWERING = (
    "annotation/pages.py",
    "annotation/rules.py",
    "people/managing.py",
    "survey/participation.py",
    "work/presence.py",
    "work/remarks.py",
    "work/submitting.py",
    "work/undoing.py",
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


def problems(path: Path) -> list[str]:
    """The problems of the errors that a module raises and the reasons that it gives; a value in one is 2,000."""
    found: list[ast.expr] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
            first = node.exc.args[0]
            found += [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        elif isinstance(node, ast.keyword) and node.arg == "why" and isinstance(node.value, ast.Constant):
            found.append(node.value)
    texts = []
    for each in found:
        parts = each.values if isinstance(each, ast.JoinedStr) else [each]
        texts.append("".join(str(part.value) if isinstance(part, ast.Constant) else "2,000" for part in parts))
    return texts


def test_every_reason_of_a_refusal_that_people_can_meet_is_in_chinese_too() -> None:
    found = [text for name in (*ANSWERING, "review/pages.py") for text in problems(Path(HERE) / name)]
    assert "the task is done already" in found and "nobody disagrees about it any more" in found
    for why in found:
        assert reason_in("en", why) == why
        assert re.search("[\u4e00-\u9fff]", reason_in("zh", why)), f"{why!r} has no text why-… in words/reasons.toml"
    assert reason_in("zh", "something else") == "something else"
