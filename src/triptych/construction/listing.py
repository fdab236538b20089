"""All stages with the recipes that use them: those that recipes share, and each recipe's own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import msgspec

from triptych.construction.recipe import known_recipes, load_recipe
from triptych.construction.stage import Stage
from triptych.construction.stages import known_stages
from triptych.errors import TriptychError


@dataclass(frozen=True)
class ListedStage:
    """A stage, the package that it comes from, and the recipes that use it. One that isn't `shared` belongs to its
    recipe, whose configuration may name it in `[stages.NAME]`."""

    stage: Stage
    origin: str
    recipes: tuple[str, ...]
    shared: bool


def listed_stages() -> list[ListedStage]:
    """Return the shared stages by name, then the recipes' own, each recipe's in its order."""
    shared = known_stages()
    users: dict[str, list[str]] = defaultdict(list)
    of_recipes: list[ListedStage] = []
    for name, (_, origin) in known_recipes().items():
        for stage in _stages_of(name):
            common = shared.get(stage.name)
            if common is not None and common[0].run is stage.run:
                users[stage.name].append(name)
            else:
                of_recipes.append(ListedStage(stage, origin, (name,), shared=False))
    made = [ListedStage(stage, origin, tuple(users[name]), shared=True) for name, (stage, origin) in shared.items()]
    return sorted(made, key=lambda each: each.stage.name) + of_recipes


def _stages_of(name: str) -> list[Stage]:
    try:
        return load_recipe(name).every_stage()
    except (TriptychError, msgspec.ValidationError):  # `list recipes` and `check-plugin` say what is wrong with it
        return []
