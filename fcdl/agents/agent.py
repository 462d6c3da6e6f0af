"""What a player is, and how players are named on the command line (`name:key=value,key=value`)."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fcdl.errors import FcdlError
from fcdl.language.diagnostics import did_you_mean
from fcdl.language.numbers import whole_number
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move

if TYPE_CHECKING:
    from fcdl.engines.native.policies import AnyPolicy

KIND_MODULES: tuple[str, ...] = (
    "fcdl.agents.basic",
    "fcdl.agents.search",
    "fcdl.agents.best",
    "fcdl.agents.hyperheur",
    "fcdl.agents.measured",
    "fcdl.agents.learned",
    "fcdl.agents.durak",
    "fcdl.agents.hearts",
    "fcdl.agents.oh_hell",
    "fcdl.agents.oh_hell_tree",
    "fcdl.agents.skat",
)
"""Modules with a table KINDS of kinds of agents; light to import, what is heavy they import when an agent is made."""


class AgentError(FcdlError):
    """An agent, a parameter or a value that does not exist; the message names the valid ones."""

    exit_code = 2


class Agent(Protocol):
    """A player. The same observation, moves and random numbers give the same choice, whatever the hidden cards are."""

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """One of the legal moves."""


AgentSource = str | Callable[[Any], Agent] | Agent
"""An agent to be made: its text, or a class (or another function of the game); or an agent that is there already."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What an agent thinks of one legal move: what it is worth (more is better), and how often it was looked at."""

    move: Move
    value: float
    visits: int | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """A choice with what led to it: the values of the moves, the best first, and sentences for people."""

    move: Move
    values: tuple[MoveValue, ...]
    reasons: tuple[str, ...] = ()
    note: str = ""
    """How the hidden cards were treated, if it was not exactly, or why the move was made at random."""


@runtime_checkable
class Thinker(Agent, Protocol):
    """An agent that can say why."""

    def think(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Thought:
        """The choice that `choose` makes, with its reasons."""


@runtime_checkable
class Clairvoyant(Protocol):
    """An agent that can use the true position, for open-world experiments only; `peek` comes before each `choose`."""

    clairvoyant: bool
    """Whether it wants to see the position in every game, not only in those played with open cards."""

    def peek(self, position: bytes) -> None:
        """The native engine's position (`State.data`) in which the next choice is made."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an agent: how its text is read (ValueError says what is valid), its default, its meaning."""

    read: Callable[[str], object]
    default: object
    meaning: str


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent: how one is made for a game, and its parameters by name."""

    make: Callable[..., Agent]
    """Called with the game and the parameters by name; raises AgentError where it cannot play that game."""
    meaning: str
    parameters: Mapping[str, Parameter]


def at_random(legal: Sequence[Move], rng: random.Random, error: Exception) -> Thought:
    """Any legal move, for a player that something kept from choosing: a game under way is never ended by a player."""
    note = f"This move was made at random because {error}." if isinstance(error, FcdlError) else AT_RANDOM.format(error)
    return Thought(legal[rng.randrange(len(legal))], tuple(MoveValue(move, 0.0, 0) for move in legal), (note,), note)


AT_RANDOM = "This move was made at random because of an internal error ({0!r}). Please report it."


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        number = whole_number(text)
        if number is None or not low <= number <= high:
            raise ValueError(f"expected a whole number from {low} to {high}")
        return number

    return read


def real(low: float, high: float) -> Callable[[str], float]:
    """Reads a number within bounds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"expected a number from {low} to {high}")
        return value

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """Reads one of some words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"expected one of {', '.join(words)}")
        return text

    return read


def flag(text: str) -> bool:
    """Reads yes or no."""
    return one_of("yes", "no")(text) == "yes"


def kinds() -> Mapping[str, AgentKind]:
    """All kinds of agents by name."""
    return {name: kind for module in KIND_MODULES for name, kind in importlib.import_module(module).KINDS.items()}


def tools(table: str) -> Mapping[str, Callable[[Game], Any]]:
    """What players bring along for the searching players, by name: makers in tables POLICIES and EVALUATIONS."""
    modules = map(importlib.import_module, KIND_MODULES)
    return {name: make for module in modules for name, make in getattr(module, table, {}).items()}


def is_policy_file(text: str) -> bool:
    """Whether a name of a policy is that of a file."""
    return text.endswith(".policy")


def policy_name(*others: str) -> Callable[[str], str]:
    """Reads the name of a policy or of its file, or another word."""

    def read(text: str) -> str:
        return text if is_policy_file(text) else one_of(*others, *tools("POLICIES"))(text)

    return read


def policy_of(name: str, game: Game) -> AnyPolicy:
    """The policy of this name, or in this file, for a game."""
    if is_policy_file(name):
        from fcdl.agents.learned import policy_in

        return policy_in(name, game)
    policy: AnyPolicy = tools("POLICIES")[name](game)
    return policy


def parse_agent(text: str) -> tuple[str, dict[str, object]]:
    """The name and all parameters of an agent written `name:key=value,...`; a key alone means yes.

    Where there is no such agent, `module:Class` is a class of a Python module of the user's; it has no parameters.
    """
    name, _, rest = text.strip().partition(":")
    known = kinds()
    if name not in known and rest.isidentifier():
        from fcdl.agents.own import own_class

        own_class(text.strip())
        return text.strip(), {}
    if name not in known:
        hint = did_you_mean(name, known) or f"agents: {', '.join(known)}; see 'fcdl agents'"
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
    return [make_agent(name, game) for name in names]


def make_agent(source: AgentSource, game: Game) -> Agent:
    """The agent of this text, class or other function of the game; an agent is itself. Raises AgentError."""
    if isinstance(source, str):
        name, values = parse_agent(source)
        if name in (known := kinds()):
            return known[name].make(game, **values)
    from fcdl.agents.own import OwnAgent, own_class

    return OwnAgent(own_class(name), game, name) if isinstance(source, str) else OwnAgent(source, game)
