"""`jotto play`: games from a pipe, the end of input, kills and full disks, and the reading of typed lines."""

import os
import re
import signal
import subprocess
import sys
import threading
import unicodedata

import pytest
from processes import process

from jotto.words import fold_word
from jotto_behaviour import memory, mind
from jotto_behaviour.files import Notebook
from jotto_behaviour.hearing import list_sayable_words
from jotto_behaviour.riddle import get_role
from jotto_behaviour.settings import LANGUAGE_CODES
from jotto_behaviour.states import PAIRS, STATES, list_meanings
from jotto_desk.conversation.answers import (
    MUMBLED_CONFIDENCE,
    SPELLING_STATES,
    TYPED_CONFIDENCE,
    Typed,
    choose_phrase,
    explain_misfit,
    parse_typed_line,
    split_line,
    understood,
)
from jotto_desk.conversation.game_record import is_said, is_said_somehow
from jotto_desk.play.page.texts import translate_into
from jotto_desk.play.table import KEYBOARD_NAMES, KEYS, UNDERSTOOD, WELCOME

PLAY = [sys.executable, "-m", "jotto_desk", "play", "--seed", "4"]


@pytest.fixture
def play(cli, monkeypatch):
    """Return a function that plays a typed game in this process and returns the lines shown."""
    monkeypatch.setenv("COLUMNS", "300")

    def run(typed, *arguments):
        code, out, err = cli("play", "--seed", "4", *arguments, typed=typed)
        assert (code, err) == (0, "")
        return out.splitlines()

    return run


@pytest.fixture
def environ(tmp_path):
    return {**os.environ, "XDG_DATA_HOME": str(tmp_path / "share"), "COLUMNS": "300", "PYTHONIOENCODING": "utf-8"}


# Games.


def test_a_game_is_saved_and_continued(play):
    lines = play("ready\nno\n0\n1\n")
    assert lines[-1] == "(You left; NAO has saved the game.)"
    lines = play("yes\nno\n0 1\nstop\nyes\n")
    assert "Want to keep playing?" in lines[0] and "gets zero and one" in lines[2]
    assert lines[-1].endswith("so we can keep playing next time.")


@pytest.mark.parametrize(
    "runs",
    [
        # Options, lines typed, the language and the line with which NAO begins, and the game that is saved then.
        """
--language fr | prêt/non/1 1 | fr | who guesses | fr breaker normal: 1
| | en | who guesses |
| ready/no/0 1 | en | who guesses | en breaker normal: 1
--language fr | oui | fr | go on with our game | fr breaker normal: 1
| yes/no/0 1 | en | go on with our game | en breaker normal: 2
""",
        # README's commands, in order.
        """
| ready/no/0 1 | en | who guesses | en breaker normal: 1
--role i-guess | canoe | en | I have a word | en maker normal: 1
--level easy | i guess/train/table | en | who guesses | en maker easy: 2
--language fr | prêt/non | fr | who guesses | fr breaker normal: 0
| yes | en | go on with our game | en maker easy: 2
--role nao-guesses | yes | en | go on with our game | en breaker normal: 1
--role i-guess --level normal | yes | en | go on with our game | en maker normal: 1
--language fr | oui | fr | go on with our game | fr breaker normal: 0
""",
        # A game that the player ends or refuses gives way to the one that was set aside.
        """
--seed 5 | ready/no/0 1 | en | who guesses | en breaker normal: 1
--seed 6 | ready/no/0 1/no/0 1 | en | who guesses | en breaker normal: 2
--seed 5 | yes | en | go on with our game | en breaker normal: 1
| no/stop | en | go on with our game |
| yes | en | go on with our game | en breaker normal: 2
--seed 5 | | en | who guesses |
""",
        # A language that the player chooses by voice stays, as that is the game to be continued.
        """
| parlons français/prêt/non/0 1 | en | who guesses | fr breaker normal: 1
| oui | fr | go on with our game | fr breaker normal: 1
--language fr | oui | fr | go on with our game | fr breaker normal: 1
""",
    ],
    ids=["tried once", "README", "seeds", "by voice"],
)
def test_a_chosen_game_is_begun_and_the_old_one_is_kept(cli, tmp_path, runs):
    for row in runs.strip("\n").splitlines():
        options, typed, language, first, saved = (cell.strip() for cell in row.split("|"))
        code, out, err = cli("play", *options.split(), typed="".join(f"{line}\n" for line in typed.split("/") if line))
        assert (code, err) == (0, "")
        begins = next(line for line in out.splitlines() if "NAO  " in line)
        assert is_said_somehow(mind.load_lines(language), first, [begins]), (row, out)
        text = Notebook(str(tmp_path / "share" / "nao-jotto")).load_unfinished()
        now = memory.parse_talk_text(text) if text else None
        found = f"{now.language} {get_role(now)} {now.level}: {len(now.played.turns)}" if now else ""
        assert found == saved, (row, out)


def test_a_game_that_cannot_be_set_aside_stays(cli, tmp_path):
    """NAO plays what the player has chosen, and does not save it."""
    cli("play", typed="ready\nno\n1 1\n")
    kept = tmp_path / "share" / "nao-jotto" / "unfinished.json"
    before = kept.read_text()
    (tmp_path / "share" / "nao-jotto" / "set-aside.json").mkdir()
    code, out, err = cli("play", "--language", "fr", typed="prêt\nnon\n1 1\n")
    assert (code, err, out.count("Notes are not saved: '")) == (0, "", 1) and out.count("NAO  ") > 3
    assert out.splitlines()[-1] == "(Tu as quitté le jeu.)"
    assert kept.read_text() == before


@pytest.mark.parametrize(
    "set_to, language",
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANGUAGE": "fr:en", "LANG": "de_DE.UTF-8"}, "fr"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_MESSAGES": "es"}, "es"),
        ({"LANG": "nl_NL.UTF-8"}, "en"),
        ({"LANG": "ß"}, "en"),
        ({}, "en"),
    ],
)
def test_nao_speaks_the_language_of_the_computer(cli, monkeypatch, set_to, language):
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, set_to.get(name, ""))
    _, out, _ = cli("play", "--transcript", "game.txt")
    spoken = mind.load_lines(language)
    assert is_said_somehow(spoken, "who guesses", out.splitlines())
    assert "said the same" in cli("replay", "game.txt")[1], "the replay speaks it, too"


def test_forget_keeps_nothing(play, tmp_path):
    assert play("ready\nno\n0 1\nstop\nyes\n", "--forget")[-1].endswith("Bye! I haven't saved our game.")
    assert not list(tmp_path.iterdir())


def test_a_game_that_cannot_be_saved_says_so(play, tmp_path):
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "nao-jotto").write_text("a file where the folder should be", encoding="utf-8")
    lines = play("ready\nno\n0\n1\n")
    path = tmp_path / "share" / "nao-jotto" / "unfinished.json"
    assert lines[-1] == "(You left.)"
    assert any(line.startswith(f"(Notes are not saved: '{path}' cannot be written (") for line in lines)
    lines = play("ready\nno\n0 1\nstop\nyes\n")
    assert lines[-1].endswith("Bye! I haven't saved our game.") and not any("Errno" in line for line in lines)


def test_a_typed_word_goes_into_the_sealed_note(play):
    lines = play("you guess\ncheck my counting\nocean\nno\n0 0\n", "--seed", "3")
    said = " ".join(line for line in lines if "NAO" in line)
    assert "sealed" in said and said.count("Sorry") == 0 and "Count TAPES again" in said


def test_a_question_mark_shows_what_nao_understands_and_what_makes_sense(play):
    lines = play("?\n")
    start = lines.index(UNDERSTOOD)
    groups = lines[start + 1 : lines.index("", start)]
    assert " ".join(line.split()[0] for line in groups) == "answers levels help stop languages keyboard"
    assert max(map(len, groups)) < 140
    later = "\n".join(play("ready\nno\n0 0\n?\n"))
    for meaning in ("score", "left", "give up", "back", "mistake"):
        phrase = mind.load_lines().list_phrases([meaning])[0]
        assert phrase in later and phrase not in "\n".join(lines)


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_commands_of_the_keyboard_have_names_in_each_language(play, language):
    """The names that `?` shows are understood, also without accents and in capitals, and so are the English ones."""
    texts = translate_into(language)
    board, *touches = (texts(name) for name in KEYBOARD_NAMES)
    assert all(name in texts(KEYS) for name in (board, *touches))
    assert all(name in " ".join(map(texts, WELCOME.splitlines())) for name in (board, touches[0], touches[2]))
    front, middle, back = (fold_word(name).upper() for name in touches)
    for row in (
        (board.upper(), back, front, middle),
        KEYBOARD_NAMES[:1] + ("touch back", " Touch  Front", "touch middle"),
    ):
        lines = play("\n".join(row) + "\n", "--language", language, "--forget")
        spoken = mind.load_lines(language)
        assert any(texts("The board is empty: no word has been guessed yet.") in line for line in lines), lines
        assert sum(is_said_somehow(spoken, key, lines) for key in ("I have a word", "stop", "goodbye")) == 2, lines


def test_the_board_writes_words_with_their_accents(play):
    lines = play("c\u0153ur\nfor\u00eat\nboard\n", "--language", "fr", "--role", "maker", "--forget")
    assert any(line.startswith(" 1 C\u0152UR   ") for line in lines)
    assert any(" 2 FOR\u00caT  " in line for line in lines)


def test_silence_before_the_first_guess_does_not_ask_for_the_next_one(play):
    for language, first in (("en", "next|now"), ("de", "jetzt"), ("fr", "maintenant"), ("es", "ahora")):
        for seed in range(1, 7):
            lines = play("\n", "--language", language, "--role", "maker", "--forget", "--seed", str(seed))
            asked = [line for line in lines if "NAO  " in line][-1]
            assert not re.search(first, asked), asked


def test_odd_lines_are_a_mumble_and_the_command_line_chooses_the_role(play):
    assert len(play("\u00e9t\u00e9 \U0001f600\n" + "x" * 5000 + "\n\x07\n")) > 5
    roles = {"maker": "five", "i-guess": "five", "breaker": "ready", "nao-guesses": "ready", "race": "a race!"}
    for role, first in roles.items():
        lines = play("", "--role", role, "--forget")
        assert first in lines[0].lower() and "Who guesses?" not in lines[0]


def test_the_user_guesses(play):
    lines = play("my turn to guess\nabc\nhello\nhint\ngive up\nyes\nno\n")
    assert any("A guess has five letters; 'ABC' has 3." in line for line in lines)
    assert sum("hello" in line.lower() for line in lines) == 2, "what was typed, and one line about it"
    assert any("A guess has five different letters; 'HELLO' has L twice." in line for line in lines)
    assert any("as in" in line for line in lines) and "bye" in lines[-1].lower()
    assert not any("Traceback" in line or "wrong" in line for line in lines)


def test_an_unknown_word_has_one_answer_and_the_next_word_counts(play):
    unknown = "('QWERT' is not on NAO's list and does not count. Guess another word.)"
    for typed in ("qwert", "hotel\nqwert", "q\nw\nqwert"):
        lines = play(f"{typed}\ncanoe\n", "--role", "maker", "--forget")
        assert lines.count(unknown) == 1
        assert "CANOE" in lines[lines.index(unknown) + 2]
        assert not any("Quebec" in line or "Is your guess" in line for line in lines[lines.index(unknown) :])
    lines = play("q w e r t\nqwert\ncanoe\n", "--role", "maker", "--forget")
    assert is_said(mind.load_lines(), "not a word of mine", lines, word="qwert") and unknown in lines
    assert any("CANOE" in line for line in lines)


@pytest.mark.parametrize(
    "language, typed, says",
    [
        ("en", "alpha/november/november/golf/lima", "letter twice: letters=ann number=3"),
        ("en", "a n n/n", "letters dropped"),
        ("en", "m/a/n/q/t", "not a word of mine: word=manqt"),
        ("en", "o c e a x/y", "your word?, shortly: word=ocean"),
        ("de", "a n n", "letter twice: letters=ann number=3"),
        ("fr", "a n n", "letter twice: letters=ann number=3"),
        ("es", "a n n", "letter twice: letters=ann number=3"),
        ("de", "x y q v w", "not a word of mine: word=xyqvw"),
        ("fr", "x y q v w", "not a word of mine: word=xyqvw"),
        ("es", "x y q v w", "not a word of mine: word=xyqvw"),
    ],
)
def test_nao_proposes_no_nonsense(play, language, typed, says):
    lines = play(typed.replace("/", "\n") + "\n", "--role", "maker", "--forget", "--language", language)
    key, _, words = says.partition(": ")
    pairs = [word.split("=") for word in words.split()]
    given = {name: int(value) if value.isdigit() else value for name, value in pairs}
    spoken = mind.load_lines(language)
    assert is_said(spoken, key, lines, **given), lines
    assert is_said_somehow(spoken, "your word?, shortly", lines) == key.startswith("your word?"), lines


def test_a_typed_line_that_is_not_understood_has_no_answer_about_hearing(play):
    for language, hearing in (("en", "hear|ears"), ("de", "hör|Ohr"), ("fr", "enten|oreille"), ("es", "oí|oig|oído")):
        lines = play("xx xx\n" * 6, "--role", "breaker", "--language", language, "--forget")
        said = [line for line in lines if "NAO" in line]
        assert len(said) > 6 and not re.search(hearing, " ".join(said))


# Processes: odd terminals, full disks, Ctrl-C and kills.


def test_without_an_input_the_game_is_left_and_a_terminal_without_utf_8_sends_odd_bytes(environ):
    ended = process("sh", "-c", '"$@" <&-', "sh", *PLAY, env=environ)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines()[-1] == "(You left.)", "no game has begun"
    plain = {**environ, "PYTHONIOENCODING": "ascii:strict"}
    ended = process(*PLAY, env=plain, input=b"\xff\xfe\nready\n", text=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"? NAO  " in ended.stdout and b"Is it" in ended.stdout


def test_a_german_game_in_a_terminal_that_names_no_encoding(environ):
    """Everything around NAO's words is German, too, and the sharp s takes the place of one letter."""
    plain = {**environ, "LC_ALL": "C", "PYTHONIOENCODING": ""}
    typed = "board\ngr\u00fc\u00dfe\nhallo\nabc\nboard\n?\n"
    ended = process(*PLAY, "--language", "de", "--role", "maker", env=plain, input=typed, encoding="utf-8")
    shown = ended.stdout
    assert (ended.returncode, ended.stderr) == (0, "")
    parts = (
        "(Die Tafel ist leer|\n 1 GR\u00dc\u1e9eE  |\u201eHALLO\u201c hat L doppelt.)|hat 3.)|\u25cf du |versteht NAO|"
        "jedes von 17|\u00c4 \u00d6|m\u00f6gliche W\u00f6rter|(Du bist gegangen; NAO hat das Spiel gespeichert.)"
    )
    for said in parts.split("|"):
        assert said in shown, said
    assert not {"you", "guess", "letters", "open", "NAO's"} & set(shown.split())


def test_a_full_output_is_one_sentence(environ):
    for arguments in ("--version", "words show --json", "play", "--help"):
        command = f'exec "$0" -m jotto_desk {arguments} < /dev/null > /dev/full'
        ended = process("sh", "-c", command, sys.executable, env=environ)
        assert (ended.returncode, ended.stderr) == (2, "The output cannot be used (no space left on device).\n")


@pytest.mark.parametrize(
    "sign", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], ids=lambda one: one.name
)
def test_an_interrupted_game_is_continued(play, environ, sign):
    """Ctrl-C, a closed terminal, a shutdown and a power cut lose no answer."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(PLAY, text=True, env=environ, **pipes) as child:
        # A child that prints less than expected must not keep the test waiting.
        killer = threading.Timer(30, child.kill)
        killer.start()
        child.stdin.write("ready\nno\n0\n1\n")
        child.stdin.flush()
        shown = [child.stdout.readline() for _ in range(10)]
        child.send_signal(sign)
        _, err = child.communicate(timeout=30)
        killer.cancel()
    assert "Is it" in shown[-1] and "Traceback" not in err
    assert child.returncode == (130 if sign == signal.SIGINT else -sign)
    lines = play("yes\nno\n")
    assert "Want to keep playing?" in lines[0] and "gets zero and one" in lines[2]


def test_a_full_disk_is_reported_once_and_leaves_the_saved_game(play, environ, tmp_path):
    play("ready\nno\n0\n1\n")
    kept = tmp_path / "share" / "nao-jotto" / "unfinished.json"
    before = kept.read_text()
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); import jotto_desk.__main__ as desk"
    command = [PLAY[0], "-c", f"{limited}; desk.main()", *PLAY[3:]]
    lines = process(*command, env=environ, input="yes\nno\n0 1\nno\n0 1\nstop\nyes\n").stdout.splitlines()
    assert sum("Notes are not saved: '" in line for line in lines) == 1
    assert "Bye! I've saved our game, but not the very end of it." in lines[-1]
    assert kept.read_text() == before


# Typed lines.


def rows(table):
    """Yield the state, the line and the result of each row of a table."""
    for state, _, items in (row.partition(": ") for row in table.strip().splitlines()):
        for item in items.split("; "):
            yield (state, *item.split(" > "))


def test_typed_lines_are_understood():
    # The state of the talk, lines, and the phrase of the whole vocabulary that each stands for.
    phrases = """
both: 1 and 2 > one and two; i think one and two > one and two; none at all > none at all
word: 1 in place and 2 elsewhere > one and two; nope > no; yep > yes
exact: 6 > six; 12 > six; ten > six; nine > six; 5 > five; it's one > it's one; i think it's two > two
exact: none > nothing at all; no letters > no letters; quit > stop the game
misplaced: 7 > six; twelve > six; i think two > I think two; nil > nothing at all
again: yeah > yes; race > race
your guess: exit > stop the game; h > H; hotel > hotel
role: rules > what are the rules
ready: rules > what are the rules
word or letter?: o > O
"""
    known = """
word: yes > yes; y > yes; That's Right > that's right; that's right > that's right; yes please > yes
exact: 2 > two; i think two > two; it's 2 letters > two; only two please > two
spell: o > oscar
your guess: o > oscar
"""
    vocabulary_ = ["no", "yes", "two", "that's right", "go back", "oscar"]
    lines = mind.load_lines()
    for state, text, phrase in rows(known):
        assert parse_typed_line(text, state, lines, vocabulary_) == Typed(phrase, TYPED_CONFIDENCE), text
    # Lines that NAO does not understand.
    for text, state in [
        ("i think", "word"),
        ("touch nose", "word"),
        ("bla bla", "word"),
        ("\u00b2", "exact"),
        ("9" * 20, "exact"),
    ]:
        assert parse_typed_line(text, state, lines, vocabulary_) == Typed("no", MUMBLED_CONFIDENCE), text
    for text, typed in (
        ("", Typed()),
        ("   ", Typed()),
        ("touch front", Typed(sensor="FrontTactilTouched")),
        ("touch back", Typed(sensor="RearTactilTouched")),
    ):
        assert parse_typed_line(text, "word", lines, vocabulary_) == typed
    for state, text, phrase in rows(phrases):
        vocabulary = lines.list_phrases(list_meanings(state))
        assert parse_typed_line(text, state, lines, vocabulary) == Typed(phrase, TYPED_CONFIDENCE), text


def choose_typed(typed, state, language):
    lines = mind.load_lines(language)
    words = list_sayable_words(list_meanings(state), mind.load_mind("", "", (), language), lines)
    return choose_phrase(
        typed, state, [*lines.list_phrases(list_meanings(state)), *(words.phrases if words else ())], lines
    )


def write_variants(phrase):
    """Return a phrase as people type it: as it is, in capitals, without accents, apostrophes and hyphens."""
    plain = "".join(sign for sign in unicodedata.normalize("NFD", phrase) if not unicodedata.combining(sign))
    # The sharp s has no accent, and Python writes its capital as SS.
    forms = [phrase, phrase.upper() if "\u00df" not in phrase else phrase, f"{phrase}!", plain, plain.upper()]
    forms += [phrase.replace("'", "\u2019"), phrase.replace("'", ""), plain.replace("'", "").replace("-", " ")]
    german = phrase.replace("\u00e4", "ae").replace("\u00f6", "oe").replace("\u00fc", "ue").replace("\u00dc", "Ue")
    # A letter without its accent is another letter.
    return dict.fromkeys([*forms, german, plain.replace("'", " "), plain.replace("-", "")]) if phrase[1:] else [phrase]


@pytest.mark.parametrize("language", LANGUAGE_CODES)
@pytest.mark.parametrize("state", [state for state in STATES if STATES[state].touch])
def test_everything_that_nao_listens_for_is_understood_as_such(state, language):
    """A phrase is never a guess, whether it has five letters or not."""
    lines, known = mind.load_lines(language), mind.load_mind("", "", (), language)
    wanted = list_meanings(state)
    words = list_sayable_words(wanted, known, lines)
    vocabulary = [*lines.list_phrases(wanted), *(words.phrases if words else ())]
    short = {meaning: [form] for form, meaning in lines.short.items() if state not in SPELLING_STATES}
    for meaning in [meaning for meaning in wanted if meaning not in PAIRS] + [
        pair for pair in PAIRS[::9] if pair in wanted
    ]:
        for phrase in [*lines.list_phrases([meaning]), *lines.list_typed_phrases([meaning]), *short.get(meaning, ())]:
            # Two bare numbers sound like a no, and answer two questions if NAO does not listen for both together.
            if meaning in PAIRS and lines.list_phrases([meaning])[0] not in vocabulary:
                continue
            meant = lines._list_meant(phrase)
            expected = [other for other in wanted if other in meant] or [meaning]
            for typed in write_variants(phrase):
                part = choose_phrase(typed, state, vocabulary, lines)
                assert not part.remark, (typed, part)
                if part.rest:
                    assert meaning in PAIRS and "no" in wanted, (typed, part)
                else:
                    assert lines.find_meaning(part.phrase, wanted) in expected, (typed, part)
    # A word of the list is still a guess, even if it looks like a phrase without its accents.
    listed = words.phrases if words else ()
    assert all(choose_phrase(word, state, vocabulary, lines).phrase == word for word in listed[::400])
    for word in listed:
        assert lines.find_meaning(word, wanted) in (None, *lines.letters), word


@pytest.mark.parametrize(
    "language, state, typed, meaning",
    [
        row.split(" | ")
        for row in """
es | your guess | reglas | rules
de | your guess | regeln | rules
de | your guess | spielregeln | rules
fr | your guess | règles | rules
fr | your guess | regles | rules
en | your guess | rules | rules
en | your guess | RULES! | rules
es | your guess | pista | hint
de | your guess | hilfe | help
es | your guess | salir | stop
en | word or letter? | rules | rules
en | your word? | rules | rules
en | spell | rules | rules
en | sealed note | rules | rules
es | spell | reglas | rules
en | spell | xray | x
en | your guess | x ray | x
en | ready | im ready | ready
en | ready | lets go | ready
en | ready | let\u00b4s go | ready
fr | ready | jai mon mot | ready
fr | ready | cest bon | ready
de | ready | los gehts | ready
de | role | du raetst | you guess
fr | word | c est ca | yes
fr | your guess | aide moi | help
fr | both | aucune sil te plait | none
es | your guess | ¿cuáles son las reglas? | rules
""".strip().splitlines()
    ],
)
def test_typed_words_for_commands_are_no_guesses(language, state, typed, meaning):
    part = choose_typed(typed, state, language)
    found = mind.load_lines(language).find_meaning(part.phrase, list_meanings(state))
    assert (part.remark, part.rest, found) == ("", (), meaning)


@pytest.mark.parametrize(
    "language, state, typed, found",
    [
        # Words of five letters that are not a command in this language: guesses, or letters of the player's word.
        ("en", "your guess", "pause", "pause"),
        ("fr", "your guess", "PAUSE", "pause"),
        ("fr", "your guess", "salut", "salut"),
        ("de", "your guess", "Regel", "A guess has five different letters; 'REGEL' has E twice."),
        ("fr", "your guess", "règle", "A guess has five different letters; 'RÈGLE' has E twice."),
        ("fr", "your guess", "arret", "A guess has five different letters; 'ARRET' has R twice."),
        ("fr", "your guess", "coeur", "cœur"),
        ("en", "spell", "canoe", "C, a, n, o, e"),
        ("fr", "spell", "cœur", "C, o, e, u, r"),
        # What has another length is not spelled.
        ("en", "your guess", "rulez me", "NAO does not listen for 'rulez me' now."),
        ("en", "your guess", "letters", "A guess has five letters; 'LETTERS' has 7."),
        ("en", "spell", "oc", "A word has five letters; 'OC' has 2."),
        ("en", "sealed note", "secret", "A word has five letters; 'SECRET' has 6."),
        ("en", "your word?", "letters", "NAO does not listen for 'letters' now."),
    ],
)
def test_typed_words_that_are_no_commands(language, state, typed, found):
    part = choose_typed(typed, state, language)
    assert ", ".join([part.phrase or part.remark, *part.rest]) == found


def test_a_score_is_typed_in_the_words_of_naos_question():
    # A language, and a line that gives one exact and two misplaced letters.
    for code, line in [
        ("en", "One in the right place and two in the wrong place."),
        ("en", "1 in the right place, 2 in the wrong place"),
        ("en", "one letter in the right place and two letters in the wrong place"),
        ("en", "1 in place and 2 elsewhere"),
        ("en", "1 right, 2 wrong"),
        ("de", "einer am richtigen Platz und zwei am falschen"),
        ("de", "1 am richtigen Platz, 2 am falschen Platz"),
        ("de", "eins richtig, zwei woanders"),
        ("fr", "une bien plac\u00e9e et deux mal plac\u00e9es"),
        ("fr", "1 bien placee, 2 mal placees"),
        ("es", "una en su sitio y dos en otro"),
        ("es", "una en su sitio, dos en otro sitio"),
        ("es", "1 en su sitio y 2 fuera de sitio"),
    ]:
        lines = mind.load_lines(code)
        for state in ("word", "both", "exact", "doubtful"):
            vocabulary = lines.list_phrases(list_meanings(state))
            (part,) = split_line(line, state, lines, vocabulary)
            typed = parse_typed_line(part, state, lines, vocabulary)
            assert (lines.find_meaning(typed.phrase, list_meanings(state)), typed.confidence) == (
                "1 2",
                TYPED_CONFIDENCE,
            )


def test_a_line_can_have_several_answers_or_a_word_that_does_not_fit():
    # The state of the talk, and lines with their answers.
    several = """
both: ² 1 > ² 1
exact: 1 2 > 1 | 2; 1, 2. > 1 | 2; zero two > zero | two
spell: canoe > c | a | n | o | e; help > help; alpha > alpha; x-ray > x-ray
word: go back > go back; canoe > canoe; Yes! > yes; That\u2019s right. > that's right; light > light
your guess: light > light; hello > h | e | l | l | o; hint > hint; o c > o | c; oscar charlie > oscar | charlie
your guess: hotel > hotel
"""
    for line in ("", "..."):
        assert list(split_line(line, "word", mind.load_lines(), ())) == [""]
    for state, line, expected in rows(several):
        found = list(split_line(line, state, mind.load_lines(), ("Light", "hint")))
        assert found == expected.split(" | "), line
    # A line, the state of the talk, and the remark about a word that cannot be played.
    for line, state, wrong in [
        ("abc", "your guess", "A guess has five letters; 'ABC' has 3."),
        ("help", "your guess", ""),
        ("c", "your guess", ""),
        ("letters", "your guess", "A guess has five letters; 'LETTERS' has 7."),
        ("abcde", "your guess", ""),
        ("x" * 900, "your guess", f"A guess has five letters; '{'X' * 30}' has 900."),
        ("what now", "your guess", ""),
        ("abc", "word", ""),
        ("", "your guess", ""),
        ("abc", "word or letter?", "A guess has five letters; 'ABC' has 3."),
        ("hello", "your guess", "A guess has five different letters; 'HELLO' has L twice."),
        ("Hello!", "word or letter?", "A guess has five different letters; 'HELLO' has L twice."),
        ("hello", "word", "A word has five different letters; 'HELLO' has L twice."),
        ("class", "ready", "A word has five different letters; 'CLASS' has S twice."),
        ("hello", "spell", ""),
        ("hello", "both", "A word has five different letters; 'HELLO' has L twice."),
        ("light", "word", ""),
        ("needs", "stopping", "A word has five different letters; 'NEEDS' has E twice."),
    ]:
        assert explain_misfit(line, state, ["help"]) == wrong, line


def test_what_nao_understands_is_named_and_words_are_counted():
    lines = mind.load_lines()
    guessing = [*lines.list_phrases(list_meanings("your guess")), "ocean", "light"]
    groups = dict(understood("your guess", lines, guessing))
    assert list(groups) == ["words", "letters", "help", "undo", "stop"]
    assert groups["words"] == "any of 2 words NAO knows"
    [first], [last] = lines.list_phrases("a")[:1], lines.list_phrases("z")[:1]
    assert groups["letters"].startswith(f"{first}, ") and groups["letters"].endswith(f"... {last}")
    yes, no = (lines.list_phrases([meaning])[0] for meaning in ("yes", "no"))
    assert (
        understood("word", lines, [no, yes])
        == understood("asking back", lines, [no, yes])
        == [("answers", f"{yes}, {no}")]
    )
    assert understood("asking back", lines, [f"w{number}" for number in range(300)]) == [
        ("words", "any of 300 words NAO knows")
    ]
    assert understood("word", lines, []) == []


def test_what_nao_understands_is_one_phrase_for_each_meaning():
    """The scores without "and" were counted as words of the list."""
    for language in LANGUAGE_CODES:
        lines = mind.load_lines(language)
        for state in (state for state in STATES if STATES[state].touch):
            heard = lines.list_phrases(list_meanings(state))
            groups = dict(understood(state, lines, heard))
            assert "words" not in groups and {"help", "stop"} <= set(groups)
            named = ", ".join(text for heading, text in groups.items() if heading != "letters").split(", ")
            assert len(set(named)) == len(named) < 25 and set(named) <= set(heard)
