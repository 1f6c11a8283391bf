"""A microphone for tests of pages: it replaces the browser's own and plays the sounds that a test gives it.

`testMicrophone.played` lists the seconds of each sound that the page played, `testMicrophone.asked` has what the page
asked of the browser's microphone. The browser's own recogniser, which would send a voice to a company, is replaced too:
`testMicrophone.write(...texts)` makes it hear one of these texts.
"""

import base64

from naosim_voice import sound, speaking
from naosim_voice.speaking import VoiceChoice

#: The voice of the person in tests.
PERSON = VoiceChoice("en-us+f2", 150, 55)
#: Replaces getUserMedia in a new page by a stream with a faint hiss, which `testMicrophone.say` plays sounds into.
MICROPHONE = """
(() => {
  const own = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices);
  let context, way;
  const open = () => {
    if (context) return;
    context = new AudioContext({ sampleRate: 16000 });
    way = context.createMediaStreamDestination();
    const hiss = context.createBufferSource();
    hiss.buffer = context.createBuffer(1, 32000, 16000);
    const samples = hiss.buffer.getChannelData(0);
    for (let at = 0; at < samples.length; at++) samples[at] = (Math.random() - 0.5) * 0.004;
    hiss.loop = true;
    hiss.connect(way);
    hiss.start();
  };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...when) {
    if (this.context !== context) testMicrophone.played.push(this.buffer.duration);
    return start.apply(this, when);
  };
  window.testMicrophone = {
    refusal: "", loudness: 1, played: [],
    async say(wave) {
      open();
      await context.resume();
      const bytes = Uint8Array.from(atob(wave), each => each.charCodeAt(0));
      const source = context.createBufferSource();
      source.buffer = await context.decodeAudioData(bytes.buffer);
      const gain = context.createGain();
      gain.gain.value = this.loudness;
      source.connect(gain).connect(way);
      source.start();
    },
    dictation: null,
    write(...texts) {
      const result = Object.assign(texts.map(transcript => ({ transcript, confidence: 0.9 })), { isFinal: true });
      this.dictation.onspeechstart();
      this.dictation.onresult({ resultIndex: 0, results: [result] });
    },
  };
  if (!location.search.includes("own")) window.SpeechRecognition = class {
    start() {
      testMicrophone.dictation = this;
    }
    abort() {
      if (testMicrophone.dictation === this) testMicrophone.dictation = null;
      setTimeout(() => this.onend());
    }
  };
  if (own && !location.search.includes("own")) navigator.mediaDevices.getUserMedia = async ({ audio }) => {
    window.testMicrophone.asked = audio;
    if (window.testMicrophone.refusal) throw new DOMException("", window.testMicrophone.refusal);
    open();
    await context.resume();
    return way.stream.clone();
  };
})();
"""


def put_into(browser):
    """Give every new page of a browser this microphone, except pages with "own" in their address."""
    browser.run_first(MICROPHONE)


def play(browser, clip, loudness=1.0):
    """Play a sound into the microphone, `loudness` times as loud."""
    wave = base64.b64encode(sound.as_wave(clip)).decode("ascii")
    browser.execute_script("testMicrophone.loudness = arguments[1]; testMicrophone.say(arguments[0])", wave, loudness)


def say(browser, text):
    play(browser, speaking.speak_as(text, PERSON))
