"""The public API of NAOqi 2.x as tables, independent of our code: see SOURCES.md."""
