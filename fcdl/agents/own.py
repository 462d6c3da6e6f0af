"""Players that users bring: classes of their own modules, written `module:Class`, and agents made in Python."""

from __future__ import annotations

import importlib
import os
import random
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from fcdl.agents.agent import Agent, AgentError
from fcdl.language.diagnostics import did_you_mean
from fcdl.model.events import Observation
from fcdl.model.game import Game
from fcdl.model.moves import Move


def own_class(text: str) -> Callable[[Game], Agent]:
    """The class that `module:Class` names, in the current folder or installed; raises AgentError."""
    name, _, attribute = text.partition(":")
    if not all(part.isidentifier() for part in name.split(".")):
        raise AgentError(f"'{name}' is not the name of a module")
    sys.path.insert(0, str(os.getcwd()))  # noqa: PTH109 - as Python itself does for a script
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise AgentError(f"cannot import '{name}': {error}") from error
        raise AgentError(
            f"there is no agent and no module '{name}' in this folder (fcdl agents lists the agents)"
        ) from None
    except Exception as error:
        raise AgentError(f"cannot import '{name}': {said(error)}") from error
    finally:
        del sys.path[0]
    found: object = getattr(module, attribute, None)
    if not callable(found):
        classes = [one for one, value in vars(module).items() if isinstance(value, type)]
        hint = did_you_mean(attribute, classes)
        raise AgentError(f"module '{name}' has no class '{attribute}'" + (f" ({hint})" if hint else ""))
    made: Callable[[Game], Agent] = found
    return made


class OwnAgent:
    """An agent of a user: what it raises is an AgentError with the place, and what it chooses is checked."""

    def __init__(self, source: Callable[[Game], Agent] | Agent, game: Game, name: str | None = None) -> None:
        self.game = game
        self.name = name or source_name(source)
        if isinstance(source, type) or not hasattr(source, "choose"):
            try:
                source = source(game)
            except Exception as error:
                wanted = (
                    ""
                    if error.__traceback__ and error.__traceback__.tb_next
                    else "; it is made with the game: Class(game)"
                )
                raise AgentError(f"agent '{self.name}' cannot be made: {said(error)}{wanted}") from error
            if not callable(getattr(source, "choose", None)):
                raise AgentError(f"agent '{self.name}' has no method choose(observation, legal, rng)")
        self.agent: Agent = source

    def choose(self, observation: Observation, legal: Sequence[Move], rng: random.Random) -> Move:
        """What the agent chooses, which may also be a text; raises AgentError if that is not legal."""
        try:
            chosen: object = self.agent.choose(observation, legal, rng)
            move = self.game.read_move(chosen) if isinstance(chosen, str) else chosen
        except Exception as error:
            raise AgentError(f"agent '{self.name}' failed: {said(error)}") from error
        if move not in legal:
            raise AgentError(f"agent '{self.name}' chose {move}, which is not one of: {', '.join(map(str, legal))}")
        return move  # type: ignore[return-value]

    def __getattr__(self, name: str) -> Any:
        """Whatever else the agent can do (`think`, `peek`)."""
        if name == "agent":
            raise AttributeError(name)
        return getattr(self.agent, name)


def source_name(source: object) -> str:
    """What an agent that was not named by a text is called."""
    return str(getattr(source, "__name__", type(source).__name__))


def said(error: Exception) -> str:
    """An error of somebody else's code in one line, with its place."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
