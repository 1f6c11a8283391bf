"""A fake server of the challenge, for practice and tests."""
