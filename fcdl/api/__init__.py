"""What `import fcdl` offers: games, states, agents' observations as numbers."""
