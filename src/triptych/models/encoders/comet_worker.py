"""Runs inside COMET's own environment, which has no Triptych: standard library and unbabel-comet alone.

Standard input: a line {"model", "batch", "device"}, then a line {"src", "mt", "ref"} for each to be scored; "batch" of
them are scored at once on a GPU.
Standard output: a line {"score"} for each, in order, or a last line {"error"} and exit code 1; nothing else, since
whatever libraries print goes to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main() -> None:
    """Read the input, load the model, score, and write the results."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    head, *rows = [json.loads(line) for line in sys.stdin.buffer.read().decode("utf-8").split("\n") if line]
    try:
        for score in predict(head, rows) if rows else ():
            answers.write(json.dumps({"score": score}) + "\n")
    except Exception as error:  # noqa: BLE001  the caller reports any error
        answers.write(json.dumps({"error": f"{type(error).__name__}: {error}".rstrip(": ")}) + "\n")
        sys.exit(1)
    finally:
        answers.close()


def predict(head: dict[str, Any], rows: list[Any]) -> list[Any]:
    """Return the scores of the rows, in order.

    COMET pads the texts of a batch, which changes the last digits of a score. On a CPU each row is a batch, so that its
    score does not depend on the other rows, and shards have the scores of the whole.
    """
    import torch
    from comet import load_from_checkpoint  # type: ignore[import-not-found,unused-ignore]

    cuda = torch.cuda.is_available() and head["device"] != "cpu"
    model = load_from_checkpoint(head["model"], local_files_only=True)
    size = head["batch"] if cuda else 1
    predictions = model.predict(rows, batch_size=size, gpus=int(cuda), progress_bar=False, num_workers=0)
    return [float(score) for score in predictions.scores]


if __name__ == "__main__":
    main()
