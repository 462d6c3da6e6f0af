"""`python -m tests.results.fcdl COMMAND ...`: fcdl's commands, with players that are for experiments only."""

from fcdl.agents import agent
from fcdl.cli import main

MODULES = ("tests.open_spiel.players", "tests.results.players", "tests.opponents.shooter")

if __name__ == "__main__":
    agent.KIND_MODULES = (*agent.KIND_MODULES, *MODULES)
    main(prog_name="python -m tests.results.fcdl")
