"""The pictures of README.md and docs/web.md: `python -m tests.web.pictures` takes them anew in headless Chromium."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.web.serving import Server, serving
from tests.web.test_browser import CHROMIUM, start

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SIZE = {"width": 1200, "height": 760}


def table(page: Page, server: Server) -> None:
    """Hearts in the middle of a trick."""
    page.goto(server.address)
    page.fill("#name", "Anna")
    page.press("#name", "Tab")
    start(page, "Hearts", "Play now")
    legal = page.locator(".hand .own.legal")
    for _ in range(60):
        page.wait_for_timeout(2500)
        if page.locator(".front .slot").count() >= 2 and legal.count() > 1 and page.locator(".log li").count() > 18:
            break
        if legal.count():
            legal.last.click(position={"x": 6, "y": 12})
    page.mouse.move(5, 500)
    page.wait_for_timeout(300)
    page.screenshot(path=IMAGES / "web-table.png")


def editor(page: Page, server: Server) -> None:
    """A game that is being drawn and tried."""
    page.goto(server.address)
    start(page, "Agram", "Change the rules")
    page.click("#tab-try")
    page.wait_for_selector(".box.at")
    for _ in range(2):
        page.click("[aria-label='On to the next decision']")
        page.wait_for_timeout(800)
    page.click(".canvas .box.at")
    page.wait_for_timeout(500)
    page.screenshot(path=IMAGES / "web-editor.png")


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "web.sqlite") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for take in (table, editor):
            page = browser.new_page(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
            take(page, server)
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main()
