"""`jotto bench`: strategies measured and compared."""
