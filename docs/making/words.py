"""Prose that docs/writing.md advises against: `python docs/making/words.py [PATH…]` lists it as file:line.

The expressions and what to write instead are in words.toml. Checked: the README, CONTRIBUTING, the changelog, the
documentation, and under src/ every comment and every string with a space in it (docstrings, messages, help texts),
comments of scripts, templates and TOML files. Text in backquotes, code blocks and the braces of f-strings is not prose.

words_allowed.toml holds how many findings each room may still have. `--lower ROOM…` writes the present
counts of these rooms if they are lower; nothing raises them.

Identifiers are checked, too (identifiers.py): `--names [PATH…]` lists them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import identifiers  # noqa: E402

ROOT = HERE.parents[1]
ALLOWED = HERE / "words_allowed.toml"
TOP = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs",
    "benchmarks_speed/README.md",
    "benchmarks_truth/README.md",
    "src/triptych",
)
_SHOWN = 30  # findings of a room in a message
# Comments and strings of Python 3.11, in which an f-string has no quotes of its own kind inside
_COMMENTS_AND_STRINGS = re.compile(
    r"""#[^\n]*|(?<!\w)[A-Za-z]{0,2}(?:\"{3}(?:[^"\\]|\\.|"(?!""))*+\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*+'{3}"""
    r"""|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+')""",
    re.S,
)
_STRING = re.compile(r"""(?i)^[a-z]*("{3}|'{3}|"|')(.*)\1$""", re.S)


@dataclass(frozen=True, slots=True)
class Rule:
    """An expression to avoid, what to write instead, and the paths it is limited to (none: everywhere)."""

    avoid: re.Pattern[str]
    use: str
    only: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """One place to rewrite."""

    path: str
    line: int
    text: str
    use: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text} -> {self.use}"

    @property
    def room(self) -> str:
        """The package under src/triptych, or the first folder or file of the repository."""
        parts = Path(self.path).parts
        return parts[2] if parts[:2] == ("src", "triptych") and len(parts) > 3 else parts[0]


@cache
def rules() -> tuple[tuple[Rule, ...], tuple[str, ...]]:
    """The rules of words.toml, and the paths that are not checked."""
    data = tomllib.loads((HERE / "words.toml").read_text(encoding="utf-8"))
    made = (
        Rule(re.compile(r["avoid"].replace(" ", r"\s"), re.I | re.M), r["use"], tuple(r.get("only", ())))
        for r in data["rule"]
    )
    return tuple(made), tuple(data["ignored"])


def findings(tops: Sequence[str] = TOP) -> Iterator[Found]:
    """Every place below these paths of the repository that a rule names."""
    every, ignored = rules()
    for path in files(tops):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(ignored):
            continue
        mine = [rule for rule in every if not rule.only or name.startswith(rule.only)]
        yield from (Found(name, line, text, use) for line, text, use in matches(path, mine))


def matches(path: Path, chosen: Sequence[Rule]) -> Iterator[tuple[int, str, str]]:
    """(Line, the words with their surroundings, what to write instead) of each match in one file."""
    at_words, others = _beginnings(tuple(chosen))
    for start, text in prose(path):
        for rule in chosen if at_words.search(text) else others:
            for match in rule.avoid.finditer(text):
                yield start + text.count("\n", 0, match.start()), _around(text, match), rule.use


@cache
def _beginnings(chosen: tuple[Rule, ...]) -> tuple[re.Pattern[str], tuple[Rule, ...]]:
    """One expression that finds something where any of the rules that begin at a word does, and the other rules.

    Searching for it takes a third of the time that searching for each rule takes: most positions don't begin a word.
    """
    at_words = [r for r in chosen if all(way.startswith(r"\b") for way in _alternatives(r.avoid.pattern))]
    every = "|".join(f"(?:{rule.avoid.pattern})" for rule in at_words) or "(?!)"
    return re.compile(rf"\b(?:{every})", re.I | re.M), tuple(rule for rule in chosen if rule not in at_words)


def _alternatives(pattern: str) -> list[str]:
    """The parts of an expression that `|` separates outside of groups and classes."""
    parts, depth = [""], 0
    for piece in re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", pattern, re.S):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += piece
    return parts


def _around(text: str, match: re.Match[str]) -> str:
    before, after = text[max(0, match.start() - 24) : match.start()], text[match.end() : match.end() + 24]
    return " ".join(f"{before}[{match[0].strip()}]{after}".split())


def files(tops: Sequence[str]) -> Iterator[Path]:
    """The files that hold prose, in a fixed order."""
    for top in tops:
        path = ROOT / top
        below = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (p for p in below if p.suffix in (".py", ".md", ".toml", ".html", ".j2", ".js") and p.is_file())


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """(Line of the first character, text) of each comment, string or paragraph of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _python(text)
    elif path.suffix == ".md":
        yield 1, _without_code(text)
    elif path.suffix == ".js":
        for number, line in enumerate(text.splitlines(), 1):
            if comment := re.search(r"(?:^|\s)//\s*(.*)", line):  # /** */ are types
                yield number, _inline(comment[1])
    elif path.suffix == ".toml":
        yield 1, re.sub(r"^\s*[\w.-]+ =", "=", text, flags=re.M)
    else:
        yield 1, re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "{}", text)


def _python(text: str) -> Iterator[tuple[int, str]]:
    line = start = 0
    for match in _COMMENTS_AND_STRINGS.finditer(text):
        line, start = line + text.count("\n", start, match.start()), match.start()
        if match[0][0] == "#":
            yield line + 1, match[0].lstrip("# ")
        elif " " in match[0] and (found := _STRING.match(match[0])):
            filled = "f" in match[0][: found.start(1)].lower()
            yield line + 1, _inline(re.sub(r"\{[^{}]*\}", "{}", found[2]) if filled else found[2])


def _inline(text: str) -> str:
    """The text without what is between backquotes, and without indentation."""
    return re.sub(r"(?<=\n)[ \t]+", "", re.sub(r"`[^`\n]*`", "`", text))


def _without_code(text: str) -> str:
    """Markdown without code blocks, code and HTML comments; every line keeps its number."""
    text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), text, flags=re.S | re.M)
    return _inline(re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S))


def allowed() -> dict[str, int]:
    """Room -> how many findings it may still have; a room that is not listed may have none."""
    return dict(tomllib.loads(ALLOWED.read_text(encoding="utf-8"))) if ALLOWED.exists() else {}


def over(found: Sequence[Found]) -> list[str]:
    """The findings of rooms that have more than they may, as lines to print."""
    counts, most = Counter(f.room for f in found), allowed()
    lines = []
    for room in sorted(room for room, n in counts.items() if n > most.get(room, 0)):
        lines.append(f"{room}: {counts[room]} findings, at most {most.get(room, 0)} allowed; some of them:")
        lines += [f"  {f}" for f in found if f.room == room][:_SHOWN]
    return lines


def lower(found: Sequence[Found], rooms: Sequence[str]) -> None:
    """Write the present counts of these rooms if they are lower than what is allowed."""
    counts, most = Counter(f.room for f in found), allowed()
    lowered = {room: min(n, counts[room]) if room in rooms else n for room, n in most.items()}
    kept = {room: n for room, n in lowered.items() if n}
    head = "# Findings of docs/making/words.py that each room may still have. `words.py --lower ROOM` lowers them.\n"
    ALLOWED.write_text(head + "".join(f'"{room}" = {n}\n' for room, n in sorted(kept.items())), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """List the findings below the given paths, and whether a room has more than it may."""
    paths = [a for a in arguments if not a.startswith("-")]
    if "--names" in arguments:
        return _identifiers(paths)
    if "--lower" in arguments:
        lower(list(findings()), paths)
        return 0
    found = list(findings(paths or TOP))
    print(*found, sep="\n")
    print(*(f"{n:5} {room}" for room, n in Counter(f.room for f in found).most_common()), sep="\n")
    names = [] if paths else identifiers.findings()
    print(*names, sep="\n")
    return 1 if names or (not paths and over(found)) else 0


def _identifiers(paths: Sequence[str]) -> int:
    """List the identifiers below the given paths, and how many there are of each kind and word."""
    found = identifiers.findings(paths or identifiers.TOP)
    print(*found, sep="\n")
    print(*(f"{n:5} {kind} {word}" for (kind, word), n in identifiers.counts_of(found).most_common()), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
