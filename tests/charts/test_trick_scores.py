"""Trick-taking games of the corpus score as their published rules say, written here once more in plain Python."""

from __future__ import annotations

import pytest

from tests.charts.told import Deal, Trick, leaders, taker, takers, told

HIGH = "23456789TJQKA"
SEEDS = range(3)


def sides(by_seat: list[int]) -> list[int]:
    """What both partners have together, for each seat."""
    return [by_seat[seat] + by_seat[(seat + 2) % 4] for seat in range(4)]


def counted(winners: list[int], seats: int) -> list[int]:
    """Tricks by seat."""
    return [winners.count(seat) for seat in range(seats)]


@pytest.mark.parametrize("seed", SEEDS)
def test_agram_is_won_by_who_takes_the_last_trick(seed: int) -> None:
    played, (deal,) = told("agram", seed, 3)
    winners = takers(deal.tricks(3), HIGH)
    assert played.outcome.scores == tuple(int(seat == winners[-1]) for seat in range(3))


@pytest.mark.parametrize("seed", SEEDS)
def test_whist_counts_tricks_above_six_for_both_partners(seed: int) -> None:
    played, deals = told("whist", seed)
    scores = [0] * 4
    for deal in deals:
        assert max(scores) < 5
        winners = takers(deal.tricks(4), HIGH, deal.suit())
        shown = next(event.cards for event in deal.of("show"))
        dealt = [event for event in deal.of("move") if event.source == "pack"]
        assert shown == (dealt[-1].cards or ())[-1:], "the card turned up is the last one that the dealer gets"
        assert shown[0][1] == deal.suit()
        scores = [score + max(0, side - 6) for score, side in zip(scores, sides(counted(winners, 4)), strict=True)]
    assert list(played.outcome.scores) == scores
    assert max(scores) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_sueca_counts_one_two_or_four_games(seed: int) -> None:
    played, deals = told("sueca", seed)
    points = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
    scores = [0] * 4
    for deal in deals:
        tricks = deal.tricks(4)
        winners = takers(tricks, "23456QJK7A", deal.suit())
        eyes = [0] * 4
        for trick, winner in zip(tricks, winners, strict=True):
            eyes[winner] += sum(points.get(card[0], 0) for _, card in trick)
        assert sum(eyes) == 120
        for seat, (side, tricks_of_side) in enumerate(zip(sides(eyes), sides(counted(winners, 4)), strict=True)):
            scores[seat] += 4 if tricks_of_side == 10 else 2 if side > 90 else 1 if side > 60 else 0
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", range(12))
def test_spades_counts_contracts_nils_and_bags(seed: int) -> None:
    # Bids of one or two make bags; every other game has all bids.
    high = ("choose 0", *(f"choose {bid}" for bid in range(3, 14))) if seed % 2 else ()
    played, deals = told("spades", seed, avoid=high)
    scores, bags = [0] * 4, [0] * 4
    for deal in deals:
        bids = dict(deal.chosen("bid"))
        winners = takers(deal.tricks(4), HIGH, "S")
        tricks = counted(winners, 4)
        for seat in range(4):
            pair = (seat, (seat + 2) % 4)
            bid = sum(int(bids[p]) for p in pair)
            towards = sum(tricks[p] for p in pair if int(bids[p]) > 0)
            scores[seat] += 10 * bid if towards >= bid else -10 * bid
            scores[seat] += sum((100 if tricks[p] == 0 else -100) for p in pair if int(bids[p]) == 0)
            over = max(0, towards - bid) + sum(tricks[p] for p in pair if int(bids[p]) == 0)
            scores[seat] += over
            bags[seat] += over
            if bags[seat] >= 10:
                scores[seat] -= 100
                bags[seat] -= 10
    assert list(played.outcome.scores) == scores
    assert max(scores) >= 500 or min(scores) <= -200


def spades_may_be_led(deal: Deal) -> bool:
    """Whether no spade was led before one was played by somebody with another card."""
    broken = False
    hands = {seat: list(cards) for seat, cards in enumerate(dealt_hands(deal))}
    for trick in deal.tricks(4):
        seat, card = trick[0]
        if card[1] == "S" and not broken and any(other[1] != "S" for other in hands[seat]):
            return False
        for player, played in trick:
            hands[player].remove(played)
            broken |= played[1] == "S"
    return True


def dealt_hands(deal: Deal) -> list[list[str]]:
    """The cards that every seat was dealt."""
    hands: dict[str, list[str]] = {}
    for event in deal.of("move"):
        if event.source == "pack":
            hands.setdefault(str(event.target), []).extend(event.cards or ())
    return [hands[f"hand({seat})"] for seat in range(4)]


def test_spades_are_not_led_before_they_are_broken() -> None:
    assert all(spades_may_be_led(deal) for seed in range(5) for deal in told("spades", seed)[1])


def euchre_power(card: str, trumps: str) -> tuple[str, int]:
    """The suit that a card belongs to, and its rank there."""
    twin = {"H": "D", "D": "H", "C": "S", "S": "C"}[trumps]
    if card == "J" + trumps:
        return trumps, 20
    if card == "J" + twin:
        return trumps, 19
    return card[1], "9TJQKA".index(card[0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("stuck", ["no", "yes"])
def test_euchre_knows_the_bowers_and_counts_marches_lone_hands_and_euchres(seed: int, stuck: str) -> None:
    played, deals = told("euchre", seed, avoid=("choose order",), stickTheDealer=stuck)
    scores = [0] * 4
    for deal in deals:
        if not deal.plays():
            assert stuck == "no"
            continue  # all passed
        maker, alone, trumps = int(deal.values["maker"]), deal.values["alone"] == "yes", deal.suit()
        tricks = deal.tricks(3 if alone else 4)
        assert len(tricks) == 5

        def wins(trick: Trick, trumps: str = trumps) -> int:
            led = euchre_power(trick[0][1], trumps)[0]

            def power(play: tuple[int, str]) -> tuple[bool, bool, int]:
                suit, rank = euchre_power(play[1], trumps)
                return suit == trumps, suit == led, rank

            return max(trick, key=power)[0]

        winners = leaders(tricks, [wins(trick) for trick in tricks])
        made = sides(counted(winners, 4))[maker]
        side = maker if made >= 3 else (maker + 1) % 4
        gain = 2 if made < 3 else 1 if made < 5 else 4 if alone else 2
        scores[side] += gain
        scores[(side + 2) % 4] += gain
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", SEEDS)
def test_briscola_shares_120_points(seed: int) -> None:
    played, (deal,) = told("briscola", seed)
    points = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
    tricks = deal.tricks(2)
    winners = takers(tricks, "24567JQK3A", deal.suit())
    scores = [0, 0]
    for trick, winner in zip(tricks, winners, strict=True):
        scores[winner] += sum(points.get(card[0], 0) for _, card in trick)
    assert list(played.outcome.scores) == scores
    assert sum(scores) == 120


@pytest.mark.parametrize("seed", SEEDS)
def test_fists_pays_ten_for_an_exact_bid(seed: int) -> None:
    played, deals = told("fists", seed, 4)
    scores = [0] * 4
    for size, deal in zip(range(5, 0, -1), deals, strict=True):
        bids = dict(deal.chosen("fingers"))
        winners = takers(deal.tricks(4), HIGH, deal.suit())
        assert len(winners) == size
        for seat in range(4):
            scores[seat] += winners.count(seat) + 10 * (winners.count(seat) == int(bids[seat]))
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", SEEDS)
def test_ninety_nine_reads_bids_from_suits_and_pays_more_when_fewer_succeed(seed: int) -> None:
    played, deals = told("ninety_nine", seed)
    worth = {"C": 3, "H": 2, "S": 1, "D": 0}
    scores, trumps = [0] * 3, ""
    for deal in deals:
        winners = takers(deal.tricks(3), HIGH, trumps)
        assert len(winners) == 9
        bids = [sum(worth[card[1]] for card in deal.zones[f"bid({seat})"]) for seat in range(3)]
        exact = [winners.count(seat) == bids[seat] for seat in range(3)]
        for seat in range(3):
            scores[seat] += winners.count(seat) + (exact[seat] and {3: 10, 2: 20, 1: 30}[sum(exact)])
        trumps = "DSHC"[sum(exact)]
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", range(6))
def test_floating_bridge_is_won_by_the_declarer_and_who_holds_the_called_card(seed: int) -> None:
    played, deals = told("floating_bridge", seed, deals=1)
    for washed in deals[:-1]:
        assert min(map(bridge_strength, dealt_hands(washed))) <= 4
    deal, hands = deals[-1], dealt_hands(deals[-1])
    assert min(map(bridge_strength, hands)) > 4
    winners = takers(deal.tricks(4), HIGH, deal.suit())
    declarer, called = int(deal.values["declarer"]), deal.values["calledRank"][0].upper() + deal.suit("calledSuit")
    side = {declarer, *(seat for seat in range(4) if called in hands[seat])}
    assert len(side) == 2
    made = sum(winners.count(seat) for seat in side) >= 6 + int(deal.values["high"])
    assert played.outcome.scores == tuple(int((seat in side) == made) for seat in range(4))


def bridge_strength(hand: list[str]) -> int:
    """Points for honours and length."""
    lengths = [sum(card[1] == suit for card in hand) for suit in "CDHS"]
    honours = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card[0], 0) for card in hand)
    return honours + sum(max(0, length - 4) for length in lengths)


@pytest.mark.parametrize("seed", SEEDS)
def test_pitch_counts_high_low_jack_and_game(seed: int) -> None:
    played, deals = told("pitch", seed, 4)
    eyes = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
    scores = [0] * 4
    pitcher = 0
    for deal in deals:
        tricks, high, pitcher = deal.tricks(4), int(deal.values["high"]), int(deal.values["pitcher"])
        trumps = tricks[0][0][1][1]
        assert tricks[0][0][0] == pitcher
        winners = takers(tricks, HIGH, trumps)
        won: list[list[str]] = [[] for _ in range(4)]
        for trick, winner in zip(tricks, winners, strict=True):
            won[winner] += [card for _, card in trick]
        out = sorted((card for cards in won for card in cards if card[1] == trumps), key=lambda c: HIGH.index(c[0]))
        game = [sum(eyes.get(card[0], 0) for card in cards) for cards in won]
        for seat, cards in enumerate(won):
            made = (out[-1] in cards) + (out[0] in cards) + ("J" + trumps in cards)
            made += game[seat] == max(game) and game.count(max(game)) == 1 and game[seat] > 0
            scores[seat] += -high if seat == pitcher and made < high else made
    if scores[pitcher] >= 7 and scores.count(max(scores)) > 1 - (scores[pitcher] == max(scores)):
        others = max(score for seat, score in enumerate(scores) if seat != pitcher)
        scores[pitcher] = max(scores[pitcher], others + 1)
    assert list(played.outcome.scores) == scores


def klaverjas_roem(cards: list[str], trumps: str) -> int:
    """What a trick is worth beyond its card points."""
    if len({card[0] for card in cards}) == 1:
        return 100
    best = 0
    for suit in "CDHS":
        steps = sorted("789TJQKA".index(card[0]) for card in cards if card[1] == suit)
        for length, worth in ((4, 50), (3, 20)):
            if any(steps[i : i + length] == list(range(steps[i], steps[i] + length)) for i in range(len(steps))):
                best = max(best, worth)
    return best + 20 * (f"K{trumps}" in cards and f"Q{trumps}" in cards)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("amsterdam", ["no", "yes"])
def test_klaverjassen_counts_trump_points_roem_and_wet_makers(seed: int, amsterdam: str) -> None:
    played, deals = told("klaverjassen", seed, amsterdam=amsterdam)
    plain = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    trump = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
    scores = [0] * 4
    for deal in deals:
        trumps, maker, tricks = deal.suit(), int(deal.values["maker"]), deal.tricks(4)

        def wins(trick: Trick, trumps: str = trumps) -> int:
            order = "78QKTA9J" if any(card[1] == trumps for _, card in trick) else "789JQKTA"
            return taker(trick, order, trumps)

        winners = leaders(tricks, [wins(trick) for trick in tricks])
        for number, trick in enumerate(tricks):
            for place, (seat, card) in enumerate(trick[1:], 1):
                held = {other for later in tricks[number:] for who, other in later if who == seat}
                led, best = trick[0][1][1], wins(trick[:place])
                is_free = amsterdam == "yes" and best == (seat + 2) % 4
                if not any(other[1] == led for other in held) and any(other[1] == trumps for other in held):
                    over = [other for other in held if wins([*trick[:place], (seat, other)]) == seat]
                    assert card in over or (is_free and card[1] != trumps) or not over
        eyes, roem = [0, 0], [0, 0]
        for trick, winner in zip(tricks, winners, strict=True):
            cards = [card for _, card in trick]
            eyes[winner % 2] += sum((trump if card[1] == trumps else plain).get(card[0], 0) for card in cards)
            roem[winner % 2] += klaverjas_roem(cards, trumps)
        eyes[winners[-1] % 2] += 10
        assert sum(eyes) == 162
        mine, theirs = maker % 2, 1 - maker % 2
        march = 100 if len({winner % 2 for winner in winners}) == 1 else 0
        total = [eyes[side] + roem[side] for side in range(2)]
        if total[mine] > total[theirs]:
            total[mine] += march
        else:
            total[theirs], total[mine] = 162 + sum(roem) + march, 0
        for seat in range(4):
            scores[seat] += total[seat % 2]
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", SEEDS)
def test_pinochle_counts_250_points_a_deal_and_the_melds(seed: int) -> None:
    played, deals = told("pinochle", seed)
    points = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    melds = {"nothing": 0, "sequence": 150, "pinochle": 40, "aces": 100, "kings": 80, "queens": 60, "jacks": 40}
    scores = [0, 0]
    for deal in deals:
        tricks, trumps = deal.tricks(2), deal.suit()
        # Of two copies of a card the one that was played first wins; `max` keeps the first.
        winners = takers(tricks, "9JQKTA", trumps)
        assert len(winners) == 24
        for trick, winner in zip(tricks, winners, strict=True):
            scores[winner] += sum(points.get(card[0], 0) for _, card in trick)
        scores[winners[-1]] += 10
        for seat, couple in deal.chosen("couple"):
            scores[seat] += 40 if couple[0].upper() == trumps else 20
        for seat, meld in deal.chosen("meld"):
            scores[seat] += melds.get(meld, 0)
        turned = next(event for event in deal.of("move") if event.target == "trumpCard")
        dealer = 1 - deal.plays()[0][0]
        scores[dealer] += 10 * ((turned.cards or ("",))[0][0] == "9")
    assert list(played.outcome.scores) == scores


@pytest.mark.parametrize("seed", range(60))
def test_schnapsen_pays_one_two_or_three_game_points(seed: int) -> None:
    played, deals = told("schnapsen", seed)
    points = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    scores = [0, 0]
    for deal in deals:
        eyes, bonus, tricks, trumps = [0, 0], [0, 0], [0, 0], deal.suit()
        closed: tuple[int, int] | None = None
        trick: Trick = []
        winner: int | None = None

        def total(seat: int, eyes: list[int] = eyes, bonus: list[int] = bonus, tricks: list[int] = tricks) -> int:
            return eyes[seat] + bonus[seat] if tricks[seat] else 0

        for event in deal.of("play", "choose"):
            assert winner is None, "the deal goes on after 66"
            seat = event.seat or 0
            if event.name == "couple":
                bonus[seat] += 40 if str(event.value)[0].upper() == trumps else 20
            elif event.value == "close":
                closed = seat, tricks[1 - seat]
            elif event.kind == "play":
                trick.append((seat, (event.cards or ("",))[0]))
                if len(trick) == 2:
                    seat = taker(trick, "JQKTA", trumps)
                    eyes[seat] += sum(points[card[0]] for _, card in trick)
                    tricks[seat] += 1
                    trick = []
            if total(seat) >= 66:
                winner = seat
            last = seat
        if winner is None:
            winner = 1 - closed[0] if closed else last
        loser = 1 - winner
        if closed and closed[0] == loser:
            scores[winner] += 3 if closed[1] == 0 else 2
        else:
            scores[winner] += 3 if tricks[loser] == 0 else 2 if total(loser) < 33 else 1
    assert list(played.outcome.scores) == scores


BIDS = [
    level + strain if strain == "NoTrump" or level == "one" else f"{level}{strain}s"
    for level in ("one", "two", "three", "four", "five", "six", "seven")
    for strain in ("Club", "Diamond", "Heart", "Spade", "NoTrump")
]
DOWN_DOUBLED = {False: [0, 100, 300, 500, 800, 1100, 1400, 1700, 2000], True: [0, 200, 500, 800, 1100, 1400, 1700]}


def bridge_points(level: int, strain: str, doubled: int, tricks: int, *, vulnerable: bool) -> int:
    """What the declarer's side gets, as the tables of duplicate bridge have it."""
    over = tricks - level - 6
    if over < 0:
        table = DOWN_DOUBLED[vulnerable]
        steps = table + [table[-1] + 300 * extra for extra in range(1, 14)]
        return -(steps[-over] * doubled if doubled else -over * (100 if vulnerable else 50))
    trick = 20 if strain in "CD" else 30
    bid = (trick * level + (10 if strain == "N" else 0)) * (1, 2, 4)[doubled]
    bonus = 50 if bid < 100 else 500 if vulnerable else 300
    slam = {6: (500, 750), 7: (1000, 1500)}.get(level, (0, 0))[vulnerable]
    extra = (0, 50, 100)[doubled]
    above = (trick, 200 if vulnerable else 100, 400 if vulnerable else 200)[doubled]
    return bid + bonus + slam + extra + over * above


@pytest.mark.parametrize("seed", range(16))
def test_bridge_auction_play_and_score(seed: int) -> None:
    # Random bidders end in seven no trumps; every other game they pass as soon as they may.
    high = tuple(f"choose {bid}" for bid in BIDS[5:]) if seed % 2 else ()
    side = ("nobody", "northSouth", "eastWest", "everybody")[seed % 4]
    played, deals = told("bridge", seed, avoid=high, vulnerable=side, deals=2)
    scores = [0] * 4
    for deal in deals:
        calls = deal.chosen("call")
        bids = [(seat, BIDS.index(call)) for seat, call in calls if call in BIDS]
        assert [call for _, call in calls[-3:]] == ["pass"] * 3
        if not bids:
            continue
        bidder, bid = bids[-1]
        assert [height for _, height in bids] == sorted({height for _, height in bids})
        declarer = next(seat for seat, other in bids if other % 5 == bid % 5 and seat % 2 == bidder % 2)
        after = [call for _, call in calls[calls.index((bidder, BIDS[bid])) :]]
        doubled = after.count("double") + after.count("redouble")
        strain = "CDHSN"[bid % 5]
        plays = [
            (event.seat if event.kind == "play" else (declarer + 2) % 4, (event.cards or ("",))[0])
            for event in deal.of("play", "pick")
        ]
        tricks = [[(seat or 0, card) for seat, card in plays[first : first + 4]] for first in range(0, 52, 4)]
        assert tricks[0][0][0] == (declarer + 1) % 4
        winners = takers(tricks, HIGH, strain)
        taken = sum(winner % 2 == declarer % 2 for winner in winners)
        vulnerable = side == "everybody" or side == ("northSouth", "eastWest")[declarer % 2]
        points = bridge_points(bid // 5 + 1, strain, doubled, taken, vulnerable=vulnerable)
        scores = [score + (points if seat % 2 == declarer % 2 else -points) for seat, score in enumerate(scores)]
    assert list(played.outcome.scores) == scores


TRUMPS_OF_DOPPELKOPF = ("9D", "KD", "TD", "AD", "JD", "JH", "JS", "JC", "QD", "QH", "QS", "QC", "TH")


def doppelkopf_strength(card: str, led: str) -> int:
    """How strong a card is in a trick that this card led; 0 takes nothing."""
    if card in TRUMPS_OF_DOPPELKOPF:
        return 10 + TRUMPS_OF_DOPPELKOPF.index(card)
    return 1 + "9KTA".index(card[0]) if led not in TRUMPS_OF_DOPPELKOPF and card[1] == led[1] else 0


@pytest.mark.parametrize("seed", range(12))
def test_doppelkopf_counts_eyes_steps_and_specials_for_hidden_sides(seed: int) -> None:
    second = seed % 3 == 0
    played, deals = told("doppelkopf", seed, deals=3, secondTen="yes" if second else "no")
    worth = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
    scores = [0] * 4
    for deal in deals:
        tricks = deal.tricks(4)
        re = {seat for trick in tricks for seat, card in trick if card == "QC"}
        eyes, takers_of, extra = [0] * 4, [], 0
        for number, trick in enumerate(tricks):
            led = trick[0][1]
            strengths = [doppelkopf_strength(card, led) for _, card in trick]
            place = strengths.index(max(strengths))  # of two alike the first wins
            if second and [card for _, card in trick].count("TH") == 2:
                place = max(at for at, (_, card) in enumerate(trick) if card == "TH")
            winner = trick[place][0]
            takers_of.append(winner)
            sign = 1 if winner in re else -1
            total = sum(worth[card[0]] for _, card in trick)
            eyes[winner] += total
            extra += sign * sum(card == "AD" and (seat in re) != (winner in re) for seat, card in trick)
            extra += sign * (total >= 40) + sign * (number == 11 and trick[place][1] == "JC")
        leaders(tricks, takers_of)
        for_re = sum(eyes[seat] for seat in re)
        won = for_re >= 121
        losers = set(range(4)) - re if won else re
        low = sum(eyes[seat] for seat in losers)
        steps = sum(low < limit for limit in (90, 60, 30)) + (not losers & set(takers_of))
        points = (1 + steps if won else -(2 + steps)) + extra
        for seat in range(4):
            scores[seat] += (points if seat in re else -points) * (3 if re == {seat} else 1)
        assert sum(scores) == 0
    assert list(played.outcome.scores) == scores
