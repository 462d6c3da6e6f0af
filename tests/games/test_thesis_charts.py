"""Trumps, Kings and Jacks, and Crazy Eights are Law's charts, node for node; only numbers have become labels."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcdl.language import tree
from fcdl.language.diagnostics import Findings
from fcdl.language.forms import read_form
from fcdl.language.load import load_flowchart
from fcdl.language.text import format_body
from fcdl.model.outcome import Reason
from tests.games.table import Played, decisions, make_game, play, suit, trick_winner

LAW = Path(__file__).parents[1] / "data" / "law2013"


def only_chart(document: tree.Document) -> tree.Chart:
    """The one chart of a document."""
    (chart,) = document.charts
    return chart


def thesis_chart(filename: str, form: str) -> tree.Chart:
    """A chart of the thesis."""
    findings = Findings()
    document = read_form((LAW / filename).read_text(), form, findings)
    assert not findings.items
    return only_chart(document)


def matched(one: tree.Chart, other: tree.Chart) -> list[tuple[tree.Node, tree.Node]]:
    """Walks two charts from their starts along the same arrows; the pairs of nodes met, each pair once."""
    nodes, others = ({node.number: node for node in chart.nodes} for chart in (one, other))
    starts = (next(n for n in chart.nodes if isinstance(n.body, tree.Start)) for chart in (one, other))
    pairs = [(next(starts), next(starts))]
    for left, right in pairs:
        for arrow in ("next", "yes", "no"):
            to, also = getattr(left, arrow), getattr(right, arrow)
            assert (to is None) == (also is None), (left, right)
            if to is not None and (pair := (nodes[to], others[also])) not in pairs:
                pairs.append(pair)
    return pairs


@pytest.mark.parametrize(
    ("game", "filename", "form"),
    [
        ("trumps", "trumps.facts.lp", "facts"),
        ("kings_and_jacks", "kings_and_jacks.states.lp", "states"),
        ("crazy_eights", "crazy_eights.states.lp", "states"),
    ],
)
def test_chart_is_the_thesis_s_up_to_numbers(game: str, filename: str, form: str) -> None:
    ours, theirs = only_chart(load_flowchart(game).document), thesis_chart(filename, form)
    pairs = matched(ours, theirs)
    assert len(pairs) == len(ours.nodes) == len(theirs.nodes)
    assert len({left.number for left, _ in pairs}) == len({right.number for _, right in pairs}) == len(pairs)
    assert [left.body for left, _ in pairs] == [right.body for _, right in pairs]


def test_captions_of_trumps_are_verbatim() -> None:
    captions = re.findall(r"(?:statement|choice)\(\d+,\d+,\d+,(.*)\)\.", (LAW / "trumps.facts.lp").read_text())
    ours = only_chart(load_flowchart("trumps").document)
    written = [format_body(node.body) for node in ours.nodes if not isinstance(node.body, tree.Start | tree.End)]
    assert len(captions) == 24

    def bare(caption: str) -> str:
        return caption.removeprefix('"').removesuffix('"').replace(" ", "")

    assert sorted(map(bare, captions)) == sorted(map(bare, written))


@pytest.mark.parametrize("seed", range(20))
def test_trumps_is_seven_tricks_by_the_rules(seed: int) -> None:
    played = play(make_game("trumps"), seed)
    story = list(decisions(played))
    assert len(story) == 14
    trumps = story[0].values["trumps"][0].upper()
    leader = int(story[0].values["leader"])
    scores = [0, 0]
    for lead, follow in zip(story[::2], story[1::2], strict=True):
        assert (lead.seat, follow.seat) == (leader, 1 - leader)
        leader = trick_winner([(lead.seat, lead.card), (follow.seat, follow.card)], trumps)
        scores[leader] += 1
    assert played.outcome.scores == tuple(scores)


@pytest.mark.parametrize("seed", range(20))
def test_kings_and_jacks_cost_the_winner_of_the_trick_ten_points_each(seed: int) -> None:
    played = play(make_game("kings_and_jacks"), seed)
    cards = [(decision.seat, decision.card) for decision in decisions(played)]
    assert len(cards) == 14
    scores = [0, 0]
    leader = cards[0][0]
    for lead, follow in zip(cards[::2], cards[1::2], strict=True):
        assert lead[0] == leader
        leader = trick_winner([lead, follow])
        scores[leader] -= 10 * sum(card[0] in "KJ" for _, card in (lead, follow))
    assert played.outcome.scores == tuple(scores)


@pytest.mark.parametrize("game", ["trumps", "kings_and_jacks"])
def test_the_follower_must_follow_suit(game: str) -> None:
    for seed in range(20):
        story = list(decisions(play(make_game(game), seed)))
        for lead, follow in zip(story[::2], story[1::2], strict=True):
            following = {card for card in follow.hand if suit(card) == suit(lead.card)}
            assert lead.legal_cards == lead.hand
            assert follow.legal_cards == (following or follow.hand)


def test_crazy_eights_goes_by_the_rules_until_a_hand_is_empty() -> None:
    # Even if nobody passes who can play, one game in nine is a stalemate: the pack is empty and no card fits any more.
    game = make_game("crazy_eights")
    reasons = [check_crazy_eights(play(game, seed, choose=lambda _, moves: moves[0])) for seed in range(30)]
    assert set(reasons) == {Reason.END, Reason.STALEMATE}
    assert reasons.count(Reason.END) > 20


def check_crazy_eights(played: Played) -> Reason:
    """Checks every move of a game and returns why it ended."""
    hands: list[frozenset[str]] = []
    last: str | None = None
    answers = False
    for decision in decisions(played):
        hand = decision.hand
        leads = decision.seat == int(decision.values["leader"])
        assert leads != answers
        fits = {card for card in hand if not last or card[0] in (last[0], "8") or suit(card) == suit(last)}
        assert decision.legal_cards - {""} == (fits if leads else {card for card in hand if card[0] == "2"})
        assert decision.legal[-1] == "pass"
        last = decision.card or last
        answers = leads and decision.card[:1] == "2"
        hands = [hand - {decision.card} for hand in decision.hands]
    if played.outcome.reason is Reason.END:
        assert played.outcome.scores == ((1, 0) if not hands[0] else (0, 1))
    else:
        assert played.outcome.scores == (0, 0)
        assert all(hands)
    return played.outcome.reason
