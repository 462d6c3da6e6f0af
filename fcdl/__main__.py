"""`python -m fcdl`."""

from fcdl.cli import main

if __name__ == "__main__":
    main(prog_name="fcdl")
