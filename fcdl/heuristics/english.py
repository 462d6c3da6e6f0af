"""English of the card table: articles, verbs, lists; names of the chart as people write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from fcdl.language.flowchart import Flowchart
from fcdl.language.saying import called, spaced

DONE = {"paid", "won", "lost", "bet", "spent", "taken"}
"""Names of what somebody has done, and how much of it: what you have paid."""

VERBS = frozenset(
    re.findall(
        r"\w+",
        """accept add announce answer ask attack beat believe bet bid block bluff bring build burn buy call capture
        catch challenge change cheat check claim close collect continue count cut deal declare decline defend deny
        discard double doubt draw drop exchange fight flip fold follow gamble give go guess hide hit hold join keep
        knock lay lead leave lie look make marry meld move name offer order pass pay peek pick pitch play quit raise
        redouble refuse reject reshuffle reveal score see sell send shed show shuffle sink skip slap sleep split stake
        stand stay steal stick stop surrender swap take throw trade trail trust turn twist uncover wait wager withdraw
        yield""",
    )
)
"""What one does at a card table."""
_ADJECTIVES = frozenset(
    re.findall(
        r"\w+",
        """able alike alone alive bad beaten best better black blind blue broken chosen clear dark dead different done
        down empty equal even exact fair few fine first fit forbidden free full good green hidden high higher idle
        illegal in known last left legal live low lower many new next odd off old on only open out over own plain
        ready real red right safe same secret short shown single special strong sure taken true under unknown up valid
        void weak white wild worth wrong yellow""",
    )
)
PARTICIPLES = frozenset(
    {"bought", "discarded", "drawn", "led", "picked", "played", "shown", "taken", "thrown", "turned", "won"}
)
"""What a zone may be called after what was done with its cards."""
_LIKE_ADJECTIVES = re.compile(r"..+(able|ible|ful|less|ish|ous|ive|ed|est)|...+ing")
_HEAD = re.compile(r" (?:at|for|from|in|led|of|on|played|so|taken|that|to|with)\b")
"""What a noun can be followed by: `suit led`, `bids so far`."""
_LONGEST = 30
_DOUBLED = re.compile(r"[^aeiou]*[aeiou][bdgkmnpt]")


def words(name: str) -> str:
    """`lastSuit` as `last suit`."""
    return spaced(name.strip('"'))


def named(chart: Flowchart, name: str) -> str:
    """What a thing is called inside a sentence: the chart's words if they are a noun, else those of its name.

    `say leadSuit: "suit led"` is one, `say broken: "hearts broken"` is none.
    """
    said = re.sub("^(an?|the) ", "", called(chart, name.strip('"')))
    first, *more = _HEAD.split(said)[0].split() or [""]
    last = more[-1] if more else first
    does_so = bool(more) and last.endswith("s") and verb_of(last, third=True) is not None
    is_name = len(said) <= _LONGEST and (is_noun(last) or is_plural(last)) and not does_so
    return said if is_name else words(name)


def counted(chart: Flowchart, name: str) -> str:
    """What cards have of something: `points`, or `strength` if the chart says `strength of the cards`."""
    return named(chart, name).partition(" of ")[0]


def done_to(chart: Flowchart, name: str, participles: Collection[str]) -> str:
    """What was done with what is there: `taken`, if the chart says so of `won`."""
    said = called(chart, name)
    return said if said in participles else words(name)


def join(parts: Sequence[str], word: str) -> str:
    """`a, b and c`."""
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def with_article(noun: str) -> str:
    """`an 8`, `a king`."""
    return f"an {noun}" if noun[:1] in "aeiou" or noun in ("8", "11", "18") else f"a {noun}"


def part_name(said: str) -> str:
    """What somebody becomes who gets a part: `the winner`, `excused`."""
    return said if said.endswith("ed") else f"the {said}"


def is_noun(name: str) -> bool:
    """Whether what something is said to be is a thing (`a fox`), not what it is like (`wild`)."""
    last = name.split()[-1] if name else ""
    return last.isalpha() and last not in _ADJECTIVES and not _LIKE_ADJECTIVES.fullmatch(last) and not is_plural(last)


def verb_of(name: str, *, third: bool = False) -> str | None:
    """What is done, if a name is a verb: `fold`, `raise least`; in the third person `knock` of `knocks`."""
    first, *rest = words(name).split() or [""]
    forms = (first, first.removesuffix("s")) if third else (first,)
    base = next((base for base in forms if base in VERBS), None)
    return None if base is None else " ".join((base, *rest))


def doing(verb: str) -> str:
    """`folding`, `raising least`, `bidding`, `lying`."""
    first, *rest = verb.split()
    if first.endswith("ie"):
        stem = f"{first[:-2]}y"
    elif first.endswith("e") and not first.endswith("ee"):
        stem = first[:-1]
    else:
        stem = first + first[-1] * bool(_DOUBLED.fullmatch(first))
    return " ".join((f"{stem}ing", *rest))


def does(verb: str) -> str:
    """The third person: `folds`, `passes`, `marries`, `raises least`."""
    first, *rest = verb.split()
    if re.search("[^aeiou]y$", first):
        first = f"{first[:-1]}ies"
    else:
        first += "es" if first.endswith(("s", "sh", "ch", "x", "z", "go")) else "s"
    return " ".join((first, *rest))


def is_plural(name: str) -> bool:
    """Whether a name is that of several things: `tricks`, `bids so far`, but not `bonus`."""
    name = _HEAD.split(name)[0]
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))
