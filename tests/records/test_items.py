"""Tests of `records/items.py`: item."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from triptych.records import (
    Item,
)


def test_an_unknown_field_of_an_item_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="colour"):
        msgspec.json.decode(b'{"id": "1", "task": "t", "parts": [], "colour": "red"}', type=Item)


@pytest.mark.parametrize(("target", "texts"), [(None, ()), ("", ("",)), ("B", ("B",)), (("x", "y"), ("x", "y"))])
def test_an_unknown_key_is_no_text_and_an_empty_one_is(target: Any, texts: tuple[str, ...]) -> None:
    assert Item("i", "t", (), target=target).targets == texts
