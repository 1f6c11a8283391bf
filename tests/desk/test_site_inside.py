"""Look inside on the static site, in a real browser: visitors' behaviours, examples, recordings and films."""

import io
import json
import os
import shutil
import urllib.request
import zipfile
from pathlib import Path

import naosim_xar_writer as w
import package_files
import pytest
from behaviours import FOLDER, read_file, stock, write_package
from dropped_files import FLOOD, PRYING, STUBBORN_LOOP, TALKATIVE, drop
from interpreters import ROOT
from page_browser import KEEP_FILES, browsing, check_access, complaints, emulate, texts, until
from programs import miss_program
from worker_site import copy_site, serving

from jotto_desk.play.page.texts import load_text_table
from naosim.compat import native
from naosim.lint import judge
from naosim.models import NAO
from naosim.packages import choose_behaviour, read_package
from naosim.robot import Robot
from naosim.xar import parse

EXAMPLES = ROOT / "simulator" / "naosim_page" / "static" / "examples"
#: Whether the window has a width, and all buttons of the time are in one row.
TIME_IN_A_ROW = """return innerWidth === arguments[0] &&
  new Set([...document.querySelectorAll('.time button')].map((each) => each.offsetTop)).size === 1"""
#: Draws NAO flat, in half the processor time, unless `draws` is true.
DRAW_FLAT = """
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (...kind) {
  return kind[0] !== "webgl2" || globalThis.draws ? getContext.apply(this, kind) : null;
};
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Serve the whole site; provide its address."""
    folder = tmp_path_factory.mktemp("inside") / "site"
    copy_site(tmp_path_factory, folder)
    (folder / "flood.js").write_text("for (;;) postMessage(JSON.stringify({ push: 'x' }));", encoding="utf-8")
    with serving(folder) as (address, _):
        yield address


@pytest.fixture(scope="module")
def opened(site, browser_name, tmp_path_factory, request):
    """Provide a page that shows Look inside; it can draw NAO solid only for all stories."""
    draws = request.config.getoption("--whole-site")
    with browsing(tmp_path_factory.mktemp("browser"), name=browser_name, draws=draws) as browser:
        emulate(browser)
        browser.run_first(KEEP_FILES + DRAW_FLAT)
        browser.get(f"{site}/index.html#inside")
        until(lambda: texts(browser, ".examples button"))
        yield Page(browser)


@pytest.fixture
def page(opened):
    """Provide the page, perhaps with the file of another test: a new worker for each file would take seconds."""
    return opened


@pytest.fixture
def at_home(page):
    """Show Jotto's robot."""
    page.press("Back to Jotto", if_there=True)
    until(lambda: page.texts(".examples button"))


@pytest.fixture
def solid_page(page):
    """Provide a page that draws NAO solid in the next file that it opens."""
    page.run("globalThis.draws = true")
    if not page.run("return Boolean(document.createElement('canvas').getContext('webgl2'))"):
        miss_program("xvfb")
    yield page
    page.run("globalThis.draws = false")


class Page:
    """What a person sees and does."""

    def __init__(self, browser):
        self.browser, self.run = browser, browser.execute_script

    def drop(self, name, content):
        """Drop a file on the page."""
        drop(self.browser, name, content)

    def press(self, name, if_there=False):
        """Press a button."""
        find = "return [...document.querySelectorAll('button')].find(each => each.textContent.trim() === arguments[0])"
        found = self.run(find, name) if if_there else self.until(find, name)
        if found:
            self.run("arguments[0].click()", found)

    def set(self, selector, value):
        """Choose a value of a list or slider."""
        change = """const [field, value] = arguments; field.value = value;
        for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));"""
        self.run(change, self.browser.find_element("css selector", selector), value)

    def until(self, script, *args):
        """Wait until a script returns something true, and return that."""
        return until(lambda: self.run(script, *args))

    def texts(self, selector):
        """List the texts of elements."""
        return texts(self.browser, selector)

    def said(self):
        """List what NAO has said."""
        return self.texts(".bubble-NAO")

    def name(self):
        """Return the name of the visitor's file; "" while it starts."""
        is_busy = self.texts(".files > [role=status]")
        return "" if is_busy else "".join(self.texts(".files h2"))

    def ready(self, name, speed=20):
        """Wait until a file runs, and let time pass faster."""
        until(lambda: self.name() == name and "Save recording" in self.texts("button"))
        self.set(".time select", str(speed))
        return self


def zipped(*folders, **files):
    """Return the bytes of a zip archive with folders, by their names, and files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            for place, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(place, name)
                    archive.write(path, os.path.relpath(path, os.path.dirname(folder)))
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def public_behaviours(folder, is_whole):
    """Write behaviours in the style of public ones; return their files, with the file that is judged here."""
    made = []

    def add(name, content, source=None, behaviour=""):
        path = folder / name
        path.write_bytes(content)
        made.append((path, native(str(source or path)), behaviour))

    chat = folder / "chat"
    shutil.copytree(os.path.join(FOLDER, "SmallTalk"), chat / "SmallTalk")
    (chat / "behavior.xar").write_bytes(read_file("small_talk.xar"))
    add("chat.zip", zipped(str(chat)), chat / "behavior.xar")
    if is_whole:
        museum = os.path.join(FOLDER, "museum")
        add("museum.pkg", Path(write_package(str(folder / "museum.pkg"), museum)).read_bytes(), museum, "menu")
        with zipfile.ZipFile(io.BytesIO(read_file("quiz.zip"))) as archive:
            add("capitals.xar", archive.read("quiz.xar"))
        for name in ("listen_and_repeat", "old_story", "dance", "new_story", "reception"):
            add(f"{name}.xar", read_file(f"{name}.xar"))
        hello = Path(package_files.package(folder / "hello.pkg")).read_bytes()
        add("hello.pkg", hello, os.path.join(FOLDER, "new_story.xar"))
        for name, folders in (("museum.zip", museum), ("greeting.zip", str(ROOT / "docs" / "greeting"))):
            add(name, zipped(folders), folders, "menu" if name == "museum.zip" else "")
        for name in ("quiz.xar", "wave.xar", "touch.xar"):
            add(name, (EXAMPLES / name).read_bytes())
        for name, text in stock.PLAIN_STORIES.items():
            add(f"{name}.xar", stock.make_behaviour(text, {}))
    return made


def played_here(source, behaviour):
    """Return the first texts of a behaviour without a person, the names of its boxes, and the lint's findings."""
    package = read_package(source)
    project = parse(choose_behaviour(package, behaviour).file if package is not None else source)
    with Robot() as robot:
        robot.load(source, True, None, behaviour)
        robot.start()
        robot.advance(20.0)
        said = [event.fields["plain"] for event in robot.trace.of("say")]
    boxes = {box.name for box in project.root.timeline.layers[0].keyframes[0].diagram.boxes}
    return said[:2], boxes, [each.sentence for each in judge(project)]


@pytest.mark.timeout(600)
def test_public_behaviours_run_one_after_another(page, tmp_path, request):
    """Plays a dialog, which other stories lack; with --whole-site all files."""
    made = public_behaviours(tmp_path, request.config.getoption("--whole-site"))
    for number, (path, source, behaviour) in enumerate(made):
        said, boxes, findings = played_here(source, behaviour)
        if number % 4 == 0:
            page.browser.find_element("css selector", "input[type=file]").send_keys(str(path))
        else:
            page.drop(path.name, path.read_bytes())
        page.ready(path.name)
        until(lambda wanted=said: page.said()[: len(wanted)] == wanted)
        assert page.texts(".files [role=alert]") == []
        labels = "return [...document.querySelectorAll('.diagram-box')].map((each) => each.dataset.label).join('\\n')"
        shown = page.until(labels)
        assert [name for name in boxes if name not in shown] == [], path.name
        page.press("Findings")
        # The worker's Python is newer: what it says about syntax is different.
        told = [each for each in page.texts(".findings li") if "compile" not in each]
        assert len(told) == len([each for each in findings if "compile" not in each]), (path.name, told)
        page.press("Robot")
    assert complaints(page.browser) == []


@pytest.mark.usefixtures("at_home")
def test_a_project_offers_its_behaviours_and_parameters_to_everybody(page):
    check_access(page.browser)
    page.drop("museum.zip", zipped(os.path.join(FOLDER, "museum")))
    page.ready("museum.zip")
    for tab in ("Memory", "Log", "Findings", "Robot"):
        page.press(tab)
        check_access(page.browser)
    assert page.texts(".offers option") == ["menu", "rooms/statues", "talk"]
    page.set(".offers", "2")
    page.until("return document.querySelector('.offers')?.value === '2'")
    page.ready("museum.zip")
    page.drop("quiz.xar", (EXAMPLES / "quiz.xar").read_bytes())
    page.ready("quiz.xar")
    page.set("[name='root/Welcome.Text']", "Welcome to <b>my</b> quiz.")
    page.press("Start again with these")
    until(lambda: page.said()[:1] == ["Welcome to <b>my</b> quiz."])


@pytest.mark.usefixtures("at_home")
def test_an_endless_loop_is_stopped_and_jotto_s_robot_goes_on_with_its_past(page):
    page.drop("stubborn.xar", w.only('ALProxy("ALTextToSpeech").say("Round and round")' + STUBBORN_LOOP))
    until(page.said)
    # The page waits five seconds by its clock for an answer.
    page.run("const { now } = Performance.prototype; performance.now = () => 10 * now.call(performance)")
    page.press("Stop it")
    page.run("delete performance.now")
    until(lambda: "Start it again" in page.texts("button"))
    assert any("its worker has ended" in each for each in page.texts(".files [role=status]"))
    page.drop("dance.xar", read_file("dance.xar"))
    page.ready("dance.xar")
    until(lambda: page.said()[-1:] == ["That was my dance."])
    # NAO's game waits meanwhile.
    speed = "return page.stage.link.ask('pace').then((pace) => pace.speed)"
    assert page.run(speed) == 0
    page.press("Back to Jotto")
    assert until(lambda: page.texts(".examples b"))[:2] == ["Greeting", "Quiz"]
    until(lambda: page.run(speed) == 1)
    # The page's own robot has a past, too.
    until(page.said)
    page.press("Go back in time")
    page.until("return document.querySelector('.scrubber')")
    assert until(page.said)
    page.until("return document.querySelectorAll('.diagram-box').length > 10")
    page.press("Close")
    until(lambda: page.texts(".examples button"))


@pytest.mark.usefixtures("at_home")
def test_a_behaviour_that_floods_the_page_can_be_stopped(page):
    page.drop("flood.xar", FLOOD)
    until(lambda: page.said() == ["I begin."])
    # The page waits five seconds by its clock for an answer.
    page.run("const { now } = Performance.prototype; performance.now = () => 10 * now.call(performance)")
    page.press("Stop it")
    page.run("delete performance.now")
    until(lambda: "Start it again" in page.texts("button"))
    assert page.said() == ["I begin."]
    assert page.run("const { received, acknowledged } = page.view.stage.link; return received - acknowledged") <= 200
    # One that prints without an end waits for the page, and its robot still answers.
    page.drop("talkative.xar", TALKATIVE)
    page.ready("talkative.xar")
    page.press("Stop")
    page.drop("dance.xar", read_file("dance.xar"))
    page.ready("dance.xar")
    until(lambda: page.said()[-1:] == ["That was my dance."])


@pytest.mark.usefixtures("at_home")
def test_a_worker_that_does_not_wait_for_the_page_is_ended(page):
    flood = """const [done] = arguments, Plain = Worker;
    import("./worker_link.js").then(({ WorkerLink }) => {
      globalThis.Worker = function () { return new Plain("flood.js"); };
      const link = new WorkerLink("flood");
      globalThis.Worker = Plain;
      link.ready.catch((error) => done(error.message));
    });"""
    assert page.browser.execute_async_script(flood) == "This behaviour sends too much: its worker has ended."
    assert page.texts(".examples b")[:2] == ["Greeting", "Quiz"]


def test_hostile_files_are_refused_in_one_sentence_and_a_stranger_reaches_only_its_worker(page):
    deep = zipped(**{"d/" * 200 + "behavior.xar": b"x"})
    linked = zipfile.ZipInfo("behavior.xar")
    linked.external_attr = 0o120777 << 16
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(linked, "/nao/naosim/robot.py")
    refusals = [
        ("out.zip", zipped(**{"../../nao/naosim/robot.py": b"x"}), "leads out of the package"),
        ("root.zip", zipped(**{"/nao/naosim/robot.py": b"x"}), "leads out of the package"),
        ("link.zip", content.getvalue(), "leads out of the package"),
        ("bomb.zip", zipped(**{f"{n}.xar": bytes(40 << 20) for n in range(2)}), "2000 files or 64 MB"),
        ("many.zip", zipped(**{f"{n}.xar": b"" for n in range(2100)}), "2000 files or 64 MB"),
        ("deep.zip", deep, "more than 30 folders"),
        ("empty.zip", zipped(**{"readme.txt": b"x"}), "has no behaviour"),
        ("no.zip", b"PK nothing", "not a zip archive"),
        ("no.pkg", b"", "not a zip archive"),
        ("text.xar", b"hello", "not an XML file"),
        ("entities.xar", b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "entities.xar"),
        ("cut.jsonl", b'{"recording": 1', "damaged"),
    ]
    for name, data, expected in refusals:
        page.drop(name, data)
        sentence = until(
            lambda wanted=expected: next((each for each in page.texts(".files [role=alert]") if wanted in each), "")
        )
        assert "/dropped" not in sentence and "Traceback" not in sentence, sentence
    page.drop("prying.xar", PRYING)
    page.ready("prying.xar")
    assert until(page.said) == ["I reach nothing."]


@pytest.mark.usefixtures("at_home")
def test_a_diagram_that_is_not_there_yet_says_why(page):
    # The robot's diagram comes only when the test has looked.
    page.run(
        """const { link } = globalThis.page, ask = link.ask.bind(link);
        link.ask = async (verb, fields) => {
          if (verb === "drawing") await new Promise((resolve) => { globalThis.send = resolve; });
          return ask(verb, fields);
        };
        globalThis.restore = () => { link.ask = ask; send(); };
        location.hash = "#mastermind";"""
    )
    page.until("return globalThis.page.viewName === 'mastermind'")
    page.run("location.hash = '#inside'")
    page.until("return Boolean(globalThis.send)")
    assert page.texts(".no-diagram") == ["NAO's diagram is on its way …"]
    page.run("restore()")
    page.until("return document.querySelector('.diagram-box')")
    assert page.texts(".no-diagram") == []
    page.drop("quiz.xar", (EXAMPLES / "quiz.xar").read_bytes())
    assert until(lambda: page.texts(".no-diagram")) == ["A new NAO starts for quiz.xar …"]
    page.ready("quiz.xar")
    page.until("return document.querySelector('.diagram-box')")
    # Where the diagram of a file would be is the reason why it cannot be loaded.
    page.drop("text.xar", b"hello")
    assert "text.xar" in until(lambda: [each for each in page.texts(".no-diagram") if "XML" in each])[0]


@pytest.mark.usefixtures("at_home")
def test_the_game_waits_for_an_hour_while_a_person_looks_inside(page):
    read = """const done = arguments[0], fields = { service: "ALMemory", method: "getData", args: ["Jotto/Patience"] };
    globalThis.page.link.ask("call", fields).then(done);"""

    def waits(seconds):
        return until(lambda: page.browser.execute_async_script(read) == seconds)

    assert waits(3600)
    for view, seconds in (("mastermind", 0), ("inside", 3600), ("play", 180), ("inside", 3600)):
        page.run("location.hash = arguments[0]", f"#{view}")
        assert waits(seconds), view
    until(lambda: page.texts(".examples button"))


@pytest.mark.usefixtures("at_home")
def test_a_view_that_arrives_when_a_person_has_gone_on_is_not_made(page):
    page.run(
        """const { page } = globalThis, load = page.loadView;
        page.loadView = async (view) => {
          if (view === "mastermind") await new Promise((resolve) => { globalThis.arrive = resolve; });
          return load.call(page, view);
        };
        location.hash = "#mastermind";"""
    )
    page.until("return Boolean(globalThis.arrive)")
    page.run("location.hash = '#inside'")
    page.until("return Boolean(globalThis.page.view)")
    page.browser.execute_async_script(
        """const [done] = arguments, { page } = globalThis;
        globalThis.shown = page.view;
        globalThis.arrive();
        setTimeout(done, 100);"""
    )
    assert page.run("delete globalThis.page.loadView; return globalThis.page.view === globalThis.shown")


@pytest.mark.usefixtures("at_home")
def test_texts_in_a_diagram_are_read_and_a_person_moves_it(page):
    actions = pytest.importorskip("selenium.webdriver").ActionChains
    wheel = """const paper = document.querySelector(".paper:not(.strip)"), edges = paper.getBoundingClientRect();
    const at = { clientX: edges.left + 200, clientY: edges.top + 150 };
    const under = () => {
      const place = new DOMPoint(at.clientX, at.clientY);
      return place.matrixTransform(paper.querySelector("svg").getScreenCTM().inverse());
    };
    const before = under();
    paper.dispatchEvent(new WheelEvent("wheel", { deltaY: arguments[0], bubbles: true, cancelable: true, ...at }));
    return [under().x - before.x, under().y - before.y].map(Math.abs);"""
    sizes = """const svg = document.querySelector(".paper:not(.strip) svg"), paper = svg.parentNode;
    const texts = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
    return { text: svg.getScreenCTM().a * Math.min(...texts),
      whole: paper.scrollWidth <= paper.clientWidth && paper.scrollHeight <= paper.clientHeight,
      place: [paper.scrollLeft, paper.scrollTop] };"""

    def shown():
        return page.run(sizes)

    page.browser.resize(1280, 720)
    page.until("return document.querySelectorAll('.diagram-box').length > 10")
    page.press("Fit")
    assert shown()["whole"] and shown()["text"] < 13
    # It opens at a size at which all texts are read.
    page.run("location.hash = '#mastermind'")
    page.until("return globalThis.page.viewName === 'mastermind'")
    page.run("location.hash = '#inside'")
    page.until("return document.querySelectorAll('.diagram-box').length > 10")
    assert round(shown()["text"], 1) >= 13 and not shown()["whole"]
    # All buttons of the time are in one row.
    for width in (360, 1920, 1280):
        page.browser.resize(width, 720)
        page.until(TIME_IN_A_ROW, width)
    # The wheel zooms around the pointer.
    page.until("return document.querySelector('.paper:not(.strip)').clientWidth > 500")
    page.run("document.querySelector('.paper:not(.strip)').scrollTo(300, 200)")
    size = shown()["text"]
    assert max(page.run(wheel, -300)) < 2 and shown()["text"] > 1.4 * size
    # A hand that drags moves the sheet and shows no box; keys zoom, too.
    paper, before = page.browser.find_element("css selector", ".paper:not(.strip)"), shown()["place"]
    actions(page.browser).move_to_element(paper).click_and_hold().move_by_offset(-40, -20).release().perform()
    assert shown()["place"] == [before[0] + 40, before[1] + 20] and page.texts(".details") == []
    for key, is_larger in (("+", True), ("-", False)):
        size = shown()["text"]
        paper.send_keys(key)
        assert (shown()["text"] > size) == is_larger
    paper.send_keys("0")
    assert shown()["whole"]


def test_after_a_second_file_the_diagram_of_the_first_is_gone_at_once(page):
    page.drop("quiz.xar", (EXAMPLES / "quiz.xar").read_bytes())
    page.ready("quiz.xar")
    page.until("return document.querySelector('.diagram-box')")
    # What the page says and how many boxes it shows, whenever it changes.
    page.run(
        """globalThis.seen = [];
        const look = () => seen.push([document.querySelector(".files [role=status]")?.textContent ?? "",
          document.querySelectorAll(".diagram-box").length]);
        globalThis.looking = new MutationObserver(look);
        looking.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });"""
    )
    page.drop("touch.xar", (EXAMPLES / "touch.xar").read_bytes())
    page.ready("touch.xar")
    seen = page.run("looking.disconnect(); return seen;")
    starting = [boxes for doing, boxes in seen if doing == "A new NAO starts for touch.xar …"]
    assert starting and not any(starting)


def test_a_script_has_colours(page):
    page.drop("quiz.xar", (EXAMPLES / "quiz.xar").read_bytes())
    page.ready("quiz.xar")
    box = page.until("return document.querySelector('.diagram-box.kind-script')")
    page.run("arguments[0].dispatchEvent(new MouseEvent('click', { bubbles: true }))", box)
    script = page.until("return document.querySelector('.script')?.textContent")
    assert "class MyClass" in script and {"class", "def"} <= set(page.texts(".script .python-keyword"))
    assert "MyClass" in page.texts(".script .python-name")


def test_an_example_opens_by_its_address(page):
    page.run("location.hash = '#inside?example=touch'")
    page.ready("touch.xar")
    listed = json.loads((EXAMPLES / "examples.json").read_text(encoding="utf-8"))
    for code in ("de", "es", "fr"):
        assert [
            each for row in listed for each in (row["title"], row["line"]) if each not in load_text_table(code)
        ] == []


def test_the_pages_to_read_are_in_the_site(page, site):
    link = page.browser.find_element("link text", "Read").get_attribute("href")
    assert link == f"{site}/docs/index.html"
    with urllib.request.urlopen(link) as answer, urllib.request.urlopen(f"{site}/service_worker.js") as worker:
        assert b"Pages to read" in answer.read() and b"docs/" not in worker.read()


def test_a_recording_is_saved_and_opened(page):
    page.drop("quiz.xar", (EXAMPLES / "quiz.xar").read_bytes())
    page.ready("quiz.xar", speed=5)
    for number, answer in enumerate(("eight", "three", "three")):
        until(lambda said=2 * number + 2: len(page.said()) == said)
        until(lambda: page.texts(".chips button") == [])
        page.press(answer)
    until(lambda: page.said()[-1:] == ["That was my quiz. See you!"])
    said = page.said()
    page.run("kept.length = 0")
    page.press("Save recording")
    content = page.browser.execute_async_script(
        """const [done] = arguments;
        const wait = () => (kept.length ? kept[0].text().then(done) : setTimeout(wait, 50));
        wait();"""
    )
    rows = [json.loads(line) for line in content.splitlines()]
    assert [row["phrase"] for row in rows if row.get("act") == "hear"] == ["eight", "three", "three"]
    page.press("Back to Jotto")
    page.drop("quiz.recording.jsonl", content.encode("utf-8"))
    page.browser.resize(1280, 720)
    page.until("return document.querySelector('.scrubber')")
    page.until(TIME_IN_A_ROW, 1280)
    until(lambda: page.said() == said)
    page.set(".scrubber", "0")
    until(lambda: page.said() == [])
    while page.said() != said[:2]:
        page.press("Next event")
    until(lambda: page.texts(".clock") != ["0.0 s"])
    page.until("return document.querySelectorAll('.diagram-box.runs').length")
    page.press("Memory")
    page.until("return document.querySelector('.rows').textContent.includes('Quiz/Answer')")
    page.press("Robot")
    page.press("Close")
    until(lambda: page.texts(".examples button"))


@pytest.mark.usefixtures("at_home")
def test_a_recording_of_a_real_robot_is_shown_without_a_behaviour(page):
    rows = [
        {"recording": 1, "watched": True, "options": {"robot_type": "Nao"}},
        {"kind": "look", "time": 0.1, "angles": "50" + " 0" * 25, "posture": "Crouch", "is_awake": False},
        {"kind": "say", "time": 1.0, "text": "Hello class"},
        {"kind": "touch", "time": 2.0, "sensor": "FrontTactilTouched", "pressed": True},
        {"kind": "say", "time": 9.0, "text": "Good bye"},
    ]
    page.drop("day.jsonl", "\n".join(map(json.dumps, rows)).encode("ascii"))
    page.until("return document.querySelector('.scrubber')")
    until(lambda: page.said() == ["Hello class", "Good bye"])
    page.set(".scrubber", "0")
    until(lambda: page.said() == [])
    page.press("Next event")
    until(lambda: page.said() == ["Hello class"] and page.texts(".clock") == ["1.0 s"])
    page.press("Close")
    until(lambda: page.texts(".examples button"))


@pytest.mark.usefixtures("at_home")
def test_everything_works_with_only_the_keyboard(page):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    actions = pytest.importorskip("selenium.webdriver").ActionChains

    def walk_to(text):
        # The walk begins at the page's top: a Firefox without a window keeps the focus when Tab has left the page.
        page.run("document.activeElement.blur(); getSelection().collapse(document.body, 0)")
        for _ in range(60):
            actions(page.browser).send_keys(keys.TAB).perform()
            name = """const each = document.activeElement;
            const isPart = each.matches("a, button, input, select, summary, [tabindex]");
            return isPart ? each.textContent.trim() || each.name || each.type : "";"""
            if text in page.run(name):
                return
        raise AssertionError(text)

    def press_enter():
        actions(page.browser).send_keys(keys.ENTER).perform()
        return "example=greeting" in page.run("return location.hash")

    walk_to("file")
    ring = "return getComputedStyle(document.activeElement.parentElement).outlineStyle"
    assert page.run(ring) == "solid"
    walk_to("Say hello to NAO.")
    # A busy Chromium sometimes shows a button the key, but makes no click of it.
    until(press_enter)
    page.ready("greeting.zip")
    until(lambda: page.texts(".chips button"))
    walk_to("line")
    actions(page.browser).send_keys("hello", keys.ENTER).perform()
    until(lambda: page.said()[-1:] == ["Hello to you!"])
    walk_to("Go back in time")
    actions(page.browser).send_keys(keys.SPACE).perform()
    page.until("return document.querySelector('.scrubber')")
    page.run("document.querySelector('.scrubber').focus()")
    actions(page.browser).send_keys(keys.HOME).perform()
    until(lambda: page.said() == [])
    actions(page.browser).send_keys(keys.END).perform()
    until(lambda: page.said()[-1:] == ["Hello to you!"])
    page.press("Previous event")
    page.press("Close")
    # The present was paused meanwhile.
    until(lambda: page.texts(".time select option:checked") == ["20\u00d7"])
    assert page.said()[-1:] == ["Hello to you!"]


@pytest.mark.whole_site
def test_a_solid_figure_is_cheap_can_be_touched_and_filmed(solid_page):
    solid_page.drop("wave.xar", (EXAMPLES / "wave.xar").read_bytes())
    solid_page.ready("wave.xar", speed=5)
    figure = "const figure = page.view.stage.figure, { renderer } = figure;"
    solid_page.until(f"{figure} return figure.pictures > 1 && figure.frame.torso")
    calls, triangles = solid_page.run(f"{figure} const of = renderer.info.render; return [of.calls, of.triangles]")
    # Measured: 31 calls; 10,796 triangles in a picture 270 px high, 16,180 in one of 560 px.
    assert 10 < calls <= 40 and 1000 < triangles < 17_500
    # The shapes of a small picture have fewer corners.
    count = f"""{figure} const counts = [1120, 270].map((height) => {{
      renderer.setSize(300, height, false);
      figure.density = 0;
      figure.refine();
      return figure.meshes.reduce((sum, mesh) => sum + mesh.geometry.index.count, 0);
    }});
    figure.resize();
    return counts"""
    large, small = solid_page.run(count)
    assert 1000 < small < 0.7 * large
    # Every part of the body that the camera sees answers a finger.
    find = f"""{figure}
    const {{ width, height }} = renderer.domElement.getBoundingClientRect(), found = new Set();
    for (let x = 0; x < width; x += 5)
      for (let y = 0; y < height; y += 5) found.add(figure.zoneAt({{ offsetX: x, offsetY: y }}));
    return [...found]"""
    until(lambda: {"", "ChestButtonPressed", "FrontTactilTouched"} <= set(solid_page.run(find)))
    solid_page.run("kept.length = 0")
    solid_page.press("Film")
    until(lambda: solid_page.said()[-1:] == ["Good to see you."])
    # On a busy computer the first picture takes seconds.
    solid_page.until(f"{figure} figure.isStale = true; return page.view.film.bytes > 1000")
    solid_page.press("Stop filming")
    found = solid_page.until("return kept.length && [kept[0].type, kept[0].size]")
    assert found[0] == "video/webm" and found[1] > 1000


@pytest.mark.whole_site
def test_a_slow_computer_gets_fewer_pictures_and_none_that_is_coarser(solid_page):
    solid_page.drop("dance.xar", read_file("dance.xar"))
    solid_page.ready("dance.xar")
    figure = "const figure = page.view.stage.figure;"
    solid_page.until(f"{figure} return figure.pictures > 1")
    slow = f"""{figure}
    const {{ renderer }} = figure, draw = renderer.render.bind(renderer);
    renderer.render = (...what) => {{
      const until = performance.now() + 60;
      while (performance.now() < until);
      draw(...what);
    }};
    figure.costs = [];
    figure.kept = setInterval(() => {{ figure.isStale = true; }}, 20);"""
    solid_page.run(slow)
    solid_page.until(f"{figure} return figure.costs.length === 6 && figure.cost >= 60")
    width, wanted = solid_page.run(f"""{figure} clearInterval(figure.kept);
    return [figure.renderer.domElement.width, Math.floor(figure.host.clientWidth * devicePixelRatio)]""")
    assert width == wanted


@pytest.mark.whole_site
def test_what_nao_lifts_is_in_the_picture_also_in_a_strip(solid_page):
    solid_page.drop("wave.xar", (EXAMPLES / "wave.xar").read_bytes())
    solid_page.ready("wave.xar")
    figure = "const figure = page.view.stage.figure;"
    solid_page.until(f"{figure} return figure.pictures > 1 && figure.frame.torso")
    angles = [-1.3 if joint.endswith("ShoulderPitch") else 0.0 for joint in NAO.body]
    # The upper and the lower edge of the picture are at a height of 1.
    find = f"""{figure} const before = {{ ...figure.frame }};
    figure.show({{ angles: arguments[0], torso: [0, 0, 0.333, 1, 0, 0, 0] }});
    figure.joints.forEach((joint) => {{ joint.shown = undefined; }});
    figure.stood = undefined;
    figure.turnJoints(1);
    figure.moveTorso(1);
    const seen = [true, false].map((isHead) => {{
      figure.showHead(isHead);
      figure.placeCamera(1, figure.balls());
      figure.camera.updateMatrixWorld();
      const lifted = figure.balls().filter(({{ joint }}) => /Hand|HeadPitch/.test(joint));
      return Math.max(...lifted.map(({{ middle, radius }}) => {{
        middle.z += radius;
        return Math.abs(middle.project(figure.camera).y);
      }}));
    }});
    figure.show(before);
    return seen"""
    assert [0.5 < seen <= 1 for seen in solid_page.run(find, angles)] == [True, True]
