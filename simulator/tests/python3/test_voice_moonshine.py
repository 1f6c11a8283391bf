"""The recogniser Moonshine: its tokens, the texts of phrases, the search, the model and the decision."""

import functools
import hashlib
import itertools
import math
import re
import subprocess
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
from hypothesis import given, settings, strategies as st

from naosim.errors import WrongUse
from naosim_voice import model, moonshine, moonshine_recogniser, noise, recogniser, sound, speaking
from naosim_voice.endpoints import Stretch
from naosim_voice.moonshine import Evidence, choose_phrase, weigh
from naosim_voice.phrases import BEGIN, END, FORMS, OTHER, PhraseGraph, SpokenForms, Tokens
from naosim_voice.recogniser import Logistic, Recognised, Vocabulary, VoiceError, open_recogniser

SOUNDS = Path(__file__).with_name("sounds")
BLANK = "\u2581"
speaks = pytest.mark.program("espeak-ng")


def raw(*texts):
    """Write tokens as tokenizer.bin has them."""
    heads = [[len(text)] if len(text) < 128 else [128 + len(text) % 128, len(text) // 128] for text in texts]
    return b"".join(bytes(head) + text for head, text in zip(heads, texts, strict=True))


def tokens_of(*texts):
    return Tokens(raw(b"<unk>", b"<s>", b"</s>", *(text.encode() for text in texts)))


CHARACTERS = tokens_of(*f"{BLANK}abcdefghijklmnopqrstuvwxyz0123456789,.!?-'")


def test_tokens_are_read_or_the_file_is_refused():
    tokens = Tokens(raw(b"<unk>", b"<s>", b"</s>", b"\xc3", f"{BLANK}Yes".encode(), b"x" * 300))
    assert tokens.text([1, 4]) == "Yes" and tokens.text([5]) == "x" * 300 and len(tokens) == 6
    assert tokens.root[" "][1]["y"][1]["e"][1]["s"][0] == [4]
    for content in [b"", b"\x00", raw(b"<s>") + b"\x05ab", raw(b"a", b"b", b"c") + b"\x81"]:
        with pytest.raises(VoiceError, match=r"tokenizer\.bin (has no|ends in)"):
            Tokens(content)


ANSWERS = ("yes", "no", "two", "two one", "two and one", "stop the game")
GUESSES = ("S", "T", "O", "R", "Y", "W", "A", "sierra", "help me please", "story", "straw", "two")


@pytest.mark.parametrize(
    ("phrases", "text", "found"),
    [
        (ANSWERS, "Two.", {"two"}),
        (ANSWERS, " 2", {"two"}),
        (ANSWERS, "To?", {"two"}),
        (ANSWERS, "Two, two.", {"two"}),
        (ANSWERS, "2, 1", {"two one"}),
        (ANSWERS, "two-one", {"two one"}),
        (ANSWERS, "Too and won!", {"two and one"}),
        (ANSWERS, "Stop the game", {"stop the game"}),
        (ANSWERS, "Stop the", set()),
        (ANSWERS, "Know", {"no"}),
        (ANSWERS, "Yeah!", {"yes"}),
        (ANSWERS, "Nope.", {"no"}),
        (ANSWERS, "Nine.", {OTHER}),
        (ANSWERS, "T-w-o", set()),
        (GUESSES, "Story.", {"story"}),
        (GUESSES, "S-t-o-r-y.", {"story"}),
        (GUESSES, "S, T, O, R, Y.", {"story"}),
        (GUESSES, "S t o r y", {"story"}),
        (GUESSES, "Sierra tango Oscar Romeo yankee", {"story"}),
        (GUESSES, "S like sierra, T, oh, are, why?", {"story"}),
        (GUESSES, "s t r a double u", {"straw"}),
        (GUESSES, "S-t-o-r", set()),
        (GUESSES, "S-t-o-r-y-s", set()),
        (GUESSES, "S.", {"S"}),
        (GUESSES, "Is", {"S"}),
        (GUESSES, "Sierra", {"sierra"}),
        (GUESSES, "Why?", {"Y"}),
        (GUESSES, "Now", {OTHER}),
    ],
)
def test_texts_and_their_phrases(phrases, text, found):
    def read_as(text, phrases):
        """Return the phrases that a written text means."""
        graph = PhraseGraph(CHARACTERS, phrases, FORMS["en"])
        places = graph.start
        for character in text.lower():
            follow = graph.follow(places)
            number = (CHARACTERS.root[character][0] or [None])[0] if character in CHARACTERS.root else None
            places = follow.get(number, frozenset())
        return {number if number == OTHER else phrases[number] for number in graph.phrases_at(places)}

    assert read_as(text, phrases) == found


def test_thousands_of_words_share_their_letters():
    words = ["".join(letters) for letters in itertools.islice(itertools.product("aeoust", "bcdlrst", repeat=2), 1700)]
    graph = PhraseGraph(CHARACTERS, [*"ABCDEORSTUL", *words], FORMS["en"])
    assert graph.may_spell and len(graph._words.after) < 2.5 * len(words)


BARE = SpokenForms({}, {}, (), {}, ())


@settings(max_examples=15)
@given(st.integers(0, 1000), st.lists(st.sampled_from(["one", "two", "two one", "one two"]), min_size=1, unique=True))
def test_a_wide_beam_finds_what_adding_up_every_text_finds(seed, phrases):
    class DrawnNetwork:
        """A network with random odds that depend only on the tokens written before, so a slow search can ask it too."""

        tokens = tokens_of("t", "wo", f"{BLANK}two", "one", f"{BLANK}o", "ne", ".", f"{BLANK}")

        def __init__(self, seed, written=((BEGIN,),)):
            self.seed, self.written = seed, written

        def all_odds(self, written):
            logits = numpy.random.default_rng([self.seed, *written]).normal(0, 2, len(self.tokens))
            return logits - math.log(sum(map(math.exp, logits)))

        def begin(self, pcm):
            return self

        def odds(self, row, tokens):
            return [float(self.all_odds(self.written[row])[token]) for token in tokens]

        def likeliest(self, row):
            return int(self.all_odds(self.written[row]).argmax())

        def extend(self, rows, tokens):
            written = tuple((*self.written[row], token) for row, token in zip(rows, tokens, strict=True))
            return DrawnNetwork(self.seed, written)

    network, longest = DrawnNetwork(seed), 4
    # One-word phrases may be repeated, if that is not a phrase.
    ways = {
        phrase: [phrase, *([f"{phrase} {phrase}", f"{phrase} {phrase} {phrase}"] if " " not in phrase else [])]
        for phrase in phrases
    }
    patterns = {
        phrase: re.compile("|".join(r"[ .]*" + r"\.* ".join(way.split()) + r"\.*" for way in each))
        for phrase, each in ways.items()
    }
    slow = {}
    for count in range(1, longest):
        for way in itertools.product(range(END + 1, len(network.tokens)), repeat=count):
            text = b"".join(network.tokens._texts[token] for token in way).decode().replace(BLANK, " ")
            for number, phrase in enumerate(phrases):
                if patterns[phrase].fullmatch(text):
                    written = (BEGIN, *way, END)
                    sure = sum(network.all_odds(written[:at])[written[at]] for at in range(1, len(written)))
                    slow[number] = slow.get(number, 0.0) + math.exp(sure)
    graph = PhraseGraph(network.tokens, phrases, BARE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moonshine, "_MAX_TOKENS", longest)
        found = weigh(network, graph, b"", beam=10_000, far=math.inf)
        narrow = weigh(network, graph, b"", beam=4)
    assert found.phrases.keys() == slow.keys()
    assert all(math.isclose(math.exp(found.phrases[number]), slow[number], rel_tol=1e-6) for number in slow)
    assert all(odds <= found.phrases[number] + 1e-9 for number, odds in narrow.phrases.items())


@pytest.mark.parametrize(
    ("odds", "free", "chosen"),
    [
        ({0: -1.0, 1: -4.0}, -0.5, ("yes", Evidence(3.0, -0.5))),
        # Both ways to say the score are one answer, without a rival.
        ({2: -2.0, 3: -2.0}, -3.0, ("two one", Evidence(6.0, 0.0))),
        ({0: -20.0, 1: -20.5}, -0.1, ("yes", Evidence(0.5, -15.0))),
        ({OTHER: -1.0, 0: -2.0}, -1.0, ("yes", Evidence(-1.0, -1.0))),
        ({OTHER: -1.0}, -1.0, None),
        ({OTHER: -2.0, 0: -1.0}, -1.0, ("yes", Evidence(1.0, 0.0))),
        ({}, -1.0, None),
    ],
)
def test_the_likeliest_answer_is_chosen(odds, free, chosen):
    assert choose_phrase(moonshine.Weighed(odds, free, ""), ("yes", "no", "two one", "two and one")) == chosen


def test_missing_and_damaged_models(tmp_path, monkeypatch):
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "none"))
    moonshine_recogniser._read_network.cache_clear()
    with pytest.raises(VoiceError, match=r"is missing: run 'python -m naosim_voice\.model'"):
        open_recogniser("moonshine")
    with pytest.raises(VoiceError, match=r"lacks encoder_model\.ort"):
        moonshine.OnnxNetwork(tmp_path)
    for file in model.MODEL_FILES:
        (tmp_path / file.name).write_bytes(b"<html>")
    with pytest.raises(VoiceError, match=r"cannot be read: .*\. 'python -m naosim_voice.model' repairs it"):
        moonshine.OnnxNetwork(tmp_path)
    # A wheel whose files are others is not used.
    wheel = tmp_path / "other.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in model.MODEL_FILES:
            archive.writestr(file.place, b"other")
    with pytest.raises(VoiceError, match=r"encoder_model\.ort in other\.whl is not the expected one"):
        model._unpack(wheel, tmp_path / "new")


def test_a_damaged_model_is_fetched_again(tmp_path, monkeypatch):
    content = {file.place: file.name.encode() for file in model.MODEL_FILES}
    monkeypatch.setattr(
        model,
        "MODEL_FILES",
        [file._replace(sha256=hashlib.sha256(content[file.place]).hexdigest()) for file in model.MODEL_FILES],
    )
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "model"))

    def download(command, **_options):
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1]) / "model.whl", "w") as archive:
            for place, value in content.items():
                archive.writestr(place, value)
        return subprocess.CompletedProcess(command, 0, "", "")

    def refuse(command, **_options):
        return subprocess.CompletedProcess(
            command, 1, "", "WARNING: slow\nERROR: No matching distribution found for x\nhint: none\n"
        )

    monkeypatch.setattr(subprocess, "run", refuse)
    with pytest.raises(
        VoiceError, match=r"not downloaded: No matching distribution found for x\. Check the network and"
    ):
        model.fetch_model()
    monkeypatch.setattr(subprocess, "run", download)
    assert not model.is_whole() and model.fetch_model() == tmp_path / "model" and model.is_whole()
    (tmp_path / "model" / model.TOKENS).write_bytes(b"damaged")
    assert not model.is_whole() and model.fetch_model() and model.is_whole()
    assert (tmp_path / "model" / model.TOKENS).read_bytes() == model.TOKENS.encode()
    # No place for what is downloaded, or for the model.
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "file"))
    with pytest.raises(VoiceError, match="cannot be saved in"):
        model.fetch_model()

    def fill(*_what):
        raise WrongUse("cannot write: no space left")

    monkeypatch.setenv("NAOSIM_MODEL", str(tmp_path / "other"))
    monkeypatch.setattr(model, "write_whole", fill)
    with pytest.raises(VoiceError, match="no space left"):
        model.fetch_model()
    monkeypatch.setattr(
        tempfile, "TemporaryDirectory", functools.partial(tempfile.TemporaryDirectory, dir=tmp_path / "no")
    )
    with pytest.raises(VoiceError, match=r"^The model was not downloaded: "):
        model.fetch_model()


@pytest.fixture(scope="module")
def network():
    """Return the real model."""
    return moonshine.OnnxNetwork(model.fetch_model())


def test_moonshine_writes_what_is_said(network):
    graph = PhraseGraph(network.tokens, ("yes", "no", "two and one", "one and two"), FORMS["en"])
    for name, text, phrase in (("yes", "Yes", 0), ("two-and-one", "Two and one", 2)):
        found = weigh(network, graph, sound.read(SOUNDS / f"{name}.wav").pcm)
        assert found.text.rstrip(".") == text and max(found.phrases, key=found.phrases.get) == phrase
        # The phrase has several texts, so it is at least as likely as the likeliest of them.
        assert found.free - 0.01 <= found.phrases[phrase] <= 0


def test_rows_do_not_disturb_each_other(network):
    def find_token(tokens, text):
        """Return the last of the tokens with this text."""
        tree, numbers = tokens.root, []
        for character in text:
            numbers, tree = tree[character]
        return numbers[-1]

    start = network.begin(sound.read(SOUNDS / "yes.wav").pcm)
    some = [find_token(network.tokens, text) for text in (" yes", ",", ".", " no")]
    together = start.extend([0] * len(some), some)
    for row, token in enumerate(some):
        alone = start.extend([0], [token])
        assert alone.likeliest(0) == together.likeliest(row)
        assert abs(alone.odds(0, [END])[0] - together.odds(row, [END])[0]) < 1.0


def test_the_longest_speech_is_written(network):
    samples = (numpy.arange(16 * recogniser.RATE) % 97 * 300).astype(numpy.int16)
    together = network.begin(samples.tobytes()).extend([0, 0], [BEGIN, END])
    assert together.extend([1], [BEGIN]).odds(0, [END])[0] < 0


@speaks
@pytest.mark.parametrize(
    ("said", "phrase"),
    [
        ("S, T, O, R, Y", "story"),
        ("C like charlie, R, A, N, E", "crane"),
        ("story", "story"),
        ("hotel", "hotel"),
        ("they say the train leaves from another platform because of the building work", None),
    ],
)
def test_words_are_said_or_spelled_in_one_breath(said, phrase):
    ears = open_recogniser("moonshine")
    ears.open(Vocabulary((*"ACEHNORSTY", "hotel", "give me a hint", "crane", "story", "stony", "train", "crate")))
    events = ears.feed(
        noise.add_noise(speaking.speak_as(said, speaking.VoiceChoice("en-us+f3", 150)), noise.Noise(), 1).pcm
    )
    found = [event for event in events if isinstance(event, Recognised)]
    best = [event.hypotheses[0].phrase for event in found if event.hypotheses]
    assert best == ([phrase] if phrase else []) and (phrase or all(event.is_other_speech for event in found))


@pytest.mark.parametrize(
    ("odds", "seconds", "phrase"),
    [
        ({0: -2.0, 1: -1.0}, 0.5, "E"),
        ({0: -7.0, 1: -1.0}, 0.5, "A"),
        ({0: -1.0, 2: -2.0}, 0.95, "E"),
        ({0: -1.0, 2: -2.0}, 1.1, "hotel"),
    ],
)
def test_letters_that_the_network_writes_too_rarely_are_favoured(odds, seconds, phrase):
    """This changes only how letters are compared with each other. A long sound is not a letter."""
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    ears._phrases = ("E", "A", "hotel")
    ears.favour_letters({"e": 2.5, "a": -1.0})
    weighed = moonshine.Weighed({number: odds.get(number, -20.0) for number in range(3)}, 0.0, "A.")
    found, evidence = ears._choose(weighed, Stretch(b"", 0.0, seconds))
    assert (found, evidence.garbage) == (phrase, weighed.phrases[ears._phrases.index(phrase)])


@pytest.mark.parametrize(
    ("text", "phrase", "seconds", "garbage", "told"),
    [
        ("D-r-i-t-k", "trick", 2.4, -5.7, ("trick", recogniser.ASKED)),
        ("D-r-i-t-k", "trick", 2.4, -7.1, ("D", 0.0)),
        ("Drink it.", "trick", 0.9, -5.7, None),
        ("Pepper", "papa", 0.5, -5.0, ("papa", recogniser.ASKED)),
        ("Pepper", "papa", 0.5, -7.1, None),
        ("Go on", "no", 0.5, -5.0, None),
        ("Notify.", "no", 0.5, -2.1, ("no", recogniser.ASKED)),
        ("Nor.", "no", 0.5, -1.9, ("no", 1.0)),
        ("Hero.", "zero", 0.5, -2.1, ("zero", 1.0)),
        ("T-r-i-g-k", "trick", 2.4, -2.1, ("trick", 1.0)),
    ],
)
def test_nao_asks_about_what_the_network_would_write_otherwise(monkeypatch, text, phrase, seconds, garbage, told):
    """A spelled word that NAO does not know at all is reported by its first letter, without confidence."""
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    ears._phrases, ears.may_spell = ("D", "papa", "trick", "no", "zero"), True
    monkeypatch.setattr(ears, "_weigh", lambda stretch: moonshine.Weighed({}, 0.0, text))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: (phrase, Evidence(6.0, garbage, 1.0, 6.0)))
    found = ears._judge(Stretch(b"", 0.0, seconds))
    heard = [(each.phrase, 1.0 if each.confidence > recogniser.ASKED else each.confidence) for each in found.hypotheses]
    assert heard == ([told] if told else []) and not found.is_other_speech


@pytest.mark.parametrize(
    ("text", "phrase", "is_near", "is_asked"),
    [
        ("T-r-i-c-k", "trick", True, True),
        ("T-r-i-c-k", "trick", False, False),
        ("Come see though I am there", "trick", False, True),
        ("T like tango, R, I, see them and K", "trick", False, False),
        ("Papa.", "papa", True, False),
    ],
)
def test_a_word_next_to_people_who_talk_is_only_asked_about(monkeypatch, text, phrase, is_near, is_asked):
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    ears.may_spell = True
    monkeypatch.setattr(ears, "_weigh", lambda stretch: moonshine.Weighed({}, 0.0, text))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: (phrase, Evidence(6.0, 0.0, 1.0, 6.0)))
    found = ears._judge(Stretch(b"", 0.0, 2.4, is_near=is_near))
    assert [each.confidence <= recogniser.ASKED for each in found.hypotheses] == [is_asked]


@pytest.mark.parametrize(
    ("before", "pause", "text", "phrase", "is_asked"),
    [
        ("", 0.0, "Eight eight pounds.", "six", True),
        ("", 0.0, "Two and two.", "two two", False),
        ("", 0.5, "Six, oh, oh, oh, five.", "six", True),
        ("", 0.5, "Seven, oh, nine.", "seven", True),
        ("", 0.5, "2-1-8.", "two one", True),
        ("", 0.5, "Two, one.", "two one", False),
        ("", 0.5, "2. 2.", "it's two", False),
        ("", 0.5, "Hero.", "zero", False),
        ("", 0.5, "One for you.", "yes", False),
        ("This is zero seven six.", 0.5, "Two one.", "two one", True),
        ("Zero seven six.", 1.5, "Two one.", "two one", False),
        ("Zero seven six.", 0.5, "Yes.", "yes", False),
        ("This is a walk.", 0.5, "Two one.", "two one", False),
    ],
)
def test_a_part_of_a_longer_number_is_only_asked_about(monkeypatch, before, pause, text, phrase, is_asked):
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    ears._phrases = ("six", "seven", "two one", "two two", "it's two", "zero", "yes")
    monkeypatch.setattr(ears, "_weigh", lambda stretch: moonshine.Weighed({}, 0.0, stretch.room.decode()))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: (phrase, Evidence(6.0, -1.0, 1.0, 6.0)))
    ears._judge(Stretch(b"", 1.0, 2.0, before.encode()))
    # The recogniser judges a segment early and again at its end.
    for _ in range(2):
        found = ears._judge(Stretch(b"", 2.0 + pause, 2.6 + pause if pause else 3.0, text.encode()))
        assert (found.hypotheses[0].confidence == recogniser.ASKED) is is_asked
    monkeypatch.setattr(ears, "_learn", lambda phrases, language: None)
    ears.open(Vocabulary(ears._phrases))
    assert ears._judge(Stretch(b"", 2.1, 2.7, f"{phrase}.".encode())).hypotheses[0].confidence > 0.9


@pytest.mark.parametrize(
    ("phrase", "margin", "is_whole"), [("yes", 6.0, True), ("yes", 1.0, False), ("two", 6.0, False), ("A", 6.0, False)]
)
def test_a_whole_answer_is_certain_and_no_beginning_of_another(monkeypatch, phrase, margin, is_whole):
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    ears._parts = moonshine.find_parts(["two", "one", "two one", "yes"])
    monkeypatch.setattr(ears, "_weigh", lambda stretch: moonshine.Weighed({}, 0.0, phrase))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: (phrase, Evidence(margin, 0.0, 1.0, margin)))
    stretch = Stretch(b"", 0.0, 0.5)
    assert (ears._judge(stretch).hypotheses[0].confidence >= 0.9) is (margin > 1.0)
    assert ears._is_whole(stretch) is is_whole


@pytest.mark.parametrize(
    ("text", "phrase", "began", "is_near", "told"),
    [
        ("One, so we walked.", "", 1.0, True, "one"),
        ("Won it.", "five", 1.0, True, "one"),
        ("One, two.", "one two", 1.0, True, "one two"),
        ("One, two, five.", "", 1.0, True, ""),
        ("Won it.", "five", 1.9, True, "five"),
        ("Won it.", "five", 1.0, False, "five"),
    ],
)
def test_the_surest_end_of_a_near_answer_counts_as_others_talk_after_it(
    monkeypatch, text, phrase, began, is_near, told
):
    later = (phrase, Evidence(0.0, -2.0)) if phrase else None
    answers = {"One.": ("one", Evidence(6.0, 0.0, 1.0, 6.0)), text: later}
    ears = moonshine.PhraseRecogniser(SimpleNamespace(tokens=None))
    monkeypatch.setattr(ears, "_weigh", lambda stretch: moonshine.Weighed({}, 0.0, stretch.room.decode()))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: answers[weighed.text])
    sure, surer = (ears._judge(Stretch(b"", 1.0, 1.3, b"One.", is_near=near)) for near in (is_near, False))
    assert (sure.hypotheses[0].confidence < surer.hypotheses[0].confidence) is is_near
    heard = ears._judge(Stretch(b"", began, began + 0.5, text.encode(), is_near=is_near)).hypotheses
    assert [each.phrase for each in heard] == ([told] if told else [])


@pytest.mark.parametrize(
    ("alone", "heard", "other", "told"),
    [
        # Alone, what pocketsphinx hears and how surely, and what is reported.
        (0.9, "yes", 0.9, ("yes", 0.9)),
        (0.9, "no", 0.5, ("yes", 0.764)),
        (0.9, "", 0.0, ("yes", 0.764)),
        (0.5, "no", 0.9, ("no", 0.265)),
        (0.5, "no", 0.7, ("yes", 0.265)),
        (0.1, "no", 0.9, None),
    ],
)
def test_pocketsphinx_has_a_second_opinion_in_a_loud_room(monkeypatch, alone, heard, other, told):
    """The confidence stays low, so NAO asks the player to confirm the phrase."""
    ears = open_recogniser("moonshine")
    ears.open(Vocabulary(("yes", "no", "give me a hint")))
    monkeypatch.setattr(ears, "_choose", lambda weighed, stretch: ("yes", Evidence(alone, 0.0)))
    monkeypatch.setattr(ears._second, "evidence", lambda stretch: (heard, (other, 0.0)))
    monkeypatch.setattr(ears._second, "nearest", lambda stretch: heard)

    class Told(Logistic):
        def probability(self, evidence):
            return evidence[0]

    for module in (recogniser, moonshine):
        monkeypatch.setattr(module, "read_calibration", lambda name, **kind: Told((), 0.0, -3.0))
    loud = noise.add_noise(sound.read(SOUNDS / "yes.wav"), noise.parse("white:5"), 3)
    found = ears._judge(Stretch(loud.pcm, 0.0, 1.5))
    assert [tuple(each) for each in found.hypotheses] == ([told] if told else [])
    # In a quiet room Moonshine is asked alone.
    quiet = ears._judge(Stretch(sound.read(SOUNDS / "yes.wav").pcm, 0.0, 1.5))
    assert [tuple(each) for each in quiet.hypotheses] == [("yes", alone)]
    # A single number that took as long as two is confirmed.
    monkeypatch.setattr(ears, "_parts", frozenset([("yes",)]))
    for ended, text, is_told in ((0.6, "Yes, one", True), (0.7, "Yes, one", False), (0.7, "Yes.", True)):
        monkeypatch.setattr(ears, "_weigh", lambda stretch, text=text: moonshine.Weighed({}, 0.0, text))
        found = ears._judge(Stretch(sound.read(SOUNDS / "yes.wav").pcm, 0.0, ended))
        assert ([tuple(each) for each in found.hypotheses] == [("yes", alone)]) == is_told
    monkeypatch.setattr(ears, "_parts", frozenset())
    # Several voices at once are hardly ever believed.
    monkeypatch.setattr(moonshine_recogniser, "is_crowd", lambda pcm: True)
    crowd = ears._judge(Stretch(sound.read(SOUNDS / "yes.wav").pcm, 0.0, 1.5))
    assert [tuple(each) for each in crowd.hypotheses] == ([("yes", 0.153)] if alone == 0.9 else [])
