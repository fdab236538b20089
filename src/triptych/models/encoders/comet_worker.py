"""Runs inside COMET's own environment, which has no Triptych: standard library and unbabel-comet alone.

Standard input: a line {"model", "batch", "device"}, then a line {"src", "mt", "ref"} for each to be scored.
Standard output: a line {"score"} for each, in order, and nothing else: whatever libraries print goes to standard error.
"""

import json
import os
import sys


def main() -> None:
    """Read all, load, score, answer."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    head, *rows = [json.loads(line) for line in sys.stdin.buffer.read().decode("utf-8").split("\n") if line]
    if rows:
        for score in predict(head, rows):
            answers.write(json.dumps({"score": score}) + "\n")
    answers.close()


def predict(head: dict, rows: list) -> list:  # type: ignore[type-arg]
    """The scores of the rows; equal rows are computed once."""
    import torch
    from comet import load_from_checkpoint  # type: ignore[import-not-found,unused-ignore]

    cuda = torch.cuda.is_available() and head["device"] != "cpu"
    model = load_from_checkpoint(head["model"], local_files_only=True)
    found = model.predict(rows, batch_size=head["batch"], gpus=int(cuda), progress_bar=False, num_workers=0)
    return [float(score) for score in found.scores]


if __name__ == "__main__":
    main()
