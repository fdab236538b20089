"""Tables of LaTeX source: tabular and its relatives, with booktabs, multirow, multicolumn and macros of one line."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace

from triptych.audit.sheets.latex import group, plain_latex
from triptych.audit.sheets.raw import MAX_COLUMNS, MAX_ROWS, MAX_TABLES, RawCell, RawTable, expand_spans
from triptych.errors import DataError

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_BLOCK_COMMENT = re.compile(r"\\begin\{comment\}.*?\\end\{comment\}", re.DOTALL)
_VERBATIM = re.compile(r"\\begin\{(verbatim|lstlisting|minted)\}.*?\\end\{\1\}", re.DOTALL)
_NAMES = r"(?:tabular\*?|tabularx|tabulary|longtable|longtabu|tabu|supertabular|NiceTabular\*?|xltabular|array)"
_BEGIN_OR_END = re.compile(rf"\\(begin|end)\s*\{{({_NAMES})\}}")
_MACRO = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\\([A-Za-z]+)\}?\s*(?:\[(\d)\])?(?:\[[^\[\]]*\])?\s*(?=\{)|\\def\s*\\([A-Za-z]+)((?:#\d)*)\s*(?=\{)"
)
# Number of {…} arguments of commands between rows.
_RULE_ARGUMENTS = {
    "cmidrule": 1,
    "cline": 1,
    "specialrule": 3,
    "cdashline": 1,
    "noalign": 1,
    "rowcolor": 1,
    "arrayrulecolor": 1,
    "Xhline": 1,
    "Xcline": 2,
    "tabucline": 1,
    "rowcolors": 3,
    "rowfont": 1,
    "rowstyle": 1,
    "RowStyle": 1,
}
_RULE = re.compile(
    r"\\(toprule|midrule|bottomrule|hline|addlinespace|hdashline|endfirsthead|endhead|endfoot|endlastfoot|thickhline|Hline|"
    rf"shline|morecmidrules|{'|'.join(_RULE_ARGUMENTS)})(?![A-Za-z])"
)
_WHOLE_RULE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|Xhline|specialrule|hdashline|thickhline|Hline|shline)\b"
)
_CAPTION = re.compile(r"\\(?:caption|captionof\{table\}|tabcaption)\s*(?:\[[^\[\]]*\])?\s*(?=\{)")
_FLOAT_ENDS = re.compile(
    r"\\(begin|end)\s*\{(?:table|wraptable|sidewaystable|minipage|subtable|figure|threeparttable)\*?\}"
)
_STACKED = re.compile(
    r"\\(?:makecell|shortstack|thead|specialcell|tabincell|Centerstack)\s*(?:\[[^\[\]]*\])?\s*(?:\{[lcr]\}\s*)?(?=\{)"
)
_UNKNOWN_NAME = re.compile(r"[\s{}$]*\\([A-Za-z]{2,40})[\s{}$]*")
_UNNAMED = re.compile(
    r"\\(?:tiny|scriptsize|footnotesize|small|normalsize|large|centering|raggedright|raggedleft|hfill|hline|quad|qquad|"
    r"bfseries|bf|itshape|it|rm|tt|sc|arraybackslash|null|relax|noindent|strut|hspace\*?\{[^{}]*\}|vspace\*?\{[^{}]*\}|"
    r"rowcolor(?:\[[^\]]*\])?\{[^{}]*\}|cellcolor(?:\[[^\]]*\])?\{[^{}]*\}|cite[a-z]*\{[^{}]*\})(?![A-Za-z])"
)
_MAX_EXPANSIONS, _MAX_LENGTH = 20_000, 2_000_000


def latex_tables(text: str, where: str) -> list[RawTable]:
    """Return the tables of a LaTeX source in their order. Nothing of it is run; files that it includes aren't read.

    Raises DataError if there are too many tables, one is too large, or macros expand without end.
    """
    text = _BLOCK_COMMENT.sub(lambda m: "\n" * m[0].count("\n"), _COMMENT.sub(r"\1", text))
    text = _VERBATIM.sub(lambda m: "\n" * m[0].count("\n"), text)
    macros = dict(_macros(text))
    ends = [m.start() for m in re.finditer("\n", text)]
    tables = []
    for begin, body_at, end in _environments(text):
        line = bisect(ends, begin) + 1
        body = _expanded(_unstacked(text[body_at:end]), macros, f"{where}:{line}")
        rows, rules = _rows(body, f"{where}:{line}")
        if rows:
            cells = expand_spans(rows, f"{where}:{line}", listed=True)
            tables.append(RawTable(_fill_upward(cells), line, _caption(text, begin, end, macros, where), rules))
        if len(tables) > MAX_TABLES:
            raise DataError("a file has too many tables", expected=f"at most {MAX_TABLES:,}", where=where)
    return tables


def _macros(text: str) -> Iterator[tuple[str, tuple[int, str]]]:
    """Yield (name, (number of arguments, replacement)) of the macros whose replacement is on one line."""
    for match in _MACRO.finditer(text):
        body, _ = group(text, match.end())
        name = match[1] or match[3]
        arguments = int(match[2] or 0) if match[1] else (match[4] or "").count("#")
        if "\n" not in body.strip() and f"\\{name}" not in body and len(body) < 2_000:
            yield name, (arguments, body.strip())


def _expanded(text: str, macros: dict[str, tuple[int, str]], where: str) -> str:
    """Return the text with macros replaced, those within macros too."""
    if not macros:
        return text
    names = re.compile(r"\\(" + "|".join(sorted(map(re.escape, macros), key=len, reverse=True)) + r")(?![A-Za-z@])")
    count, at = 0, 0
    while macro_match := names.search(text, at):
        arguments, body = macros[macro_match[1]]
        end = macro_match.end()
        for number in range(arguments):
            while text[end : end + 1].isspace():
                end += 1
            argument, end = group(text, end) if text[end : end + 1] == "{" else (text[end : end + 1], end + 1)
            body = body.replace(f"#{number + 1}", argument)
        shown = body if "&" in body else f"{{{body}}}"  # a macro of several cells mustn't be hidden in braces
        text = text[: macro_match.start()] + shown + text[end:]
        at, count = macro_match.start(), count + 1
        if count > _MAX_EXPANSIONS or len(text) > _MAX_LENGTH:
            raise DataError("macros of a table expand without end", where=where)
    return text


def _environments(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield (begin, begin of the body, end of the body) of the outermost tables."""
    open_at: list[tuple[int, int]] = []
    for match in _BEGIN_OR_END.finditer(text):
        if match[1] == "begin":
            open_at.append((match.start(), match.end()))
        elif open_at:
            begin, after = open_at.pop()
            if not open_at:
                yield begin, _after_spec(text, begin, after), match.start()


def _after_spec(text: str, begin: int, at: int) -> int:
    """Return the position after the options and arguments of \\begin{…}."""
    name = _BEGIN_OR_END.match(text, begin)
    wide = name is not None and name[2] in {"tabular*", "tabularx", "tabulary", "xltabular", "NiceTabular*"}
    for _ in range(4):
        while text[at : at + 1].isspace():
            at += 1
        if text[at : at + 1] == "[":
            at = text.find("]", at) + 1 or len(text)
    for _ in range(2 if wide else 1):
        while text[at : at + 1].isspace():
            at += 1
        if text[at : at + 1] == "{":
            _, at = group(text, at)
    if text[at : at + 1] == "[":
        at = text.find("]", at) + 1 or len(text)
    return at


def _unstacked(body: str) -> str:
    """Return the body with stacked lines inside cells (\\makecell, a tabular in a cell) joined by spaces."""
    while begin_match := re.search(rf"\\begin\s*\{{({_NAMES})\}}", body):
        ends = re.search(rf"\\end\s*\{{{re.escape(begin_match[1])}\}}", body[begin_match.end() :])
        if not ends:
            break
        inner = body[_after_spec(body, begin_match.start(), begin_match.end()) : begin_match.end() + ends.start()]
        inner = re.sub(r"\\\\\*?(?:\[[^\[\]]*\])?|&", " ", re.sub(rf"\\begin\s*\{{{_NAMES}\}}", " ", inner))
        body = f"{body[: begin_match.start()]}{{{inner}}}{body[begin_match.end() + ends.end() :]}"
    at = 0
    while begin_match := _STACKED.search(body, at):
        inner, end = group(body, begin_match.end())
        body = f"{body[: begin_match.start()]}{{{_joined(inner)}}}{body[end:]}"
        at = begin_match.start()
    return body


def _joined(inner: str) -> str:
    return re.sub(r"\\\\\*?(?:\[[^\[\]]*\])?", " ", inner)


def _rows(body: str, where: str) -> tuple[list[list[RawCell]], list[int]]:
    """Return the rows, and the numbers of rows before which a rule is drawn across the whole table."""
    rows: list[list[RawCell]] = []
    rules: list[int] = []
    for source in _split(body, "\\\\"):
        rest = source.lstrip()
        while rule_match := _RULE.match(rest):
            if _WHOLE_RULE.match(rest):
                rules.append(len(rows))
            rest = _after_rule(rest[rule_match.end() :], rule_match[1]).lstrip()
        if rest.strip():
            rows.append([_cell(cell) for cell in _split(rest, "&")][:MAX_COLUMNS])
        if len(rows) > MAX_ROWS:
            raise DataError("a table has too many rows", expected=f"at most {MAX_ROWS:,}", where=where)
    return [row for row in rows if row], sorted(set(rules))


def _after_rule(source: str, name: str) -> str:
    """Return what follows a rule and its arguments: \\cmidrule(lr){2-4}, \\cline{1-2}, \\addlinespace[2pt]."""
    braces = _RULE_ARGUMENTS.get(name, 0)
    source = source.lstrip()
    while source[:1] in ("(", "[", "{") and source:
        if source[0] == "{":
            if not braces:
                break
            braces -= 1
            _, end = group(source, 0)
        else:
            end = source.find(")" if source[0] == "(" else "]") + 1
            if not end or end > 80:
                break
        source = source[end:].lstrip()
    return source


def _split(source: str, mark: str) -> Iterator[str]:
    """Yield the pieces between marks (`&` or `\\\\`) that are outside braces."""
    depth, start, at = 0, 0, 0
    while at < len(source):
        if (
            mark == "\\\\"
            and depth <= 0
            and (source.startswith("\\\\", at) or source.startswith("\\tabularnewline", at))
        ):
            yield source[start:at]
            at += 2 if source.startswith("\\\\", at) else len("\\tabularnewline")
            option = re.compile(r"\*?\s*\[[^\[\]\n]{0,20}\]|\*").match(source, at)
            start = at = option.end() if option else at
        elif source[at] == "\\":
            at += 2
        elif mark == "&" and depth <= 0 and source[at] == "&":
            yield source[start:at]
            start = at = at + 1
        else:
            depth += (source[at] == "{") - (source[at] == "}")
            at += 1
    yield source[start:]


def _cell(source: str) -> RawCell:
    printed = plain_latex(source)
    text = printed.text[0]
    if not text and (named := _UNKNOWN_NAME.fullmatch(_UNNAMED.sub("", source))):
        text = named[1]  # a name that another file defines, as \\ours: better than that of the row above
    return RawCell(text, printed.bold, printed.underlined, columns=min(printed.columns, MAX_COLUMNS), rows=printed.rows)


def _fill_upward(cells: list[list[RawCell]]) -> list[list[RawCell]]:
    """Return the cells with those of \\multirow{-3} also in the rows above that they span."""
    for number, row in enumerate(cells):
        for index, cell in enumerate(row):
            if cell.rows >= -1 or cell.repeated or not cell.text:
                continue
            for above in range(max(0, number + cell.rows + 1), number):
                if not cells[above][index].text:
                    cells[above][index] = replace(cell, rows=1)
    return cells


def _caption(text: str, begin: int, end: int, macros: dict[str, tuple[int, str]], where: str) -> str:
    """Return the caption of the float around a table: the last before it, or the first after it, inside the float."""
    floats = list(_FLOAT_ENDS.finditer(text, max(0, begin - 20_000), begin))
    low = floats[-1].start() if floats else max(0, begin - 2_000)
    after = _FLOAT_ENDS.search(text, end, end + 5_000)
    high = after.end() if after else end
    before = list(_CAPTION.finditer(text, low, begin))
    caption_match = before[-1] if before else _CAPTION.search(text, end, high)
    if not caption_match:
        return ""
    inner, _ = group(text, caption_match.end())
    return plain_latex(_expanded(inner[:2_000], macros, where)).text[0][:300]
