"""Decision trees for tests: random plans as plain values, and the files and games made of them."""

from __future__ import absolute_import, division, print_function, unicode_literals

from jotto import compat, tree


def plan_of(words, rules, seed, wider=(), spare=10):
    """Make a random plan (guess, {feedback: plan}) that finds every word; its guesses may come from `wider`, too."""
    if len(words) == 1:
        return words[0], {}
    pool = compat.draw_items(list(words) + list(wider), spare, seed, len(words), "%s" % (words[0],))
    for guess in pool + list(words):
        parts = {}
        for word in words:
            parts.setdefault(None if word == guess else rules.score(guess, word), []).append(word)
        if len(parts) > 1:
            break
    return guess, {key: plan_of(part, rules, seed, wider, spare) for key, part in parts.items() if key is not None}


def turns_of(plan, rules, secret):
    """List the turns (guess, feedback) of a game on the plan; the winning guess has no feedback."""
    turns = []
    while plan[0] != secret:
        turns.append((plan[0], rules.score(plan[0], secret)))
        plan = plan[1][turns[-1][1]]
    return turns + [(secret, None)]


def certificate_of(words, rules, name="test", **more):
    least = {"rules": rules.plain(), "list": name, "words": len(words), "checksum": tree.hash_words(words), "extra": []}
    return dict(least, **more)


def tables_of(plan, words, rules):
    """Make the tables of a plan's file, and list the guesses that are not in the list."""
    numbers, codes = {word: number for number, word in enumerate(words)}, tree.list_answers(rules)
    level, guesses, led, children = [plan], [], [], []
    extra = []
    while level:
        below = []
        for guess, branches in level:
            if guess not in numbers:
                numbers[guess] = len(numbers)
                extra.append(guess)
            guesses.append(numbers[guess])
            children.append(len(branches))
            order = sorted(branches, key=codes.index)
            led += [codes.index(feedback) for feedback in order]
            below += [branches[feedback] for feedback in order]
        level = below
    return guesses, led, children, extra


def file_of(plan, words, rules, name="test", **more):
    guesses, led, children, extra = tables_of(plan, words, rules)
    return tree.write_tree(certificate_of(words, rules, name, extra=extra, **more), guesses, led, children)
