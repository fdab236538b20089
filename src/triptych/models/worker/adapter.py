"""The adapter of `worker/NAME`: Requests are prepared in threads, and answered by a process with the model."""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from triptych.errors import ProviderError, SpecError
from triptych.media.payload import MediaReader
from triptych.metrics.replies.thinking import split_thinking
from triptych.models.adapter import ALL_KINDS, MORE_DECODING, Reply, SimpleAdapter, counted, take_settings
from triptych.models.catalogue import CatalogueModel, find_model
from triptych.models.hf.batches import Batcher, Rules
from triptych.models.hf.loading import identity_of
from triptych.models.named import weights_folder
from triptych.models.packing.packing import check_possible
from triptych.models.packing.usual import chosen_packing, usual_packing
from triptych.models.worker.asking import Asking, Job
from triptych.models.worker.content import Conversation, converse
from triptych.models.worker.environments import ModelEnvironment, commit_of, environment_of
from triptych.models.worker.process import WorkerProcess
from triptych.models.worker.settings import MAKES_NO_DIFFERENCE, SETTINGS
from triptych.models.worker.trust import check_trusted
from triptych.records import Encoded, Kind, Request, Usage

SOUNDS = ("none", "apart", "apart_first", "interleaved")  # what runners take of a film's sound


class WorkerAdapter(SimpleAdapter):
    """See the module. The process starts when the Run begins."""

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        self._taken = taken = take_settings("worker", settings, SETTINGS)
        if taken["batch"] < 1:
            raise SpecError("the batch must be at least 1", got=taken["batch"], where="-M batch")
        self._row = find_model(name)
        older = {"fps": taken["fps"], "frames": taken["max_frames"]}
        self._packing = check_possible(
            chosen_packing(taken["packing"], usual_packing(self._row.key if self._row else name), older),
            f"worker/{name}",
            film_sounds=(),
            frames=SOUNDS,
            unable=("rate", "channels", "pictures"),
        )
        self.packing: str = self._packing.text
        options = {key: taken[key] for key in settings if key not in (*MAKES_NO_DIFFERENCE, "fps", "max_frames")}
        super().__init__({**options, "packing": self.packing})
        self.name: str = f"worker/{self._row.key if self._row else name}"
        self._environment = environment_of(self._row.key) if self._row else None
        self._runner = _runner(self.name, self._row, self._environment, str(taken["runner"]))
        source = self._runner.read_text(encoding="utf-8", errors="replace")
        self.more_decoding: frozenset[str] = frozenset(key for key in MORE_DECODING if f'"{key}"' in source)
        self._options = _options(taken["options"])
        self._check_trust()
        cloned = self._environment if self._environment is not None and self._environment.clone else None
        self._code = Path(str(taken["code"])).resolve() if taken["code"] else None
        if cloned and not taken["runner"]:
            self._code = cloned.code(self.name, str(taken["code"]))
        if self._environment is not None and not taken["runner"]:
            self._environment.check_parts(self.name, self._options)
        self._source = str(taken["source"] or (self._row.id if self._row else name))
        holds = self._environment.weights if self._environment is not None else "config.json"
        folder = Path(self._source) if Path(self._source).is_dir() else weights_folder(self._source, holds)
        self._weights = identity_of(folder)
        if folder is not None:
            self._source = str(folder.resolve())
        elif not taken["fetch"]:
            raise SpecError(
                f"the weights of {self.name} are not on this computer",
                got=self._source,
                fix=f"-M fetch=true, or: hf download {self._source}",
            )
        if not taken["install"]:
            self._python()
        self.revision: str = ", ".join(filter(None, (str(taken["revision"] or self._weights), self._software())))
        self.accepts = frozenset(self._row.takes or ALL_KINDS) | {"text"} if self._row else ALL_KINDS
        self.most_at_once: Any = 2 * taken["batch"]
        self._asking: Asking | None = None

    async def open(self) -> None:
        """Make the environment if that is allowed, and load the model. Raises SpecError or WeightsError."""
        taken = self._taken
        asking = Asking(self._start, answer_s=taken["answer_s"], restarts=taken["restarts"])
        worker = await asyncio.to_thread(asking.open)
        if accepted_kinds := frozenset(worker.accepts) & ALL_KINDS:
            self.accepts: frozenset[Kind] = accepted_kinds | {"text"}  # type: ignore[assignment]
        self._asking = asking
        rules = Rules[Job](lambda job: None, lambda job: job.length, lambda error: False)
        self._batcher: Batcher[Job, Any] = Batcher(asking.answers, taken["batch"], rules)

    async def close(self) -> None:
        """End the process."""
        if self._asking is not None:
            asking, self._asking = self._asking, None
            asking.end()
            await self._batcher.close()
            await asyncio.to_thread(asking.close)

    async def prepare(self, request: Request, media: MediaReader) -> Conversation:
        """Decode the media into files. Raises MediaError."""
        return await asyncio.to_thread(converse, request, media, self._packing)

    async def respond(self, request: Request, prepared: Conversation) -> Reply:
        """Ask the worker. If it dies, this Request has failed only if it was the cause."""
        if self._asking is None:
            raise ProviderError(f"{self.name} was asked before it was opened", kind="internal")
        settings = {key: value for key, value in request.settings.items() if value is not None}
        job = Job(prepared.messages, {"max_tokens": self._taken["max_tokens"], **settings}, prepared.length, prepared)
        try:
            message = await self._batcher.ask(job)
        except asyncio.CancelledError:
            self._asking.give_up(job)
            raise
        if message["op"] == "failed":
            raise ProviderError(str(message.get("error", "no reason given")), kind=str(message.get("kind", "internal")))
        return self._reply(message, prepared)

    def _reply(self, message: Mapping[str, Any], prepared: Conversation) -> Reply:
        if isinstance(message.get("skipped"), str):
            return Reply("", "skipped", note=message["skipped"])
        if not isinstance(message.get("text"), str):
            raise ProviderError("the runner returned no text", kind="malformed")
        text, thinking = split_thinking(message["text"])
        read, written = counted(message.get("input_tokens")), counted(message.get("output_tokens"))
        finish = message.get("finish") if message.get("finish") in ("stop", "length") else None
        return Reply(
            text.strip(),
            "truncated" if finish == "length" else "answered",
            finish_reason=finish,
            usage=None if read is None and written is None else Usage(read, written),
            thinking=thinking,
            encoded=self._encoded_amounts(message, prepared),
        )

    def _encoded_amounts(self, message: Mapping[str, Any], prepared: Conversation) -> tuple[Encoded, ...]:
        """Return how much of the media was encoded: as the runner says, otherwise by the catalogue's limit.

        If neither knows how much of a recording was encoded, nothing is said about it. Frames were chosen here.
        """
        encoded_by_path = message.get("encoded") if isinstance(message.get("encoded"), dict) else {}
        amounts = {prepared.paths.get(str(path)): amount for path, amount in (encoded_by_path or {}).items()}
        cut = self._row.cut_s if self._row else None
        encodings = []
        for one in prepared.encoded:
            amount = amounts.get(one.path) if isinstance(amounts.get(one.path), int | float) else None
            if amount is None and one.kind == "audio" and cut is not None:
                amount = min(one.given, cut)
            if amount is not None:
                encodings.append(msgspec.structs.replace(one, encoded=float(amount)))
            elif one.unit == "frames":
                encodings.append(one)
        return tuple(encodings)

    def _start(self) -> WorkerProcess:
        """Start a worker and load the model."""
        taken = self._taken
        options = {**self._options, "device": taken["device"], "revision": taken["revision"]}
        if self._environment is not None and self._environment.remote_code:
            options["trust_remote_code"] = True  # `_check_trust` has asked
        if self._code is not None:
            options["code"] = str(self._code)
        head = {"op": "load", "source": self._source, "runner": str(self._runner), "options": options}
        return WorkerProcess(
            self._python(),
            head,
            start_s=taken["start_s"],
            silence_s=taken["silence_s"],
            fetch=taken["fetch"],
        )

    def _python(self) -> Path:
        if chosen := str(self._taken["python"]):
            if not Path(chosen).is_file():
                raise SpecError("there is no such program", got=chosen, where="-M python")
            return Path(chosen)
        if self._environment is None:
            raise SpecError(f"{self.name} has no environment", fix="-M python=PATH names a Python with its packages")
        return self._environment.interpreter(install=self._taken["install"], report=_say)

    def _check_trust(self) -> None:
        if self._environment is not None and self._environment.remote_code:
            check_trusted(self.name, f"code from the Hub (https://huggingface.co/{self._row.id if self._row else ''})")
        for setting in ("runner", "python", "code"):
            if self._taken[setting]:
                check_trusted(self.name, f"{self._taken[setting]} (-M {setting})")

    def _software(self) -> str:
        digest = hashlib.sha256(self._runner.read_bytes()).hexdigest()[:8]
        folder = self._environment.folder.name if self._environment and not self._taken["python"] else ""
        code = f"code {commit_of(self._code)}" if self._code else ""
        return ", ".join(filter(None, (folder, f"runner {self._runner.stem}:{digest}", code)))


def _runner(name: str, row: CatalogueModel | None, environment: ModelEnvironment | None, path: str) -> Path:
    """Return the runner's file. Raises SpecError if there is none."""
    if path:
        if not Path(path).is_file():
            raise SpecError("there is no such file", got=path, where="-M runner")
        return Path(path).resolve()
    if environment is not None and environment.runner:
        return environment.file
    advice = "write a runner and give it with -M runner=FILE.py -M python=PATH (docs/models/worker.md)"
    if environment is not None:
        raise SpecError(
            f"the software of {name} can't be installed by Triptych: {environment.note}",
            got=environment.repository,
            fix=f"set it up as its authors say; {advice}",
        )
    other = f"triptych run BENCH --model {row.key} says how it is asked; or " if row else ""
    raise SpecError(f"there is no runner for {name}", fix=f"{other}{advice}")


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")


def _options(value: Any) -> dict[str, Any]:
    try:
        options = msgspec.json.decode(value) if isinstance(value, str) else dict(value or {})
    except (msgspec.DecodeError, TypeError, ValueError) as error:
        raise SpecError("the options are not a JSON object", got=str(error), where="-M options") from None
    if not isinstance(options, dict):
        raise SpecError("the options are not a JSON object", got=value, where="-M options")
    return options
