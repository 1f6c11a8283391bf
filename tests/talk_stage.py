"""A stage for the conversation without a robot: it passes talks on like the boxes and checks every step."""

from __future__ import absolute_import, division, print_function, unicode_literals

import io
import json
import os

from engine_words import WORDS

import jotto_behaviour
from jotto import game as games, strategies
from jotto.rules import JOTTO
from jotto.words import EMPTY_BLOCK_LIST, WordList
from jotto_behaviour import conversation, hearing, mind, talk
from jotto_behaviour.hearing import Hearing
from jotto_behaviour.mind import Mind
from jotto_behaviour.settings import Settings
from jotto_behaviour.states import ANY_WORD, COMMANDS, EXITS, LETTER_OR_WORD, SAME_STATE, STATES

HOME = os.path.dirname(os.path.abspath(jotto_behaviour.__file__))
LINES = mind.load_lines()
FLOW = os.path.join(HOME, "..", "..", "robot_boxes", "flow.json")
#: A few words to play with; the seed 1 asks mouse first, then train, and NAO's own word is table.
FEW = ("ocean", "canoe", "table", "cabin", "bread", "beard", "light", "train", "zebra", "mouse")
MINDS, STORED, CLEANED = {}, {}, {}


def flow():
    with io.open(FLOW, encoding="utf-8") as source:
        return json.load(source)


def mind_of(words=WORDS, strategy="consistent", blocked=EMPTY_BLOCK_LIST):
    """Return the mind for these words, made once."""
    key = (tuple(words), strategy, blocked)
    if key not in MINDS:
        MINDS[key] = Mind(
            WordList("test", tuple(words), (None,) * len(words)), strategies.find_strategy(strategy), blocked
        )
    return MINDS[key]


def stored(now):
    """Return the talk as read back from ALMemory; equal texts give the same talk, which is parsed once."""
    return once(STORED, json.dumps(now.plain()), lambda text: talk.parse_talk(json.loads(text)))


def once(known, key, read):
    """Return `read(key)`, cached in `known` for the last thousands of keys."""
    if key not in known:
        if len(known) > 5000:
            known.clear()
        known[key] = read(key)
    return known[key]


def heard(meaning, certainty=hearing.SURE):
    """Return a hearing of a meaning; `=ocean` is a word of the list, `?hotel` one that may be a letter."""
    if meaning[0] in "=?":
        return Hearing(certainty, ANY_WORD if meaning[0] == "=" else LETTER_OR_WORD, meaning[1:])
    return Hearing(certainty, meaning, LINES.list_phrases([meaning])[0])


def list_listened_for(stage):
    """Return the meanings, and the words as `=ocean`, that NAO listens for."""
    awaited = conversation.list_awaited_meanings(stage.talk)
    words = hearing.list_hearable_words(awaited, stage.talk, stage.mind, LINES)
    return set(hearing.drop_denied(awaited, stage.talk, LINES)).union("=" + word for word in words or ())


class Stage(object):
    """One conversation: `talk` is its present state, `said` NAO's last line keys, `text` the same in words."""

    #: Steps after which the talk is also read back from the form in ALMemory.
    reads_back = 1

    def __init__(self, words=WORDS, strategy="consistent", seed=1, blocked=EMPTY_BLOCK_LIST, start=None, **settings):
        self.words, self.strategy, self.blocked = tuple(words), strategy, blocked
        self.mind = mind_of(self.words, strategy, blocked)
        self.noted, self.exits, self.moved, self.worded = [], [], [], set()
        self.here, self.steps = "Start game", 0
        if start is None:
            game = games.start_game(JOTTO, "test", self.mind.wordlist.checksum, seed)
            start = talk.Talk(game, settings=Settings(is_typed=True, **settings))
        self.talk = self._arrive(conversation.welcome(start._replace(says=()), self.mind))

    @property
    def state(self):
        return self.talk.state

    @property
    def game(self):
        return self.talk.game

    def hear(self, *meanings):
        """Let the player say these meanings one after the other, heard clearly."""
        for meaning in meanings:
            self.answer(heard(meaning))
        return self

    def unsure(self, meaning):
        return self.answer(heard(meaning, hearing.UNSURE))

    def miss(self, times=1):
        for _ in range(times):
            self.answer(hearing.NOTHING_HEARD)
        return self

    def quiet(self, times=1):
        for _ in range(times):
            self.answer(hearing.SILENCE_HEARD)
        return self

    def score(self, exact, misplaced):
        """Let the player deny the guess, then give one number, and the other one if NAO asks for it."""
        if self.state == "word":
            self.hear("no")
        self.hear("%d" % exact)
        return self.hear("%d" % misplaced) if self.state == "misplaced" else self

    def in_one_breath(self, exact, misplaced):
        """Let the player deny the guess, and give both numbers at once."""
        if self.state == "word":
            self.hear("no")
        return self.hear("%d %d" % (exact, misplaced))

    def honestly(self, secret):
        """Let the player deny the guess and score it honestly."""
        return self.score(*JOTTO.score(self.game.guess, secret))

    def spell(self, word):
        return self.hear(*word)

    def answer(self, heard_now):
        """Take one answer of the player, and check the step."""
        before = self.talk
        assert before.listens
        after = conversation.step_talk(before, self.mind, heard_now)
        self._check_step(before, heard_now, after)
        self.talk = self._arrive(after)
        return self

    def _check_step(self, before, heard_now, after):
        assert after.beat == before.beat + 1
        allowed = {before.state, before.beneath or before.state, before.place.simpler or before.state}
        if heard_now.certainty == hearing.SILENCE:
            allowed.update(("paused", "bye"))
        if before.misses >= conversation.MAX_MISSES:
            allowed.update(("paused", "bye"))
        for meaning in [heard_now.meaning] + ([before.doubt[0]] if before.doubt else []):
            move = before.place.moves.get(meaning) or COMMANDS.get(meaning)
            allowed.update(move.to if move else ())
        meant = heard_now.meaning
        if before.doubt is not None:
            meant = before.doubt[0] if meant == "yes" else None
        if meant is not None and after.doubt is None and heard_now.certainty == hearing.SURE:
            here = after.state in (before.state, before.beneath)
            self.moved.append((before.state, meant, SAME_STATE if here else after.state))
        allowed.discard(SAME_STATE)
        assert after.state in allowed, (before.state, heard_now, after.state)

    def _arrive(self, now):
        """Speak, think and change boxes until it is the player's turn to speak."""
        keys, texts = [], []
        while True:
            now = self._said(now, keys, texts)
            if now.state == "gone" or (now.box == self.here and now.listens):
                break
            assert now.box != self.here, "NAO would stand still in %s" % now.state
            self.exits.append((self.here, now.box))
            assert (self.here, now.box) in EXITS, "no way from %s to %s" % (self.here, now.box)
            self.here = now.box
            now = self._thought(now)
        assert keys, "NAO listens in %s without having said anything" % now.state
        self.said, self.text = keys, " ".join(texts)
        return now

    def _thought(self, now):
        if now.listens:
            return now
        after = conversation.think_in_box(now, self.mind)
        self.moved.append((now.state, "", after.state))
        assert after.state in now.place.moves[""].to, (now.state, after.state)
        return after

    def _said(self, now, keys, texts):
        """Speak and save like a box; the first box only saves."""
        for kind, what, _ in now.notes:
            self.noted.append((kind, what))
            if kind == "learned" and what not in self.words:
                self.words += (what,)
                self.mind = mind_of(self.words, self.strategy, self.blocked)
        now = now._replace(notes=())
        self.steps += 1
        read = now
        if self.steps % self.reads_back == 0:
            read = stored(now)
            assert read == now, now
        if self.here == "Start game" or (now.box != self.here and STATES[now.state].touch is None):
            return now
        for line in now.says:
            text = LINES.speak(line, now.game.seed, now.variety).text
            assert text.strip() and "{" not in text and "}" not in text, text
            clean = once(CLEANED, (self.blocked, text), lambda key: key[0].clean(key[1], "that word"))
            assert clean == text
            keys.append(line.key)
            self.worded.add((line.key, tuple(sorted(line.words))))
            texts.append(text)
        return read._replace(says=(), last=read.says or read.last)
