"""What a player should want when scores change only after the main loop, found by `asp/goals.lp`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clingo import Control, Model, SymbolType

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints


def find_goals(
    cases: Sequence[tuple[int, Collection[str]]], moves: Collection[str], natural: Collection[str]
) -> set[tuple[int, int, str]]:
    """From cases (a gain, and the conditions that hold): in which case to want more (1) or less (-1) of which property.

    Conditions and properties are texts of terms; distances are `distance(A,B)`.
    """
    facts = [f"moves({term})." for term in moves] + [f"natural({term})." for term in natural]
    for number, (gain, conditions) in enumerate(cases):
        facts.append(f"case({number},{gain}).")
        facts += [f"told({number},{term})." for term in conditions]
    complaints = Complaints()
    control = Control(logger=complaints)
    control.add("base", [], data_text("asp", "goals.lp"))
    control.add("base", [], "\n".join(facts))
    complaints.watch(lambda: control.ground([("base", [])]))
    found: set[tuple[int, int, str]] = set()

    def read(model: Model) -> None:
        for symbol in model.symbols(shown=True):
            case, sign, what = symbol.arguments
            assert case.type is SymbolType.Number
            found.add((case.number, sign.number, str(what)))

    control.solve(on_model=read)
    return found
