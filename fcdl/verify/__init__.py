"""Proofs about charts: what holds in every game, whatever is dealt and played. `docs/verify.md` says how."""
