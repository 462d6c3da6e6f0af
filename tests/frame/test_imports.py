"""Imports go one way, and each of the large libraries has one home."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

LAYERS = [
    "data",
    "errors",
    "processes",
    "language",
    "model",
    "engines",
    "beliefs",
    "heuristics",
    "learning",
    "agents",
    "arena",
    "verify",
    "api",
    "adapters",
    "ui",
    "web",
    "cli",
]
"""A part may import the parts before it."""

ONLY = {"data": set[str](), "errors": set[str](), "drawing": {"data", "errors", "language"}}
"""Parts that may import these and nothing else."""

HOMES = {
    "lark": "fcdl/language",
    "networkx": "fcdl/language",
    "clingo": "fcdl/engines/asp",
    "textual": "fcdl/ui",
    "pettingzoo": "fcdl/adapters",
    "gymnasium": "fcdl/adapters",
    "starlette": "fcdl/web",
}

MODULES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "fcdl").rglob("*.py"))


def imported_names(source: str, package: list[str]) -> Iterator[str]:
    """Every module that a source imports, in functions too, as absolute names; `package` is the one it is in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def part_of(parts: list[str]) -> str | None:
    """The part of fcdl that a dotted name belongs to, None for fcdl itself."""
    return parts[1].removesuffix(".py") if parts[0] == "fcdl" and len(parts) > 1 else None


def allowed(part: str) -> set[str]:
    """The parts that a part may import."""
    if part in ONLY:
        return ONLY[part] | {part}
    before = set(LAYERS[: LAYERS.index(part) + 1])
    return before | {*ONLY} if part in ("api", "web", "cli") else before


@pytest.mark.parametrize("module", MODULES)
def test_module_imports_only_what_comes_before_it(module: str) -> None:
    parts = module.split("/")
    part = part_of(parts)
    if part in (None, "__init__", "__main__"):
        return
    assert part in {*LAYERS, *ONLY}, f"give '{part}' its place in LAYERS"
    for name in imported_names((ROOT / module).read_text(), parts[:-1]):
        other = part_of(name.split("."))
        if other is not None and other not in ("__version__", "__init__"):
            assert other in allowed(part), f"{module} imports {name}, which comes after it"


@pytest.mark.parametrize("module", MODULES)
def test_large_libraries_are_imported_only_in_their_home(module: str) -> None:
    for name in imported_names((ROOT / module).read_text(), module.split("/")[:-1]):
        home = HOMES.get(name.split(".")[0])
        assert home is None or module.startswith(f"{home}/"), f"{module} imports {name}, whose home is {home}"


def test_relative_imports_are_understood() -> None:
    assert list(imported_names("from ..model import x", ["fcdl", "cli"])) == ["fcdl.model.x"]
    assert list(imported_names("from . import x", ["fcdl", "cli"])) == ["fcdl.cli.x"]
    assert list(imported_names("import a.b", ["fcdl", "cli"])) == ["a.b"]
