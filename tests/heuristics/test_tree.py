"""Trees of paths."""

from __future__ import annotations

import pytest

from fcdl.heuristics import derive
from fcdl.heuristics.tree import Branch, path_trees
from tests.games.table import make_game


def leaves(branch: Branch) -> list[Branch]:
    return [leaf for other in branch.branches for leaf in leaves(other)] or [branch]


def test_steps_that_make_no_difference_are_folded() -> None:
    first, second = path_trees(derive(make_game("trumps")))
    assert first.steps == ("When you play first", "you lead any card")
    assert first.worth == "−1 to +1"
    cannot_follow, follow = first.branches
    assert follow.steps == ("they have a card of your card's suit and must play one",)
    assert [(leaf.steps, leaf.worth, leaf.good) for leaf in follow.branches] == [
        (("your card is not lower than theirs",), "+1", True),
        (("your card is lower than theirs",), "−1", False),
    ]
    assert cannot_follow.branches[1] == Branch(("their card is no trump",), "+1", True)  # whatever yours is
    assert len(leaves(first)) == len(leaves(second)) == 6


@pytest.mark.parametrize("name", ["kings_and_jacks", "crazy_eights", "hearts"])
def test_every_end_has_its_worth(name: str) -> None:
    trees = path_trees(derive(make_game(name)))
    assert trees
    for tree in trees:
        assert all(leaf.worth for leaf in leaves(tree))
