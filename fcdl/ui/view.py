"""What one seat can see of a game, made from its observation and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from fcdl.language.blind import PLACE
from fcdl.language.flowchart import Choose, Type
from fcdl.language.saying import called
from fcdl.language.seats import LAID_ASIDE, chosen_name, secret_name
from fcdl.language.sight import sees_cards
from fcdl.model.events import Event
from fcdl.model.game import Game
from fcdl.model.moves import PASS, Move
from fcdl.model.table import Reader, Table
from fcdl.ui.pairs import answering_zones
from fcdl.ui.relevant import Whereabouts, idle_zones
from fcdl.ui.scores import Round, ScoreSheet, gain, gathers
from fcdl.ui.talk import Talk, sentence, third_person, you_form
from fcdl.ui.tricks import TakerFinder

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
    hidden: bool = False
    """Whether it is better not shown on the table: nothing that anybody plays with."""
    ordered: bool = True
    """Whether the game looks at the order of its cards."""

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
    answering: bool
    """Whether cards are played to answer others, as in an attack and its defence, and not to a trick."""
    answers: Mapping[int, int]
    """The places of cards among those played (if there are none, in the last trick), and which ones they answer."""
    taker: int | None
    """Who took the last trick, if that can be told."""
    log: tuple[str, ...]
    names: tuple[str, ...]
    """What players are called to the one who looks: `you`, `player 2`."""
    titles: tuple[str, ...]
    """The same at the head of a line: `you`, `Ann (you)`, `player 2`."""
    positions: tuple[str, ...]
    """What each seat is now, such as `forehand`; empty where the chart does not say."""
    labels: Mapping[tuple[str, int | None], str]
    """What variables are called now; empty: not to be shown."""
    card_order: Mapping[str, int]
    """The place of every card in a hand, from the left."""
    rounds: tuple[Round, ...]
    """The rounds that are over."""

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own cards, as they are held."""
        return () if self.seat is None else tuple(self.in_order(self.piles["hand", self.seat].known))

    def in_order(self, codes: Iterable[str]) -> list[str]:
        """Cards as they are held in a hand."""
        return sorted(codes, key=lambda code: self.card_order.get(code, 0))

    @property
    def score_label(self) -> str:
        """What scores are called now; empty: they are not to be shown."""
        return next((label for seat in range(self.players) if (label := self.labels["score", seat])), "")

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


class Watcher(Reader):
    """Follows the events of one seat, or of nobody's, and says what is seen after them."""

    def __init__(self, game: Game, seat: int | None) -> None:
        super().__init__()
        self.game = game
        self.seat = seat
        statements = [node.statement for node in game.flowchart.nodes.values()]
        self.choosable = {statement.target.name for statement in statements if isinstance(statement, Choose)}
        self.idle = idle_zones(game.flowchart)
        self.answering = answering_zones(game.flowchart)
        self.restart()

    def restart(self) -> None:
        """As at the start of the game."""
        self.table = Table(self.game)
        self.talk = Talk(self.game, self.table, self.seat)
        self.sheet = ScoreSheet(self.game)
        self.rounds: list[Round] = []
        self.played: list[tuple[int, str]] = []
        self.last_trick: list[tuple[int, str]] = []
        self.answers: dict[int, int] = {}
        self.log: list[str] = []
        self.dealing = False
        self.whereabouts = Whereabouts(self.game.flowchart)
        self.fresh: set[tuple[str, int | None]] = set()
        self._undisclosed: set[tuple[str, int | None]] = set()
        """Variables that have been set since the last deal."""
        self.before: View | None = None
        """The view before cards were first taken off the table after the last decision."""
        self.taker: int | None = None
        self.finder = TakerFinder(self.game)
        self._begun = False
        """Whether anybody has decided anything: until then cards are dealt, not drawn."""
        self._passed = ""
        """How the last pass was told."""
        self._trick_at: int | None = None
        """Where in the log it is told who took the trick, if nothing else is told of it."""
        self._worded = False
        """Whether the chart has had something to say since the last decision."""

    def frames(self) -> list[View]:
        """What the last decision led to: the table before cards were taken off it, if they were, and the position."""
        now = self.view()
        before = [replace(self.before, taker=self.taker)] if self.before is not None else []
        return [*before, now]

    def view(self) -> View:
        """What is seen now."""
        self._settle_trick()
        piles = {}
        for name, (zone, place) in self.game.places.items():
            face_up = sees_cards(self.game.flowchart.zones[zone], None)
            known = self.table.zones[name]
            shown, owner = shown_as(self.game, zone, place)
            hidden = not self.talk.label(zone, owner) or zone in self.idle
            ordered = self.game.flowchart.zones[zone].ordered
            piles[shown, owner] = Pile(shown, owner, face_up, tuple(known.cards), known.top, hidden, ordered)
        return View(
            self.seat,
            self.game.players,
            piles,
            dict(self.table.values),
            self.whereabouts.telling(),
            frozenset(slot for slot in self.table.values if slot[0] in self.choosable) - self.fresh,
            tuple(self.played),
            tuple(self.last_trick),
            bool(self.answering),
            dict(self.answers),
            None if self.played else self.taker,
            tuple(map(sentence, self.log)),
            tuple(map(self.talk.name, seats := range(self.game.players))),
            tuple(map(self.talk.title, seats)),
            tuple(map(self.talk.position, seats)),
            {slot: self.talk.label(*slot) for slot in self.table.values},
            self.talk.card_order(),
            tuple(self.rounds),
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
        return gathers(self.game, event)

    def see(self, event: Event) -> None:
        """One more event."""
        if event.kind in DECISIONS:
            self._settle_trick()
            self.before = None
        if self._clears(event):
            self.before = self.before or self.view()
            self.last_trick, self.played = self.played, []
            self.taker = None
            self._trick_at = len(self.log)
        if self.sheet.ends(event):
            self._end_round(event)
        self.sheet.see(event)
        made = self.whereabouts.made(event)
        self.whereabouts.see(event)
        old_value = self.table.values.get((event.name or "", event.owner))
        self.table.see(event)
        trick, cleared = [card for _, card in self.last_trick], self._trick_at is not None
        self.finder.see(event, changed=old_value != event.value, trick=trick, cleared=cleared)
        told = self.talk.told(event, made)
        told_before = len(self.log)
        self._tell_event(event, old_value, None if not made else made[0])
        self._worded |= told is not None and event.kind == "assign"
        if told is not None:
            del self.log[told_before:]
            self.log += [told] if told else []
        if event.kind in DECISIONS:
            self.dealing = False
            self._begun = True
            self.finder.decided()
            self._worded = False

    def _tell_event(self, event: Event, old_value: str | None, node: int | None) -> None:
        """Tells an event as it is told where the chart has no words for it."""
        match event.kind:
            case "assign":
                self.fresh.add((event.name or "", event.owner))
                self._tell_choice(event)
                if event.name == "score" and event.owner is not None and old_value != event.value:
                    self.log.append(f"{self._name(event.owner)}: {called(self.game.flowchart, 'score')} {event.value}")
            case "choose":
                self.fresh.add((event.name or "", event.owner))
                if event.name == PLACE:
                    self._tell(event.seat, f"draws {PLACE} {event.value or ''}".rstrip())
                elif event.value is None:
                    self._tell(event.seat, f"chooses {called(self.game.flowchart, chosen_name(event.name or ''))}")
                else:
                    self.log.append(f"{self._name(event.seat)}: {self._chosen(event, node)}")
                self._undisclosed.add((event.name or "", event.owner))
            case "move":
                self._tell_move(event)
            case "shuffle":
                self._shuffle(event)
            case "play" | "pick" | "take":
                self._tell_card(event)
            case "pass":
                here = self.game.flowchart.nodes[node] if node is not None else None
                self._tell(event.seat, third_person(self.talk.answer(here, PASS, event.seat)))
                self._passed = self.log[-1]
            case "publish":
                self.log.append(self.talk.published(event.value or ""))
            case "show":
                self._show(event)
            case "end":
                self.log.append("The game is over." if event.value == "end" else f"The game ends: {event.value}.")

    def _end_round(self, event: Event) -> None:
        """Says what a round came to, before the cards are gathered."""
        self._settle_trick()
        scores = tuple(self.table.values.get(("score", seat), "?") for seat in range(self.game.players))
        before = self.rounds[-1].scores if self.rounds else ("0",) * self.game.players
        lines = self.talk.summary()
        self.rounds.append(Round(scores, tuple(lines)))
        changes = [
            f"{self._name(seat)} {gain(now, then)}" for seat, (now, then) in enumerate(zip(scores, before, strict=True))
        ]
        if event.kind != "end":
            lines = [*lines, f"Round {len(self.rounds)}: {', '.join(changes)}"]
        self.log += lines

    def _settle_trick(self) -> None:
        """Finds who took the last trick, from all that happened before the next decision."""
        at, self._trick_at = self._trick_at, None
        if at is None:
            return
        self.taker = self.finder.taker()
        players = [seat for seat, _ in self.last_trick]
        is_trick = len(players) > 1 and len(set(players)) == len(players) and not self.answering
        if self.taker is not None and is_trick and not self._worded:
            who = self._name(self.taker)
            self.log.insert(at, f"{who} take{'' if who == 'you' else 's'} the trick")

    def _chosen(self, event: Event, node: int | None = None) -> str:
        """What was chosen, as far as the seat knows."""
        assert event.name is not None
        chart, name = self.game.flowchart, chosen_name(event.name)
        assert event.value is not None
        here = chart.nodes[node] if node is not None else None
        answer = self.talk.answer(
            here, Move("choose", event.value), event.seat if event.seat is not None else event.owner
        )
        if chart.variables[event.name].type is Type.WORD:
            return called(chart, event.value) if here is None else answer
        return f"{called(chart, name)} {answer}"

    def _shuffle(self, event: Event) -> None:
        if not self._gathers(event):
            zone = called(self.game.flowchart, (event.source or "").partition("(")[0])
            self.log.append(f"the {zone} is shuffled.")
            return
        self.log.append("A new deal.")
        self.fresh.clear()
        self.dealing = True
        self.last_trick = []
        self.answers.clear()

    def _show(self, event: Event) -> None:
        shown = "a card is" if event.number == 1 else f"{event.number} cards are"
        if event.source:
            zone, owner = shown_as(self.game, *self.game.places[event.source])
            name = called(self.game.flowchart, zone.split(" ")[0])
            whose = "the" if owner is None else "your" if owner == self.seat else f"{self._name(owner)}'s"
            shown = f"{whose} {name} is"
        to = "" if event.owner is None else f" to {self._name(event.owner)}"
        cards = f": {' '.join(event.cards)}" if event.cards is not None else "."
        self.log.append(f"{shown} shown{to}{cards}")

    def _name(self, seat: int | None) -> str:
        return self.talk.name(seat) if seat is not None else ""

    def _tell(self, seat: int | None, what: str) -> None:
        assert seat is not None
        verb, _, rest = what.partition(" ")
        text = f"you {you_form(verb)} {rest}" if seat == self.seat else f"{self._name(seat)} {what}"
        self.log.append(text.rstrip())

    def _tell_card(self, event: Event) -> None:
        unseen = "a card" if (event.number or 1) == 1 else f"{event.number} cards"
        card = " ".join(event.cards) if event.cards is not None else unseen
        verb = f"{event.kind}s"
        self._tell(event.seat, f"{verb} {card}")
        aside = (event.target or "").startswith(f"{LAID_ASIDE}(")
        if event.kind == "play" and event.cards is not None and event.seat is not None and not aside:
            if not self.played:
                self.answers.clear()
            if (asked := self.answering.get(event.target or "")) is not None:
                top = self.table.zones[asked].top
                places = [place for place, (_, card) in enumerate(self.played) if card == top]
                self.answers |= {len(self.played): place for place in places[-1:]}
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
        cards = "a card" if event.number == 1 else f"{event.number} cards"
        if few:
            order = self.talk.card_order()
            cards = " ".join(sorted(event.cards or (), key=lambda code: order.get(code, 0)))
        seat = int(event.target[5:-1])
        if place == "pack" and self.log and self.log[-1] == self._passed and "draw" in self._passed:
            self.log.pop()  # whoever passed by drawing draws once
            self._passed = ""
        self._tell(seat, f"{'draws' if place == 'pack' and self._begun else 'gets'} {cards}")
