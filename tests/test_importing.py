"""Tests of `/importing.py`: imports of other packages' plug-ins, which may take long or never end."""

from __future__ import annotations

import signal

import pytest


def test_a_slow_import_is_told_while_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from triptych import importing

    monkeypatch.setattr(importing, "SLOW_S", 0.0)
    said: list[str] = []

    class Now:
        """A timer that goes off at once."""

        def __init__(self, after: float, call: object) -> None:
            self.call, self.daemon = call, False
            said.append(str(after))

        def start(self) -> None:
            self.call()  # type: ignore[operator]

        def cancel(self) -> None:
            said.append("cancelled")

    monkeypatch.setattr(importing.threading, "Timer", Now)
    with importing.importing("bp_slow", "badplug"):
        pass
    assert "still importing bp_slow of the package badplug" in capfd.readouterr().err
    assert said == ["0.0", "cancelled"]


def test_handlers_of_signals_are_those_of_before_an_import(monkeypatch: pytest.MonkeyPatch) -> None:
    from triptych import importing

    monkeypatch.setattr(importing, "_ends_process", True)
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with importing.importing("m", "p"):
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] != before
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
