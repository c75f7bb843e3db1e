"""Makes the README's picture from a running demo: `make demo`, then `.venv/bin/python docs/screenshots.py [address]`.

What it shows is what the floorperson of that demo sees at that moment.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

LOGIN, PASSWORD = "floor", "pitstand-demo"
HERE = Path(__file__).resolve().parent


def main(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(
            base_url=address,
            viewport={"width": 1280, "height": 800},
            color_scheme="dark",
            timezone_id="America/New_York",
        )
        page.goto("/accounts/login/")
        page.get_by_label("User name").fill(LOGIN)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_selector("body[data-live=live]")
        page.screenshot(path=HERE / "board.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
