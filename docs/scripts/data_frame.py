"""A game's statistics as a data frame (`pip install fcdl[frames]`): is it fair, how long is it, does skill help?"""

import pandas as pd

import fcdl

game = fcdl.load("oh_hell", 3, firstHand=3)

# Every seat of every game is a row; `watch` adds the last values of variables of the chart.
result = game.simulate(["montecarlo:playouts=20", "random", "random"], games=60, seed=1, watch=["bid", "tricks"])
frame = pd.DataFrame(result.rows)
print(frame.head(3))
print(frame.groupby("agent")[["score", "won"]].mean().round(2))
print(frame.groupby("seat")[["score", "won", "moves"]].mean().round(2))
print(f"bids kept in the last round: {(frame['bid'] == frame['tricks']).mean():.0%}")

# A million random games take seconds; their scores are an array, a row for each game.
scores = pd.DataFrame(game.playouts(20_000, seed=1).scores, columns=[f"seat {seat}" for seat in range(3)])
print(scores.describe().loc[["mean", "std", "min", "max"]].round(2))
