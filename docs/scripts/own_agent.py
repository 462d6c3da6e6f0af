"""A player of your own: it imagines where the unseen cards are, tries each move there, and plays the rest at random.

    fcdl play trumps --seats human/own_agent:Dreamer
    fcdl tournament trumps --agents own_agent:Dreamer/random --games 50

Start both in the folder of this file. The player knows nothing of Trumps: it plays every chart.
"""

import fcdl


class Dreamer:
    """Plays the move that does best in imagined worlds."""

    def __init__(self, game: fcdl.Game) -> None:
        self.game = game

    def choose(self, observation, legal, rng):
        """One of the legal moves; the observation is all that the seat has seen."""
        if len(legal) == 1:
            return legal[0]
        worth = dict.fromkeys(legal, 0.0)
        for world in self.game.worlds(observation, 8, seed=rng.getrandbits(32)):
            for move in legal:
                state = world.state.copy().play(move)
                while not state.over:
                    state.play(rng.choice(state.legal))
                worth[move] += world.weight * self.game.rewards(state.scores)[observation.seat]
        return max(legal, key=worth.__getitem__)


if __name__ == "__main__":
    result = fcdl.load("trumps").simulate([Dreamer, "random"], games=40, seed=1)
    for row in result.summary["agents"]:
        print(f"{row['agent']:<8} wins {row['win_rate']:.0%}")
