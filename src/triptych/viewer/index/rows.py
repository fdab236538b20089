"""What lists and searches show of an Item and its reply, and the replies of judges."""

from __future__ import annotations

import msgspec

from triptych.records import Item, Response
from triptych.store.folder import RunFolder
from triptych.store.journals.replies import ReplyJournal

SNIPPET = 280  # characters of a text that lists show
SEARCHED = 20_000  # characters of a text that a search looks at
_ENCODER = msgspec.json.Encoder()


def texts_of(item: Item, response: Response | None) -> dict[str, str]:
    """Return the texts of a row of a list, each cut at `SNIPPET` characters, and the kinds of media."""
    return {
        "question": _question(item)[:SNIPPET],
        "reply": response.text[:SNIPPET] if response else "",
        "target": target_text(item)[:SNIPPET],
        "kinds": " ".join(dict.fromkeys([part.kind for part in item.all_parts])),
    }


def search_texts(item: Item, response: Response | None) -> tuple[str, str, str]:
    """Return the texts in which words are searched for, in lower case: id, question and options; target; reply."""
    options = " ".join([part.text for option in item.options for part in option])
    text = "\n".join((item.id, _question(item), options))
    texts = (text, target_text(item), response.text if response else "")
    return texts[0][:SEARCHED].casefold(), texts[1][:SEARCHED].casefold(), texts[2][:SEARCHED].casefold()


def _question(item: Item) -> str:
    return "\n".join([part.text for part in item.parts if part.text])


def target_text(item: Item) -> str:
    """Return the reference answer as one text; empty if it is unknown."""
    return " · ".join(item.targets)


def verdicts_of(folder: RunFolder) -> dict[str, tuple[type, list[str]]]:
    """Return the valid replies of judges as columns: the name of the journal, the Unit, and the Response as JSON."""
    replies = [
        (path.stem, response)
        for path in sorted(folder.verdicts_path.glob("*.jsonl"))
        for response in ReplyJournal(folder.verdicts_path, path.stem).latest_replies().values()
    ]
    return {
        "judge": (str, [judge for judge, _ in replies]),
        "unit": (str, [response.item for _, response in replies]),
        "json": (str, [_ENCODER.encode(response).decode() for _, response in replies]),
    }
