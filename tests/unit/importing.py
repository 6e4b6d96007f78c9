"""What imports in a source, and whether it loads with the importing module."""

import ast
from functools import cache

Importing = ast.Import | ast.ImportFrom | ast.Call


@cache
def importing(source: str) -> tuple[tuple[Importing, bool], ...]:
    """Every import, and every call, as one may import; eager unless in a function or under TYPE_CHECKING."""
    found: list[tuple[Importing, bool]] = []
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while waiting:
        node, eager = waiting.pop()
        if isinstance(node, Importing):
            found.append((node, eager))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            eager = False
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            eager = False
        waiting += [(child, eager) for child in ast.iter_child_nodes(node)]
    return tuple(found)
