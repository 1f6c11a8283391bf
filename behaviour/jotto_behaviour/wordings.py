"""How a wording takes the words put into it: numbers choose the form of what is counted.

A wording is text with `{name}` for a word. What a number does to a sentence stands behind a colon:
`{exact:letter|letters}` has the form for one and that for several, `{exact:none|one|#}` that for nothing too, # being
the number itself; and `{number:ordinal}` is the number's place in the table "ordinal" among the forms of the language.
"""

from __future__ import absolute_import, division, print_function, unicode_literals

import re

from jotto.compat import text_type

MYPY = False
if MYPY:
    from typing import Dict, List, Match, Sequence

#: A word put in: its name, and the form wanted.
PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: Stands for the number itself among forms.
NUMBER = "#"


class NumberForms(object):
    """What numbers do to the sentences of a language: which are singular, and the tables of further number words."""

    def __init__(self, singular, tables):  # type: (Sequence[int], Dict[str, List[str]]) -> None
        self._singular = frozenset(singular)
        self.tables = tables

    def chosen(self, form, number, said):  # type: (str, int, str) -> str
        """Return what a form makes of a number, which is `said` in a word or in digits.

        >>> str(NumberForms([1], {}).chosen("letter|letters", 2, "two"))
        'letters'
        """
        if "|" not in form:
            table = self.tables[form]
            return table[number] if 0 <= number < len(table) else said
        return self._among(form.split("|"), number).replace(NUMBER, said)

    def _among(self, forms, number):  # type: (List[str], int) -> str
        """Return the form of a number: of two, the singular or the plural; of three, that for nothing comes first."""
        if len(forms) > 2 and number == 0:
            return forms[0]
        return forms[-2] if number in self._singular or (len(forms) > 2 and number == 1) else forms[-1]


def filled(wording, words, numbers, forms):  # type: (str, Dict[str, str], Dict[str, int], NumberForms) -> str
    """Put words into a wording; a name with a capital begins with one, in every form.

    >>> print(filled("{Exact:none|one letter|# letters}", {"exact": "two"}, {"exact": 2}, NumberForms([1], {})))
    Two letters
    """

    def put(found):  # type: (Match[str]) -> str
        name, form = found.groups()
        plain = name[:1].lower() + name[1:]
        said = words[plain]
        if form:
            said = forms.chosen(form, numbers[plain], said)
        return said if name == plain else capitalised(said)

    return text_type(PLACEHOLDER.sub(put, wording))


def capitalised(said):  # type: (str) -> str
    """Return a text with a capital in front."""
    return said[:1].upper() + said[1:]
