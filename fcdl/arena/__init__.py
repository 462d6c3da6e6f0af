"""Games between agents: single games, many games with statistics."""
