"""The numbers that Python and C must agree on. Each is said once, here or where the language says it.

`python -m fcdl.engines.native.constants` makes `constants.h` from them, and a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from fcdl.language.flowchart import ANY, MAX_CARDS, MAX_CHOICES, MAX_PLAYERS, MAX_RANGE, NONE
from fcdl.language.sets import MAX_LOOKED_AT, MAX_OFFERED
from fcdl.model.engine import LOOP_LIMIT, PASS_LIMIT, STEP_LIMIT
from fcdl.model.outcome import Reason

PASS = -1
"""The number of the move `pass`; cards are their index in the deck, chosen values themselves, sets have their own
(`set_number` in frame.h)."""
SHOWN_TO_ALL = -2
NO_FUNCTION = -1
SIZES = 1 << 9
"""The least and the largest number of cards of a set are below it, and one number together."""
MAX_PARAMETERS = 16
MAX_OTHERS = MAX_PARAMETERS - 2
"""Other players whose cards a heuristic speaks of: a function of it also has a player and a card."""
MAX_HEURISTICS = 4096
MAX_LINES = 1 << 16
"""Lines of play that a policy looks at."""
MAX_SLOTS = 65_535
"""Slots, sets and instructions of a program; an operand has 16 bits."""
SLOT_ALIGNMENT = 4
"""Variables begin at a multiple of this, so that states do not depend on the constants and temporaries of a program."""

NOT_STARTED, DECISION, OVER = range(3)
KIND_PLAY, KIND_PLAY_OR_PASS, KIND_PICK, KIND_CHOOSE, KIND_SET, KIND_SET_OR_PASS = range(6)
SET_KINDS = (KIND_SET, KIND_SET_OR_PASS)
REASONS = (Reason.END, Reason.FAULT, Reason.NO_LEGAL_MOVE, Reason.STEP_LIMIT, Reason.STALEMATE)
EVENTS = ("assign", "branch", "move", "shuffle", "play", "pick", "take", "pass", "choose", "publish", "show", "end")

SCRIPT_NUMBER, SCRIPT_ORDER = 100, 101
"""Records of a script beside those of events: candidates for a random number, the places of an order; none: any."""
UNSEEN = -(2**31)
"""A value of a script that the seat did not see."""
LIKE_CARD = -1_000_000_000
"""The value of a variable that is a card (any copy of it): LIKE_CARD - card."""
FIRST_PICK = -1000
"""A card that the seat did not see picked: FIRST_PICK - n is number n."""
MODELS = ("uniform", "equal")
"""How the others choose: each move with the same probability, or each world does."""
END_AT_DECISION, END_AT_SHUFFLE = range(2)
"""Where a script ends."""
NOBODY = 255
"""Whose a zone is that is nobody's."""
MAX_CLASSES, MAX_PLACES, MAX_PICKS, MAX_BATCHES, MAX_COPIES = 64, 4 * MAX_CARDS, 4096, 128, 10
MAX_LIMITS = 512
"""What the sampler has room for: classes of places, places, picks, batches of places, copies of a card."""
MAX_PARTICLES = 4096

UTILITIES = ("score", "own", "win", "mixed")
"""What an end is worth: points against the mean of the others, own points, share of the win, points and win."""
FIELDS = ("cards", "top", "size", "groups", "seat", "value", "card", "number", "node", "mover", "call")
"""What the inputs of a network are about: the cards of a zone, its top card, how many there are, how many of each suit
or rank; a variable that is a player, one of few values, a card or a number; the decision, who decides, a function."""
WORTHS = ("cards", "sets", "seat", "value", "card", "number")
"""What the moves of a decision are for a network: cards (or a pass), sets of them, or values of these kinds."""
MAX_HIDDEN, MAX_INPUTS, MAX_OUTPUTS, MAX_ACTIVE, MAX_ANSWERS = 512, 32_768, 16_384, 4096, 512
"""Of a network: hidden units, inputs, outputs, how many inputs can be 1 at once, and the outputs of one decision."""
SET_SIZES = 16
"""Sets of so many cards or more are of one size to a network."""
MAX_DEPTH = 256
"""The depth in moves beyond which minimax does not go; it says so when nothing was left to judge."""

NUMBERS = {
    "NONE": NONE,
    "ANY": ANY,
    "PASS": PASS,
    "SHOWN_TO_ALL": SHOWN_TO_ALL,
    "MAX_PLAYERS": MAX_PLAYERS,
    "MAX_CARDS": MAX_CARDS,
    "MAX_WORDS": MAX_CARDS // 64,
    "MAX_VALUES": MAX_CHOICES,
    "MAX_RANGE": MAX_RANGE,
    "MAX_LOOKED_AT": MAX_LOOKED_AT,
    "SIZES": SIZES,
    "MAX_OFFERED": MAX_OFFERED,
    "MAX_LEGAL": MAX_OFFERED + 1,
    "MAX_PARAMETERS": MAX_PARAMETERS,
    "MAX_OTHERS": MAX_OTHERS,
    "MAX_HEURISTICS": MAX_HEURISTICS,
    "MAX_LINES": MAX_LINES,
    "MAX_SLOTS": MAX_SLOTS,
    "SLOT_ALIGNMENT": SLOT_ALIGNMENT,
    "LOOP_LIMIT": LOOP_LIMIT,
    "STEP_LIMIT": STEP_LIMIT,
    "PASS_LIMIT": PASS_LIMIT,
    "NOT_STARTED": NOT_STARTED,
    "DECISION": DECISION,
    "OVER": OVER,
    "KIND_PLAY": KIND_PLAY,
    "KIND_PLAY_OR_PASS": KIND_PLAY_OR_PASS,
    "KIND_PICK": KIND_PICK,
    "KIND_CHOOSE": KIND_CHOOSE,
    "KIND_SET": KIND_SET,
    "KIND_SET_OR_PASS": KIND_SET_OR_PASS,
    "MAX_DEPTH": MAX_DEPTH,
    "SCRIPT_NUMBER": SCRIPT_NUMBER,
    "SCRIPT_ORDER": SCRIPT_ORDER,
    "UNSEEN": UNSEEN,
    "LIKE_CARD": LIKE_CARD,
    "FIRST_PICK": FIRST_PICK,
    "END_AT_DECISION": END_AT_DECISION,
    "END_AT_SHUFFLE": END_AT_SHUFFLE,
    "NOBODY": NOBODY,
    "MAX_CLASSES": MAX_CLASSES,
    "MAX_PLACES": MAX_PLACES,
    "MAX_PICKS": MAX_PICKS,
    "MAX_BATCHES": MAX_BATCHES,
    "MAX_LIMITS": MAX_LIMITS,
    "MAX_COPIES": MAX_COPIES,
    "MAX_PARTICLES": MAX_PARTICLES,
    "MAX_HIDDEN": MAX_HIDDEN,
    "MAX_INPUTS": MAX_INPUTS,
    "MAX_OUTPUTS": MAX_OUTPUTS,
    "MAX_ACTIVE": MAX_ACTIVE,
    "MAX_ANSWERS": MAX_ANSWERS,
    "SET_SIZES": SET_SIZES,
}
"""All of them, by their names in C."""
LISTS = {
    "REASON": [reason.name for reason in REASONS],
    "EVENT": EVENTS,
    "UTILITY": UTILITIES,
    "MODEL": MODELS,
    "FIELD": FIELDS,
    "WORTH": WORTHS,
}
"""Lists whose items are numbered there, each name after one of these words."""
HEADER = Path(__file__).with_name("constants.h")
_LOWEST = -(2**31)


def c_header() -> str:
    """The C header with all of them."""
    rows = list(NUMBERS.items())
    for word, names in LISTS.items():
        rows += [(f"{word}_{name.upper()}", number) for number, name in enumerate(names)]
        rows.append((f"{word}_COUNT", len(names)))
    lines = ["/* Made from constants.py by `python -m fcdl.engines.native.constants`; a test compares the two. */", ""]
    lines += ["#ifndef FCDL_CONSTANTS_H", "#define FCDL_CONSTANTS_H", "", "enum {"]
    lines += [f"    {name} = {_literal(value)}," for name, value in rows]
    lines += ["};", "", "#endif"]
    return "\n".join(lines) + "\n"


def _literal(value: int) -> str:
    return f"({_LOWEST + 1} - 1)" if value == _LOWEST else str(value)


if __name__ == "__main__":
    HEADER.write_text(c_header())
