"""A class on a page: each browser has its own NAO and game, behind a token and TLS; everybody can use the page.

Takes seconds: two robots, and a browser in which axe-core checks the page.
"""

import ssl
import urllib.error
import urllib.request

import pytest
from page_browser import FAST, check_access, complaints, served, texts, until
from tls_files import tls_files

pytest.importorskip("nicegui")
pytest.importorskip("selenium")

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

TOKEN = "a-token-of-this-class"


@pytest.fixture
def page(browser, tmp_path):
    certificate, key = tls_files(tmp_path)
    command = ("-m", "jotto_desk", "play", "--page", "--port", "0", "--visitors", "2", "--seed", "1", "--token", TOKEN)
    files = ("--tls-cert", certificate, "--tls-key", key)
    with served(*command, *files, browser=browser, environ={"XDG_DATA_HOME": str(tmp_path)}, speed=FAST) as made:
        made.home = tmp_path
        yield made


def named(browser, name):
    """Find the buttons of this name."""
    return browser.find_elements("xpath", f"//button[normalize-space(.)='{name}']")


def tap(browser, name):
    """Tap the button of this name when it is there; look for it again if the page draws it again."""

    def tapped():
        try:
            shown = [button for button in named(browser, name) if button.is_displayed()]
            return shown and (shown[0].click(), True)
        except StaleElementReferenceException:
            return False

    until(tapped)


def visit(browser, page):
    """Open the address that the command prints, then the page with NAO drawn flat."""
    browser.get(page.address)
    browser.get(page.address.partition("?")[0] + "?flat")


def arrived(browser):
    return until(lambda: texts(browser, ".bubble-NAO"))


def walk(browser, steps):
    """Press Tab `steps` times; list each element that gets the focus, and whether the page shows that."""
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


def find_a_game_again_in_a_full_class(browser, page):
    visit(browser, page)
    arrived(browser)
    assert "token" not in browser.current_url
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
    # The name of a visitor's folder does not tell its cookie.
    folders = [each.name for each in (page.home / "nao-jotto" / "visitors").iterdir()]
    assert len(folders) == 1 and folders[0] not in mine[0]["value"]


def refuse_requests_without_the_token(page):
    address = page.address.partition("?")[0]
    trusting = ssl._create_unverified_context()
    for path in ("", "?token=wrong", "_nicegui/x", "?flat"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address + path, context=trusting)
        assert refused.value.code == 403 and b"whole address" in refused.value.read()


def use_the_page_by_keyboard(browser):
    check_access(browser)
    # Buttons come and go while NAO's time passes, and the focus with them.
    tap(browser, "Pause")
    until(lambda: named(browser, "Continue"))
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    walked = walk(browser, 25)
    assert [html for html, seen in walked if not seen] == []
    # Nothing traps the focus: every step leads to another element.
    assert len({html for html, _ in walked}) == len(walked)
    live = browser.execute_script("""return [...document.querySelectorAll('[role=log], [role=status], [role=alert]')]
        .map(each => each.getAttribute('role'))""")
    assert {"log", "status", "alert"} <= set(live)
    assert complaints(browser) == []


def test_a_class_shares_a_page(browser, page):
    """Go through one page; each step starts where the one before ended."""
    refuse_requests_without_the_token(page)
    find_a_game_again_in_a_full_class(browser, page)
    use_the_page_by_keyboard(browser)
