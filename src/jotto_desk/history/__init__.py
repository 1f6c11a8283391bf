"""Games played with NAO, as the person at the desk sees them: the board, the games kept, statistics, what is shared."""
