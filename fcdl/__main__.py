"""`python -m fcdl`, and the command `fcdl`."""

from fcdl.cli import main
from fcdl.processes import limit_memory


def run() -> None:
    """The command line, as a process of its own."""
    limit_memory()
    main(prog_name="fcdl")


if __name__ == "__main__":
    run()
