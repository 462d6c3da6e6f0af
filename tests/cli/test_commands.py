"""What each command does when all is well, and the exit codes of the contract."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fcdl.cli import COMMANDS, main
from fcdl.language.catalogue import OTHER, catalogue
from fcdl.language.diagnostics import ChartError, Finding, Severity, Span

WITH_ERROR = """
game "Broken"
chart main
    start
    x = 1
    y = x + missing
    score(player(y)) = x
    end
"""


def run(*arguments: str | Path) -> Result:
    """Runs fcdl; an internal error fails the test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert "internal error" not in result.stderr, result.stderr
    return result


@pytest.fixture
def new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh `fcdl new` game in the current directory."""
    monkeypatch.chdir(tmp_path)
    assert run("new", "my_game").exit_code == 0
    return Path("my_game.fcdl")


def test_help_lists_every_command() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(f"  {name} " in result.stdout for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"Usage: main {command}" in result.stdout


def test_version() -> None:
    assert run("--version").stdout.split()[1] == "0.1.0"


def test_unknown_command_is_a_usage_error_with_a_hint() -> None:
    result = run("chekc")
    assert result.exit_code == 2
    assert "did you mean 'check'?" in result.stderr


# --- games


def test_games_lists_the_built_in_games_as_json() -> None:
    result = run("games", "--json")
    assert result.exit_code == 0
    games = {game["name"]: game for game in json.loads(result.stdout)}
    assert {"trumps", "kings_and_jacks", "crazy_eights", "oh_hell", "hearts", "durak", "skat"} <= set(games)
    assert set(games["hearts"]) == {"name", "title", "genre", "tags", "about", "players", "options", "nodes"}
    assert games["hearts"]["genre"] == "trick-taking"
    assert "passing cards" in games["hearts"]["tags"]
    assert games["hearts"]["players"] == [4, 4]
    assert games["oh_hell"]["players"] == [2, 7]
    assert all(game["nodes"] > 10 for game in games.values())


def test_options_of_a_game_say_what_they_may_be() -> None:
    for game in json.loads(run("games", "--json").stdout):
        for option in game["options"]:
            match option["type"]:
                case "int":
                    low, high = option["range"]
                    assert low <= option["default"] <= high
                case "bool":
                    assert option["default"] in (True, False)
                case "word":
                    assert option["default"] in option["values"]
                case _:
                    pytest.fail(option["type"])


def test_games_lists_every_game_under_its_genre_with_its_rules() -> None:
    result = run("games")
    assert result.exit_code == 0
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    assert lines.index("shedding") < lines.index("trick-taking")
    hearts = next(line for line in lines if line.startswith("  hearts "))
    assert " 4 " in hearts
    assert "Avoid hearts" in hearts


def test_games_are_found_by_words_of_their_tags_and_rules() -> None:
    found = run("games", "Partners", "bidding").stdout
    assert "  euchre " in found
    assert "  spades " in found
    assert "whist" not in found
    nothing = run("games", "chess")
    assert nothing.exit_code == 1
    assert "no game fits 'chess'" in nothing.stderr


def test_every_game_says_its_genre_and_what_it_is_about() -> None:
    for entry in catalogue():
        assert entry.genre != OTHER, entry.name
        assert entry.tags, entry.name
        assert entry.rules, entry.name


# --- new


def test_new_game_checks_clean_and_has_the_usual_layout(new_game: Path) -> None:
    assert json.loads(run("check", new_game, "--json", "--level", "warning").stdout) == []
    assert run("check", new_game).exit_code == 0
    assert run("fmt", new_game, "--check").exit_code == 0
    assert 'game "My game"' in new_game.read_text()


def test_new_refuses_to_overwrite(new_game: Path) -> None:
    new_game.write_text("mine")
    result = run("new", "my_game")
    assert result.exit_code == 1
    assert "already exists" in result.stderr
    assert new_game.read_text() == "mine"


@pytest.mark.parametrize("name", ["../up", "a b", "", "1st", "a/b", ".fcdl", 'x"y'])
def test_new_wants_a_plain_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", name).exit_code == 2
    assert list(tmp_path.iterdir()) == []


# --- check


def test_check_reports_errors_with_their_place_and_exits_with_1(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text(WITH_ERROR)
    result = run("check", file)
    assert result.exit_code == 1
    assert f"{file}:6:13: error[" in result.stdout
    assert "^^^^^^^" in result.stdout
    assert "1 error" in result.stderr


def test_check_as_json_has_the_fields_of_the_contract(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text(WITH_ERROR)
    result = run("check", file, "--json", "--level", "error")
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)
    assert list(finding) == ["severity", "code", "line", "column", "node", "message", "hint"]
    assert (finding["severity"], finding["line"], finding["column"]) == ("error", 6, 13)


def test_colours_are_for_terminals_and_no_color_switches_them_off(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text(WITH_ERROR)
    assert "\x1b[" not in CliRunner().invoke(main, ["check", str(file)]).stdout
    assert "\x1b[" in CliRunner(env={"NO_COLOR": ""}).invoke(main, ["check", str(file)], color=True).stdout
    assert "\x1b[" not in CliRunner(env={"NO_COLOR": "1"}).invoke(main, ["check", str(file)], color=True).stdout


@pytest.mark.parametrize("game", ["trumps", "hearts", "skat"])
def test_check_accepts_the_name_of_a_built_in_game(game: str) -> None:
    assert run("check", game).exit_code == 0


def test_many_findings_are_counted_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text("chart main\n" + "    ) )\n" * 500)
    result = run("check", file)
    assert result.exit_code == 1
    assert "... and 4" in result.stdout
    assert len(json.loads(run("check", file, "--json").stdout)) >= 500


# --- fmt


def test_fmt_prints_the_usual_layout_and_changes_nothing(new_game: Path) -> None:
    untidy = new_game.read_text().replace("score(winner) = score(winner) + 1", "score( winner )=score(winner)+1")
    tidy = new_game.read_text()
    new_game.write_text(untidy)
    assert run("fmt", new_game).stdout == tidy
    assert new_game.read_text() == untidy
    check = run("fmt", new_game, "--check")
    assert check.exit_code == 1
    assert new_game.name in check.stderr
    assert run("fmt", new_game, "--write").exit_code == 0
    assert new_game.read_text() == tidy


def test_fmt_wants_one_purpose(new_game: Path) -> None:
    assert run("fmt", new_game, "--check", "--write").exit_code == 2
    assert run("fmt", "trumps", "--write").exit_code == 2


def test_fmt_of_a_broken_file_leaves_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text("chart main\n    start (\n")
    assert run("fmt", file, "--write").exit_code == 1
    assert file.read_text() == "chart main\n    start (\n"


# --- convert


@pytest.mark.parametrize("form", ["facts", "states", "json"])
def test_convert_there_and_back_is_the_same_chart(form: str, tmp_path: Path) -> None:
    there, back = tmp_path / "there", tmp_path / "back.fcdl"
    assert run("convert", "trumps", "--to", form, "-o", there).exit_code == 0
    assert run("convert", there, "--to", "fcdl", "-o", back).exit_code == 0
    assert back.read_text() == run("convert", "trumps", "--to", "fcdl").stdout


def test_convert_needs_a_known_form() -> None:
    assert run("convert", "trumps", "--to", "pascal").exit_code == 2
    assert run("convert", "trumps").exit_code == 2
    assert run("convert", "trumps", "--to", "json", "--from", "pascal").exit_code == 2


def test_convert_trusts_from(tmp_path: Path) -> None:
    result = run("convert", "trumps", "--from", "json", "--to", "facts")
    assert result.exit_code == 1
    assert "error[" in result.stderr
    assert result.stdout == ""


# --- draw


@pytest.mark.parametrize(("form", "start"), [("svg", b"<"), ("png", b"\x89PNG"), ("dot", b"digraph"), ("mmd", b"---")])
def test_draw_writes_the_form_that_the_ending_names(form: str, start: bytes, tmp_path: Path) -> None:
    picture = tmp_path / f"trumps.{form}"
    assert run("draw", "trumps", "-o", picture).exit_code == 0
    assert picture.read_bytes().lstrip().startswith(start)
    assert run("draw", "trumps", "--to", form).stdout_bytes == picture.read_bytes()


def test_draw_wants_a_known_ending(tmp_path: Path) -> None:
    assert run("draw", "trumps", "-o", tmp_path / "trumps.gif").exit_code == 2
    assert run("draw", "trumps", "-o", tmp_path / "trumps").exit_code == 2
    assert run("draw", "trumps").exit_code == 2


# --- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str) -> None:
    assert "_FCDL_COMPLETE" in run("completion", shell).stdout


def test_games_are_completed() -> None:
    environment = {"_FCDL_COMPLETE": "bash_complete", "COMP_WORDS": "fcdl check tr", "COMP_CWORD": "2"}
    result = CliRunner(env=environment).invoke(main, prog_name="fcdl")
    assert "plain,trumps" in result.stdout


# --- writing files


def test_output_replaces_a_file_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "trumps.json"
    file.write_text("old")
    file.chmod(0o600)
    assert run("convert", "trumps", "--to", "json", "-o", file).exit_code == 0
    assert file.read_text().startswith("{")
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["trumps.json"]


def test_failed_output_leaves_nothing_behind(tmp_path: Path) -> None:
    result = run("convert", "trumps", "--to", "json", "-o", tmp_path / "no" / "such" / "place.json")
    assert result.exit_code == 1
    assert "place.json: no such file or directory" in result.stderr
    assert run("convert", "trumps", "--to", "json", "-o", tmp_path).exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_output_to_a_device_writes_into_it() -> None:
    assert run("convert", "trumps", "--to", "json", "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


# --- errors


def test_chart_errors_show_all_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding(Severity.ERROR, "odd", f"odd thing {n}", Span(1, n, 1, n + 1)) for n in (1, 2)]

    def fail(*_: object) -> None:
        raise ChartError(findings, "odd.fcdl", "xyz")

    monkeypatch.setattr("fcdl.language.load.load_flowchart", fail)
    result = run("draw", "odd.fcdl", "--to", "svg")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[0] == "odd.fcdl:1:1: error[odd]: odd thing 1"
    assert "odd thing 2" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (RecursionError(), 1, "nested too deeply"),
        (MemoryError(), 1, "out of memory"),
        (PermissionError(13, "Permission denied", "x.fcdl"), 1, "x.fcdl: permission denied"),
    ],
)
def test_trouble_becomes_a_message_and_an_exit_code(
    error: BaseException, code: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("fcdl.language.load.load_flowchart", fail)
    result = run("draw", "x.fcdl", "--to", "svg")
    assert result.exit_code == code
    assert message in result.stderr


def test_fault_of_fcdl_itself_is_owned_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("fcdl.language.load.load_flowchart", fail)
    result = CliRunner().invoke(main, ["draw", "x.fcdl", "--to", "svg"])
    assert result.exit_code == 1
    assert "internal error: ZeroDivisionError: oops" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("mygame", "did you mean 'mygame.fcdl'?"),
        ("mygmae.fcdl", "did you mean 'mygame.fcdl'?"),
        ("mygmae", "did you mean 'mygame.fcdl'?"),
        ("folder/mygame.fcdl", "there is no folder 'folder'"),
        ("", "there is no file name"),
    ],
)
def test_missing_file_gets_a_hint(given: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mygame.fcdl").write_text("chart main\n    start\n    end\n")
    result = run("check", given)
    assert result.exit_code == 1
    assert hint in result.stdout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('game "Café"\n'.encode("latin-1"), "bad.fcdl:1:10: error[not-text]: this text is not UTF-8 (save it as"),
        ('game "Hearts"\n'.encode("utf-16"), "bad.fcdl:1:1: error[not-text]: this text is not UTF-8 (save it as"),
        (bytes(range(256)), "bad.fcdl: error[not-text]: this is not a text file"),
    ],
)
def test_file_that_is_not_utf8(data: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.fcdl").write_bytes(data)
    result = run("check", "bad.fcdl")
    assert result.stdout.startswith(said)
    assert result.stdout.count("\n") == 1, "no excerpt"


def test_notes_may_be_asked_for_by_their_old_name(new_game: Path) -> None:
    notes = run("check", new_game, "--json", "--level", "information").stdout
    assert notes == run("check", new_game, "--json", "--level", "note").stdout


def test_commands_print_only_the_errors_of_a_chart(tmp_path: Path) -> None:
    file = tmp_path / "broken.fcdl"
    file.write_text(WITH_ERROR.replace("x = 1", "unused = 1"))
    result = run("draw", file, "--to", "dot")
    assert "error[unknown-name]" in result.stderr
    assert "warning" not in result.stderr
    assert "note[" not in result.stderr
