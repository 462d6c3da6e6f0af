"""Agents with parameters left open: `ismcts:c=0.1..2,iterations=200|800`, for curves and for tuning."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from fcdl.agents import AgentError
from fcdl.agents.agent import kinds, parse_agent

LOG_FROM = 100.0
"""A range whose ends are so many times apart is looked at by orders of magnitude."""


@dataclass(frozen=True, slots=True)
class Range:
    """What a parameter may be: numbers between two, or one of some texts."""

    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    words: tuple[str, ...] = ()

    @property
    def is_logarithmic(self) -> bool:
        """Whether its orders of magnitude count."""
        return self.low > 0 and self.high / self.low >= LOG_FROM

    def values(self, points: int) -> list[str]:
        """All values, or so many of them at equal distances."""
        if self.words:
            return list(self.words)
        if self.whole and self.high - self.low < points:
            return [str(number) for number in range(int(self.low), int(self.high) + 1)]
        steps = [n / (points - 1) for n in range(points)]
        if self.is_logarithmic:
            numbers = [self.low * (self.high / self.low) ** step for step in steps]
        else:
            numbers = [self.low + step * (self.high - self.low) for step in steps]
        return list(dict.fromkeys(self.text(number) for number in numbers))

    def text(self, number: float) -> str:
        """A number as the agent reads it."""
        return str(round(number)) if self.whole else f"{number:.6g}"


@dataclass(frozen=True, slots=True)
class OpenAgent:
    """An agent some of whose parameters have ranges."""

    name: str
    fixed: tuple[str, ...]
    """The other parameters, as they were written."""
    ranges: dict[str, Range]

    def with_values(self, values: dict[str, str]) -> str:
        """The agent with these values of the open parameters."""
        items = [*self.fixed, *(f"{key}={value}" for key, value in values.items())]
        return f"{self.name}:{','.join(items)}" if items else self.name

    def curve(self, points: int) -> tuple[str, list[dict[str, str]]]:
        """The parameter of a curve and its values, with those of parameters that go with it; raises AgentError.

        Lists of equally many values go together: `samples=10|30,limit=90|30`.
        """
        key = next(iter(self.ranges))
        if len(self.ranges) > 1:
            lists = [one.words for one in self.ranges.values()]
            if not all(lists) or len(set(map(len, lists))) > 1:
                raise AgentError(
                    "a curve has one parameter: give one range, or lists of equally many values, which go together "
                    "(fcdl tune looks for several at once)"
                )
            return key, [dict(zip(self.ranges, values, strict=True)) for values in zip(*lists, strict=True)]
        return key, [{key: value} for value in self.ranges[key].values(points)]

    @property
    def usual(self) -> str:
        """The agent with the usual values of the open parameters."""
        return self.with_values({})


def read_open(text: str) -> OpenAgent:
    """Reads an agent with ranges `key=low..high` and `key=a|b|c`; raises AgentError."""
    name, _, rest = text.strip().partition(":")
    fixed: list[str] = []
    ranges: dict[str, Range] = {}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if ".." in value or "|" in value:
            ranges[key] = _range(name, key, value)
        else:
            fixed.append(item)
    if not ranges:
        raise AgentError(
            f"'{text}' leaves nothing open: give a parameter a range, such as c=0.1..2 or eval=score|playout"
        )
    found = OpenAgent(name, tuple(fixed), ranges)
    for key, one in ranges.items():
        values = one.values(2)
        for first, second in pairwise([*values, values[0]]):
            parse_agent(found.with_values({key: first}))
            parse_agent(found.with_values({key: second}))
    return found


def _range(name: str, key: str, value: str) -> Range:
    if "|" in value:
        words = tuple(word.strip() for word in value.split("|"))
        if "" in words or len(set(words)) < len(words):
            raise AgentError(f"agent '{name}': {key}={value}: expected different values, separated by |")
        return Range(words=words)
    low_text, _, high_text = value.partition("..")
    try:
        low, high = float(low_text), float(high_text)
    except ValueError:
        low, high = 1.0, 0.0
    if not -1e12 < low < high < 1e12:
        raise AgentError(f"agent '{name}': {key}={value}: expected two numbers, the lower one first, such as 1..8")
    parameter = kinds()[name].parameters.get(key) if name in kinds() else None
    return Range(low, high, whole=parameter is not None and not _reads(parameter.read, (low + high) / 2 + 0.123))


def _reads(read: object, number: float) -> bool:
    """Whether a parameter takes a number that is not whole."""
    assert callable(read)
    for candidate in (number, number - 0.2):
        try:
            read(f"{candidate:.6g}")
        except ValueError:
            continue
        return True
    return False
