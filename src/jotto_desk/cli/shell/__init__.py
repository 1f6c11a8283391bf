"""What all commands share: their help pages, what is said of wrong use, choices, and what Tab completes."""

#: The groups of options on a help page, beside those without one.
GAME, PERSON, ROBOT, PAGE, SEARCH, OUTPUT, ADVANCED = (
    "Game",
    "Person",
    "Robot",
    "Page",
    "Search",
    "Output",
    "Advanced",
)
GROUPS = (GAME, PERSON, ROBOT, PAGE, SEARCH, OUTPUT, ADVANCED)
