"""Tests of `portal/work/tokens.py`: tokens of the HTTP API."""

from __future__ import annotations

import re
from hashlib import sha256

from sqlalchemy import select

from triptych.portal.project import Portal
from triptych.portal.store.tables import audit, tokens
from triptych.portal.work.tokens import add_token, end_tokens, token_is_known


def test_a_token_is_known_until_its_label_is_ended(portal: Portal) -> None:
    with portal.database.writing() as connection:
        one, same, other = add_token(connection, "build"), add_token(connection, "build"), add_token(connection, "机器")
    with portal.database.writing() as connection:
        assert all(token_is_known(connection, token) for token in (one, same, other))
        assert end_tokens(connection, "build") == 2
        assert end_tokens(connection, "build") == 0 and end_tokens(connection, "nobody's") == 0
        assert not token_is_known(connection, one) and not token_is_known(connection, same)
        assert token_is_known(connection, other)


def test_what_is_not_a_token_is_not_known(small: Portal) -> None:
    with small.database.writing() as connection:
        token = add_token(connection, "build")
        for given in ("", "tpt_", token[:-1], token.upper(), f"{token} ", "\udcff", "词", "x" * 100_000):
            assert not token_is_known(connection, given), given[:20]
        assert not token_is_known(
            connection, sha256(token.encode()).hexdigest()
        )  # what the database holds opens nothing


def test_the_database_and_the_audit_trail_hold_no_token(small: Portal) -> None:
    with small.database.writing() as connection:
        made = {add_token(connection, "build") for _ in range(20)}
        assert len(made) == 20 and all(re.fullmatch(r"tpt_[\w-]{43}", token) for token in made)
        stored = set(connection.execute(select(tokens.c.id)).scalars())
        assert stored == {sha256(token.encode()).hexdigest() for token in made}
        end_tokens(connection, "build")
        entries = connection.execute(select(audit.c.action, audit.c.subject, audit.c.detail)).all()
    assert entries[-1] == ("token ended", "build", {"number": 20})
    assert not [token for token in made if token in str(entries)]
