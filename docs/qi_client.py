"""A NAO says, remembers, hears and tells: python docs/qi_client.py [tcp://127.0.0.1:9559], on Python 2.7 or 3."""

import sys
import time

try:
    import qi
except ImportError:
    import qiwire as qi  # the same, in Python 3

for tries_left in range(4, -1, -1):  # NAOqi 2.1 loses connections.
    try:
        session = qi.Session()
        session.connect(sys.argv[1] if len(sys.argv) > 1 else "tcp://127.0.0.1:9559")
        break
    except RuntimeError:
        if not tries_left:
            raise
        time.sleep(0.5)
heard, told = qi.Promise(), qi.Promise()
memory, ears = session.service("ALMemory"), session.service("ALSpeechRecognition")
memory.insertData("Example/Name", "Ann")
session.service("ALTextToSpeech").say("Hello " + memory.getData("Example/Name") + "! Shall we play?")
ears.setVocabulary(["yes", "no"], False)
ears.subscribe("Example")
words, news = memory.subscriber("WordRecognized"), memory.subscriber("Example/Answer")  # Links last as long as these.
words.signal.connect(heard.setValue)
news.signal.connect(told.setValue)
session.service("SimulatedHuman").hear("yes")  # A real NAO hears you.
memory.raiseEvent("Example/Answer", heard.future().value(10000)[0])
print("Ann said " + told.future().value(10000))
ears.unsubscribe("Example")
