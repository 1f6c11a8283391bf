"""ALTextToSpeech: what is said, for how long and in which order. The recogniser must not listen meanwhile."""

from __future__ import absolute_import, division, print_function

from naosim.errors import NaosimError
from naosim.scheduler import SimEvent
from naosim.services.base import Service
from naosim.services.device.microphones import write_silence
from naosim.services.speech import speech_text

MYPY = False
if MYPY:
    from typing import Any, Dict, FrozenSet, List, Optional

    from naosim.clock import Clock
    from naosim.world import World

LIMITS = {
    "speed": (50, 400),
    "defaultVoiceSpeed": (50, 400),
    "pitchShift": (0, 4),
    "doubleVoice": (0, 4),
    "doubleVoiceLevel": (0, 4),
    "doubleVoiceTimeShift": (0, 0.5),
    "volume": (0, 100),
}
SETTINGS = {
    "speed": 100.0,
    "defaultVoiceSpeed": 100.0,
    "pitchShift": 1.0,
    "doubleVoice": 0.0,
    "doubleVoiceLevel": 0.0,
    "doubleVoiceTimeShift": 0.0,
    "volume": 80.0,
}
SUPPORTED = [
    "Arabic",
    "Brazilian",
    "Chinese",
    "Czech",
    "Danish",
    "Dutch",
    "English",
    "Finnish",
    "French",
    "German",
    "Greek",
    "Italian",
    "Japanese",
    "Korean",
    "MandarinTaiwan",
    "Norwegian",
    "Polish",
    "Portuguese",
    "Russian",
    "Spanish",
    "Swedish",
    "Turkish",
]
LOCALES = {
    "English": "en_US",
    "French": "fr_FR",
    "German": "de_DE",
    "Italian": "it_IT",
    "Spanish": "es_ES",
    "Dutch": "nl_NL",
    "Japanese": "ja_JP",
    "Chinese": "zh_CN",
}
LONGEST_QUEUE = 100
VOICE_RATE = 22050  # samples a second of a spoken text in a file


class Utterance(object):
    """One queued text, with the events that let it begin and that interrupt it."""

    def __init__(self, number, text, speed, service, clock):  # type: (int, str, float, str, Clock) -> None
        self.number, self.text, self.speed, self.service = number, text, speed, service
        self.said = speech_text.heard(text, speed)
        self.may_speak, self.cut_off = SimEvent(clock), SimEvent(clock)
        self.has_begun = False


class ALTextToSpeech(Service):
    """Says texts on the robot's clock, one after the other."""

    signals = ("synchroTTS",)
    _hidden = frozenset()  # type: FrozenSet[str]

    def __init__(self, world):  # type: (World) -> None
        Service.__init__(self, world)
        self._settings = dict(SETTINGS)  # type: Dict[str, float]
        self._queue = []  # type: List[Utterance]
        self._said_count = 0
        self._language = self._languages()[0]
        self._volume = 0.8

    @property
    def is_speaking(self):  # type: () -> bool
        """Tell whether a text is being said right now."""
        return bool(self._queue) and self._queue[0].has_begun

    def say(self, text, language=None):  # type: (str, Optional[str]) -> None
        """Say a text and return when it is said; raise RuntimeError for a wrong tag or a language not installed."""
        self._text(text, "say")
        if language is not None:
            self._one_of(language, self._languages(), "say", "language")
        self.speak_as(self.name, text, language)

    def sayToFile(self, text, file_name):  # type: (str, str) -> None
        """Write a file of silence as long as it takes to say the text, a minute at most: WAV, or samples alone."""
        try:
            said = speech_text.heard(self._text(text, "sayToFile"), self._settings["speed"])
            write_silence(self.world, self._text(file_name, "sayToFile", 1), said.seconds, VOICE_RATE)
        except (NaosimError, speech_text.BadTag) as error:
            raise self._error("sayToFile", str(error))

    def sayToFileAndPlay(self, text):  # type: (str) -> None
        """Say a text: without sound there is no file in between."""
        self.say(text)

    def stopAll(self):  # type: () -> None
        """Interrupt the text being said and drop those that wait."""
        for utterance in list(self._queue):
            utterance.cut_off.set()
            utterance.may_speak.set()

    def setLanguage(self, language):  # type: (str) -> None
        """Change the voice's language; raise RuntimeError when it is not installed."""
        self._language = self._one_of(language, self._languages(), "setLanguage", "language")

    def getLanguage(self):  # type: () -> str
        """Return the voice's language."""
        return self._language

    def getLanguageEncoding(self, language):  # type: (str) -> str
        """Return the encoding in which texts of a language are read: always UTF-8."""
        self._one_of(language, SUPPORTED, "getLanguageEncoding", "language")
        return "utf-8"

    def locale(self):  # type: () -> str
        """Return the voice's language as a locale, that of English for a language not listed in LOCALES."""
        return LOCALES.get(self._language, LOCALES["English"])

    def getAvailableLanguages(self):  # type: () -> List[str]
        """List the installed languages."""
        return self._languages()

    def getSupportedLanguages(self):  # type: () -> List[str]
        """List the languages that a robot can have."""
        return list(SUPPORTED)

    def getAvailableVoices(self):  # type: () -> List[str]
        """List the installed voices, one per language."""
        return ["nao" + language[:2].lower() for language in self._languages()]

    def getVoice(self):  # type: () -> str
        """Return the voice in use."""
        return "nao" + self._language[:2].lower()

    def setVoice(self, voice):  # type: (str) -> None
        """Check and ignore a voice, which follows the language; raise RuntimeError when it is not installed."""
        self._one_of(voice, self.getAvailableVoices(), "setVoice", "voice")

    def loadVoicePreference(self, preference):  # type: (str) -> None
        """Check and ignore the name of a file of voice settings: each language has one voice."""
        self._text(preference, "loadVoicePreference")

    def setLanguageDefaultVoice(self, language, voice):  # type: (str, str) -> None
        """Choose the voice of a language; each language has only one."""
        self._one_of(language, self._languages(), "setLanguageDefaultVoice", "language")
        self._one_of(voice, ["nao" + language[:2].lower()], "setLanguageDefaultVoice", "voice")

    def reset(self):  # type: () -> None
        """Reset parameters and loudness to their defaults."""
        self._settings, self._volume = dict(SETTINGS), 0.8

    def setParameter(self, parameter, value):  # type: (str, float) -> None
        """Change a parameter of the voice; raise RuntimeError for an unknown name or a value out of range."""
        low, high = LIMITS[self._one_of(parameter, sorted(LIMITS), "setParameter", "parameter")]
        self._settings[parameter] = self._number(value, "setParameter", 1, low, high)

    def getParameter(self, parameter):  # type: (str) -> float
        """Return a parameter of the voice."""
        return self._settings[self._one_of(parameter, sorted(LIMITS), "getParameter", "parameter")]

    def resetSpeed(self):  # type: () -> None
        """Reset the speed to the default speed of the voice."""
        self._settings["speed"] = self._settings["defaultVoiceSpeed"]

    def enableNotifications(self):  # type: () -> None
        """Do nothing, for old programs that call it: events are always raised."""

    def disableNotifications(self):  # type: () -> None
        """Do nothing, for old programs that call it: events are always raised."""

    def setVolume(self, volume):  # type: (float) -> None
        """Set the loudness, 0 to 1."""
        self._volume = self._number(volume, "setVolume", 0, 0.0, 1.0)

    def getVolume(self):  # type: () -> float
        """Return the loudness, 0 to 1."""
        return self._volume

    def speak_as(self, service, text, language=None):  # type: (str, str, Optional[str]) -> bool
        """Say a text for a service, after those already queued; return False when it was interrupted."""
        utterance = self._enqueue(service, text)
        try:
            if len(self._queue) > 1:
                self.world.clock.wait(utterance.may_speak)
            return not utterance.cut_off.is_set and self._perform(utterance, language or self._language)
        finally:
            self._queue.remove(utterance)
            if self._queue:
                self._queue[0].may_speak.set()

    def leftovers(self):  # type: () -> List[str]
        """List the texts that are still being said or wait for it."""
        return ["%s still has %r to say." % (each.service, each.text) for each in self._queue]

    def _enqueue(self, service, text):  # type: (str, str) -> Utterance
        if len(self._queue) >= LONGEST_QUEUE:
            raise self._error("say", "%d texts are already waiting to be said." % LONGEST_QUEUE)
        try:
            utterance = Utterance(self._said_count + 1, text, self._settings["speed"], service, self.world.clock)
        except speech_text.BadTag as error:
            raise self._error("say", str(error))
        self._said_count += 1
        self._queue.append(utterance)
        self._status(utterance, "enqueued")
        return utterance

    def _perform(self, utterance, language):  # type: (Utterance, str) -> bool
        said = utterance.said
        utterance.has_begun = True
        self.world.trace.note(
            "say",
            text=utterance.text,
            plain=said.plain,
            duration=said.seconds,
            service=utterance.service,
            language=language,
        )
        self.check_ears()
        self._status(utterance, "started")
        self._raise("TextDone", False)
        self._raise("TextStarted", True)
        self._raise("CurrentSentence", said.plain)
        is_cut = self._pronounce(utterance)
        utterance.has_begun = False
        self.world.trace.note(
            "said", text=utterance.text, plain=said.plain, service=utterance.service, whole=not is_cut
        )
        self._raise("CurrentSentence", "")
        self._raise("TextStarted", False)
        self._raise("TextInterrupted" if is_cut else "TextDone", True)
        self._status(utterance, "stopped" if is_cut else "done")
        self.world.memory.raiseEvent("ALTextToSpeech/synchroTTS", [0, 0])
        return not is_cut

    def _pronounce(self, utterance):  # type: (Utterance) -> bool
        """Let the time of a text pass, word by word if anyone listens to that; return whether it was cut off."""
        clock, memory = self.world.clock, self.world.memory
        begun, seconds = clock.now(), utterance.said.seconds
        if memory.is_heard("CurrentWord") or memory.is_heard("ALTextToSpeech/CurrentWord"):
            for word, after in speech_text.words(utterance.text, utterance.speed):
                if clock.wait(utterance.cut_off, begun + after - clock.now()):
                    return True
                self._raise("CurrentWord", word)
            seconds = begun + seconds - clock.now()
        return bool(clock.wait(utterance.cut_off, seconds))

    def check_ears(self):  # type: () -> None
        """Warn when the robot would hear itself: the recogniser listens while a text is said."""
        recogniser = self.world.services.get("ALSpeechRecognition")
        if self.is_speaking and recogniser is not None and recogniser.is_open:
            text = self._queue[0].text
            self.world.warn("ALSpeechRecognition", "listens while it speaks: %r" % text)

    def _status(self, utterance, state):  # type: (Utterance, str) -> None
        self.world.memory.raiseEvent("ALTextToSpeech/Status", [utterance.number, state])

    def _raise(self, event, value):  # type: (str, Any) -> None
        """Raise an event under its full name and under the short one of older robots."""
        self.world.memory.raiseEvent("ALTextToSpeech/" + event, value)
        self.world.memory.raiseEvent(event, value)
