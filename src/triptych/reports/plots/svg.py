"""Adapt matplotlib's SVG to a page: no styles that a strict policy blocks, unique ids, a title."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET  # only ever reads what matplotlib wrote a moment ago

from triptych.records.harmless import visible
from triptych.reports.plots.text_style import lay_out

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_FONT = re.compile(r"^(?:(?P<weight>bold|\d+)\s+)?(?P<size>[\d.]+)px\s+(?P<family>.+)$")
FAMILY = "system-ui, 'Segoe UI', 'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"


def to_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """Return the figure as an SVG element: text stays text, `name` prefixes every id; the same figure gives the same
    bytes."""
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    lay_out(figure)
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(out.getvalue())
    _drop(root)
    for element in root.iter():
        _attributes(element)
        _rename(element, name)
    _announce(root, name, title, description)
    return ET.tostring(root, encoding="unicode")


def _drop(root: ET.Element) -> None:
    """Remove metadata, and the style element whose content is repeated by presentation attributes."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
            elif child.tag == f"{{{SVG}}}defs":
                _drop(child)


def _attributes(element: ET.Element) -> None:
    """`style="fill: red"` as `fill="red"`. Texts get families that readers have, whether matplotlib writes `font` or,
    from 3.11 on, its parts."""
    for declaration in element.attrib.pop("style", "").split(";"):
        key, colon, value = declaration.partition(":")
        if not colon:
            continue
        if font := (_FONT.match(value.strip()) if key.strip() == "font" else None):
            element.set("font-size", font["size"])
            element.set("font-family", FAMILY)
            if font["weight"]:
                element.set("font-weight", font["weight"])
        elif key.strip() == "font-family":
            element.set("font-family", FAMILY)
        else:
            element.set(key.strip(), value.strip())


def _rename(element: ET.Element, name: str) -> None:
    if "id" in element.attrib:
        if element.tag in (f"{{{SVG}}}g", f"{{{SVG}}}svg"):
            del element.attrib["id"]  # matplotlib's names of its parts: nothing refers to them
        else:
            element.set("id", f"{name}-{element.get('id')}")
    for key, value in list(element.attrib.items()):
        if key == f"{{{XLINK}}}href" and value.startswith("#"):
            del element.attrib[key]
            element.set("href", f"#{name}-{value[1:]}")
        elif value.startswith("url(#"):
            element.set(key, f"url(#{name}-{value[5:]}")


def _announce(root: ET.Element, name: str, title: str, description: str) -> None:
    """Set title and description for screen readers, and the size in CSS pixels."""
    width, height = (float(value) for value in root.get("viewBox", "0 0 1 1").split()[2:])
    root.set("width", f"{width * 1.4:.0f}")
    root.set("height", f"{height * 1.4:.0f}")
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-desc")
    for index, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(f"{{{SVG}}}{tag}", {"id": f"{name}-{tag}"})
        element.text = visible(words)
        root.insert(index, element)
