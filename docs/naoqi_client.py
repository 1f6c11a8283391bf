"""NAO says ouch when its head is touched, the classic way: python docs/naoqi_client.py [IP [PORT]], Python 2.7 or 3."""

import sys
import threading

from naoqi import ALBroker, ALModule, ALProxy


class Reacting(ALModule):
    """Hears of touches; ALMemory calls it by its name."""

    touched = threading.Event()

    def onTouched(self, key, value, message):
        """Note that the front of the head was touched or released."""
        if value:
            ALProxy("ALTextToSpeech").say("Ouch!")
            self.touched.set()


ip, port = (sys.argv[1:] + ["127.0.0.1", "9559"][len(sys.argv) - 1 :])[:2]
broker = ALBroker("example", "0.0.0.0", 0, ip, int(port))
speech, memory, module = ALProxy("ALTextToSpeech"), ALProxy("ALMemory"), Reacting("Reacting")
speech.wait(speech.post.say("Touch my head, please."), 0)
memory.subscribeToEvent("FrontTactilTouched", "Reacting", "onTouched")
try:
    ALProxy("SimulatedHuman").touch("FrontTactilTouched")
except RuntimeError:
    print("This NAO is a real one: touch its head.")
print("Thank you." if Reacting.touched.wait(60) else "Nobody touched it.")
memory.unsubscribeToEvent("FrontTactilTouched", "Reacting")
broker.shutdown()
