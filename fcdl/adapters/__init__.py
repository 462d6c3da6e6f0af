"""Games for the libraries of others; each needs its own extra: `pip install fcdl[pettingzoo]`, `fcdl[openspiel]`."""
