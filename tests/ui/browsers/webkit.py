"""WebKit by Debian's WebKitWebDriver and its MiniBrowser, on a screen that nobody sees."""

from __future__ import annotations

import os
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.needed import missing, program
from tests.ui.browsers.main_path import Step

PLACES = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkit2gtk-4.0/MiniBrowser")
WEBDRIVER_KEYS = {"End": "END", "ArrowDown": "ARROW_DOWN"}


@contextmanager
def screen() -> Iterator[str]:
    """An X server of one screen, ended afterwards; gives the name of its display."""
    reading, writing = os.pipe()
    command = [program("Xvfb"), "-displayfd", str(writing), "-screen", "0", "1280x1000x24"]
    server = subprocess.Popen(
        [*command, "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            yield f":{answer.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def mini_browser() -> Path:
    """The browser that belongs to the driver; the test is skipped by name without it."""
    for pattern in PLACES:
        found = sorted(Path("/").glob(pattern.removeprefix("/")))
        if found:
            return found[0]
    missing("WebKit's MiniBrowser (Debian's webkit2gtk-driver)")
    raise AssertionError("not reached: missing() skips or fails")


@contextmanager
def webkit(seconds: float) -> Iterator[Any]:
    """A WebDriver of WebKit, whose waits end after `seconds`."""
    driver_path, browser_path = program("WebKitWebDriver"), mini_browser()
    from selenium import webdriver
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    options = Options()
    options.binary_location = str(browser_path)
    options.add_argument("--automation")
    with screen() as display:
        environment = {
            **os.environ,
            "DISPLAY": display,
            "GDK_BACKEND": "x11",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        with warnings.catch_warnings():
            # Selenium's own class for WebKitGTK calls Selenium in a way that it has deprecated.
            warnings.filterwarnings("ignore", "setting remote_server_addr", DeprecationWarning)
            driver = webdriver.WebKitGTK(options, Service(driver_path, env=environment))
        driver.set_script_timeout(seconds)
        driver.set_page_load_timeout(seconds)
        try:
            yield driver
        finally:
            driver.quit()


def take(driver: Any, steps: list[Step], seconds: float) -> dict[str, Any]:
    """Take the steps; what `read` steps gave, by name."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    def value(expression: str) -> Any:
        return driver.execute_script(f"return {expression}")

    def holds(expression: str) -> Callable[[Any], bool]:
        return lambda _: bool(value(expression))

    noted: dict[str, Any] = {}
    for step in steps:
        if step["kind"] == "wait":
            WebDriverWait(driver, seconds).until(holds(step["expression"]))
        elif step["kind"] == "read":
            noted[step["name"]] = value(step["expression"])
        elif step["kind"] == "press":
            key = getattr(Keys, WEBDRIVER_KEYS[step["key"]])
            ActionChains(driver).send_keys(key).perform()
        else:
            element = driver.find_element(By.CSS_SELECTOR, step["selector"])
            driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            if step["kind"] == "click":
                element.click()
            else:
                element.clear()
                element.send_keys(step["text"])
    return noted
