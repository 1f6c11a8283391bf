"""The gladiators challenge: attempts at two levels on the fake server, by the solver of `jotto gladiators play`."""

from typing import Any

from run import Options

from jotto_desk.errors import DeskError
from jotto_desk.games.gladiators import Challenge, Level, parse_levels
from jotto_desk.games.gladiators_campaign import Campaign
from jotto_desk.games.gladiators_server import ServerBehaviour, serve_challenge
from jotto_desk.games.gladiators_strategy import Strategist, load_shipped_tree
from jotto_desk.solver import cores

#: Gladiators, weapons, guesses and rounds of the levels that are hardest, and whether to use the tree.
LEVELS = (("5/10/7/10", False), ("5/10/7/10", True), ("6/25/15/1", False))
#: Attempts are this much rarer than the games of the other parts: a guess may take two seconds.
RARER = 20
#: The number of the level on the server, which has no other.
NUMBER = 1


def measure_gladiators(options: Options) -> list[dict[str, Any]]:
    """Play attempts at each level: those won, the guesses of rounds won, and the slowest guess in seconds."""
    games = 1 if options.small else max(1, options.games // RARER)
    levels = [("3/5/8/2", False)] if options.small else LEVELS
    return [_measure_level(parse_levels(text), uses_tree, games) for text, uses_tree in levels]


def _measure_level(level: Level, uses_tree: bool, games: int) -> dict[str, Any]:
    tree = load_shipped_tree(level) if uses_tree else None
    player = Strategist(level, cores.choose_best_core(), seed=2, tree=tree)
    won, slowest, lengths = 0, 0.0, []
    with serve_challenge(ServerBehaviour({NUMBER: level}), seed=2) as url:
        for game in range(games):
            with Challenge(url, f"player{game}@localhost") as challenge:
                challenge.sign_in()
                campaign = Campaign(challenge, lambda _level: player, attempts=1)
                try:
                    campaign.play_level(NUMBER, challenge.ask_level(NUMBER))
                    won += 1
                except DeskError:
                    # The only attempt is lost.
                    pass
                lengths += campaign.lengths
                slowest = max(slowest, campaign.scores[NUMBER].slowest)
    mean = sum(lengths) / len(lengths) if lengths else None
    counts = {"rounds": len(lengths), "mean": mean, "max": max(lengths, default=None)}
    return {"level": str(level), "tree": uses_tree, "games": games, "won": won, "slowest": slowest, **counts}


def report_gladiators(found: list[dict[str, Any]]) -> list[str]:
    """Describe the attempts, a line for each level."""
    lines = ["gladiators: attempts won, guesses of a round won, slowest guess"]
    for row in found:
        guesses = f"{row['mean']:.3f} on average, {row['max']} at most" if row["rounds"] else "no round won"
        tree = ", with its tree" if row["tree"] else ""
        lines.append(f"  {row['level']}{tree}: {row['won']} of {row['games']}; {guesses}; {row['slowest']:.2f} s")
    return lines
