"""The command line itself: arguments, configuration files, exit codes, start-up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from tests.support.commands import triptych
from triptych.cli.main import _command_name, _parser, _spread, app, main


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_several_pairs_may_follow_one_option() -> None:
    given = ["run", "b", "-M", "a=1", "b=2", "--filter", "x=1", "y=2", "--limit", "3", "z=4"]
    assert _spread(given) == [
        "run",
        "b",
        "-M",
        "a=1",
        "-M",
        "b=2",
        "--filter",
        "x=1",
        "--filter",
        "y=2",
        "--limit",
        "3",
        "z=4",
    ]


def test_help_and_version_say_what_they_should() -> None:
    shown = subprocess.run([sys.executable, "-m", "triptych", "--help"], capture_output=True, text=True)
    assert shown.returncode == 0
    assert all(command in shown.stdout for command in ("list", "check", "run", "score", "report", "demo", "doctor"))
    assert triptych("--version").stdout.strip()
    assert "--config" in shown.stdout


@pytest.mark.parametrize("group", ["", "audit", "build", "judge", "models", "portal", "portal survey", "train"])
def test_no_line_about_a_command_is_cut(group: str) -> None:
    assert "..." not in triptych(*group.split(), "--help").stdout.partition("Commands:")[2]


def test_the_parser_knows_the_command_that_the_arguments_name_and_all_if_they_name_none() -> None:
    def known(*arguments: str) -> set[str]:
        return set(_parser(_command_name(list(arguments))).commands)

    everything = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    assert {"list", "unpack", "audit", "portal"} < everything
    assert all(known(name, "--help") == {name} for name in everything)
    for arguments in ([], ["--help"], ["lst"], ["--config", "a.toml", "list"], ["run", "b", "--config=a.toml"]):
        assert known(*arguments) == everything


def test_a_misspelt_command_is_told_once() -> None:
    shown = triptych("rnu")
    assert shown.returncode == 2
    assert shown.stderr.count("run") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "xmodbnch", "--model", "baseline/random"], "did you mean 'xmodbench'"),
        (["run", "xmodbench/linguistics", "--model", "baseline/random"], "did you mean 'linguistic'"),
        (["run", "xmodbench", "--model", "baselin/random"], "did you mean 'baseline'"),
        (["run", "xmodbench"], "no model is given"),
        (["run", "xmodbench", "--model", "baseline/random", "--condition", "blnd"], "did you mean 'blind'"),
        (["run", "xmodbench", "--model", "baseline/random", "--data", "/nowhere/at/all"], "/nowhere/at/all"),
        (["run", "xmodbench", "--model", "baseline/random", "--filter", "famly=spatial"], "did you mean 'family'"),
        (["run", "xmodbench", "--model", "baseline/random", "--filter", "family=sptial"], "nothing is selected"),
        (["run", "cmdar", "--model", "baseline/random", "--limit", "0"], "--limit must be at least 1"),
        (["run", "cmdar", "--model", "baseline/random", "--timeout", "0"], "time limit must be above 0"),
        (["run", "cmdar", "--model", "baseline/random", "--rate", "0"], "rate must be above 0"),
        (["run", "cmdar", "--model", "baseline/random", "--retries", "-1"], "retries must be at least 0"),
        (["run", "cmdar", "--model", "baseline/random", "--budget-usd", "-1"], "budget in USD must be at least 0"),
        (["run", "cmdar", "--model", "baseline/random", "--sample", "lite"], "cmdar defines no samples"),
        (["run", "xmodbench", "--model", "baseline/random", "--sample", "lit"], "did you mean 'lite'"),
        (["run", "cmdar", "--model", "baseline/random", "--data", __file__], "this is a file, not a data folder"),
        (["run", "cmdar", "--model", "baseline/random", "--data", "."], "says which files are expected"),
        (["check", "cmdar", "--data", __file__], "this is a file, not a data folder"),
        (["audit", "run", ".", "--benchmark", "cmdr"], "did you mean 'cmdar'"),
        (["score", "cmdar", "--predictions", "/nowhere.json"], "/nowhere.json"),
        (["score", "cmdar"], "triptych score cmdar --predictions"),
        (["list", "conditions", "cmdar"], "don't belong to a benchmark"),
        (["list", "models", "cmdr"], "did you mean 'cmdar'?"),
        (["list", "models", "--tag", "chines"], "did you mean 'chinese'?"),
        (["list", "models", "--status", "shut"], "no status 'shut'"),
        (["list", "tasks", "--tag", "qwen"], "--status and --tag select models"),
        (["report", "/nowhere"], "/nowhere"),
    ],
)
def test_wrong_use_ends_with_2_and_says_what_to_do(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code(*arguments) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert "Traceback" not in shown.err
    assert not list(tmp_path.iterdir()), "nothing is left behind by a wrong command"


def test_a_reader_that_had_enough_is_no_failure(tmp_path: Path) -> None:
    main_ends = exit_code("run", "cmdar", "--model", "baseline/first", "--limit", "2", "--out", str(tmp_path / "run"))
    assert main_ends == 0
    command = [sys.executable, "-u", "-m", "triptych", "report", str(tmp_path / "run"), "--format", "terminal"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as shown:
        assert shown.stdout is not None and shown.stderr is not None
        shown.stdout.readline()
        shown.stdout.close()
        told = shown.stderr.read()
    assert (shown.returncode, told) == (0, "")


def test_an_unknown_option_ends_with_2() -> None:
    shown = triptych("run", "xmodbench", "--modle", "x")
    assert shown.returncode == 2
    assert "--modle" in shown.stderr


def test_a_configuration_file_stands_for_flags_and_flags_win(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        '[run]\nbenchmark = "cmdar/main"\nmodel = "baseline/constant"\nlimit = 3\n[run.M]\noption = 2\n',
        encoding="utf-8",
    )
    one = triptych("run", "--config", str(config), "--dry-run", "--json")
    assert one.returncode == 0, one.stderr
    assert json.loads(one.stdout)["requests"] == 3
    two = triptych("run", "--config", str(config), "--limit", "2", "--dry-run", "--json")
    assert json.loads(two.stdout)["requests"] == 2


def test_values_of_a_configuration_are_flags(tmp_path: Path) -> None:
    """One value where several may stand, lists and tables inside a model's settings, several values of a facet."""
    config = tmp_path / "c.toml"
    text = """[run]
    benchmark = "cmdar/main"
    model = "openai/m"
    model-base-url = "http://127.0.0.1:1/v1"
    condition = "blind"
    retries = 0
    limit = 1
    [run.M]
    drop = ["top_k", "seed"]
    logprobs = true
    extra = {min_p = 0.1}
    [run.filter]
    task = ["cmdar/main", "cmdar/multi"]
    """
    config.write_text(text, encoding="utf-8")
    shown = triptych("run", "--config", str(config), "--out", str(tmp_path / "run"))
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_bytes())
    told = {"logprobs": True, "extra": '{"min_p": 0.1}'}
    assert manifest["model_settings"] == told, shown.stderr
    assert (manifest["conditions"], manifest["planned"]) == (["blind"], 1)
    assert manifest["filters"] == {"task": ["cmdar/main", "cmdar/multi"]}


def test_commands_of_a_group_have_tables_of_their_own(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text("[audit.tables]\njson = true\n", encoding="utf-8")
    shown = triptych("audit", "tables", "cmdar", "--config", str(config))
    assert json.loads(shown.stdout)["findings"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[rum]\n", "did you mean 'run'"),
        ("[run]\nlimits = 3\n", "did you mean 'limit'"),
        ("[run\n", "not valid TOML"),
        ("[audit]\nall = true\n", "unknown table [audit.all]"),
        ("[audit.data]\nal = true\n", "unknown key 'al' in [audit.data]"),
        ("[run]\nlimit = [1]\n", "'limit' in [run] takes one value"),
        ("[run]\nprompt = {a = 1}\n", "'prompt' in [run] takes one value"),
        ("[run]\nbenchmark = 'cmdar'\nconcurrency = 2.5\n", "'2.5' is not a valid integer"),
        ("[run]\nbenchmark = 'cmdar'\nconcurrency = true\n", "'true' is not a valid integer"),
        ("[run]\nmodel = '\udcff'\n", "not valid TOML"),
    ],
)
def test_a_wrong_configuration_is_refused(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "c.toml"
    config.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert exit_code("run", "--config", str(config)) == 2
    assert words in capsys.readouterr().err


def test_data_on_application_has_a_json_document_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("fetch", "mcs_bench", "--json") == 1
    assert "mail it" in json.loads(capsys.readouterr().out)["apply"]


def test_doctor_says_what_is_there_and_never_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    shown = triptych("doctor", "--json")
    assert shown.returncode == 0, shown.stderr
    assert "sk-very-secret" not in shown.stdout
    keys = {row["name"]: row["ok"] for row in json.loads(shown.stdout)["keys"]}
    assert keys["OPENAI_API_KEY"] is True


def test_doctor_opens_with_a_verdict_and_tries_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    class Served(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"data": [{"id": "omni-7b"}]}' if self.path == "/v1/models" else b"no")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Served)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for url, ok, state in ((f"{address}/v1", True, "serves omni-7b"), (f"{address}/v2", False, "does not answer as")):
        found = json.loads(triptych("doctor", "--model-base-url", url, "--json").stdout)
        (row,) = [one for one in found["this computer"] if one["name"] == "endpoint"]
        assert row["ok"] is ok and state in row["state"]
        assert state in found["verdict"][0] and found["verdict"][0].startswith("Ready" if ok else "Not ready")
    server.shutdown()
    assert not any("for the tests" in row["note"] for row in found["weights"])
    assert {"disk, this folder", "disk, the cache", "GPU"} <= {row["name"] for row in found["this computer"]}
    assert triptych("doctor").stdout.startswith("Ready to run")
