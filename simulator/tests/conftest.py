"""Configuration of the tests of naosim, on Python 2.7 and 3."""

pytest_plugins = ["sessions"]
#: Programs that tests start, and that need arguments.
collect_ignore = ["wire_service.py", "wire_talk.py"]
