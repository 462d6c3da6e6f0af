"""A policy that is a table: what to do for everything that a player can have seen, learned by playing against itself.

This is counterfactual regret minimisation with sampled chance and opponents. The game is Kuhn Poker, but nothing here
knows that; it works for any chart with few enough observations.
"""

import random
from collections import defaultdict

import fcdl


class Table:
    """Probabilities of the legal moves by observation; an agent, too."""

    def __init__(self, game: fcdl.Game) -> None:
        self.game = game
        self.regrets = defaultdict(lambda: defaultdict(float))
        self.chosen = defaultdict(lambda: defaultdict(float))

    def choose(self, observation, legal, rng):
        """A move with the probability that it had on average while the table was learned."""
        weights = [self.chosen[observation][move] for move in legal]
        return rng.choices(legal, weights if any(weights) else None)[0]

    def learn(self, state: fcdl.State, me: int, rng: random.Random) -> float:
        """What the position is worth to me; learns what I would rather have done."""
        if state.over:
            return self.game.rewards(state.scores)[me]
        seen, legal = state.observation(), state.legal
        regrets = [max(0.0, self.regrets[seen][move]) for move in legal]
        weights = regrets if any(regrets) else [1.0] * len(legal)
        if state.mover != me:
            for move, weight in zip(legal, weights, strict=True):
                self.chosen[seen][move] += weight / sum(weights)
            return self.learn(state.play(rng.choices(legal, weights)[0]), me, rng)
        worth = [self.learn(state.copy().play(move), me, rng) for move in legal]
        mean = sum(one * weight for one, weight in zip(worth, weights, strict=True)) / sum(weights)
        for move, one in zip(legal, worth, strict=True):
            self.regrets[seen][move] += one - mean
        return mean


def train(game: fcdl.Game, games: int, seed: int = 1) -> Table:
    """A table that has learned from so many games."""
    table, rng = Table(game), random.Random(seed)
    for number in range(games):
        table.learn(game.new(seed=number), number % game.players, rng)
    return table


if __name__ == "__main__":
    kuhn = fcdl.load("kuhn_poker")
    trained = train(kuhn, 4000)
    bet, check = fcdl.Move("choose", "bet"), fcdl.Move("choose", "check")
    first = {state.zones["hand(0)"][0]: state.observation() for state in map(kuhn.new, range(20))}
    for card in ("JS", "QS", "KS"):
        often = trained.chosen[first[card]]
        print(f"{card}: bets {often[bet] / (often[bet] + often[check]):.0%} of the time")
    row = kuhn.simulate([trained, "random"], games=2000, seed=1).summary["agents"][0]
    print(f"against random: {row['mean_score']:+.2f} chips a game")
