"""Players. An agent gets what its seat has seen and its legal moves, never a position."""

from fcdl.agents.agent import (
    Agent,
    AgentError,
    AgentSource,
    MoveValue,
    Thinker,
    Thought,
    make_agent,
    make_agents,
    parse_agent,
)

__all__ = [
    "Agent",
    "AgentError",
    "AgentSource",
    "MoveValue",
    "Thinker",
    "Thought",
    "make_agent",
    "make_agents",
    "parse_agent",
]
