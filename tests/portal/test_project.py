"""Tests of `portal/project.py`: the project folder, its settings and its secret."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from triptych.errors import SpecError
from triptych.portal.project import (
    DATABASE,
    ENVIRONMENT,
    Finish,
    Pay,
    Settings,
    open_portal,
    read_secret,
    read_settings,
    unknown_queues,
)
from triptych.portal.work.gold import Rule


def test_a_return_address_that_is_no_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "portal.toml").write_text('[finish.poems]\nback = "javascript:alert(1)"\n')
    with pytest.raises(SpecError, match="return address"):
        read_settings(tmp_path / "portal.toml")


def test_the_secret_is_its_owners_alone(tmp_path: Path) -> None:
    secret = read_secret(tmp_path / "secret")
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600 and len(secret) == 64
    assert read_secret(tmp_path / "secret") == secret
    (tmp_path / "secret").chmod(0o644)
    with pytest.raises(SpecError, match="chmod 600"):
        read_secret(tmp_path / "secret")


@pytest.mark.parametrize("text", ["titel = 'x'", "title = 3", "languages = ['fr']", "title = '\\xff", "[" * 9000])
def test_wrong_settings_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "portal.toml").write_text(text)
    with pytest.raises(SpecError):
        read_settings(tmp_path / "portal.toml")


def test_a_share_of_gold_tasks_is_a_share(tmp_path: Path) -> None:
    (tmp_path / "portal.toml").write_text("[gold.review]\nleast = 70\n", encoding="utf-8")
    with pytest.raises(SpecError, match="settings"):
        read_settings(tmp_path / "portal.toml")
    (tmp_path / "portal.toml").write_text('[gold.review]\nthen = "pasue"\n', encoding="utf-8")
    with pytest.raises(SpecError) as raised:
        read_settings(tmp_path / "portal.toml")
    assert "pause" in str(raised.value.expected)


def test_settings_of_pay_are_a_weight_or_amounts(tmp_path: Path) -> None:
    path = tmp_path / "portal.toml"
    path.write_text('[pay]\nrecord = 1.5\n[pay.transcribe]\nper_minute = 3\ncurrency = "EUR"\n')
    found = read_settings(path)
    assert found.pay_of("record") == Pay(weight=1.5) and found.pay_of("transcribe") == Pay(per_minute=3, currency="EUR")
    assert found.pay_of("other") == Pay()
    path.write_text("[pay.record]\nper_minute = -1\n")
    with pytest.raises(SpecError):
        read_settings(path)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[most]\nread = 3\nrecord = 0\n", "`$.most.record`"),
        ("[pay]\nrecord = 1\nreview = -1\n", "`$.pay.review`"),
        ("[gold.one]\nevery = 3\n[gold.two]\nevry = 3\n", "unknown field `evry` - at `$.gold.two`"),
        ("[finish.one]\nback = 3\n", "`$.finish.one.back`"),
    ],
)
def test_a_setting_of_a_queue_that_cannot_be_read_names_file_and_queue(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "portal.toml"
    path.write_text(text)
    with pytest.raises(SpecError) as raised:
        read_settings(path)
    assert named in str(raised.value.got) and raised.value.where == str(path)


def test_rules_of_the_settings_are_read(tmp_path: Path) -> None:
    path = tmp_path / "portal.toml"
    path.write_text('[gold.review]\nevery = 20\nleast = 0.8\nthen = "pause"\n')
    assert read_settings(path).gold == {"review": Rule(every=20, least=0.8, then="pause")}
    path.write_text('[gold.review]\nthen = "shout"\n')
    with pytest.raises(SpecError, match="settings"):
        read_settings(path)


def test_every_setting_is_read_and_what_is_not_said_has_its_default(tmp_path: Path) -> None:
    text = (
        'title = "声音"\ncontact = "li@example.org"\nhosts = ["portal.example.org"]\nproxies = ["10.0.0.0/8", "::1"]\n'
        'languages = ["zh"]\n[most]\nrecord = 30\n[pay]\nreview = 2\n[pay.record]\nper_minute = 1.5\ncurrency = "EUR"\n'
        '[finish.people]\ncode = "C1"\nback = "https://x.org/?pid={PID}"\n[oidc]\nissuer = "https://id.example.org"\n'
        'client_id = "portal"\n[oidc.people]\n"a@b.c" = "admin"\n'
    )
    (tmp_path / "portal.toml").write_text(text, encoding="utf-8")
    settings = read_settings(tmp_path / "portal.toml")
    assert (settings.title, settings.languages, settings.most) == ("声音", ("zh",), {"record": 30})
    assert settings.oidc and (settings.oidc.role, settings.oidc.people) == ("participant", {"a@b.c": "admin"})
    assert settings.finish["people"] == Finish("C1", "https://x.org/?pid={PID}")
    assert (settings.media, settings.db, settings.gold) == ("media", "", {})
    assert read_settings(tmp_path / "none.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('proxies = ["10.0.0.0/40"]', "not an address or network.*10.0.0.7 or 10.0.0.0/8.*10.0.0.0/40"),
        ('proxies = ["proxy.example.org"]', "not an address or network"),
        ("languages = []", "unknown language"),
        ('[finish.poems]\nback = "//x.org"', r"not a return address.*https.*//x\.org.*finish\.poems"),
        ("[most]\nrecord = 0", ">= 1.*most"),
        ("[pay]\nrecord = -1", "pay"),
        ('[gold.review]\nthen = "fire"', "tell, pause, reject.*fire"),
        ('[oidc]\nissuer = "https://x"', "client_id"),
    ],
)
def test_a_wrong_setting_is_named_with_what_was_expected(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "portal.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_settings(tmp_path / "portal.toml")
    assert re.search(message, str(caught.value), re.DOTALL) and "portal.toml" in str(caught.value)


def test_settings_of_queues_that_a_portal_does_not_have_are_named() -> None:
    settings = Settings(most={"a": 1}, pay={"b": 2.0}, finish={"c": Finish()}, gold={"d": Rule(), "a": Rule()})
    assert unknown_queues(settings, ["a", "c"]) == ["[pay.b]", "[gold.d]"]
    assert unknown_queues(settings, []) == ["[most.a]", "[pay.b]", "[finish.c]", "[gold.d]", "[gold.a]"]
    assert unknown_queues(Settings(), []) == []


@pytest.mark.parametrize("content", ["", "short", "x" * 31])
def test_a_secret_that_is_too_short_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "secret").write_text(content)
    (tmp_path / "secret").chmod(0o600)
    with pytest.raises(SpecError, match="too short"):
        read_secret(tmp_path / "secret")
    assert (tmp_path / "secret").read_text() == content


def test_a_link_in_place_of_the_secret_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SpecError):
        read_secret(tmp_path / "secret")
    assert not (tmp_path / "elsewhere").exists()


def test_a_project_is_opened_where_it_is_and_made_only_if_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    with pytest.raises(SpecError, match=r"doesn't exist[\s\S]*portal serve --project"):
        open_portal(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    portal = open_portal(tmp_path / "new", create=True)
    portal.close()
    assert (tmp_path / "new" / DATABASE).is_file()
    again = open_portal(tmp_path / "new")
    assert again.secret == portal.secret
    again.close()


def test_the_database_of_the_command_goes_before_that_of_the_environment_and_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "portal.toml").write_text(f'db = "sqlite:///{tmp_path}/settings.db"\n', encoding="utf-8")
    for name, url in (("settings", ""), ("environment", ""), ("command", f"sqlite:///{tmp_path}/command.db")):
        if name == "environment":
            monkeypatch.setenv(ENVIRONMENT, f"sqlite:///{tmp_path}/environment.db")
        portal = open_portal(tmp_path, url, migrated=False)
        portal.close()
        assert portal.database.url.database == f"{tmp_path}/{name}.db"
