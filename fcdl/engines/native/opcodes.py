"""The instructions of node programs: one row each, from which the C header, its verifier and the disassembler are made.

A program works on int slots `v` (constants, temporaries, variables), on card sets `m` (zones, temporaries, constants)
and on tables. An instruction has up to six operands, a to f; each letter of its signature says what the operand is:

  s  int slot, read              d  int slot, written           i  plain number
  S  card set, read              D  card set, written           J  instruction to jump to
  T  table of ints               M  table of card sets          N  node
  C  table of ints with an entry for none and for each card of the deck
  Z  zone, or the first of a family; the next operand `p` is the slot of the place's number, which is a player's seat
  B  first slot of a family of variables; the next operand `p` is the slot of the place's number
  R  first of a list of return addresses; the next operand, a number, is its length

Tables are clamped: a value below the first entry reads the first, one above the last reads the last.
Every instruction also has the number of nodes that are arrived at when it is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Opcode(NamedTuple):
    """One instruction: its name, the kinds of its operands, its meaning, the group it is in."""

    name: str
    operands: str
    meaning: str
    group: str

    @property
    def may_stop(self) -> bool:
        """Whether a run may end at it and go on from it: for chance, for a player, for whoever asked for a part."""
        return self.group in ("moving cards", "decisions") or self.name in ("RANDOM", "PAUSE")


def _rows(text: str) -> Iterator[Opcode]:
    group = ""
    for line in text.strip().splitlines():
        if line.startswith("--"):
            group = line.removeprefix("--").strip()
        else:
            name, operands, meaning = line.split(None, 2)
            yield Opcode(name, "" if operands == "-" else operands, meaning, group)


OPCODES = tuple(
    _rows(
        """
-- numbers
COPY       ds      a = b
ADD        dss     a = b + c
SUB        dss     a = b - c
MUL        dss     a = b * c
DIV        dss     a = b / c, rounded down, 0 if c is 0
MOD        dss     a = b % c, with the sign of c, 0 if c is 0
MIN        dss     a = the smaller of b and c
MAX        dss     a = the larger of b and c
NEG        ds      a = -b
ABS        ds      a = b without its sign
EQ         dss     a = b == c
NE         dss     a = b != c
LT         dss     a = b < c
LE         dss     a = b <= c
AND        dss     a = b & c, both 0 or 1
OR         dss     a = b | c, both 0 or 1
NOT        ds      a = 1 - b, 0 or 1
TABLE      dTs     a = table b at c
LOADP      dBps    a = variable b at place c, or d if there is no such place
STOREP     Bps     variable a at place b = c, a fault if there is no such place
ADDP       Bps     variable a at place b = itself + c, a fault if there is no such place
RANDOM     ds      a = a random number below b, 0 if b is less than 2
-- numbers and cards from card sets
COUNT      dS      a = number of cards in b
COUNTBOTH  dSS     a = number of cards that b and c share
SUMBY      dSC     a = sum of table c over the cards of b
WEIGH      dSSs    a = a + d * number of cards that b and c share
MEMBER     dsS     a = card b is in c
FIRST      dS      a = first card of b, none if it is empty
AT         dZps    a = card number d of zone b from the top, 1 the first; none if there is no such card
POSITION   dsZp    a = the number from the top of the first card of zone c that looks like b, 0 if there is none
MAXBY      dSC     a = card of b with the highest value in table c, the first of equals, none if b is empty
MINBY      dSC     a = card of b with the lowest value in table c, the first of equals, none if b is empty
TOP        dZp     a = top card of zone b, none if it is empty
BOTTOM     dZp     a = bottom card of zone b, none if it is empty
TOPTABLE   dCZp    a = table b at the top card of zone c
SUMTOPS    dCZ     a = sum over all players of table b at the top card of their zone c
-- melds
ALIKE      dSM     a = there are cards in b, and all are in table c at the first of them
SEQUENCE   dSC     a = there are cards in b, and their values in table c are one apart and all different
LONGEST    dSC     a = number of cards in the longest sequence of b by table c
LONGESTRUN dSCC    a = number of cards in the longest sequence of b by table c whose values in table d are the same
POKER      dSCCi   a = poker value of b: positions from 1 to e in table c, suits in table d
DEADWOOD   dSsCC   a = least sum of table d over cards of b in no meld of at least c cards; places in table e
MELDS      DSsCC   a = the cards of b that are in melds then
-- card sets
MCOPY      DS      a = b
MENDS      DZpsi   a = the first d cards of zone b from the top, or (e is not 0) from the bottom
MZONE      DZp     a = cards of zone b, none if there is no such place
MTABLE     DMs     a = table b at c
MAND       DSS     a = cards of both b and c
MOR        DSS     a = cards of b or c
MDIFF      DSS     a = cards of b that are not in c
MOFFERED   Ds      a = the set with the number b as a move among those that are offered; no cards if there is none
-- loops within a node
EACHCARD   dDJ     take the first card out of b and call it a; if b is empty go to c
AGAINCARD  dDJ     take the first card out of b, call it a and go to c; if b is empty go on
AGAIN      dsJ     a = a + 1; if a <= b go to c
NEXTSET    DSdssJ  a = the set of d to e cards of b that comes after a; c counts them; go to f; if there is none go on
SKIPSET    DSdssJ  the same, but for those that add cards to a
NEXTKIND   DSdssJ  the same as NEXTSET, with copies of a card being one
SKIPKIND   DSdssJ  the same as SKIPSET, with copies of a card being one
NEXTCLOSE  DSdsMJ  the same as NEXTSET, with both sizes in d; a set of a first card need only have cards of e there
SKIPCLOSE  DSdsMJ  the same as SKIPSET, with both sizes in d; a set of a first card need only have cards of e there
NEXTSUM    DSdsCJ  a = the set of cards of b after a whose sum by table e is d; c counts sets looked at; go to f
-- jumps
JUMP       J       go to a
JT         sJ      if a go to b
JF         sJ      if not a go to b
JEQ        ssJ     if a == b go to c
JNE        ssJ     if a != b go to c
JLT        ssJ     if a < b go to c
JLE        ssJ     if a <= b go to c
TABLEJNE   dTssJ   a = table b at c; if a != d go to e
JMEETS     ZpSJ    if zone a shares a card with c go to d
JMEETSNOT  ZpSJ    if zone a shares no card with c go to d
JANYTOP    CZJ     if table a at the top card of the zone b of any player is not 0 go to c
JHAS       SSJ     if a and b share a card go to c
JHASNOT    SSJ     if a and b share no card go to c
JEMPTY     SJ      if a is empty go to b
JFULL      SJ      if a is not empty go to b
JTABLE     TsJ     if table a at b is not 0 go to c
JTABLENOT  TsJ     if table a at b is 0 go to c
JZHAS      ZpMsJ   if zone a shares a card with table c at d go to e
JZHASNOT   ZpMsJ   if zone a shares no card with table c at d go to e
JZEMPTY    ZpJ     if zone a is empty go to c
JZFULL     ZpJ     if zone a is not empty go to c
JTOP       CZpJ    if table a at the top card of zone b is not 0 go to d
JTOPNOT    CZpJ    if table a at the top card of zone b is 0 go to d
JTOPLT     CZpZpJ  if table a at the top card of zone b is less than at that of zone d go to f
JTOPNLT    CZpZpJ  if table a at the top card of zone b is not less than at that of zone d go to f
-- flow
STEP       -       nothing but arrive
PAUSE      -       arrive; a run that is for one cycle only ends here
STOP       -       the value of a function is there
CALL       diJ     a = b, the number of the return address; go to c
RETURN     sRi     go to return address number a of list b
END        -       the game is over
FAULT      s       the game ends with a fault if there is no place a
-- moving cards
GATHER     -       all cards go to the pack, which is shuffled
SHUFFLE    Zp      shuffle zone a
MOVEN      sZpZp   a cards go from the top of zone b to zone d
MOVEALL    ZpZp    all cards of zone a go to zone c
INSERTN    sZpZps  a cards go from the top of zone b, one after another, to place f of zone d
INSERTALL  ZpZps   all cards of zone a go, one after another, to place e of zone c
INSERTSET  SZpZps  the cards of a that are in zone b go, one after another, to place f of zone d
MOVESET    SZpZp   the cards of a that are in zone b go to zone d
SWEEP      ZZp     all cards of zone a of every player go to zone b
-- decisions
PLAY       sSZpZp  player a plays a card of b from zone c to zone e
PLAYT      sMsZZp  player a plays a card of table b at c from their zone d to zone e
PLAYPASS   sSZpZp  the same as PLAY, or a pass
PICK       sSZpZp  player a picks a card of b from zone c for zone e; one less is left to pick (none, if it cannot)
REPICK     J       if more are left to pick go to a
VALUES     -       no values are offered
VALUE      s       a is offered, too
RANGE      ss      a to b are offered, too
SETS       -       no sets are offered
OFFER      SJ      the set a is offered, too; if no more can be go to b
TAKE       sZpZpi  player a plays (f is 0) or takes (2) a set offered from zone b to zone d; f odd: or passes
CHOOSE     sBp     player a gives variable b one of the values offered
-- events
TELL       Niss    variable number b at place c was given d, at node a
BRANCH     Ni      the diamond a was left by yes (1) or no (0)
PUBLISH    N       the text of node a is published; what follows are its values
SAY        s       a value of the text
SAYCARDS   S       cards of the text
SHOW       NSs     the cards of b are shown to player c, or to all (-2), at node a
SHOWZONE   NZps    the cards of zone b are shown to player d, or to all (-2), at node a
"""
    )
)

NUMBER = {opcode.name: number for number, opcode in enumerate(OPCODES)}
HEADER = Path(__file__).with_name("opcodes.h")


def c_header() -> str:
    """The C header that belongs to the table."""
    lines = ["/* Made from opcodes.py by `python -m fcdl.engines.native.opcodes`; a test compares the two. */", ""]
    lines.append("#define OPCODES(row) \\")
    for opcode in OPCODES:
        comment = opcode.meaning.replace("*/", "* /")
        end = "" if opcode is OPCODES[-1] else " \\"
        lines.append(f'    row({opcode.name}, "{opcode.operands}") /* {comment} */{end}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    HEADER.write_text(c_header())
