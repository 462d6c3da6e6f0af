"""The process that plays games for the server: one for the built-in games, and one for each chart of somebody else.

It keeps one `Play` for each table, plays the moves that the server sends, and says what each seat may see. The server
keeps the log; a table that is not here is opened again from it. The seed stays here and in the log.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from fcdl.agents import Agent, AgentError, make_agent
from fcdl.agents.agent import at_random
from fcdl.engines import make_engine
from fcdl.language.diagnostics import ChartError
from fcdl.language.flowchart import Play as PlayStatement
from fcdl.language.load import load_text
from fcdl.model.engine import Engine, IllegalMoveError
from fcdl.model.game import Game
from fcdl.model.moves import Move, MoveError
from fcdl.model.record import RecordError, to_line
from fcdl.ui.journal import Saved, Step
from fcdl.ui.opponents import find_opponent
from fcdl.ui.plain_lessons import advice, in_words, known_rows
from fcdl.ui.session import HUMAN, Session
from fcdl.ui.teacher import Judged, worst_first
from fcdl.ui.words import game_words
from fcdl.web.child import AnswerError, Later, serve
from fcdl.web.sight import lines_json, view_json

KEPT_REVIEWS = 60
"""So many decisions are looked at in a review."""


@lru_cache(maxsize=32)
def _engine(chart: str, name: str, players: int, options: str) -> Engine:
    """All tables of one game share its engine, which keeps nothing about them."""
    checked = load_text(chart, filename=name)
    if checked.flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    return make_engine(Game.make(checked.flowchart, name=name, players=players, options=json.loads(options)))


class Play:
    """One game, with people on all seats as far as the session knows: who plays for whom is the server's business."""

    def __init__(self, engine: Engine, seed: str, steps: Sequence[Step]) -> None:
        """Begins a game, or goes on where its steps end; raises RecordError."""
        self.game = engine.game
        people = (HUMAN,) * self.game.players
        if steps:
            self.session = Session.resume(Saved(self.game, seed, people, None, list(steps)), engine=engine)
        else:
            self.session = Session(self.game, people, seed, engine=engine)
        self._agents: dict[int, tuple[str, Agent, threading.Lock]] = {}

    # --- what is seen

    def sights(self, seats: Sequence[int | None], *, whole: bool = False) -> dict[str, Any]:
        """What each of these seats may see, by its number; `watch` is for those who have none."""
        return {"watch" if seat is None else str(seat): self.sight(seat, whole=whole) for seat in seats}

    def sight(self, seat: int | None, *, whole: bool = False) -> dict[str, Any]:
        """What a seat may see, or all may."""
        session = self.session
        if seat is not None:
            session.take_seat(seat)
        frames = session.frames() if seat is not None else session.public_frames()
        legal = session.legal if seat is not None else ()
        return {
            "number": len(session.moves),
            "mover": session.mover,
            "frames": [view_json(self.game, frame) for frame in frames],
            "legal": [[move.kind, move.what] for move in legal],
            "said": [session.said(move) for move in legal],
            "prompt": session.prompt if legal else "",
            "kind": session.kind if legal else "",
            "log": lines_json(frames[-1].log, whole=whole),
            "rounds": [one.scores for one in frames[-1].rounds],
            "over": self._over(seat),
        }

    def _over(self, seat: int | None) -> dict[str, Any] | None:
        outcome = self.session.outcome
        if outcome is None:
            return None
        winners = sorted(number for side in self.game.winning_sides(outcome.scores) for number in side)
        proper = outcome.reason == "end"
        return {
            "scores": outcome.scores,
            "reason": str(outcome.reason),
            "winners": winners if proper and len(winners) < self.game.players else [],
        }

    # --- what is done

    def step(self) -> dict[str, Any]:
        """The last step as the log keeps it, with what comes next."""
        session = self.session
        number = len(session.moves)
        step = session.last_step()
        move = None if step.move is None else str(step.move)
        return {"number": number, "step": {"move": move, "chance": list(step.chance)}, **self.turn()}

    def turn(self) -> dict[str, Any]:
        """Who is to decide, and whether the game is over."""
        return {"mover": self.session.mover, "over": self.session.outcome is not None}

    def move(self, seat: int, text: str) -> None:
        """A seat's move; raises AnswerError with the reason if it is not legal."""
        session = self.session
        session.take_seat(seat)
        if session.mover != seat:
            raise AnswerError("it is not your turn", "turn")
        try:
            move = Move.parse(text)
        except MoveError as error:
            raise AnswerError(str(error), "illegal") from None
        if move not in session.legal:
            raise AnswerError(session.why_not(move), "illegal")
        try:
            session.apply(move)
        except IllegalMoveError as error:
            raise AnswerError(str(error), "illegal") from None

    def undo(self, seat: int) -> int:
        """Back to this seat's last decision; the number of moves that are left."""
        session = self.session
        for left in range(len(session.moves) - 1, -1, -1):
            if session.mover_at(left) == seat:
                break
        else:
            raise AnswerError("there is no move of yours to take back")
        while len(session.moves) > left:
            session.undo()
        return left

    def think(self, seat: int, agent: str) -> Later:
        """The move of a computer at this seat."""
        session = self.session
        session.take_seat(seat)
        if session.mover != seat:
            raise AnswerError("it is not this seat's turn", "turn")
        observation, legal, number = session.observation, session.legal, len(session.moves)
        if seat not in self._agents or self._agents[seat][0] != agent:
            try:
                player = make_agent(find_opponent(agent, self.game).agent, self.game)
            except AgentError:
                player = make_agent("random", self.game)
            self._agents[seat] = agent, player, threading.Lock()
        _, player, lock = self._agents[seat]
        source = random.Random(f"{session.seed} seat {seat} move {number}")

        def work() -> dict[str, Any]:
            with lock:
                try:
                    move = player.choose(observation, legal, source)
                except Exception as error:  # whatever happens to a computer player, people can play on
                    move = at_random(legal, source, error).move
            return {"number": number, "move": str(move)}

        return Later(work)

    # --- help

    def why(self, seat: int, text: str) -> str:
        """Why a move is not legal."""
        self.session.take_seat(seat)
        try:
            return self.session.why_not(Move.parse(text))
        except MoveError as error:
            raise AnswerError(str(error)) from None

    def hint(self, seat: int) -> Later:
        """What this seat's moves are worth."""
        session = self.session
        session.take_seat(seat)
        if not session.legal:
            raise AnswerError("it is not your turn", "turn")
        ask = session.hint()

        def work() -> dict[str, Any]:
            hint = ask()
            return {
                "best": advice(hint, session.whole),
                "values": [
                    {"move": [value.move.kind, value.move.what], "worth": value.value, "visits": value.visits}
                    for value in hint.values
                ],
                "reasons": list(in_words(hint, hint.reasons, session.whole)),
                "heuristics": list(in_words(hint, hint.heuristics, session.whole)),
                "measured": list(in_words(hint, hint.measured, session.whole)),
                "worth": f"expected points ahead of the others until {hint.until}",
            }

        return Later(work)

    def known(self, seat: int) -> Later:
        """Who may hold which card, as far as this seat can know."""
        self.session.take_seat(seat)
        ask = self.session.known()

        def work() -> list[dict[str, Any]]:
            found = ask()
            return [
                {
                    "suit": suit,
                    "cards": cards,
                    "zones": [
                        {"zone": zone, "owner": self._owner(zone), "shares": shares} for zone, shares in zones.items()
                    ],
                }
                for suit, cards, zones in known_rows(found, self.game)
            ]

        return Later(work)

    def _owner(self, zone: str) -> int | None:
        """The seat that a zone belongs to alone."""
        owners = self.game.owners(*self.game.places[zone])
        return min(owners) if len(owners) == 1 else None

    def review(self, seat: int) -> Later:
        """This seat's decisions, what cost most first."""
        if self.session.outcome is None:
            raise AnswerError("the game is not over")
        self.session.take_seat(seat)
        decisions = self.session.decisions()
        teacher = self.session.teacher

        def work() -> dict[str, Any]:
            judged = [one for one in teacher.review(decisions[:KEPT_REVIEWS]) if one is not None]
            return {
                "rows": [_judged(one) for one in worst_first(judged)],
                "decisions": len(judged),
                "lost": sum(one.lost for one in judged),
                "best": sum(one.is_best for one in judged),
            }

        return Later(work)

    def replay(self, number: int, seat: int | None) -> dict[str, Any]:
        """The position after so many moves, as a seat saw it; face up for all when the game is over."""
        over = self.session.outcome is not None
        if not 0 <= number <= len(self.session.moves):
            raise AnswerError("there is no such move")
        if not over and seat is None:
            raise AnswerError("the game is not over")
        replay = self.session.replay()
        view = replay.view(number, None if over else seat)
        moved = replay.mover(number - 1) if number else None
        return {
            "number": number,
            "total": len(self.session.moves),
            "view": view_json(self.game, view) | ({"faceUp": True} if over else {}),
            "mover": replay.mover(number),
            "moved": moved,
            "log": lines_json(view.log, whole=False),
        }

    def record(self) -> str:
        """The record of the finished game, a line of JSON."""
        if self.session.outcome is None:
            raise AnswerError("the game is not over")
        return to_line(self.session.record(), self.game.flowchart.deck)


def _judged(one: Judged) -> dict[str, Any]:
    return {
        "number": one.made.number,
        "move": [one.made.move.kind, one.made.move.what],
        "best": [one.best.kind, one.best.what],
        "lost": one.lost,
    }


# --- the server's requests -------------------------------------------------------------------------------------------


class Croupier:
    """The tables of this process."""

    def __init__(self) -> None:
        self.plays: dict[str, Play] = {}

    def handlers(self) -> Mapping[str, Callable[..., Any]]:
        """What the server may ask."""
        names = ("open", "close", "look", "move", "undo", "think", "why", "hint", "known", "review", "replay", "record")
        return {name: getattr(self, name) for name in names} | {"game": game_json}

    def _play(self, table: str) -> Play:
        if table not in self.plays:
            raise AnswerError("this table is not open", "closed")
        return self.plays[table]

    def open(
        self,
        table: str,
        chart: str,
        name: str,
        players: int,
        options: dict[str, str],
        seed: str,
        steps: list[dict[str, Any]],
    ) -> dict[str, Any]:
        """Begins a game or opens one again; a new one tells its first step, for the log."""
        engine = _engine(chart, name, players, json.dumps(options, sort_keys=True))
        play = Play(engine, seed, [_step(step) for step in steps])
        self.plays[table] = play
        return {**play.step(), "notes": []}

    def close(self, table: str) -> None:
        """Forgets a table."""
        self.plays.pop(table, None)

    def look(self, table: str, seats: list[int | None], whole: bool = False) -> dict[str, Any]:
        """What these seats see."""
        play = self._play(table)
        return {**play.turn(), "number": len(play.session.moves), "sights": play.sights(seats, whole=whole)}

    def move(self, table: str, seat: int, move: str, number: int, seats: list[int | None]) -> dict[str, Any]:
        """A move, what the log keeps of it, and what these seats see then."""
        play = self._play(table)
        if number != len(play.session.moves):
            raise AnswerError("the game has gone on already", "turn")
        play.move(seat, move)
        return {**play.step(), "sights": play.sights(seats)}

    def undo(self, table: str, seat: int, seats: list[int | None]) -> dict[str, Any]:
        """Takes moves back."""
        play = self._play(table)
        left = play.undo(seat)
        return {"left": left, **play.turn(), "sights": play.sights(seats, whole=True)}

    def think(self, table: str, seat: int, agent: str) -> Later:
        """The move of a computer."""
        return self._play(table).think(seat, agent)

    def why(self, table: str, seat: int, move: str) -> str:
        """Why a move is not legal."""
        return self._play(table).why(seat, move)

    def hint(self, table: str, seat: int) -> Later:
        """What moves are worth."""
        return self._play(table).hint(seat)

    def known(self, table: str, seat: int) -> Later:
        """Who may hold what."""
        return self._play(table).known(seat)

    def review(self, table: str, seat: int) -> Later:
        """How good the moves were."""
        return self._play(table).review(seat)

    def replay(self, table: str, number: int, seat: int | None) -> dict[str, Any]:
        """A position of before."""
        return self._play(table).replay(number, seat)

    def record(self, table: str) -> str:
        """The record of a finished game."""
        return self._play(table).record()


def game_json(chart: str, name: str) -> dict[str, Any]:
    """What the page must know about a game before it is played; raises ChartError."""
    checked = load_text(chart, filename=name)
    flowchart = checked.flowchart
    if flowchart is None:
        raise ChartError(checked.findings, checked.filename, checked.source)
    low, high = flowchart.players
    first = Game.make(flowchart, name=name)
    deck = flowchart.deck
    return {
        "name": name,
        "title": flowchart.title,
        "about": " ".join(flowchart.about),
        "genre": flowchart.genre,
        "tags": flowchart.tags,
        "words": game_words(flowchart),
        "players": [low, high],
        "teams": flowchart.teams,
        "lowestWins": flowchart.lowest_wins,
        "options": [
            {
                "name": option.name,
                "type": str(option.type),
                "default": first.option_text(option.name),
                "low": option.low,
                "high": option.high,
                "words": option.words,
                "text": option.text,
            }
            for option in flowchart.options.values()
        ],
        "cards": {
            deck.code(card): [deck.ranks[deck.rank_of(card)], deck.suits[deck.suit_of(card)]]
            for card in range(deck.size)
        },
        "suits": deck.suits,
        "middle": any(
            isinstance(node.statement, PlayStatement) and node.statement.target.name == "middle"
            for node in flowchart.nodes.values()
        ),
    }


def _step(step: dict[str, Any]) -> Step:
    try:
        move = None if step["move"] is None else Move.parse(step["move"])
        return Step(move, tuple(step["chance"]))
    except (KeyError, TypeError, MoveError):
        raise RecordError("the log of this table is damaged") from None


if __name__ == "__main__":
    serve(Croupier().handlers())
