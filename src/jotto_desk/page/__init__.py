"""The games on a page in the browser: the board, the answers to tap, what is certain and why. Needs NiceGUI."""

__all__ = ["guessing_table", "notebooks", "page_texts", "panels", "table_panels"]
