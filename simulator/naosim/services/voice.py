"""ALTextToSpeech: the voice, its languages, and the events of one text after the other.

The order of the events is that of NAOqi 2.1.4.13 and 2.8.7.4, as measured in funwithagents/nao-sim (speech.md).
"""

from __future__ import absolute_import, division, print_function

from naosim.clock import Clock
from naosim.compat import quote
from naosim.errors import NaosimError
from naosim.scheduler import SimEvent
from naosim.services.audio import write_silence
from naosim.services.base import Service, constant, declare, no_effect, nothing, number_setting, read_signals
from naosim.speech_texts import SpokenText, parse_speech
from naosim.world import World

MYPY = False
if MYPY:
    from typing import Callable, Dict, FrozenSet, List, Optional

    from naosim.compat import ALValue

# Languages, voices and parameters.

_LANGUAGE_NAMES = """
    Arabic Brazilian Chinese Czech Danish Dutch English Finnish French German Greek Italian Japanese Korean
    MandarinTaiwan Norwegian Polish Portuguese Russian Spanish Swedish Turkish
"""
LANGUAGES = _LANGUAGE_NAMES.split()
_LOCALES = """
    English en_US, French fr_FR, German de_DE, Italian it_IT, Spanish es_ES, Dutch nl_NL, Japanese ja_JP, Chinese zh_CN
"""
LOCALE_OF_LANGUAGE = dict(pair.split() for pair in _LOCALES.split(","))
#: Voices that robots listed: a NAO V5 (English, Swedish), a NAO (Japanese, Chinese), Peppers (German, Turkish).
#: Programs and a course for NAO name the others.
_VOICES = """
    English naoenu, French naofrf, German Julia22Enhanced, Japanese maki_n16, Chinese naomnc, Finnish Sanna22Enhanced,
    Spanish Maria22Enhanced, Swedish Emma22Enhanced, Turkish Ipek22Enhanced
"""
#: Our guess for the others: the code of the language, as in naoenu.
_GUESSED_VOICES = """
    Arabic naoarw, Brazilian naoptb, Czech naoczc, Danish naodad, Dutch naodun, Greek naogrg, Italian naoiti,
    Korean naokok, MandarinTaiwan naomnt, Norwegian naonon, Polish naoplp, Portuguese naoptp, Russian naorur
"""
_KNOWN_VOICES = dict(pair.split() for pair in (_VOICES + "," + _GUESSED_VOICES).split(","))
_PEPPER_VOICES = dict(_KNOWN_VOICES, German="anna")
#: The seconds of a change of language, to English and to Chinese (SeanXP/Nao-Robot, python/language). Our guess is that
#: other languages take as long as Chinese.
_ENGLISH_CHANGE_S, _OTHER_CHANGE_S = 0.82, 2.0
#: The parameters of the voice: least value, greatest value, value at the start.
_VOICE_PARAMETERS = {
    "speed": (50, 400, 100.0),
    "defaultVoiceSpeed": (50, 400, 100.0),
    "pitchShift": (0, 4, 1.0),
    "doubleVoice": (0, 4, 0.0),
    "doubleVoiceLevel": (0, 4, 0.0),
    "doubleVoiceTimeShift": (0, 0.5, 0.0),
    "volume": (0, 100, 80.0),
}
#: The pitchShift with which a Pepper 1.8A of 2.5.10.7 began (labbgulab-lab/robot-hub, pepper.md). That `reset` goes
#: back to it is our guess.
_PEPPER_PITCH = 1.17
#: NAOqi 2.1 takes 0 or 1 to 4 for these (its own help; a NAO V5 refused a pitchShift of 0.8).
_RAISING_PARAMETERS = ("pitchShift", "doubleVoice")
#: The events of each word: none is raised if no program listens to one of them.
_WORD_EVENTS = (
    "CurrentWord",
    "PositionOfCurrentWord",
    "ALTextToSpeech/CurrentWord",
    "ALTextToSpeech/PositionOfCurrentWord",
)
_MAX_QUEUE_LENGTH = 100  # texts that wait to be said
_ROUNDING_S = 1e-9  # a rest of a text that is only a rounding error
_VOICE_RATE_HZ = 22050  # of a spoken text in a file


def _choose_voices(languages, robot_type):  # type: (List[str], str) -> Dict[str, str]
    """Return the first voice of each language on a type of robot."""
    known = _PEPPER_VOICES if robot_type == "Juliette" else _KNOWN_VOICES
    return {language: known.get(language, "nao" + language[:3].lower()) for language in languages}


# ALTextToSpeech.


class _Utterance(object):
    """One queued text, with the events that let it begin and that interrupt it."""

    def __init__(self, number, text, service, at_mark, clock):
        # type: (int, str, str, Optional[Callable[[int, SimEvent], object]], Clock) -> None
        self.number, self.text, self.service, self.at_mark = number, text, service, at_mark
        self.may_speak, self.cut_off = SimEvent(clock), SimEvent(clock)
        self.has_begun = False


@declare(
    number_setting("Volume", 1.0, (0.0, 1.0), "the loudness, 0 to 1; a Pepper 1.8A began with 1"),
    nothing("showDictionary", "the dictionary is empty"),
    no_effect("addToDictionary(ss)b addToDictionary(sssss)b", "Speech has no sound, so it has no pronunciation", True),
    no_effect("deleteFromDictionary(s)b deleteFromDictionary(ss)b", "Speech has no sound, so it has no pronunciation"),
    constant("getSupportedLanguages", LANGUAGES, "List the languages that a robot can have.", "List[str]"),
)
class ALTextToSpeech(Service):
    """Says texts on the robot's clock, one after the other."""

    signals = read_signals("synchroTTS(L) languageTTS(s) _started(s)")
    private_methods = frozenset(["_sayWithLocale"])
    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._settings = {}  # type: Dict[str, float]
        self._queue = []  # type: List[_Utterance]
        self._said_count = 0
        self._notifies = True
        self._voices = _choose_voices(self._languages(), world.robot_type)
        # Robots list them in this order.
        self._installed_voices = sorted(self._voices.values())
        self._language = self._languages()[0]
        self._voice = self._voices[self._language]
        self.reset()

    @property
    def is_speaking(self):  # type: () -> bool
        """Return whether a text is being said right now."""
        return bool(self._queue) and self._queue[0].has_begun

    def say(self, text, language=None):  # type: (str, Optional[str]) -> None
        """Say a text and return when it is said; raise RuntimeError for a wrong tag or a language not installed."""
        self._text(text, "say")
        if language is not None:
            self._one_of(language, self._languages(), "say", "language")
        self.speak_as(self.name, text, language)

    def _sayWithLocale(self, text, language_and_region, uuid):  # type: (str, ALValue, str) -> None
        """Say a text as ALAnimatedSpeech does on NAOqi 2.8; it is spoken in the current language (our guess)."""
        self._list(language_and_region, "_sayWithLocale", 1)
        self._text(uuid, "_sayWithLocale", 2)
        self.speak_as(self.name, self._text(text, "_sayWithLocale"))

    def sayToFile(self, text, file_name):  # type: (str, str) -> None
        """Write a file of silence as long as it takes to say the text, at most a minute: WAV, or only samples."""
        said = self._parse(self._text(text, "sayToFile"), "%s.sayToFile" % self.name)
        try:
            write_silence(self.world, self._path(file_name, "sayToFile", 1), said.seconds, _VOICE_RATE_HZ)
        except NaosimError as error:
            raise self._error("sayToFile", str(error))

    def sayToFileAndPlay(self, text):  # type: (str) -> None
        """Say a text; no file is written, as the simulated robot makes no sound."""
        self.say(text)

    def stopAll(self):  # type: () -> None
        """Interrupt the text being said and drop those that wait."""
        for utterance in list(self._queue):
            utterance.cut_off.set()
            utterance.may_speak.set()

    def enableNotifications(self):  # type: () -> None
        """Raise the events of speech again, as at the start: ALAnimatedSpeech calls this when it is loaded."""
        self._notifies = True

    def disableNotifications(self):  # type: () -> None
        """Raise no events of speech from now on."""
        self._notifies = False

    def setLanguage(self, language):  # type: (str) -> None
        """Change the voice's language, which takes time; raise RuntimeError if it is not installed."""
        wanted = self._one_of(language, self._languages(), "setLanguage", "language")
        if wanted != self._language:
            self._take_time(_ENGLISH_CHANGE_S if wanted == "English" else _OTHER_CHANGE_S)
            self._language, self._voice = wanted, self._voices[wanted]
            self._reset_speed(100.0)
        self._signal("languageTTS", wanted)

    def getLanguage(self):  # type: () -> str
        """Return the voice's language."""
        return self._language

    def getLanguageEncoding(self, language):  # type: (str) -> str
        """Return the encoding in which texts of a language are read: always UTF-8."""
        self._one_of(language, LANGUAGES, "getLanguageEncoding", "language")
        return "utf-8"

    def locale(self):  # type: () -> str
        """Return the voice's language as a locale, that of English for a language without one."""
        return LOCALE_OF_LANGUAGE.get(self._language, LOCALE_OF_LANGUAGE["English"])

    def getAvailableLanguages(self):  # type: () -> List[str]
        """List the installed languages."""
        return self._languages()

    def getAvailableVoices(self):  # type: () -> List[str]
        """List the installed voices, one for each language."""
        return list(self._installed_voices)

    def getVoice(self):  # type: () -> str
        """Return the voice in use."""
        return self._voice

    def setVoice(self, voice):  # type: (str) -> None
        """Choose a voice; one that is not installed changes nothing, as on a robot (NAOqi's help of setVoice)."""
        known = self._installed_voices
        if self._text(voice, "setVoice") in known:
            self._voice = voice
        else:
            told = "The voice %s is not installed: a robot then keeps its voice, without an error. Installed: %s."
            self.world.warn("%s.setVoice" % self.name, told % (voice, ", ".join(known)))

    def loadVoicePreference(self, preference):  # type: (str) -> None
        """Check and ignore the name of a file of voice settings."""
        self._text(preference, "loadVoicePreference")

    def setLanguageDefaultVoice(self, language, voice):  # type: (str, str) -> None
        """Choose the voice that a language begins with."""
        self._one_of(language, self._languages(), "setLanguageDefaultVoice", "language")
        self._voices[language] = self._one_of(voice, self._installed_voices, "setLanguageDefaultVoice", "voice")

    def reset(self):  # type: () -> None
        """Reset parameters, loudness and the tags that hold to their defaults."""
        self._settings = {name: first for name, (_, _, first) in _VOICE_PARAMETERS.items()}
        if self.world.robot_type == "Juliette" and self.world.naoqi == "2.5":
            self._settings["pitchShift"] = _PEPPER_PITCH
        self._kept = dict(self.first_values)
        self._held = ""

    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Change a parameter of the voice; raise RuntimeError for an unknown name or a value out of range."""
        name = self._one_of(parameter, sorted(_VOICE_PARAMETERS), "setParameter", "parameter")
        low, high, _ = _VOICE_PARAMETERS[name]
        if name in _RAISING_PARAMETERS and value != 0 and self.world.naoqi == "2.1":
            low = 1
        self._settings[name] = self._number(value, "setParameter", 1, low, high)
        if name == "defaultVoiceSpeed":
            self._reset_speed(self._settings[name])

    def getParameter(self, parameter):  # type: (str) -> float
        """Return a parameter of the voice."""
        return self._settings[self._one_of(parameter, sorted(_VOICE_PARAMETERS), "getParameter", "parameter")]

    def resetSpeed(self):  # type: () -> None
        """Reset the speed to the default speed of the voice."""
        self._reset_speed(self._settings["defaultVoiceSpeed"])

    def speak_as(self, service, text, language=None, at_mark=None):
        # type: (str, str, Optional[str], Optional[Callable[[int, SimEvent], object]]) -> bool
        """Say a text for a service, after those already queued; return False if it was interrupted.

        At each bookmark the voice calls `at_mark(number, cut_off)` and waits for its end; stopAll sets `cut_off`.
        """
        utterance = self._enqueue(service, text, at_mark)
        try:
            if len(self._queue) > 1:
                self.world.clock.wait(utterance.may_speak)
            if utterance.cut_off.is_set:
                # Documented as a state; that it is the one of a text that never began is our guess.
                self._status(utterance, "stopped")
                return False
            return self._perform(utterance, language or self._language)
        finally:
            self._queue.remove(utterance)
            if self._queue:
                self._queue[0].may_speak.set()

    def leftovers(self):  # type: () -> List[str]
        """List the texts that are still being said or wait for it, without their tags."""
        texts = [(each.service, parse_speech(each.text).plain or each.text) for each in self._queue]
        return ["%s still has %s to say." % (service, quote(text)) for service, text in texts]

    def _reset_speed(self, speed):  # type: (float) -> None
        """Set the speed and its default; that this also ends the tags that hold is our guess."""
        self._settings["speed"] = self._settings["defaultVoiceSpeed"] = speed
        self._held = ""

    def _enqueue(self, service, text, at_mark):
        # type: (str, str, Optional[Callable[[int, SimEvent], object]]) -> _Utterance
        if len(self._queue) >= _MAX_QUEUE_LENGTH:
            raise self._error("say", "%d texts are already waiting to be said." % _MAX_QUEUE_LENGTH)
        self._said_count += 1
        utterance = _Utterance(self._said_count, text, service, at_mark, self.world.clock)
        self._queue.append(utterance)
        self._status(utterance, "enqueued")
        return utterance

    def _parse(self, text, where, with_words=False):  # type: (str, str, bool) -> SpokenText
        """Parse a text for the current speed, and warn about tags that no voice understands."""
        said = parse_speech(text, self._settings["speed"], self._held, with_words)
        for mistake in said.mistakes:
            self.world.warn(where, mistake)
        return said

    def _perform(self, utterance, language):  # type: (_Utterance, str) -> bool
        self._raise("TextStarted", 1)
        self._raise("TextDone", 0)
        said = self._parse(utterance.text, "%s.say" % utterance.service, self._hears_words())
        # The trace has the tags that hold, too: with them, its text sounds as on the robot.
        note, text, plain, service = self.world.trace.note, self._held + utterance.text, said.plain, utterance.service
        self._held, utterance.has_begun = said.held, True
        # A person does not hear an animated text that has only gestures.
        is_heard = bool(plain) or utterance.at_mark is None
        if is_heard:
            note("say", text=text, plain=plain, duration=said.seconds, service=service, language=language)
            self.check_ears()
        self._status(utterance, "started")
        self._raise("CurrentSentence", plain)
        self._signal("_started", utterance.text)
        is_cut = self._pronounce(utterance, said)
        utterance.has_begun = False
        if is_heard:
            note("said", text=text, plain=plain, service=service, whole=not is_cut)
        if is_cut:
            self._raise("TextInterrupted", 1)
        self._status(utterance, "done")
        for event, value in (("CurrentSentence", ""), ("TextDone", 1), ("CurrentBookMark", 0), ("TextStarted", 0)):
            self._raise(event, value)
        self._signal("synchroTTS", utterance.number)
        return not is_cut

    def _pronounce(self, utterance, said):  # type: (_Utterance, SpokenText) -> bool
        """Let the time of a text pass, and raise its bookmarks and words. Return whether it was cut."""
        clock, cut_off = self.world.clock, utterance.cut_off
        begun = clock.now()
        for after, value, position in said.steps:
            if self._is_cut(cut_off, after - (clock.now() - begun)):
                return True
            if isinstance(value, int):
                self._raise("CurrentBookMark", value)
                if utterance.at_mark is not None and self._notifies:
                    paused = clock.now()
                    utterance.at_mark(value, cut_off)
                    begun += clock.now() - paused
            else:
                self._raise("PositionOfCurrentWord", position)
                self._raise("CurrentWord", value)
        return self._is_cut(cut_off, said.seconds - (clock.now() - begun))

    def _hears_words(self):  # type: () -> bool
        """Return whether a program listens to the words."""
        return any(self.world.memory.is_heard(event) for event in _WORD_EVENTS)

    def _is_cut(self, cut_off, seconds):  # type: (SimEvent, float) -> bool
        """Wait some seconds; return whether the text was cut off in them or before."""
        return bool(cut_off.is_set or (seconds > _ROUNDING_S and self.world.clock.wait(cut_off, seconds)))

    def check_ears(self):  # type: () -> None
        """Warn when the robot would hear itself: the recogniser listens while a text is said."""
        if self.is_speaking and getattr(self.world.services.get("ALSpeechRecognition"), "is_open", False):
            self.world.warn("ALSpeechRecognition", "listens while it speaks: %r" % self._queue[0].text)

    def _status(self, utterance, state):  # type: (_Utterance, str) -> None
        if self._notifies:
            self.world.memory.raiseEvent("ALTextToSpeech/Status", [utterance.number, state])

    def _raise(self, event, value):  # type: (str, ALValue) -> None
        """Raise an event under its full name and under the short one of older robots."""
        if self._notifies:
            self.world.memory.raiseEvent("ALTextToSpeech/" + event, value)
            self.world.memory.raiseEvent(event, value)

    def _signal(self, signal, value):  # type: (str, ALValue) -> None
        """Send a signal that this version of NAOqi has."""
        if signal in self.signals:
            self._emit(signal, value)
