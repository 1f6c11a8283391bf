"""Recording what a person does, and playing it back."""
