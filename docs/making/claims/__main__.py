"""Check the documentation: figures are recomputed, examples are run, and numbers that nothing checks are listed.

    python docs/making/claims [--write] [--require-all] [--no-examples] [PAGE…]

The exit status is 1 if a figure or an example differs, a mark is malformed or names nothing, or a number is neither
marked, nor in an example, nor in one of the forms that need no check (see unmarked.py). Claims that need data or
weights not on this machine are listed as not checked; with --require-all they are failures too. --write puts the
computed figures into the pages (examples are left to the writer).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import any_tables  # noqa: F401  (importing them makes their functions known)
import figures  # noqa: F401
import machine  # noqa: F401
import marks
import projection  # noqa: F401
import readings  # noqa: F401
import shown
import sources
import speed  # noqa: F401
import unmarked
import xmodbench  # noqa: F401
from registry import Absent, computed

PAGES = [
    sources.ROOT / "README.md",
    sources.ROOT / "benchmarks_speed/README.md",
    sources.ROOT / "benchmarks_truth/README.md",
    *sorted(sources.ROOT.glob("docs/**/*.md")),
]


@dataclass
class Tally:
    """The claims that were checked, the faults, and the claims that could not be checked here."""

    checked: int = 0
    problems: list[str] = field(default_factory=list)
    absent: set[str] = field(default_factory=set)

    def check(self, where: str, difference: Callable[[], str | None]) -> None:
        """Count one check; `difference` returns what is wrong, or None."""
        try:
            wrong = difference()
        except Absent as error:
            self.absent.add(str(error))
            return
        except Exception as error:  # noqa: BLE001  (a claim that can't be computed is a failure like any other)
            wrong = f"{type(error).__name__}: {error}"
        self.checked += 1
        if wrong:
            self.problems.append(f"{where}: {wrong}")


def main(arguments: Sequence[str]) -> int:
    """Check the pages; returns the exit status."""
    options = _parser().parse_args(arguments)
    pages = [Path(p).resolve() for p in options.pages] or PAGES
    if options.write:
        for page in pages:
            page.write_text(marks.rewritten(page, _or_none), encoding="utf-8")
    tally = Tally()
    check_figures(pages, tally)
    for page in pages:
        tally.problems += [f"{_name(page)}:{number}" for number in unmarked.unmarked(page)]
    if not options.no_examples:
        check_examples(pages, tally)
    print("\n".join([*tally.problems, *(f"not checked here: {reason}" for reason in sorted(tally.absent))]))
    print(f"documentation: {tally.checked} figures and examples checked, {len(tally.problems)} differ")
    return 1 if tally.problems or (tally.absent and options.require_all) else 0


def check_figures(pages: Iterable[Path], tally: Tally) -> None:
    """Recompute every marked figure."""
    for page in pages:
        for mark in marks.marks(page):
            if isinstance(mark, marks.Malformed):
                tally.problems.append(str(mark))
            else:
                tally.check(f"{_name(page)}:{mark.line}", lambda mark=mark: _differs(mark))


def check_examples(pages: Iterable[Path], tally: Tally) -> None:
    """Run every example whose output is shown; those of a page share a folder, in order."""
    for page in pages:
        with tempfile.TemporaryDirectory(prefix="triptych-examples-") as folder:
            for example in shown.examples(page):
                place = f"{_name(page)}:{example.line}"
                tally.check(place, lambda example=example, folder=folder: shown.problem(example, Path(folder)))


def _differs(mark: marks.Mark) -> str | None:
    return marks.difference(mark, computed(mark.name, mark.arguments))


def _or_none(name: str, arguments: tuple[str, ...]) -> str | None:
    try:
        return computed(name, arguments)
    except Exception:  # noqa: BLE001  (the check reports it)
        return None


def _name(page: Path) -> Path:
    return page.relative_to(sources.ROOT) if page.is_relative_to(sources.ROOT) else page


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="claims", description="Check the figures and examples of the documentation.")
    parser.add_argument("pages", nargs="*", help="pages [README.md, benchmarks_*/README.md, docs/**/*.md]")
    parser.add_argument("--write", action="store_true", help="write the computed figures into the pages")
    parser.add_argument("--require-all", action="store_true", help="fail where data isn't here")
    parser.add_argument("--no-examples", action="store_true", help="check figures alone")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
