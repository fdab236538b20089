"""A runner that does what the question says."""

import os
import sys
import time

ACCEPTS = ("text", "audio", "image", "video")


def load(source: str, options: dict) -> dict:  # type: ignore[type-arg]
    print("libraries like to print", flush=True)
    os.write(1, b"\x00\x00\x00\x05noise" * 100)
    if options.get("fail"):
        raise RuntimeError("no such weights")
    return {"source": source, "options": options}


def answer(model: dict, messages: list, settings: dict):  # type: ignore[no-untyped-def, type-arg]
    said = "".join(block.get("text", "") for block in messages[-1]["content"])
    os.write(1, b"more noise\n")
    if said == "die":
        sys.stderr.write("CUDA error: an illegal memory access\n")
        sys.stderr.flush()
        os.kill(os.getpid(), 9)
    if said == "exit":
        os._exit(3)
    if said == "hang":
        time.sleep(600)
    if said == "raise":
        raise ValueError("this one breaks")
    if said == "nothing":
        return {"text": None}
    if said == "environment":
        return ",".join(sorted(os.environ))
    paths = [path for block in messages[-1]["content"] for path in [block.get("path"), *block.get("paths", ())] if path]
    assert all(os.path.getsize(path) for path in paths)
    told = {"text": f"{said}|{len(paths)}|{settings['max_tokens']}", "input_tokens": 5, "output_tokens": 2}
    return {**told, "finish": "length" if said == "long" else "stop"}


def answers(model: dict, requests: list) -> list:  # type: ignore[type-arg]
    return [answer(model, messages, settings) for messages, settings in requests]
