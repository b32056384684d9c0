"""Where the sample projects keep what the tests look at."""

import re
from pathlib import Path

SAMPLE_BOTS = Path(__file__).parents[2] / "sample_bots"
WIRE_LOOPS = {
    "python": "wire_loop.py",
    "typescript": "src/wire_loop.ts",
    "go": "wire_loop.go",
    "rust": "src/main.rs",
    "java": "src/main/java/WireLoop.java",
    "cpp": "src/wire_loop.cpp",
    "ruby": "wire_loop.rb",
}
CONNECTIONS = {"go": ("connection.go",), "rust": ("src/connection.rs", "src/hearts.rs")}
"""What reaches the referee, where that is not part of the wire loop's file."""
STRATEGIES = {
    "typescript": "src/strategy.ts",
    "go": "strategy.go",
    "rust": "src/strategy.rs",
    "java": "src/main/java/Strategy.java",
    "cpp": "src/strategy.h",
    "ruby": "strategy.rb",
}
LINES_MAX = 60
"""Of the file of a wire loop and a random strategy together."""
_NOTHING = re.compile(r"\s*(//|#(?!include|pragma|\[)|\"\"\".*\"\"\"$|$)")


def random_strategy(name: str) -> str:
    """The strategy that a project's README shows as the start of an own bot; in Python that of its random bot."""
    if name == "python":
        return (SAMPLE_BOTS / "python/random/strategy.py").read_text()
    readme = (SAMPLE_BOTS / name / "README.md").read_text()
    code = re.search(r"^```\w+\n(.+?)^```$", readme, re.DOTALL | re.MULTILINE)
    assert code is not None
    return code[1]


def plain_lines(code: str) -> int:
    """Lines that are neither blank nor a comment: imports and lone brackets count too."""
    return sum(not _NOTHING.match(line) for line in code.splitlines())


def random_bot(name: str) -> str:
    """The code of a bot that plays at random: the file of the project's wire loop and the random strategy."""
    return (SAMPLE_BOTS / name / WIRE_LOOPS[name]).read_text() + random_strategy(name)
