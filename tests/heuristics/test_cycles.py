"""Cycles of random games: exactly one path applies to each, for every player, and its worth is what the cycle changed.

Weights count the cards that are to be picked up. A pack that has fewer gives fewer, so where a fixed number is picked
up the weights of cycles that leave none there are not compared.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fcdl.heuristics import contradiction, derive
from fcdl.language.load import load_flowchart, load_text
from fcdl.model import Game
from tests.heuristics.cycles import check

GAMES = ["trumps", "kings_and_jacks", "crazy_eights", "oh_hell", "durak", "skat", "hearts"]


@pytest.mark.parametrize("game", GAMES)
def test_every_cycle_of_random_games_is_as_its_heuristic_says(game: str) -> None:
    check(derive(Game.make(load_flowchart(game), name=game)), 60)


@pytest.mark.parametrize(("game", "players"), [("oh_hell", 4), pytest.param("durak", 3, marks=pytest.mark.slow)])
def test_cycles_of_more_players(game: str, players: int) -> None:
    check(derive(Game.make(load_flowchart(game), name=game, players=players)), 20)


LED, ANSWER = "middle(player(leader))", "middle(player(1 - leader))"
QUESTIONS = [
    f"rankValue({LED}) < rankValue({ANSWER})",
    f"suit({LED}) == suit({ANSWER})",
    f"suit({LED}) == hearts",
    f"rank({ANSWER}) == king | rank({ANSWER}) == jack",
    f"suit({ANSWER}) == hearts & rankValue({ANSWER}) < rankValue({LED})",
    "rank(middle(player(0))) == king",
    "leader == 0",
    "winner == leader",
    f"!(suit({LED}) == hearts)",
]
OWNERS = ["leader", "1 - leader", "winner", "0", "1"]


@st.composite
def tricks(draw: st.DrawFn) -> str:
    """A chart with a trick of two cards, and then questions and scores in any order."""
    follow = draw(st.booleans())
    lines = [
        'game "Made up"', "players 2", "chart main", "start", "Shuffle", "Deal(6)", "leader = random(2)",
        "trick: cardsRemaining(player(0)) > 0? no -> finish", "playCard(player(leader), card(any, any))",
        "winner = leader",
    ]  # fmt: skip
    if follow:
        cards = f"card(any, suit({LED}))"
        lines.append(f"playerHas(player(1 - leader), {cards})? no -> discard")
        lines += [f"playCard(player(1 - leader), {cards}) -> s0", "discard:"]
    lines.append("playCard(player(1 - leader), card(any, any))")
    number = draw(st.integers(1, 7))
    for i in range(number):
        question = draw(st.sampled_from([*QUESTIONS, None, None, "winner"]))
        if question == "winner":
            lines.append(f"s{i}: winner = 1 - leader")
        elif question is None:
            owner, points = draw(st.sampled_from(OWNERS)), draw(st.integers(1, 5))
            lines.append(
                f"s{i}: score(player({owner})) = score(player({owner})) {draw(st.sampled_from('+-'))} {points}"
            )
        else:
            lines.append(f"s{i}: {question}? no -> s{draw(st.integers(i + 1, number))}")
    lines += [f"s{number}: score(player(winner)) = score(player(winner)) + 7", "leader = winner"]
    lines += ["Stack.empty -> trick", "finish: end"]
    return "\n".join(lines) + "\n"


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tricks())
def test_made_up_tricks_are_as_their_heuristics_say(source: str) -> None:
    flowchart = load_text(source).flowchart
    assert flowchart is not None
    derived = derive(Game.make(flowchart, name="made_up"))
    assert contradiction(derived) is None
    check(derived, 20)
