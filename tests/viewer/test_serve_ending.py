"""A viewer whose pages hang ends when it is told to; several viewers annotate one Run."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path

import pytest

from triptych.store.annotations import read_annotations

HANGING = """
import sys, time
from contextlib import suppress
from pathlib import Path
from triptych.viewer import app, serve
from triptych.web import shutdown as ending

ending.LAST_S = 0.5

def hang(self, request):
    print("hanging", flush=True)
    time.sleep(600)

async def hang_all(self, request):
    hang(self, request)

app.Viewer.home = {how}
serve.serve(Path(sys.argv[1]), host="127.0.0.1", port=0, say=lambda address: print(address, flush=True))
"""


@pytest.mark.parametrize("how", ["hang", "hang_all"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_hung_viewer_ends_when_it_is_told_to(tmp_path: Path, how: str, number: signal.Signals) -> None:
    """In a page's own thread, or in the one that serves all."""
    command = [sys.executable, "-c", HANGING.replace("{how}", how), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as viewer:
        try:
            assert viewer.stdout is not None
            address = viewer.stdout.readline().strip()
            asked = threading.Thread(target=_ask, args=[address], daemon=True)
            asked.start()
            assert viewer.stdout.readline() == "hanging\n"
            viewer.send_signal(number)
            assert viewer.wait(300) is not None, "the page would hang for 600 s"
        finally:
            viewer.kill()


def _ask(address: str) -> None:
    with suppress(OSError):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=600).read()


ANNOTATE = """
import sys
from contextlib import suppress
from pathlib import Path
from triptych.records import Annotation
from triptych.store.annotations import add_annotation
for n in range(40):
    add_annotation(Path(sys.argv[1]), Annotation(f"item {n}", 0, by=sys.argv[2], note="x\\u2028y"))
"""


def test_several_processes_annotate_one_run(tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", ANNOTATE, str(tmp_path), who] for who in ("a", "b", "c")]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    assert len(read_annotations(tmp_path)) == 120
