"""QiChat: topic files as values, for the dialogue engine that runs them and the lint that judges them."""
