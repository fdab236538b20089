"""Which sign separates the cells of a table: Excel writes semicolons where the comma is the decimal mark, or tabs."""

from __future__ import annotations

import re


def separator_of(heading: str, usual: str = ",") -> str:
    """Return the separator of a table by its heading: the usual one, if it has any; otherwise `;` or a tab.

    Signs between quotation marks don't count.

    Args:
        heading: The first line of the table.
        usual: The separator that the file's ending names, also if the heading has none.

    Example:
        >>> separator_of("id;title;text"), separator_of('"a;b",c'), separator_of("id")
        (';', ',', ',')
    """
    bare = re.sub(r'"[^"]*"', "", heading)
    return next((one for one in (usual, ";", "\t") if one in bare), usual)
