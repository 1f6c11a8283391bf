"""The simulated robot in a web worker of real browsers: the same games and behaviours as here, to the last digit."""

import gc
import json
import shutil
import zipfile

import naosim_xar_writer as w
import pytest
from behaviours import stock
from dropped_files import STUBBORN_LOOP
from interpreters import ROOT
from programs import need_program
from worker_site import MAX_VISIT_BYTES, copy_site, opened_by, serving, told_by, write_stories

from jotto.rules import JOTTO
from naosim.json_server import JsonServer
from naosim.remote import unpack_value

#: The folder of the bundle in the worker.
NAO = "/nao"
XAR = f"{NAO}/choregraphe_project/behavior_1/behavior.xar"
NUMBERS = ("zero", "one", "two", "three", "four", "five")
#: Forty words that NAO guesses.
SECRETS = [
    word
    for word in (ROOT / "wordlists" / "en-secrets.txt").read_text(encoding="utf-8").splitlines()
    if len(word) == len(set(word)) == JOTTO.length
][::25][:40]
#: Robots that are opened and closed, half of them in virtual time.
ROBOTS = 200
CAPITALS = {
    "France": "paris",
    "Italy": "rome",
    "Spain": "madrid",
    "Norway": "oslo",
    "Greece": "athens",
    "Japan": "tokyo",
    "Egypt": "cairo",
}
#: What a person does with every behaviour.
ACTS = (
    {"do": "advance", "seconds": 60},
    {"do": "hear", "phrase": "yes"},
    {"do": "advance", "seconds": 60},
    {"do": "touch", "sensor": "FrontTactilTouched"},
    {"do": "advance", "seconds": 60},
    {"do": "event", "key": "SonarLeftDetected", "value": 0.3},
    {"do": "hear", "phrase": "tea", "confidence": 0.55},
    {"do": "stay_silent"},
    {"do": "stay_silent", "seconds": 3},
    {"do": "leaks"},
    {"do": "stop"},
    {"do": "nonsense"},
    {"do": "close"},
)
FILES = ("dance", "listen_and_repeat", "new_story", "old_story", "reception", "small_talk", "quiz")
#: Lets Python collect garbage automatically very often, which it must not do while threads are suspended.
GREEDY_SCRIPT = w.script(
    "    def onInput_onStart(self):\n        import gc\n        gc.set_threshold(50)\n        self.onStopped()"
)
#: A loop that the clock ends, sooner than usual.
SPIN_SCRIPT = w.script("""
    def onInput_onStart(self):
        import naosim.scheduler
        naosim.scheduler.MAX_TURN_S = 0.5
        while True:
            pass
""")
ENDLESS = w.behaviour([w.box("Spin", SPIN_SCRIPT)], [("root.onStart", "Spin.onStart")]).decode()
#: Again with the clock's usual patience; the page ends the worker and starts another.
STUBBORN = w.only("import naosim.scheduler\nnaosim.scheduler.MAX_TURN_S = 15.0" + STUBBORN_LOOP).decode()


@pytest.fixture(scope="module")
def behaviours(tmp_path_factory):
    """Provide a folder with the behaviours of the tests."""
    # The last two folders are as in the worker, because NAOqi makes a behaviour's id of them.
    folder = tmp_path_factory.mktemp("site") / "nao" / "behaviours"
    shutil.copytree(ROOT / "simulator" / "tests" / "behaviours" / "SmallTalk", folder / "SmallTalk")
    for name in FILES:
        place = ROOT / "simulator" / "tests" / "behaviours" / f"{name}.xar"
        if place.exists():
            (folder / place.name).write_bytes(place.read_bytes())
    with zipfile.ZipFile(ROOT / "simulator" / "tests" / "behaviours" / "quiz.zip") as archive:
        (folder / "quiz.xar").write_bytes(archive.read("quiz.xar"))
    for name, text in stock.PLAIN_STORIES.items():
        (folder / f"{name}.xar").write_bytes(stock.make_behaviour(text, {}))
    greedy = w.behaviour([w.box("Greedy", GREEDY_SCRIPT)], [("root.onStart", "Greedy.onStart")])
    (folder / "greedy.xar").write_bytes(greedy)
    return folder


class Recorded:
    """A robot of virtual time in this process; it notes every request, with the worker's paths, and its answer."""

    def __init__(self, name, behaviours):
        self.name, self.requests, self.answers = name, [], []
        self._places = {
            f"{NAO}/behaviours": str(behaviours),
            f"{NAO}/choregraphe_project": str(ROOT / "choregraphe_project"),
        }
        self._sent = []
        self._server = JsonServer(self._sent.append)

    def ask(self, **request):
        """Return the value of the answer to a request."""
        self.requests.append(request)
        here = json.dumps({**request, "id": 1})
        for there, place in self._places.items():
            here = here.replace(there, place)
        if request["do"] == "close":
            self._server.close()
            return None
        (self._server.open if request["do"] == "open" else self._server.take)(json.loads(here))
        told = json.dumps(self._sent.pop())
        for there, place in self._places.items():
            told = told.replace(place, there)
        answer = json.loads(told)
        self.answers.append({"error": answer["error"]} if "error" in answer else answer["value"])
        return unpack_value(answer.get("value"))

    def story(self):
        """Return what a page needs to do the same."""
        return {"name": self.name, "requests": self.requests}


def play_game(secret, behaviours):
    """Play a whole game as a person who thinks of `secret`."""
    robot = Recorded(f"game {secret}", behaviours)
    settings = json.dumps({"seed": 1, "folder": "", "role": "breaker"})
    robot.ask(do="open", clock="virtual", seed=1, strict=True)
    robot.ask(do="set", key="Jotto/Settings", value=settings)
    robot.ask(do="load", file=XAR)
    robot.ask(do="start")
    state = robot.ask(do="advance")
    for _ in range(200):
        if state["ended"]:
            break
        if state["ears"]["engine"] is None:
            state = robot.ask(do="stay_silent")
            continue
        asked = robot.ask(do="get", key="Jotto/State")["value"]
        guess = (robot.ask(do="get", key="Jotto/Guess")["value"] or "").lower()
        robot.ask(do="hear", phrase=answer(asked, guess, secret))
        state = robot.ask(do="advance")
    assert state["ended"] and not robot.ask(do="leaks")["value"]
    robot.ask(do="close")
    return robot


def answer(asked, guess, secret):
    """Return the answer of a person to NAO's question."""
    if asked == "ready":
        return "ready"
    if asked == "again" or not guess:
        return "no" if asked == "again" else "yes"
    score = JOTTO.score(secret, guess)
    if asked == "word":
        return "yes" if guess == secret else "no"
    if asked in ("exact", "both"):
        return f"{NUMBERS[score.exact]} and {NUMBERS[score.misplaced]}"
    return NUMBERS[score.misplaced] if asked == "misplaced" else "no"


def play_behaviour(name, behaviours):
    """Play a behaviour as a person who tries everything."""
    robot = Recorded(name, behaviours)
    robot.ask(do="open", clock="virtual", seed=7)
    robot.ask(do="set", key="Player", value="Ann")
    robot.ask(do="load", file=f"{NAO}/behaviours/{name}.xar", rewrite=True)
    robot.ask(do="start")
    for act in ACTS:
        robot.ask(**act)
    return robot


def play_quiz(behaviours):
    """Play a quiz of more than three hundred boxes, which makes much garbage."""
    robot = Recorded("quiz to the end", behaviours)
    robot.ask(do="open", clock="virtual")
    robot.ask(do="load", file=f"{NAO}/behaviours/quiz.xar", rewrite=True)
    robot.ask(do="start")
    state = robot.ask(do="advance")
    for _ in range(500):
        if state["ended"]:
            break
        if not state["ears"]["engine"]:
            robot.ask(do="touch", sensor="FrontTactilTouched")
        elif "stop" in state["ears"]["vocabulary"]:
            robot.ask(do="hear", phrase="yes")
        else:
            robot.ask(do="hear", phrase=CAPITALS[robot.ask(do="get", key="Quiz/Country")["value"]], confidence=0.8)
        state = robot.ask(do="advance")
    assert state["ended"]
    robot.ask(do="close")
    return robot


def many_robots(count):
    """List the requests of `count` robots that are opened, used and closed, one after another."""
    virtual = [{"do": "open", "clock": "virtual"}, {"do": "load", "file": XAR}, {"do": "start"}, {"do": "close"}]
    dance = f"{NAO}/behaviours/dance.xar"
    live = [{"do": "open"}, {"do": "load", "file": dance, "rewrite": True}, {"do": "start"}, {"do": "close"}]
    return (virtual + live) * (count // 2)


#: A first sentence in real time; a loop without end in a box, which is ended; then the robot still answers.
LIVE = [
    {"do": "open", "speed": 1},
    {"do": "watch"},
    {"do": "load", "file": XAR},
    {"do": "start"},
    {"until": ["kind", "say"]},
    {"do": "open"},
    {"do": "close"},
]
SPIN = [
    {"do": "open"},
    {"do": "watch"},
    {"store": "spin.xar", "text": ENDLESS},
    {"do": "load", "file": "/dropped/1/spin.xar"},
    {"do": "start"},
    {"until": ["kind", "error"]},
    {"do": "load", "file": f"{NAO}/behaviours/dance.xar", "rewrite": True},
    {"do": "start"},
    {"until": ["kind", "say"]},
    {"do": "close"},
]


STUBBORN_REQUESTS = [
    {"do": "open"},
    {"store": "../stubborn.xar", "text": STUBBORN},
    {"do": "load", "file": "/dropped/2/stubborn.xar"},
    {"do": "start"},
    {"do": "ears", "patience": 1000},
    {"until": ["push", "ready"]},
    {"do": "open"},
    {"do": "close"},
]


@pytest.mark.timeout(900)
def test_a_worker_does_the_same_as_this_python_and_tells_an_old_browser_so(
    browser_name, behaviours, tmp_path, tmp_path_factory, request
):
    """Takes seconds: every 20th game and box. With --whole-site it plays everything, in both browsers."""
    is_whole = request.config.getoption("--whole-site")
    need_program(browser_name)
    step, robots = (1, ROBOTS) if is_whole else (20, 4)
    played = [play_game(secret, behaviours) for secret in SECRETS[::step]]
    played += [
        play_behaviour(name, behaviours)
        for name in (*FILES[:: 1 if is_whole else 2], *list(stock.PLAIN_STORIES)[::step])
    ]
    usual = gc.get_threshold()
    played.append(play_behaviour("greedy", behaviours))
    gc.set_threshold(*usual)
    quiz = play_quiz(behaviours)
    played += [quiz] * (8 if is_whole else 2)
    stories = [
        {"name": "live", "requests": LIVE},
        *(each.story() for each in played),
        {"name": "many", "requests": many_robots(robots)},
        {"name": "spin", "requests": SPIN},
        {"name": "stubborn", "requests": STUBBORN_REQUESTS},
    ]
    write_stories(tmp_path_factory, tmp_path / "site", stories, behaviours)
    profile = tmp_path / "profile"
    profile.mkdir()
    with serving(tmp_path / "site") as (address, reports), opened_by(browser_name, f"{address}/stories.html", profile):
        *told, old = told_by(reports)
    assert [report["name"] for report in told[1:]] == [story["name"] for story in stories]
    found = {report["name"]: report["answers"] for report in told[1:]}
    # The first answer says which Python it is; that to "close" is the worker's.
    different = [
        report["name"]
        for report, each in zip(told[2:], played, strict=False)
        if report["answers"][1:-1] != each.answers[1:]
    ]
    assert different == []
    assert [each for each in found["many"] if isinstance(each, dict) and "error" in each] == []
    assert len(found["many"]) == 4 * robots
    assert found["live"][5] == {"error": "close the robot first"}
    error = found["spin"][5]["fields"]
    assert "Spin" in error["message"] and "loop without sleep" in error["message"]
    assert found["spin"][8]["kind"] == "say"
    assert found["stubborn"][4] == {"error": "the robot was ended"}
    assert "ALMemory" in found["stubborn"][6]["dict"]["services"]
    assert old["answers"][0]["push"] == "broken" and "Firefox 153" in old["answers"][0]["message"]


def test_a_first_visit_is_small(tmp_path, tmp_path_factory):
    copy_site(tmp_path_factory, tmp_path / "site")
    shutil.rmtree(tmp_path / "site" / "docs")
    fetched = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in fetched) <= MAX_VISIT_BYTES
