"""Why a game's figures differ from Valet's, or why it is slow: for the page."""

NOTES: dict[str, str] = {
    "blackjack": "One player is always first; what counts is the score, which search improves (*p*).",
    "cribbage": (
        "Valet plays one deal, we play to 31 points, which is two or three; the four cards for the crib "
        "are four decisions here. The show counts all sets of five cards three times a deal, which makes "
        "it the slowest game."
    ),
    "cuckoo": (
        "In Valet a deal is a game, and everybody but the lowest is first. Here the deals go on until one "
        "player is left, so there is one winner of six."
    ),
    "eights": "Valet's Crazy Eights. Who can play must, so most decisions have one or two moves.",
    "gin_rummy": (
        "Random players hardly ever knock, so that nearly all of their deals are void; the best melds of "
        "ten cards are found at every discard."
    ),
    "go_fish": (
        "A question is two decisions here (whom, then which rank), one of 14.5 in Valet. Valet's player "
        "does not separate from random ones; ours does, because its worlds fit every question and answer "
        "so far."
    ),
    "goofspiel": "The same game. Valet's player has 50 times as many playouts.",
    "hearts": "We pass three cards first (twelve decisions with many moves); Valet does not.",
    "klaverjassen": (
        "One player that searches beside a random partner. Valet's random player is first in 55 of 100 "
        "games, ours in 50."
    ),
    "leduc_poker": (
        "Valet has other rules for who is first when the chips are equal: its random player is first in "
        "40 of 100 games, ours in 54."
    ),
    "last_card": "112 cards with copies, and much depends on luck: 100 games are too few to tell players apart.",
    "kuhn_poker": "Two or three decisions: even perfect play wins little against random players.",
    "pitch": (
        "In Valet the two sides of a tie are both first in 70 of 100 games, ours is counted by points for "
        "each player. Valet's player does not separate from random ones; ours does."
    ),
    "president": "Sets of equal cards are one move. A deal of five players has more than 100 decisions.",
    "rummy": "Up to 13 cards in hand, and all melds among them are found for every turn.",
    "schwimmen": "With one life a game has several deals; in Valet it is one.",
    "scopa": "To one point, which is one deal, unless it is a tie.",
    "skitgubbe": "The longest game: some 250 decisions, and cards that go round for a long time.",
}
