"""The strongest code-breaker: feedback tables, strategies played out, tree search with proofs, tree files."""
