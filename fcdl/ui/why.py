"""Why a move is not legal, from the ASP engine, and only where the reason tells nothing that the seat may not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fcdl.errors import FcdlError
from fcdl.language import flowchart as fc
from fcdl.language.flowchart import Expr, Visibility
from fcdl.language.load import builtin_names, load_flowchart
from fcdl.model.chance import ScriptedChance
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.ui.journal import Step

if TYPE_CHECKING:
    from fcdl.engines.asp import AspState

MAX_REPLAYED = 60
"""More moves than this take too long to play again on the ASP engine only to say why one is illegal."""


class Explainer:
    """Follows a game on the ASP engine, as far as it is asked."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._followed: list[tuple[Step, AspState]] = []

    def sentence(self, steps: Sequence[Step], node: int, move: Move) -> str | None:
        """Why a move is illegal after these steps; None where that could tell too much, or take too long."""
        statement = self.game.flowchart.nodes[node].statement
        if not isinstance(statement, fc.Play | fc.Pick) or not self._may_tell(statement):
            return None
        if any(other.private and node in other.successors for other in self.game.flowchart.nodes.values()):
            return None
        # Charts of others run on the ASP engine only in a process of their own, which cannot explain.
        if self.game.name not in builtin_names() or load_flowchart(self.game.name).hash != self.game.flowchart.hash:
            return None
        try:
            from fcdl.engines.asp import AspEngine
            from fcdl.engines.asp.explain import why_illegal

            engine = AspEngine(self.game)
            same = 0
            while same < min(len(steps), len(self._followed)) and self._followed[same][0] == steps[same]:
                same += 1
            del self._followed[same:]
            if len(steps) - same > MAX_REPLAYED:
                return None
            for step in steps[same:]:
                chance = ScriptedChance(step.chance)
                if step.move is None:
                    state = engine.start(chance)
                else:
                    state = engine.apply(self._followed[-1][1], step.move, chance)
                self._followed.append((step, state))
            state = self._followed[-1][1]
            return _to_the_person(why_illegal(engine, state, move), move, engine.mover(state))
        except (FcdlError, ImportError):
            return None

    def _may_tell(self, statement: fc.Play | fc.Pick) -> bool:
        """Whether everything that decides which cards are legal is seen by the one who plays."""
        return all(
            self._seen(expr, statement.player) for whole in (statement.cards, statement.source) for expr in whole.walk()
        )

    def _seen(self, expr: Expr, player: Expr) -> bool:
        match expr.op:
            case "zone" | "playerHas":
                zone = self.game.flowchart.zones[expr.name if expr.op == "zone" and expr.name else "hand"]
                own = bool(expr.args) and expr.args[0] == player
                return zone.visibility is Visibility.ALL or (zone.visibility is Visibility.OWNER and own)
            case "variable" | "playerVariable":
                return not self.game.flowchart.variables[expr.name or ""].secret
            case _:
                return True


def _to_the_person(text: str, move: Move, seat: int | None) -> str:
    """A sentence about a player as one says it to him; the legal moves can be seen anyway."""
    reason = text.partition("; legal:")[0].removeprefix(f"illegal move '{move}': ")
    for verb, spoken in [("has ", "have "), ("does not have ", "do not have "), ("", "")]:
        reason = reason.replace(f"player {seat} {verb}", f"you {spoken}")
    return f"{reason[:1].upper()}{reason[1:]}."
