"""Settings of `worker/NAME`."""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, Any] = {
    "python": "",  # program of a Python that has the model's packages, instead of the model's environment
    "runner": "",  # file that loads and asks the model, instead of the built-in one
    "code": "",  # clone of the model's repository, if its code is not a package
    "source": "",  # folder with the weights, or an id of the Hub, instead of the catalogue's
    "revision": "",  # commit, tag or branch on the Hub
    "options": None,  # a JSON object that is passed to the runner's `load`
    "device": "",  # cuda, cuda:1 or cpu; a GPU if there is one
    "batch": 1,  # most Requests that are sent at once
    "max_tokens": 1024,  # if the Request has no limit
    "packing": "",  # how media are sent (docs/models/packing.md); as the model's card says if not given
    "fps": 0.0,  # short for fps of the packing
    "max_frames": 0,  # short for frames of the packing
    "install": False,  # make the model's environment
    "fetch": False,  # let the worker download missing weights
    "start_s": 1800.0,  # seconds in which the model must be loaded
    "answer_s": 600.0,  # seconds in which the next answer must come
    "silence_s": 60.0,  # seconds without a sign of life after which the worker is taken for dead
    "restarts": 3,  # most restarts in a row without an answer in between
}
MAKES_NO_DIFFERENCE = (
    "python",
    "device",
    "batch",
    "install",
    "fetch",
    "start_s",
    "answer_s",
    "silence_s",
    "restarts",
    "runner",
    "source",
    "revision",
    "code",
)
