"""Files that visitors drop on a page: how a test drops them, and strangers' scripts that do harm."""

import base64

import naosim_xar_writer as w

#: Puts a file into the page as a person drops one.
DROP = """
const [name, content] = arguments, data = new DataTransfer();
data.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name));
document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
"""
#: A loop that no check can end.
STUBBORN_LOOP = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
#: What a stranger's script may not reach.
PRYING = w.only("""
import js, os
names = "fetch XMLHttpRequest WebSocket indexedDB caches navigator Worker BroadcastChannel eval"
names = names.split() + ["postMessage", "reportError", "close"]
found = [name for name in names if getattr(js, name, None) is not None]
for code in ("run_js", "Function"):
    try:
        import pyodide.code
        pyodide.code.run_js("1") if code == "run_js" else js.Function.new("return 1")()
        found.append(code)
    except Exception:
        pass
if os.path.isdir("/saved"):
    found += os.listdir("/saved")
ALProxy("ALTextToSpeech").say("I reach %s." % (" ".join(found) or "nothing"))
""")


#: Takes the way on which the robot's events go to the page, and fills it without waiting.
FLOOD = w.only("""
import gc, js
for name in ("postMessage", "reportError"):
    try:
        getattr(js, name)("x")
        ALProxy("ALTextToSpeech").say(name)
    except TypeError:
        pass
ALProxy("ALTextToSpeech").say("I begin.")
post = [each for each in gc.get_objects() if type(each).__name__ == "DroppedServer"][0]._post
forged = js.MessageEvent.new("message", js.JSON.parse('{"data": {"acknowledged": 1000000}}'))
while True:
    try:
        while True:
            js.self.dispatchEvent(forged)
            js.console.log("x")
            post('{"push": "x"}')
    except BaseException:
        pass
""")
#: Prints without an end, but waits for the page.
TALKATIVE = w.only("""
ALProxy("ALTextToSpeech").say("I begin.")
while True:
    print("x" * 100)
""")


def drop(browser, name, content):
    browser.execute_script(DROP, name, base64.b64encode(content).decode("ascii"))
