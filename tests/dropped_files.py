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
found = [name for name in names.split() if getattr(js, name, None) is not None]
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


def drop(browser, name, content):
    browser.execute_script(DROP, name, base64.b64encode(content).decode("ascii"))
