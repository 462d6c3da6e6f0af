"""Formulas about hidden cards stay as small as what they say."""

from fcdl.beliefs.formula import Count, Formula, at_least, both, combine, factored, holds, known, negated

CARDS = tuple(Formula("at", (0, card, "hand(1)")) for card in range(4))


def test_a_count_compared_with_a_number_is_one_formula() -> None:
    value = combine(lambda a, b: int(a >= b), Count(CARDS), known(2))
    assert holds(value) is at_least(2, CARDS)


def test_a_count_that_is_one_of_several_numbers_lies_between_them() -> None:
    value = combine(lambda a, b: int(a != b), Count(CARDS), known(0))
    assert holds(value) is at_least(1, CARDS)
    value = combine(lambda a: int(1 <= a <= 2), Count(CARDS))
    assert holds(value) is both((at_least(1, CARDS), negated(at_least(3, CARDS))))


def test_some_card_with_a_twin_is_at_least_two_cards() -> None:
    """`some(c in hand where count(cards of its rank in hand) >= 2)`"""
    pair = at_least(2, CARDS)
    assert factored(both((card, pair)) for card in CARDS) is pair


def test_what_does_not_follow_is_kept() -> None:
    pair = at_least(2, CARDS)
    assert factored([both((CARDS[0], pair)), both((CARDS[1], pair))]) is not pair
