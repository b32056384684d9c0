"""The house rules that no other tool holds: sizes, names, packaging, freshness."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CODE = sorted(p for d in ("referee", "ratings") for p in (ROOT / d).rglob("*.py"))
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70
# Whole words of identifiers that mean something else here, with what to write instead.
BANNED = {
    "game": "match",
    "games": "matches",
    "player": "bot, entrant or seat",
    "players": "bots, entrants or seats",
    "move": "decision",
    "moves": "decisions",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def identifiers(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


@pytest.mark.parametrize("path", CODE, ids=relative)
def test_a_module_is_short_enough_to_be_read_at_once(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MODULE_LINES_MAX


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text())
    return [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def words_of(name: str) -> list[str]:
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower())


@pytest.mark.parametrize("path", CODE, ids=relative)
def test_a_function_fits_a_screen(path: Path) -> None:
    sizes = {f.name: (f.end_lineno or f.lineno) - f.lineno + 1 for f in functions(path)}

    assert {name: lines for name, lines in sizes.items() if lines > FUNCTION_LINES_MAX} == {}


@pytest.mark.parametrize("path", CODE, ids=relative)
def test_names_are_the_words_of_the_glossary(path: Path) -> None:
    used = [(name, word) for name in identifiers(ast.parse(path.read_text())) for word in words_of(name)]

    assert [f"{name}: write {BANNED[word]}" for name, word in used if word in BANNED] == []


def test_no_test_folder_is_a_package_that_could_shadow_the_product() -> None:
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_generated_code_carries_its_banner() -> None:
    generated = list((ROOT / "proto/gen/hearts").rglob("*_pb2*.py"))

    assert generated
    assert [relative(p) for p in generated if "DO NOT EDIT" not in p.read_text()[:400]] == []


@pytest.mark.parametrize(
    ("package", "pattern"),
    [("protobuf", r"Protobuf Python Version: ([\d.]+)"), ("grpcio", r"GRPC_GENERATED_VERSION = '([\d.]+)'")],
)
def test_declared_floors_are_those_the_generated_code_refuses_to_go_below(package: str, pattern: str) -> None:
    stamps = {m for p in (ROOT / "proto/gen/hearts").rglob("*_pb2*.py") for m in re.findall(pattern, p.read_text())}
    declared = [d for d in PROJECT["project"]["dependencies"] if d.startswith(f"{package}>=")]

    assert [re.split(r">=|,", d)[1] for d in declared] == sorted(stamps)


def test_the_wheel_has_three_top_level_names() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]

    assert wheel["only-include"] == ["referee", "ratings", "proto/gen/hearts", "sample_bots"]
    assert wheel["sources"] == {"proto/gen": "", "sample_bots": "referee/data/sample_bots"}
