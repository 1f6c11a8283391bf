"""Jotto, Mastermind and Wordle on the static site, in a real browser: whole games, the layout, and what is kept."""

import functools
import json
import time
from pathlib import Path

import pytest
from page_browser import FAST, browsing, complaints, emulate, until
from site_page import FOLDER, SECRET, WATCH_POLICY, Site, SitePage, choose_answer, label_of
from worker_site import copy_site

from jotto.rules import JOTTO
from jotto_behaviour.settings import LANGUAGE_CODES
from jotto_desk.play.page import load_text_table

keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
SIZES = ((1280, 720), (1366, 768), (360, 640))
PHONES = ((360, 640), (320, 640))
#: Lists what of the present question somebody cannot see or tap without scrolling, and where the task area is.
MEASURE = """
const seen = (each) => {
  const { left, right, top, bottom, width } = each.getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && width > 0;
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return inside && hit && (each.contains(hit) || hit.contains(each));
};
const all = (selector) => [...document.querySelectorAll(selector)];
const needed = `.sentence, .task-area .answers:not(.answers-small) button, .number, .entry .tile, .entry button, .key,
  .task-area > .status, .typing > :not(dialog), .tabs a, .play:has(.hint) .board-head button`;
const answers = all(needed);
const rows = all('.boards .board').map((board) => board.querySelector('tbody tr:last-child .tiles')).filter(Boolean);
const isCut = (part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
const cut = all('.sentence, .key, .entry button, .numbers-name, .tabs, .tabs a, .first-doors *').filter(isCut);
const unseen = [...answers, ...rows].filter((part) => !seen(part));
const { left, top, bottom, width, height } = document.querySelector('.task-area').getBoundingClientRect();
const outside = all('.task-area > *').filter((part) => part.getBoundingClientRect().bottom > bottom);
const hidden = [...cut, ...unseen, ...outside].map((part) => part.outerHTML.slice(0, 90));
// A narrower window than a phone's has smaller texts.
const isText = (each) => each.checkVisibility() && !each.matches('.unseen *, option') &&
  [...each.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
const isSmall = (each) => innerWidth >= 360 && isText(each) && parseFloat(getComputedStyle(each).fontSize) < 13;
const small = all('#root *').filter(isSmall).map((part) => part.outerHTML.slice(0, 90));
const wide = [document.documentElement, ...all('.board-area')].some((each) => each.scrollWidth > each.clientWidth);
return { hidden, small, wide, task: [left, top, width, height].map(Math.round) };
"""
#: Returns how far the link on NAO's picture is from its middle, in pixels.
BESIDE_THE_FACE = """const [link, stage] = [".first-doors a", ".stage-area"].map(
  (name) => document.querySelector(name).getBoundingClientRect());
return link.left - (stage.left + stage.right) / 2"""
#: The name of the button with which NAO guesses, for a screen reader.
YOU_GUESS = "You guess: NAO guesses my word"
#: A browser's recogniser without a service: `recogniser.latest` is the one that listens, or null.
FAKE_RECOGNISER = """
globalThis.recogniser = { latest: null, count: 0 };
globalThis.SpeechRecognition = class {
  start() { recogniser.latest = this; recogniser.count += 1; }
  end() { recogniser.latest = null; this.onend(); }
  abort() { this.fail("aborted"); }
  fail(error) { if (recogniser.latest === this) { this.onerror({ error }); if (recogniser.latest) this.end(); } }
  hear(transcript) { this.onresult({ results: [[{ transcript }]] }); this.end(); }
};
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Provide the site of Jotto on a server."""
    root = tmp_path_factory.mktemp("site")
    copy_site(tmp_path_factory, root / FOLDER)
    made = Site(root)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def opened(site, browser_name, tmp_path_factory):
    """Provide a page on which NAO speaks French, from a link."""
    with browsing(tmp_path_factory.mktemp("browser"), name=browser_name) as browser:
        emulate(browser)
        browser.run_first(WATCH_POLICY + FAKE_RECOGNISER)
        page = SitePage(browser)
        page.resize(*SIZES[0])
        page.open(f"{site.address}#play?lang=fr&level=easy&role=i-guess&seed=5")
        page.first = page.run(
            """return { game: page.view.game, language: document.documentElement.lang,
            typing: document.querySelector('.typing input').placeholder,
            keys: [...document.querySelectorAll('.key')].slice(0, 6).map((key) => key.textContent).join('') }"""
        )
        page.run("page.speak('en')")
        yield page


@pytest.fixture
def page(opened):
    """Provide the page at the view Play in a large window; the browser must not have complained."""
    opened.resize(*SIZES[0])
    if not opened.run("return location.hash.startsWith('#play')"):
        opened.run("location.hash = '#play'")
        until(lambda: opened.run("return Boolean(page.view?.game)"))
    yield opened
    assert complaints(opened.browser) == []


def check_layout(page, places, sizes=SIZES):
    """Check in each size that everything needed is visible and the task area stays where it is."""
    for size in sizes:
        page.resize(*size)
        page.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")
        found = page.run(MEASURE)
        assert found["hidden"] == found["small"] == [] and not found["wide"], (size, found, page.game()["question"])
        assert places.setdefault(size, found["task"]) == found["task"], (size, page.game()["question"])
    page.resize(*SIZES[0])


def check_access(page):
    """Check that everybody can use the view, in light and dark colours."""
    if not page.run("return 'axe' in window"):
        script = Path(pytest.importorskip("axe_core_python").__file__).with_name("axe.min.js")
        page.run(script.read_text(encoding="utf-8"))
    # NAO's patience must not end meanwhile.
    page.run("page.link.ask('pace', {speed: 1})")
    for dark in (False, True):
        emulate(page.browser, dark=dark)
        # Themes differ in colours alone.
        rules = "runOnly: ['color-contrast'], " if dark else ""
        found = page.browser.execute_async_script(f"axe.run({{{rules}resultTypes: ['violations']}}).then(arguments[0])")
        wrong = [(each["id"], [node["html"][:120] for node in each["nodes"]]) for each in found["violations"]]
        assert wrong == [], dark
    emulate(page.browser)
    page.run("page.link.ask('pace', {speed: arguments[0]})", FAST)


def test_a_link_chooses_language_level_and_role(page):
    game = page.first["game"]
    assert (game["language"], game["level"], game["role"]) == ("fr", "easy", "maker")
    assert page.first["language"] == "fr"
    assert "Dis quelque chose" in page.first["typing"]
    assert page.first["keys"] == "AZERTY"


def test_a_game_by_tapping(page):
    places = {}
    game = page.restart()
    check_layout(page, places)
    check_access(page)
    game = page.answered(functools.partial(page.press, YOU_GUESS))
    while not game["over"]:
        check_layout(page, places)
        answer = choose_answer(game)
        if isinstance(answer, tuple):
            if not page.find(".why"):
                page.press("Why?", ".board-area")
                assert until(lambda: page.find(".why"))[0].text
            first, second = page.find(".numbers")
            first.find_elements("tag name", "button")[answer[0]].click()
            impossible = [each.text for each in second.find_elements("tag name", "button") if not each.is_enabled()]
            assert (
                impossible == [str(n) for n in range(6) if (answer[0], n) not in JOTTO.list_feedback()]
                or answer[0] == 5
            )
            game = page.answered(second.find_elements("tag name", "button")[answer[1]].click)
        else:
            game = page.answered(functools.partial(page.press, label_of(game, answer)))
    check_layout(page, places)
    assert game["won"] == "nao"
    assert SECRET.upper() in page.run("return document.querySelector('.row-won .tiles').textContent.trim()")
    assert "NAO found it!" in page.find(".win")[0].text
    check_access(page)
    assert page.answered(functools.partial(page.press, "Play again"))["over"] is False


def test_a_game_with_the_keyboard_alone(page):
    game = page.restart()
    # The keys begin at the page's top, as after its start.
    page.run("document.activeElement.blur(); getSelection().collapse(document.body, 0)")
    for _ in range(40):
        page.type(keys.TAB)
        if page.browser.switch_to.active_element.accessible_name == YOU_GUESS:
            break
    outline = page.run(
        "const style = getComputedStyle(document.activeElement); return style.outlineStyle + style.outlineWidth"
    )
    assert outline == "solid3px"
    game = page.answered(lambda: page.type(keys.ENTER))
    while not game["over"]:
        answer = choose_answer(game)
        if isinstance(answer, tuple):
            game = page.answered(
                lambda numbers=answer: page.type("".join(map(str, numbers if numbers[0] < 5 else (5,))))
            )
        else:
            typed = {"yes": "y", "no": "n"}.get(answer, "1")
            game = page.answered(lambda key=typed: page.type(key))
    assert game["won"] == "nao"


@pytest.mark.whole_site
def test_a_game_by_touch_on_a_phone(page):
    page.resize(360, 640)
    page.browser.use_touch(True)
    game = page.restart()
    game = page.answered(lambda: page.touch(page.button(YOU_GUESS)))
    while not (game["boards"] and len(game["boards"][0]["rows"]) == 1):
        answer = choose_answer(game)
        if isinstance(answer, tuple):
            first, second = page.find(".numbers")
            page.touch(first.find_elements("tag name", "button")[answer[0]])
            if answer[0] < 5:
                until(lambda: page.find(".number[aria-pressed=true]"))
            last = second.find_elements("tag name", "button")[answer[1]]
            game = page.answered((lambda button=last: page.touch(button)) if answer[0] < 5 else lambda: None)
        else:
            game = page.answered(functools.partial(page.touch, page.button(label_of(game, answer))))
    page.browser.use_touch(False)
    assert game["boards"][0]["rows"][0]["score"]


def test_the_other_role_by_typing(page):
    places = {}
    game = page.restart(role="i-guess")
    assert "NAO thinks of a word" in page.find(".hint")[0].text
    assert game["question"]["kind"] == "word"
    check_layout(page, places)
    check_access(page)
    page.type("tabl")
    page.type(keys.BACKSPACE, "le")
    game = page.answered(lambda: page.type(keys.ENTER))
    assert ["".join(tile["symbol"] for tile in row["tiles"]) for row in game["boards"][0]["rows"]] == ["TABLE"]
    # There is no guess of NAO with a reason.
    assert "Why?" not in [button.text for button in page.find(".board-area button")]
    check_layout(page, places)
    secret = page.secret()
    for letter in secret.upper():
        next(key for key in page.find(".key") if key.text == letter).click()
    game = page.answered(functools.partial(page.press, "Guess"))
    assert game["won"] == "you" and "You found it! Guesses: 2" in page.find(".win")[0].text


def test_a_player_who_gives_up_reads_the_word_once(page):
    page.restart(role="i-guess")
    page.answered(functools.partial(page.run, "page.view.tap({word: 'table'})"))
    game = page.answered(functools.partial(page.run, "page.view.tap({phrase: 'I give up'})"))
    game = page.answered(functools.partial(page.press, label_of(game, "yes")))
    assert game["secret"] and page.find(".play")[0].text.count(game["secret"]) == 1


def test_a_letter_of_every_keyboard_is_one_tile_in_capitals(page):
    page.browser.execute_async_script("page.speak('de').then(arguments[0])")
    page.restart(role="i-guess", language="de")
    page.type("gr\u00f6\u00dfe")
    tiles = "return [...document.querySelectorAll('.entry .tile')].map((tile) => tile.textContent).join('')"
    assert page.run(tiles) == "GR\u00d6\u1e9eE"
    page.run("page.view.tap({word: 'qwert'})")
    until(lambda: page.run("return page.view.refused.reason"))
    page.run("page.view.entry = ''; page.view.draw()")
    assert page.run(tiles) == "QWERT"
    page.browser.execute_async_script("page.speak('en').then(arguments[0])")


def test_a_race_shows_both_boards(page):
    places = {}
    game = page.restart(role="race")
    for _ in range(12):
        if (len(game["boards"]) == 2 and all(board["rows"] for board in game["boards"])) or game["over"]:
            break
        if game["question"]["kind"] == "word":
            page.type("crown")
            game = page.answered(lambda: page.type(keys.ENTER))
        elif game["question"]["kind"] == "two-numbers":
            game = page.answered(lambda: page.type("01"))
        else:
            answer = choose_answer(game)
            game = page.answered(functools.partial(page.press, label_of(game, answer)))
        check_layout(page, places)
    assert len(game["boards"]) == 2 and len(page.find(".boards.two .board")) == 2
    check_layout(page, places)


@pytest.mark.whole_site
def test_every_language_fits_on_the_screen(page):
    """German has long words."""
    for code in ("de", "es", "fr"):
        page.browser.execute_async_script("page.speak(arguments[0]).then(arguments[1])", code)
        places = {}
        page.restart(language=code)
        check_layout(page, places)
        assert page.find(".first-doors a")[0].text.replace("\n", " ") == load_text_table(code)["Run your behaviour"]
        for size in (SIZES[0], PHONES[0]):
            page.resize(*size)
            assert page.run(BESIDE_THE_FACE) >= 36, "NAO's face is free"
        page.resize(*SIZES[0])
        game = page.restart(role="nao-guesses", language=code)
        check_layout(page, places)
        game = page.answered(functools.partial(page.press, label_of(game, "ready")))
        for _ in range(3):
            check_layout(page, places)
            asked = game["question"]["kind"] == "two-numbers"
            answer = (lambda: page.type("11")) if asked else functools.partial(page.press, label_of(game, "no"))
            game = page.answered(answer)
        page.restart(role="i-guess", language=code)
        check_layout(page, places)
        page.restart(role="race", language=code)
        check_layout(page, {})  # Two boards need more room.
    page.browser.execute_async_script("page.speak('en').then(arguments[0])")


def test_nothing_is_cut_on_a_phone_next_to_a_long_message(page):
    speak = "page.speak(arguments[0]).then(() => page.draw()).then(arguments[1])"
    for code in LANGUAGE_CODES:
        page.browser.execute_async_script(speak, code)
        places = {}
        game = page.restart(language=code)
        check_layout(page, places, PHONES)
        page.restart(role="i-guess", language=code)
        page.run("page.view.tap({word: 'qwert'})")
        message = until(lambda: page.run("return page.view.refused.reason"))
        assert len(message) > 60, "a phone needs two lines for it"
        check_layout(page, places, PHONES)
        # A letter that NAO has heard has answers of its own.
        game = page.answered(functools.partial(page.run, "page.view.tap({phrase: 'm'})"))
        assert game["spelled"] == "M"
        check_layout(page, places, PHONES)
        game = page.restart(role="nao-guesses", language=code)
        game = page.answered(functools.partial(page.press, label_of(game, "ready")))
        page.answered(functools.partial(page.press, label_of(game, "no")))
        check_layout(page, places, PHONES)
    page.browser.execute_async_script(speak, "en")


def test_speaking_to_the_browsers_own_recogniser(page):
    def hear(phrase):
        until(lambda: page.run("return Boolean(recogniser.latest)"))
        page.run("recogniser.latest.hear(arguments[0])", phrase)

    def fail(error):
        until(lambda: page.run("return Boolean(recogniser.latest)"))
        page.run("recogniser.latest.fail(arguments[0])", error)
        return until(lambda: page.run("return page.stage.microphone.sentence"))

    page.restart()
    (button,) = page.find(".microphone")
    button.click()
    # The browser listens only after the player has read who may get the sound.
    assert "may send your voice to the browser's maker" in page.find("dialog[open]")[0].text
    page.press("No", "dialog[open]")
    assert page.run("return recogniser.count") == 0 and button.get_attribute("aria-pressed") == "false"
    button.click()
    check_access(page)
    page.press("Yes", "dialog[open]")
    page.answered(functools.partial(hear, "You guess."))
    assert until(lambda: page.run("return recogniser.latest?.lang")) == "en-US"
    page.answered(functools.partial(hear, "Ready!"))
    # What NAO says itself is not heard.
    page.run("page.stage.talk.isSpeaking = true")
    until(lambda: page.run("return recogniser.latest === null"))
    page.run("page.stage.talk.isSpeaking = false")
    assert "heard nothing" in fail("no-speech") and button.get_attribute("aria-pressed") == "true"
    for error, sentence in (
        ("network", "isn't reachable"),
        ("not-allowed", "Allow the microphone"),
        ("language-not-supported", "this language"),
        ("strange", "(strange)"),
    ):
        assert sentence in fail(error)
        until(lambda: button.get_attribute("aria-pressed") == "false")
        button.click()
    button.click()
    until(lambda: page.run("return recogniser.latest === null"))


def test_play_again_after_nao_has_left(page):
    game = page.restart(role="nao-guesses")
    page.find(".typing input")[0].send_keys("stop the game", keys.ENTER)
    for _ in range(3):
        moment = game["moment"]
        game = until(
            lambda old=moment: (
                page.game()["moment"] != old
                and (page.game()["question"]["kind"] != "none" or not page.game()["runs"])
                and page.game()
            )
        )
        if not game["runs"]:
            break
        page.answered(functools.partial(page.press, label_of(game, "yes")))
    until(lambda: not page.game()["runs"])
    page.press("Play again")
    assert page.asked(lambda now: now["runs"])["question"]["answers"]


@pytest.mark.whole_site
def test_contradictions_are_explained(page):
    places = {}
    game = page.restart(role="nao-guesses")
    check_layout(page, places)
    game = page.answered(functools.partial(page.press, label_of(game, "ready")))
    # No word has none of the letters of so many guesses.
    remark = "No word NAO knows fits all answers: perhaps one of them is wrong."
    while not (game["boards"] and remark in game["boards"][0]["remarks"]):
        typed = "00" if game["question"]["kind"] == "two-numbers" else "n"
        game = page.answered(functools.partial(page.type, typed))
    assert "No word NAO knows fits" in page.find(".boards .remark")[0].text
    check_layout(page, places)


def test_a_slow_device_has_minutes_for_each_answer(page):
    delays = page.run("""const found = [], own = window.setTimeout;
        window.setTimeout = (task, delay) => { found.push(delay); return own(task, delay); };
        page.link.ask("frame");
        window.setTimeout = own;
        return found""")
    assert len(delays) == 1 and delays[0] >= 300_000


def test_nao_waits_while_somebody_looks(page):
    page.restart(role="nao-guesses")
    before = page.run("return page.stage.talk.count")
    # Without the page's patience NAO asks again after 18 seconds.
    time.sleep(30 / FAST)
    assert page.run("return page.stage.talk.count") == before
    assert page.game()["question"]["kind"] == "choice"


def finish_wordle(page):
    """Find the word with the page's help, and copy the result."""
    for number in range(3, 7):
        if page.run("return page.view.table.is_over"):
            break
        page.run("page.view.fitting = null; page.view.draw()")
        page.press("What is still possible?", ".table-game")
        page.type(until(lambda: page.run("return document.querySelector('.fitting button')?.textContent")).lower())
        page.type(keys.ENTER)
        until(functools.partial(page.run, "return page.view.table.board.rows.length === arguments[0]", number))
    until(lambda: page.find(".result"))
    page.press("Copy the result", ".table-game")
    until(lambda: page.run("return page.view.status"))
    check_access(page)


@pytest.mark.parametrize("view", ["mastermind", "wordle"])
def test_mastermind_and_wordle(page, view):
    page.run("location.hash = arguments[0]", f"#{view}")
    until(lambda: page.run("return page.view?.table ? page.viewName : ''") == view)
    guesses = ["roby", "ggvv"] if view == "mastermind" else ["crane", "toils"]
    for number, guess in enumerate(guesses, start=1):
        page.type(guess)
        entry = "page.view.table.open.map((tile) => tile.symbol).join('').toLowerCase()"
        until(functools.partial(page.run, f"return {entry} === arguments[0]", guess))
        page.type(keys.ENTER)
        until(functools.partial(page.run, "return page.view.table.board.rows.length === arguments[0]", number))
    for size in SIZES:
        page.resize(*size)
        hidden = page.run(
            """const needed = '.sentence, .key, .code-key, .table-game > .answers button';
            return [...document.querySelectorAll(needed)].filter((each) => {
              const { top, bottom, left, right } = each.getBoundingClientRect();
              return top < 0 || left < 0 || bottom > innerHeight || right > innerWidth;
            }).map((each) => each.outerHTML)"""
        )
        assert hidden == [], size
    page.resize(*SIZES[0])
    check_access(page)
    page.press("New game", ".table-game")
    assert page.find("dialog.ask[open]")
    page.press("No", "dialog.ask")
    assert page.run("return page.view.table.board.rows.length") == 2
    if view == "wordle":
        looks = page.run("return page.view.table.board.rows.flatMap((row) => row.tiles.map(({look}) => look))")
        for letter, look in zip("CRANETOILS", looks, strict=True):
            key = next(each for each in page.find(".key") if each.text == letter)
            assert f"letter-{look}" in key.get_attribute("class")
        finish_wordle(page)


def test_the_notebook_is_taken_along_and_forgotten(page):
    page.restart(role="i-guess")
    page.answered(lambda: page.type(page.secret(), keys.ENTER))
    page.answered(functools.partial(page.press, "Play again"))
    kept = until(lambda: page.notebook().get("games.jsonl"))
    page.press("Your games so far", ".board-head")
    until(lambda: page.find("dialog.statistics[open] .notebook"))
    check_access(page)
    page.press("Delete everything", ".notebook")
    until(lambda: "Press again" in page.find(".notebook .status")[0].text)
    page.press("Delete everything", ".notebook")
    until(lambda: "No finished games yet." in page.find("dialog.statistics")[0].text)
    assert "games.jsonl" not in page.notebook()
    text = json.dumps({"nao-notebook": 1, "files": {"games.jsonl": kept}})
    page.browser.execute_async_script("page.link.notebook('import', arguments[0]).then(arguments[1])", text)
    assert page.notebook()["games.jsonl"] == kept
    refused = "page.link.notebook('import', arguments[0]).catch((error) => arguments[1](error.message))"
    for wrong in (
        "{}",
        '{"nao-notebook": 1, "files": {"../x.jsonl": "a"}}',
        '{"nao-notebook": 1, "files": {"a.jsonl": 1}}',
    ):
        assert "not a notebook" in page.browser.execute_async_script(refused, wrong)
    page.press("OK", "dialog.statistics")


def test_two_tabs_share_a_notebook_and_play_without_a_network(page, site):
    game = page.restart(role="nao-guesses")
    page.answered(functools.partial(page.press, label_of(game, "ready")))
    until(lambda: "unfinished.json" in page.notebook())
    first = page.browser.current_window_handle
    # The tests before have finished games; this tab's game is not over.
    mine = page.notebook()
    assert mine["games.jsonl"] and "unfinished.json" in mine
    page.run("page.link.ask('pace', {speed: 0})")
    page.browser.switch_to.new_window("tab")
    try:
        emulate(page.browser)
        page.open(f"{site.address}#play?role=i-guess&seed=3")
        assert page.game()["question"]["kind"] == "word", "the other tab's game is not offered here"
        game = page.answered(lambda: page.type(page.secret(), keys.ENTER))
        assert game["won"] == "you"
        count = len(mine["games.jsonl"].splitlines())
        page.press("Play again")
        page.asked(lambda game: game["question"]["kind"] == "word" and not game["boards"])
        game = page.answered(lambda: page.type("table", keys.ENTER))
        assert len(game["boards"][0]["rows"]) == 1
        # NAO writes a game down when it leaves it.
        until(lambda: len(page.notebook()["games.jsonl"].splitlines()) == count + 1)
        assert "unfinished.json" in page.notebook()
        # The next visit needs no network: page, NAO and notebook come from the browser.
        until(lambda: page.browser.execute_async_script("navigator.serviceWorker.ready.then(() => arguments[0](true))"))
        site.stop()
        page.browser.refresh()
        page.wait_for_start()
        assert "keep playing" in page.asked()["question"]["text"]
        page.answered(functools.partial(page.press, "Yes"))
        assert "TABLE" in page.find(".boards")[0].text.replace("\n", "")
        page.browser.close()
    finally:
        site.start()
        page.browser.switch_to.window(first)
    page.run("page.link.ask('pace', {speed: arguments[0]})", FAST)
    assert page.notebook()["unfinished.json"] == mine["unfinished.json"]
    until(lambda: len(page.notebook()["games.jsonl"].splitlines()) >= count)
