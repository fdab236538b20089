"""Runs a command, and ends it with all its processes as soon as standard input ends.

Standard input is a pipe whose other end belongs to the process that started this one. The operating system closes it
however that process ends, also by `kill -9`; so a server never outlives the command that started it. Run as a script:
`python -I keeper.py SECONDS COMMAND…`; SECONDS is the time between SIGTERM and SIGKILL. Standard library only.
"""

import os
import signal
import subprocess
import sys
import threading
import time


def main() -> int:
    """Run the command and return its exit code; 128 + N after signal N."""
    grace_s, command = float(sys.argv[1]), sys.argv[2:]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # only the end of the pipe ends it, so that nothing is left behind
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, start_new_session=True, restore_signals=True, preexec_fn=_usual_signals
    )
    threading.Thread(target=_end_with_parent, args=(child.pid, grace_s), daemon=True).start()
    code = child.wait()
    _signal(child.pid, signal.SIGKILL)  # processes that its end left behind
    return code if code >= 0 else 128 - code


def _usual_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _end_with_parent(group: int, grace_s: float) -> None:
    while os.read(0, 1024):
        pass
    _signal(group, signal.SIGTERM)
    time.sleep(grace_s)
    _signal(group, signal.SIGKILL)


def _signal(group: int, number: int) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # all of them have ended
        return


if __name__ == "__main__":
    sys.exit(main())
