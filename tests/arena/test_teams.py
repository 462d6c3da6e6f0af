"""Teams win together: in the arena, in searches and at the table."""

import pytest

from fcdl.agents import make_agent
from fcdl.arena.play import Played, play
from fcdl.arena.simulate import Setup, Simulation, seatings
from fcdl.arena.tournament import pair_seatings
from fcdl.engines import make_engine
from fcdl.language.load import load_text
from fcdl.model.game import Game
from fcdl.model.moves import Move
from fcdl.model.outcome import Outcome, Reason
from fcdl.ui.session import Session

PARTNERS = """
game "Partners"
players 4
teams 0 2, 1 3
chart main
    start
    choose(player(0), points, {0, 5})
    score(player(2)) = points
    score(player(1)) = 2
    score(player(3)) = 2
    end
"""


def partners(teams: str = "0 2, 1 3") -> Game:
    chart = load_text(PARTNERS.replace("0 2, 1 3", teams), filename="partners.fcdl").flowchart
    assert chart is not None
    return Game.make(chart, name="partners")


def test_a_team_has_the_mean_of_its_members_scores() -> None:
    assert partners().winning_sides((0, 2, 5, 2)) == ((0, 2),)
    assert partners().winning_sides((4, 2, 0, 2)) == ((0, 2), (1, 3))
    assert partners("0, 1 2 3").winning_sides((3, 2, 2, 2)) == ((0,),)


def test_a_win_of_a_team_is_a_win_of_each_of_its_members() -> None:
    setup = Setup(partners(), "native", ("a", "b", "c", "d"), "1", seatings("abcd", "none"))
    simulation = Simulation(setup, [False] * 4)
    for scores in ((0, 2, 5, 2), (0, 2, 0, 2), (2, 2, 2, 2)):
        simulation.add(0, Played(Outcome(scores, Reason.END), (0.0,) * 4, (1, 0, 0, 0), 2, 0.7, 0.7, 0, (), 0, None))
    found = {tally.agent: (tally.wins, tally.ties, tally.losses, tally.shares) for tally in simulation.tallies}
    assert found == {"a": (1, 1, 1, 1.5), "b": (1, 1, 1, 1.5), "c": (1, 1, 1, 1.5), "d": (1, 1, 1, 1.5)}


def test_equal_agents_in_both_teams_expect_to_be_among_the_winners_always() -> None:
    for agents, share in (("abab", 0.5), ("aabb", 1.0), ("abcd", 0.5)):
        setup = Setup(partners(), "native", tuple(agents), "1", seatings(agents))
        first = [number for number, agent in enumerate(agents) if agent == "a"]
        assert Simulation(setup, [False] * 4).fair_share(first) == share


def test_two_agents_in_a_tournament_have_whole_teams() -> None:
    assert set(pair_seatings(partners())) == {(0, 1, 0, 1), (1, 0, 1, 0)}
    assert set(pair_seatings(partners("0 1, 2 3"))) == {(0, 0, 1, 1), (1, 1, 0, 0)}


@pytest.mark.parametrize("utility", ["win", "mixed", "score"])
def test_a_searching_player_lets_the_partner_win(utility: str) -> None:
    game = partners()
    played = play(
        make_engine(game, "native"),
        [make_agent(f"ismcts:iterations=50,utility={utility}", game), *(make_agent("random", game) for _ in range(3))],
        "1",
        "1",
    )
    assert played.scores == (0, 2, 5, 2)


def test_the_table_says_who_wins_together() -> None:
    for move, words in (("choose 5", "You and player 2 win!"), ("choose 0", "Player 1 and player 3 win.")):
        session = Session(partners(), ("human", "random", "random", "random"), seed="1")
        session.apply(Move.parse(move))
        assert session.results()[-1] == words
