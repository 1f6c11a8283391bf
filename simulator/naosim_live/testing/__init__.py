"""What a test of a behaviour sees and does."""
