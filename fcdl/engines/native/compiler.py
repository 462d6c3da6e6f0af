"""From a game to its node program.

The charts' nodes become blocks of instructions, one after the other along the arrows. A chart that is called from one
place only is part of its caller; nodes that do nothing (terminals, such calls) are counted with the next instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fcdl.engines.native.assembler import TEMPORARY, VARIABLE, Draft, Label
from fcdl.engines.native.constants import SHOWN_TO_ALL
from fcdl.engines.native.expressions import ExpressionCompiler
from fcdl.engines.native.functions import Function
from fcdl.engines.native.opcodes import NUMBER
from fcdl.engines.native.program import FunctionAt, NodeProgram
from fcdl.engines.native.terms import Term
from fcdl.language import flowchart as fc
from fcdl.language.flow import calls, through_calls
from fcdl.language.flowchart import Node, NodeKind, Type
from fcdl.model.game import Game


@dataclass(slots=True)
class _Block:
    """What is known of a node before code is made: where its arrows lead, and whether it does nothing."""

    node: Node
    successors: tuple[int, ...]
    idle: bool
    condition: Term | None = None


def compile_game(
    game: Game,
    *,
    events: bool = False,
    functions: Sequence[Function] = (),
    pauses: frozenset[int] = frozenset(),
) -> NodeProgram:
    """The program of a game; with events it also tells what happens. Raises TooLargeError.

    Functions come after the game, and a run for one cycle ends where it arrives at one of the nodes `pauses`.
    """
    return _Compiler(game, events, pauses).compile(functions)


class _Compiler(ExpressionCompiler):
    def __init__(self, game: Game, events: bool, pauses: frozenset[int]) -> None:
        super().__init__(game, events)
        self.pauses = pauses

    # --- nodes

    def compile(self, functions: Sequence[Function]) -> NodeProgram:
        """The whole program."""
        self.sites = calls(self.chart)
        self.after = through_calls(self.chart)
        self.blocks = {number: self._block(node) for number, node in self.chart.nodes.items()}
        self.entries = dict.fromkeys(self.chart.nodes, 0)
        for block in self.blocks.values():
            for successor in block.successors:
                self.entries[successor] += 1
        main = self.chart.charts[self.chart.main].start
        self.entries[main] += 1
        todo = [main]
        while todo:
            number = todo.pop()
            if self.labels[number].at is None:
                todo.extend(self._compile_from(number))
        self._compile_functions(functions)
        return self.assembled()

    def _compile_functions(self, functions: Sequence[Function]) -> None:
        """Functions have temporaries of their own, for they are called where the game waits for a decision."""
        self.game_size = len(self.code)
        first, first_set = self.most_temporaries, self.most_set_temporaries
        for function in functions:
            self.temporaries, self.set_temporaries = first, first_set
            self.known.clear()
            arguments = TEMPORARY + first
            bound: dict[str, Term] = {}
            for name, kind in function.parameters:
                bound[name] = self.local_term(f"parameter {name}", kind)
                self.locals[f"parameter {name}"] = self.temporary()
            names = tuple(name for name, _ in function.parameters)
            result = self.temporary()
            self.functions.append(FunctionAt(function.name, names, len(self.code), arguments, result))
            for name, kind in function.parameters:
                if kind is Type.CARDS:
                    local, offered = f"parameter {name}", self.set_temporary()
                    self.emit("MOFFERED", offered, self.locals[local])
                    self.locals[local] = offered
            self.number_into(self.terms.from_expr(function.body, bound), result)
            self.emit("STOP")

    def _block(self, node: Node) -> _Block:
        """Where a node leads, and whether it does nothing."""
        after = self.after[node.number]
        match node.kind:
            case NodeKind.START:
                return _Block(node, after, True)
            case NodeKind.CALL:
                assert isinstance(node.statement, fc.CallChart)
                return _Block(node, after, len(self.sites[node.statement.chart]) == 1)
            case NodeKind.END:
                return _Block(node, after, len(after) == 1)
            case NodeKind.CHOICE:
                assert node.condition is not None
                condition = self.terms.from_expr(node.condition, {})
                if condition.is_const and not self.events:
                    taken = node.yes if condition.number else node.no
                    return _Block(node, (taken,) if taken is not None else (), True)
                return _Block(node, after, False, condition)
            case _:
                says_only = isinstance(node.statement, (fc.Publish, fc.Show))
                return _Block(node, after, says_only and not self.events)

    def _compile_from(self, number: int) -> list[int]:
        """Compiles a run of nodes, each leading to the next; returns nodes that still have to be compiled."""
        later: list[int] = []
        arrived: tuple[int, ...] = ()
        while True:
            block = self.blocks[number]
            index = self.node_index[number]
            if not arrived:
                self.put(self.labels[number])
            self.node = index
            arrived = (*arrived, index)
            if number in self.pauses:
                self.pending = arrived
                self.emit("PAUSE")
                arrived = ()
            if block.idle:
                (following,) = block.successors
                if self.entries[following] == 1 and self.labels[following].at is None:
                    number = following
                    continue
                self.pending = arrived
            else:
                self.pending = arrived
                self.temporaries = self.set_temporaries = 0
                self.drawn = None
                self.known.clear()
                next_node = self._compile_node(block, later)
                if next_node is None:
                    return later
                following = next_node
            if self.labels[following].at is not None:
                self.emit("JUMP", self.labels[following])
                return later
            if self.pending:
                self.emit("STEP")
            arrived = ()
            number = following

    def _compile_node(self, block: _Block, later: list[int]) -> int | None:
        """Compiles a node that does something; returns the node it leads to if that comes next."""
        node = block.node
        if node.kind is NodeKind.CHOICE:
            return self._compile_choice(block, later)
        if node.kind is NodeKind.CALL:
            assert isinstance(node.statement, fc.CallChart)
            chart = node.statement.chart
            site = self.sites[chart].index(node)
            assert node.next is not None
            slot = VARIABLE + self.return_base[chart]
            start = self.chart.charts[chart].start
            self.emit("CALL", slot, site, self.labels[start])
            later.extend((start, node.next))
            return None
        if node.kind is NodeKind.END:
            if node.chart == self.chart.main:
                self.emit("END")
            else:
                after = [site.next for site in self.sites[node.chart]]
                first = len(self.returns)
                self.returns.extend(self.labels[number] for number in after if number is not None)
                slot = VARIABLE + self.return_base[node.chart]
                self.emit("RETURN", slot, first, len(after))
                later.extend(number for number in after if number is not None)
            return None
        assert node.statement is not None
        self._compile_statement(node.statement)
        if self.pending:
            self.emit("STEP")
        return node.next

    def _compile_choice(self, block: _Block, later: list[int]) -> int | None:
        node, condition = block.node, block.condition
        yes, no = node.yes, node.no
        assert condition is not None
        assert yes is not None
        assert no is not None
        index = self.node_index[node.number]
        if self.events:
            refused = Label()
            self.jump(condition, refused, when=False)
            self.emit("BRANCH", index, 1)
            self.emit("JUMP", self.labels[yes])
            self.put(refused)
            self.emit("BRANCH", index, 0)
            later.append(yes)
            return no
        if self.labels[yes].at is None:
            self.jump(condition, self.labels[no], when=False)
            self._fuse_with_assignment(node)
            if self.pending:
                self.emit("STEP")
            later.append(no)
            return yes
        self.jump(condition, self.labels[yes], when=True)
        self._fuse_with_assignment(node)
        if self.pending:
            self.emit("STEP")
        return no

    def _fuse_with_assignment(self, node: Node) -> None:
        """`turn = next(turn)` and `turn == leader?` become one instruction if nothing else leads between them."""
        if len(self.code) < 2 or self.entries[node.number] != 1:
            return
        first, second = self.code[-2:]
        if (first.op, second.op) != (NUMBER["TABLE"], NUMBER["JNE"]) or not second.arrivals:
            return
        if first.operands[0] != second.operands[0] or self.labels[node.number].at != len(self.code) - 1:
            return
        operands = (*first.operands, *second.operands[1:])
        arrivals = (*first.arrivals, *second.arrivals)
        self.code[-2:] = [Draft(NUMBER["TABLEJNE"], operands, arrivals, second.node)]
        self.labels[node.number].at = None

    def _term(self, expr: fc.Expr) -> Term:
        return self.terms.from_expr(expr, {})

    def _compile_statement(self, statement: fc.Statement) -> None:
        match statement:
            case fc.Assign():
                self._compile_assign(statement)
            case fc.Gather():
                self.emit("GATHER")
            case fc.ShuffleZone(zone=zone):
                self.emit("SHUFFLE", *self.zone(self._term(zone)))
            case fc.Move():
                self._compile_move(statement)
            case fc.Play():
                self._compile_play(statement)
            case fc.Pick():
                self._compile_pick(statement)
            case fc.TakeSet():
                self._compile_take(statement)
            case fc.Choose():
                self._compile_choose(statement)
            case fc.Publish(parts=parts):
                self._compile_publish(parts)
            case fc.Show(cards=cards, audience=audience):
                self._compile_show(cards, audience)
            case fc.CallChart():
                raise AssertionError("calls are compiled with their node")

    def _place(self, target: fc.VariableRef) -> tuple[int, int]:
        """The operands of a variable that is assigned: its first slot and the slot of its player."""
        if target.player is None:
            return self.variable(target.name), self.zero
        player = self._term(target.player)
        if player.op == "const":
            seat = player.number
            return (
                (self.variable(target.name, seat), self.zero) if seat >= 0 else (self.variable(target.name), self.none)
            )
        return self.variable(target.name), self.number(player)

    def _compile_assign(self, statement: fc.Assign) -> None:
        target, value = statement.target, self._term(statement.value)
        base, player = self._place(target)
        drawn = next((self._term(part) for part in statement.value.walk() if part.op == "random"), None)
        if drawn is not None and player != self.zero:
            self.emit("FAULT", player)
        if drawn is not None and drawn is not value:
            # It is drawn first, whether it matters or not, and once, wherever it stands.
            self.drawn = self.number(drawn)
        if player == self.zero:
            self.number_into(value, base)
            written = base
        else:
            if self.events and _writes(statement.target.player, target.name):
                # The player is the one before the assignment.
                before = self.temporary()
                self.emit("COPY", before, player)
                player = before
            if not self.events and self._adds_to_itself(target, value):
                self.emit("ADDP", base, player, self.number(value.args[1]))
                return
            written = self.number(value)
            self.emit("STOREP", base, player, written)
        if self.events:
            owner = player
            if player == self.zero:
                owner = self.none if target.player is None else self.constant(self._term(target.player).number)
            number = list(self.chart.variables).index(target.name)
            self.emit("TELL", self.node, number, owner, written)

    def _adds_to_itself(self, target: fc.VariableRef, value: Term) -> bool:
        """Whether an assignment is `x(p) = x(p) + e`."""
        assert target.player is not None
        own = self.terms.make("playerVariable", value.type, self._term(target.player), name=target.name)
        return value.op == "add" and value.args[0] is own

    def _compile_move(self, statement: fc.Move) -> None:
        what = self._term(statement.what) if statement.what is not None else None
        if not statement.each_seat:
            source, target = self._term(statement.source), self._term(statement.target)
            if statement.place is not None:
                self._insert(statement.by, what, source, target, self._term(statement.place))
            else:
                self._move(statement.by, what, source, target)
            return
        if statement.by is fc.MoveBy.ALL and not self.events and not _has_local(statement.target):
            base = self.zone_base[str(statement.source.name)]
            self.emit("SWEEP", base, *self.zone(self._term(statement.target)))
            return
        number = None
        if statement.by is fc.MoveBy.NUMBER:
            assert what is not None
            number = self.number(what)  # once, not for each seat
        for seat in range(self.game.players):
            bound = {"seat": self.terms.const(seat, Type.PLAYER)}
            source = self.terms.from_expr(statement.source, bound)
            target = self.terms.from_expr(statement.target, bound)
            self._move(statement.by, what, source, target, number)

    def _move(self, by: fc.MoveBy, what: Term | None, source: Term, target: Term, number: int | None = None) -> None:
        if by is fc.MoveBy.ALL:
            self.emit("MOVEALL", *self.zone(source), *self.zone(target))
        elif by is fc.MoveBy.NUMBER:
            if number is None:
                assert what is not None
                number = self.number(what)
            self.emit("MOVEN", number, *self.zone(source), *self.zone(target))
        else:
            assert what is not None
            self.emit("MOVESET", self.cards(what), *self.zone(source), *self.zone(target))

    def _insert(self, by: fc.MoveBy, what: Term | None, source: Term, target: Term, place: Term) -> None:
        """A move whose cards do not land on top."""
        number = None
        if by is fc.MoveBy.NUMBER:
            assert what is not None
            number = self.number(what)
        cards = self.cards(what) if by is fc.MoveBy.CARDS and what is not None else None
        at = self.number(place)
        ends = (*self.zone(source), *self.zone(target), at)
        if number is not None:
            self.emit("INSERTN", number, *ends)
        elif cards is not None:
            self.emit("INSERTSET", cards, *ends)
        else:
            self.emit("INSERTALL", *ends)

    def _compile_play(self, statement: fc.Play) -> None:
        player, cards = self._term(statement.player), self._term(statement.cards)
        source, target = self._term(statement.source), self._term(statement.target)
        self.resume[self.node] = Label()
        self.resume[self.node].at = len(self.code)
        besides = self._besides(cards, source)
        atom = self.only_atom(besides)
        who = self.number(player)
        if not statement.may_pass and atom is not None and source.args == (player,) and player.op != "const":
            table, index = self.cards_table(besides, atom), self.number(atom)
            base = self.zone_base[str(source.name)]
            self.emit("PLAYT", who, table, index, base, *self.zone(target))
            return
        operation = "PLAYPASS" if statement.may_pass else "PLAY"
        self.emit(operation, who, self._candidates(cards, besides), *self.zone(source), *self.zone(target))

    def _candidates(self, cards: Term, besides: Term) -> int:
        """The slot of cards, the short way if that has no loop: it would go through the whole deck, not the zone."""
        size, pending, counts = len(self.code), self.pending, (self.temporaries, self.set_temporaries)
        slot = self.cards(besides)
        if cards is besides or all(draft.op != NUMBER["EACHCARD"] for draft in self.code[size:]):
            return slot
        del self.code[size:]
        self.pending, (self.temporaries, self.set_temporaries) = pending, counts
        self.known.clear()
        return self.cards(cards)

    def _besides(self, cards: Term, source: Term) -> Term:
        """Cards of a zone that are to be taken from that zone: the zone need not be looked at twice."""
        if cards.op == "intersect" and source in cards.args:
            return cards.args[1 if cards.args[0] is source else 0]
        if cards.op == "those" and cards.args[0] is source:
            return self.terms.make("those", Type.CARDS, self.terms.everything, cards.args[1], name=cards.name)
        return cards

    def _compile_pick(self, statement: fc.Pick) -> None:
        left = VARIABLE + self.picks_left
        self.number_into(self._term(statement.number), left)
        player, cards = self._term(statement.player), self._term(statement.cards)
        source, target = self._term(statement.source), self._term(statement.target)
        again = self.resume[self.node] = Label()
        self.put(again)
        who = self.number(player)
        operands = (who, self.cards(cards), *self.zone(source), *self.zone(target))
        self.emit("PICK", *operands)
        self.emit("REPICK", again)

    def _compile_take(self, statement: fc.TakeSet) -> None:
        self.resume[self.node] = Label()
        self.resume[self.node].at = len(self.code)
        self.emit("SETS")
        sets, done = self._term(statement.sets), Label()
        name = str(sets.name)
        self.each(sets, name, lambda: self.emit("OFFER", self.locals[name], done))
        self.put(done)
        who = self.number(self._term(statement.player))
        how = statement.may_pass + 2 * (statement.word == "take")
        self.emit("TAKE", who, *self.zone(self._term(statement.source)), *self.zone(self._term(statement.target)), how)

    def _compile_choose(self, statement: fc.Choose) -> None:
        self.resume[self.node] = Label()
        self.resume[self.node].at = len(self.code)
        self.emit("VALUES")
        self._offer(self._term(statement.values))
        who = self.number(self._term(statement.player))
        target = statement.target
        player = self.zero if target.player is None else self.number(self._term(target.player))
        self.emit("CHOOSE", who, self.variable(target.name), player)

    def _offer(self, domain: Term) -> None:
        """Offers the elements of a domain, in order."""
        if domain.op == "range":
            self.emit("RANGE", self.number(domain.args[0]), self.number(domain.args[1]))
        elif domain.op == "values":
            for item in domain.args:
                self._offer(item)
        elif domain.op == "when":
            skip = Label()
            self.jump(domain.args[0], skip, when=False)
            self._offer(domain.args[1])
            self.put(skip)
        elif domain.op == "those":
            name = str(domain.name)
            self.each(domain, name, lambda: self.emit("VALUE", self.locals[name]))
        else:
            self.emit("VALUE", self.number(domain))

    def _compile_publish(self, parts: Sequence[str | fc.Expr]) -> None:
        slots: list[tuple[str, int]] = []
        for part in parts:
            if isinstance(part, str):
                continue
            term = self._term(part)
            if part.type is Type.CARDS:
                slots.append(("SAYCARDS", self.cards(term)))
            else:
                slots.append(("SAY", self.number(term)))
        self.emit("PUBLISH", self.node)
        for name, slot in slots:
            self.emit(name, slot)

    def _compile_show(self, cards: fc.Expr, audience: fc.Expr | None) -> None:
        shown = self._term(cards)
        to = self.constant(SHOWN_TO_ALL) if audience is None else self.number(self._term(audience))
        if cards.op == "zone":
            self.emit("SHOWZONE", self.node, *self.zone(shown), to)
        else:
            self.emit("SHOW", self.node, self.cards(shown), to)


def _has_local(expr: fc.Expr) -> bool:
    return any(part.op == "local" for part in expr.walk())


def _writes(player: fc.Expr | None, name: str) -> bool:
    """Whether the player of an assignment's target depends on the variable that is assigned."""
    return player is not None and any(part.name == name for part in player.walk())
