"""The solver: feedback tables, strategies and their benchmarks, tree search with proofs, tree files."""
