"""`jotto explain`: the path of a word through a decision tree, and the reason for each guess."""

import difflib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from jotto.feedback import COMMON, MARKS
from jotto.rules import JOTTO, Rules
from jotto.tree import MAX_TREE_BYTES, Tree, list_codes, parse_tree
from jotto.words import WordList, fold_word
from jotto_desk import files
from jotto_desk.addresses import hide_login
from jotto_desk.cli import tree_files
from jotto_desk.cli.shell import DEFAULT_LIST, CommandLine, Json, choice_option, option, print_json, words_option
from jotto_desk.errors import DeskError
from jotto_desk.games.advice import GAME_RULES
from jotto_desk.solver.trees import PathStep, TreeExplorer
from jotto_desk.words import lists
from jotto_desk.words.lists import DEFAULT_LANGUAGE

# The reason for a guess, in plain sentences.


def _show_word(word: Any) -> str:
    """Return a word or code in capitals, for a sentence."""
    return word.upper() if isinstance(word, str) else " ".join(map(str, word))


def _tell_answer(step: PathStep, rules: Rules, secret: Any) -> str:
    if step.look.guess == secret:
        return "right"
    if rules.kind == MARKS:
        return str(step.answer)
    if rules.kind == COMMON:
        return f"{step.answer} in common"
    return f"{step.answer.exact} in the right place, {step.answer.misplaced} in the wrong place"


_BEST_TRIED = "No other first guess that was tried does better."


def explain_guess(step: PathStep, proven: bool) -> list[str]:
    """Return sentences about the effect of a guess and the better-looking guesses that were not taken."""
    guess, look, fitting = _show_word(step.look.guess), step.look, step.before
    if fitting == 1:
        return [f"Only {guess} fits."]
    if fitting == 2 and look.fits:
        return [f"Two words fit, and {guess} is one of them."]
    if look.groups == fitting:
        if look.fits:
            return [f"{guess} fits, and its answer tells all {fitting} words apart: it is found now or with the next."]
        return [f"{guess} cannot be the word, but its answer tells all {fitting} words apart{_as_none(step)}."]
    said = [
        f"{guess} splits {fitting:,} words into {look.groups} groups, the largest of {look.largest:,}: "
        f"{step.turns:.2f} turns expected to the end."
    ]
    said += _describe_passed_over(step)
    best = "No first guess does better: this is proven." if proven else _BEST_TRIED
    return said if step.turn > 1 else [*said, best]


def _as_none(step: PathStep) -> str:
    """Return a remark about the best guess that fits; it tells less, or it would have been asked."""
    best = step.fitting
    return "" if best is None else f"; of those that fit, {_show_word(best.guess)} makes {best.groups} groups"


def _describe_passed_over(step: PathStep) -> list[str]:
    look, most, fitting = step.look, step.most, step.fitting
    guess, said = _show_word(look.guess), []
    if most is None:
        said.append(f"No other word says more in one guess ({look.bits:.2f} bits).")
    else:
        praise = f"{_show_word(most.guess)}, which {'can be the word too' if most.fits else 'cannot be the word'},"
        figures = f"({most.bits:.2f} bits, {guess} {look.bits:.2f})"
        said.append(f"{praise} would say more in one guess {figures}, but the tree counts the turns to the end.")
    if fitting is not None and not look.fits:
        said.append(
            f"{guess} cannot be the word; of those that fit, {_show_word(fitting.guess)} tells most "
            f"({fitting.bits:.2f} bits)."
        )
    elif fitting is not None and fitting != most:
        said.append(f"Of those that fit, {_show_word(fitting.guess)} tells most ({fitting.bits:.2f} bits).")
    return said


# The command.

app = CommandLine()


@app.declare(
    "jotto explain ocean",
    "jotto explain ocean --words mywords.txt        (follows mywords.tree in the same folder)",
    "jotto explain 1234 --rules bulls --tree bulls.tree --json",
)
def explain(
    word: Annotated[str, typer.Argument(metavar="WORD", help="The secret word.")],
    rules: Annotated[
        str, choice_option("--rules", tuple(GAME_RULES), "The game; default: jotto, or the game of the tree.")
    ] = "",
    words: Annotated[str, words_option("The tree's list: a file, URL or name; default: en.")] = "",
    tree: Annotated[Path | None, option("The tree; default: the one next to the list.", metavar="FILE")] = None,
    as_json: Json = False,
) -> None:
    """Show the tree's guesses until it finds a word, with the effect of each answer and the reason for each guess.

    NAO has several trees and draws one for each game, so 'jotto rehearse' can begin with another word.
    """
    path = tree or _load_tree(rules, words)
    found = parse_tree(files.read_bounded(path, MAX_TREE_BYTES, "tree file"))
    if rules and rules != found.rules.name:
        raise DeskError(f"'{path.name}' is a tree for the rules '{found.rules.name}', not for '{rules}'.")
    listed = _load_tree_words(found, path, words)
    bound = found.bound_to(listed.words, found.rules)
    secret = _parse_secret(word, found.rules, listed)
    explorer = TreeExplorer(bound, listed.words, _load_weights(found, listed))
    steps = list(explorer.follow_secret(secret))
    if as_json:
        print_json(_convert_to_json(secret, path, found, listed, steps))
    else:
        _print(secret, found, listed, steps)


def _load_tree(rules: str, words: str) -> Path:
    """Return the tree of a list, from the folder of the list or from the game. Raises `DeskError`."""
    if rules not in ("", JOTTO.name):
        raise DeskError(
            f"A tree for '{rules}' does not come with the game; make one with 'jotto solve --rules {rules} "
            f"--out {rules}.tree' and name it with --tree {rules}.tree."
        )
    if words in ("", DEFAULT_LIST, *lists.list_names()):
        return (
            files.find_shipped_path("wordlists") / f"{words if words in lists.list_names() else DEFAULT_LANGUAGE}.tree"
        )
    from jotto_behaviour import mind

    beside = Path(mind.get_tree_path(words))
    if "://" in words or not beside.is_file():
        named = hide_login(words)
        raise DeskError(
            f"There is no tree for the list '{named}'; make one with 'jotto solve --words {named} --out {beside.name}'."
        )
    return beside


def _load_tree_words(found: Tree, path: Path, words: str) -> WordList:
    if found.certificate["list"] is None:
        every = list_codes(found.rules)
        return WordList(found.rules.name, every, (None,) * len(every))
    source = "" if words == DEFAULT_LIST else words
    wordlist = tree_files.find_tree_words(found, path, source)
    # Words that were added to the list after the tree's are on no path.
    count = found.certificate["words"]
    return WordList(tree_files.name_tree(wordlist.name), wordlist.words[:count], wordlist.bands[:count])


def _load_weights(found: Tree, listed: WordList) -> list[int]:
    weighting = found.certificate.get("weighting")
    if not isinstance(weighting, dict) or not weighting:
        return []
    least = min(weighting.values())
    weights = [weighting.get(str(band), least) for band in listed.bands]
    if not all(isinstance(weight, int) and weight > 0 for weight in weights):
        raise DeskError("The weights of the tree are not numbers above 0; make the tree again with 'jotto solve'.")
    return weights


def _parse_secret(word: str, rules: Rules, listed: WordList) -> Any:
    spelled = isinstance(rules.alphabet, str)
    secret: Any = fold_word(word.strip(), rules.alphabet) if spelled else _parse_symbols(word, rules)
    rules.check(secret)
    if secret in listed.words:
        return secret
    near = difflib.get_close_matches(secret, listed.words, 5) if spelled else []
    hint = f"; near it are {', '.join(near)}" if near else ""
    raise DeskError(f"'{word}' is not in the list '{listed.name}', so the tree does not lead to it{hint}.")


def _parse_symbols(word: str, rules: Rules) -> tuple[Any, ...]:
    """Read a code of symbols that are not letters, such as `red blue 3`."""
    known = {str(symbol): symbol for symbol in rules.alphabet}
    return tuple(known.get(part, part) for part in word.replace(",", " ").split())


def _convert_to_json(secret: Any, path: Path, found: Tree, listed: WordList, steps: list[PathStep]) -> dict[str, Any]:
    proven = found.certificate.get("proven") is True
    rows = []
    for step in steps:
        row = asdict(step)
        look = row.pop("look")
        rows.append({**row, **look, "expected": look["bits"], "why": explain_guess(step, proven)})
    told = {"word": secret, "rules": found.rules.name, "list": found.certificate["list"], "tree": path.name}
    told |= {"checksum": found.certificate["checksum"], "proven": proven, "found": steps[-1].look.guess == secret}
    return told | {"turns": len(steps), "expected_turns": round(steps[0].turns, 6), "steps": rows}


def _print(secret: Any, found: Tree, listed: WordList, steps: list[PathStep]) -> None:
    proven = found.certificate.get("proven") is True
    for step in steps:
        told = (
            f"{step.before:,} fit before, {step.after:,} after; "
            f"told {step.told:.2f} bits, {step.look.bits:.2f} were expected."
        )
        answer = _tell_answer(step, found.rules, secret)
        typer.secho(f"{step.turn}. {_show_word(step.look.guess)}: {answer}", bold=True)
        for sentence in [*explain_guess(step, proven), *([told] if step.before > 1 else []), *_describe_fitting(step)]:
            typer.echo(f"   {sentence}")
    if steps[-1].look.guess != secret:
        typer.echo(f"Here the tree ends: it does not find {_show_word(secret)}.")
        return
    weighing = ", the common ones weighing more" if found.certificate.get("weighting") else ""
    all_words = f"all {len(listed.words):,} words take {steps[0].turns:.2f} on average{weighing}"
    typer.echo(f"{_show_word(secret)} takes {len(steps)} turns; {all_words}.")


def _describe_fitting(step: PathStep) -> list[str]:
    if step.after == 1 or step.before == 1:
        return []
    some = ", ".join(map(_show_word, step.some))
    more = step.after - len(step.some)
    return [f"Still fitting: {some}{f' and {more:,} more' if more else ''}."]
