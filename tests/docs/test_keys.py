"""Every key that a reader of TOML files accepts is on the page of the file, and no page has a key that is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from triptych.audit.tables.rules import Claims, StatedRules
from triptych.benchmarks._questions.folder_file import FolderFile
from triptych.benchmarks.as_published import AsPublished
from triptych.benchmarks.presets import PresetFile
from triptych.benchmarks.published import Basis
from triptych.benchmarks.spec import BenchmarkSpec
from triptych.construction.build import COMMON, Configuration
from triptych.construction.recipe import known_recipes, load_recipe
from triptych.experiment.plan_file import Group
from triptych.judges.rubric import Rubric
from triptych.models.catalogue import CatalogueModel
from triptych.models.packing.packing import Packing
from triptych.portal.project import Settings
from triptych.prompts.template import PromptSpec
from triptych.records.toml_text import parse_toml
from triptych.reports.plots.spec import FigureFile
from triptych.running.prices import PriceFile

DOCS = Path(__file__).parents[2] / "docs"
BUILDING = tuple(sorted(path.name for path in DOCS.glob("building*.md")))
RECIPES = tuple(load_recipe(name).config for name in known_recipes())
# Files of TOML: the pages that describe them, and the records that their tables are read as
FILES: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {
    "spec.toml": (("adding/spec.md",), (BenchmarkSpec,)),
    "presets.toml": (("adding/presets.md",), (PresetFile,)),
    "prompt file": (("adding/spec.md",), (PromptSpec,)),
    "figures.toml": (("reports.md", "adding/spec.md"), (FigureFile,)),
    "basis.toml": (("reports.md",), (Basis,)),
    "rubric": (("judges.md",), (Rubric,)),
    "prices": (("limits.md",), (PriceFile,)),
    "audit.toml": (("audit.md",), (StatedRules, Claims)),
    "triptych.toml": (("several.md",), (Group,)),
    "catalogue": (("models/catalogue.md",), (CatalogueModel,)),
    "as_published.toml": (("models/packing.md",), (AsPublished,)),
    "packings": (("models/packing.md",), (Packing,)),
    "benchmark.toml": (("own-questions.md",), (FolderFile,)),
    "portal.toml": (("portal.md", "portal-proxy.md"), (Settings,)),
    "configuration of a build": (BUILDING, (Configuration, *RECIPES)),
}


class PlanFile(msgspec.Struct):
    runs: list[Group]
    run: dict[str, Any] = {}


class CatalogueFile(msgspec.Struct):
    model: list[CatalogueModel]


WHOLE = (dict[str, PromptSpec], dict[str, Packing], PlanFile, CatalogueFile)
_BLOCK = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.S | re.M)
# The first cell of a row of a table of keys, whose heading begins with `key`
_TABLE = re.compile(r"^\| key[^\n]*\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", re.M)


def accepted(kind: Any, seen: set[Any]) -> Iterator[str]:
    """Yield the keys of a record's table, and of the tables within it."""
    if kind in seen:
        return
    seen.add(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            yield field.encode_name
            yield from accepted(field.type, seen)
    elif kind is Packing:
        yield from (field.name for field in fields(Packing))
    for part in get_args(kind):
        yield from accepted(part, seen) if not isinstance(part, list | str) else ()


def named(page: str) -> set[str]:
    """Return the words that a page has in backticks and in examples of TOML."""
    examples = [block for language, block in _BLOCK.findall(page) if language == "toml"]
    return set(re.findall(r"\w+", "\n".join([*examples, *re.findall(r"`([^`]+)`", _BLOCK.sub("", page))])))


def listed(page: str) -> set[str]:
    """Return the keys in a page's tables of keys: words in backticks in the first column, without remarks in
    brackets."""
    cells = [row.split("|")[1] for table in _TABLE.findall(page) for row in table.splitlines()]
    return {key for cell in cells for key in re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", cell))}


def text_of(pages: tuple[str, ...]) -> str:
    return "\n".join((DOCS / page).read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("file", FILES)
def test_every_key_that_is_read_is_on_the_page_of_its_file(file: str) -> None:
    pages, kinds = FILES[file]
    keys = {key for kind in kinds for key in accepted(kind, set())}
    missing = sorted(keys - named(text_of(pages)) - {"recipe"})  # Configuration.recipe holds the recipe's own keys
    assert missing == [], f"{file}: name these keys on {', '.join(pages)}"


@pytest.mark.parametrize("page", sorted({page for pages, _ in FILES.values() for page in pages}))
def test_every_key_in_a_table_of_keys_is_read(page: str) -> None:
    kinds = [kind for pages, kinds in FILES.values() if page in pages for kind in kinds]
    keys = {key for kind in kinds for key in accepted(kind, set())}
    assert not listed(text_of((page,))) - keys, f"{page} lists keys that are refused"


def unknown(document: object, kind: Any) -> set[str]:
    """Return the keys of a document that its reader would refuse."""
    kinds = get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(document, dict):
        types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        return (document.keys() - types.keys()).union(
            *(unknown(value, types[key]) for key, value in document.items() if key in types)
        )
    if kind is Packing and isinstance(document, dict):
        return document.keys() - set(accepted(Packing, set()))
    if isinstance(document, dict) and getattr(kind, "__origin__", None) is dict:
        return set[str]().union(*(unknown(value, kinds[1]) for value in document.values()))
    if isinstance(document, list) and getattr(kind, "__origin__", None) in (tuple, list):
        return set[str]().union(*(unknown(value, kinds[0]) for value in document))
    if kinds and isinstance(document, dict | list):  # one of several types
        return min((unknown(document, one) for one in kinds), key=len)
    return set() if kind is Any or not isinstance(document, dict) else set(document)


def unknown_of_build(document: dict[str, Any], recipe: type[msgspec.Struct]) -> set[str]:
    common = {key: value for key, value in document.items() if key in COMMON}
    own = {key: value for key, value in document.items() if key not in common}
    return unknown(common, Configuration) | unknown(own, recipe)


EXAMPLES = [
    pytest.param(path, block, id=f"{path.relative_to(DOCS)}-{number}")
    for path in sorted(DOCS.glob("**/*.md"))
    for number, (language, block) in enumerate(_BLOCK.findall(path.read_text(encoding="utf-8")))
    if language == "toml" and "[project" not in block
]


@pytest.mark.parametrize(("path", "example"), EXAMPLES)
def test_no_example_has_a_key_that_is_refused(path: Path, example: str) -> None:
    document = parse_toml(example)
    kinds = [*(kind for _, kinds in FILES.values() for kind in kinds), *WHOLE]
    refused = [unknown(document, kind) for kind in kinds] + [unknown_of_build(document, recipe) for recipe in RECIPES]
    assert set() in refused, min(refused, key=len)
