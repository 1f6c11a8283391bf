"""The Choregraphe project: built from its sources, compared with them, and edits brought back."""
