"""A page in the browser with a simulated robot on it: what it says, hears, does and remembers. Needs NiceGUI."""
