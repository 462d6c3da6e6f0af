"""What the start screen offers: games, kept games, and how a game is set up before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fcdl.language.catalogue import catalogue
from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import Flowchart, Option, Type
from fcdl.language.load import load_flowchart
from fcdl.language.saying import spaced
from fcdl.model.game import Game
from fcdl.ui.opponents import DEFAULT_STRENGTH, FALLBACK, STRENGTHS
from fcdl.ui.preferences import SPEEDS, preferences
from fcdl.ui.session import HUMAN, Session
from fcdl.ui.words import game_words

HIDDEN, FACE_UP = "hidden", "face up"
SEATS, PEOPLE = "seats", "people"
FIRST_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Grace", "Hugo", "Iris")
MOST_CHARTS = 200


HERE = "charts here"


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that can be played: a built-in one, or a chart in the current folder."""

    name: str
    """What `load_flowchart` takes."""
    chart: Path | None
    group: str = HERE
    """What stands above it in a list: its genre, if it is built in."""

    @property
    def title(self) -> str:
        """The game in a list; the chart itself is not read for it."""
        return printable(self.chart.name) if self.chart is not None else game_title(self.name)

    def setup(self) -> Setup:
        """Reads the chart; raises ChartError."""
        return Setup(self, load_flowchart(self.name))


def game_title(name: str) -> str:
    """The name of a game as people write it: `kings_and_jacks` is `Kings and Jacks`."""
    titles = {entry.name: entry.title for entry in catalogue()}
    return titles.get(name) or printable(spaced(name).title())


def offers(folder: Path) -> list[Offer]:
    """The built-in games by genre, then the charts of a folder."""
    charts = sorted(folder.glob("*.fcdl"))[:MOST_CHARTS]
    built_in = [Offer(entry.name, None, entry.genre) for entry in catalogue()]
    return built_in + [Offer(str(path), path) for path in charts]


def value_name(value: str) -> str:
    """The value of a setting as people write it."""
    return "you" if value == HUMAN else spaced(value)


@dataclass(slots=True)
class Setting:
    """Something that can be set: one of several words, or a number within bounds."""

    name: str
    value: str
    words: Sequence[str]
    """All values, unless it is a number."""
    meaning: str = ""
    low: int = 0
    high: int = 0

    @property
    def explained(self) -> str:
        """What it means and which values there are."""
        values = ", ".join(map(value_name, self.words)) if self.words else f"{self.low} to {self.high}"
        return f"{self.meaning} ({values})" if self.meaning else values

    def step(self, by: int) -> None:
        """The next value; words go round, numbers stop at their bounds."""
        if self.words:
            self.value = self.words[(self.words.index(self.value) + by) % len(self.words)]
        else:
            self.value = str(max(self.low, min(self.high, int(self.value) + by)))

    def type(self, letter: str) -> bool:
        """Types a digit of a number or the first letter of a word; False if that means nothing here."""
        if not self.words:
            if not letter.isdigit():
                return False
            longer = int(self.value + letter)
            self.value = str(longer if self.low <= longer <= self.high else max(self.low, min(self.high, int(letter))))
            return True
        after = self.words.index(self.value) + 1
        found = [word for word in (*self.words[after:], *self.words[:after]) if word.startswith(letter.lower())]
        if found:
            self.value = found[0]
        return bool(found)


class Setup:
    """A game that is about to begin: players, seats, options."""

    def __init__(self, offer: Offer, flowchart: Flowchart) -> None:
        self.offer = offer
        self.flowchart = flowchart
        low, high = flowchart.players
        self.players = Setting(
            "players",
            str(max(low, min(2, high))),
            [str(number) for number in range(low, high + 1)],
            "Number of players.",
        )
        self.cards = Setting(
            "cards", HIDDEN, (HIDDEN, FACE_UP), "Face up: you see all cards, to learn the game or to test it."
        )
        self.names = Setting("names", SEATS, (SEATS, PEOPLE), "Computers are called by their seats, or have names.")
        self.speed = Setting("speed", preferences().speed, tuple(SPEEDS), "How fast computers move; + and - change it.")
        self.options = [_option_setting(flowchart, option) for option in flowchart.options.values()]
        self._seats: list[Setting] = []

    @property
    def seats(self) -> list[Setting]:
        """Who sits where; the person has seat 0 first."""
        words = (HUMAN, *STRENGTHS, FALLBACK)
        while len(self._seats) < int(self.players.value):
            seat = len(self._seats)
            self._seats.append(
                Setting(f"seat {seat}", HUMAN if seat == 0 else DEFAULT_STRENGTH, words, "Who sits here.")
            )
        return self._seats[: int(self.players.value)]

    def settings(self) -> list[Setting]:
        """All that can be set now."""
        players = [self.players] if len(self.players.words) > 1 else []
        return [*players, *self.seats, self.names, self.cards, self.speed, *self.options]

    def words(self) -> list[str]:
        """The rules in words."""
        return game_words(self.flowchart)

    def game(self) -> Game:
        """The game as it is set; raises GameError."""
        name = self.offer.chart.stem if self.offer.chart is not None else self.offer.name
        options = {setting.name: setting.value for setting in self.options}
        game = Game.make(self.flowchart, name=name, players=int(self.players.value), options=options)
        if self.names.value == SEATS:
            return game
        people = iter(FIRST_NAMES)
        return game.with_people(["" if seat.value == HUMAN else next(people, "") for seat in self.seats])

    def session(self, seed: str, engine: str = "native") -> Session:
        """Deals the cards; raises GameError or AgentError."""
        return Session(
            self.game(),
            [setting.value for setting in self.seats],
            seed,
            engine=engine,
            face_up=self.cards.value == FACE_UP,
            chart=self.offer.chart,
        )


def _option_setting(flowchart: Flowchart, option: Option) -> Setting:
    text = printable(option.text)
    match option.type:
        case Type.BOOL:
            return Setting(option.name, "yes" if option.default else "no", ("yes", "no"), text)
        case Type.WORD:
            return Setting(option.name, flowchart.words[option.default], option.words, text)
        case _:
            return Setting(option.name, str(option.default), (), text, option.low, option.high)
