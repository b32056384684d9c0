"""The site in a real browser: nothing is refused, everything can be reached, and it fits a phone."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from ratings.publish import BotNote, publish, publish_nothing
from referee.records import MatchRecord
from tests.ratings.publish.sample import BOTS, DETAILS, played, rated

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium: `apt-get install chromium` for these tests")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing about requests."""


LONG = ("W" * 40, "a-very-long-name-without-any-blank-at-al", "a bot with a name of several short words", "y")
"""As long as bot.toml allows."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of all that there is to show, one of bots whose names hardly fit a phone, and one without a result."""
    out = tmp_path_factory.mktemp("www")
    records = played()
    publish(rated(records), out / "cups" / "first", title="Trial", details=DETAILS, replays=records[:2])
    long = {bot: BotNote(versions=("V" * 40,), author="Z" * 200, language="L" * 60) for bot in LONG}
    records = [renamed(record, dict(zip(BOTS, LONG, strict=True))) for record in records]
    details = replace(
        DETAILS,
        bots=long,
        faults=(replace(DETAILS.faults[0], bot=LONG[0], message="m" * 200),),
        fault_counts={LONG[0]: 1},
    )
    publish(rated(records), out / "cups" / "long", title="T" * 80, details=details, replays=records[:1])
    why = f"withdrawn: {', '.join(LONG)}; 0 of 8 finished matches count"
    publish_nothing(out / "cups" / "none", title="T" * 80, details=details, why=why)
    return out


def renamed(record: MatchRecord, names: dict[str, str]) -> MatchRecord:
    return replace(record, spec=replace(record.spec, bots=tuple(names[bot] for bot in record.spec.bots)))


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
    """Every page of the three sites, from the first one's place."""
    site = folder / "cups/first/site"
    own = [str(page.relative_to(site)) for page in site.rglob("*.html")]
    long = [
        f"../../long/site/{page.relative_to(folder / 'cups/long/site')}"
        for page in folder.rglob("cups/long/**/*.html")
    ]
    assert len(own) == 1 + 4 + 2
    assert len(long) == 1 + 4 + 1
    return sorted([*own, *long, "../../none/site/index.html"])


@pytest.mark.parametrize("width", [360, 500])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_loads_whole_and_fits_a_phone(
    browser: Browser, folder: Path, address: str, scheme: str, width: int
) -> None:
    visit = Visit(browser, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for path in paths(folder):
        visit.page.goto(address + path)
        visit.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        overflow = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"{path} is {overflow} pixels too wide"
        styled = visit.page.evaluate("getComputedStyle(document.querySelector('.scroll')).overflowX")
        assert styled == "auto", f"{path} has no style sheet"

    assert visit.complaints == []


# What can be seen of each table when it is scrolled to its end: the first words of every line, whole, and all of
# the rest beside them.
SCROLLED = """
() => [...document.querySelectorAll(".scroll")].flatMap((region) => {
  region.scrollLeft = 0;
  const table = region.querySelector("table");
  if (!table) return [];
  const edge = region.getBoundingClientRect();
  const start = [...table.querySelectorAll("tbody th, tfoot th")];
  const head = table.tHead.rows[0].cells[start[0].cellIndex];
  const before = head.getBoundingClientRect().left;
  region.scrollLeft = region.scrollWidth;
  const place = Math.max(edge.left, before - region.scrollLeft);
  const wrong = [];
  for (const cell of [head, ...start]) {
    const box = cell.getBoundingClientRect();
    if (Math.abs(box.left - place) > 1) wrong.push(`${cell.textContent}: starts at ${box.left}`);
    if (box.width > edge.width * 0.6) wrong.push(`${cell.textContent}: is ${box.width} wide`);
    const inner = cell.scrollWidth - cell.clientWidth;
    if (inner > 1) wrong.push(`${cell.textContent}: ${inner} are cut`);
  }
  const last = table.tBodies[0].rows[0].lastElementChild.getBoundingClientRect();
  if (last.right > edge.right + 1) wrong.push(`the end is ${last.right - edge.right} out of reach`);
  return wrong.map((each) => `${region.getAttribute("aria-label") || table.caption.textContent}: ${each}`);
})
"""


@pytest.mark.parametrize("width", [360, 500])
def test_on_a_phone_the_first_words_of_every_line_stay_when_a_table_is_scrolled(
    browser: Browser, folder: Path, address: str, width: int
) -> None:
    page = Visit(browser, viewport={"width": width, "height": 800}).page
    scrolling = 0
    for path in paths(folder):
        page.goto(address + path)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        assert page.evaluate(SCROLLED) == [], path
        scrolling += page.locator(".scroll").evaluate_all("all => all.filter((each) => each.scrollLeft > 0).length")
    assert scrolling > 10, "or nothing was tested"


def test_on_a_desk_the_standings_are_seen_whole(browser: Browser, address: str) -> None:
    page = Visit(browser, viewport={"width": 1280, "height": 800}).page
    page.goto(address)
    scrolls = "(table) => { const box = table.closest('.scroll'); return [box.clientWidth, box.scrollWidth] }"

    seen, whole = page.locator("table.standings").evaluate(scrolls)

    assert whole <= seen


def test_no_word_of_a_heading_is_broken_by_a_narrow_column(browser: Browser, address: str) -> None:
    """A broken one would stand in more lines than it has words."""
    page = Visit(browser, viewport={"width": 360, "height": 800}).page
    page.goto(address)
    lines = """
    (all) => all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1);
      return [each.textContent.trim(), new Set(boxes.map((box) => Math.round(box.bottom))).size];
    })
    """
    for text, count in page.locator("table:not(.matrix) thead th:not(.chart):not(:has(.bot))").evaluate_all(lines):
        assert count <= len(text.split()) + 1, f"{text!r} stands in {count} lines"


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
