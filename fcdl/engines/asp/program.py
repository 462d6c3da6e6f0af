"""Grounding: rules from `asp/*.lp`, facts in, facts out. Facts enter and leave Python here and nowhere else.

Facts go in through `@facts`, which costs a quarter of adding them through clingo's backend, and never as text. Rules
are parsed once. Grounding alone makes everything a fact, so nothing is ever solved.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from clingo import Control, MessageCode, Symbol, Tuple_
from clingo.ast import AST, ASTType, ProgramBuilder, parse_string

from fcdl.data import data_text
from fcdl.engines.asp.primitives import Primitives


class RuleError(RuntimeError):
    """Something that clingo complains about: a fault of the rules, never of a chart."""


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


class Rules:
    """Statements by section (`#program`), with the signatures of their input (`name/arity`)."""

    def __init__(self, statements: Iterable[tuple[str, AST]], inputs: Iterable[str]) -> None:
        self._sections: dict[str, list[AST]] = {}
        self._inputs: dict[str, AST] = {}
        for section, statement in statements:
            self._sections.setdefault(section, []).append(statement)
        for signature in inputs:
            _, declaration, rule = _parse(f"#defined {signature}. {_input_rule(signature)}")
            self._sections["base"].append(declaration)
            self._inputs[signature] = rule

    def ground(self, context: Primitives, sections: Collection[str] | None = None) -> Control:
        """All facts that follow from the context's facts by the rules of these sections, or of all."""
        complaints = Complaints()
        control = Control(logger=complaints)
        with ProgramBuilder(control) as builder:
            for section, statements in self._sections.items():
                if sections is None or section in sections:
                    for statement in statements:
                        builder.add(statement)
            for signature, statement in self._inputs.items():
                if context.has_facts(signature):
                    builder.add(statement)
        complaints.watch(lambda: control.ground([("base", [])], context=context))
        return control


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


def by_signature(facts: Iterable[Symbol]) -> dict[str, list[Symbol]]:
    """Facts as Primitives wants them: the arguments of each as a tuple, by `name/arity`."""
    groups: dict[str, list[Symbol]] = {}
    for fact in facts:
        arguments = fact.arguments
        groups.setdefault(f"{fact.name}/{len(arguments)}", []).append(Tuple_(arguments))
    return groups


def derived(control: Control, name: str, arity: int) -> list[Symbol]:
    """The atoms of a signature; every one of them must be a fact."""
    atoms = list(control.symbolic_atoms.by_signature(name, arity))
    assert all(atom.is_fact for atom in atoms), f"{name}/{arity} is not all facts"
    return [atom.symbol for atom in atoms]


def merge(*groups: Mapping[str, Sequence[Symbol]]) -> dict[str, Sequence[Symbol]]:
    """Facts of several sources with different signatures."""
    return {signature: facts for group in groups for signature, facts in group.items()}


def _input_rule(signature: str) -> str:
    name, _, arity = signature.partition("/")
    variables = [f"X{i}" for i in range(int(arity))]
    pattern = f"({', '.join(variables)},)"
    return f'{name}({", ".join(variables)}) :- {pattern} = @facts("{signature}").'
