"""The diagram in a browser: running boxes, signals and errors, by mouse and by keyboard."""

import naosim_xar_writer as w
import pytest
from package_files import manifest
from page_browser import complaints, emulate, served, texts, until

ATTACK = '<img src=x onerror="window.hacked=1">'
ASK = w.script("""
    def onInput_onStart(self):
        self.ears = ALProxy("ALSpeechRecognition")
        self.memory = ALProxy("ALMemory")
        self.BIND_PYTHON(self.getName(), "onWord")
        self.ears.setVocabulary(["go"], False)
        self.memory.subscribeToEvent("WordRecognized", self.getName(), "onWord")
        self.ears.subscribe(self.getName())
    def onWord(self, key, value, message):
        self.memory.unsubscribeToEvent("WordRecognized", self.getName())
        self.ears.unsubscribe(self.getName())
        ALProxy("ALBehaviorManager").startBehavior("shown-1/beside")
        self.heard(value[0])
        self.onStopped()
""")
BREAKS = w.script("""
    def onInput_onStart(self):
        raise ValueError("<script>window.hacked = 2</script>")
""")
WAITS = w.script("""
    def onInput_onStart(self):
        pass
""")
#: Notes the links that light up and the values that travel, because both end before a slow test looks.
NOTE = """
    window.seen = [];
    new MutationObserver((records) => records.forEach((record) => {
      if (record.type === "childList") record.addedNodes.forEach((node) => window.seen.push(node.textContent));
      else if (record.target.classList.contains("lit")) window.seen.push(record.target.dataset.ends);
    })).observe(document.querySelector(".diagram-paper"),
                {subtree: true, childList: true, attributes: true, attributeFilter: ["class"]});
"""


def behaviour():
    """Make a behaviour that asks; then a box inside another one fails, and a dance of five minutes begins."""
    ask = w.box(
        "Ask",
        ASK,
        outputs=[w.port("onStopped", nature="stopped"), w.port("heard", "string", "punctual")],
        parameters=[w.parameter("Word", 3, ATTACK)],
    )
    inner = w.box("Inner", boxes=[w.box(ATTACK, BREAKS)], links=[("self.onStart", f"{ATTACK}.onStart")])
    frames = [
        (1, [w.box("First", WAITS)], [("self.onLoad", "First.onStart")]),
        (2900, [w.box("Last", WAITS)], [("self.onLoad", "Last.onStart")]),
    ]
    dance = w.box(
        "Dance", layers=[frames], curves=[("HeadYaw", [(1, 0), (3000, 60)])], timeline={"fps": 10, "end_frame": 3001}
    )
    return w.behaviour(
        [ask, inner, dance],
        [
            ("root.onStart", "Ask.onStart"),
            ("Ask.heard", "Inner.onStart"),
            ("Ask.onStopped", "Dance.onStart"),
            ("Dance.onStopped", "root.onStopped"),
        ],
    )


def project(folder):
    """Write a project of two behaviours, where the first starts the second; return the file of the first."""
    # The boxes side by side, not all in one corner.
    first, *rows = behaviour().split(b'x="0" y="0"')
    asking = first + b"".join(b'x="%d" y="40"' % (180 * number) + row for number, row in enumerate(rows))
    beside = w.behaviour([w.box("Beside", WAITS)], [("root.onStart", "Beside.onStart")])
    for name, content in (("asking", asking), ("beside", beside)):
        (folder / name).mkdir()
        (folder / name / "behavior.xar").write_bytes(content)
    (folder / "manifest.xml").write_text(manifest("shown-1", behaviours=["asking", "beside"]))
    return folder / "asking" / "behavior.xar"


@pytest.fixture
def opened(browser, tmp_path):
    """Provide a browser that shows the page of the project."""
    with served("-m", "naosim", str(project(tmp_path)), "--page", "--port", "0", browser=browser) as page:
        # The values travel along the links.
        emulate(browser, moves=True)
        browser.get(page.address + "?flat")
        until(lambda: labels(browser))
        yield browser


def labels(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('.diagram-box')].map(each => each.getAttribute('aria-label'))"
    )


def press(browser, key):
    """Press a key in the element that has the focus."""
    browser.switch_to.active_element.send_keys(key)


def click(browser, selector):
    """Click the element that matches a selector, even while it moves."""
    browser.execute_script(
        "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', {bubbles: true}))", selector
    )


def focused(browser):
    return browser.switch_to.active_element.get_attribute("aria-label")


def test_a_running_behaviour_by_mouse_and_keyboard(opened):
    from selenium.webdriver.common.keys import Keys

    browser = opened

    until(lambda: labels(browser) == ["Ask, script box, running", "Inner, diagram box", "Dance, timeline box"])
    browser.execute_script(NOTE)
    until(lambda: "go" in texts(browser, ".chips button"))
    click(browser, ".chips button")

    # The links light up with the value, and the boxes say what runs and fails.
    until(
        lambda: (
            labels(browser)
            == ["Ask, script box", "Inner, diagram box, running, 1 error", "Dance, timeline box, running"]
        )
    )
    until(lambda: {"1:5:2:2", "1:4:3:2", '"go"'} <= set(browser.execute_script("return window.seen")))
    assert texts(browser, ".diagram-errors:not(.none)") == ["1"]

    # By keyboard: to the right twice, into the dance, to its last keyframe and back.
    browser.execute_script("document.querySelector('.diagram-box[tabindex=\"0\"]').focus()")
    press(browser, Keys.ARROW_RIGHT)
    press(browser, Keys.ARROW_RIGHT)
    assert focused(browser).startswith("Dance")
    press(browser, Keys.ENTER)
    until(lambda: labels(browser) == ["First, script box, running"] and focused(browser).startswith("First"))
    where = browser.execute_script("return document.querySelector('.diagram-playhead').style.transform")
    until(lambda: browser.execute_script("return document.querySelector('.diagram-playhead').style.transform") != where)
    assert texts(browser, ".diagram-keyframe.runs title") == ["Keyframe keyframe1 at frame 1, 1 box"]
    browser.execute_script("document.querySelector('[data-place=\"1\"]').focus()")
    press(browser, Keys.ENTER)
    until(lambda: labels(browser) == ["Last, script box"] and focused(browser).startswith("Keyframe keyframe2900"))
    press(browser, Keys.BACKSPACE)
    until(lambda: len(labels(browser)) == 3 and focused(browser).startswith("Dance"))

    # A click shows the details of a box; Open leads inside, where the box that failed shows its error.
    click(browser, ".diagram-box[data-id='1'] .diagram-body")
    until(lambda: f'"{ATTACK}"' in texts(browser, ".diagram-details td"))
    assert "ALSpeechRecognition" in texts(browser, ".diagram-script")[0]
    click(browser, ".diagram-box[data-id='2'] .diagram-body")
    until(lambda: texts(browser, ".diagram-details h3") == ["Inner"])
    click(browser, "[aria-label='Open the diagram of the box']")
    until(lambda: labels(browser) == [f"{ATTACK}, script box, 1 error"])
    click(browser, ".diagram-box .diagram-body")
    until(lambda: "ValueError: <script>window.hacked = 2</script>" in "".join(texts(browser, ".diagram-error")))

    # After a reload the page shows the whole behaviour.
    browser.refresh()
    until(
        lambda: (
            labels(browser)
            == ["Ask, script box", "Inner, diagram box, running, 1 error", "Dance, timeline box, running"]
        )
    )
    # When it is stopped, the page shows the behaviour that still runs.
    assert texts(browser, ".diagram-choice .q-field__native") == ["shown-1/asking"]
    browser.execute_script(
        "[...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Stop').click()"
    )
    until(lambda: labels(browser) == ["Beside, script box, running"])
    assert texts(browser, ".diagram-choice .q-field__native") == ["shown-1/beside"]
    assert browser.execute_script("return window.hacked") is None
    assert complaints(browser) == []
