"""`fcdl agents`."""

import json

import pytest

from fcdl.agents.agent import kinds
from tests.cli.test_commands import run


def test_all_agents_are_listed_with_their_meaning() -> None:
    result = run("agents")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines() if line[:1].strip()][:-1] == list(kinds())


@pytest.mark.parametrize("name", kinds())
def test_every_parameter_is_said_with_its_default_and_its_values(name: str) -> None:
    (described,) = json.loads(run("agents", name, "--json").stdout)
    assert [item["name"] for item in described["parameters"]] == list(kinds()[name].parameters)
    said = ("a whole number", "a number", "one of", "an agent")
    assert all(item["values"].startswith(said) for item in described["parameters"])
    text = run("agents", name).stdout
    assert text.startswith(f"{name}: {described['meaning']}")
    assert all(f"\n{item['name']}" in text for item in described["parameters"])


def test_flags_and_missing_defaults() -> None:
    text = run("agents", "montecarlo").stdout
    assert "\nclairvoyant=no " in text
    assert "\nms " in text


def test_an_agent_that_is_not_there() -> None:
    result = run("agents", "ranom")
    assert result.exit_code == 2
    assert "did you mean 'random'?" in result.stderr
