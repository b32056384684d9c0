"""docs/rules.md and the code say the same: the numbers cited, the breaches, the parameters and the presets."""

from __future__ import annotations

import re
from pathlib import Path

from referee.rules.breach import Breach
from referee.rules.presets import PRESETS, preset, preset_entry
from referee.rules.ruleset import CHOICES, PARAMETERS
from tests.referee.rules.test_ruleset import ILLEGAL

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
NUMBERS = set(re.findall(r"^(?:## |- \*\*|\| )(R\d+(?:\.\d+)?)\b", PAGE, flags=re.MULTILINE))
CITING = [
    path
    for pattern in ("referee/**/*.py", "tests/**/*.py", "proto/**/*.proto", "proto/**/*.md", "docs/*.md")
    for path in sorted(ROOT.glob(pattern))
]


def rows(section: str) -> dict[str, list[str]]:
    """The table of a section: cells by the first one, code marks taken off."""
    text = re.split(rf"^## {section} .*$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {first.strip("`"): rest for first, *rest in cells}


def test_every_section_of_the_page_has_its_number_once() -> None:
    assert {f"R{number}" for number in range(1, 21)} <= NUMBERS
    defined = re.findall(r"^(?:## |- \*\*)(R\d+(?:\.\d+)?)\b", PAGE, flags=re.MULTILINE)
    assert len(defined) == len(set(defined))


def test_a_rule_that_is_cited_anywhere_is_on_the_page() -> None:
    cited = [
        (str(path.relative_to(ROOT)), number)
        for path in CITING
        for number in re.findall(r"\bR\d{1,2}(?:\.\d{1,2})?\b", path.read_text(encoding="utf-8"))
    ]

    assert len(cited) > 150
    assert [(path, number) for path, number in cited if number not in NUMBERS] == []


def test_the_rulebook_cites_the_rules_it_keeps() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "referee/rules").glob("*.py"))
    cited = {number.split(".")[0] for number in re.findall(r"\bR\d+(?:\.\d+)?\b", code)}

    assert {f"R{number}" for number in range(1, 18)} <= cited


def test_the_breaches_stand_in_the_order_of_precedence() -> None:
    assert [cells[0].strip("`") for cells in rows("R14").values()] == [breach.value for breach in Breach]
    assert list(rows("R14")) == [f"R14.{number}" for number in range(1, len(Breach) + 1)]


def test_every_parameter_stands_in_the_table_with_every_value() -> None:
    table = rows("R18")

    assert list(table) == list(PARAMETERS)
    for key, kind in CHOICES.items():
        assert re.findall(r"`(\w+)`", table[key][0]) == [member.value for member in kind]
    assert {key.partition(".")[0] for _, key, _ in ILLEGAL} >= set(PARAMETERS)


def test_every_preset_stands_in_the_table_with_its_sizes() -> None:
    table = rows("R19")

    assert list(table) == list(PRESETS)
    for name, (_, differs, hand, total) in table.items():
        rules = preset(name)
        widow = f" + widow {rules.widow_size}" if rules.widow_size else ""
        assert (hand, total) == (f"{rules.hand_size}{widow}", str(rules.deal_total))
        ours, base = preset_entry(name)["rules"], preset_entry("american")["rules"]
        changed = {key for key in ours if ours[key] != base[key]}
        assert set(re.findall(r"`(\w+)`", differs)) == changed
