"""What a player is, and how players are named on the command line (`name:key=value,key=value`)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import did_you_mean
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move


class AgentError(FcdlError):
    """An agent, a parameter or a value that does not exist; the message names the valid ones."""

    exit_code = 2


class Agent(Protocol):
    """A player. The same observation, moves and random numbers give the same choice, whatever the hidden cards are."""

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """One of the legal moves."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an agent: how its text is read, what it is if not given, what it means."""

    read: Callable[[str], object]
    default: object
    meaning: str


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent: how one is made for a game, and its parameters by name."""

    make: Callable[..., Agent]
    """Called with the game and the parameters by name."""
    meaning: str
    parameters: Mapping[str, Parameter]


def kinds() -> Mapping[str, AgentKind]:
    """All kinds of agents by name; imported here because some of them are heavy."""
    from fcdl.agents.basic import KINDS

    return KINDS


def parse_agent(text: str) -> tuple[str, dict[str, object]]:
    """The name and all parameters of an agent written `name:key=value,...`; a key alone means yes."""
    name, _, rest = text.strip().partition(":")
    known = kinds()
    if name not in known:
        hint = did_you_mean(name, known) or f"agents: {', '.join(known)}"
        raise AgentError(f"unknown agent '{name}' ({hint})")
    kind = known[name]
    values = {key: parameter.default for key, parameter in kind.parameters.items()}
    for item in filter(None, rest.split(",")):
        key, given, value = item.partition("=")
        if key not in kind.parameters:
            valid = ", ".join(kind.parameters) or "none"
            raise AgentError(f"agent '{name}' has no parameter '{key}' (parameters: {valid})")
        try:
            values[key] = kind.parameters[key].read(value if given else "yes")
        except ValueError as error:
            raise AgentError(f"agent '{name}': {key}={value}: {error}") from None
    return name, values


def make_agents(text: str, game: Game) -> list[Agent]:
    """The agents of `a/b/c`, one for each seat; raises AgentError before anything is played."""
    names = text.split("/")
    if len(names) != game.players:
        raise AgentError(f"{game.players} players need {game.players} agents (a/b/...), not {len(names)}")
    agents = []
    for text_of_one in names:
        name, values = parse_agent(text_of_one)
        agents.append(kinds()[name].make(game, **values))
    return agents
