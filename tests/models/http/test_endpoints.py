"""Tests of `models/http/endpoints.py`."""

from __future__ import annotations

import pytest

from triptych.models.http.endpoints import endpoint_of, hash_of, is_known_endpoint, normalise_address, redacted_address


@pytest.mark.parametrize(
    ("url", "plain"),
    [
        ("https://me:secret@Host.example:443/v1/?api_key=hush#x", "https://host.example/v1"),
        ("http://token@h:8000/v1", "http://h:8000/v1"),
        ("http://[::1]:80/", "http://[::1]"),
        ("local", ""),
        ("http://h:99999/v1", ""),
        ("ftp://h/v1", ""),
    ],
)
def test_what_grants_access_is_no_part_of_an_endpoint(url: str, plain: str) -> None:
    assert normalise_address(url) == plain
    kept = endpoint_of(url)
    assert (kept.address if kept else "") == plain
    assert hash_of(url) == hash_of(plain)


def test_a_key_in_a_path_is_not_kept_and_tells_endpoints_apart() -> None:
    keys = ("a8F3kd92LmQ0zXc7Vb55", "b8F3kd92LmQ0zXc7Vb55")
    one, two = (f"https://gateway.example/{key}/v1" for key in keys)
    kept = endpoint_of(one)
    assert kept is not None and kept.address == redacted_address(one) == "https://gateway.example/***/v1"
    assert not any(key in repr(kept) for key in keys)
    assert is_known_endpoint(one, [kept]) and not is_known_endpoint(two, [kept])
    again = endpoint_of(one)
    assert again is not None and again.hash != kept.hash, "salted: equal addresses of two Runs don't show as equal"
