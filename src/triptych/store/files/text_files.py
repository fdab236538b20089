"""Reading a file of text that a user, or a received configuration, names: it may be anything, also without an end."""

from __future__ import annotations

from pathlib import Path

MAX_TEXT_BYTES = 64 << 20  # bytes; no configuration, price file, list or rating is near it

_AT_ONCE = 1 << 20  # bytes


def read_text_input(path: Path | str, encoding: str = "utf-8-sig", largest: int = MAX_TEXT_BYTES) -> str:
    """Return the text of a file, with line ends as `\\n`; a pipe may be given as well.

    Raises OSError, with a readable `strerror`, for what is larger than `largest` bytes (`/dev/zero`), and for what the
    operating system can't read; UnicodeDecodeError for other encodings.
    """
    data = bytearray()
    with Path(path).open("rb") as file:
        while part := file.read(_AT_ONCE):  # `read` takes the memory for all that it may return
            data += part
            if len(data) > largest:
                raise OSError(0, f"the file is larger than {largest >> 20} MiB")
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
