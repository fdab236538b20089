"""The plain text of a LaTeX cell or formula: commands replaced by what they print, and how the cell is marked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from triptych.audit.sheets.raw import MAX_CELL_LENGTH

_DEEPEST = 20  # braces within braces
_SYMBOLS = {
    "pm": "±",
    "uparrow": "↑",
    "downarrow": "↓",
    "Uparrow": "↑",
    "Downarrow": "↓",
    "textuparrow": "↑",
    "textdownarrow": "↓",
    "nearrow": "↑",
    "searrow": "↓",
    "Delta": "Δ",
    "delta": "δ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "lambda": "λ",
    "mu": "μ",
    "sigma": "σ",
    "rho": "ρ",
    "tau": "τ",
    "kappa": "κ",
    "times": "×",
    "textpm": "±",
    "checkmark": "✓",
    "cmark": "✓",
    "ding": "",
    "xmark": "✗",
    "to": "→",
    "rightarrow": "→",
    "mapsto": "→",
    "longrightarrow": "→",
    "shortrightarrow": "→",
    "Rightarrow": "→",
    "textrightarrow": "→",
    "leftarrow": "←",
    "leftrightarrow": "↔",
    "leq": "≤",
    "geq": "≥",
    "le": "≤",
    "ge": "≥",
    "sim": "~",
    "approx": "≈",
    "textasciitilde": "~",
    "textendash": "–",
    "textemdash": "—",
    "textminus": "-",
    "ldots": "...",
    "dots": "...",
    "cdot": "·",
    "quad": " ",
    "qquad": " ",
    "enspace": " ",
    "thinspace": " ",
    "newline": " ",
    "linebreak": " ",
    "par": " ",
    "percent": "%",
    "textbackslash": "",
    "infty": "∞",
    "dagger": "†",
    "ddagger": "‡",
    "dag": "†",
    "ddag": "‡",
    "ast": "*",
    "star": "★",
    "textdegree": "°",
}
# Commands whose arguments aren't printed: number of {…} arguments.
_SILENT = {
    "cite": 1,
    "citep": 1,
    "citet": 1,
    "citealp": 1,
    "citeyear": 1,
    "citeauthor": 1,
    "footnote": 1,
    "tablefootnote": 1,
    "footnotetext": 1,
    "label": 1,
    "ref": 1,
    "cref": 1,
    "Cref": 1,
    "hspace": 1,
    "vspace": 1,
    "hphantom": 1,
    "phantom": 1,
    "vphantom": 1,
    "color": 1,
    "cellcolor": 1,
    "rowcolor": 1,
    "columncolor": 1,
    "rule": 2,
    "includegraphics": 1,
    "arrayrulecolor": 1,
    "fontsize": 2,
    "setlength": 2,
    "addtolength": 2,
    "renewcommand": 2,
    "hskip": 0,
    "kern": 0,
    "fontseries": 1,
    "definecolor": 3,
    "noalign": 1,
    "vrule": 0,
    "tnote": 1,
    "mbox ": 0,
    "ding": 1,
    "faIcon": 1,
    "parencite": 1,
    "autocite": 1,
    "nocite": 1,
    "emoji": 1,
    "gls": 0,
    "tablenotes": 0,
    "thead ": 0,
}
# Commands with arguments before the printed one: number of {…} arguments that aren't printed.
_LAST = {
    "textcolor": 1,
    "colorbox": 1,
    "href": 1,
    "rotatebox": 1,
    "scalebox": 1,
    "resizebox": 2,
    "raisebox": 1,
    "parbox": 1,
    "fcolorbox": 2,
    "hyperref": 0,
    "makebox": 0,
    "adjustbox": 1,
    "multicolumn": 2,
    "multirow": 2,
    "foreignlanguage": 1,
    "multirowcell": 1,
    "hl": 0,
    "begin": 9,
    "end": 9,
}
_BOLD = {"textbf", "mathbf", "bm", "boldsymbol", "bfseries", "bf", "pmb", "B", "bold", "textbfseries", "best", "first"}
_UNDER = {"underline", "uline", "ul", "second", "underbar", "dashuline", "uwave"}
# Macros of other files, as papers name them for differences: their definition isn't here, but their meaning is clear.
_CHANGES = {
    **dict.fromkeys(("up", "inc", "incr", "increase", "improve", "gain", "upgood", "upbad", "plus"), "↑"),
    **dict.fromkeys(("dn", "down", "dec", "decr", "decrease", "drop", "downgood", "downbad", "minus"), "↓"),
}
_COMMAND = re.compile(r"\\([A-Za-z@]+\*?|.)", re.DOTALL)


@dataclass(slots=True)
class Printed:
    """The text of a LaTeX source so far, its marks, and the spans of a cell."""

    text: list[str] = field(default_factory=list)
    bold: bool = False
    underlined: bool = False
    columns: int = 1
    rows: int = 1

    def add(self, text: str) -> None:
        self.text.append(text)


def plain_math(source: str) -> str:
    """Return the plain text of a formula: `{67.2}_{\\pm 0.3}` is `67.2 ±0.3`."""
    return plain_latex(source).text[0]


def plain_latex(source: str) -> Printed:
    """Return the plain text of a piece of LaTeX as a single string, its marks, and its spans."""
    printed = Printed()
    _read(source[: 4 * MAX_CELL_LENGTH], printed, 0)
    text = re.sub(r"\s+", " ", "".join(printed.text)).strip()
    printed.text = [text[:MAX_CELL_LENGTH]]
    return printed


def _read(source: str, out: Printed, depth: int) -> None:
    """Append what a source prints."""
    if depth > _DEEPEST:
        return
    at = 0
    while at < len(source):
        c = source[at]
        if c == "\\":
            at = _command(source, at, out, depth)
        elif c == "{":
            inner, at = group(source, at)
            _read(inner, out, depth + 1)
        elif c in "^_":
            inner, at = _argument(source, at + 1)
            _raised(inner, out, depth, low=c == "_")
        elif c == "~":
            out.add(" ")
            at += 1
        elif c in "$}":
            at += 1
        elif source.startswith("---", at) or source.startswith("--", at):
            at += 3 if source.startswith("---", at) else 2
            out.add("–")
        else:
            out.add(c)
            at += 1


def _raised(source: str, out: Printed, depth: int, *, low: bool) -> None:
    """Append a superscript or subscript if it is a difference or a margin; otherwise only subscripts are kept."""
    printed = Printed()
    _read(source, printed, depth + 1)
    text = "".join(printed.text).strip()
    telling = text[:1] in tuple("(+-−±↑↓▲▼") and any(c.isdigit() for c in text)
    after_number = bool(out.text) and "".join(out.text[-3:]).strip()[-1:].isdigit()
    if telling:
        out.add(f" {text}")
    elif low and not after_number:
        out.add(text)
    elif low and any(c.isdigit() for c in text) and "." in text:
        out.add(f" ±{text}")  # 67.2_{0.3}: a margin without its sign


def _command(source: str, at: int, out: Printed, depth: int) -> int:
    """Append what the command at `at` prints; return the position after it and its arguments."""
    command_match = _COMMAND.match(source, at)
    if not command_match:
        return at + 1
    name, at = command_match[1].rstrip("*"), command_match.end()
    if not name.isalpha():
        out.add(
            " "
            if command_match[1] in ", ;:!/\\\n" and command_match[1] not in "!/"
            else ""
            if command_match[1] in "!/()[]"
            else command_match[1]
        )
        return at
    if name in _BOLD:
        out.bold = True
    if name in _UNDER:
        out.underlined = True
    if name in {"multicolumn", "multirow", "multirowcell"}:
        return _spanning(name, source, at, out, depth)
    if name in {"textsuperscript", "tss"} or name in {"textsubscript", "tsb"}:
        inner, at = _argument(source, at)
        _raised(inner, out, depth, low="sub" in name or name == "tsb")
        return at
    if name in _SILENT and name not in _LAST:
        out.add(_SYMBOLS.get(name, ""))
        return _skip(source, at, _SILENT[name])
    if name in _SYMBOLS:
        out.add(_SYMBOLS[name])
        return at
    if name in _CHANGES and source[at : at + 1] == "{":
        out.add(f" {_CHANGES[name]}")
        return at
    if name in {"begin", "end"}:
        at = _skip(source, at, 1)
        return _skip(source, at, 1) if name == "begin" and source[at : at + 1] in ("[", "{") else at
    return _skip(source, at, _LAST.get(name, 0), options_too=name in _LAST or source[at : at + 1] == "[")


def _spanning(name: str, source: str, at: int, out: Printed, depth: int) -> int:
    """Read \\multicolumn{n}{spec}{text}, \\multirow[…]{n}[…]{width}[…]{text} or \\multirowcell{n}{text}."""
    at = _options(source, at)
    count, at = _argument(source, at)
    at = _options(source, at)
    number = int(count) if re.fullmatch(r"-?\d{1,4}", count.strip()) else 1
    if name == "multicolumn":
        out.columns = max(number, 1)
    else:
        out.rows = number
    if name != "multirowcell":
        _, at = _argument(source, at)
        at = _options(source, at)
    inner, at = _argument(source, at)
    _read(inner, out, depth + 1)
    return at


def _skip(source: str, at: int, arguments: int, *, options_too: bool = True) -> int:
    """Return the position after this number of arguments, and the options before them."""
    at = _options(source, at) if options_too else at
    for _ in range(arguments):
        _, at = _argument(source, at)
        at = _options(source, at) if source[at : at + 1] == "[" else at
    return at


def _options(source: str, at: int) -> int:
    """Return the position after [options], if there are any."""
    while source[at : at + 1] == "[":
        end = source.find("]", at)
        if end < 0 or end - at > 200:
            return at
        at = end + 1
    return at


def _argument(source: str, at: int) -> tuple[str, int]:
    """Return an argument, in braces or a single character or command, and the position after it."""
    while source[at : at + 1].isspace():
        at += 1
    if source[at : at + 1] == "{":
        return group(source, at)
    if source[at : at + 1] == "\\" and (command_match := _COMMAND.match(source, at)):
        return command_match[0], command_match.end()
    return source[at : at + 1], at + 1


def group(source: str, at: int) -> tuple[str, int]:
    """Return the text of the braces that open at `at`, and the position after them; all the rest if none close."""
    depth, start = 0, at
    while start < len(source):
        c = source[start]
        if c == "\\":
            start += 2
            continue
        depth += (c == "{") - (c == "}")
        start += 1
        if depth == 0:
            return source[at + 1 : start - 1], start
    return source[at + 1 :], len(source)
