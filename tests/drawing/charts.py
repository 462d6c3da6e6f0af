"""Charts for drawing tests, without parser and checker: what is drawn need not make sense."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from fcdl.language import tree
from fcdl.language.flowchart import CallChart, Chart, Deck, Flowchart, Node, NodeKind

_LINE = re.compile(r"(?:(?P<label>\w+):\s*)?(?P<caption>.*?)(?P<arrows>(?:\s*(?:yes|no)?\s*->\s*\w+)*)\s*$", re.DOTALL)
_ARROW = re.compile(r"(yes|no)?\s*->\s*(\w+)")


def flowchart(charts: Mapping[str, Sequence[str]], title: str = "Test") -> Flowchart:
    """Charts by name, as lists of lines like `again: i < 3? no -> out`; a line leads to the next one by itself."""
    nodes: dict[int, Node] = {}
    found: dict[str, Chart] = {}
    for name, lines in charts.items():
        made = _nodes(name, lines, len(nodes))
        nodes |= {node.number: node for node in made}
        numbers = tuple(node.number for node in made)
        found[name] = Chart(name, numbers[0], numbers[-1], numbers)
    return _flowchart(title, found, nodes)


def _nodes(chart: str, lines: Sequence[str], first: int) -> list[Node]:
    matches = [match for match in map(_LINE.match, lines) if match is not None]
    labels = {match["label"]: first + i for i, match in enumerate(matches) if match["label"]}
    return [_node(chart, match["caption"], match["arrows"], first + i, labels) for i, match in enumerate(matches)]


def _node(chart: str, caption: str, arrows: str, number: int, labels: dict[str, int]) -> Node:
    targets = {arrow or "next": labels[label] for arrow, label in _ARROW.findall(arrows)}
    following = number + 1
    if caption.endswith("?"):
        yes, no = targets.get("yes", following), targets.get("no", following)
        private = caption.startswith("private ")
        return Node(number, chart, NodeKind.CHOICE, caption[:-1], yes=yes, no=no, private=private)
    if caption == "end":
        return Node(number, chart, NodeKind.END, caption)
    following = targets.get("next", following)
    if caption.startswith("do "):
        return Node(number, chart, NodeKind.CALL, caption, next=following, statement=CallChart(caption[3:]))
    kind = NodeKind.START if caption == "start" else NodeKind.STATEMENT
    return Node(number, chart, kind, caption, next=following)


def _flowchart(title: str, charts: dict[str, Chart], nodes: dict[int, Node]) -> Flowchart:
    return Flowchart(
        title=title,
        genre="",
        tags=(),
        about=(),
        players=(2, 2),
        teams=(),
        lowest_wins=False,
        deck=Deck((), (), (), (), ()),
        tables={},
        lists={},
        words=(),
        options={},
        zones={},
        variables={},
        charts=charts,
        main=next(iter(charts)),
        nodes=nodes,
        document=tree.Document((), ()),
    )


def random_lines(size: int, rng: random.Random, *, wild: bool) -> list[str]:
    """A chart of random nodes; wild ones have arrows from anywhere to anywhere, tame ones mostly to near nodes."""
    lines = ["n0: start"]
    for i in range(1, size - 1):
        far = rng.randrange(1, size)
        near = min(size - 1, max(1, i + rng.randint(-12, 12)))
        target = far if wild or rng.random() < 0.02 else near
        roll = rng.random()
        caption = rng.choice(
            ["x", "turn = next(turn)", "playCard(turn, card(any, leadSuit))", "score(winner) + 1 == 3"]
        )
        if roll < 0.35:
            both = f" yes -> n{rng.randrange(1, size)}" if wild and rng.random() < 0.5 else ""
            lines.append(f"n{i}: {caption}? no -> n{target}{both}")
        elif roll < 0.45 and wild:
            lines.append(f"n{i}: {caption} -> n{target}")
        else:
            lines.append(f"n{i}: {caption}")
    return [*lines, f"n{size - 1}: end"]
