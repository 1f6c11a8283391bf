"""Who is let in to a page: this computer alone, or others through an entrance with a token and TLS."""
