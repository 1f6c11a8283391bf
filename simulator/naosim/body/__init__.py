"""The body: joints that move in time, the place on the floor, and where the parts of the body are. No physics."""
