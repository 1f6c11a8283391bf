"""Answers in other languages than English, by synthetic voices: both recognisers must hear them."""

from importlib.util import find_spec

import pytest
from command_line import jotto

from jotto_behaviour.mind import load_lines
from jotto_behaviour.settings import LANGUAGE_NAMES
from jotto_behaviour.states import list_meanings
from jotto_desk.errors import DeskError
from jotto_desk.rehearsal.voice import VOICE_CERTAINTY, check_spoken
from naosim_voice import noise, speaking
from naosim_voice.model import find_model, list_languages
from naosim_voice.phrases import BEGIN, FORMS, NATIVE_FORMS, PhraseGraph, Tokens, respell
from naosim_voice.pronunciation import sound_foreign
from naosim_voice.recogniser import (
    BEST,
    LANGUAGES,
    PLAIN,
    RECOGNISERS,
    Recognised,
    Vocabulary,
    VoiceError,
    check_vocabulary,
    open_recogniser,
)

has_both = find_model() is not None and all(find_spec(name) for kind in RECOGNISERS.values() for name in kind.libraries)


def needs_both(test):
    """Skip a test without both recognisers and a voice."""
    return pytest.mark.program("espeak-ng")(
        pytest.mark.skipif(not has_both, reason="needs Moonshine and pocketsphinx")(test)
    )


@pytest.fixture(scope="module")
def recogniser():
    return open_recogniser(BEST)


@needs_both
@pytest.mark.parametrize(
    ("language", "question", "said", "meaning"),
    [
        ("es", "word", "s\u00ed", "yes"),
        ("es", "word", "no", "no"),
        ("es", "word", "exacto", "yes"),
        ("es", "exact", "uno", "1"),
        ("es", "exact", "dos", "2"),
        ("es", "exact", "cinco", "5"),
        ("es", "word", "elefante", ""),
        ("es", "exact", "ma\u00f1ana vamos a la playa", ""),
    ],
)
def test_spoken_answers_are_believed_or_asked_about(recogniser, language, question, said, meaning):
    lines = load_lines(language)
    recogniser.forget_room()
    recogniser.open(Vocabulary(tuple(lines.list_phrases(list_meanings(question))), language=language))
    sound = noise.add_noise(
        speaking.speak_as(said, speaking.VoiceChoice(f"{language}-419+f3", 155, 55)), noise.Noise(), 1
    )
    found = next(event for event in recogniser.feed(sound.pcm) if isinstance(event, Recognised)).hypotheses
    assert (lines.find_meaning(found[0].phrase, list_meanings(question)) if found else "") == meaning
    # Both recognisers hear short words of two sounds.
    assert len(said) > 2 or found[0].confidence >= VOICE_CERTAINTY[1]


@pytest.mark.parametrize("language", sorted(FORMS.keys() - {"en"}))
def test_every_word_of_the_phrases_has_phones_and_a_spelling(language):
    lines = load_lines(language)
    words = {
        word
        for meaning in list_meanings("exact")
        for phrase in lines.list_phrases([meaning])
        for word in phrase.split()
    }
    assert all(sound_foreign(word.lower(), language) and respell(word.lower(), language).isascii() for word in words)


@pytest.mark.parametrize("language", sorted(NATIVE_FORMS.keys() - {"en"}))
def test_a_network_of_a_language_knows_its_letters(language):
    lines, forms = load_lines(language), NATIVE_FORMS[language]
    assert lines.letters.keys() == forms.letters.keys()
    names = {letter: [name.lower()] for letter, name in lines.letters.items()}
    assert all(forms.alphabet.get(letter, forms.letters[letter]) == name for letter, name in names.items())


def test_languages_of_a_recogniser():
    assert list_languages(PLAIN) == {"en": "English"}
    assert all(LANGUAGE_NAMES[code] == name for code, name in LANGUAGES.items())
    with pytest.raises(VoiceError, match="'it' is not one of en"):
        check_vocabulary(Vocabulary(("no",), language="it"))
    check_spoken("", PLAIN)
    with pytest.raises(DeskError, match="only with two recognisers"):
        check_spoken("es", PLAIN)
    with pytest.raises(DeskError, match="only spoken English and Spanish: play in French without --voice"):
        check_spoken("fr", BEST)


@needs_both
def test_a_model_of_another_language_is_kept_and_its_licence_shown(capsys, monkeypatch, tmp_path):
    """The English model stands for a German one."""
    english = find_model()
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "en"))
    for options in (("--language", "de"), ("--from", english)):
        code, _, err = jotto(capsys, "voice", "model", *options)
        assert code == 2 and "give both --language and --from" in err
    code, _, err = jotto(capsys, "voice", "model", "--language", "de", "--from", tmp_path / "none")
    assert code == 2 and "none' cannot be read" in err and err.count("\n") == 1
    code, out, _ = jotto(capsys, "voice", "model", "--language", "de", "--from", english)
    assert code == 0 and f"spoken German, by the model in {tmp_path / 'moonshine-de'}." in out
    assert "begins: 'MIT License'" in out and "jotto voice hear FOLDER --language de" in out
    assert "run jotto voice model" in out
    check_spoken("de", BEST)


def test_long_phrases_of_another_language_are_followed_as_they_sound():
    letters = [
        bytes([len(text)]) + text for text in (b"<unk>", b"<s>", b"</s>", *(bytes([code]) for code in range(32, 123)))
    ]
    graph = PhraseGraph(Tokens(b"".join(letters)), ["no me queda tiempo"], FORMS["es"])
    places = graph.start
    for letter in b"no may ketha tyempo":
        places = graph.follow(places)[letter - 32 + BEGIN + 2]
    assert graph.phrases_at(places) == {0}
