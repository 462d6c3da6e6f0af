"""Generated documents: everything that a chart can say, whether or not it makes sense.

`documents()` are documents that every form can say. `documents(faulty_arrows=True)` also lack arrows or have too
many of them, which the text form cannot say.
"""

from __future__ import annotations

import re
from typing import TypeVar

from hypothesis import strategies as st

from fcdl.data import data_text
from fcdl.language import tree

T = TypeVar("T")

MAX_INT = 2**31 - 1
KEYWORDS = frozenset(re.findall(r'"([a-z]+)"', data_text("grammars", "line.lark")))
_FUNCTIONS = ("player", "suit", "card", "if", "max", "count", "equal", "operation", "name", "call", "each", "when", "F")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


# --- words --------------------------------------------------------------------------------------------------------

_COMMON = ("leader", "i", "trickWinner", "x_1", "_y", "QS", "Big", "none", "values", "a")
names = st.sampled_from(_COMMON) | st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,8}", fullmatch=True).filter(
    lambda word: word not in KEYWORDS
)
expression_names = st.one_of(
    names,
    st.sampled_from(sorted(KEYWORDS - {"those", "not"})),
    st.from_regex(r"[1-9][0-9]?[A-Z][A-Za-z]?", fullmatch=True),
)
texts = st.one_of(
    st.sampled_from(("", "#{trumps} has been chosen as trumps.", "a~b  c", '"\\"', "\\~", "% # ?", "ends with \\")),
    st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=30),
)
counts = st.integers(0, 12) | st.integers(0, MAX_INT)
integers = counts | counts.map(lambda number: -number)


def some(
    items: st.SearchStrategy[T], low: int = 1, high: int = 4, *, unique: bool = False
) -> st.SearchStrategy[tuple[T, ...]]:
    """A few of something."""
    return st.lists(items, min_size=low, max_size=high, unique=unique).map(tuple)


# --- expressions --------------------------------------------------------------------------------------------------

_leaves: st.SearchStrategy[tree.Expression] = st.one_of(
    counts.map(tree.Number), texts.map(tree.Text), expression_names.map(tree.Name)
)


def _domains(parts: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    return parts | st.builds(tree.Range, parts, parts) | st.builds(tree.PlayersFrom, parts)


def _is_call(call: tree.Call) -> bool:
    """Whether the text form reads this as a call: `count(x in D)` is an aggregate."""
    match call:
        case tree.Call("count" | "some" | "every", (tree.Operation("in", (tree.Name(), _)),)):
            return False
    return True


def _calls(parts: st.SearchStrategy[tree.Expression], of: st.SearchStrategy[str]) -> st.SearchStrategy[tree.Call]:
    return st.builds(tree.Call, of, some(parts | st.builds(tree.Range, parts, parts), 0, 3)).filter(_is_call)


def _eaches(parts: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    with_value = st.sampled_from(("sum", "max", "min", "highest", "lowest"))
    without_value = st.sampled_from(("those", "count", "some", "every"))
    condition = st.none() | parts
    return st.builds(tree.Each, with_value, names, _domains(parts), condition, parts) | st.builds(
        tree.Each, without_value, names, _domains(parts), condition, st.none()
    )


def _larger(parts: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        st.builds(tree.Operation, st.sampled_from(("+", "-", "*", "/", "%", "&", "|", *_COMPARISONS)), pairs),
        st.builds(tree.Operation, st.sampled_from(("-", "!")), st.tuples(parts)),
        st.builds(tree.Operation, st.just("in"), st.tuples(parts, _domains(parts))),
        _calls(parts, st.sampled_from(_FUNCTIONS) | names),
        _eaches(parts),
        st.builds(tree.Values, some(st.builds(tree.Item, _domains(parts), st.none() | parts), 0, 3)),
    )


expressions: st.SearchStrategy[tree.Expression] = st.recursive(_leaves, _larger, max_leaves=8)
"""Expressions of every kind."""


# --- nodes --------------------------------------------------------------------------------------------------------

actions: st.SearchStrategy[tree.Action] = st.one_of(
    st.sampled_from((tree.Action("Shuffle"), tree.Action("Stack.empty"), tree.Action("Deal", (tree.Number(7),)))),
    texts.map(lambda text: tree.Action("publish", (tree.Text(text),))),
    _calls(expressions, st.sampled_from(("playCard", "choose", "assign", "publish")) | names).map(
        lambda call: tree.Action(call.name, call.args)
    ),
)
assignments = st.builds(tree.Assign, names.map(tree.Name) | _calls(expressions, names), expressions, st.booleans())
choices = st.builds(tree.Choice, expressions, st.booleans()) | st.builds(
    tree.Choice, expressions, st.just(False), st.booleans()
)
boxes = st.builds(
    tree.ForSeats,
    st.builds(tree.Assign, names.map(tree.Name), expressions) | actions | st.builds(tree.Do, names),
    names,
    st.none() | expressions,
    st.none() | expressions,
    st.booleans(),
    st.booleans(),
).filter(lambda box: not (box.together and isinstance(box.body, tree.Do)))
bodies: st.SearchStrategy[tree.Body] = st.one_of(
    st.just(tree.Start()), st.just(tree.End()), assignments, actions, choices, st.builds(tree.Do, names), boxes
)
"""What nodes say."""


@st.composite
def _charts(draw: st.DrawFn, name: str, numbers: list[int], faulty_arrows: bool, positions: bool) -> tree.Chart:
    """A chart whose nodes have the given numbers; arrows lead anywhere within it."""
    labels = draw(some(names, len(numbers), len(numbers), unique=True))
    nodes = []
    for index, (number, label) in enumerate(zip(numbers, labels, strict=True)):
        body = draw(bodies)
        may_lack = faulty_arrows or index == len(numbers) - 1
        arrows = st.sampled_from(numbers) | st.none() if may_lack else st.sampled_from(numbers)
        is_choice, is_end = isinstance(body, tree.Choice), isinstance(body, tree.End)
        yes, no = (draw(arrows), draw(arrows)) if is_choice else (None, None)
        following = draw(arrows) if not is_choice and not is_end else None
        has_arrow = any(arrow is not None for arrow in (yes, no, following))
        extra = draw(some(st.sampled_from(numbers), 0, 2)) if faulty_arrows and has_arrow else ()
        place = draw(st.tuples(st.integers(-500, 5000), st.integers(-500, 5000))) if positions else None
        named = draw(st.booleans())
        nodes.append(tree.Node(number, body, following, yes, no, label if named else None, place, extra))
    return tree.Chart(name, tuple(nodes))


# --- header lines -------------------------------------------------------------------------------------------------

_ranks = names | st.integers(0, 20).map(str)
_decks = st.one_of(
    st.just(tree.Deck()),
    st.builds(tree.Deck, some(_ranks, 1, 6), some(names), st.integers(1, 4)),
    st.builds(
        lambda variable, condition: tree.Deck(
            restriction=tree.Each("those", variable, tree.Name("standard"), condition, None)
        ),
        names,
        expressions,
    ),
)
_options = st.one_of(
    st.builds(tree.Option, names, integers, integers, integers, text=texts),
    st.builds(tree.Option, names, st.booleans(), text=texts),
    st.builds(tree.Option, names, names, words=some(names), text=texts),
)
_keys = st.builds(tree.Key, st.sampled_from(("player", "team", "suit", "rank"))) | st.builds(
    tree.Key, st.just("number"), integers, integers
)
_table_keys = _ranks | st.from_regex(r"[1-9][0-9]?[A-Z]", fullmatch=True)

headers: st.SearchStrategy[tree.Header] = st.one_of(
    st.builds(tree.Title, texts),
    st.builds(tree.About, texts),
    st.builds(tree.Genre, some(texts)),
    st.builds(tree.Players, counts, counts),
    st.builds(tree.Teams, some(some(st.integers(0, 7)))),
    st.builds(tree.Wins, st.booleans()),
    st.builds(tree.Goal, some(st.tuples(st.booleans(), expressions))),
    _decks,
    st.builds(tree.Order, names, some(_ranks)),
    st.builds(tree.Table, names, some(st.tuples(_table_keys, integers)), st.none() | integers),
    st.builds(tree.List, names, some(integers)),
    st.builds(tree.Words, some(names)),
    _options,
    st.builds(tree.Zone, names, some(_keys, 0, 2), st.sampled_from(("all", "nobody", "owner", "others"))),
    st.builds(tree.Variables, some(_keys, 1, 2), some(st.tuples(names, st.none() | expressions))),
    st.builds(tree.Secret, some(names)),
    st.builds(tree.Define, names, some(names, 0, 3), expressions),
    st.builds(
        tree.Say,
        st.sampled_from(("", "ask", "tell")),
        names,
        st.just("") | names,
        st.builds(tree.Text, texts),
        st.just("") | texts,
        st.none() | expressions,
    ),
    st.builds(tree.Sort, some(expressions)),
)
"""Header lines of every kind."""


# --- documents ----------------------------------------------------------------------------------------------------


@st.composite
def documents(draw: st.DrawFn, *, faulty_arrows: bool = False, positions: bool = False) -> tree.Document:
    """Whole documents of one to three charts; the numbers of the nodes are counted through or any."""
    header = draw(some(headers, 0, 4))
    chart_names = draw(some(st.just("main") | names, 1, 3, unique=True))
    sizes = [draw(st.integers(0, 5)) for _ in chart_names]
    numbers = list(range(sum(sizes)))
    if draw(st.booleans()):
        numbers = draw(st.lists(counts, min_size=sum(sizes), max_size=sum(sizes), unique=True))
    charts = []
    for name, size in zip(chart_names, sizes, strict=True):
        charts.append(draw(_charts(name, numbers[:size], faulty_arrows, positions)))
        numbers = numbers[size:]
    return tree.Document(header, tuple(charts))
