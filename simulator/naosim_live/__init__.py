"""The outside of the fake robot: a real libqi directory, microphone and voice, a web page; Python 3.10 and newer."""
