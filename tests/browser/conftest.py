"""A real browser, headless, for what only a browser can tell."""

import base64
import json
import os
import shutil
import sys
import time

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1200,1000",
]


class Browser:
    """Opens pages from disk and notes what they ask for and complain about."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, path, width=1200, height=1000):
        self.driver.set_window_size(width, height)
        self.emulate(scheme="light")
        self.driver.get("about:blank")
        self.complaints(), self.requests()
        self.driver.get(path.as_uri())
        self.wait("document.documentElement.dataset.drawn === 'yes'")
        return self

    def run(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def ask(self, expression):
        return self.run(f"return {expression}")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.ask(expression):
            assert time.monotonic() < end, f"never true: {expression}; {self.complaints()}"
            time.sleep(0.05)

    def one(self, css):
        return self.driver.find_element("css selector", css)

    def all(self, css):
        return self.driver.find_elements("css selector", css)

    def click(self, css):
        """Click as a mouse does, at the middle of what is there."""
        from selenium.webdriver import ActionChains

        element = self.one(css)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(self.driver).move_to_element(element).click().perform()

    def press(self, *keys):
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def complaints(self):
        """What stands in the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """Addresses that were fetched, the page's own too; not those that its policy stopped."""
        messages = [
            json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")
        ]
        asked = {
            message["params"]["requestId"]: message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        }
        for message in messages:
            if message["params"].get("blockedReason") == "csp":
                asked.pop(message["params"]["requestId"], None)
        return list(asked.values())

    def emulate(self, scheme="light", media=""):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": features, "media": media}
        )

    def printed(self):
        """The page as a PDF."""
        return base64.b64decode(self.driver.execute_cdp_cmd("Page.printToPDF", {})["data"])


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    binary = next(filter(None, map(shutil.which, BROWSERS)), None)
    server = shutil.which("chromedriver")
    if binary is None or server is None:
        why = (
            "no Chromium with chromedriver here: `make browser` installs them on Debian and Ubuntu"
        )
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(server)
    driver = webdriver.Chrome(options=options, service=service)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
        # Its pipe is let go of by the collector, which the tests hear of as a warning.
        if service.process is not None and service.process.stdin is not None:
            service.process.stdin.close()
        sys.stdout.flush()
