"""Stands in for `vllm serve NAME … --port N`: what it does wrong is said by STAND_IN (slow, dies, stubborn, other)."""

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FAULT = os.environ.get("STAND_IN", "")
NAME = "somebody/else" if FAULT == "other" else sys.argv[2]
PORT = int(sys.argv[sys.argv.index("--port") + 1])
PIDS = os.environ.get("STAND_IN_PIDS", "")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        known = {"/health": b"", "/v1/models": json.dumps({"data": [{"id": NAME}]}).encode()}
        body = known.get(self.path)
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    print("loading", flush=True)
    if FAULT == "dies":
        sys.exit("no such model")
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    worker = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(600)"])  # as an engine of vLLM
    if PIDS:
        with open(PIDS + ".part", "w") as file:
            file.write(f"{os.getpid()} {worker.pid}")
        os.rename(PIDS + ".part", PIDS)
    if FAULT == "never":
        time.sleep(600)
    time.sleep(0.1)
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()


main()
