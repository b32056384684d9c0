"""The site in a real browser: nothing is refused, everything can be reached, and it fits a phone."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from ratings.publish import publish
from tests.ratings.publish.sample import DETAILS, played, rated

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: `apt-get install chromium` for these tests")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing about requests."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("www")
    records = played()
    publish(rated(records), out / "cups" / "first", title="Trial", details=DETAILS, replays=records[:2])
    return out


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The site below a path of a plain file server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/cups/first/site/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        opened = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield opened
        opened.close()


class Visit:
    """A page whose every complaint is kept."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on(
            "response",
            lambda got: self.complaints.append(f"{got.status}: {got.url}") if got.status >= 400 else None,
        )

    def _failed(self, request: Request) -> None:
        # An icon that is still on its way when the next page is asked for is no fault of the site.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"{request.failure}: {request.url}")


def paths(folder: Path) -> list[str]:
    site = folder / "cups/first/site"
    return sorted(str(page.relative_to(site)) for page in site.rglob("*.html"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_loads_whole_and_fits_a_phone(browser: Browser, folder: Path, address: str, scheme: str) -> None:
    visit = Visit(browser, viewport={"width": 390, "height": 844}, color_scheme=scheme)
    for path in paths(folder):
        visit.page.goto(address + path)
        overflow = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{path} is {overflow} pixels too wide"
        styled = visit.page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX")
        assert styled == "auto", f"{path} has no style sheet"

    assert visit.complaints == []


def test_the_site_works_from_a_folder_without_a_server(browser: Browser, folder: Path) -> None:
    visit = Visit(browser)
    visit.page.goto((folder / "cups/first/site/index.html").as_uri())
    visit.page.get_by_role("link", name="duck", exact=True).first.click()

    assert visit.page.get_by_role("heading", level=1).inner_text() == "duck"
    assert visit.page.get_by_role("button", name="Meetings").count() == 1, "the script runs"
    assert visit.complaints == []


def test_without_scripts_everything_is_there(browser: Browser, address: str) -> None:
    visit = Visit(browser, java_script_enabled=False)
    visit.page.goto(address)

    assert visit.page.get_by_role("table").count() >= 5
    assert visit.page.get_by_role("button").count() == 0
    assert visit.complaints == []


def test_the_standings_are_sorted_from_the_keyboard(browser: Browser, address: str) -> None:
    page = Visit(browser).page
    page.goto(address)
    table = page.locator("table.standings")
    names = table.locator("tbody th")
    by_place = names.all_inner_texts()

    table.get_by_role("button", name="Elo").focus()
    page.keyboard.press("Enter")
    assert names.all_inner_texts() == by_place, "the highest Elo comes first"
    page.keyboard.press("Space")
    assert names.all_inner_texts() == by_place[::-1]
    assert table.get_by_role("columnheader", name="Elo", exact=True).get_attribute("aria-sort") == "ascending"
    assert page.get_by_role("status").inner_text() == "Sorted by Elo, ascending"


def test_who_listens_hears_the_structure_of_the_page(browser: Browser, address: str) -> None:
    page = Visit(browser).page
    page.goto(address)
    heard = page.locator("body").aria_snapshot()

    for part in (
        "- banner",
        "- main:",
        "- contentinfo",
        '- heading "Trial" [level=1]',
        '- heading "Standings" [level=2]',
        '- navigation "On this page"',
        '- columnheader "Points a deal"',
        "- table",
        "- caption",
    ):
        assert part in heard, heard


# WCAG 2, success criterion 1.4.3. Colours with alpha are laid over what is behind them.
CONTRASTS = """
() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const layers = (element) => element ? [...layers(element.parentElement), getComputedStyle(element)] : [];
  const paint = (colours) => {
    canvas.fillStyle = "white"; canvas.fillRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => byte / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = {};
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility()) continue;
    const styles = layers(element);
    const grounds = styles.map((style) => style.backgroundColor);
    const style = styles.at(-1);
    const ink = element.closest("svg") ? style.fill : style.color;
    const [one, other] = [paint(grounds), paint([...grounds, ink])];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const name = `${element.tagName}.${element.getAttribute("class")} ${element.textContent}`;
    if (contrast < 4.5) found[name] = contrast;
  }
  return found;
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_stands_out_from_its_ground(browser: Browser, folder: Path, address: str, scheme: str) -> None:
    page = Visit(browser, color_scheme=scheme).page
    for path in ("index.html", "bots/duck.html", "matches/00000-00000000.html"):
        page.goto(address + path)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert page.evaluate(CONTRASTS) == {}, path
