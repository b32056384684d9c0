"""Where the sample projects keep what the tests look at."""

import re
from pathlib import Path

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
WIRE_LOOPS = {
    "go": "wire_loop.go",
    "rust": "src/main.rs",
    "java": "src/main/java/WireLoop.java",
    "cpp": "src/wire_loop.cpp",
}
STRATEGIES = {
    "go": "strategy.go",
    "rust": "src/strategy.rs",
    "java": "src/main/java/Strategy.java",
    "cpp": "src/strategy.h",
}
_NOTHING_SAID = re.compile(
    r'\s*($|//|[)}\];,]+$|#include |(package|import|use|mod|using namespace) |(pb )?"[^"]+"$)'
)


def random_strategy(name: str) -> str:
    """The strategy that a project's README shows as the start of an own bot."""
    readme = (SAMPLE_BOTS / name / "README.md").read_text()
    code = re.search(r"^```\w+\n(.+?)^```$", readme, re.DOTALL | re.MULTILINE)
    assert code is not None
    return code[1]


def lines_of_a_random_bot(name: str) -> int:
    """Lines of wire loop and random strategy, without blank ones, comments, imports and lone closing brackets."""
    code = (SAMPLE_BOTS / name / WIRE_LOOPS[name]).read_text() + random_strategy(name)
    return sum(not _NOTHING_SAID.match(line) for line in code.splitlines())
