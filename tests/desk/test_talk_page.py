"""The report on talks as one page, opened from its file in a browser."""

import json
import shutil

import pytest
from interpreters import ROOT
from page_browser import KEEP_FILES, browsing, complaints, until

from naosim.recording import read_recording
from naosim_robots.talks import command

TALKS = """
behaviour: old_story.xar
talks:
  no ends it:
    - {said: no, ended: true}
  <b>yes</b> leads to the head:
    - {said: yes, says: Well done}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("talks")
    shutil.copy(ROOT / "simulator/tests/behaviours/old_story.xar", folder)
    (folder / "story.talk.yaml").write_text(TALKS, encoding="utf-8")
    from naosim_page.talk_report import write_page

    assert command.main(["--talk", str(folder), "--html", str(folder / "report.html")], lambda: write_page) == 1
    return folder / "report.html"


def test_the_page_shows_each_talk_again_without_a_server(page, tmp_path):
    """Takes seconds: a browser."""
    with browsing(tmp_path, draws=True) as browser:
        browser.get(page.as_uri())
        rows = until(lambda: browser.find_elements("css selector", ".talks > li"))
        assert [row.get_attribute("class") for row in rows] == ["passed", "failed"]
        assert "<b>yes</b> leads to the head" in rows[1].text and 'must say "Well done"' in rows[1].text
        rows[1].find_element("css selector", "button").click()
        slider = until(lambda: browser.find_elements("css selector", ".scrubber"))[0]
        assert browser.find_elements("css selector", ".differs")
        assert browser.find_elements("css selector", ".figure")
        last = slider.get_attribute("max")
        lines = browser.find_elements("css selector", ".lines > li")
        # It opens where NAO differs.
        bubbles = browser.find_element("css selector", ".bubbles")
        until(lambda: "Great." in bubbles.text)
        lines[0].click()
        until(lambda: "Great." not in bubbles.text and "Do you want" in bubbles.text)
        lines[-2].click()
        until(lambda: "Great." in bubbles.text)
        # What is saved is a recording, which the page opens with its behaviour.
        browser.execute_script(KEEP_FILES)
        next(
            each for each in browser.find_elements("css selector", "button") if each.text == "Save the recording"
        ).click()
        text = browser.execute_async_script("kept[0].text().then(arguments[0])")
        assert read_recording(text.splitlines()).acts[-1]["act"] == "end"
        assert json.loads(text.partition("\n")[0])["file"]["name"] == "old_story.xar"
        assert int(last) > 5 and [each for each in complaints(browser) if "GPU stall" not in each] == []
