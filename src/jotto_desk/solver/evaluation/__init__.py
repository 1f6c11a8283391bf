"""Playing strategies out: benchmarks, comparisons, statistics and pictures."""
