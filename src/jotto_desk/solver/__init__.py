"""The solver: feedback tables, strategies and their benchmarks, tree search with proofs, tree files."""

__all__ = [
    "beam",
    "benchmark",
    "certificate",
    "comparison",
    "cores",
    "feedback_table",
    "first_guesses",
    "problem",
    "reference",
    "search",
    "strategies",
    "trees",
]
