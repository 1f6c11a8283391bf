# -*- coding: utf-8 -*-
"""From the recogniser's values to the meaning of an answer; and the lines of every language, whole and alike."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os
import re
from functools import partial

import pytest
from engine_words import WORDS
from hypothesis import given, strategies as st
from talk_stage import FEW, LINES, Stage, mind_of

from jotto import game as games
from jotto.compat import as_native
from jotto.rules import JOTTO
from jotto.words import capitalise_word
from jotto_behaviour import hearing, lines, mind, robot, settings, states
from jotto_behaviour.hearing import MISSED, NOTHING_HEARD, SURE, UNSURE, Hearing, find_best_phrase, understand_phrase
from jotto_behaviour.lines import PLACEHOLDER, Line, NumberForms, fill_wording
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import ANY_WORD, PAIRS, STATES, list_meanings
from jotto_behaviour.talk import Doubt, Talk

EXACT = list_meanings("exact")
NEW_GAME = games.start_game(JOTTO, "test", "", 1)


def test_the_best_phrase_of_a_recogniser_s_value():
    for value, phrase, confidence in (
        (["three", 0.6], "three", 0.6),
        ([as_native("three"), 0.6, as_native("two"), 0.2], "three", 0.6),
        (["<...> go back <...>", 0.5], "go back", 0.5),
        (["<...>yes", 0.5], "yes", 0.5),
        ([" what   was the\tscore ", 1], "what was the score", 1.0),
        (("yes", "0.5"), "yes", 0.5),
        ([as_native(""), -3.0], "", -3.0),
        (["", 0.0], "", 0.0),
        ([["yes"], 0.9], "", 0.0),
        ([b"\xff\xfe", 0.9], "", 0.0),
    ):
        assert find_best_phrase(value) == (phrase, confidence), value
    for value in ([], None, 3, "", "yes", {}, ["yes"], ["yes", None], ["yes", "sure"], [None, 0.9], [5, 0.9]):
        assert find_best_phrase(value) == ("", 0.0), value


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    )
)
def test_no_value_is_too_strange(value):
    phrase, confidence = find_best_phrase(value)
    assert isinstance(phrase, type("")) and isinstance(confidence, float)
    assert understand_phrase(phrase, confidence, EXACT, LINES).certainty in (SURE, UNSURE, MISSED)


def test_certainty_by_confidence():
    for certainty, confidences in (
        (MISSED, (0.0, 0.299, -1.0, float("nan"))),
        (UNSURE, (0.3, 0.549)),
        (SURE, (0.55, 1.0, 5.0)),
    ):
        wanted = NOTHING_HEARD if certainty == MISSED else Hearing(certainty, "3", "three")
        for confidence in confidences:
            assert understand_phrase("three", confidence, EXACT, LINES) == wanted, confidence
    assert hearing.make_sure("yes") == Hearing(SURE, "yes", "yes"), "a touch is beyond doubt"


def test_meanings_by_state():
    for phrase, state, meaning, said_back in (
        ("three", "exact", "3", "three"),
        ("THREE", "exact", "3", "three"),
        ("nothing", "exact", "none", "nothing at all"),
        ("zero", "exact", "0", "zero"),
        ("that's right", "word", "yes", "yes"),
        ("No it isn't", "word", "no", "no"),
        ("i am ready", "ready", "ready", "ready"),
        ("x-ray", "spell", "x", "x-ray"),
        ("what was the score", "spell", "score", "what was the score"),
        ("three", "word", None, ""),
        ("yes", "exact", None, ""),
        ("thre", "exact", None, ""),
        ("", "exact", None, ""),
        ("I guess", "role", None, ""),
    ):
        found = understand_phrase(phrase, 0.9, list_meanings(state), LINES)
        assert (found.meaning, found.phrase) == (meaning, said_back), (phrase, state)
    for phrase, state, meaning in (
        ("none", "both", "none"),
        ("nil", "misplaced", "none"),
        ("no letters", "exact", "none"),
        ("it's one", "exact", "1"),
        ("I think two", "misplaced", "2"),
        ("nope", "word", "no"),
        ("yep", "word", "yes"),
        ("yeah", "again", "yes"),
        ("quit", "your guess", "stop"),
        ("exit", "exact", "stop"),
        ("race", "again", "race"),
        ("six", "exact", "beyond"),
        ("ten", "misplaced", "beyond"),
        ("another role", "again", "other role"),
        ("my turn to guess", "role", "I guess"),
        ("I will guess", "role", "I guess"),
        ("I guess your word", "role", "I guess"),
        ("you guess", "role", "you guess"),
    ):
        assert understand_phrase(phrase, 0.9, list_meanings(state), LINES).meaning == meaning, (phrase, state)


def test_the_head_answers_as_the_question_is():
    for sensor, kind, meaning in (
        ("FrontTactilTouched", "role", "you guess"),
        ("RearTactilTouched", "role", "I guess"),
        ("MiddleTactilTouched", "role", "stop"),
        ("FrontTactilTouched", "ready", "ready"),
        ("RearTactilTouched", "yes or no", "no"),
        ("RearTactilTouched", "spell", "c"),
        ("RearTactilTouched", "count", "3"),
    ):
        assert robot.understand_touch(sensor, kind, 3, LINES).meaning == meaning, (sensor, kind)


def test_short_forms_are_understood_if_typed_and_not_listened_for():
    for short, state, full in (
        ("stop", "word", "stop the game"),
        ("help", "both", "help me please"),
        ("go back", "exact", "take it back"),
        ("wrong", "word", "no"),
        ("nil", "both", "nothing at all"),
        ("one two", "word", "one and two"),
        ("banana", "word", None),
    ):
        phrases = LINES.list_phrases(list_meanings(state))
        assert short not in phrases and LINES.find_phrase_like(short, phrases) == full, short
    for state in (name for name in STATES if STATES[name].touch):
        wanted = list_meanings(state, True)
        assert not set(LINES.list_typed_phrases(wanted)) & set(LINES.list_phrases(wanted))
        assert all(LINES.find_meaning(phrase, wanted) in wanted for phrase in LINES.list_typed_phrases(wanted))
    assert "one two" in LINES.list_phrases(list_meanings("both"))
    assert all(LINES.list_phrases([pair, "no"]) for pair in PAIRS)


def test_no_letter_at_all_answers_whether_a_guess_is_the_word():
    for language, phrases in (
        ("en", ["none", "nothing at all", "no letters"]),
        ("de", ["gar nichts", "kein einziger", "gar keiner", "nichts"]),
        ("fr", ["rien du tout", "aucune", "pas une seule", "rien"]),
        ("es", ["nada de nada", "ninguna", "nada en absoluto", "nada"]),
    ):
        for phrase in phrases:
            stage = Stage(FEW).hear("ready")
            stage.answer(understand_phrase(phrase, 0.9, list_meanings("word"), mind.load_lines(language)))
            assert [turn.feedback for turn in stage.game.turns] == [(0, 0)], phrase
            assert stage.said[0] == "score, none"


def test_the_pace_of_scores_outlives_a_restart_and_is_bounded():
    stage = Stage().hear("ready").in_one_breath(0, 1).in_one_breath(0, 1).in_one_breath(0, 1)
    assert stage.talk.pace == states.IN_ONE_BREATH
    assert Stage(start=stage.talk).hear("yes", "no").said == ["two numbers"]
    assert Stage().hear("ready").score(0, 1).score(0, 1).score(0, 1).talk.pace == states.ONE_BY_ONE


def weigh(meaning, phrase, confidence, talk, certainty=UNSURE):
    """Return the certainty of a hearing that was weighed with a confidence."""
    found = Hearing(certainty, meaning, phrase)
    return hearing.weigh_hearing(found, confidence, talk, mind_of(), (0.3, 0.55)).certainty


def test_a_command_that_does_nothing_now_is_doubted():
    """A "ready" was misheard as "I give up" before the game, and NAO answered that."""
    ready = Talk(NEW_GAME, state="ready")
    for meaning in ("give up", "score", "left"):
        assert [weigh(meaning, meaning, confidence, ready) for confidence in (0.57, 0.9)] == [UNSURE, SURE], meaning
        assert weigh(meaning, meaning, 0.57, Talk(NEW_GAME.ask(WORDS[0]).answer((0, 0)), state="ready")) == (
            UNSURE if meaning == "give up" else SURE
        )
    assert weigh("back", "take it back", 0.57, ready) == SURE
    assert weigh("back", "take it back", 0.57, ready._replace(state="role")) == UNSURE
    assert weigh("help", "help me please", 0.57, ready) == SURE


def test_expected_answers_are_believed_sooner_than_surprises():
    """The first guess is hardly ever the word; the only word left is, and NAO confirms a rare score."""
    measured = Settings(certainty=(0.2, 0.7))
    talk = Talk(NEW_GAME.ask(WORDS[0]), state="word", settings=measured)
    for meaning, confidence, wanted in (
        ("no", 0.6, SURE),
        ("yes", 0.9, UNSURE),
        ("yes", 1.0, SURE),
        ("stop", 0.9, UNSURE),
        ("stop", 0.95, SURE),
    ):
        assert weigh(meaning, meaning, confidence, talk) == wanted, meaning
    assert hearing.weigh_hearing(NOTHING_HEARD, 0.0, talk, mind_of(), (0.3, 0.55)) == NOTHING_HEARD
    measured = Settings(certainty=(0.1, 0.7))
    talk = Talk(NEW_GAME, state="both", settings=measured)
    assert [weigh("2 1", "two and one", confidence, talk, SURE) for confidence in (0.75, 0.85)] == [UNSURE, SURE]
    # What NAO has not understood at first is doubted, too, but no yes or no to "did you say", nor a command.
    talk = talk._replace(game=NEW_GAME.ask(WORDS[0]))
    report = partial(hearing.understand_report, wanted=states.list_meanings("both"), mind=mind_of(), lines=LINES)
    for again, missed, wanted in ((False, 0, SURE), (True, 0, UNSURE), (False, 1, UNSURE)):
        assert report("zero and one", 0.9, talk=talk._replace(misses=missed), is_repeated=again).certainty == wanted
    asking = talk._replace(doubt=Doubt("0 1", "zero and one"))
    assert [report(phrase, 0.85, talk=asking).certainty for phrase in ("zero and one", "two and one")] == [SURE, UNSURE]
    # A misheard "that's my word" would end the round: NAO must hear a yes twice, or a typed one.
    asking = talk._replace(state="word", doubt=Doubt("my word", "that's my word"))
    for unsure, confidence, wanted in (("my word", 0.99, UNSURE), ("my word", 1.0, SURE), ("", 0.9, SURE)):
        found = report("yes", confidence, wanted=states.list_meanings("word"), talk=asking._replace(unsure=unsure))
        assert found.certainty == wanted
    # NAO doubts a number above five, as a word has five letters.
    assert weigh("beyond", "six", 0.9, talk._replace(game=NEW_GAME.ask(WORDS[0])), SURE) == UNSURE
    # A whole word is confirmed unless it was typed.
    talk = Talk(NEW_GAME, state="your guess", settings=measured)
    assert [weigh(ANY_WORD, "uncle", confidence, talk, SURE) for confidence in (0.91, 1.0)] == [UNSURE, SURE]


def test_a_recogniser_that_was_not_measured_is_weighed_too():
    """A likely answer needs less confidence, a surprising one more, and what can be taken back needs little."""
    for state, meaning, confidence, wanted in (
        ("word", "no", 0.43, SURE),
        ("word", "no", 0.2, UNSURE),
        ("word", "yes", 0.5, UNSURE),
        ("word", "yes", 0.8, SURE),
        ("both", "0 1", 0.45, SURE),
        ("both", "3 1", 0.6, UNSURE),
        ("both", "3 1", 0.9, SURE),
        ("again", "no", 0.43, SURE),
        ("again", "race", 0.5, UNSURE),
        ("ready", "ready", 0.43, SURE),
    ):
        talk = Talk(NEW_GAME.ask(WORDS[0]), state=state)
        assert weigh(meaning, meaning, confidence, talk) == wanted, (state, meaning, confidence)


def test_a_guess_that_fits_naos_answers_needs_less_confidence():
    """A misheard word hardly ever fits; another one is believed as soon as a first guess."""
    for guessed, word, confidence, wanted in (
        ([], "ocean", 0.5, UNSURE),
        ([], "ocean", 0.6, SURE),
        (["canoe"], "ocean", 0.45, SURE),
        (["canoe"], "uncle", 0.5, UNSURE),
        (["canoe"], "uncle", 0.6, SURE),
        (["canoe"], "canoe", 0.5, UNSURE),
    ):
        riddle = games.start_riddle(NEW_GAME, ["ocean"])
        for guess in guessed:
            riddle = riddle.guess(guess)
        talk = Talk(NEW_GAME, riddle=riddle, state="your guess")
        assert weigh(ANY_WORD, word, confidence, talk) == wanted, (guessed, word, confidence)


def test_a_player_asked_to_confirm_answers_and_seldom_wants_something_else():
    talk = Talk(
        NEW_GAME, state="again", settings=Settings(certainty=(0.1, 0.7)), doubt=Doubt("score", "what was the score")
    )
    said = ("yes", "no", "score", "two", "2 1", "3", "a", "any word", "go on", "race", "stop", "hint")
    unclear = [meaning for meaning in said if weigh(meaning, meaning, 0.85, talk, SURE) == UNSURE]
    assert unclear == ["two", "2 1", "3", "any word", "race", "stop", "hint"]
    for meaning in ("race", "2 1", "3"):
        assert weigh(meaning, meaning, 0.97, talk, SURE) == SURE


HOME = settings.LINES_FOLDER
OTHERS = [code for code in settings.LANGUAGE_CODES if code != settings.DEFAULT_LANGUAGE]
LISTENING = sorted(name for name in STATES if STATES[name].listens)


def plain(code):
    with io.open(os.path.join(HOME, "lines_%s.json" % code), encoding="utf-8") as source:
        return json.load(source)


PLAIN = {code: plain(code) for code in settings.LANGUAGE_CODES}
SPOKEN = {code: lines.read_lines(HOME, code) for code in settings.LANGUAGE_CODES}


def test_a_language_has_the_keys_and_the_words_of_english():
    def put_in(wordings):
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
        assert set(theirs["letters"]) == set(theirs["alphabet"]) <= set(states.EVERY_LETTER), code
        # Name and letters are read from the beginning of the file.
        assert (settings.LANGUAGE_NAMES[code], settings.ALPHABETS[code]) == (theirs["language"], theirs["alphabet"])
        assert len(set(theirs["letters"].values())) == len(theirs["alphabet"]), code


def test_nothing_english_is_left_to_be_heard():
    # Words that English cannot do without and that none of the other languages has.
    english = frozenset(
        re.findall(
            "[a-z]+",
            """
the your you my is are it that this of and with not what which who letter letters word words elsewhere yes ready guess
guesses right wrong say tell touch think game play please sorry back help hint zero one two three four five nothing
head front""",
        )
    )
    for code in OTHERS:
        spoken, texts = SPOKEN[code], []
        for key in sorted(PLAIN[code]["lines"]):
            texts.extend(PLACEHOLDER.sub(" ", wording) for wording in spoken.list_wordings(key))
        asked = [meaning for meaning in PLAIN[code]["words"] if not meaning.startswith("language")]
        texts.extend(spoken.list_phrases(asked) + spoken.list_typed_phrases(asked))
        for form in [form for row in PLAIN[code]["forms"].values() for form in row]:
            texts.append(form)
        for text in texts:
            words = set(re.findall(r"[^\W\d_]+", text.lower(), re.UNICODE))
            assert not words & english, text


def speak_every_line(code):
    """Yield the key and the texts of every line, with several numbers."""
    numbers = ("exact", "misplaced", "old_exact", "old_misplaced", "number", "count", "attempts", "rest", "worst")
    numbers += ("tries",)
    spoken = SPOKEN[code]
    for key in sorted(PLAIN[code]["lines"]):
        for number in (0, 1, 2, 7):
            words = dict.fromkeys(("guess", "word", "spelling", "slowly", "phrase"), "ocean")
            words.update(letters="oce", letter="o", clearly="o", list="words", strategy="best", language="xy")
            words.update(dict.fromkeys(numbers, number))
            # The first letter is number one.
            words["number"] = max(number, 1)
            words["turns"] = [["ocean", [number, number]]]
            yield key, [spoken.speak(Line(key, words), 7, beat).text for beat in range(len(spoken.list_wordings(key)))]


@pytest.mark.only_python_3
def test_every_line_is_said_with_any_number():
    for code in settings.LANGUAGE_CODES:
        blocked = mind.load_block_list(code)
        for key, texts in speak_every_line(code):
            assert len(set(texts)) == len(texts), key
            for text in texts:
                assert not set("{}|#") & set(text), (key, text)
                assert "  " not in text.replace(" \\pau", "\\pau").replace("\\ ", "\\"), (key, text)
                assert blocked.clean(text, "beep") == text, (key, text)


@pytest.mark.only_python_3
def test_numbers_agree_with_their_letters_and_pairs_are_bare_numbers():
    """As the player says them: "un et deux", "uno y dos"; with a noun it is "aucune bien plac\u00e9e"."""
    for code, odd in (
        ("fr", r"z\u00e9ro (?:bien|mal)|\b(?:un|aucune|une) (?:bien|mal) plac\u00e9es|\bune et |\bet une\b(?! mal)"),
        ("es", r"cero en|\buno en|\buna y|\by una\b(?! en| como)"),
    ):
        texts = [text for _, texts in speak_every_line(code) for text in texts]
        assert len(texts) > 1000 and [text for text in texts if re.search(odd, text, re.I | re.UNICODE)] == []


def test_what_nao_tells_people_to_say_is_understood():
    # What NAO tells people to say.
    quoted = re.compile("[\u00ab\u201e]\\s?([^\u00bb\u201c]+?)\\s?[\u00bb\u201c]", re.UNICODE)
    for code in OTHERS:
        spoken = SPOKEN[code]
        known = set(states.COMMANDS).union(*[STATES[name].moves for name in LISTENING])
        examples = "table blume mundo crâne nacre regal lager tiger truhe ratón toser niche chien matin mardi"
        for key in sorted(PLAIN[code]["lines"]):
            for wording in spoken.list_wordings(key):
                for phrase in quoted.findall(wording):
                    if PLACEHOLDER.search(phrase) or phrase.lower() in examples.split():
                        continue
                    assert spoken.find_meaning(phrase, known) is not None, (key, phrase)


def test_a_score_is_heard_in_the_words_of_nao_s_question():
    for code, phrase in (
        ("en", "one in the right place and two in the wrong place"),
        ("de", "einer am richtigen Platz und zwei am falschen"),
        ("fr", "une bien plac\u00e9e et deux mal plac\u00e9es"),
        ("es", "una en su sitio y dos en otro"),
    ):
        assert phrase in SPOKEN[code].list_phrases(["1 2"]), (code, phrase)


def test_german_says_it_as_people_say_it():
    for odd in (
        r"(?i)\btipp(?!s)(?<!einen tipp)(?<!einem tipp)",  # a hint, and never to touch or to type
        r"(^|[.!] )(Hast|Bist) du [^?]*, sag:",
    ):
        wordings = [wording for key in PLAIN["de"]["lines"] for wording in SPOKEN["de"].list_wordings(key)]
        assert [wording for wording in wordings if re.search(odd, wording, re.UNICODE)] == [], odd


def test_french_signs_have_their_spaces():
    """U+202F before "?", "!" and ";", U+00A0 before ":" and inside quotes: a page never begins a line with a sign."""
    for key in PLAIN["fr"]["lines"]:
        for wording in SPOKEN["fr"].list_wordings(key):
            said = PLACEHOLDER.sub("x", wording)
            assert not re.search("[^\u202f][!?;]|[^\u00a0][:\u00bb]|\u00ab[^\u00a0]", said), (key, wording)


@pytest.mark.only_python_3
def test_no_phrase_means_two_things_at_once():
    for name in LISTENING:
        for code in settings.LANGUAGE_CODES:
            spoken = SPOKEN[code]
            for doubt in (False, True):
                wanted = list_meanings(name, doubt)
                assert len(wanted) == len(set(wanted)), name
                phrases = [phrase.lower() for phrase in spoken.list_phrases(wanted)]
                assert len(phrases) == len(set(phrases)), sorted(each for each in phrases if phrases.count(each) > 1)
                for meaning in wanted:
                    for phrase in spoken.list_phrases([meaning]):
                        assert spoken.find_meaning(phrase.upper(), wanted) == meaning, phrase
                        assert not re.search("[^\\w' -]|[\\d_]", phrase, re.UNICODE), phrase
            own = [meaning for meaning in list_meanings(name) if meaning not in PAIRS + states.LANGUAGES]
            assert len(spoken.list_phrases(own)) <= 120, (code, name)


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
    assert SPOKEN["es"].find_phrase_like("no", ["falso"]) is None
    assert SPOKEN["fr"].find_phrase_like("oui", ["ouais"]) is None
    assert SPOKEN["es"].find_phrase_like("falso", ["no", "s\u00ed"]) == "no"


def test_numbers_choose_the_form():
    forms = NumberForms([0, 1], {"f": ["zéro", "une"]})
    put = [
        fill_wording("{Exact:f} {exact:lettre|lettres}", {"exact": "%d" % number}, {"exact": number}, forms)
        for number in (0, 1, 2)
    ]
    assert put == ["Zéro lettre", "Une lettre", "2 lettres"]
    three = [NumberForms([1], {}).choose("keiner|einer|# viele", number, "drei") for number in (0, 1, 3)]
    assert three == ["keiner", "einer", "drei viele"]


def test_lists_are_joined_as_people_join_them():
    for code, letters, turns, spelled in (
        ("es", "ai", [["ideal", [1, 0]], ["hielo", [0, 2]]], "A e I"),
        ("es", "iy", [], "I y Y"),
        ("fr", "aé", [], "A et É"),
        ("de", "aß", [], "A und \u1e9e"),
    ):
        assert SPOKEN[code]._say_value("letters", letters) == spelled, (code, letters, turns, spelled)
        if turns:
            assert "y hielo" in SPOKEN[code]._say_value("turns", turns) and capitalise_word("hielo") == "HIELO"


def test_the_names_are_those_of_naoqi():
    assert {code: PLAIN[code]["language"] for code in PLAIN} == settings.LANGUAGE_NAMES
    for name, found in (("fr", "fr"), ("French", "fr"), (" german ", "de"), ("Klingon", None), ("", None)):
        assert settings.find_code(name) == found, name
    for code in settings.LANGUAGE_CODES:
        assert set(PLAIN[code]["languages"]) == set(settings.LANGUAGE_CODES)
