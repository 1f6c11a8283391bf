"""Readers for the files of Choregraphe: behaviours, projects, manifests, packages and translations, all with limits."""
