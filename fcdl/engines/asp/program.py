"""The door to clingo: rules from `asp/*.lp`, facts in, facts and answer sets out. Nothing else here makes a `Control`.

Facts go in and come out as symbols and never as text, so that no name in a chart can become a rule. They go in through
`@facts`, which costs a quarter of adding them through clingo's backend. Rules are parsed once.

Most rules make everything a fact by grounding alone, and nothing is solved. Where there is something to solve, a
`Budget` says how long it may take. Solving ends in time; clingo cannot be stopped while it grounds, so rules whose
grounding can be large ask `@in_time` as they go, and the referee's are cut into chunks or run in a limited process.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from clingo import Control, Function, MessageCode, Number, String, Symbol, Tuple_
from clingo.ast import AST, ASTType, ProgramBuilder, parse_string

from fcdl.data import data_text
from fcdl.errors import FcdlError

_WAIT = 0.1
"""Seconds between looks at the clock, and at Ctrl-C, while clingo solves."""

Facts = Mapping[str, Sequence[Symbol]]
"""Facts by signature (`name/arity`): the arguments of each as a tuple."""


class RuleError(RuntimeError):
    """Something that clingo complains about: a fault of the rules, never of a chart."""


class GaveUpError(FcdlError):
    """Solving took longer than it may."""


class Budget:
    """So many seconds from now on, for grounding and solving together."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; raises GaveUpError if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise GaveUpError(f"gave up after {self.seconds:g} s")
        return left


class Complaints:
    """Keeps clingo's warnings and errors, which must not be raised inside of clingo."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    def __call__(self, code: MessageCode, message: str) -> None:
        """Clingo's logger."""
        self.messages.append(f"{code.name}: {message.strip()}")

    def watch(self, work: Callable[[], object]) -> None:
        """Does something with clingo; raises RuleError if there was anything to complain about."""
        try:
            work()
        except RuntimeError as error:
            raise RuleError("; ".join([*self.messages, str(error)])) from error
        if self.messages:
            raise RuleError("; ".join(self.messages))


class _Context:
    """What rules call as @name: the facts, the clock, and the functions that come with a grounding."""

    def __init__(self, facts: Facts, functions: object, budget: Budget | None) -> None:
        self._facts = facts
        self._functions = functions
        self._budget = budget
        self.raised: Exception | None = None
        """What a function raised, of which clingo makes something else."""

    def facts(self, signature: Symbol) -> Sequence[Symbol]:
        """The input facts of one signature, as tuples of their arguments."""
        return self._facts.get(signature.string, ())

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = self._in_time if name == "in_time" else getattr(self._functions, name)

        def call(*arguments: Symbol) -> Any:
            try:
                return function(*arguments)
            except Exception as error:
                self.raised = error
                raise

        setattr(self, name, call)
        return call

    def _in_time(self, value: Symbol) -> Symbol:
        """The same, as long as there is time."""
        if self._budget is not None:
            self._budget.left()
        return value


class Grounding:
    """What follows from some facts by some rules."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def __len__(self) -> int:
        return len(self._control.symbolic_atoms)

    def facts(self, name: str, arity: int) -> list[Symbol]:
        """The atoms of a signature; every one of them must be a fact."""
        atoms = list(self._control.symbolic_atoms.by_signature(name, arity))
        if not all(atom.is_fact for atom in atoms):
            raise RuntimeError(f"{name}/{arity} is not all facts")
        return [atom.symbol for atom in atoms]

    def answers(self, budget: Budget, assumed: Collection[Symbol] = ()) -> Iterator[Sequence[Symbol]]:
        """What each answer set shows, of those in which what is assumed is true; raises GaveUpError.

        One of them, unless the options of the grounding say `--models`.
        """
        assumptions = [(symbol, True) for symbol in assumed]
        with self._control.solve(assumptions, yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                try:
                    while not handle.wait(min(_WAIT, budget.left())):
                        pass
                except BaseException:
                    handle.cancel()
                    raise
                model = handle.model()
                if model is None:
                    return
                yield model.symbols(shown=True)


class Rules:
    """Statements by section (`#program`), with the signatures of their input."""

    def __init__(self, statements: Iterable[tuple[str, AST]], inputs: Iterable[str]) -> None:
        self._sections: dict[str, list[AST]] = {"base": []}
        self._inputs: dict[str, AST] = {}
        for section, statement in statements:
            self._sections.setdefault(section, []).append(statement)
        for signature in inputs:
            _, declaration, rule = _parse(f"#defined {signature}. {_input_rule(signature)}")
            self._sections["base"].append(declaration)
            self._inputs[signature] = rule

    def ground(
        self,
        facts: Facts,
        functions: object = None,
        *,
        sections: Collection[str] | None = None,
        budget: Budget | None = None,
        options: Sequence[str] = (),
    ) -> Grounding:
        """What follows from facts by the rules of these sections, or of all; what the functions raise is raised.

        Raises GaveUpError if the rules ask for the time. `options` are clingo's, for solving.
        """
        complaints = Complaints()
        control = Control(list(options), logger=complaints)
        with ProgramBuilder(control) as builder:
            for section, statements in self._sections.items():
                if sections is None or section in sections:
                    for statement in statements:
                        builder.add(statement)
            for signature, items in facts.items():
                if items:
                    builder.add(self._inputs[signature])
        context = _Context(facts, functions, budget)
        try:
            complaints.watch(lambda: control.ground([("base", [])], context=context))
        except RuleError:
            if context.raised is not None:
                raise context.raised from None
            raise
        return Grounding(control)


def _parse(text: str) -> list[AST]:
    statements: list[AST] = []
    complaints = Complaints()
    complaints.watch(lambda: parse_string(text, statements.append, logger=complaints))
    return statements


def statements(files: Iterable[str]) -> Iterator[tuple[str, AST]]:
    """The statements of some of the files in `asp/`, each with its section."""
    for file in files:
        section = "base"
        for statement in _parse(data_text("asp", file)):
            if statement.ast_type is ASTType.Program:
                section = statement.name
            else:
                yield section, statement


@cache
def rules(files: tuple[str, ...], inputs: tuple[str, ...]) -> Rules:
    """Rules, parsed once for all games."""
    return Rules(statements(files), inputs)


def _input_rule(signature: str) -> str:
    name, _, arity = signature.partition("/")
    variables = [f"X{i}" for i in range(int(arity))]
    head = f"{name}({', '.join(variables)})" if variables else name
    return f'{head} :- ({", ".join(variables)}{"," if variables else ""}) = @facts("{signature}").'


# --- symbols ----------------------------------------------------------------------------------------------------------


class Term(Protocol):
    """Something that is written as a term: a number's name is its text, a string's begins with a quotation mark."""

    @property
    def name(self) -> str:
        """The function's name; nothing for a tuple."""

    @property
    def args(self) -> Sequence[Term]:
        """The arguments."""


def symbol_of(term: Term) -> Symbol:
    """A term as a symbol."""
    name, args = term.name, [symbol_of(arg) for arg in term.args]
    if name.startswith('"'):
        return String(re.sub(r"\\(.)", r"\1", name[1:-1], flags=re.DOTALL))
    if name.removeprefix("-").isdecimal():
        return Number(int(name))
    return Function(name, args)


def by_signature(facts: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    """Facts as `Rules` wants them: the arguments of each as a tuple, by `name/arity`."""
    groups: dict[str, list[Symbol]] = {}
    for fact in facts:
        arguments = fact.arguments
        groups.setdefault(f"{fact.name}/{len(arguments)}", []).append(Tuple_(arguments))
    return groups


def merge(*groups: Facts) -> dict[str, Sequence[Symbol]]:
    """Facts of several sources with different signatures."""
    return {signature: facts for group in groups for signature, facts in group.items()}
