"""Tests of `web/guard.py`: checks of requests, and the policy of pages."""

from __future__ import annotations

import pytest

from triptych.web.guard import POLICY, Token, is_own_host


def test_the_policy_lets_nothing_in() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in POLICY.split(";"))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("frame-ancestors") == "'none'"
    assert set(rules.values()) == {"'self'"}  # no unsafe-inline, no other host, no data:


@pytest.mark.parametrize(
    ("host", "fits"),
    [
        ("127.0.0.1:8765", True),
        ("127.0.0.1", True),
        ("localhost:1", True),
        ("LOCALHOST", True),
        ("[::1]:8765", True),
        ("192.168.1.7:8765", True),
        ("evil.example:8765", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("localhost.evil.example", False),
        ("lab.example", True),
        ("[evil]", False),
        ("127.0.0.1@evil.example", False),
    ],
)
def test_host_names(host: str, fits: bool) -> None:
    assert is_own_host(host, frozenset({"localhost", "lab.example"})) is fits


def test_tokens() -> None:
    token = Token()
    assert token.matches(token.value)
    assert not token.matches("")
    assert not token.matches(token.value[:-1])
    assert not token.matches("\u9898")
    assert Token().value != token.value
