"""What leaves Triptych as text: a table of shapes in which secrets come, and of what must stay readable."""

from __future__ import annotations

import base64
import json
from time import process_time
from urllib.parse import quote

import pytest

from triptych.errors import DataError, ProviderError, SpecError
from triptych.models.registry import load_adapter
from triptych.secrets import Secret, hide_known, looks_secret, remember_address, scrub

S = "Zq7xMarkerW9secret"
WITH_AT = "Zq7x@Marker@W9secret"
LEAKS = [
    f"http://{S}@host/v1",
    f"https://{S}:x@host:8000/v1",
    f"http://user:{S}@host",
    f"http://user:{WITH_AT}@host/v1",
    f"http://:{S}@host",
    f"http://user:Zq7x/Marker{S}@host/v1",
    f"http://{S}@[::1]:80/",
    f"no connection to http://{S}@host",
    f"postgresql://user:{S}@db/x",
    f"https://host/p?sig={S}",
    f"https://host/p?sv=2024&sig={S}&se=1",
    f"/cb?code={S}&state=1",
    f"https://h/?X-Amz-Signature={S}",
    f"https://h/?X-Amz-Credential={S}&a=b",
    f"https://h/?X-Goog-Signature={S}",
    f"https://h/?key={S}",
    f"https://h/?api-key={S}",
    f"https://h/?subscription-key={S}",
    f"https://h/#access_token={S}",
    f"https://h/?password={S}",
    f"https://h/?client_secret={S}",
    f"https://h/?AWSAccessKeyId={S}",
    f"https://h/?next=https%3A%2F%2Fx%2F%3Fsig%3D{S}",
    f"https://h/?auth={S}",
    f"https://h/?jwt={S}",
    f'-M extra={{"api_key":"{S}"}}',
    f"{{'api_key': '{S}'}}",
    f'"{{\\"api_key\\": \\"{S}\\"}}"',
    f"api_key={S}",
    f"api_key: {S}",
    f'"apiKey": "{S}"',
    f'"openai_api_key": "{S}"',
    f'{{"password": "{S}"}}',
    f"client_secret={S}",
    f'"token": "{S}"',
    f'"access_token":"{S}"',
    f"X-Api-Key: {S}",
    f"Authorization: Bearer {S}",
    f"Authorization: Basic {S}",
    f"'Authorization': 'Bearer {S}'",
    f'"authorization": ["Bearer {S}"]',
    f"Proxy-Authorization: Basic {S}",
    f"Cookie: session={S}",
    f"bearer {S}",
    f"private_key={S}",
    f"sk-{S}",
    f"sk-ant-api03-{S}",
    f"hf_{S}",
    f"gsk_{S}",
    f"xai-{S}",
    f"AIza{S}{S}",
    f"ghp_{S}",
    f"github_pat_{S}",
    f"glpat-{S}",
    f"xoxb-{S}",
    f"ya29.{S}",
    f"eyJhbGciOiJI.{S}.{S}",
    f"nvapi-{S}",
    f"AKIA{S}",
    f"https://h/?pw={S}",
    f"https://h/?sid={S}",
    f"Ocp-Apim-Subscription-Key: {S}",
    f"Set-Cookie: a=1; sid={S}",
    json.dumps(json.dumps(json.dumps({"api_key": S}))),
    json.dumps({"api_keys": [S]}),
    json.dumps({"pwd": S}),
    repr({"api_key": S.encode()}),
    repr([("api-key", S)]),
    repr([(b"x-api-key", S.encode())]),
    f"run --api-key {S} --limit 3",
    f"--token={S}",
    f"--hf-token {S}",
    f"-----BEGIN RSA PRIVATE KEY-----\n{S}\n-----END RSA PRIVATE KEY-----",
]
KEPT = [
    "HTTP 429: Rate limit reached for 12 tokens",
    "http://127.0.0.1:8000/v1",
    "https://host:443/a@b/c",
    "me@example.org",
    "https://huggingface.co/datasets/a/b/resolve/main/x.wav?download=true",
    '{"max_tokens": 16, "code": 400}',
    'unknown token "<" at line 3',
    "no key: check OPENAI_API_KEY",
    "'bos_token': '<s>'",
    "skip_special_tokens=true",
    "set the environment variable OPENAI_API_KEY, or name another endpoint",
    "sk-short",
    "-M key_env=TRIPTYCH_MY_API_KEY",
    '{"error": {"code": "invalid_api_key", "message": "no"}}',
    "risk_assessment_of_the_thing_is_long",
    "expected: one of key, value\n  got: 3",
    "a code=3 in prose",
    "the password is wrong",
    "http://host/v1?api-version=2024",
    "http://[::1]:8000/v1",
    "Basic research shows",
    "bearer of bad news",
    "--token-limit 16 --max-tokens 5",
    "fields: 'api_key', 'timeout'",
    "f(token, 'timeout')",
]


@pytest.mark.parametrize("leak", LEAKS)
def test_secrets_of_every_shape_are_hidden(leak: str) -> None:
    for text in (leak, f"before {leak} after", f"({leak})", f'"{leak}"', f"a\n  got: {leak}\n"):
        assert "Marker" not in scrub(text), scrub(text)


@pytest.mark.parametrize("kept", KEPT)
def test_what_is_no_secret_stays(kept: str) -> None:
    assert scrub(kept) == kept


@pytest.mark.parametrize(
    "unit", ["\\", '\\"', "a-", "'api_key', ", "--api-key ", "cookie: a", "://a:", "?sig", '\\"token\\": \\"']
)
def test_long_texts_are_looked_through_in_linear_time(unit: str) -> None:
    """Each would take minutes if it weren't, and takes a fraction of a second."""
    began = process_time()
    said = scrub(unit * (200_000 // len(unit)) + f" {LEAKS[0]}")
    assert process_time() - began < 15
    assert "Marker" not in said


def test_the_rest_of_an_address_stays() -> None:
    assert scrub(f"http://u:{S}@host:8000/v1?a=1&sig={S}&b=2") == "http://***@host:8000/v1?a=1&sig=***&b=2"
    assert json.loads(scrub(f'{{"api_key": "{S}", "n": 1}}')) == {"api_key": "***", "n": 1}


def test_what_is_known_is_hidden_in_the_forms_that_it_takes() -> None:
    value = 'odd "word" ü/é+Marker'
    Secret(value)
    for form in (value, quote(value, safe=""), json.dumps(value), base64.b64encode(value.encode()).decode()):
        assert scrub(f"x {form} y").startswith("x ") and "Marker" not in scrub(form) and "***" in scrub(form)


def test_parts_of_an_address_are_known_once_it_was_used() -> None:
    remember_address("http://user:Pa55Marker1@host/v1?sig=abcMarker2&x=1")
    assert scrub("denied: Pa55Marker1, abcMarker2") == "denied: ***, ***"
    remember_address("http://[broken")


def test_the_environments_secrets_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_SOME_API_KEY", "MarkerInEnv1\n")
    monkeypatch.setenv("HF_ENDPOINT", "https://MarkerInEnv2@mirror.example/?sig=MarkerInEnv3")
    assert "Marker" not in scrub("x MarkerInEnv1 y MarkerInEnv2 z MarkerInEnv3")


def test_errors_hide_secrets_wherever_they_stand() -> None:
    for error in (
        SpecError(f"no http://{S}@host", got=f"sig: https://h/?sig={S}", where=f"https://{S}@x/", expected=f"hf_{S}"),
        DataError("x", fix=f"set api_key={S}"),
        ProviderError(f"Bearer {S}", kind="auth"),
    ):
        assert "Marker" not in f"{error} {error!r} {vars(error)}"


def test_a_models_words_lose_only_what_is_known() -> None:
    Secret("a-long-key-that-is-known")
    assert hide_known("you sent a-long-key-that-is-known, api_key=x") == "you sent ***, api_key=x"


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("extra", '{"api_key": "abcdef"}', True),
        ("extra", {"headers": {"Authorization": "Bearer x"}}, True),
        ("api_key", "abcdefgh", True),
        ("extra", '{"min_p": 0.1}', False),
        ("key_env", "TRIPTYCH_MY_API_KEY", False),
        ("extra", {"chat_template_kwargs": {"bos_token": "<s>"}}, False),
        ("revision", f"sk-{S}", True),
        ("path", "/data/x.jsonl", False),
        ("llm", "openai/m", False),
    ],
)
def test_settings_that_would_give_a_secret_away(name: str, value: object, secret: bool) -> None:
    assert looks_secret(name, value) is secret


@pytest.mark.parametrize("name", [f"m?api_key={S}", f"m?sig={S}", f"http://user:{S}@host/m"])
def test_a_models_name_with_a_key_is_refused_without_showing_it(name: str) -> None:
    """It stood in the manifest and in every table."""
    with pytest.raises(SpecError, match="seems to contain a key") as caught:
        load_adapter(f"openai/{name}", {"base_url": "http://127.0.0.1:9/v1"})
    assert S not in str(caught.value)


@pytest.mark.parametrize("name", ["hf-internal-testing/tiny-random-x", "org/m@main", "m:free", "m=1"])
def test_ordinary_names_of_models_are_taken(name: str) -> None:
    assert load_adapter(f"openai/{name}", {"base_url": "http://127.0.0.1:9/v1"}).name
