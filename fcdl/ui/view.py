"""What one seat can see of a game, made from its observation and from nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fcdl.language.blind import PLACE
from fcdl.language.diagnostics import printable
from fcdl.language.flowchart import Choose, Type
from fcdl.language.seats import LAID_ASIDE, chosen_name, secret_name
from fcdl.language.sight import sees_cards
from fcdl.model.events import Event
from fcdl.model.expressions import spaced
from fcdl.model.game import Game
from fcdl.model.table import Reader, Table
from fcdl.ui.relevant import Whereabouts

DECISIONS = frozenset({"play", "pick", "take", "pass", "choose"})


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards of a zone, bottom first; None is a card that the seat does not know."""

    zone: str
    owner: int | None
    face_up: bool
    """Whether all see its cards."""
    cards: tuple[str | None, ...]
    top: str | None
    """The top card, if the seat knows it."""

    @property
    def known(self) -> tuple[str, ...]:
        """The cards that the seat knows."""
        return tuple(card for card in self.cards if card is not None)


@dataclass(frozen=True, slots=True)
class View:
    """A position as one seat sees it."""

    seat: int | None
    """None: no seat's; it shows whatever events it was given."""
    players: int
    piles: Mapping[tuple[str, int | None], Pile]
    """By zone (with keys: by each place of it, `slot 3`, `row hearts`) and the player who owns it, in the order of the
    chart."""
    values: Mapping[tuple[str, int | None], str]
    """Variables by name and owner, as far as the seat has seen them."""
    telling: frozenset[str]
    """The names of the variables that matter now."""
    old: frozenset[tuple[str, int | None]]
    """Variables that players choose, and that have not been set since the last deal."""
    played: tuple[tuple[int, str], ...]
    """Who played which card since cards were last taken off the table."""
    last_trick: tuple[tuple[int, str], ...]
    """The same for the time before that."""
    log: tuple[str, ...]

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own cards, in no special order."""
        return () if self.seat is None else self.piles["hand", self.seat].known

    @property
    def scores(self) -> tuple[str, ...]:
        """Everybody's score."""
        return tuple(self.values["score", seat] for seat in range(self.players))

    def own(self, zone: str) -> tuple[Pile, ...]:
        """A zone of every seat."""
        return tuple(self.piles[zone, seat] for seat in range(self.players))


def shown_as(game: Game, zone: str, place: int | None) -> tuple[str, int | None]:
    """What a zone is called at the table, and the player before whom it lies; what a team owns lies before nobody."""
    family = game.flowchart.zones[zone]
    if place is None or family.per_player:
        return zone, place
    keys = game.key_texts(zone, place)
    if not family.owned:
        return " ".join((zone, *keys)), None
    name, seats = " ".join((zone, *keys[1:])), sorted(game.owners(zone, place))
    if family.keys[0].kind == "player":
        return name, seats[0]
    return f"{name} of players {' and '.join(map(str, seats))}", None


def player_name(seat: int, me: int | None) -> str:
    """A seat as everybody is told about it; published texts call players the same."""
    return f"player {seat} (you)" if seat == me else f"player {seat}"


class Watcher(Reader):
    """Follows the events of one seat, or of nobody's, and says what is seen after them."""

    def __init__(self, game: Game, seat: int | None) -> None:
        super().__init__()
        self.game = game
        self.seat = seat
        statements = [node.statement for node in game.flowchart.nodes.values()]
        self.choosable = {statement.target.name for statement in statements if isinstance(statement, Choose)}
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.table = Table(self.game)
        self.played: list[tuple[int, str]] = []
        self.last_trick: list[tuple[int, str]] = []
        self.log: list[str] = []
        self.dealing = False
        self.whereabouts = Whereabouts(self.game.flowchart)
        self.fresh: set[tuple[str, int | None]] = set()
        self._undisclosed: set[tuple[str, int | None]] = set()
        """Variables that have been set since the last deal."""
        self.before: View | None = None
        """The view before cards were first taken off the table after the last decision."""

    def frames(self) -> list[View]:
        """What the last decision led to: the table before cards were taken off it, if they were, and the position."""
        return [*([self.before] if self.before is not None else []), self.view()]

    def view(self) -> View:
        """What is seen now."""
        piles = {}
        for name, (zone, place) in self.game.places.items():
            face_up = sees_cards(self.game.flowchart.zones[zone], None)
            known = self.table.zones[name]
            shown, owner = shown_as(self.game, zone, place)
            piles[shown, owner] = Pile(shown, owner, face_up, tuple(known.cards), known.top)
        return View(
            self.seat,
            self.game.players,
            piles,
            dict(self.table.values),
            self.whereabouts.telling(),
            frozenset(slot for slot in self.table.values if slot[0] in self.choosable) - self.fresh,
            tuple(self.played),
            tuple(self.last_trick),
            tuple(self.log),
        )

    def _clears(self, event: Event) -> bool:
        """Whether played cards are about to leave the table."""
        return bool(self.played) and event.kind in ("move", "shuffle") and self._on_table(event)

    def _on_table(self, event: Event) -> bool:
        if event.kind == "shuffle":
            return self._gathers(event)
        assert event.source is not None
        cards = set(event.cards or ())
        return not event.source.startswith("hand") and any(card in cards for _, card in self.played)

    def _gathers(self, event: Event) -> bool:
        """Whether all cards go back to the pack."""
        return event.kind == "shuffle" and event.source == "pack" and event.number == len(self.game.cards)

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind in DECISIONS:
            self.before = None
        if self._clears(event):
            self.before = self.before or self.view()
            self.last_trick, self.played = self.played, []
        self.whereabouts.see(event)
        old_value = self.table.values.get((event.name or "", event.owner))
        self.table.see(event)
        match event.kind:
            case "assign":
                self.fresh.add((event.name or "", event.owner))
                self._tell_choice(event)
                if event.name == "score" and event.owner is not None and old_value != event.value:
                    self.log.append(f"{self._name(event.owner)}: score {event.value}")
            case "choose":
                self.fresh.add((event.name or "", event.owner))
                drawn = f"draws {PLACE} {event.value}" if event.name == PLACE else f"chooses {self._chosen(event)}"
                self._tell(event.seat, drawn.rstrip())
                self._undisclosed.add((event.name or "", event.owner))
            case "move":
                self._tell_move(event)
            case "shuffle":
                self._shuffle(event)
            case "play" | "pick" | "take":
                self._tell_card(event)
            case "pass":
                self._tell(event.seat, "passes")
            case "publish":
                self.log.append(printable(event.value or ""))
            case "show":
                self._show(event)
            case "end":
                self.log.append("The game is over." if event.value == "end" else f"The game ends: {event.value}.")
        if event.kind in DECISIONS:
            self.dealing = False

    def _chosen(self, event: Event) -> str:
        """What was chosen, as far as the seat knows."""
        assert event.name is not None
        is_word = self.game.flowchart.variables[event.name].type is Type.WORD
        value = event.value or ""
        name = spaced(chosen_name(event.name))
        colon = ":" if " " in name and value else ""
        return f"{name}{colon} {spaced(value) if is_word else value}"

    def _shuffle(self, event: Event) -> None:
        if not self._gathers(event):
            self.log.append(f"{event.source} is shuffled.")
            return
        self.log.append("A new deal.")
        self.fresh.clear()
        self.dealing = True
        self.last_trick = []

    def _show(self, event: Event) -> None:
        shown = (
            f"{event.source} is" if event.source else "A card is" if event.number == 1 else f"{event.number} cards are"
        )
        to = "" if event.owner is None else f" to {self._name(event.owner)}"
        cards = f": {' '.join(event.cards)}" if event.cards is not None else "."
        self.log.append(f"{shown} shown{to}{cards}")

    def _name(self, seat: int) -> str:
        return "you" if seat == self.seat else f"player {seat}"

    def _tell(self, seat: int | None, what: str) -> None:
        assert seat is not None
        verb, _, rest = what.partition(" ")
        if seat == self.seat:
            text = f"you {'pass' if verb == 'passes' else verb.removesuffix('s')} {rest}"
        else:
            text = f"player {seat} {what}"
        self.log.append(text.rstrip())

    def _tell_card(self, event: Event) -> None:
        unseen = "a card" if (event.number or 1) == 1 else f"{event.number} cards"
        card = " ".join(event.cards) if event.cards is not None else unseen
        verb = f"{event.kind}s"
        self._tell(event.seat, f"{verb} {card}")
        aside = (event.target or "").startswith(f"{LAID_ASIDE}(")
        if event.kind == "play" and event.cards is not None and event.seat is not None and not aside:
            self.played += [(event.seat, one) for one in event.cards]

    def _tell_choice(self, event: Event) -> None:
        """What was chosen in secret, when all have chosen."""
        secret = (secret_name(event.name or ""), event.owner)
        if secret in self._undisclosed and event.owner is not None and event.value is not None:
            self._undisclosed.discard(secret)
            self.log.append(f"{self._name(event.owner)}: {self._chosen(event)}")

    def _tell_move(self, event: Event) -> None:
        place, _, owner = (event.source or "").partition("(")
        target = event.target or ""
        if event.cards and place == LAID_ASIDE and not target.startswith("hand("):
            seat = int(owner[:-1])
            self._tell(seat, f"shows {' '.join(event.cards)}")
            self.played += [(seat, card) for card in event.cards if target == f"middle({seat})"]
            return
        if self.dealing or not event.target or not event.target.startswith("hand("):
            return
        few = event.cards is not None and len(event.cards) <= 6
        cards = " ".join(event.cards or ()) if few else f"{event.number} card{'s' if event.number != 1 else ''}"
        self._tell(int(event.target[5:-1]), f"gets {cards}")
