"""Filter expressions, a small language that is never run as code: `outcome = wrong and (seconds > 5 or reply ~ sorry)`.

    comparison   FIELD = VALUE, != , <, <=, >, >=, ~ (contains, ignoring case), !~
    several      FIELD = (a, b): one of them; FIELD != (a, b): none of them
    joined by    and, or, not, parentheses; `not` binds closest, then `and`
    VALUE        a word, a number, or a text in '…' or "…"

The names of fields are those of the list that is filtered; a name with spaces is quoted. A field without a value (a
reply that was not scored has no score) fits no comparison except `!=` and `!~`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triptych.errors import DataError

MAX_EXPRESSION_LENGTH = 2000  # characters of an expression
DEEPEST = 40  # parentheses and `not` within each other
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<sign><=|>=|!=|!~|==|[=<>~(),])|(?P<word>[^\s=<>~!(),'"]+))"""
)
_SIGNS = ("=", "!=", "<", "<=", ">", ">=", "~", "!~")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A field, a sign, and one value or several."""

    field: str
    sign: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """Expressions joined by `and`, `or` or (one only) `not`."""

    word: str
    parts: tuple[Node, ...]


Node = Comparison | Joined


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a sign or a quoted text, and its position in the expression."""

    kind: str
    text: str
    start: int


def parse_expression(text: str) -> Node:
    """Return the syntax tree of an expression. Raises DataError with the position of what does not fit."""
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise DataError(
            "the filter expression is too long", expected=f"at most {MAX_EXPRESSION_LENGTH} characters", got=len(text)
        )
    parser = _Parser(text, list(_tokens(text)))
    node = parser.parse_joined("or")
    parser.finish()
    return node


def fields_of(node: Node) -> set[str]:
    """Return the names of the fields in an expression."""
    if isinstance(node, Comparison):
        return {node.field}
    return set().union(*(fields_of(part) for part in node.parts))


def _tokens(text: str) -> Iterator[Token]:
    position = 0
    while text[position:].strip():
        token_match = _TOKEN.match(text, position)
        if token_match is None:
            raise _error("unexpected character", text, len(text) - len(text[position:].lstrip()))
        kind = token_match.lastgroup or ""
        value = token_match[kind]
        if kind == "text":
            value = re.sub(r"\\(.)", r"\1", value[1:-1])
        yield Token(kind, "=" if kind == "sign" and value == "==" else value, token_match.start(kind))
        position = token_match.end()


def _error(problem: str, text: str, at: int, expected: str = "") -> DataError:
    return DataError(
        f"{problem} in the filter expression",
        where=f"character {at + 1} of {text!r}",
        got=text[at : at + 20] or "its end",
        expected=expected or "FIELD = VALUE, joined by and, or, not: outcome = wrong and seconds > 5",
    )


class _Parser:
    """A descent over the tokens: or, and, not, a comparison or parentheses."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text, self.tokens, self.at, self.depth = text, tokens, 0, 0

    def _next_token(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def _next_is(self, kind: str, *texts: str) -> bool:
        token = self._next_token()
        return token is not None and token.kind == kind and token.text.lower() in texts

    def _take(self, kind: str, *texts: str) -> bool:
        taken = self._next_is(kind, *texts)
        self.at += taken
        return taken

    def _fail(self, problem: str, expected: str = "") -> DataError:
        token = self._next_token()
        return _error(problem, self.text, token.start if token else len(self.text), expected)

    def parse_joined(self, word: str) -> Node:
        """Return a sequence joined by `or` or by `and`."""
        below: Callable[[], Node] = (lambda: self.parse_joined("and")) if word == "or" else self.parse_negated
        parts = [below()]
        while self._take("word", word):
            parts.append(below())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def parse_negated(self) -> Node:
        """Return a comparison, or an expression after `not` or in parentheses."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self._fail("too many parentheses", f"at most {DEEPEST} within each other")
        try:
            if self._take("word", "not"):
                return Joined("not", (self.parse_negated(),))
            if self._take("sign", "("):
                inner = self.parse_joined("or")
                if not self._take("sign", ")"):
                    raise self._fail("missing parenthesis", "')'")
                return inner
            return self.comparison()
        finally:
            self.depth -= 1

    def comparison(self) -> Comparison:
        """Return FIELD SIGN VALUE."""
        name = self.value("the name of a field")
        token = self._next_token()
        if token is None or token.kind != "sign" or token.text not in _SIGNS:
            raise self._fail("missing comparison", " ".join(_SIGNS))
        self.at += 1
        if not self._take("sign", "("):
            return Comparison(name, token.text, (self.value("a value"),))
        values = [self.value("a value")]
        while self._take("sign", ","):
            values.append(self.value("a value"))
        if not self._take("sign", ")"):
            raise self._fail("missing parenthesis", "')' after the list of values")
        if token.text in ("<", "<=", ">", ">="):
            raise _error(f"a list of values after {token.text!r}", self.text, token.start, "one number")
        return Comparison(name, token.text, tuple(values))

    def value(self, what: str) -> str:
        """Return the next word or quoted text."""
        token = self._next_token()
        reserved = token is not None and token.kind == "word" and token.text.lower() in ("and", "or", "not")
        if token is None or token.kind == "sign" or reserved:
            raise self._fail(f"missing {what.split()[-1] if what.startswith('a ') else 'name of a field'}", what)
        self.at += 1
        return token.text

    def finish(self) -> None:
        """Raise DataError if tokens are left."""
        if self._next_token() is not None:
            raise self._fail("unexpected text", "and, or, or the end of the expression")


@dataclass(frozen=True, slots=True)
class Field:
    """A field as SQL. `numeric`: compared as a number; `words`: a text that is stored in lower case."""

    sql: str
    numeric: bool = False
    words: bool = False


def as_sql(node: Node, field_of: Callable[[str], Field | None], names: str) -> tuple[str, list[Any]]:
    """Return the expression as SQL with bound values. `names`: the fields, for the error about an unknown one."""
    if isinstance(node, Joined):
        parts = [as_sql(part, field_of, names) for part in node.parts]
        values = [value for _, sql_values in parts for value in sql_values]
        if node.word == "not":
            return f"(NOT {parts[0][0]})", values
        return "(" + f" {node.word.upper()} ".join(sql for sql, _ in parts) + ")", values
    field = field_of(node.field)
    if field is None:
        raise unknown_field(node.field, names)
    return _comparison_sql(node, field)


def unknown_field(name: str, names: str) -> DataError:
    """Return the error about a field that a list does not have."""
    return DataError(f"the filter expression has an unknown field {name!r}", expected=names)


def _comparison_sql(node: Comparison, field: Field) -> tuple[str, list[Any]]:
    negated = "NOT " if node.sign in ("!=", "!~") else ""
    if node.sign in ("~", "!~"):
        sought = [value.casefold() if field.words else value.lower() for value in node.values]
        text = field.sql if field.words else f"lower(CAST({field.sql} AS VARCHAR))"
        each = [f"contains({text}, ?)" for _ in sought]
        return f"({negated}coalesce({' OR '.join(each)}, false))", sought
    if node.sign in ("=", "!="):
        marks = ", ".join("?" * len(node.values))
        if field.numeric:
            return f"({negated}coalesce({field.sql} IN ({marks}), false))", [number(v, node) for v in node.values]
        values = [value.casefold() if field.words else value.lower() for value in node.values]
        return f"({negated}coalesce({field.sql if field.words else f'lower({field.sql})'} IN ({marks}), false))", values
    own_number = field.sql if field.numeric else f"TRY_CAST({field.sql} AS DOUBLE)"
    return f"coalesce({own_number} {node.sign} ?, false)", [number(node.values[0], node)]


def number(text: str, node: Comparison) -> float:
    """Return a value as a number. Raises DataError if it is not one."""
    try:
        return float(text)
    except ValueError:
        raise DataError(
            f"{node.field!r} is compared with a number in the filter expression",
            expected=f"{node.field} {node.sign} 5",
            got=text,
        ) from None


def is_true_of(node: Node, values: Mapping[str, Sequence[str]], names: str) -> bool:
    """Return whether an expression is true of something with these fields, each with any number of values.

    A field that has several values (tags) fits if one of them does; `!=` and `!~` fit if none does.
    """
    if isinstance(node, Joined):
        each = (is_true_of(part, values, names) for part in node.parts)
        return not next(each) if node.word == "not" else (all(each) if node.word == "and" else any(each))
    if node.field not in values:
        raise unknown_field(node.field, names)
    return _fits(node, values[node.field])


def _fits(node: Comparison, texts: Sequence[str]) -> bool:
    if node.sign in ("~", "!~"):
        any_fits = any(value.casefold() in text.casefold() for text in texts for value in node.values)
        return any_fits == (node.sign == "~")
    if node.sign in ("=", "!="):
        return any(_is_same_text(text, value) for text in texts for value in node.values) == (node.sign == "=")
    bound = number(node.values[0], node)
    each = [float(text) for text in texts if re.fullmatch(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", text)]
    return any({"<": n < bound, "<=": n <= bound, ">": n > bound, ">=": n >= bound}[node.sign] for n in each)


def _is_same_text(text: str, value: str) -> bool:
    return text.casefold() == value.casefold()
