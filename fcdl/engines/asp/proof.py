"""The proof that exactly one path applies to every cycle: `asp/exactly_one.lp` has no answer set."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clingo import Control

from fcdl.data import data_text
from fcdl.engines.asp.program import Complaints


def counterexample(
    paths: Sequence[tuple[Collection[str], Collection[str]]], instances: Sequence[Collection[str]]
) -> tuple[str, ...] | None:
    """A cycle to which not exactly one path applies, None if there is no such cycle.

    A path is who is who, and its conditions; an instance is who is who at the same time. Both are texts of terms.
    """
    facts = []
    for number, (names, conditions) in enumerate(paths):
        facts.append(f"path({number}).")
        facts += [f"names({number},{term})." for term in names]
        facts += [f"asks({number},{term})." for term in conditions]
    for number, names in enumerate(instances):
        facts.append(f"instance({number}).")
        facts += [f"is({number},{term})." for term in names]
    complaints = Complaints()
    control = Control(logger=complaints)
    control.add("base", [], data_text("asp", "exactly_one.lp"))
    control.add("base", [], "\n".join(facts))
    complaints.watch(lambda: control.ground([("base", [])]))
    found: list[tuple[str, ...]] = []
    control.solve(on_model=lambda model: found.append(tuple(sorted(map(str, model.symbols(shown=True))))))
    return found[0] if found else None
