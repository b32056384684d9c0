"""The site, as markup: well formed, closed in itself, and safe from what bots are called."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ratings.publish import Details
from ratings.publish.details import FAULTS_SHOWN
from ratings.publish.site import page_of, render_site
from tests.ratings.publish.sample import BOTS, DETAILS, HOSTILE, played, rated

VOID = {"meta", "link", "br", "img", "input", "hr"}
MAY_END_ITSELF = {"path", "rect", "line", "circle", "text"}  # SVG


class Page(HTMLParser):
    """Reads a page strictly: every element is closed, in order, and no id is given twice."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in MAY_END_ITSELF
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.elements if "id" in attributes]


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    records = played()
    return render_site(rated(records), title="Trial & <error>", details=DETAILS, replays=records)


@pytest.fixture(scope="module")
def pages(site: dict[str, str]) -> dict[str, Page]:
    return {name: Page(text) for name, text in site.items() if name.endswith(".html")}


def test_there_is_a_page_a_bot_and_a_page_a_match(pages: dict[str, Page]) -> None:
    folders = [posixpath.dirname(name) for name in pages]

    assert {folder: folders.count(folder) for folder in folders} == {"": 1, "bots": len(BOTS), "matches": 8}


def test_every_link_leads_to_a_file_or_a_part_of_the_site(site: dict[str, str], pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        links = [each["href"] for tag in ("a", "link") for each in page.all(tag)]
        for link in [*links, *(each["src"] for each in page.all("script"))]:
            path, _, part = str(link).partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            assert target in site, f"{name} links to {link}"
            assert not part or part in pages[target].ids, f"{name} links to {link}"


def test_no_id_is_given_twice_and_every_reference_has_its_id(pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), name
        for _, attributes in page.elements:
            assert attributes.get("aria-labelledby") in {None, *page.ids}, name


def test_what_a_bot_is_called_is_never_markup(site: dict[str, str], pages: dict[str, Page]) -> None:
    for name, page in pages.items():
        assert HOSTILE in page.text
        assert "alert(" not in "".join(str(each.get("src")) for each in page.all("script"))
        assert "<script>" not in site[name]
        assert not page.all("b"), "a fault's message is text as well"


def test_nothing_is_inline_that_the_policy_forbids(pages: dict[str, Page]) -> None:
    for page in pages.values():
        policy = [each["content"] for each in page.all("meta") if "http-equiv" in each]
        assert len(policy) == 1
        assert "unsafe" not in str(policy[0])
        assert not page.all("style")
        for _, attributes in page.elements:
            assert not [key for key in attributes if key == "style" or key.startswith("on")]


def test_tables_have_captions_and_their_headers_a_scope(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert len(page.all("table")) == len(page.all("caption")) > 0
        assert all(header.get("scope") in ("col", "colgroup", "row") for header in page.all("th"))


def test_a_stranger_finds_what_the_trust_rests_on(pages: dict[str, Page]) -> None:
    text = pages["index.html"].text

    for known in (DETAILS.commitment, DETAILS.seed, DETAILS.root, DETAILS.trust, DETAILS.software):
        assert known in text
    assert "30 November 2026, 03:10 to 04:12 UTC" in text
    assert "must follow suit" in text


def test_a_bot_is_shown_with_what_is_known_of_its_author_language_and_version(site: dict[str, str]) -> None:
    def told(bot: str) -> dict[str, str]:
        facts = re.findall("<dt>(Author|Language|Versions?)</dt><dd>(.*?)</dd>", site[f"bots/{page_of(bot)}"])
        return dict(facts)

    author = "Ada &lt;b&gt;&amp; Co&lt;/b&gt;"
    assert told("duck") == {"Author": author, "Language": "go", "Versions": "1.0, then 1.1"}
    assert told("low") == {"Version": "1.3"}
    assert told("moon") == {}
    assert told(HOSTILE) == {"Author": "Z" * 200}


def test_the_standings_tell_each_bot_with_its_newest_version_in_short(pages: dict[str, Page]) -> None:
    text = pages["index.html"].text

    assert "1.1 · go · Ada <b>& Co</b>" in text
    assert "Z" * 39 + "…" in text
    assert "Z" * 40 not in text


def test_a_seed_that_is_still_secret_is_said_to_be() -> None:
    details = Details(started_at="2026-11-30T03:10:00+00:00", commitment="c0" * 32)
    page = render_site(rated(played()), title="Trial", details=details)["index.html"]

    assert "secret until the last match is played" in page
    assert "not all matches are played yet" in page


def test_a_match_page_shows_every_card_of_every_trick(pages: dict[str, Page]) -> None:
    record = played()[0]
    text = " ".join(pages["matches/00000-00000000.html"].text.split())

    assert text.count("\ufe0e") >= sum(len(deal.decisions) + 52 for deal in record.deals)
    assert "Q♠" in text
    assert "leads" in text
    assert "*" in text, "a card that the referee played is marked"


def test_faults_are_all_counted_however_few_of_them_are_told() -> None:
    notes = [
        replace(DETAILS.faults[0], bot=bot, match=match)
        for bot, amount in (("duck", FAULTS_SHOWN), ("low", 2))
        for match in range(amount)
    ]
    details = replace(DETAILS, faults=tuple(notes), fault_counts={"duck": 1_234, "low": 2})

    site = render_site(rated(played()), title="Trial", details=details)

    assert "1,236 faults, with reasons" in site["index.html"]
    assert "and 1,136 more:" in site["index.html"]
    assert "and 1,134 more:" in site["bots/duck.html"]
    assert site["bots/low.html"].count("<li><strong>low</strong>") == 2
    assert 'id="faults"' not in site["bots/moon.html"]


def test_what_would_move_a_cursor_or_turn_the_text_is_shown_as_escapes(site: dict[str, str]) -> None:
    assert r"low \x1b[31mas ever" in site["matches/00000-00000000.html"]
    assert not [char for char in site["matches/00000-00000000.html"] if not (char.isprintable() or char == "\n")]


def test_every_bot_has_a_page_of_its_own_on_any_file_system() -> None:
    names = ["duck", "Duck", "DUCK", "duck.", "../../duck", "кот", "пёс", "con", "a" * 99, "a" * 100, "<duck>"]
    pages = [page_of(name) for name in names]

    assert pages[0] == "duck.html"
    assert len({page.casefold() for page in pages}) == len(names)
    assert all(page.isascii() and "/" not in page and len(page) < 60 for page in pages)


def test_who_takes_more_points_than_the_mean_is_said_to_without_a_minus(site: dict[str, str]) -> None:
    said = [
        " ".join(re.findall(r"[^<>]* than the mean bot", text)) for name, text in site.items() if "bots/" in name
    ]

    assert any(" more than the mean bot" in words for words in said)
    assert any(" fewer than the mean bot" in words for words in said)
    assert [words for words in said if words[:1] in "+-−" and words] == []
