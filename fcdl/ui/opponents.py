"""Computer players in the words of people: easy, normal and hard, and what they are for a given game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.agents import AgentError, make_agent, parse_agent
from fcdl.agents.agent import kinds
from fcdl.language.diagnostics import did_you_mean
from fcdl.model.game import Game

STRENGTHS: Mapping[str, str] = {
    "easy": "ismcts:iterations=30",
    "normal": "ismcts:ms=300",
    "hard": "ismcts:ms=2000",
}
"""The agents behind the words."""
DEFAULT_STRENGTH = "normal"
FALLBACK = "random"
"""Plays every chart."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An agent, and what a person should know about it."""

    agent: str
    note: str = ""


def find_opponent(text: str, game: Game) -> Opponent:
    """The agent of a strength or of its own name; where a strength cannot play this game, one that can."""
    if text not in STRENGTHS:
        if ":" not in text and text not in kinds():
            words = ("human", *STRENGTHS)
            hint = did_you_mean(text, (*words, *kinds())) or f"{', '.join(words)}, {FALLBACK}; 'fcdl agents' lists more"
            raise AgentError(f"nobody is called '{text}' ({hint})")
        parse_agent(text)  # a wrong name is an error here, and not a reason to play at random
        return Opponent(text)
    try:
        make_agent(STRENGTHS[text], game)
    except AgentError as error:
        return Opponent(FALLBACK, f"No '{text}' player can play this game ({error}), so it plays at random.")
    return Opponent(STRENGTHS[text])


def shown_name(agent: str) -> str:
    """An agent as people see it: the word for its strength if it has one."""
    return next((word for word, text in STRENGTHS.items() if text == agent), agent)
