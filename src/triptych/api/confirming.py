"""Confirming that a runner gives its model's answers: the card's example is asked and compared."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from triptych.errors import SpecError
from triptych.media.payload import MediaReader
from triptych.models.catalogue import find_model
from triptych.models.registry import load_adapter
from triptych.models.worker.confirmed import Confirmation, confirm, read_example, runner_hash
from triptych.records import Response
from triptych.running.loop import RunOptions, execute, run_sync
from triptych.store.journals.replies import ReplyJournal


def confirm_model(
    name: str, example: Path | str, settings: Mapping[str, Any] | None = None
) -> tuple[Confirmation, Path | None]:
    """Ask a model the example of its card, and store the confirmation if the answer is the expected one.

    `name`: a name of the catalogue whose runner is Triptych's own. `example`: a JSON file (`worker.confirmed.Example`);
    its media are next to it. `settings`: those of `worker/NAME`.

    Returns what was found, and the file of the confirmation; None if the answer is another one. Raises SpecError for a
    model without a runner, a runner of one's own, or an example that can't be read, and if there is no answer.
    """
    row = find_model(name.removeprefix("worker/"))
    if row is None or not (runner := runner_hash(row)):
        raise SpecError(
            f"{name} has no runner to confirm",
            expected="a model that `triptych list models` says was never run with its weights",
        )
    if (settings or {}).get("runner"):
        raise SpecError("only the built-in runner can be confirmed", got="-M runner", fix="leave it out")
    question = read_example(Path(example))
    adapter = load_adapter(f"worker/{row.key}", settings or {})
    with tempfile.TemporaryDirectory() as folder:
        journal = ReplyJournal(Path(folder), "example")
        options = RunOptions(progress=False, retries=0, concurrency=1, timeout_s=None)
        work = execute([question.request()], adapter, journal, MediaReader(Path(example).parent), options)
        run_sync(work)
        response = next(iter(journal.latest_replies().values()), None)
    confirmation = Confirmation(
        row.key,
        datetime.now(UTC).date().isoformat(),
        adapter.revision,
        runner,
        _versions(),
        question,
        _reply_words(name, response),
    )
    return confirmation, confirm(confirmation) if question.agrees(confirmation.answer) else None


def _reply_words(name: str, response: Response | None) -> str:
    if response is None or response.status != "answered":
        why = "" if response is None or response.error is None else response.error.message
        raise SpecError(f"{name} gave no answer to the example", got=why or (response and response.status) or "nothing")
    return response.text


def _versions() -> dict[str, str]:
    import platform

    from triptych.version import __version__

    return {"triptych": __version__, "python": platform.python_version(), "platform": platform.platform()}
