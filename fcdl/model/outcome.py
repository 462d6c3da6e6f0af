"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why a game ended; only END is a proper end."""

    END = "end"
    FAULT = "fault"
    NO_LEGAL_MOVE = "no legal move"
    STEP_LIMIT = "step limit"
    STALEMATE = "stalemate"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Scores by seat, why the game ended, and for improper ends the node where it did."""

    scores: tuple[int, ...]
    reason: Reason
    node: int | None = None
