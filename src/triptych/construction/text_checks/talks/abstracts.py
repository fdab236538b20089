"""Faults of the abstract of a talk: what the files that it was copied from left in it."""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

Fault = tuple[str, str]
_LATEX = re.compile(
    r"\\[A-Za-z]+\s?[\[{]|\\[%&_#${}]|\$[^$\n]{0,40}[\\{}^_=][^$\n]{0,40}\$|[A-Za-z)]~[\w\\(]|``"
    r"|(?<=\w)''(?!\w)|\{\\|\\(?:emph|textit|textbf|cite\w*|ref)\b"
    r"|</?(?:fixed-case|tex-math|url|author|abstract|jats:\w+)[^<>]{0,60}>"
)
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_HYPHENATED = re.compile(r"\b[a-z]{2,}- (?!and\b|or\b|to\b|versus\b|but\b|than\b)[a-z]{2,}")
_END = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]]*\s*$|https?://\S+\s*$")
MIN_WORDS = 8  # of an abstract; the Anthology's have about 150


@reads_shortened
def abstract_fault(text: str) -> Fault | None:
    """Return what is wrong with an English abstract; None if nothing is.

    >>> abstract_fault("We follow \\citet{lee2024} and count moths under the lamps of a village.")[0]
    'markup'
    >>> abstract_fault("Under white light there were 1,840 moths, under amber light only 610, and the")[0]
    'text-cut-off'
    """
    if match := _LATEX.search(text):
        return "markup", f"LaTeX or XML: {match[0][:40]!r}"
    if match := _LIGATURE.search(text) or _HYPHENATED.search(text):
        return "markup", f"copied from a page: {match[0][:40]!r}"
    if len(text.split()) < MIN_WORDS:
        return "placeholder", f"{text[:60]!r} is not an abstract"
    if not _END.search(text):
        return "text-cut-off", f"it has no mark at its end: {text[-40:]!r}"
    return None
