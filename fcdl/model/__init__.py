"""What engines, agents and user interfaces share: games, moves, events, observations, outcomes, records."""

from fcdl.model.chance import Chance, ChanceError, RandomChance, RecordingChance, ScriptedChance, StreamChance
from fcdl.model.engine import LOOP_LIMIT, PASS_LIMIT, STEP_LIMIT, Engine, IllegalMoveError, State
from fcdl.model.events import Event, Observation
from fcdl.model.game import Game, GameError
from fcdl.model.moves import PASS, Move, MoveError
from fcdl.model.outcome import Outcome, Reason

__all__ = [
    "LOOP_LIMIT",
    "PASS",
    "PASS_LIMIT",
    "STEP_LIMIT",
    "Chance",
    "ChanceError",
    "Engine",
    "Event",
    "Game",
    "GameError",
    "IllegalMoveError",
    "Move",
    "MoveError",
    "Observation",
    "Outcome",
    "RandomChance",
    "Reason",
    "RecordingChance",
    "ScriptedChance",
    "State",
    "StreamChance",
]
