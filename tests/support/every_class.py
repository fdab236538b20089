"""Every tiny model of transformers in one process: the plug-in `every/NAME`, which asks the model that a Request names.

One worker of Ray for all classes imports transformers once; a Run for each class would take most of its time for this.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from triptych.media.payload import MediaReader
from triptych.media.sound.coding import encode_wav
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.models.hf.adapter import HfAdapter
from triptych.models.hf.engine import Answer, Job
from triptych.records import Item, Kind, Message, Request, media, text

SETTINGS = {"folder": "", "batch": 1}
ENDINGS = {"audio": "wav", "image": "png", "video": "mp4"}
# Question, seconds of the recording
ASKED = (
    ("Who speaks?", 1.0),
    ("What is this, then, and where?", 2.5),
    ("?", 0.7),
)


def make(name: str, settings: Mapping[str, Any]) -> EveryClass:
    """Return the adapter. `folder`: where the models are; `batch`: Requests of one model and kind that wait for each
    other, and are then answered in one batch.
    """
    return EveryClass(name, settings)


class EveryClass(SimpleAdapter):
    """Asks `MODEL/KIND/NUMBER` of MODEL. A Reply says by `served_model` how large its batch was."""

    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        super().__init__({})
        self._taken = take_settings("every", given, SETTINGS)
        self.name = f"every/{name}"
        self._models: dict[str, HfAdapter] = {}
        self._loading = asyncio.Lock()  # transformers can't load two models at once in threads
        self._together: dict[str, asyncio.Barrier] = {}
        self._sizes: dict[int, int] = {}  # id of a conversation -> the size of its batch

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()

    async def prepare(self, request: Request, media: MediaReader) -> Any:
        name = request.id.partition("/")[0]
        async with self._loading:
            if name not in self._models:
                settings = {"batch": self._taken["batch"], "dtype": "float32"}
                model = HfAdapter(str(Path(self._taken["folder"]) / name), settings)
                await model.open()
                model._batcher._run = partial(self._answer, model._batcher._run)
                self._models[name] = model
        return await self._models[name].prepare(request, media)

    async def respond(self, request: Request, prepared: Any) -> Reply:
        same = request.id.rpartition("/")[0]
        await self._together.setdefault(same, asyncio.Barrier(self._taken["batch"])).wait()
        reply = await self._models[request.id.partition("/")[0]].respond(request, prepared)
        return replace(reply, served_model=f"in a batch of {self._sizes[id(prepared)]}")

    def _answer(self, run: Any, jobs: Sequence[Job]) -> Sequence[Answer]:
        self._sizes |= {id(job.conversation): len(jobs) for job in jobs}
        answers: Sequence[Answer] = run(jobs)
        return answers


def requests(model: str, kinds: Sequence[Kind]) -> list[Request]:
    """Three Requests about a medium of each kind (or text alone, for a model that takes no media)."""
    found = []
    for kind in kinds or ("text",):
        for number, (words, _) in enumerate(ASKED):
            about = () if kind == "text" else (media(kind, f"{number}.{ENDINGS[kind]}"),)
            item = Item(f"{model}/{kind}/{number}", "toy/one", (*about, text(words)), target="A")
            settings = {"temperature": 0, "max_tokens": 6}
            found.append(Request(item.id, (Message("user", item.parts),), settings, item=item))
    return found


def write_media(folder: Path) -> Path:
    """Write the recordings, pictures and videos that `requests` speaks of: noise."""
    import av
    from PIL import Image

    folder.mkdir()
    for number, (_, seconds) in enumerate(ASKED):
        draw = np.random.default_rng(number)
        sound = draw.normal(0, 0.1, (int(16_000 * seconds), 1))
        (folder / f"{number}.wav").write_bytes(encode_wav(sound, 16_000))
        pictures = draw.integers(0, 255, (4, 56, 56, 3), dtype=np.uint8)
        Image.fromarray(pictures[0]).resize((60, 60)).save(folder / f"{number}.png")
        with av.open(str(folder / f"{number}.mp4"), "w") as film:
            stream = film.add_stream("mpeg4", rate=2)
            stream.width = stream.height = 56
            stream.pix_fmt = "yuv420p"
            for picture in pictures:
                film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            film.mux(stream.encode(None))
    return folder
