"""Apply Conditions to Items and prompts, and check what they return: a Run with other ids could be paired with no other
Run, and an error of another package's code must name the package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from triptych.conditions.condition import ChangesPrompt, Condition, known_conditions
from triptych.conditions.option_faults import option_fault
from triptych.errors import SpecError, TriptychError
from triptych.prompts.template import PromptSpec
from triptych.records import Item
from triptych.records.plug_ins import owner_of, shown, why_not


def apply_all(item: Item, conditions: Iterable[Condition]) -> tuple[Item, ...]:
    """Return the Item after all Conditions in order; several Items if a Condition makes several.

    Raises NotApplicable; SpecError if a Condition breaks its contract.
    """
    items: tuple[Item, ...] = (item,)
    for condition in conditions:
        # Not isinstance: with a Protocol it takes longer than most Conditions, for every Item.
        if hasattr(condition, "variants"):
            items = tuple([variant for one in items for variant in variants_of(one, condition)])
        else:
            items = tuple([apply_condition(one, condition) for one in items])
    return items


def apply_condition(item: Item, condition: Condition) -> Item:
    """Return the Item under a Condition. Raises NotApplicable; SpecError if the result isn't this Item, changed."""
    try:
        changed = condition.apply(item)
    except TriptychError:
        raise
    except Exception as error:
        raise contract_error(condition, "apply", why_not(error), item) from error
    if changed is item:
        return item
    if not isinstance(changed, Item):
        raise contract_error(condition, "apply", f"{shown(changed)} instead of an Item", item)
    if changed.id != item.id:
        raise contract_error(condition, "apply", f"another id, {changed.id!r}", item)
    return _same_item(changed, item, condition, "apply")


def variants_of(item: Item, condition: Condition) -> tuple[Item, ...]:
    """Return the Items that an Expanding Condition makes. Raises NotApplicable; SpecError if one isn't of this Item."""
    try:
        variants = tuple(condition.variants(item))  # type: ignore[attr-defined]
    except TriptychError:
        raise
    except Exception as error:
        raise contract_error(condition, "variants", why_not(error), item) from error
    if not variants:
        raise contract_error(condition, "variants", "no Item", item)
    if wrong := [variant for variant in variants if not isinstance(variant, Item)]:
        raise contract_error(condition, "variants", f"{shown(wrong[0])} instead of an Item", item)
    return tuple([_same_item(variant, item, condition, "variants", grown=True) for variant in variants])


def prompt_under(prompt: PromptSpec, conditions: Iterable[Condition]) -> PromptSpec:
    """Return the template after the changes of all Conditions. Raises SpecError if one returns something else."""
    for condition in conditions:
        if isinstance(condition, ChangesPrompt):
            try:
                prompt = condition.change_prompt(prompt)
            except TriptychError:
                raise
            except Exception as error:
                raise contract_error(condition, "change_prompt", why_not(error)) from error
            if not isinstance(prompt, PromptSpec):
                raise contract_error(condition, "change_prompt", f"{shown(prompt)} instead of a PromptSpec")
    return prompt


def contract_error(condition: Condition, method: str, got: str, item: Item | None = None) -> SpecError:
    """Return the error for a Condition that breaks its contract; it names the Condition and its package."""
    name = str(getattr(condition, "name", type(condition).__name__))
    owner = owner_of(type(condition).__module__)
    if not owner and (available := known_conditions().get(name.partition(":")[0])):
        owner = available.origin
    return SpecError(
        f"the Condition {name!r} of the package {owner or '?'} breaks its contract: {method} gave {got}",
        where=f"Item {item.id}" if item else None,
        expected="the same Item with the same id, Task, facets, Instance and right option"
        if method == "apply"
        else None,
        fix=f"report it to the authors of {owner or 'the Condition'}; they can use `triptych check-plugin`",
    )


def _same_item(changed: Item, item: Item, condition: Condition, method: str, grown: bool = False) -> Item:
    """Return the changed Item. Raises SpecError for another Task or Instance, other facets (`grown`: of more), or a
    target that is no longer the right option."""
    try:
        fault = _identity_fault(changed, item, grown) or option_fault(changed, item)
    except (AttributeError, TypeError) as error:  # a field has another type than Item declares
        fault = type_fault(changed) or why_not(error)
    if fault:
        raise contract_error(condition, method, fault, item)
    return changed


def _identity_fault(changed: Item, item: Item, grown: bool) -> str:
    if changed.task != item.task:
        return f"another Task, {changed.task!r}"
    if changed.instance_id != item.instance_id:
        return f"another Instance, {changed.instance_id!r}"
    facets = changed.facets
    if facets is not item.facets and (other := _other_facet(facets, item.facets, grown)):
        return f"other facets: {other}"
    return "" if type(changed.parts) is tuple else f"parts that are a {shown(changed.parts)}, not a tuple"


def _other_facet(facets: Mapping[str, str], before: Mapping[str, str], grown: bool) -> str:
    """Return the first facet that has another value than before, or is new (`grown`: these may be); empty if none."""
    for name in (*before, *(() if grown else facets)):
        if facets.get(name) != before.get(name):
            return f"{name} is {facets.get(name)!r}, and was {before.get(name)!r}"
    return ""


def type_fault(item: Item) -> str:
    """Return which field of an Item has a value of another type than declared; empty if none has.

    Example:
        >>> type_fault(Item("x/1", "x/main", (), target=("a", 5)))
        'an Item with a value of another type: Expected `str`, got `int` - at `$.target[1]`'
    """
    try:
        msgspec.convert(msgspec.to_builtins(item, builtin_types=(bytes,)), Item)
    except (msgspec.ValidationError, TypeError) as error:
        return f"an Item with a value of another type: {error}"
    return ""
