"""Made-up card games with hidden cards: drawing, asking, showing, putting back, passing on, secret bids, blind picks,
draws from mixed hands, melds, sets, new deals, misdeals, copies of cards, private diamonds, in any combination.
`python -m tests.beliefs.made_up N [FIRST]` asks for worlds in N of their positions and says how they were found; FIRST
is the number of the first chart. Times are processor time.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from fcdl.beliefs.sampler import Beliefs
from fcdl.engines.native.engine import NativeEngine, State
from fcdl.language.load import load_text
from fcdl.model import Game, Move, Observation, RandomChance

MOVES = 40
"""Games are followed so far."""
WORLDS = 5
RANKS = ("2", "king", "ace", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen")
SUITS = ("clubs", "hearts", "spades", "diamonds")


def chart(rng: random.Random) -> str:
    """The text of a made-up game."""
    ranks = " ".join(RANKS[: rng.randint(4, 13)])
    suits = " ".join(SUITS[: rng.randint(2, 4)])
    copies = rng.choice((1, 1, 1, 2))
    players = rng.randint(2, 4)
    size = len(ranks.split()) * len(suits.split()) * copies
    deal = rng.randint(1, max(1, min(6, size // players - 1)))
    blocks = [rng.choice(BLOCKS)(rng, f"b{number}") for number in range(rng.randint(2, 6))]
    return "\n".join([
        f"players {players}",
        f"deck ranks {ranks} suits {suits} copies {copies}",
        rng.choice(("", "", "", "deck ranks joker suits clubs hearts copies 2", "deck ranks king ace suits hearts")),
        "table points: hearts 1, ace 5, king 3, else 0",
        "zone pile: face up",
        "zone parcel(player): seen by owner",
        "zone hole: face down",
        "zone won(player): face down",
        "zone slot(player, 0 to 2): seen by owner",
        "zone row(suit): face up",
        "each suit has led = 0",
        "each player has bid = 0, luck = 0, offer = 0",
        "secret bid, luck, omen",
        "chart main",
        "start",
        "omen = 0",
        "q = player(0)",
        "r = rank(0)",
        "n = 0",
        "rounds = 0",
        "Shuffle",
        f"Deal({deal})",
        "p = player(0)",
        "turn:",
        *blocks,
        "p = next(p)",
        "rounds = rounds + 1",
        f"rounds < {rng.randint(4, 20)}?    yes -> turn",
        "end",
        "",
    ])  # fmt: skip


def _cards(rng: random.Random) -> str:
    return rng.choice((
        "cards",
        "cards",
        "card(any, hearts)",
        "card(any, suit(top(pile)))",
        "cards c in cards where rankValue(c) >= rankValue(top(pile))",
        "cards c in cards where points(c) == 0",
    ))  # fmt: skip


def _fact(rng: random.Random) -> str:
    """Something about hidden cards that everybody is told."""
    who = rng.choice(("p", "next(p)", "q"))
    return rng.choice((
        f"playerHas({who}, card(any, hearts))",
        f"playerHas({who}, card(king, any))" if rng.random() < 0.3 else f"playerHas({who}, card(2, any))",
        f"count(c in hand({who}) where suit(c) == clubs) >= {rng.randint(1, 3)}",
        f"sum(points(c) for c in hand({who})) > {rng.randint(0, 6)}",
        f"some(x in ranks where count(intersect(hand({who}), card(x, any))) >= 2)",
        f"max(rankValue(c) for c in hand({who})) >= {rng.randint(4, 9)}",
        f"rank(highest(rankValue(c) for c in hand({who}))) == rank(lowest(rankValue(c) for c in hand({who})))",
        "rank(top(pack)) == rank(bottom(pack))",
        f"every(c in hand({who}) where points(c) == 0)",
    ))  # fmt: skip


def _draw(rng: random.Random, label: str) -> str:
    return rng.choice((
        f"pickUp(p, {rng.randint(1, 3)})",
        "move(1, pack, pile)",
        "move(bottom(pack), pack, parcel(p))\nmove(all, parcel(p), hand(p))",
        f"empty(pack)?    no -> {label}\nmove(all, pile, pack)\nshuffle(pack)\n{label}:\npickUp(p, 1)",
    ))  # fmt: skip


def _play(rng: random.Random, label: str) -> str:
    cards = _cards(rng)
    return rng.choice((
        f"playCardOrPass(p, {cards}, pile)",
        f"playerHas(p, {cards})?    no -> {label}\nplayCard(p, {cards}, pile)\n{label}:\nn = n + 1",
        f"playCardOrPass(p, {cards}, hole)",
        f"playCardOrPass(p, {cards})\nStack.empty",
    ))  # fmt: skip


def _ask(rng: random.Random, label: str) -> str:
    offered = rng.choice(("ranks", "ranks x in ranks where playerHas(p, card(x, any))"))
    through = rng.choice((
        "move(card(r, any), hand(q), hand(p))",
        "move(card(r, any), hand(q), middle(q))\nmove(all, middle(q), hand(p))",
    ))  # fmt: skip
    return "\n".join([
        f"empty(hand(p))?    yes -> {label}e",
        "choose(p, q, players x in players where x != p)",
        f"choose(p, r, {offered})",
        f"playerHas(q, card(r, any))?    no -> {label}",
        f"{through} -> {label}e",
        f"{label}:",
        "pickUp(p, 1)",
        f"{label}e:",
        "n = 0",
    ])  # fmt: skip


def _show(rng: random.Random, label: str) -> str:
    return rng.choice((
        "show(top(pack), all)",
        "show(bottom(pack), all)",
        "show(hand(p), next(p))",
        "show(cards c in hand(p) where points(c) > 0, all)",
        "show(top(pack), p)",
        'publish("There are #{count(c in hand(p) where suit(c) == clubs)} clubs.")',
        'publish("The lowest is #{lowest(rankValue(c) for c in hand(next(p)))}.")',
        "r = rank(top(pack))",
    ))  # fmt: skip


def _put_back(rng: random.Random, label: str) -> str:
    return rng.choice((
        "pick(p, 1, cards, hand(p), pack)",
        "pick(p, 1, cards, hand(p), pack)\nshuffle(pack)",
        "move(all, hand(p), pack)\nshuffle(pack)\npickUp(p, 3)",
        "move(all, pile, pack)\nshuffle(pack)",
        "move(2, pile, pack)",
    ))  # fmt: skip


def _pass_on(rng: random.Random, label: str) -> str:
    return rng.choice((
        "pick(p, 1, cards, hand(p), parcel(p))\nmove(all, parcel(p), hand(next(p)))",
        "pick(p, 2, cards, hand(p), hole)\nmove(all, hole, hand(next(p)))",
        "pick(p, 1, cards, hand(next(p)), hand(p))",
        "shuffle(hand(next(p)))\nmove(1, hand(next(p)), hand(p))",
        "shuffle(hand(next(p)))\nchoose(p, n, {0, 1, 2})\nmove(n, hand(next(p)), hole)\n"
        "move(1, hand(next(p)), hand(p))\nmove(all, hole, hand(next(p)))",
        "move(all, hand(p), parcel(p))\nmove(all, hand(next(p)), hand(p))\nmove(all, parcel(p), hand(next(p)))",
    ))  # fmt: skip


def _secret(rng: random.Random, label: str) -> str:
    return rng.choice((
        "choose(p, bid(p), {0, 1, 2 if playerHas(p, card(any, hearts))})",
        f"luck(p) = random(3)\nluck(p) == 0?    yes -> {label}\npickUp(p, 1)\n{label}:\nn = 1",
        f"private {_fact(rng)}?    no -> {label}\nomen = omen + 1\n{label}:\nn = 2",
        f"bid(p) > 1?    no -> {label}\nscore(p) = score(p) + 1\n{label}:\nn = 3",
        f"private {_fact(rng)}?    no -> {label}\nluck(p) = 2 -> {label}e\n{label}:\nomen = 3\n{label}e:\nn = 2",
    ))  # fmt: skip


def _tell(rng: random.Random, label: str) -> str:
    return f"{_fact(rng)}?    no -> {label}\nscore(p) = score(p) + 1\n{label}:\nn = n + 1"


def _meld(rng: random.Random, label: str) -> str:
    return "\n".join([
        f"some(x in ranks where count(intersect(hand(p), card(x, any))) >= 2)?    no -> {label}",
        "r = highest(count(intersect(hand(p), card(x, any))) for x in ranks)",
        f"move(card(r, any), hand(p), {rng.choice(('pile', 'won(p)'))})",
        f"{label}:",
        "n = 0",
    ])  # fmt: skip


def _anew(rng: random.Random, label: str) -> str:
    misdeal = f"{_fact(rng)}?    no -> {label}\nShuffle\nDeal(1)\n" if rng.random() < 0.5 else ""
    return f"rounds % 5 == 4?    no -> {label}\nShuffle\nDeal(2)\n{misdeal}{label}:\nn = 0"


def _seats(rng: random.Random, label: str) -> str:
    """All in turn, or all at once."""
    first = rng.choice(("", " from p", " from next(p)"))
    holding = f" for s in players{first} where !empty(hand(s))"
    return rng.choice((
        f"playCardOrPass(s, {_cards(rng)}, pile) for s in players{first}",
        f"pickUp(s, 1) for s in players{first} where cardsRemaining(s) < 3",
        f"together choose(s, offer(s), {{0, 1, 2 if playerHas(s, card(any, hearts))}}) for s in players{first}",
        f"together choose(s, offer(s), {{0, 1, 2}}){holding}",
        f"together playCard(s, cards){holding}\nStack.empty",
        f"together playCard(s, cards, pile){holding}",
        f"together pick(s, 1, cards, hand(s), hand(next(s))){holding}",
        f"score(s) = score(s) + offer(s) for s in players{first} where playerHas(s, card(2, any))",
        "q = highest(offer(x) for x in players from p)",
    ))  # fmt: skip


def _sets(rng: random.Random, label: str) -> str:
    """One move with several cards, from the hand or from elsewhere, seen by all or not, in turn or all at once."""
    condition = rng.choice((
        "isGroup(s)",
        "isFlush(s)",
        "sum(points(c) for c in s) <= 3",
        "count(s) == n % 3 + 1",
        "isSequence(s) & isFlush(s)",
        "every(c in s where suit(c) == suit(top(pile)))",
    ))  # fmt: skip
    size = rng.choice((", 1 to 2", ", 2", ", 1 to 3"))
    mine = f"sets s in subsets(hand(p){size}) where {condition}"
    return rng.choice((
        f"playCardsOrPass(p, {mine}, pile)",
        f"playCardsOrPass(p, {mine}, hole)",
        f"playCardsOrPass(p, {mine})\nStack.empty",
        f"takeOrPass(p, {mine}, hand(p), parcel(p))\nmove(all, parcel(p), hand(next(p)))",
        f"take(p, {mine}, hand(p), pack)\nshuffle(pack)",
        f"take(p, sets s in subsets(pile{size}) where {condition}, pile, hand(p))",
        f"takeOrPass(p, sets s in subsets(row(hearts){size}) where {condition}, row(hearts), won(p))",
        "together take(s, subsets(hand(s), 1 to 2), hand(s), hand(next(s))) for s in players where !empty(hand(s))",
        "together playCards(s, subsets(hand(s), 1 to 2), pile) for s in players where !empty(hand(s))",
    ))  # fmt: skip


def _places(rng: random.Random, label: str) -> str:
    """Zones and variables with keys, places in a zone."""
    return rng.choice((
        "move(1, pack, slot(p, rounds % 3))",
        "move(all, slot(next(p), 1), row(hearts))",
        "pick(p, 1, cards, slot(p, 1), hand(p))",
        "pick(p, 1, cards, hand(p), slot(p, 2))\nmove(all, slot(next(p), 2), hand(p))",
        f"empty(pile)?    yes -> {label}\nled(suit(top(pile))) = led(suit(top(pile))) + 1\n{label}:\nn = led(hearts)",
        "move(lowest(rankValue(c) for c in hand(p)), hand(p), pack, 2)",
        "move(1, pile, pack, 99)",
        "move(all, row(hearts), pack, n)",
        f"suit(at(pile, 2)) == hearts?    no -> {label}\npickUp(p, 1)\n{label}:\nn = position(top(pack), pack)",
        "show(top(pack, 2), p)",
        "playCardOrPass(p, cards, row(clubs))",
        "move(bottom(pile, 2), pile, hand(p))",
    ))  # fmt: skip


BLOCKS = (
    _sets,
    _sets,
    _places,
    _seats,
    _seats,
    _draw,
    _draw,
    _play,
    _play,
    _play,
    _ask,
    _ask,
    _show,
    _put_back,
    _pass_on,
    _secret,
    _tell,
    _meld,
    _anew,
)


def positions(seed: int) -> Iterator[tuple[NativeEngine, State, Observation, tuple[Move, ...]]]:
    """The decisions of one random game of one made-up chart."""
    rng = random.Random(seed)
    checked = load_text(chart(rng))
    assert checked.flowchart is not None, [str(finding) for finding in checked.findings]
    engine = NativeEngine(Game.make(checked.flowchart, name=f"made up {seed}"))
    chance = RandomChance(seed)
    state = engine.start(chance)
    for _ in range(MOVES):
        seat = engine.mover(state)
        if seat is None:
            return
        legal = engine.legal(state)
        yield engine, state, engine.observe(state, seat), legal
        state = engine.apply(state, rng.choice(legal), chance)


def looks_the_same(engine: NativeEngine, state: State, world: bytes, seat: int) -> bool:
    """Whether a world has the same node, mover, legal moves, public values, visible cards and numbers of cards."""
    other = engine.state(world)
    truth, guess = engine.zones(state), engine.zones(other)
    cards = all(
        sorted(truth[zone]) == sorted(guess[zone]) if seat in seers else len(truth[zone]) == len(guess[zone])
        for zone, seers in zip(engine.game.zones, engine.zone_seers, strict=True)
    )
    same_decision = (other.node, other.mover, other.scores) == (state.node, state.mover, state.scores)
    return cards and same_decision and set(engine.legal(other)) == set(engine.legal(state))


def ask(number: int, first_seed: int = 0) -> tuple[Counter[str], list[str], list[float]]:
    """Asks for worlds in so many positions: how often each layer answered, what failed, and the milliseconds taken."""
    layers: Counter[str] = Counter()
    failures: list[str] = []
    times: list[float] = []
    seed = first_seed
    while len(times) < number:
        beliefs = None
        for move, (engine, state, observation, legal) in enumerate(positions(seed)):
            beliefs = beliefs or Beliefs(engine)
            started = time.process_time()
            found = beliefs.sample(observation, WORLDS, move, legal)
            times.append(1000 * (time.process_time() - started))
            layers[found.layer] += 1
            if found.layer == "public facts":
                failures.append(f"chart {seed} move {move}: {found.layer}")
            elif not all(looks_the_same(engine, state, world, observation.seat) for world in found.positions):
                failures.append(f"chart {seed} move {move}: a world that looks different")
            if len(times) == number:
                break
        seed += 1
    return layers, failures, times


if __name__ == "__main__":
    layers, failures, times = ask(*(int(given) for given in sys.argv[1:] or ["200"]))
    times.sort()
    print(f"{len(times)} positions: {dict(layers)}; {len(failures)} failed")
    print(f"median {times[len(times) // 2]:.1f} ms, worst {times[-1]:.0f} ms")
    print("\n".join(failures[:20]))
