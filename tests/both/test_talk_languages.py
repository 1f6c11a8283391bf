# -*- coding: utf-8 -*-
"""The lines of every language: whole, with the same words put in, and nothing English left to be heard."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import re

from jotto.words import capitalise_word
from jotto_behaviour import hearing, lines, mind, settings
from jotto_behaviour.lines import PLACEHOLDER, Line, NumberForms, fill_wording
from jotto_behaviour.states import COMMANDS, EVERY_LETTER, LANGUAGES, PAIRS, STATES, list_meanings

HOME = settings.LINES_FOLDER
OTHERS = [code for code in settings.LANGUAGE_CODES if code != settings.DEFAULT_LANGUAGE]
LISTENING = sorted(name for name in STATES if STATES[name].listens)
#: Words that English cannot do without and that none of the other languages has.
ENGLISH = frozenset(
    re.findall(
        "[a-z]+",
        """
the your you my is are it that this of and with not what which who letter letters word words elsewhere yes ready guess
guesses right wrong say tell touch think game play please sorry back help hint zero one two three four five nothing
head front""",
    )
)
#: What a wording may have put in, small and large.
WORDS = {
    "guess": "ocean",
    "word": "ocean",
    "spelling": "ocean",
    "slowly": "ocean",
    "letters": "oce",
    "letter": "o",
    "clearly": "o",
    "phrase": "ocean",
    "list": "words",
    "strategy": "best",
    "language": "xy",
    "turns": [["ocean", [1, 2]], ["index", [0, 1]]],
}


def plain(code):
    """Read the lines of a language as they are written down."""
    with io.open(os.path.join(HOME, "lines_%s.json" % code), encoding="utf-8") as source:
        return json.load(source)


PLAIN = {code: plain(code) for code in settings.LANGUAGE_CODES}
SPOKEN = {code: lines.read_lines(HOME, code) for code in settings.LANGUAGE_CODES}


def test_a_language_has_the_keys_and_the_words_of_english():
    def put_in(wordings):
        """Return the names of what is put into wordings."""
        return {found.group(1).lower() for wording in wordings for found in PLACEHOLDER.finditer(wording)}

    for code in OTHERS:
        theirs, ours = PLAIN[code], PLAIN["en"]
        assert set(theirs) == set(ours), code
        for part in ("words", "lines", "gestures", "fillers", "languages", "certainty"):
            assert set(theirs[part]) == set(ours[part]), part
        assert set(theirs["typed"]) >= set(ours["typed"]) and set(theirs["typed"]) <= set(ours["words"]), code
        for key, line in ours["lines"].items():
            other = theirs["lines"][key]
            assert put_in(other["say"]) == put_in(line["say"]), key
            assert len(other["say"]) == len(line["say"]) == len(set(other["say"])), key
            assert other.get("gesture") == line.get("gesture"), key
        assert set(theirs["letters"]) == set(theirs["alphabet"]) and set(theirs["alphabet"]) <= set(EVERY_LETTER), code
        # Name and letters are read from the beginning of the file.
        assert (settings.LANGUAGE_NAMES[code], settings.ALPHABETS[code]) == (theirs["language"], theirs["alphabet"])
        assert len(set(theirs["letters"].values())) == len(theirs["alphabet"]), code


def test_nothing_english_is_left_to_be_heard():
    for code in OTHERS:
        spoken, texts = SPOKEN[code], []
        for key in sorted(PLAIN[code]["lines"]):
            texts.extend(PLACEHOLDER.sub(" ", wording) for wording in spoken.variants(key))
        asked = [meaning for meaning in PLAIN[code]["words"] if not meaning.startswith("language")]
        texts.extend(spoken.phrases(asked) + spoken.typed(asked))
        for form in [form for row in PLAIN[code]["forms"].values() for form in row]:
            texts.append(form)
        for text in texts:
            words = set(re.findall(r"[^\W\d_]+", text.lower(), re.UNICODE))
            assert not words & ENGLISH, text


def test_every_line_is_said_with_any_number():
    numbers = ("exact", "misplaced", "old_exact", "old_misplaced", "number", "count", "attempts", "rest", "worst")
    for code in settings.LANGUAGE_CODES:
        spoken, blocked = SPOKEN[code], mind.load_block_list(code)
        for key in sorted(PLAIN[code]["lines"]):
            for number in (0, 1, 2, 7):
                words = dict(WORDS, **dict.fromkeys(numbers, number))
                # The first letter is number one.
                words["number"] = max(number, 1)
                texts = [spoken.speak(Line(key, words), 7, beat).text for beat in range(len(spoken.variants(key)))]
                assert len(set(texts)) == len(texts), key
                for text in texts:
                    assert not set("{}|#") & set(text), (key, text)
                    assert "  " not in text.replace(" \\pau", "\\pau").replace("\\ ", "\\"), (key, text)
                    assert blocked.clean(text, "beep") == text, (key, text)


def test_what_nao_tells_people_to_say_is_understood():
    # What NAO tells people to say.
    quoted = re.compile("[\u00ab\u201e]\\s?([^\u00bb\u201c]+?)\\s?[\u00bb\u201c]", re.UNICODE)
    for code in OTHERS:
        spoken = SPOKEN[code]
        known = set(COMMANDS).union(*[STATES[name].moves for name in LISTENING])
        examples = "table blume mundo crâne nacre regal lager tiger truhe ratón toser niche chien matin mardi"
        for key in sorted(PLAIN[code]["lines"]):
            for wording in spoken.variants(key):
                for phrase in quoted.findall(wording):
                    if PLACEHOLDER.search(phrase) or phrase.lower() in examples.split():
                        continue
                    assert spoken.meaning(phrase, known) is not None, (key, phrase)


def test_a_score_is_heard_in_the_words_of_nao_s_question():
    for code, phrase in (
        ("en", "one in the right place and two in the wrong place"),
        ("de", "einer am richtigen Platz und zwei am falschen"),
        ("fr", "une bien plac\u00e9e et deux mal plac\u00e9es"),
        ("es", "una en su sitio y dos en otro"),
    ):
        assert phrase in SPOKEN[code].phrases(["1 2"]), (code, phrase)


def test_german_says_it_as_people_say_it():
    for odd in (
        r"(?i)\btipp(?!s)(?<!einen tipp)(?<!einem tipp)",  # a hint, and never to touch or to type
        r"\bwoanders\b",  # the question says "am falschen Platz"
        r"(^|[.!] )(Hast|Bist) du [^?]*, sag:",
    ):
        wordings = [wording for key in PLAIN["de"]["lines"] for wording in SPOKEN["de"].variants(key)]
        assert [wording for wording in wordings if re.search(odd, wording, re.UNICODE)] == [], odd


def test_french_signs_have_their_spaces():
    """U+202F before "?", "!" and ";", U+00A0 before ":" and inside quotes: a page never begins a line with a sign."""
    for key in PLAIN["fr"]["lines"]:
        for wording in SPOKEN["fr"].variants(key):
            said = PLACEHOLDER.sub("x", wording)
            assert not re.search("[^\u202f][!?;]|[^\u00a0][:\u00bb]|\u00ab[^\u00a0]", said), (key, wording)


def test_no_phrase_means_two_things_at_once():
    for name in LISTENING:
        for code in settings.LANGUAGE_CODES:
            spoken = SPOKEN[code]
            for doubt in (False, True):
                wanted = list_meanings(name, doubt)
                assert len(wanted) == len(set(wanted)), name
                phrases = [phrase.lower() for phrase in spoken.phrases(wanted)]
                assert len(phrases) == len(set(phrases)), sorted(each for each in phrases if phrases.count(each) > 1)
                for meaning in wanted:
                    for phrase in spoken.phrases([meaning]):
                        assert spoken.meaning(phrase.upper(), wanted) == meaning, phrase
                        assert not re.search("[^\\w' -]|[\\d_]", phrase, re.UNICODE), phrase
            own = [meaning for meaning in list_meanings(name) if meaning not in PAIRS + LANGUAGES]
            assert len(spoken.phrases(own)) <= 120, (code, name)


def test_what_people_say_is_understood():
    for code, said, state, meaning in (
        ("fr", "DEUX ET UNE", "both", "2 1"),
        ("fr", "une bien placée zéro mal placée", "both", "1 0"),
        ("fr", "ca y est", "ready", None),
        ("fr", "repete s'il te plait", "word", "repeat"),
        ("fr", "je donne ma langue au chat", "word", "give up"),
        ("de", "zwei und null", "both", "2 0"),
        ("de", "einer und zwei", "both", "1 2"),
        ("de", "FÜNF", "exact", "5"),
        ("de", "funf", "exact", "5"),
        ("de", "Ärger", "spell", "ä"),
        ("de", "ß", "spell", "ß"),
        ("es", "si", "word", "yes"),
        ("es", "SÍ", "word", "yes"),
        ("es", "dos y cero", "both", "2 0"),
        ("es", "ñandú", "your guess", "ñ"),
        ("es", "nandu", "your guess", "ñ"),
        ("es", "hablemos francés", "role", "language fr"),
        ("fr", "lass uns Deutsch sprechen", "ready", "language de"),
        ("de", "let's speak English", "again", "language en"),
        ("en", "hablemos espanol", "role", "language es"),
        ("en", "\u00e4", "spell", None),
    ):
        assert hearing.understand_phrase(said, 0.9, list_meanings(state), SPOKEN[code]).meaning == meaning


def test_what_is_only_typed_for_an_answer_may_be_a_word_of_the_list():
    assert SPOKEN["es"].heard_as("no", ["falso"]) is None and SPOKEN["fr"].heard_as("oui", ["ouais"]) is None
    assert SPOKEN["es"].heard_as("falso", ["no", "s\u00ed"]) == "no"


def test_numbers_choose_the_form():
    forms = NumberForms([0, 1], {"f": ["zéro", "une"]})
    put = [
        fill_wording("{Exact:f} {exact:lettre|lettres}", {"exact": "%d" % number}, {"exact": number}, forms)
        for number in (0, 1, 2)
    ]
    assert put == ["Zéro lettre", "Une lettre", "2 lettres"]
    three = [NumberForms([1], {}).chosen("keiner|einer|# viele", number, "drei") for number in (0, 1, 3)]
    assert three == ["keiner", "einer", "drei viele"]


def test_lists_are_joined_as_people_join_them():
    for code, letters, turns, spelled in (
        ("es", "ai", [["ideal", [1, 0]], ["hielo", [0, 2]]], "A e I"),
        ("es", "iy", [], "I y Y"),
        ("fr", "aé", [], "A et É"),
        ("de", "aß", [], "A und \u1e9e"),
    ):
        assert SPOKEN[code]._said("letters", letters) == spelled, (code, letters, turns, spelled)
        if turns:
            assert "y hielo" in SPOKEN[code]._said("turns", turns) and capitalise_word("hielo") == "HIELO"


def test_the_names_are_those_of_naoqi():
    assert settings.LANGUAGE_NAMES == {"de": "German", "en": "English", "es": "Spanish", "fr": "French"}
    assert [settings.find_code(each) for each in ("fr", "French", " german ", "Klingon", "")] == [
        "fr",
        "fr",
        "de",
        None,
        None,
    ]
    for code in settings.LANGUAGE_CODES:
        assert set(PLAIN[code]["languages"]) == set(settings.LANGUAGE_CODES)
