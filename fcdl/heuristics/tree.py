"""The paths of heuristics as trees: what happens in a cycle, step by step, and at the end what that is worth.

They are folded: steps without alternatives are one, and steps after which everything is worth the same are left out. At
every step stands what can come of it, from the worst (what Law's player counts on, 3.4.1 of the thesis) to the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fcdl.heuristics.derive import Heuristic, Heuristics
from fcdl.heuristics.speech import Speaker
from fcdl.heuristics.words import is_good, path_title, signed, spoken_worth, steps_of

MAX_LEAVES = 80
"""Of more paths the others are only counted."""


@dataclass(frozen=True, slots=True)
class Branch:
    """Steps, what they are worth (or from what to what), and what may come next."""

    steps: tuple[str, ...]
    worth: str
    good: bool | None
    """Whether all that comes of it is good for me, or all bad."""
    branches: tuple[Branch, ...] = ()


def path_trees(derived: Heuristics) -> list[Branch]:
    """A tree for each place in the order of play; the paths that are worth nothing belong to it."""
    derived = derived.short or derived
    paths = [*derived.heuristics, *derived.neutral, *derived.open]
    roots: dict[str, _Open] = {}
    for path in paths[:MAX_LEAVES]:
        root = roots.setdefault(path_title(path), _Open())
        root.add(steps_of(derived, path), _Leaf.of(derived, path))
    trees = [root.closed((title,)) for title, root in roots.items()]
    if len(paths) > MAX_LEAVES:
        trees.append(Branch((f"and {len(paths) - MAX_LEAVES} more paths",), "", None))
    return trees


@dataclass(frozen=True, slots=True)
class _Leaf:
    worth: str
    good: bool | None
    weight: int | None

    @staticmethod
    def of(derived: Heuristics, path: Heuristic) -> _Leaf:
        weight = path.weight
        good = weight > 0 if weight else None if weight == 0 else is_good(derived, path)
        return _Leaf(spoken_worth(derived, path, Speaker(derived, path)), good, weight)


@dataclass(slots=True)
class _Open:
    """A place in a tree that is still growing."""

    next: dict[str, _Open] = field(default_factory=dict)
    leaves: list[_Leaf] = field(default_factory=list)

    def add(self, steps: Sequence[str], leaf: _Leaf) -> None:
        here = self
        for step in steps:
            here = here.next.setdefault(step, _Open())
        here.leaves.append(leaf)

    def all_leaves(self) -> Iterable[_Leaf]:
        yield from self.leaves
        for other in self.next.values():
            yield from other.all_leaves()

    def closed(self, steps: tuple[str, ...]) -> Branch:
        """The finished branch, folded."""
        leaves = list(dict.fromkeys(self.all_leaves()))
        if len(leaves) == 1:
            return Branch(steps, leaves[0].worth, leaves[0].good)
        if len(self.next) == 1 and not self.leaves:
            ((step, only),) = self.next.items()
            return only.closed((*steps, step))
        branches = [other.closed((step,)) for step, other in self.next.items()]
        branches += [Branch(("otherwise",), leaf.worth, leaf.good) for leaf in dict.fromkeys(self.leaves)]
        weights = [leaf.weight for leaf in leaves]
        known = [weight for weight in weights if weight is not None]
        worth = f"{signed(min(known))} to {signed(max(known))}" if len(known) == len(weights) else ""
        goods = {leaf.good for leaf in leaves}
        return Branch(steps, worth, goods.pop() if len(goods) == 1 else None, tuple(branches))
