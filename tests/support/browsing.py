"""A person at a browser: what the browser tests share. Headless Chromium, driven by Playwright."""

import os
import shutil
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 180_000  # milliseconds: only what hangs comes to it
LONGEST = 400  # clicks in one game
AT_ONCE = "localStorage.getItem('hiddenhand.pace') ?? localStorage.setItem('hiddenhand.pace', '0')"
"""Moves of others are not shown one after the other, unless a test wants that."""


def need_browser():
    """Skip where there is no browser; the continuous integration has to have one."""
    if os.environ.get("CI"):
        assert CHROMIUM, "the continuous integration needs Chromium"
    elif CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    pytest.importorskip("playwright.sync_api")


@contextmanager
def chromium():
    """A browser."""
    need_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Person:
    """Somebody with a browser window of their own, whose storage nobody shares."""

    def __init__(self, browser, site, **details):
        self.site = site
        self.base = f"http://{site.address}"
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **details)
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(
            "localStorage.getItem('hiddenhand.pace') ?? localStorage.setItem('hiddenhand.pace', '0')"
        )
        self.troubles = []
        self.asked_for = []
        self.page = None
        self.open()

    def open(self, path=None):
        """A fresh page; whatever goes wrong on it is kept."""
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.troubles.append(said.text))
        self.page.on("request", lambda request: self.asked_for.append(request.url))
        if path is not None:
            self.go(path)

    def go(self, path):
        self.page.goto(self.base + path)

    def sit(self, made, token=None):
        """Come to a table by the link of a seat."""
        self.go(f"/t/{made['table']}?seat={token or made['token']}")
        self.page.wait_for_selector(".drawing > *")

    def close(self):
        self.context.close()
        assert self.troubles == []
        assert all(url.startswith((self.base, "data:")) for url in self.asked_for), "something came from elsewhere"

    # ---- what the page says

    def status(self):
        return self.page.inner_text(".status")

    def ply(self):
        return self.page.inner_text(".clock output")

    def over(self):
        return self.page.query_selector(".outcome") is not None

    def log(self):
        return [line.replace("\n", " ") for line in self.page.locator(".log button").all_inner_texts()]

    def wait_for(self, condition, *arguments):
        self.page.wait_for_function(condition, arg=list(arguments))

    def my_turn(self):
        """Wait until there is something to do; whether there is."""
        self.wait_for("() => document.querySelector('.outcome, .status.mine')")
        return not self.over()

    # ---- what the person does

    def press(self, locator):
        """Press something that moves, and wait until the game has gone on."""
        before = self.ply()
        self.page.locator(locator).first.click()
        self.wait_for("([before]) => document.querySelector('.clock output').innerText !== before", before)

    def play_by_clicks(self, choose):
        """A whole game: `choose` presses something on the drawing."""
        for _ in range(LONGEST):
            if not self.my_turn():
                return
            choose(self)
        raise AssertionError("the game does not end")

    def any_of(self, *selectors):
        """The first of these that is there now."""
        for selector in selectors:
            if self.page.query_selector(selector):
                return selector
        raise AssertionError(f"none of {selectors} can be pressed")
