"""A class on a page: each browser with a NAO and a game of its own, behind a token and TLS; usable by everybody.

Takes seconds: robots, a browser, and axe-core's look at every view.
"""

import ssl
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from page_browser import browsing, complaints, foreign, served, texts, until
from tls_files import tls_files

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

import axe_core_python
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

#: The script that accessibility tools share, as axe-core's package carries it.
AXE = Path(axe_core_python.__file__).with_name("axe.min.js")
TOKEN = "a-token-of-this-class"
GRAVE = {"serious", "critical"}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with browsing(tmp_path_factory.mktemp("browser"), "--ignore-certificate-errors") as made:
        yield made


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    certificate, key = tls_files(tmp_path_factory.mktemp("tls"))
    with served(
        "-m",
        "jotto_desk",
        "play",
        "--page",
        "--port",
        "0",
        "--visitors",
        "2",
        "--seed",
        "1",
        "--token",
        TOKEN,
        "--tls-cert",
        certificate,
        "--tls-key",
        key,
        environ={"XDG_DATA_HOME": str(home)},
    ) as made:
        made.home = home
        yield made


def named(browser, name):
    """Find the buttons of this name."""
    return browser.find_elements("xpath", f"//button[normalize-space(.)='{name}']")


def tap(browser, name):
    """Tap the button of this name when it is there; one that is drawn anew meanwhile is looked for again."""

    def tapped():
        try:
            shown = [button for button in named(browser, name) if button.is_displayed()]
            return shown and (shown[0].click(), True)
        except StaleElementReferenceException:
            return False

    until(tapped)


def visit(browser, page):
    """Open the page as it was printed, without the figure in three dimensions."""
    browser.get(page.address)
    browser.get(page.address.partition("?")[0] + "?flat")


def come(browser, page):
    """Be on the page, where an earlier test may have gone already."""
    if not browser.current_url.startswith(page.address.partition("?")[0]):
        visit(browser, page)
        arrived(browser)


def arrived(browser):
    return until(lambda: texts(browser, ".bubble-NAO"))


def test_a_visitor_finds_its_game_again_and_the_class_is_full(browser, page):
    visit(browser, page)
    arrived(browser)
    assert "token" not in browser.current_url
    # Time runs faster, so that the test does not listen to NAO for long.
    tap(browser, "10\u00d7")
    tap(browser, "My turn to guess")
    until(lambda: named(browser, "Guess"))
    browser.find_element("css selector", '[aria-label="Your word"]').send_keys("ocean" + Keys.ENTER)
    rows = until(lambda: texts(browser, ".board tbody tr"))
    mine = [each for each in browser.get_cookies() if "visitor" in each["name"]]
    assert len(mine) == 1 and mine[0]["httpOnly"] and mine[0]["secure"]
    browser.delete_all_cookies()
    visit(browser, page)
    assert arrived(browser) and not texts(browser, ".board tbody tr")
    browser.delete_all_cookies()
    visit(browser, page)
    until(lambda: texts(browser, ".waiting")[0].startswith("All 2 places are taken."))
    browser.delete_all_cookies()
    browser.add_cookie({key: mine[0][key] for key in ("name", "value", "path", "secure")})
    visit(browser, page)
    assert until(lambda: texts(browser, ".board tbody tr")) == rows
    # The notebook of a visitor is found by a name that is not the cookie's.
    folders = [each.name for each in (page.home / "nao-jotto" / "visitors").iterdir()]
    assert len(folders) == 1 and folders[0] not in mine[0]["value"]


def test_without_the_token_nothing_is_shown(browser, page):
    address = page.address.partition("?")[0]
    trusting = ssl._create_unverified_context()
    for path in ("", "?token=wrong", "_nicegui/x", "?flat"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address + path, context=trusting)
        assert refused.value.code == 403 and b"whole address" in refused.value.read()


def grave(browser):
    """List what axe-core finds serious on the page."""
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(AXE.read_text(encoding="utf-8"))
    found = browser.execute_async_script("axe.run({resultTypes: ['violations']}).then(arguments[0])")
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in found["violations"]
        if each["impact"] in GRAVE
    ]


def shaped(browser, width, dark=False):
    """Show the page in a width, in light or dark."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )
    until(lambda: browser.execute_script("return document.body.classList.contains('body--dark')") == dark)


def check_view(browser):
    """Hold a view to what everybody needs: names, contrast, width, motion, in light and dark."""
    browser.execute_script("document.querySelectorAll('details').forEach(each => { each.open = true })")
    for width, dark in ((360, True), (1280, False)):
        shaped(browser, width, dark)
        assert grave(browser) == [], (width, dark)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
    moving = browser.execute_script("""return [...document.querySelectorAll('*')].map(each => getComputedStyle(each))
        .filter(style => parseFloat(style.transitionDuration) > 0.01 || style.animationName !== 'none').length""")
    assert moving == 0


def walk(browser, steps):
    """Go on by Tab, and list what has the focus, each with whether that is seen."""
    found = []
    for _ in range(steps):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        found.append(
            browser.execute_script("""const each = document.activeElement, style = getComputedStyle(each);
            const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
            const helper = each.querySelector(':scope > .q-focus-helper');
            const field = each.closest('.q-field--focused, .q-slider--focus');
            const place = [...document.querySelectorAll('*')].indexOf(each);
            return [`${place} ${each.outerHTML.slice(0, 160)}`, ring || style.boxShadow !== 'none' || !!field
                    || !!helper && parseFloat(getComputedStyle(helper).opacity) > 0.05]""")
        )
    return found


def test_the_robots_page_is_for_everybody(browser, page):
    come(browser, page)
    check_view(browser)
    # What NAO listens for comes and goes, and the focus with it: its time stands still.
    tap(browser, "Pause")
    until(lambda: named(browser, "Continue"))
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    walked = walk(browser, 40)
    assert [html for html, seen in walked if not seen] == []
    # Nothing keeps the focus: as many steps, as many places.
    assert len({html for html, _ in walked}) == len(walked)
    live = browser.execute_script("""return [...document.querySelectorAll('[role=log], [role=status], [role=alert]')]
        .map(each => each.getAttribute('role'))""")
    assert {"log", "status", "alert"} <= set(live)
    assert complaints(browser) == []
    assert foreign(browser) == []


@pytest.mark.parametrize("command", [("mastermind",), ("wordle", "play")], ids=lambda command: command[0])
def test_the_tables_are_for_everybody(browser, command):
    with served("-m", "jotto_desk", *command, "--page", "--port", "0", browser=browser) as made:
        browser.get(made.address)
        until(lambda: texts(browser, "h2"))
        check_view(browser)
        assert foreign(browser) == []
