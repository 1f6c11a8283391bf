"""What holds for all tests, on Python 2.7 and 3."""
from hypothesis import settings

# The same examples everywhere and every time: what is found stays found, and no run is slower than another by luck.
settings.register_profile("house", database=None, derandomize=True, deadline=None)
settings.load_profile("house")
