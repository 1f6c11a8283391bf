"""NAO on the page in a browser: arms, eyes and touch, in three dimensions and in the flat drawing.

Takes seconds: a browser with WebGL, and a server.
"""

import math
import time

import naosim_xar_writer as w
import pytest
from page_browser import SOLID, browsing, complaints, served, texts, until

pytest.importorskip("nicegui")

from naosim.robot_requests import JOINTS
from naosim_live.page.figure.lamps import lamps

#: Raises both arms in a second, then says the angles that ALMotion has.
MOVES = [
    ("LShoulderPitch", [(25, -60)]),
    ("RShoulderPitch", [(25, -45)]),
    ("RElbowRoll", [(25, 80)]),
    ("HeadYaw", [(25, 40)]),
    ("LHipYawPitch", [(25, -20)]),
]
TELLS = w.script("""
    def onInput_onStart(self):
        ALProxy("ALLeds").fadeRGB("FaceLeds", 0xff0000, 0.0)
        ALProxy("ALLeds").off("BrainLeds")
        ALProxy("ALLeds").on("Brain3")
        ALProxy("ALMemory").subscribeToEvent("FrontTactilTouched", self.getName(), "onTouched")
        angles = ALProxy("ALMotion").getAngles("Body", True)
        ALProxy("ALTextToSpeech").say("\\\\rspd=400\\\\ angles " + " ".join("%.4f" % angle for angle in angles))

    def onTouched(self, *args):
        ALProxy("ALAutonomousLife").setState("solitary")
        ALProxy("ALTextToSpeech").say("I am alive " * 100)
""")
DRAWN = "return document.querySelector('.figure-stage')?.dataset.drawn"
STAGE = "const stage = getElement(document.querySelector('.figure-stage').id.slice(1));"
#: The middle of a zone of the solid robot, in pixels of the window.
PLACE = (
    STAGE
    + """
    const { scene, meshes, zones } = stage.drawing;
    const id = Object.keys(zones).find((each) => zones[each] === arguments[0]);
    const point = meshes.get(id).getWorldPosition(scene.camera.position.clone()).project(scene.camera);
    const box = scene.renderer.domElement.getBoundingClientRect();
    return [box.left + (point.x + 1) / 2 * box.width, box.top + (1 - point.y) / 2 * box.height];"""
)
LIT = (
    STAGE
    + """
    return stage.drawing.lamps.map(({ material }) => material.emissive.getHexString());"""
)
BRAIN = {lamp.name: place for place, lamp in enumerate(lamps()) if lamp.name.startswith("Brain")}
EYES = (
    STAGE
    + """
    return stage.drawing.lamps.filter(({ isEye }) => isEye).map(({ material }) => material.emissive.getHexString());"""
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    # A timeline needs its own box, in simulated and in real robots.
    boxes = [w.box("Wave", curves=MOVES, timeline={"fps": 25, "end_frame": 25}), w.box("Tell", TELLS)]
    links = [("root.onStart", "Wave.onStart"), ("Wave.onStopped", "Tell.onStart")]
    path = tmp_path_factory.mktemp("wave") / "behavior.xar"
    path.write_bytes(w.behaviour(boxes, links))
    with served("-m", "naosim", str(path), "--page", "--port", "0") as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser"), "--window-size=900,700", drawing=SOLID) as found:
        yield found


def touched(browser):
    """List the sensors that the page shows as touched, by their buttons' names."""
    return texts(browser, ".figure-zone[aria-pressed=true]")


def pointer(browser, kind, x, y):
    browser.execute_cdp_cmd(
        "Input.dispatchMouseEvent",
        {"type": kind, "x": x, "y": y, "button": "left", "buttons": int(kind == "mousePressed"), "clickCount": 1},
    )


def middle(browser, selector):
    """Return the middle of an element, in pixels of the window, once it is in sight."""
    return browser.execute_script(
        """
        const element = document.querySelector(arguments[0]);
        element.scrollIntoView({ block: "center" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];""",
        selector,
    )


def move_and_touch(page, browser):
    browser.get(page.address)
    assert until(lambda: browser.execute_script(DRAWN)) == "solid"
    said = until(lambda: [line for line in texts(browser, ".bubble-text") if line.startswith("angles")])[0]
    wanted = dict(zip(JOINTS, map(float, said.split()[1:])))
    assert wanted["LShoulderPitch"] == pytest.approx(math.radians(-60), abs=1e-3)

    def drawn():
        return browser.execute_script(STAGE + "return stage.angles()")

    until(lambda: drawn() == pytest.approx([wanted[joint] for joint in JOINTS], abs=2e-4))
    assert set(browser.execute_script(EYES)) == {"ff0000"}
    lit = browser.execute_script(LIT)
    assert {name: lit[place] for name, place in BRAIN.items() if lit[place] != "000000"} == {"Brain3": "2680ff"}

    x, y = browser.execute_script(PLACE, "ChestButtonPressed")
    pointer(browser, "mousePressed", x, y)
    until(lambda: touched(browser) == ["Chest button"])
    pointer(browser, "mouseReleased", x, y)
    until(lambda: touched(browser) == [])

    # A screen reader's click is a short touch.
    browser.execute_script("document.querySelector('[data-zone=LeftBumperPressed]').click()")
    until(lambda: any("LeftBumperPressed" in line for line in texts(browser, ".bubble-touch")))
    until(lambda: touched(browser) == [])
    assert complaints(browser) == []


def come_to_life(page, browser):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    browser.execute_script("document.querySelector('[data-zone=FrontTactilTouched]').focus()")
    ActionChains(browser).key_down(Keys.SPACE).perform()
    until(lambda: touched(browser) == ["Head, front"])
    ActionChains(browser).key_up(Keys.SPACE).perform()
    until(lambda: touched(browser) == [])
    until(lambda: browser.execute_script(STAGE + "const { breath, nod } = stage.drawing.life; return breath && nod"))
    # Breathing and nodding move groups of solids, not the joints.
    assert browser.execute_script(STAGE + "return stage.angles()") == pytest.approx(
        browser.execute_script(STAGE + "return stage.frame.angles"), abs=1e-4
    )

    until(lambda: holds(browser, "button[data-zone=ChestButtonPressed]", "Chest button"))


def holds(browser, selector, name):
    """Press the place of an element; return whether it is touched: a new line of talk may have moved it."""
    place = middle(browser, selector)
    pointer(browser, "mousePressed", *place)
    end = time.monotonic() + 5.0
    while time.monotonic() < end:
        if touched(browser) == [name]:
            return True
        time.sleep(0.1)
    pointer(browser, "mouseReleased", *place)
    return False


def draw_flat(page, browser):
    script = "HTMLCanvasElement.prototype.getContext = () => null"
    added = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    browser.get(page.address)
    assert until(lambda: browser.execute_script(DRAWN)) == "flat"
    # The browser has released the chest button.
    until(lambda: touched(browser) == [])
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    arms = [
        browser.execute_script(
            "return document.querySelector(arguments[0])?.y2.baseVal.value", f"[data-part={side}LowerArm]"
        )
        for side in "LR"
    ]
    assert max(arms) < 150
    lamp = browser.find_element("css selector", "[data-part=face] .flat-lamp")
    assert until(lambda: lamp.value_of_css_property("fill")) == "rgb(255, 31, 31)"
    x, y = middle(browser, "svg [data-zone=FrontTactilTouched]")
    pointer(browser, "mousePressed", x, y)
    until(lambda: touched(browser) == ["Head, front"])
    pointer(browser, "mouseReleased", x, y)
    until(lambda: touched(browser) == [])
    assert complaints(browser) == []


def test_a_body_in_three_dimensions_and_flat(page, browser):
    """Go through one page; each step starts where the one before ended."""
    move_and_touch(page, browser)

    come_to_life(page, browser)
    draw_flat(page, browser)
