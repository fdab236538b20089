"""Local servers with the batch interfaces of OpenAI, Anthropic and Gemini.

What comes in is checked against the types of the services' SDKs, or (OpenAI, whose SDK is not installed) against the
published schema; what goes out is made of the same types. `fate` decides what a Request meets, by its text and the
number of batches that it was in before: `ok`, `server` (an error worth asking again), `bad` (a lasting one), `expired`
(the batch ends before it is answered), `cancelled`.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from tests.support.wire import Answer, Seen

Fate = Callable[[str, int], str]


def always(text: str, before: int) -> str:
    return "ok"


@dataclass
class Batches:
    """What the three servers share: batches by id, each a list of (key, text, what it meets)."""

    fate: Fate = always
    looks: int = 1  # how often a batch is looked at before it has ended
    whole: str = ""  # an error that refuses every batch as a whole
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    bodies: list[Any] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    at: Callable[[str], None] = lambda step: None  # called at each step, before the answer

    def __call__(self, seen: Seen) -> Answer:
        answer = self.serve(seen)
        step = self.steps[-1] if self.steps else ""
        self.at(step)
        return answer

    def serve(self, seen: Seen) -> Answer:
        raise NotImplementedError

    def create(self, rows: list[tuple[str, Any]], **about: Any) -> str:
        name = f"batch_{len(self.batches) + 1}"
        entries = []
        for key, body in rows:
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", key), key
            text = question(body)
            entries.append((key, text, self.fate(text, self.asked[text])))
            self.asked[text] += 1
            self.bodies.append(body)
        assert len({key for key, _ in rows}) == len(rows) > 0, "keys are unique"
        self.batches[name] = {"rows": entries, "looks": 0, "made": time.time(), **about}
        return name

    def ended(self, name: str) -> bool:
        self.batches[name]["looks"] += 1
        return bool(self.batches[name]["looks"] > self.looks)

    def has(self, name: str, *fates: str) -> bool:
        return any(fate in fates for _, _, fate in self.batches[name]["rows"])


def question(body: Any) -> str:
    """The number of the question that a body asks, wherever it is in it."""
    found = re.search(r"Which is (\d+)\?", json.dumps(body))
    assert found, body
    return found[1]


def answered(body: dict[str, Any], status: int = 200) -> Answer:
    return Answer(status, json.dumps(body).encode())


class OpenAIServer(Batches):
    """By the published schema of /v1/files and /v1/batches."""

    def serve(self, seen: Seen) -> Answer:
        assert seen.headers["authorization"].startswith("Bearer ")
        path = seen.path.partition("?")[0]
        if (seen.method, path) == ("POST", "/v1/files"):
            self.steps.append("upload")
            return answered(self.upload(seen))
        if (seen.method, path) == ("POST", "/v1/batches"):
            self.steps.append("create")
            told = seen.json
            assert set(told) == {"input_file_id", "endpoint", "completion_window", "metadata"}
            assert told["endpoint"] == "/v1/chat/completions" and told["completion_window"] == "24h"
            assert all(isinstance(value, str) and len(value) <= 512 for value in told["metadata"].values())
            rows = []
            for line in self.files[told["input_file_id"]].splitlines():
                row = json.loads(line)
                assert set(row) == {"custom_id", "method", "url", "body"}
                assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
                assert {"model", "messages"} <= set(row["body"]) and "stream" not in row["body"]
                rows.append((row["custom_id"], row["body"]))
            return answered(self.shown(self.create(rows, metadata=told["metadata"], file=told["input_file_id"])))
        if path == "/v1/batches":
            self.steps.append("list")
            data = [self.shown(name) for name in reversed(self.batches)]
            return answered({"object": "list", "data": data, "has_more": False})
        if found := re.fullmatch(r"/v1/batches/(\w+)", path):
            self.steps.append("state")
            self.ended(found[1])
            return answered(self.shown(found[1]))
        if found := re.fullmatch(r"/v1/files/(\w+)/content", path):
            self.steps.append("content")
            return Answer(200, self.files[found[1]], kind="application/octet-stream")
        return answered({"error": {"message": f"no {path}"}}, 404)

    def upload(self, seen: Seen) -> dict[str, Any]:
        head = f"Content-Type: {seen.headers['content-type']}\r\n\r\n".encode()
        form = BytesParser(policy=HTTP).parsebytes(head + seen.body)
        parts = {part.get_param("name", header="content-disposition"): part for part in form.iter_parts()}  # type: ignore[attr-defined]
        assert parts["purpose"].get_content().strip() == "batch"
        assert parts["file"].get_filename().endswith(".jsonl")
        name = f"file_{len(self.files) + 1}"
        self.files[name] = parts["file"].get_payload(decode=True)
        assert len(self.files[name]) <= 200_000_000
        return {
            "id": name,
            "object": "file",
            "purpose": "batch",
            "bytes": len(self.files[name]),
            "created_at": 1,
            "filename": "f.jsonl",
            "status": "processed",
        }

    def shown(self, name: str) -> dict[str, Any]:
        told = self.batches[name]
        ended = told["looks"] > self.looks
        status = "completed" if ended else "in_progress"
        status = "expired" if ended and self.has(name, "expired") else status
        status = "cancelled" if ended and self.has(name, "cancelled") else status
        about: dict[str, Any] = {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "errors": None,
            "input_file_id": told["file"],
            "completion_window": "24h",
            "status": status,
            "created_at": int(told["made"]),
            "metadata": told["metadata"],
            "request_counts": {"total": len(told["rows"]), "completed": 0, "failed": 0},
        }
        if self.whole:
            errors = {"object": "list", "data": [{"code": "x", "message": self.whole, "line": None, "param": None}]}
            return {**about, "status": "failed", "errors": errors}
        if ended:
            rows = [self.row(*row) for row in told["rows"]]
            good = [row for row in rows if row["error"] is None]
            bad = [row for row in rows if row["error"] is not None or row["response"]["status_code"] != 200]
            good = [row for row in good if row not in bad]
            for kind, own in (("output_file_id", good), ("error_file_id", bad)):
                about[kind] = f"{kind}_{name}" if own else None
                self.files[f"{kind}_{name}"] = b"".join(json.dumps(row).encode() + b"\n" for row in reversed(own))
        return about

    def row(self, key: str, text: str, fate: str) -> dict[str, Any]:
        row: dict[str, Any] = {"id": f"batch_req_{text}", "custom_id": key, "response": None, "error": None}
        if fate in ("expired", "cancelled"):
            row["error"] = {"code": f"batch_{fate}", "message": "This request could not be executed."}
            return row
        body: dict[str, Any] = {
            "id": "c",
            "object": "chat.completion",
            "created": 1,
            "model": "gpt-x",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "B"}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        status = {"ok": 200, "server": 500, "bad": 400}[fate]
        if status != 200:
            body = {"error": {"message": f"{fate} request", "type": "x", "param": None, "code": None}}
        row["response"] = {"status_code": status, "request_id": "r", "body": body}
        return row


class AnthropicServer(Batches):
    """By the types of the `anthropic` package."""

    def serve(self, seen: Seen) -> Answer:
        from anthropic.types.messages import batch_create_params
        from pydantic import TypeAdapter

        path = seen.path.partition("?")[0]
        if (seen.method, path) == ("POST", "/v1/messages/batches"):
            self.steps.append("create")
            told = seen.json
            TypeAdapter(batch_create_params.BatchCreateParams).validate_python(told)
            if self.whole:
                error = {"type": "error", "error": {"type": "invalid_request_error", "message": self.whole}}
                return answered(error, 400)
            return self.shown(self.create([(row["custom_id"], row["params"]) for row in told["requests"]]))
        if path == "/v1/messages/batches":
            self.steps.append("list")
            data = [json.loads(self.shown(name).body) for name in reversed(self.batches)]
            return answered({"data": data, "has_more": False, "first_id": None, "last_id": None})
        if found := re.fullmatch(r"/v1/messages/batches/(\w+)/results", path):
            self.steps.append("content")
            rows = [self.row(*row) for row in reversed(self.batches[found[1]]["rows"])]
            return Answer(200, b"".join(rows), kind="application/x-jsonl")
        if found := re.fullmatch(r"/v1/messages/batches/(\w+)", path):
            self.steps.append("state")
            self.ended(found[1])
            self.host = seen.headers["host"]
            return self.shown(found[1])
        return answered({"type": "error", "error": {"type": "not_found_error", "message": path}}, 404)

    host = ""

    def shown(self, name: str) -> Answer:
        from anthropic.types.messages import MessageBatch, MessageBatchRequestCounts

        told = self.batches[name]
        ended = told["looks"] > self.looks
        made = datetime.fromtimestamp(told["made"], UTC)
        count = len(told["rows"])
        counts = MessageBatchRequestCounts(
            processing=0 if ended else count, succeeded=count if ended else 0, errored=0, canceled=0, expired=0
        )
        shown = MessageBatch(
            id=name,
            created_at=made,
            expires_at=made,
            processing_status="ended" if ended else "in_progress",
            request_counts=counts,
            type="message_batch",
            results_url=f"http://{self.host}/v1/messages/batches/{name}/results" if ended else None,
        )
        return Answer(200, shown.model_dump_json().encode())

    def row(self, key: str, text: str, fate: str) -> bytes:
        from anthropic.types.messages import MessageBatchIndividualResponse

        message = {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "claude-x",
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "content": [{"type": "text", "text": "B"}],
            "usage": {"input_tokens": 100, "output_tokens": 10},
        }
        kinds = {"server": "api_error", "bad": "invalid_request_error"}
        error = {"type": "error", "error": {"type": kinds.get(fate, ""), "message": f"{fate} request"}}
        result: dict[str, Any] = {
            "ok": {"type": "succeeded", "message": message},
            "expired": {"type": "expired"},
            "cancelled": {"type": "canceled"},
        }.get(fate, {"type": "errored", "error": error})
        whole = {"custom_id": key, "result": result}
        return MessageBatchIndividualResponse.model_validate(whole).model_dump_json().encode() + b"\n"


class GeminiServer(Batches):
    """By the types of `google-genai`."""

    def serve(self, seen: Seen) -> Answer:
        from google.genai import types

        path = seen.path.partition("?")[0]
        if seen.headers.get("x-goog-upload-command") == "start":
            where = f"http://{seen.headers['host']}/upload/v1beta/files?upload_id=7"
            return Answer(body=b"{}", headers={"X-Goog-Upload-URL": where})
        if "upload_id=7" in seen.path:
            self.steps.append("upload")
            name = f"files/in{len(self.files) + 1}"
            self.files[name] = seen.body
            file = {"file": {"name": name, "uri": name, "state": "ACTIVE"}}
            return Answer(body=json.dumps(file).encode(), headers={"X-Goog-Upload-Status": "final"})
        if path.endswith(":batchGenerateContent"):
            self.steps.append("create")
            told = seen.json["batch"]
            rows = []
            for line in self.files[told["inputConfig"]["fileName"]].splitlines():
                row = json.loads(line)
                assert set(row) == {"key", "request"}
                for content in row["request"]["contents"]:
                    types.Content.model_validate(content)
                own = {"contents", "generationConfig", "systemInstruction", "safetySettings"}
                assert set(row["request"]) <= own
                types.GenerationConfig.model_validate(row["request"].get("generationConfig", {}))
                rows.append((row["key"], row["request"]))
            return answered(self.shown(self.create(rows, called=told["displayName"])))
        if re.fullmatch(r"/v1(beta)?/batches", path):
            self.steps.append("list")
            return answered({"operations": [self.shown(name) for name in reversed(self.batches)]})
        if found := re.fullmatch(r"/v1(?:beta)?/batches/(\w+)", path):
            self.steps.append("state")
            self.ended(found[1])
            return answered(self.shown(found[1]))
        if found := re.search(r"files/out_(\w+):download", path):
            self.steps.append("content")
            rows_ = [self.row(*row) for row in reversed(self.batches[found[1]]["rows"])]
            return Answer(200, b"".join(json.dumps(row).encode() + b"\n" for row in rows_ if row))
        return answered({"error": {"code": 404, "message": path, "status": "NOT_FOUND"}}, 404)

    def shown(self, name: str) -> dict[str, Any]:
        ended = self.batches[name]["looks"] > self.looks
        state = "BATCH_STATE_SUCCEEDED" if ended else "BATCH_STATE_RUNNING"
        state = "BATCH_STATE_FAILED" if self.whole else state
        metadata: dict[str, Any] = {"displayName": self.batches[name]["called"], "state": state, "model": "models/m"}
        if ended and not self.whole:
            metadata["output"] = {"responsesFile": f"files/out_{name}"}
        return {"name": f"batches/{name}", "metadata": metadata}

    def row(self, key: str, text: str, fate: str) -> dict[str, Any] | None:
        from google.genai import types

        if fate in ("expired", "cancelled"):
            return None  # what the job did not reach is missing
        if fate != "ok":
            return {"key": key, "error": {"code": 13 if fate == "server" else 3, "message": f"{fate} request"}}
        response = {
            "candidates": [{"content": {"role": "model", "parts": [{"text": "B"}]}, "finishReason": "STOP"}],
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110},
            "modelVersion": "gemini-x",
        }
        types.GenerateContentResponse.model_validate(response)
        return {"key": key, "response": response}


SERVERS: dict[str, tuple[type[Batches], str, str]] = {
    "openai": (OpenAIServer, "openai/gpt-x", "/v1"),
    "anthropic": (AnthropicServer, "anthropic/claude-x", ""),
    "gemini": (GeminiServer, "gemini/gemini-x", ""),
}
