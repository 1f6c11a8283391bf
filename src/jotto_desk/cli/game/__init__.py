"""`jotto play`: a person plays with NAO in the terminal."""
