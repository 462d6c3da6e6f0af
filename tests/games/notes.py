"""Why a game's figures differ from Valet's, or why it is slow: for the page."""

NOTES: dict[str, str] = {
    "blackjack": "One player is always first; what counts is the score, which search improves (*p*).",
    "cassino": (
        "A turn is a card, what to do with it, and then one decision for each set that is taken or built with it. "
        "All sets of the table that add up to something are found at each of them."
    ),
    "cribbage": (
        "Valet plays one deal, we play to 31 points, which is two or three deals; the four cards for the "
        "crib are four decisions here. Hands are counted as players do it, three times a deal."
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
    "koi_koi": (
        "A race: the player's own points are about those of random players among themselves, but the other's fall to "
        "a third. So *p*, which compares own points, says little here."
    ),
    "kuhn_poker": "Two or three decisions: even perfect play wins little against random players.",
    "last_card": "112 cards with copies, and much depends on luck: it takes 400 games to tell players apart.",
    "leduc_poker": (
        "Valet's random player is first in 40 of 100 games, ours in 54, with ties: they must be counted "
        "otherwise there."
    ),
    "pitch": (
        "Valet's random player is first in 70 of 100 games, so that ties or sides must be counted "
        "otherwise there. Valet's player does not separate from random ones; ours does."
    ),
    "president": (
        "Sets of equal cards are one move. A deal of five players has about 100 decisions and looks at "
        "all sets of a hand at each of them."
    ),
    "rummy": "Long games, and all groups and runs of a hand are found at every turn.",
    "rummy_500": (
        "At every turn it is found out for each of the discards whether it can be used, with what lies above it and "
        "with the hand: some twenty searches for melds where other games have one."
    ),
    "schwimmen": "With one life a game has several deals; in Valet it is one.",
    "scopa": "To one point, which is one deal unless it is a tie. A capture is one move.",
    "skitgubbe": "The longest game: some 250 decisions, and cards that go round for a long time.",
}
