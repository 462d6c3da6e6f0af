"""Every published figure, and what is played to find ours: a table, read by `run` and by `page`.

A note says why ours differs, where it does; a test sees to it that no figure differs without one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.results.measured import (
    Number,
    Reader,
    between,
    branching,
    card_play,
    contracts,
    deviation,
    draws,
    extreme,
    first_mover,
    lead,
    made,
    mean_score,
    near,
    of_games,
    of_scores,
    pair_score,
    pair_share,
    plies,
    plies_for_each,
    roughly,
    rounded,
    score,
    time_for_a_move,
    watched,
    wins,
    worded,
)

SEED = "1"
WITH_MORE_PLAYERS = "python -m tests.results.fcdl"
"""The program whose agents include OpenSpiel's player and the one that makes no use of what it knows."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of an experiment: what it is, what was published (if anything), and how ours is read."""

    what: str
    ours: Reader
    published: Number | None = None
    aim: float | None = None
    """What ours should at least be, where nothing was published."""
    level: float | None = None
    """What it would be among equals: above and below it are different directions."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Games between agents, quick or in full, and the figures that they give."""

    name: str
    game: str
    """A built-in game, or `NAME.fcdl` for a variant."""
    agents: str
    games: tuple[int, int]
    """In the quick form, and in the full one."""
    figures: tuple[Figure, ...]
    more: str = ""
    """More options of `fcdl simulate`."""
    most: int | None = None
    """In the full form games are added up to so many, until it is decided who is better."""
    note: str = ""
    program: str = "fcdl"

    def command(self, quick: bool) -> str:
        """What a person types to have the same games."""
        parts = [self.program, "simulate", self.game, "--agents", self.agents, self.more]
        parts += ["--games", str(self.games[0 if quick else 1])]
        if self.most is not None and not quick:
            parts += ["--max-games", str(self.most)]
        return " ".join(filter(None, [*parts, "--seed", SEED]))


@dataclass(frozen=True, slots=True)
class Measure:
    """Figures from another command than `fcdl simulate`, which has `--json` and `--resume` as well."""

    name: str
    program: str
    arguments: str
    """With `{}` for the number of games or deals."""
    sizes: tuple[int, int]
    """In the quick form, and in the full one."""
    figures: tuple[Figure, ...]
    note: str = ""

    def command(self, quick: bool) -> str:
        """What a person types to have the same figures."""
        return f"{self.program} {self.arguments.replace('{}', str(self.sizes[0 if quick else 1]))} --seed {SEED}"


@dataclass(frozen=True, slots=True)
class Section:
    """A thesis: how it measured, the experiments, series of them that are drawn, and curves of parameters."""

    title: str
    words: str
    experiments: tuple[Experiment, ...]
    plots: tuple[Plot, ...] = ()
    curves: tuple[Curve, ...] = ()
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """A series of experiments as a picture: the first figure of each over a number; levels are published ones."""

    file: str
    title: str
    across: str
    up: str
    points: tuple[tuple[float, Experiment], ...]
    levels: tuple[tuple[float, str], ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of one parameter, played by `fcdl sweep`: what a thesis drew when it tuned its players."""

    name: str
    title: str
    game: str
    agent: str
    """With the values of the parameter."""
    against: str
    games: tuple[int, int]
    """For each value, in the quick form and in the full one."""
    more: str
    words: str
    """What the thesis says of its curve, and how ours compares."""
    drawn: tuple[str, ...] = ("win",)
    program: str = "fcdl"

    def command(self, quick: bool) -> str:
        """What a person types to have the same games and the picture."""
        parts = [self.program, "sweep", self.game, "--agent", f"'{self.agent}'", "--against", self.against, self.more]
        parts += ["--games", str(self.games[0 if quick else 1]), "--seed", SEED, "-o", f"{self.name}.svg"]
        return " ".join(filter(None, parts))


# --- Law 2013

PRINTED = "normalise=instances,leader=now,impossible=keep,replies=min"
"""The evaluation as the thesis prints it; the defaults of `hyperheur` are stronger."""
LAW_PLAYER = f"hyperheur:worlds=20,{PRINTED}"


def hyper_games(game: str, worlds: int) -> Experiment:
    """The win rate against random for a number of hyper-games."""
    name = f"{game}-hyper-games-{worlds}"
    agents = f"hyperheur:worlds={worlds},{PRINTED}/random"
    return Experiment(name, game, agents, (200, 2000), (Figure(f"{worlds} hyper-games v random", wins()),))


_NOT_REACHED = (
    "None that we found who does not see the cards wins this often. Three lines below is `ismcts` looking for its best "
    "answer to a random player (`rivals=random`: in its tree, too, the opponent moves at random); it knows more about "
    "its opponent than Law's player, searches much more, and still wins less often than was published. The thesis does "
    "not say how many games the figure comes from; chance must be part of it. This is our strongest reading of the "
    "formula; below are the same looking two tricks ahead, and the formula as printed. The digits of appendix A show "
    "that another one was run ([heuristics](heuristics.md#how-strong-it-is))."
)
_CHANCE = (
    "The thesis's figure comes from 40 games, and ours is within its interval. Two lines below is a strong player "
    "against greedy, for comparison."
)
_BEST_ANSWER = "ismcts:iterations=30000,utility=win,rivals=random/random"


def law(game: str, title: str, random: float, greedy: float, searches: int) -> tuple[Experiment, ...]:
    """The two results of one of his games, each with the printed formula and with what a search player reaches."""
    printed = f"hyperheur:{PRINTED}"
    return (
        Experiment(
            f"{game}-random",
            game,
            "hyperheur/random",
            (400, 20_000),
            (Figure(f"{title}: hyperheur, 20 worlds, v random", wins(), roughly(random, 2.5)),),
            note=_NOT_REACHED,
        ),
        Experiment(
            f"{game}-random-deep",
            game,
            "hyperheur:depth=2/random",
            (400, 20_000),
            (Figure(f"{title}: the same, two tricks deep", wins()),),
        ),
        Experiment(
            f"{game}-random-printed",
            game,
            f"{printed}/random",
            (400, 20_000),
            (Figure(f"{title}: the same, the formula as printed", wins()),),
        ),
        Experiment(
            f"{game}-random-search",
            game,
            _BEST_ANSWER,
            (100, searches),
            (Figure(f"{title}: the best answer to random that we know", wins()),),
        ),
        Experiment(
            f"{game}-random-open",
            game,
            _BEST_ANSWER,
            (100, 2000),
            (Figure(f"{title}: the same if all cards are seen", wins()),),
            "--open",
        ),
        Experiment(
            f"{game}-greedy",
            game,
            "hyperheur/greedy:worlds=20",
            (400, 20_000),
            (Figure(f"{title}: hyperheur v greedy", wins(), of_games(greedy, 40)),),
            note=_CHANCE,
        ),
        Experiment(
            f"{game}-greedy-printed",
            game,
            f"{printed}/greedy:worlds=20",
            (400, 20_000),
            (Figure(f"{title}: the same, the formula as printed", wins()),),
        ),
        Experiment(
            f"{game}-greedy-search",
            game,
            "ismcts:iterations=3000/greedy:worlds=20",
            (200, 2000),
            (Figure(f"{title}: for comparison, ismcts v greedy", wins()),),
        ),
    )


WORLDS = (1, 2, 3, 5, 8, 12, 16, 20)


def law_plot(game: str, title: str, level: float, figure: str, words: str) -> Plot:
    """Figure 5.1 or 5.2."""
    return Plot(
        f"{game}-hyper-games.svg",
        f"{title}: games won against random",
        "hyper-games (worlds)",
        "games won, %",
        tuple((float(worlds), hyper_games(game, worlds)) for worlds in WORLDS),
        ((level, f"thesis, figure {figure}: about {level:g} %"),),
        words,
    )


LAW = Section(
    "Trumps, Kings and Jacks",
    "Law 2013, section 5.1. Two players; a draw is half a win. How many games stand behind his 75 % and 80 % is not "
    "said; against greedy it was 40 games. An independent rewrite in C (not kept here) has 70.4 % against random and "
    "59.9 % against greedy in Trumps, 71.6 % two tricks deep in Kings and Jacks (20,000 games each), 75.0 % for the "
    "best answer to random in Kings and Jacks, and 79.6 and 85.6 % for one who sees all cards; ours for the last two "
    "are lower, for the search behind them is not exact.",
    (*law("trumps", "Trumps", 75, 70, 2000), *law("kings_and_jacks", "Kings and Jacks", 80, 61.25, 4000)),
    (
        law_plot("trumps", "Trumps", 75, "5.1", "In the thesis the curve is flat for Trumps."),
        law_plot("kings_and_jacks", "Kings and Jacks", 80, "5.2", "In the thesis it rises for Kings and Jacks."),
    ),
)


# --- Sarsfield 2024

INFORMED = "oh_hell.informed"
_AT_RANDOM = "oh_hell.random"
_PROGRAM_BIDS = "oh_hell.informed:first_bidder=leading"
_MADE = "tricks(turn) == bid(turn)"
_CONSTANT = "--set rounds=constant"
_BIDS = f"--watch '{_MADE}'"
_TREE = "oh_hell.montecarlo:samples=3,iterations=200,visits=100"
_ONE_DEAL = "oh_hell.montecarlo:samples=1,iterations=5000,visits=1000"
_ONE_BID = (
    "A mean of 52 with hands from 13 cards down to 1 needs 2.9 bids made: 91 tricks are 22.75 points "
    "each. One bid made "
    "gives 52 if every hand has 13 cards (42.25 points and 10). His evaluation passes the option in the "
    "wrong place, an "
    "audit of his program found, so that hands stay at 13; lines 2, 4, 5 and 7 play it so (`rounds=constant`). His "
    "random player, `oh_hell.random`, never bids all tricks."
)
_SHRINKING = "With full hands, as his program has them (see 1), it is as in line 4."


_RANGES = {
    "random": (worded("below 20", 0, 20), worded("over 90", 90, 221)),
    "informed": (worded("40", 30, 50), worded("160", 150, 170)),
}
"""The lowest and the highest score, by the text."""


def table_of_four(what: str, points: float, bids: int, hands: str = "") -> tuple[Figure, ...]:
    """The figures of four equal players."""
    lowest, highest = _RANGES[what]
    return (
        Figure(f"{hands}four {what} players: mean score", mean_score, of_scores(points, 18, 4 * 300)),
        Figure("bids made", made(_MADE), rounded(bids)),
        Figure("standard deviation of the scores", deviation),
        Figure("lowest score", extreme("score_min"), lowest),
        Figure("highest score", extreme("score_max"), highest),
    )


def one_against_three(what: str, points: float, bids: Number, hands: str = "", games: int = 300) -> tuple[Figure, ...]:
    """The figures of one player against three random ones."""
    return (
        Figure(f"{hands}{what} v three random: mean score", score(), of_scores(points, 18, games)),
        Figure("bids made", made(_MADE, 0), bids),
        Figure("the random players' mean score", score(1), of_scores(52, 14, 3 * games)),
    )


def tree_search(name: str, agent: str, what: str, games: tuple[int, int], note: str) -> Experiment:
    """The Monte Carlo player with full hands against three random ones."""
    agents = f"{agent}/{_AT_RANDOM}/{_AT_RANDOM}/{_AT_RANDOM}"
    figures = one_against_three(what, 94, worded("a little below 5", 4, 5), "full hands, ", 20)
    return Experiment(f"oh-hell-full-{name}", "oh_hell", agents, games, figures, f"{_CONSTANT} {_BIDS}", note=note)


def alone(version: str, what: str) -> Experiment:
    """Four players of a version about which nothing was published."""
    figures = (
        Figure(f"full hands, four informed players, {what}: mean score", mean_score),
        Figure("bids made", made(_MADE)),
    )
    name = f"oh-hell-full-informed-{version.partition('=')[2].replace(',bid_above=', '-')}"
    agents = "/".join([f"oh_hell.informed:{version}"] * 4)
    return Experiment(name, "oh_hell", agents, (100, 300), figures, f"{_CONSTANT} {_BIDS}")


OH_HELL = Section(
    "Oh Hell",
    "Sarsfield 2024, chapter 5. Four players, 13 rounds, by his account with hands from 13 cards down to 1; mean "
    "scores and bids made over 300 games (20 with the Monte Carlo player). An ideal table that makes every bid scores "
    "91/4 + 13 · 10 = 152.75 each, his 153. His standard deviations (figures 5.2 and 5.3) are pictures. In his study "
    "14 people scored 100 on average against random players and 92 against informed ones, who scored 73 against "
    "people, and Monte Carlo players 82 (22 games each): we have no people to compare with. He found his 13 weights "
    "by 200 trials of self-play; so do we, with 100, in [experiments](experiments.md#weights-by-self-play). What an "
    "audit of his published program found is marked so; we have tried each by a run, but have not seen the program.",
    (
        Experiment(
            "oh-hell-random",
            "oh_hell",
            "/".join([_AT_RANDOM] * 4),
            (300, 1000),
            table_of_four("random", 52, 1),
            _BIDS,
            note=_ONE_BID,
        ),
        Experiment(
            "oh-hell-full-random",
            "oh_hell",
            "/".join([_AT_RANDOM] * 4),
            (300, 1000),
            table_of_four("random", 52, 1, "full hands, "),
            f"{_CONSTANT} {_BIDS}",
            note="One figure that full hands do not explain: none of ours scored below 20. With hands that shrink "
            "some do.",
        ),
        Experiment(
            "oh-hell-informed",
            "oh_hell",
            "/".join([INFORMED] * 4),
            (200, 1000),
            table_of_four("informed", 92, 5),
            _BIDS,
            note=_SHRINKING,
        ),
        Experiment(
            "oh-hell-full-informed",
            "oh_hell",
            "/".join([INFORMED] * 4),
            (200, 600),
            table_of_four("informed", 92, 5, "full hands, "),
            f"{_CONSTANT} {_BIDS}",
            note="In his program whoever bids first uses the five weights for leading, not those for bidding (the "
            "audit "
            "again); the next line plays it so. The text supports ours. Ours is a little above, the program's "
            "reading a "
            "little below what was published.",
        ),
        Experiment(
            "oh-hell-full-informed-program",
            "oh_hell",
            "/".join([_PROGRAM_BIDS] * 4),
            (200, 600),
            table_of_four("informed", 92, 5, "full hands, first bids as in the program, "),
            f"{_CONSTANT} {_BIDS}",
            note="See (4).",
        ),
        Experiment(
            "oh-hell-informed-random",
            "oh_hell",
            f"{INFORMED}/{_AT_RANDOM}/{_AT_RANDOM}/{_AT_RANDOM}",
            (200, 1000),
            one_against_three("informed", 100, rounded(5)),
            _BIDS,
            note="See (1); with full hands line 7.",
        ),
        Experiment(
            "oh-hell-full-informed-random",
            "oh_hell",
            f"{INFORMED}/{_AT_RANDOM}/{_AT_RANDOM}/{_AT_RANDOM}",
            (200, 1000),
            one_against_three("informed", 100, rounded(5), "full hands, "),
            f"{_CONSTANT} {_BIDS}",
            note="In the thesis the random players score as among themselves. They cannot: the 169 tricks are "
            "shared, and the informed player takes more of them.",
        ),
        tree_search(
            "montecarlo-fault",
            f"{_TREE},bids=turn",
            "Monte Carlo with the program's fault",
            (20, 60),
            "His program (the audit) stores bids in the order in which they are made, and reads them by seat, so "
            "in 9 of 13 rounds it plays for somebody else's bid. `bids=turn` has this fault, for this line only. It "
            "explains the published 94, less than the informed player's 100; the next line is the same player "
            "without it. Both search little (3 deals, at most 200 playouts each); the thesis gave 5 seconds a move.",
        ),
        tree_search(
            "montecarlo",
            _TREE,
            "Monte Carlo",
            (20, 60),
            "See (8): the published figure is that of the program with its fault. Without the fault the audit has "
            "123 to "
            "124 points and 7.9 bids made, where ours searches three deals for each decision. It is the number of "
            "deals "
            "that counts: with one, though of 5,000 playouts, ours comes near what the audit has (line 10), and one is "
            "about what his program can do in 5 seconds, we think, for it copies all hands for every card.",
        ),
        tree_search("montecarlo-one-deal", _ONE_DEAL, "one deal only", (4, 10), "See (9)."),
        alone("version=1", "version 1"),
        alone("version=2", "version 2, a card worth more than 0.7 a trick as in his program (the audit)"),
        alone("version=2,bid_above=0.65", "version 2, the 0.65 that we had tuned"),
    ),
)


# --- Teunisse 2018


def pairs(name: str, one: str, two: str, games: tuple[int, int], figures: tuple[Figure, ...]) -> Experiment:
    """Two pairs on opposite sides of the table."""
    agents = f"{one}/{two}/{one}/{two}"
    program = WITH_MORE_PLAYERS if "random_deal" in agents else "fcdl"
    return Experiment(name, "hearts", agents, games, figures, "--ties win", program=program)


def clairvoyant(more: int, less: int, won: float, points: float, lost: float, points_lost: float) -> Experiment:
    """A line of table 5.3: pairs that see all cards, with more and with fewer playouts."""
    one, two = (f"montecarlo:playouts={number},passing=random,clairvoyant" for number in (more, less))
    figures = (
        Figure(f"clairvoyant pairs, {more} playouts v {less}: games won", wins(), of_games(won, 10_000)),
        Figure("the others", wins(1), of_games(lost, 10_000)),
        Figure(f"points, {more} playouts", score(), near(points, 0.5)),
        Figure(f"points, {less} playouts", score(1), near(points_lost, 0.5)),
    )
    return pairs(f"hearts-playouts-{more}-{less}", one, two, (40, 500), figures)


def threshold(number: int) -> Experiment:
    """One player with a threshold against three that never shoot the moon."""
    return Experiment(
        f"hearts-threshold-{number}",
        "hearts",
        f"hearts.rules:threshold={number}/" + "/".join(["hearts.rules:threshold=26"] * 3),
        (100, 1000),
        (Figure(f"threshold {number} v three without", wins()),),
        "--ties win",
    )


MONTE_CARLO = "montecarlo:playouts=50,lookahead=7"
DETERMINISED = f"{MONTE_CARLO},passing=random"
TABLE_5_3 = (
    clairvoyant(5, 1, 79.47, 59.77, 21.55, 84.52),
    clairvoyant(10, 5, 61.19, 70.01, 40.58, 78.86),
    clairvoyant(20, 10, 58.41, 71.59, 43.41, 77.92),
    clairvoyant(30, 20, 54.10, 73.25, 47.72, 76.09),
    clairvoyant(40, 30, 53.06, 74.00, 48.86, 75.55),
    clairvoyant(50, 40, 52.52, 74.12, 49.23, 75.57),
    replace(
        clairvoyant(60, 50, 52.55, 74.17, 49.54, 75.30),
        note="All points are a little higher if the game ends above 100, not at 100, see (1).",
    ),
)

_HEARTS_RULES = (
    "Partly found. In a simulation of the same rules in C (not kept here) the rule-based player wins 74.7 % of 200,000 "
    "games with 42.3 points, and the random ones have 80.2, 81.7 and 83.8. If the game ends at 100 points, not above "
    "100 as his text says, it is 74.6 % with 41.8 points, and 79.3, 80.8 and 82.8 (300,000 games), near his. His "
    "rule-based player is a little weaker still, here and in table 5.2 (55.3, 54.5 and 52.9 points, ours then 54.4, "
    "53.6 and 52.1), and why was not found. Tried (shares and points, 200,000 games each), with the end at 100: no "
    "cards passed, 74.4 and 41.8; the highest heart first (rule 2), 80.8 and 36.6; the moon at more than 14 points, "
    "74.9 and 41.6, or from 2 on, 73.9 and 42.2; while shooting it the highest card off suit, 74.5 and 41.9. "
    "With the end above 100: the lowest card if none is safe (rule 4), 74.1 and 42.8, but then the random players "
    "differ less by their places than his (80.8 to 83.1), with the highest more (79.4 to 84.5); off suit the highest "
    "card (rule 3), 76.7 and 40.8; the queen allowed in the first trick, 74.6 and 42.3."
)


def _rules_v_random() -> tuple[Figure, ...]:
    """The rest of table 5.1."""
    places = ("to its left", "opposite", "to its right")
    shares, points = (10.35, 9.38, 8.39), (79.17, 80.75, 82.74)
    return (
        Figure("points", score(), near(42.63, 0.1)),
        *(
            Figure(f"random, {place}: games won", wins(seat, side=False), of_games(won, 1_000_000))
            for seat, (place, won) in enumerate(zip(places, shares, strict=True), start=1)
        ),
        *(
            Figure(f"random, {place}: points", score(seat, side=False), near(scored, 0.1))
            for seat, (place, scored) in enumerate(zip(places, points, strict=True), start=1)
        ),
    )


HEARTS = Section(
    "Hearts",
    "Teunisse 2018, chapter 5. Four players, to more than 100 points; everybody with the fewest points has won, so "
    "shares add up to more than 100 % (`--ties win`). Pairs sit opposite. His players all pass random cards "
    "(`passing=random`). His own dealing of the unknown cards is 66.8 times as fast as trying deals "
    "until one fits, and "
    "off by 13.2, 5.3 and 1.5 percentage points in his case study; ours counts the deals, is not off at all (*Proved "
    "by tests*), and is 302 times as fast (206,000 against 690 deals a second, each checked by playing it: `fcdl bench "
    "hearts --engine native --repetitions 3`).",
    (
        Experiment(
            "hearts-rules-random",
            "hearts",
            "hearts.rules/random/random/random",
            (200, 5000),
            (
                Figure("rule-based v three random: games won", wins(), of_games(73.28, 1_000_000)),
                *_rules_v_random(),
            ),
            "--ties win",
            note=_HEARTS_RULES,
        ),
        Experiment(
            "hearts-rules-random-fitted",
            "hearts",
            "hearts.rules:moon=kept,off_suit=ranks/random/random/random",
            (300, 1000),
            (
                Figure("a fitted reading, see (2): games won", wins(), of_games(73.28, 1_000_000)),
                *_rules_v_random(),
            ),
            "--ties win --set target=99",
            note="A reading that was fitted to the figures, not found in the text: whoever has begun to shoot the moon "
            "never turns back (`moon=kept`; the text says the opposite), off suit rule 3 compares ranks and nothing "
            "else (`off_suit=ranks`), and the game ends at 100. An audit has 73.5 % / 42.6 / 79.2 / 80.9 / 82.8 with "
            "it, we have 72.9 % / 43.2 / 79.9 / 80.8 / 82.5 in 3,000 games (the first 1,000 are in the table). The "
            "audit also has the thesis's peak at a threshold of 14 with it. Of 13, 14 and 15 ours is best with 14, "
            "though by no more than chance could do: the last curve of this section, and in games that are not "
            "mirrored 25.1 % (23.2 to 27.0) with 13 and 28.8 % (26.1 to 31.7) with 14 (`fcdl simulate hearts --ties "
            "win --set target=99 --agents hearts.rules:threshold=14,moon=kept,off_suit=ranks/hearts.rules:"
            "threshold=26,off_suit=ranks/hearts.rules:threshold=26,off_suit=ranks/hearts.rules:threshold=26,"
            "off_suit=ranks --seed 1 --games 1014`; with 13, 2,000 games).",
        ),
        Experiment(
            "hearts-three-rules-random",
            "hearts",
            "hearts.rules/hearts.rules/hearts.rules/random",
            (200, 5000),
            (
                Figure("three rule-based v random: first wins", wins(0, side=False), of_games(31.58, 1_000_000)),
                Figure("second wins", wins(1, side=False), of_games(32.83, 1_000_000)),
                Figure("third wins", wins(2, side=False), of_games(35.71, 1_000_000)),
                Figure("random wins", wins(3, side=False), of_games(2.05, 1_000_000)),
                Figure("first: points", score(0, side=False), near(55.27, 0.1)),
                Figure("second: points", score(1, side=False), near(54.53, 0.1)),
                Figure("third: points", score(2, side=False), near(52.93, 0.1)),
                Figure("random: points", score(3, side=False), near(102.31, 0.1)),
            ),
            "--ties win",
            note="See (1): the game goes on a little longer if it ends above 100 points.",
        ),
        *TABLE_5_3,
        pairs(
            "hearts-determinised-rules",
            DETERMINISED,
            "hearts.rules",
            (40, 300),
            (
                Figure("determinised pair v rule-based pair: games won", wins(), of_games(72.77, 10_000)),
                Figure("rule-based pair", wins(1), of_games(29.14, 10_000)),
                Figure("points, determinised", score(), near(64.87, 0.5)),
                Figure("points, rule-based", score(1), near(83.57, 0.5)),
            ),
        ),
        pairs(
            "hearts-determinised-clairvoyant",
            DETERMINISED,
            f"{DETERMINISED},clairvoyant",
            (40, 300),
            (
                Figure("determinised pair v clairvoyant pair: games won", wins(), of_games(29.73, 10_000)),
                Figure("clairvoyant pair", wins(1), of_games(72.18, 10_000)),
                Figure("points, determinised", score(), near(82.87, 0.5)),
                Figure("points, clairvoyant", score(1), near(65.05, 0.5)),
            ),
        ),
        pairs(
            "hearts-determinised-random-deal",
            DETERMINISED,
            DETERMINISED.replace("montecarlo", "random_deal"),
            (40, 300),
            (
                Figure("using what is known of the deal v a random deal: points more", lead, near(10.84, 1.0)),
                Figure("using what is known: games won", wins()),
                Figure("a random deal: games won", wins(1)),
            ),
        ),
    ),
    (
        Plot(
            "hearts-threshold.svg",
            "Hearts: one that shoots the moon against three that never do",
            "threshold (points)",
            "games won, %",
            tuple((float(number), threshold(number)) for number in (0, 2, 5, 8, 11, 13, 14, 15, 17, 20, 23, 26)),
            (),
            "In the thesis (figure 5.1) all thresholds above one help, and 14 is the best by far. All above one help "
            "here, too, and from 15 on less, but there is no peak at 14, unless in the fitted reading (below). In "
            "100,000 "
            "games each of the simulation in C that is named above: 0: 3.3, 1: 24.3, 2: 29.6, 5: 30.1, 8: 29.6, 11: "
            "29.6, 13: 29.8, 14: 29.3, 15: 27.5, 17: 26.7, 20: 26.3, 23: 25.7; points are lowest at 14 (75.3).",
        ),
        Plot(
            "hearts-playouts.svg",
            "Hearts: clairvoyant pairs with more playouts against fewer (5 v 1, 10 v 5, 20 v 10 ...)",
            "playouts of the stronger pair",
            "games won, %",
            tuple((float(more), item) for more, item in zip((5, 10, 20, 30, 40, 50, 60), TABLE_5_3, strict=True)),
            ((50, "as good as each other"),),
            "In the thesis (table 5.3) the advantage shrinks from 79.5 % to 52.5 %.",
        ),
    ),
    (
        Curve(
            "hearts-lookahead",
            "Figures 5.2 and 5.3: how many tricks a clairvoyant player looks ahead, against three that look to the end",
            "hearts",
            "montecarlo:lookahead=1..13,playouts=50,passing=random,clairvoyant",
            "montecarlo:playouts=50,passing=random,clairvoyant",
            (20, 400),
            "--points 13 --ties win",
            "In the thesis 7 has the fewest points and nearly the most wins. Here 7 has both the most wins and the "
            "fewest points, though those of 8 are within chance.",
            ("win", "score"),
        ),
        Curve(
            "hearts-threshold-fitted",
            "Figure 5.1 in the fitted reading (line 2): one that shoots the moon against three that never do",
            "hearts",
            "hearts.rules:threshold=13|14|15,moon=kept,off_suit=ranks",
            "hearts.rules:threshold=26,off_suit=ranks",
            (40, 600),
            "--ties win --set target=99",
            "In the thesis 14 is the best by far. Here it is the best of the three, within chance.",
        ),
    ),
)


# --- Zarlykov 2023

_MINIMAX_OPEN = "minimax:depth=9,eval=playout,simulation=durak.greedy,ties=oldest"
_MCTS_OPEN = "mcts:limit=800,c=1.0,simulation=durak.greedy,utility=win"
_MINIMAX = "minimax:depth=3,eval=playout,simulation=durak.greedy,ties=oldest,samples=30"
_MCTS = "mcts:limit=30,c=1.4,simulation=durak.greedy,samples=30,utility=win"
_TOLD_MINIMAX, _TOLD_MCTS = f"told_{_MINIMAX}", f"told_{_MCTS}"
_RANDOM, _GREEDY, _SMART = "durak.random", "durak.greedy", "durak.smart"
_SHORT = {
    _MINIMAX_OPEN: "minimax",
    _MCTS_OPEN: "mcts",
    _MINIMAX: "minimax",
    _MCTS: "mcts",
    _TOLD_MINIMAX: "minimax",
    _TOLD_MCTS: "mcts",
    _RANDOM: "random",
    _GREEDY: "greedy",
    _SMART: "smart",
}


_PROGRAM = (
    "His program, which the thesis names, plays the deals 1, 2, 3 ... of one generator of random numbers in every "
    "match, so that chance is the same in all cells. Written anew by us (not kept here), it gives to the digit what "
    "section 3.2.3 says, and 15 of the 20 cells of both tournaments (the others, four of them of mcts with open cards, "
    "were not played)"
)
_CHANCE = (
    f"Chance. {_PROGRAM}: 913, 79 and 8 draws in the deals 1 to 1,000, but 94.6 % in the deals 1,001 to 10,000. Ours "
    "in 10,000 games: 94.6 % (94.1 to 95.0). What else differs cannot be seen: there an attacker without cards has won "
    "even if up to six are left to draw (less than 1 % of the games), and of several lowest cards greedy takes the "
    "first; with our rules it wins 94.2 % of 100,000 games, with its own 94.1 %. Of bouts it counts one too many, and "
    "it leaves draws out of the sum."
)
_FIRST = (
    "A playout is won or lost, so that most moves have the same value, and much depends on which of them is taken: in "
    "the program the card that has been in the hand longest, and so it is here (`ties=oldest`). Written anew, the "
    "program wins 96.2 % of 1,000 games against random and 62.2 % against greedy; with hands that are kept sorted 93.6 "
    "and 56.1 %. It also remembers a position by the value of its first move, not of its best, if it comes there "
    "again, which ours does not: with that 97.8 and 62.5 % (1,000 games, at 98 % give or take 1 and 4)."
)
_TOLD = (
    "In his closed world the searching players know too much. A playout of the program plays cards of the true pack, "
    "not copies; a card that was played counts as seen; and worlds leave the cards that were seen where they are. So "
    "from its first decision on a player knows what its opponent draws (and smart knows it of a player who searches). "
    "Written anew, mcts wins 79.5 % of 1,000 games against greedy so, and 68.8 % if playouts have cards of their own. "
    "The lines that are told draws have ours know as much."
)


def durak(world: str, one: str, two: str, low: float, high: float, note: str = "") -> Experiment:
    """A cell of table 5.1 (open world) or 5.2 (closed world)."""
    names = (_SHORT[one], _SHORT[two])
    slow = {"minimax", "mcts"} & set(names)
    told = one.startswith("told")
    figures = [
        Figure(
            f"{world}{', told draws' if told else ''}: {names[0]} v {names[1]}", wins(), between(low, high), level=50.0
        )
    ]
    if slow:
        searcher = 0 if names[0] in slow else 1
        figures.append(Figure(f"time of {names[searcher]} for a move (his: about 100 ms)", time_for_a_move(searcher)))
    return Experiment(
        f"durak-{world}-{'told-' if told else ''}{names[0]}-{names[1]}",
        "durak",
        f"{one}/{two}",
        (100, 300 if slow else 1000),
        tuple(figures),
        "--ties drop --confidence 0.98" + (" --open" if world == "open" else ""),
        1500 if slow else 10_000,
        note,
        WITH_MORE_PLAYERS if told else "fcdl",
    )


def first_move(name: str, agent: str, won: float, games: int) -> Experiment:
    """Figure 2.1: how often the player who moves first wins, among equals."""
    figures = (Figure(f"two {name} players: whoever moves first wins", first_mover, of_games(won, 100), level=50.0),)
    more = "--open" if name in ("minimax", "mcts") else ""
    note = "His 100 games say nothing about the direction (the interval of 48 of 100 is 38 to 58). Of ours only those "
    note += "of two greedy players do: there it is an advantage to move first."
    return Experiment(f"durak-first-{name}", "durak", f"{agent}/{agent}", (100, games), figures, more, note=note)


def without(what: str, parameters: str) -> Experiment:
    """Figure 4.9: minimax at depth 6, with and without what makes it fast."""
    agent = f"minimax:depth=6,eval=playout,simulation=durak.greedy,ties=oldest{parameters}"
    figures = (Figure(f"open: minimax, depth 6, {what}: time for a move", time_for_a_move()),)
    name = f"durak-depth-6-{what.replace(' ', '-').replace(',', '')}"
    return Experiment(name, "durak", f"{agent}/durak.greedy", (4, 20), figures, "--open")


def tuned(number: int, what: str, agent: str, words: str, *, is_open: bool = False) -> Curve:
    """One of figures 5.1 to 5.12: a parameter of a searching player, against greedy."""
    world = "open" if is_open else "closed"
    more = "--ties drop" + (" --open" if is_open else "")
    title = f"Figure 5.{number}, {world}: {what}"
    return Curve(f"durak-5-{number}", title, "durak", agent, _GREEDY, (20, 100), more, words)


def minimax_agent(depth: str, evaluation: str = "playout", samples: str = "") -> str:
    """His minimax player with some values of a parameter."""
    with_samples = f",samples={samples}" if samples else ""
    return f"minimax:depth={depth},eval={evaluation},simulation=durak.greedy,ties=oldest{with_samples}"


def mcts_agent(limit: str, c: str = "1.41", how: str = "durak.greedy", samples: str = "") -> str:
    """His mcts player with some values of a parameter."""
    with_samples = f",samples={samples}" if samples else ""
    return f"mcts:limit={limit},c={c},simulation={how}{with_samples},utility=win"


DURAK_TUNED = (
    tuned(
        1,
        "depth of minimax",
        minimax_agent("1..9"),
        "Depths 2 and 3 win more than 6, which wins least: the thesis was surprised by this, and it is so here. "
        "Depth 1 wins nearly always, for against greedy its greedy playouts with open cards are the truth.",
        is_open=True,
    ),
    tuned(
        2,
        "how minimax judges positions",
        minimax_agent("9", "playout|durak.basic"),
        "In the thesis the playouts win almost twice as often as the count of cards; here they win clearly more "
        "often, too.",
        is_open=True,
    ),
    tuned(
        3,
        "iterations of mcts",
        mcts_agent("10|50|100|200|400|600|800|1000"),
        "In the thesis wins rise with the iterations, up to 800. Here ten are nearly as good.",
        is_open=True,
    ),
    tuned(
        4,
        "exploration of mcts",
        mcts_agent("800", "0.2|0.6|1|1.4|1.8|2.2"),
        "In the thesis 1.00 is the best. Here the differences are within chance, 1 and 1.4 being among the best.",
        is_open=True,
    ),
    tuned(
        5,
        "playouts of mcts",
        mcts_agent("800", "1", "durak.greedy|random"),
        "In the thesis greedy playouts win far more often than random ones, and take less time, as here.",
        is_open=True,
    ),
    tuned(
        6,
        "depth of minimax",
        minimax_agent("1..7", samples="10"),
        "In the thesis wins do not rise with the depth but go up and down, and 3 is the best. Up and down they go "
        "here, too; 1 is the best.",
    ),
    tuned(
        7,
        "how minimax judges positions",
        minimax_agent("3", "playout|durak.basic", "10"),
        "In the thesis the playouts win more than twice as often as the count of cards, as here.",
    ),
    tuned(
        8,
        "guesses of minimax",
        minimax_agent("3", samples="5|10|20|30|40|50"),
        "In the thesis 30 are the best. Here their number makes no difference that could be seen.",
    ),
    tuned(
        9,
        "iterations of mcts in each guess",
        mcts_agent("10|20|30|50|70|90|110", samples="10"),
        "In the thesis wins rise with the iterations, but 10 win more than 20. Here 10 win least, and from 20 on "
        "there is no difference that could be seen.",
    ),
    tuned(
        10,
        "exploration of mcts",
        mcts_agent("90", "0.2|0.6|1|1.4|1.8|2.2", samples="10"),
        "In the thesis 1.40 is the best. Here the differences are within chance.",
    ),
    tuned(
        11,
        "playouts of mcts",
        mcts_agent("90", "1.4", "durak.greedy|random", "10"),
        "In the thesis greedy playouts win far more often than random ones; here they win more often.",
    ),
    tuned(
        12,
        "guesses of mcts, 900 iterations in all",
        "mcts:samples=5|10|20|30|45|60|90,limit=180|90|45|30|20|15|10,c=1.4,simulation=durak.greedy,utility=win",
        "In the thesis 30 guesses of 30 iterations each are the best. So they are here, by no more than chance could "
        "do.",
    ),
)

DURAK = Section(
    "Durak",
    "Zarlykov 2023, chapters 2, 3 and 5. Two players, 36 cards; draws are left out of the shares (`--ties drop`: his "
    "913 won and 79 lost of 1,000 give his interval only so), intervals of 98 %. He plays 500 games at a time until "
    "it is decided, up to 10,000; ours are 1,000 at a time, or 300 (up to 1,500) with players that search. A ply is a "
    "decision at which there is something to do but pass; so counted, his plies of random players come out. "
    "`durak.random` is his random player, who passes in one of five decisions. His rewards are 1, ½ and 0, so `mcts` "
    "plays for the win (`utility=win`). The last lines are his experiments on the first move (48, 44, 53 and 53 of "
    "100 games) and on alpha-beta at depth 6 (10.6 ms with it and 258.2 without on his machine, 24 times; ours 4 "
    "times without a table and 6 with it). Times are those of the machine. The curves by which he chose the "
    "parameters (figures 5.1 to 5.12) are below the table.",
    (
        Experiment(
            "durak-greedy-greedy",
            "durak",
            "durak.greedy/durak.greedy",
            (200, 1000),
            (
                Figure("greedy v greedy: bouts a game", watched("bouts"), rounded(8.3)),
                Figure("plies a bout", plies_for_each("bouts"), rounded(5.3)),
                Figure("plies a game", plies, rounded(44.0)),
                Figure("legal moves without passes, geometric mean", branching, near(2.17, 0.05)),
            ),
            "--watch bouts",
            note="His program counts one bout too many, takes every move of the attacker and every card of the "
            "defender for a ply, and divides the sums of the decided games by the number of all. So counted, ours "
            "need 12.7 bouts and 44.0 plies (`tests/agents/test_durak_players.py`): his plies are right. Of our "
            "games 8.6 % are draws, which the program prints beside the bouts: his 8.3 may be that, and 5.3 is 44.0 / "
            "8.3. Written anew (see 3), the program gives 12.6 bouts, 43.3 plies and 10.0 % draws in its first 1,000 "
            "deals, so these figures must come from an earlier version of it.",
        ),
        Experiment(
            "durak-random-random",
            "durak",
            "durak.random/durak.random",
            (200, 1000),
            (
                Figure("random v random: bouts a game", watched("bouts"), near(24.0, 0.4)),
                Figure("plies a bout", plies_for_each("bouts"), near(2.9, 0.1)),
                Figure("plies a game", plies, near(68.0, 0.5)),
            ),
            "--watch bouts",
        ),
        Experiment(
            "durak-greedy-random",
            "durak",
            "durak.greedy/durak.random",
            (200, 1000),
            (
                Figure("greedy v random: games won", wins(), of_games(92.04, 992)),
                Figure("draws", draws, of_games(0.8, 1000)),
                Figure("bouts a game", watched("bouts"), near(17.1, 0.4)),
                Figure("plies a bout", plies_for_each("bouts"), near(3.1, 0.1)),
                Figure("time of greedy for a move (his: 0.0201 ms)", time_for_a_move()),
                Figure("time of random (his: 0.0181 ms)", time_for_a_move(1)),
            ),
            "--open --watch bouts --ties drop",
            note=_CHANCE,
        ),
        durak("open", _GREEDY, _RANDOM, 88.7, 94.4, "Chance, see (3); his games are the first 500 of those."),
        durak("open", _SMART, _RANDOM, 92.0, 96.7, "Chance, see (3)."),
        durak("open", _SMART, _GREEDY, 50.1, 54.3),
        durak("open", _MINIMAX_OPEN, _RANDOM, 95.4, 98.8, _FIRST),
        durak("open", _MINIMAX_OPEN, _GREEDY, 56.4, 66.5, "See (7)."),
        durak("open", _MINIMAX_OPEN, _SMART, 55.0, 65.3, "See (7)."),
        durak("open", _MCTS_OPEN, _RANDOM, 98.9, 100.0),
        durak("open", _MCTS_OPEN, _GREEDY, 95.6, 98.9),
        durak("open", _MCTS_OPEN, _SMART, 92.8, 97.2),
        durak("open", _MCTS_OPEN, _MINIMAX_OPEN, 75.2, 83.6, "See (7)."),
        durak("closed", _GREEDY, _RANDOM, 88.7, 94.4, "Chance, see (3); his games are those of (4)."),
        durak("closed", _SMART, _RANDOM, 91.3, 96.2, "Chance, see (3)."),
        durak("closed", _SMART, _GREEDY, 48.1, 50.6),
        durak("closed", _SMART, _MINIMAX, 50.1, 57.5, _TOLD),
        durak("closed", _MINIMAX, _RANDOM, 90.5, 95.7, "See (17)."),
        durak("closed", _MINIMAX, _GREEDY, 50.8, 54.3, "See (17)."),
        durak("closed", _MCTS, _RANDOM, 97.3, 99.6, "See (17)."),
        durak("closed", _MCTS, _GREEDY, 76.8, 85.1, "See (17)."),
        durak("closed", _MCTS, _SMART, 68.4, 77.8, "See (17)."),
        # Table 5.2 has 78.4 to 87.3, a misprint: 12.9 to 20.6 the other way round, and the text 79.4 to 87.1.
        durak("closed", _MCTS, _MINIMAX, 79.4, 87.1, "See (17)."),
        durak("closed", _TOLD_MINIMAX, _RANDOM, 90.5, 95.7),
        durak("closed", _TOLD_MCTS, _GREEDY, 76.8, 85.1),
        durak("closed", _TOLD_MCTS, _TOLD_MINIMAX, 79.4, 87.1),
        first_move("random", "durak.random", 48, 1000),
        first_move("greedy", "durak.greedy", 44, 1000),
        first_move("minimax", "minimax:depth=4,eval=playout,simulation=durak.greedy,ties=oldest", 53, 200),
        first_move("mcts", "mcts:limit=50,c=1.41,simulation=durak.greedy,utility=win", 53, 200),
        without("alpha-beta and a table", ""),
        without("alpha-beta, no table", ",table=0"),
        without("neither", ",table=0,pruning=no"),
    ),
    curves=DURAK_TUNED,
)


# --- beyond

BEST = "ismcts:ms=100"
AT_FOUR = "ismcts:iterations=1000"
"""At tables of four, where a game has some 400 decisions: a few milliseconds for each."""
_LUCK = (
    "With seven cards each, most games are decided by the deal. Ten times as many iterations win no more "
    "(`ismcts:iterations=3000`, which is 4 ms, won 57.8 % in Trumps and 55.6 % in Kings and Jacks, 400 mirrored games "
    "each with seed 7), and the next line shows what seeing all cards would bring."
)


def against(
    name: str,
    game: str,
    other: str,
    what: str,
    *,
    seats: int = 2,
    games: tuple[int, int] = (20, 500),
    more: str = "",
    most: int | None = None,
    program: str = "fcdl",
    note: str = "",
    ours: str = BEST,
) -> Experiment:
    """Our best general player against somebody's best."""
    agents = "/".join([ours, other] * (seats // 2))
    figures = (
        Figure(f"{what}: games won", wins(), aim=60.0),
        Figure("mean score, ours", score()),
        Figure("mean score, theirs", score(1)),
        Figure("time of ours for a move", time_for_a_move()),
        Figure("time of theirs", time_for_a_move(1)),
    )
    return Experiment(f"beyond-{name}", game, agents, games, figures, f"--mirror {more}".strip(), most, note, program)


def who_sees_all(name: str, game: str, title: str) -> Experiment:
    """How much can be won at all: a player that sees all cards against Law's."""
    agents = f"montecarlo:playouts=500,utility=mixed,clairvoyant/{LAW_PLAYER}"
    figures = (Figure(f"{title}: for comparison, one who sees all cards v hyperheur", wins()),)
    return Experiment(f"beyond-{name}-clairvoyant", game, agents, (100, 2000), figures, "--mirror")


def at_four(name: str, game: str, other: str, what: str, before: str) -> Experiment:
    """The same in whole games of two pairs, with a number of iterations, so that the games can be repeated.

    `before` is what it was with 100 ms for a move.
    """
    note = f"With `{BEST}`, in the {before}."
    return against(name, game, other, what, seats=4, games=(4, 200), note=note, ours=AT_FOUR)


BEYOND = Section(
    "Beyond",
    "Our best general player, which knows nothing but the chart, against the best player of each thesis in its game: "
    "with 100 ms for a move where there are two players, and with 1,000 iterations, which are 2 or 3 ms, at tables of "
    "four. There 200 games take minutes so, not hours, and can be repeated exactly; what it was with 100 ms is in the "
    "notes. At tables of four the two sit opposite in pairs. Every deal is played in both seatings.",
    (
        against("trumps", "trumps", LAW_PLAYER, "Trumps v hyperheur (Law)", note=_LUCK),
        who_sees_all("trumps", "trumps", "Trumps"),
        against(
            "kings-and-jacks",
            "kings_and_jacks",
            LAW_PLAYER,
            "Kings and Jacks v hyperheur (Law)",
            note=_LUCK,
        ),
        who_sees_all("kings-and-jacks", "kings_and_jacks", "Kings and Jacks"),
        against(
            "durak",
            "durak",
            _MCTS.removesuffix(",utility=win"),
            "Durak v mcts (Zarlykov)",
            games=(10, 300),
            note="Here his player goes for points and the win. With `utility=win` it did as well against the others: "
            "98.3, 75.6, 66.3 and 91.9 % in lines 20 to 23 of Durak, without it 99.7, 72.3, 66.1 and 91.0 %.",
        ),
        at_four(
            "oh-hell-informed",
            "oh_hell",
            INFORMED,
            "Oh Hell v informed (Sarsfield)",
            "first 20 games: 95.0 % (76.4 to 99.1), 112.1 points against 71.9",
        ),
        at_four(
            "oh-hell-montecarlo",
            "oh_hell",
            "oh_hell.montecarlo:samples=1,iterations=200,visits=100",
            "Oh Hell v Monte Carlo (Sarsfield), one deal",
            "first 20 games against `oh_hell.montecarlo:ms=100`: 85.0 % (64.0 to 94.8), 111.7 points against 87.1",
        ),
        at_four(
            "hearts-rules",
            "hearts",
            "hearts.rules",
            "Hearts v rule-based (Teunisse)",
            "first 40 games: 80.0 % (65.2 to 89.5), 49.6 points against 86.3",
        ),
        at_four(
            "hearts-montecarlo",
            "hearts",
            MONTE_CARLO,
            "Hearts v Monte Carlo (Teunisse)",
            "first 20 games: 90.0 % (69.9 to 97.2), 53.1 points against 91.2",
        ),
    ),
)

PEER = Section(
    "OpenSpiel",
    "The same player against OpenSpiel's information set MCTS (`ISMCTSBot` of version 2.0.2, random rollouts, most "
    "visits), which gets as much as ours: 100 ms for a move by its own clock, or as many simulations. Pairs sit "
    "opposite, and every deal is played in both seatings. In Hearts no cards are passed, because OpenSpiel's player "
    "makes the process die when it is to "
    "pass. Oh Hell turns up a card for trumps, as OpenSpiel's does; `python -m tests.results.variants "
    "oh_hell_up_card` writes that chart. Both sides see only what their seat has seen: OpenSpiel's player gets a "
    "state in which the unseen cards lie anywhere, and draws its own from what the seat knows of it "
    "(`tests/open_spiel`).",
    (
        against(
            "open-spiel-hearts",
            "hearts",
            "open_spiel.ismcts:ms=100",
            "Hearts, one round",
            seats=4,
            games=(10, 100),
            most=500,
            more="--set target=0 --set passing=no --set firstTrick=noPoints",
            program=WITH_MORE_PLAYERS,
        ),
        against(
            "open-spiel-oh-hell",
            "oh_hell_up_card.fcdl",
            "open_spiel.ismcts:ms=0,simulations=250",
            "Oh Hell, hands from 8 cards down to 1, 250 simulations a move for both",
            seats=4,
            games=(4, 200),
            more="--set firstHand=8",
            program=WITH_MORE_PLAYERS,
            note="With 100 ms for both, in the first 50 games: 96.0 % (86.5 to 98.9), 63.5 points against 35.0.",
            ours="ismcts:iterations=250",
        ),
    ),
)

# --- Rebstock 2019

SKAT_PLAYER = "skat.bidder:play=ismcts:iterations=500"


def _inference(kind: str, published: tuple[float, float, float]) -> tuple[Figure, ...]:
    """The lead by inference in one kind of contract, and where it comes from."""
    lead_, defending, alone = published
    return (
        Figure(f"{kind}: lead by inference", card_play(kind, "lead"), rounded(lead_), level=0),
        Figure(f"{kind}: of it from defending", card_play(kind, "defending"), rounded(defending), level=0),
        Figure(f"{kind}: of it from playing alone", card_play(kind, "alone"), rounded(alone), level=0),
    )


SKAT = Section(
    "Skat",
    "Rebstock 2019, chapters 3 and 6: tournament points (Seeger and Fabian) a game. His players learned from 23 "
    "million games of people and play their cards by searching with all cards face up (Kermit); ours learned from "
    "games of their own ([skat.bidder](players.md#skat)) and play by `ismcts`. Figures of people are of 18 million "
    "tournament games at Skat-Online (skatblog.com, *Skat in Zahlen 2*). Debian's `xskat` 4.0, playing itself 3,000 "
    "times (`xskat -auto 3000 -lang english -unfmt -log - > xskat.log`, then `python -m tests.results.contracts "
    "xskat.log`): alone in 33.2 % of a player's games, 0.4 % passed; suit 23.9 % (75.3 % won), grand 9.2 % "
    "(93.6 %), null 0.1 %; 80.5 % won.",
    (),
    measures=(
        Measure(
            "skat-contracts",
            "python -m tests.results.contracts",
            f"--play {SKAT_PLAYER} --deals {{}}",
            (60, 1000),
            (
                Figure("alone, of a player's games (thesis: MLV.85)", contracts("alone"), rounded(32.5, "%")),
                Figure("all passed", contracts("passed"), rounded(1.9, "%")),
                Figure("suit games", contracts("suit", "share"), rounded(19.0, "%")),
                Figure("grands", contracts("grand", "share"), rounded(10.6, "%")),
                Figure("null", contracts("null", "share"), rounded(1.6, "%")),
                Figure("null ouvert", contracts("null ouvert", "share"), rounded(1.3, "%")),
                Figure("tournament points", contracts("tournament_points"), rounded(23.6)),
                Figure("suit games won (people)", contracts("suit", "won"), rounded(77.6, "%")),
                Figure("grands won", contracts("grand", "won"), rounded(91.4, "%")),
                Figure("null won", contracts("null", "won"), rounded(70.7, "%")),
                Figure("null ouvert won", contracts("null ouvert", "won"), rounded(86.9, "%")),
            ),
            note="Three of our player against each other; the thesis's figures are of its best bidder against Kermit, "
            "people's of people. Ours plays a few more grands and fewer nulls than the thesis's, and people play only "
            "the safest grands: 87 % of ours are won, 91 % of theirs.",
        ),
        Measure(
            "skat-bidding",
            "fcdl",
            f"tournament skat --agents {SKAT_PLAYER}/ismcts:iterations=500 --mirror --set scoring=seegerFabian "
            "--games {} --max-games {}",
            (12, 240),
            (
                Figure("bidding by values: games won", pair_share),
                Figure("its tournament points (thesis: MLV.85)", pair_score(0), rounded(23.6)),
                Figure("the baseline (thesis: Kermit; ours: ismcts bids as it plays)", pair_score(1), rounded(22.4)),
            ),
            note="The same card play on both sides, all six seatings of every deal, as in the thesis. Kermit bids "
            "well; `ismcts` bids by the same search that plays its cards, with playouts at random, in which most "
            "contracts are lost: it passes unless its hand is excellent (alone in 7 % of its games, 78 % of the deals "
            "passed: `python -m tests.results.contracts --play ismcts:iterations=500 --deals 60`).",
        ),
        Measure(
            "skat-inference",
            "python -m tests.results.cardplay",
            "ismcts:iterations=500,infer=skat.rules ismcts:iterations=500 --deals {}",
            (4, 60),
            (
                *_inference("suit", (10.4, 9.1, 1.4)),
                *_inference("grand", (3.6, 3.1, 0.4)),
                *_inference("null", (6.3, 6.8, -0.5)),
            ),
            note="Table 6.1, policy inference against none. The thesis weighs 20,000 worlds by networks that imitate "
            "people, bids included; ours a few hundred by simple rules of card play (`skat.rules`) that know nothing "
            "of bids and discards. The intervals of so few deals are wide.",
        ),
    ),
)

SECTIONS = (LAW, OH_HELL, HEARTS, DURAK, SKAT, BEYOND, PEER)


def all_experiments() -> dict[str, Experiment]:
    """All experiments by name, each once."""
    found: dict[str, Experiment] = {}
    for section in SECTIONS:
        plotted = (item for plot in section.plots for _, item in plot.points)
        for experiment in (*section.experiments, *plotted):
            assert found.setdefault(experiment.name, experiment) == experiment, experiment.name
    return found


def everything() -> dict[str, Experiment | Curve | Measure]:
    """All that is played, by name: experiments, curves and what else is measured."""
    curves = {curve.name: curve for section in SECTIONS for curve in section.curves}
    measures = {measure.name: measure for section in SECTIONS for measure in section.measures}
    return {**all_experiments(), **curves, **measures}


@dataclass(frozen=True, slots=True)
class Proof:
    """A published fact that a test proves."""

    what: str
    published: str
    ours: str
    test: str


PROOFS = (
    Proof(
        "heuristics of Trumps, Kings and Jacks and Crazy Eights (Law, appendix B)",
        "12, 18, 12",
        "the same, with the same conditions and weights",
        "tests/heuristics/test_derive.py::test_thesis_heuristics_are_reproduced",
    ),
    Proof(
        "deals in the case of the Hearts thesis (5.2.3)",
        "2,352; the thesis's dealing is off by 13.2 points",
        "2,352, all equally likely",
        "tests/beliefs/test_sampler_games.py::test_the_thesis_case_has_2352_deals_all_equally_likely",
    ),
    Proof(
        "the four game trees of the Oh Hell thesis (appendix B)",
        "their values",
        "the same",
        "tests/agents/test_oh_hell_players.py::test_the_game_trees_of_appendix_b_have_their_values",
    ),
    Proof(
        "six games of the International Skat Server",
        "results of the server",
        "replay exactly on both engines",
        "tests/arena/test_iss.py::test_imported_records_replay",
    ),
)
