"""The browser: games to draw, to play with friends and to watch; needs the extra `[web]`.

The server keeps people and what they made; it never runs a chart itself. Charts run in child processes with limits
(`child.py`): games in `croupier.py`, checks, edits and drawings in `workshop.py`, the "try it" pane in `tryout.py`.
"""
